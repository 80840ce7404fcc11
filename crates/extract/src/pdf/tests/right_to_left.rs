//! Texts from right to left.

use super::*;

#[test]
fn right_to_left_is_put_in_the_order_of_reading() {
    // Drawn from left to right: dalet, then AA, then gimel bet alef.
    let content = "BT /G 10 Tf 50 700 Td <0004> Tj 10 0 Td <0041> Tj 5 0 Td <0041> Tj 10 0 Td <000300020001> Tj ET";
    assert_eq!(read(content), "אבג AA ד\n");
}

/// The text of a page whose font has another map of characters.
fn read_by(map: &str, content: &str) -> String {
    let file = String::from_utf8(pages(&[content.into()])).unwrap();
    let old = file.lines().find(|line| line.contains("beginbfrange")).unwrap().to_owned();
    let new = format!("1 beginbfrange {map:width$} endbfrange", width = old.len() - 26);
    text(file.replace(&old, &new).as_bytes()).unwrap().text
}

#[test]
fn numbers_run_from_left_to_right_in_any_script() {
    let content = "BT /G 10 Tf 50 700 Td <0032> Tj 5 0 Td <0030> Tj 5 0 Td <0036> Tj 10 0 Td <0002> Tj ET";
    assert_eq!(read_by("<0001> <001a> <0621> <0030> <0039> <0660>", content), "\u{622} \u{662}\u{660}\u{666}\n");
}

#[test]
fn a_joiner_stays_behind_its_letter() {
    let content = "BT /G 10 Tf 50 700 Td <0002> Tj 5 0 Td <0041> Tj <0001> Tj ET";
    for joined in [content.into(), content.replace("<0041> Tj", "<0041> Tj 0 0 Td")] {
        assert_eq!(read_by("<0001> <001a> <05d0> <0041> <0041> <200c>", &joined), "א\u{200c}ב\n");
    }
}
