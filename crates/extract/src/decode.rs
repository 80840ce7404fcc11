//! Decoding of bytes to characters.
//!
//! The encoding is chosen in this order: the one that the user names; a byte-order mark;
//! UTF-16 without a mark, detected by its NULs; ISO-2022-JP, detected by its escapes; UTF-8, if
//! the bytes are UTF-8 with at most a few errors; the encoding that a web page declares
//! (`<meta charset>`); and the guess of chardetng. Malformed sequences become U+FFFD and are
//! counted; no byte is fatal.
//!
//! Cost: UTF-8 is checked, not copied; any other encoding takes one pass.
//!
//! Source: the WHATWG Encoding Standard (labels and decoders).

use std::borrow::Cow;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};

/// A label that names no encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' names no encoding of the WHATWG Encoding Standard")]
pub struct UnknownEncoding(pub String);

/// Size in bytes of the sample from which the encoding is detected.
const SAMPLE: usize = 64 << 10;

/// The name of an encoding that can be forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8, the encoding of records.
    pub const UTF_8: Self = Self(UTF_8);

    /// The name in the WHATWG Encoding Standard.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The bytes of a text in this encoding; of UTF-16, UTF-8 instead.
    pub fn encode(self, text: &str) -> Vec<u8> {
        self.0.encode(text).0.into_owned()
    }

    /// True if the byte 0x0A is always a line break.
    pub fn has_lines(self) -> bool {
        self.0 != UTF_16LE && self.0 != UTF_16BE
    }

    /// True if the bytes of quotes, commas and tabs, too, always stand for these characters.
    pub fn has_separators(self) -> bool {
        self.0.is_ascii_compatible()
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Any label of the WHATWG Encoding Standard, such as `utf-8`, `latin1` or
    /// `shift_jis`.
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        encoding_rs::Encoding::for_label(label.as_bytes())
            .filter(|encoding| *encoding != encoding_rs::REPLACEMENT)
            .map(Self)
            .ok_or_else(|| UnknownEncoding(label.to_owned()))
    }
}

/// Decoded characters and their encoding.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The characters, without a byte-order mark.
    pub text: Cow<'a, str>,
    /// The WHATWG name of the encoding, or `UTF-32LE`, `UTF-32BE`.
    pub encoding: &'static str,
    /// Number of malformed sequences replaced by U+FFFD.
    pub replaced: usize,
}

/// Decodes bytes by the given encoding, or else by the detected one.
pub fn decode(bytes: &[u8], forced: Option<Encoding>) -> Decoded<'_> {
    if let Some(Encoding(encoding)) = forced {
        // A byte-order mark of the same encoding is not part of the text.
        let bytes = match encoding_rs::Encoding::for_bom(bytes) {
            Some((marked, length)) if marked == encoding => &bytes[length..],
            _ => bytes,
        };
        return decode_as(encoding, bytes);
    }
    match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => return utf_32(rest, u32::from_le_bytes, "UTF-32LE"),
        [0, 0, 0xfe, 0xff, rest @ ..] => return utf_32(rest, u32::from_be_bytes, "UTF-32BE"),
        _ => {}
    }
    if let Some((encoding, length)) = encoding_rs::Encoding::for_bom(bytes) {
        return decode_as(encoding, &bytes[length..]);
    }
    if let Some(encoding) = utf_16_by_nuls(bytes) {
        return decode_as(encoding, bytes);
    }
    if bytes[..bytes.len().min(SAMPLE)].windows(2).any(|pair| pair == b"\x1b$") && bytes.is_ascii() {
        // Only ISO-2022-JP uses this escape to switch character sets.
        return decode_as(encoding_rs::ISO_2022_JP, bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: Cow::Borrowed(text), encoding: UTF_8.name(), replaced: 0 },
        Err(error) => decode_as(guess(bytes, error.valid_up_to()), bytes),
    }
}

