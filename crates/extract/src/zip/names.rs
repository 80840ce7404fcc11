//! The names of an archive's members in an encoding of their country, as programs of Windows write them.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// The upper half of code page 437, which the specification names for names that are not in UTF-8.
const DOS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// The names of one archive, decoded, if they are not in UTF-8 and all in one encoding that can be told: then they
/// consist of letters and digits beside ASCII. A backslash behind one of these may be half a letter of Japanese.
pub(super) fn decoded(names: &[&[u8]]) -> Option<Vec<String>> {
    let all = names.join(&b'\n');
    if std::str::from_utf8(&all).is_ok() {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&all, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let guessed = encoding.decode_without_bom_handling_and_without_replacement(&all);
    let is_name = |text: &str| {
        text.chars().all(|c| c.is_ascii() || c.is_alphanumeric())
            && !text.split('\\').rev().skip(1).any(|before| before.ends_with(|c: char| !c.is_ascii()))
    };
    let decoded = guessed.map(Cow::into_owned).filter(|text| is_name(text));
    let decoded = decoded.or_else(|| Some(of_dos(&all)).filter(|text| is_name(text)))?;
    Some(decoded.split('\n').map(str::to_owned).collect())
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
    }

    #[test]
    fn what_cannot_be_told_is_left() {
        assert_eq!(decoded(&[b"plain".as_slice(), "é".as_bytes()]), None);
        // Half a character of Japanese.
        assert_eq!(decoded(&[b"Yamada/\x95\x5c.txt".as_slice()]), None);
        assert_eq!(DOS.chars().count(), 128);
    }
}
