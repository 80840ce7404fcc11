//! The names of an archive's members in another encoding than UTF-8, as programs of Windows write them.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Stands between names; no name has it.
const SEPARATOR: u8 = b'\n';

/// The upper half of code page 437, which the specification names for names that are not in UTF-8.
const DOS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// The names of one archive, decoded, if some are not in UTF-8 and all those are in one encoding that can be told: then they
/// consist of letters, digits and usual punctuation beside ASCII. A backslash behind one of these may be half a letter of
/// Japanese.
pub(super) fn decoded(names: &[&[u8]]) -> Option<Vec<String>> {
    let is_legacy = |name: &&&[u8]| std::str::from_utf8(name).is_err();
    let all = names.iter().filter(is_legacy).copied().collect::<Vec<_>>().join(&SEPARATOR);
    if all.is_empty() || names.iter().any(|name| name.contains(&SEPARATOR)) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&all, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let guessed = encoding.decode_without_bom_handling_and_without_replacement(&all);
    let is_name = |text: &str| {
        text.chars().all(|c| c.is_ascii() || c.is_alphanumeric() || is_punctuation(c))
            && !text.split('\\').rev().skip(1).any(|before| before.ends_with(|c: char| !c.is_ascii()))
    };
    let decoded = guessed.map(Cow::into_owned).filter(|text| is_name(text));
    let decoded = decoded.or_else(|| Some(of_dos(&all)).filter(|text| is_name(text)))?;
    let mut decoded = decoded.split(char::from(SEPARATOR));
    let name = |name: &&[u8]| match std::str::from_utf8(name) {
        Ok(name) => Some(name.to_owned()),
        Err(_) => decoded.next().map(str::to_owned),
    };
    names.iter().map(name).collect()
}

/// True for punctuation that stands in names: dashes, quotation marks, and the signs of East Asia.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2026}' | '\u{3001}'..='\u{3011}' | '\u{FF01}'..='\u{FF5E}')
}

fn of_dos(bytes: &[u8]) -> String {
    let upper: Vec<char> = DOS.chars().collect();
    bytes.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { upper[usize::from(byte - 128)] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_an_archive_are_in_one_encoding() {
        let folders = ["张三_4711_assignsubmission_file", "李四_4712_assignsubmission_file", "王小明_4713_作业"];
        let packed = folders.map(|name| encoding_rs::GBK.encode(name).0.into_owned());
        assert_eq!(decoded(&packed.each_ref().map(Vec::as_slice)), Some(folders.map(str::to_owned).to_vec()));
        let of_dos = [b"M\x81ller/Aufsatz.txt".as_slice(), b"Gr\xe1/Andr\x82.txt"];
        assert_eq!(decoded(&of_dos), Some(vec!["Müller/Aufsatz.txt".to_owned(), "Grß/André.txt".to_owned()]));
        let mixed = [b"O\x92Neil \x96 caf\xe9.txt".as_slice(), "é.txt".as_bytes(), b"plain"];
        assert_eq!(decoded(&mixed), Some(["O’Neil – café.txt", "é.txt", "plain"].map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_cannot_be_told_is_left() {
        assert_eq!(decoded(&[b"plain".as_slice(), "é".as_bytes()]), None);
        // Half a character of Japanese.
        assert_eq!(decoded(&[b"Yamada/\x95\x5c.txt".as_slice()]), None);
        assert_eq!(decoded(&[b"a\nb.txt".as_slice(), b"caf\xe9.txt"]), None);
    }

    #[test]
    fn the_table_is_whole() {
        assert_eq!(DOS.chars().count(), 128);
    }
}
