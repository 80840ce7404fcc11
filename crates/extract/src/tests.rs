use proptest::prelude::*;

use super::zip::tests::archive;
use super::{epub, odt};
use crate::Format;
use crate::Refusal;

const RELS: &str = "<Relationships><Relationship Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' \
    Target='/word/document2.xml'/></Relationships>";

fn docx() -> Vec<u8> {
    let types = "<Types><Override PartName='/word/document2.xml' ContentType='application/vnd.openxmlformats-officedocument.\
        wordprocessingml.document.main+xml'/></Types>";
    let body = "<w:document><w:body><w:p><w:r><w:t>The tide</w:t><w:footnoteReference w:id='2'/><w:t> rises.</w:t></w:r></w:p>\
        </w:body></w:document>";
    let notes = "<w:footnotes><w:footnote w:type='separator' w:id='0'><w:p><w:r><w:t>-</w:t></w:r></w:p></w:footnote>\
        <w:footnote w:id='2'><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    archive(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", RELS.as_bytes()),
        ("word/document2.xml", body.as_bytes()),
        ("word/footnotes.xml", notes.as_bytes()),
        ("word/header1.xml", b"<w:hdr><w:p><w:r><w:t>no</w:t></w:r></w:p></w:hdr>"),
        ("../../etc/passwd", b"no"),
    ])
}

fn odt(content: &str) -> Vec<u8> {
    archive(&[("mimetype", odt::MIMETYPE), ("content.xml", content.as_bytes())])
}

fn epub(encryption: &str) -> Vec<u8> {
    let opf = "<package><manifest><item id='a' href='text/a%201.xhtml' media-type='application/xhtml+xml'/>\
        <item id='b' href='text/b.xhtml' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='b'/><itemref idref='a'/><itemref idref='b'/></spine></package>";
    archive(&[
        ("mimetype", epub::MIMETYPE),
        (epub::CONTAINER, b"<container><rootfiles><rootfile full-path='O/c.opf'/></rootfiles></container>"),
        ("O/c.opf", opf.as_bytes()),
        (
            "O/text/a 1.xhtml",
            b"<html><head><title/></head><body><p>second<br/>line</p><aside>a note</aside></body></html>",
        ),
        ("O/text/b.xhtml", b"<html><body><header><h1>One</h1></header><p>first</p></body></html>"),
        ("META-INF/encryption.xml", encryption.as_bytes()),
    ])
}

fn read(bytes: &[u8]) -> Result<String, Refusal> {
    let format = Format::of_bytes(bytes)?.expect("a format");
    format.office_text(bytes, u64::MAX).expect("an office document").map(|read| read.text)
}

