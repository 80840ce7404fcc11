//! Pages that may say more than their text.

use super::super::text;
use super::pages;

#[test]
fn pages_with_a_picture_and_no_text_are_counted() {
    let said = "BT /F 11 Tf 70 700 Td (An essay is said to follow) Tj ET".to_owned();
    // The object that the pages draw is a picture here.
    let of = |drawn: &[&str]| {
        let mut file = pages(&drawn.iter().map(|page| page.replace("SAID", &said)).collect::<Vec<_>>());
        let at = file.windows(14).position(|bytes| bytes == b"/Subtype /Form").unwrap();
        file.splice(at..at + 14, b"/Subtype/Image".iter().copied());
        text(&file).unwrap().pictured
    };
    assert_eq!(of(&["SAID", "/X Do", "", "q /X Do Q", "SAID /X Do"]), 3);
    assert_eq!(of(&["SAID", "", "/Y Do"]), 0);
    // Letters drawn as lines, and a picture in the content itself.
    assert_eq!(of(&["SAID", &"1 2 m 3 4 l S ".repeat(300), "BI /W 1 /H 1 /BPC 8 /CS /G ID \0 EI"]), 2);
}

/// A scan with a stamp or a running head on it, as apart from a page with a logo.
#[test]
fn a_picture_of_a_page_may_hold_text_beside_a_few_words() {
    let words = |count: usize| format!("BT /F 11 Tf 70 700 Td ({}) Tj ET", "seven letters ".repeat(count));
    let of = |on_pages: &[(usize, &str)]| {
        let drawn = |&(count, size): &(usize, &str)| format!("q {size} 0 0 {size} 0 0 cm /X Do Q {}", words(count));
        let mut file = pages(&on_pages.iter().map(drawn).collect::<Vec<_>>());
        let at = file.windows(14).position(|bytes| bytes == b"/Subtype /Form").unwrap();
        file.splice(at..at + 14, b"/Subtype/Image".iter().copied());
        let at = file.windows(6).position(|bytes| bytes == b"/Count").unwrap();
        file.splice(at..at, b"/MediaBox [0 0 595 842] ".iter().copied());
        text(&file).unwrap().pictured
    };
    assert_eq!(of(&[(99, "60"), (99, "60"), (3, "800"), (99, "60"), (99, "800")]), 1);
    assert_eq!(of(&[(99, "60"), (99, "60"), (3, "60"), (99, "60")]), 0);
    // Pictures with captions, and no other text.
    assert_eq!(of(&[(3, "60"), (3, "60")]), 2);
}

#[test]
fn files_and_forms_within_are_told() {
    let of = |entries: &str| {
        let page = "BT /F 11 Tf 70 700 Td (Open this portfolio in another program) Tj ET".to_owned();
        let file = String::from_utf8(pages(&[page])).unwrap();
        text(file.replacen("/Type /Catalog", &format!("/Type /Catalog {entries}"), 1).as_bytes()).unwrap().pictured
    };
    assert_eq!(of("/Names <</Dests <<>>>> /AcroForm <<>>"), 0);
    assert_eq!(of("/Names <</EmbeddedFiles <<>>>>"), 1);
    assert_eq!(of("/AcroForm <</XFA []>>"), 1);
}
