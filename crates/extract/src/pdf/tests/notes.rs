use super::*;

#[test]
fn what_is_typed_onto_a_page_follows_its_text() {
    let notes = [
        "<</Subtype /Widget /FT /Tx /V (4,000 euros)>>",
        "<</Subtype /Widget /Parent 7 0 R>>",
        "<</Subtype /Widget /FT /Btn /AS /Yes>>",
        "<</Subtype /Widget /FT /Btn /AS /Off>>",
        "<</Subtype /Widget /FT /Ch /V [(red) (green)]>>",
        "<</Subtype /FreeText /Contents (Seen on Monday)>>",
        // A password, a button, what is not shown, a comment, a field within itself.
        "<</Subtype /Widget /FT /Tx /Ff 8192 /V (secret)>>",
        "<</Subtype /Widget /FT /Btn /Ff 65536 /AS /Yes>>",
        "<</Subtype /FreeText /F 2 /Contents (hidden)>>",
        "<</Subtype /Text /Contents (a comment)>>",
        "<</Subtype /Widget /Parent 8 0 R>>",
    ];
    let page = |content: usize, notes: &str| {
        format!("<</Type /Page /Parent 2 0 R /Contents {content} 0 R /Annots [{notes}]>>")
    };
    let objects = [
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont \
         /Helvetica>>>>>>>>"
            .to_owned(),
        page(5, &notes.concat()),
        page(6, ""),
        stream("", "BT /F 11 Tf 70 700 Td (We grant) Tj ET"),
        stream("", "BT /F 11 Tf 70 700 Td (the sum above) Tj ET"),
        "<</FT /Tx /V <FEFF004F006B0061> /Parent 9 0 R>>".to_owned(),
        "<</Parent 8 0 R>>".to_owned(),
        "<<>>".to_owned(),
    ];
    let found = text(&pdf(&objects)).unwrap().text;
    assert_eq!(found, "We grant\n4,000 euros\nOka\n☑\n☐\nred\ngreen\nSeen on Monday\nthe sum above\n");
}