#[test]
fn each_format_is_known_by_its_content() {
    let sheet = archive(&[("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"<workbook/>")]);
    for (bytes, expected) in [
        (&docx()[..], Some(Format::Docx)),
        (&odt("<a/>"), Some(Format::Odt)),
        (&epub("<e/>"), Some(Format::Epub)),
        (b"{\\rtf1 a}", Some(Format::Rtf)),
        (b"%PDF-1.7", Some(Format::Pdf)),
        (b"\xef\xbb\xbf\r\n %PDF-1.7", Some(Format::Pdf)),
        (b"\xef\xbb\xbf{\\rtf1 a}", Some(Format::Rtf)),
        (b"It begins with %PDF-1.7", None),
        (&sheet, None),
        (&archive(&[("inner.zip", &docx())]), None),
        (b"a text", None),
    ] {
        assert_eq!(Format::of_bytes(bytes), Ok(expected));
    }
    let refusal = Format::of_bytes(&docx()[..500]).unwrap_err().to_string();
    assert!(refusal.contains("its end is missing; copy it again"), "{refusal}");
}

#[test]
fn documents_give_their_text() {
    assert_eq!(read(&docx()).unwrap(), "The tide ¹ rises.\nA note.\n");
    assert_eq!(read(&odt("<office:text><text:p>The tide</text:p></office:text>")).unwrap(), "The tide\n");
    assert_eq!(read(b"\xef\xbb\xbf\n{\\rtf1 The tide}").unwrap(), "The tide\n");
    assert_eq!(read(&epub("<e/>")).unwrap(), "One\nfirst\nsecond\nline\na note\n");
}

#[test]
fn what_is_locked_or_broken_is_named() {
    let locked = "<encryption><CipherReference URI='O/text/b.xhtml'/></encryption>";
    assert_eq!(read(&epub(locked)), Err(Refusal::Encrypted));
    let fonts = "<encryption><CipherReference URI='O/fonts/a.otf'/></encryption>";
    assert!(read(&epub(fonts)).is_ok());
    let manifest = b"<manifest><file-entry><encryption-data/></file-entry></manifest>";
    let secret =
        archive(&[("mimetype", odt::MIMETYPE), ("META-INF/manifest.xml", manifest), ("content.xml", b"\x93\x11")]);
    assert_eq!(read(&secret), Err(Refusal::Encrypted));
    let refusal = read(&odt("<office:text><text:p>The ti")).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "is not a valid ODT: content.xml: it is truncated; copy it again, or save it anew with the program that made it"
    );
    assert!(
        Format::Docx
            .office_text(&odt("<a/>"), u64::MAX)
            .unwrap()
            .unwrap_err()
            .to_string()
            .contains("no member \"word/document.xml\"")
    );
    assert!(Format::Text.office_text(b"", u64::MAX).is_none());
}

proptest! {
    /// Changed bytes and truncated files.
    #[test]
    fn no_bytes_are_fatal(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), cut in 50usize..150, which in 0..3) {
        let mut bytes = match which {
            0 => docx(),
            1 => odt("<office:text><text:p>The tide<text:s text:c='3'/></text:p></office:text>"),
            _ => epub("<e/>"),
        };
        bytes.truncate(bytes.len() * cut / 100);
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Ok(Some(format)) = Format::of_bytes(&bytes) {
            let _ = format.office_text(&bytes, u64::MAX);
        }
        for format in [Format::Docx, Format::Odt, Format::Epub] {
            let _ = format.office_text(&bytes, u64::MAX);
        }
    }

    /// The same for the content of members, whose checksums would detect the damage first.
    #[test]
    fn no_xml_is_fatal(parts in prop::collection::vec(prop_oneof![
        "</?(w:p|w:r|w:t|w:tab|w:pPr|w:rPr|w:del|w:txbxContent|mc:AlternateContent|mc:Choice|mc:Fallback|m:m|m:mr|m:e|m:f|m:num|m:den|w:fldSimple|w:instrText|w:ddList|text:p|text:s|text:note|text:note-body|draw:text-box)( (text:c|w:id|w:val)='[0-9]{0,20}')?/?>",
        "[a-z &;<>]{0,9}|\\PC{0,3}",
    ], 0..60)) {
        let xml = parts.concat();
        let _ = read(&odt(&xml));
        let _ = Format::Docx.office_text(&archive(&[("word/document.xml", xml.as_bytes())]), u64::MAX);
    }
}

#[test]
fn pictures_without_text_around_them_are_told() {
    let of = |text: &str, picture: &str| {
        let body = format!("<w:document><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:document>");
        let file = archive(&[("word/document.xml", body.as_bytes()), (picture, b"\x89PNG")]);
        Format::Docx.office_text(&file, u64::MAX).unwrap().map(|found| found.pictured)
    };
    assert_eq!(of(" – ", "word/media/image1.PNG"), Err(Refusal::NoText));
    assert_eq!(of("A title", "word/media/image1.png"), Ok(1));
    assert_eq!(of(&"fifty letters in a row ".repeat(14), "word/media/image1.png"), Ok(0));
    // Formulas, sheets and charts of `OpenDocument` are not read, however long the text is.
    let of_object = |object: &str| {
        let text = format!("<office:text><text:p>{}</text:p></office:text>", "fifty letters in a row ".repeat(14));
        let file = archive(&[("mimetype", odt::MIMETYPE), ("content.xml", text.as_bytes()), (object, b"")]);
        Format::Odt.office_text(&file, u64::MAX).unwrap().map(|found| found.pictured)
    };
    assert_eq!(["Object 1/content.xml", "Object 2", "Object 1/styles.xml"].map(of_object), [Ok(1), Ok(1), Ok(0)]);
    // The small picture of the whole says nothing.
    assert_eq!(of("", "docProps/thumbnail.jpeg"), Ok(0));
    let page = |page: &str| {
        crate::Document::new("a.html", page.as_bytes(), crate::document::Options::default()).map(|page| page.pictured)
    };
    for empty in
        ["<img src=a>", "<p>&nbsp;</p><iframe src=a>no</iframe>", "<html><body><object data=a.pdf></object> – "]
    {
        assert_eq!(page(empty), Ok(1), "{empty}");
    }
    assert_eq!(page("<p>A sea <img src=a><img src=b>"), Ok(1));
    assert_eq!(page(&format!("<p>{}<img src=a>", "fifty letters in a row ".repeat(14))), Ok(0));
    assert_eq!(page("<div id=root></div><script>show('text')</script>"), Ok(1));
    assert_eq!(
        page(
            "<p>The text of a page, which is no notice that it is being loaded by a program.</p><script>show()</script>"
        ),
        Ok(0)
    );
    assert_eq!(page("<p>A sea</p><noscript><img src=a></noscript>"), Ok(1));
    assert_eq!(page("<p style='background: url(a.png)'>A sea</p>"), Ok(1));
    assert_eq!(page("<p style='color: red'>A sea</p>"), Ok(0));
}