fn decode_as<'a>(encoding: &'static encoding_rs::Encoding, bytes: &'a [u8]) -> Decoded<'a> {
    let (text, replaced) = if encoding == UTF_8 {
        let text = String::from_utf8_lossy(bytes);
        let replaced = match text {
            Cow::Borrowed(_) => 0,
            Cow::Owned(_) => bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count(),
        };
        (text, replaced)
    } else {
        let (text, malformed) = encoding.decode_without_bom_handling(bytes);
        let replaced = if malformed { text.matches(char::REPLACEMENT_CHARACTER).count() } else { 0 };
        (text, replaced)
    };
    Decoded { text, encoding: encoding.name(), replaced }
}

/// The likely encoding of bytes whose first UTF-8 error is at `error`.
fn guess(bytes: &[u8], error: usize) -> &'static encoding_rs::Encoding {
    // The sample extends to both sides of the first error: valid sequences before it count too.
    let start = error.saturating_sub(SAMPLE / 2);
    // A cut sample begins with a whole sequence; the beginning of a text is never cut.
    let is_cut = |&&byte: &&u8| start > 0 && byte & 0xc0 == 0x80;
    let start = start + bytes[start..].iter().take(4).take_while(is_cut).count();
    let sample = &bytes[start..bytes.len().min(start + SAMPLE)];
    if is_mostly_utf_8(sample) {
        return UTF_8;
    }
    if let Some(encoding) = declared(bytes) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// True if the sample has more than two valid multi-byte sequences per error: a text in a
/// legacy encoding hardly ever contains a valid one.
///
/// Surrogates encoded as UTF-8 (as some databases and old Java programs do) are errors that
/// only UTF-8 has, so they do not count against it.
fn is_mostly_utf_8(sample: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in sample.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    let surrogates =
        sample.windows(3).filter(|w| w[0] == 0xed && w[1] >= 0xa0 && w[1] < 0xc0 && w[2] & 0xc0 == 0x80).count();
    bad -= bad.min(3 * surrogates);
    good > 2 * bad || surrogates > 0 && bad == 0
}

/// The encoding that a web page declares at its beginning.
fn declared(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    let tag = &head[head.find("<meta")?..];
    let label = tag[tag.find("charset=")? + "charset=".len()..].trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':' | '.'));
    let encoding = encoding_rs::Encoding::for_label(&label.as_bytes()[..end.unwrap_or(label.len())])?;
    // A page in which this declaration is readable is not UTF-16, and UTF-8 was already
    // ruled out.
    (![UTF_8, UTF_16LE, UTF_16BE, encoding_rs::REPLACEMENT].contains(&encoding)).then_some(encoding)
}

/// The variant of UTF-16 that the bytes are in; `None` if they are in none.
pub fn utf_16(bytes: &[u8]) -> Option<Encoding> {
    let marked = encoding_rs::Encoding::for_bom(bytes).map(|(encoding, _)| encoding).filter(|&it| it != UTF_8);
    marked.or_else(|| utf_16_by_nuls(bytes)).map(Encoding)
}

