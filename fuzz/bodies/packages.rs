//! Readers of the XML in packages: the first byte chooses the format, the rest is the member that has the text. The ZIP
//! around it is sound, so that mutations are not refused by its checksum.

use std::io::{Cursor, Write};

use nearcopy_corpus::{Document, Options};
use zip::{ZipWriter, write::SimpleFileOptions};

/// The members of a package in their order; the one without content is mutated.
type Package = [(&'static str, Option<&'static str>)];

const OFFICE: &str =
    r#"<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>"#;
const SLIDES: &str = r#"<p:presentation xmlns:r="r"><p:sldId id="1" r:id="a"/></p:presentation>"#;
const SLIDE: &str =
    r#"<Relationships><Relationship Id="a" Type="x/slide" Target="slides/slide1.xml"/></Relationships>"#;
const CONTAINER: &str = r#"<container><rootfile full-path="b.opf"/></container>"#;
const BOOK: &str =
    r#"<package><item id="a" href="a.html" media-type="application/xhtml+xml"/><itemref idref="a"/></package>"#;

const PACKAGES: [&Package; 7] = [
    &[("_rels/.rels", Some(OFFICE)), ("word/document.xml", None)],
    &[("_rels/.rels", None), ("word/document.xml", Some("<w:document><w:t>tide</w:t></w:document>"))],
    &[("mimetype", Some("application/vnd.oasis.opendocument.text")), ("content.xml", None)],
    &[
        ("ppt/presentation.xml", Some(SLIDES)),
        ("ppt/_rels/presentation.xml.rels", Some(SLIDE)),
        ("ppt/slides/slide1.xml", None),
    ],
    &[("ppt/presentation.xml", Some(SLIDES)), ("ppt/_rels/presentation.xml.rels", None)],
    &[
        ("mimetype", Some("application/epub+zip")),
        ("META-INF/container.xml", Some(CONTAINER)),
        ("b.opf", None),
        ("a.html", Some("<p>tide")),
    ],
    &[
        ("mimetype", Some("application/epub+zip")),
        ("META-INF/container.xml", Some(CONTAINER)),
        ("b.opf", Some(BOOK)),
        ("a.html", None),
    ],
];

pub(crate) fn run(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in PACKAGES[usize::from(choice) % PACKAGES.len()] {
        package.start_file(*name, SimpleFileOptions::default()).expect("a new member");
        package.write_all(content.map_or(bytes, str::as_bytes)).expect("memory");
    }
    let package = package.finish().expect("memory").into_inner();
    if let Ok(document) = Document::new("fuzz", &package, Options::default()) {
        assert!(document.text.len() <= 1 << 30, "text of {} bytes", document.text.len());
    }
}
