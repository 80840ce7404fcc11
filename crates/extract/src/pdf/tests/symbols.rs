//! Fonts of symbols.

use super::super::text;
use super::pages;
use crate::Refusal;

#[test]
fn standard_fonts_of_symbols_have_their_own_encodings() {
    let of = |font: &str, entries: &str, codes: &str| {
        let file = pages(&[format!("BT /F 11 Tf 70 700 Td ({codes}) Tj ET")]);
        let file = String::from_utf8(file).unwrap();
        let own = "/BaseFont /Helvetica /Encoding <</Differences [1 /fi /uni00E9 /f_f]>>";
        let read = text(file.replace(own, &format!("/BaseFont /{font} {entries}")).as_bytes());
        read.map(|read| (read.text, read.replaced))
    };
    assert_eq!(of("Symbol", "", r"5 \243 x \263 a"), Ok(("5 ≤ ξ ≥ α\n".to_owned(), 0)));
    assert_eq!(of("ZapfDingbats", "", r"\64 \110 \300"), Ok(("✔ ★ ➀\n".to_owned(), 0)));
    // What stands at no place, and glyphs that the file brings along.
    assert_eq!(of("Symbol", "", r"alpha and omega of it all\360").unwrap().1, 1);
    let embedded = of("ABCDEF+Symbol", "/FontDescriptor <</FontFile2 3 0 R>>", r"\243");
    assert_eq!(embedded, Err(Refusal::NoCharacters));
}