/// Detects UTF-16 without a byte-order mark: the upper bytes are NUL in Latin letters and in
/// spaces, and a single other value in the letters of most other scripts. (Chinese, with its
/// many different upper bytes, cannot be detected this way.)
fn utf_16_by_nuls(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    // Most texts have no NUL at all.
    memchr::memchr(0, sample)?;
    let pairs = sample.as_chunks::<2>().0;
    let mut counts = [[0; 256]; 2];
    for pair in pairs {
        counts[0][usize::from(pair[0])] += 1;
        counts[1][usize::from(pair[1])] += 1;
    }
    let are_upper = |upper: &[usize; 256], lower: &[usize; 256]| {
        let script = upper[1..].iter().max().expect("255 counts");
        20 * upper[0] > pairs.len() && 5 * (upper[0] + script) > 4 * pairs.len() && 20 * lower[0] < pairs.len()
    };
    let [first, second] = &counts;
    if are_upper(second, first) {
        Some(UTF_16LE)
    } else if are_upper(first, second) {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn utf_32(bytes: &[u8], number: fn([u8; 4]) -> u32, encoding: &'static str) -> Decoded<'static> {
    let (units, rest) = bytes.as_chunks::<4>();
    let mut replaced = usize::from(!rest.is_empty());
    let text = units
        .iter()
        .map(|&unit| {
            char::from_u32(number(unit)).unwrap_or_else(|| {
                replaced += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect::<String>();
    Decoded { text: Cow::Owned(text), encoding, replaced }
}

/// Signatures of files that are not texts, with their names in messages.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document of another kind"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or encrypted office document"),
    (b"\x1f\x8b", "gzip-compressed"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed"),
    (b"\xfd7zXZ\0", "xz-compressed"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"II*\0", "a picture"),
    (b"MM\0*", "a picture"),
    (b"GIF87a", "a picture"),
    (b"GIF89a", "a picture"),
    (b"PAR1", "a Parquet file"),
    (b"!<arch>\n", "a library of programs"),
    (b"ID3", "a sound file"),
    (b"RIFF", "a picture or sound file"),
    (b"{\\rtf", "an RTF document"),
];

/// The type of the bytes if they are not a text; `None` for a text.
///
/// A stray NUL or control character is tolerated; many make a binary file.
pub fn binary(bytes: &[u8]) -> Option<&'static str> {
    // A text may begin with the letters of a signature; then the bytes after them are text too.
    let head = &bytes[..bytes.len().min(1024)];
    let is_text =
        std::str::from_utf8(head).is_ok_and(|text| !text.contains(|c: char| c.is_control() && !c.is_whitespace()));
    if bytes.starts_with(b"BZh") && bytes.get(4..10) == Some(b"1AY&SY") {
        return Some("bzip2-compressed");
    }
    for (signature, kind) in SIGNATURES {
        let is_certain = matches!(*kind, "a PDF" | "an RTF document" | "a library of programs");
        if bytes.starts_with(signature) && (is_certain || !is_text) {
            return Some(kind);
        }
    }
    if encoding_rs::Encoding::for_bom(bytes).is_some()
        || utf_16_by_nuls(bytes).is_some()
        || bytes.starts_with(&[0, 0, 0xfe, 0xff])
    {
        return None;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let controls = sample.iter().filter(|&&byte| byte < 0x20 && !matches!(byte, b'\t'..=b'\r' | 0x1b)).count();
    // One in ten random bytes is a control character; text with form feeds has far fewer.
    (20 * controls > sample.len()).then_some("a binary file")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seen(bytes: &[u8]) -> (String, &'static str, usize) {
        let decoded = decode(bytes, None);
        (decoded.text.into_owned(), decoded.encoding, decoded.replaced)
    }

    const RUSSIAN: &str = "Приливы и отливы вызваны притяжением Луны и Солнца; вода поднимается дважды в день.";

    #[test]
    fn utf_8_is_not_copied() {
        assert!(matches!(decode("añb".as_bytes(), None).text, Cow::Borrowed("añb")));
        assert_eq!(seen(b"\xef\xbb\xbfmark"), ("mark".into(), "UTF-8", 0));
        assert_eq!(seen(b""), (String::new(), "UTF-8", 0));
    }

    #[test]
    fn all_forms_of_utf_16_and_32() {
        let text = "Tides — 海";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(seen(&[&b"\xff\xfe"[..], &little].concat()), (text.into(), "UTF-16LE", 0));
        assert_eq!(seen(&[&b"\xfe\xff"[..], &big].concat()), (text.into(), "UTF-16BE", 0));
        assert_eq!(seen(&little), (text.into(), "UTF-16LE", 0));
        let russian: Vec<u8> = RUSSIAN.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(seen(&russian), (RUSSIAN.into(), "UTF-16LE", 0));
        assert_eq!(seen(&big), (text.into(), "UTF-16BE", 0));
        let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(seen(&[&b"\xff\xfe\0\0"[..], &little].concat()), (text.into(), "UTF-32LE", 0));
        let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        assert_eq!(seen(&[&b"\0\0\xfe\xff"[..], &big, &[1, 2]].concat()), (text.into(), "UTF-32BE", 1));
    }

    #[test]
    fn legacy_encodings_are_detected() {
        for label in ["windows-1251", "koi8-r", "iso-8859-5"] {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (bytes, _, _) = encoding.encode(RUSSIAN);
            assert_eq!(seen(&bytes).0, RUSSIAN, "{label}");
        }
        let japanese = "潮の満ち引きは月と太陽の引力によって起こる。海面は一日に二度上下する。";
        for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::ISO_2022_JP] {
            assert_eq!(seen(&encoding.encode(japanese).0).0, japanese, "{}", encoding.name());
        }
        let korean = "벌은 꽃에서 꽃으로 날아다니며 꿀을 모으고, 겨울을 나기 위해 벌집에 저장한다.";
        assert_eq!(seen(&encoding_rs::EUC_KR.encode(korean).0), (korean.into(), "EUC-KR", 0));
        assert_eq!(seen(b"Caf\xe9 au lait, d\xe9j\xe0 vu").0, "Café au lait, déjà vu");
    }

    #[test]
    fn a_forced_encoding_is_obeyed() {
        let forced = |label: &str, bytes| decode(bytes, Some(label.parse().unwrap())).text.into_owned();
        assert_eq!(forced("latin1", "é".as_bytes()), "Ã©");
        assert_eq!(forced("utf-16le", b"\xff\xfea\0"), "a");
        assert!("utf-99".parse::<Encoding>().is_err());
    }

    #[test]
    fn bad_bytes_are_replaced_and_counted() {
        let text = seen(&["Größe und Maß, ".as_bytes(), b"\xff", "Öl und Käse".as_bytes(), b"\xc3"].concat());
        assert_eq!(text, ("Größe und Maß, \u{fffd}Öl und Käse\u{fffd}".into(), "UTF-8", 2));
        // A broken download: the last character is cut.
        let cut =
            [&"Größe und Maß der Häuser an der Küste\n".repeat(300).into_bytes()[..], b"the last line is cut \xc3"]
                .concat();
        assert_eq!((seen(&cut).1, seen(&cut).2), ("UTF-8", 1));
        let surrogate = seen(b"a lone \xed\xa0\x80 surrogate");
        assert_eq!((surrogate.1, surrogate.2), ("UTF-8", 3));
        let lone = seen(b"\xff\xfea\0\x00\xd8b\0");
        assert_eq!(lone, ("a\u{fffd}b".into(), "UTF-16LE", 1));
    }

    #[test]
    fn a_page_is_read_as_it_says() {
        let page =
            b"<html><head><meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-2'></head>\xb1\xe6\xea";
        assert_eq!(seen(page).1, "ISO-8859-2");
        let page = b"<meta charset=\"koi8-r\">\xf0\xf2\xe9";
        assert_eq!(seen(page).0, "<meta charset=\"koi8-r\">ПРИ");
    }

    #[test]
    fn what_is_no_text_has_a_name() {
        assert_eq!(binary(b"%PDF-1.7 text follows"), Some("a PDF"));
        assert_eq!(binary(&[0; 100]), Some("a binary file"));
        let noise: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(binary(&noise), Some("a binary file"));
        assert_eq!(binary(b"a text with a NUL \0 in it, and a page mark \x0c at its end"), None);
        assert_eq!(binary(b"t\0w\0o\0"), None);
        assert_eq!(binary(b""), None);
        for text in ["BZhang wrote this letter", "GIF89a is a format", "PAR1 is short for it", "ID3 tags, told simply"]
        {
            assert_eq!(binary(text.as_bytes()), None, "{text}");
        }
        assert_eq!(binary(b"GIF89a\x01\0\x01\0\x80"), Some("a picture"));
        assert_eq!(binary(b"BZh91AY&SY\x00"), Some("bzip2-compressed"));
    }

    proptest! {
        #[test]
        fn no_bytes_are_fatal(bytes in prop::collection::vec(any::<u8>(), 0..400), page: bool) {
            let bytes = if page { [b"<meta charset=", &bytes[..]].concat() } else { bytes };
            binary(&bytes);
            decode(&bytes, None);
        }

        #[test]
        fn text_comes_back(text in "\\PC{0,80}") {
            prop_assume!(!text.starts_with('\u{feff}'));
            prop_assert_eq!(seen(text.as_bytes()), (text, "UTF-8", 0));
        }
    }
}
