//! Hand-ins as learning platforms export them: ZIP and tar archives with a folder a student.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

use super::{FERRY, KILN, WINTER};
use crate::folder::{Answer, Folder, run};

pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn docx(text: &str) -> Vec<u8> {
    let body = format!("<w:document><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:document>");
    zip(&[("word/document.xml", body.as_bytes())])
}

fn pptx(text: &str) -> Vec<u8> {
    let slide = format!("<p:sld><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sld>");
    zip(&[
        ("ppt/presentation.xml", b"<p:presentation><p:sldId id='1' r:id='a'/></p:presentation>"),
        (
            "ppt/_rels/presentation.xml.rels",
            b"<Relationships><Relationship Id='a' Target='slides/s.xml'/></Relationships>",
        ),
        ("ppt/slides/s.xml", slide.as_bytes()),
    ])
}

fn hand_ins() -> Vec<u8> {
    zip(&[
        ("anna/essay.docx", &docx(&format!("{FERRY} {KILN}"))),
        ("anna/~$essay.docx", b"\0\0 owner"),
        ("anna/draft.txt", KILN.as_bytes()),
        ("ben/slides.pptx", &pptx(KILN)),
        ("ben/Thumbs.db", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("cleo/essay.txt", WINTER.as_bytes()),
        ("__MACOSX/cleo/._essay.txt", b"\0"),
    ])
}

#[test]
fn students_of_an_archive_are_compared() {
    let folder = Folder::new().file("class.zip", hand_ins());
    let found = folder.screened("class.zip --authors");
    let pairs: Vec<_> = found.iter().map(|it| (it["suspicious"].as_str(), it["source"].as_str())).collect();
    let names = ["class.zip/ben/slides.pptx", "class.zip/anna/draft.txt", "class.zip/anna/essay.docx"].map(Some);
    assert!(pairs.contains(&(names[1], names[0])) || pairs.contains(&(names[0], names[1])), "{pairs:?}");
    assert!(pairs.contains(&(names[0], names[2])), "{pairs:?}");
    assert_eq!(pairs.len(), 2, "a student's own files are not compared: {pairs:?}");
    let tar = |names: &[(&str, &str)]| {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, text) in names {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            builder.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    };
    let folder = folder.file("class.tar", tar(&[("anna/essay.txt", KILN), ("ben/essay.txt", KILN)]));
    let [found] = &folder.screened("class.tar --authors")[..] else { panic!("one passage") };
    assert_eq!(
        (&found["suspicious"], &found["source"]),
        (&"class.tar/anna/essay.txt".into(), &"class.tar/ben/essay.txt".into())
    );
}

fn dossier(folder: &Folder, name: &str) -> Answer {
    let line = "screen -q class.zip --authors -o dossier.html --force --dossier";
    run(folder.command(line).arg(name), b"")
}

#[test]
fn people_are_called_by_their_names() {
    let member = |name: &str, kind: &str| format!("{name}_assignsubmission_{kind}/essay.txt");
    let [fatima, again, ben] =
        [member("Fatima Åkesson_11", "file"), member("Fatima Åkesson_11", "onlinetext"), member("Ben Lee_12", "file")];
    let members = [(fatima.as_str(), KILN), (again.as_str(), FERRY), (ben.as_str(), KILN)];
    let class = zip(&members.map(|(name, text)| (name, text.as_bytes())));
    let folder = Folder::new().file("class.zip", class);
    let answer = folder.dedup("screen class.zip --authors --list documents");
    assert!(answer.stderr.contains("dedup: 3 documents by 2 authors (Moodle export)\n"), "{answer:?}");
    assert!(!answer.stderr.contains("an author of its own"), "{answer:?}");
    let told: Vec<&str> = answer.stdout.lines().collect();
    assert!(told.contains(&format!("Ben Lee (class.zip/{ben})").as_str()), "{told:?}");
    assert!(told.iter().any(|line| line.ends_with(&format!("in Fatima Åkesson: class.zip/{fatima}"))), "{told:?}");
    let csv = folder.dedup("screen -q class.zip --authors --format csv").stdout;
    let row = csv.lines().nth(1).unwrap();
    assert!(row.contains(",Ben Lee,Fatima Åkesson,") || row.contains(",Fatima Åkesson,Ben Lee,"), "{csv}");
    let csv = folder.dedup("screen -q class.zip --authors --list documents --format csv").stdout;
    assert!(csv.lines().any(|row| row.starts_with(&format!("class.zip/{ben},Ben Lee,eng,"))), "{csv}");
    for name in ["ben lee", "Ben Lee", &format!("class.zip/{ben}")] {
        dossier(&folder, name).code_is(0);
        assert!(folder.read_text("dossier.html").contains(r#""name":"Ben Lee""#), "{name}");
    }
    let several = dossier(&folder, "fatima åkesson");
    assert!(several.code == 2 && several.stderr.contains("2 documents are called 'fatima åkesson'"), "{several:?}");
}

#[test]
fn receipts_of_a_platform_and_own_pages_are_no_essays() {
    let named = |student: &str| format!("in/Essay 1_{student}_attempt_2026-11-20-08-30-01");
    let receipt = |student: &str, files: &str, typed: &str| {
        format!(
            "Name: {student}\nAssignment: Essay 1\nCurrent Grade: Not Yet Graded\n\nSubmission Field:\n{typed}\n\nFiles:\n{files}"
        )
    };
    let essays = [("anna", WINTER), ("ben", FERRY), ("cleo", KILN)];
    let folder = essays.into_iter().fold(Folder::new(), |folder, (student, essay)| {
        let name = named(student);
        let listed = format!("\tOriginal filename: essay.txt\n\tFilename: {}_essay.txt\n", &name[3..]);
        folder
            .file(&format!("{name}.txt"), receipt(student, &listed, "There is no student submission text data."))
            .file(&format!("{name}_essay.txt"), essay)
    });
    // What was typed into the field is an essay, beside a file too.
    let file = format!("\tFilename: {}_empty.txt\n", &named("dora")[3..]);
    let folder = folder.file(&format!("{}.txt", named("dora")), receipt("dora", &file, &format!("{KILN} {KILN}")));
    let answer = folder.dedup("screen in --authors --html in/report.html");
    assert!(answer.stderr.contains("compared 4 documents with each other: 1 passage in 1 pair"), "{answer:?}");
    let set_aside = "set aside as receipts of Blackboard, or pages and archives of `dedup screen`: 3 files: in/Essay 1_anna_attempt";
    assert!(answer.stderr.contains(set_aside), "{answer:?}");
    folder.dedup("screen in -q --save in/class.dsi").code_is(0);
    let again = folder.dedup("screen in --authors --html in/again.html");
    again.code_is(0);
    let again = again.stderr;
    assert!(again.contains("compared 4 documents") && again.contains("archives of `dedup screen`: 5 files"), "{again}");
    assert!(folder.read_text("in/again.html").contains("\"aside\":[\"in/Essay 1_anna_attempt"));
    // Their names are those of students.
    let nameless = folder.dedup("screen in --authors --anonymise --html anonymous.html");
    assert!(folder.read_text("anonymous.html").contains("\"aside\":[\"aside-"));
    assert!(
        !folder.read_text("anonymous.html").contains("_anna_") && !nameless.stderr.contains("anna"),
        "{nameless:?}"
    );
}

#[test]
fn an_export_is_recognised_without_being_asked() {
    let name = "class/Ben Lee_12_assignsubmission_file/essay.txt";
    let folder = Folder::new().file(name, KILN).file("other/a.txt", KILN).file("other/b.txt", KILN);
    let hint = "the names are those of a Moodle export; --authors takes the authors from them";
    for (inputs, is_told) in [("class", true), ("class other", false), ("other", false), ("class --authors", false)] {
        let told = folder.dedup(&format!("screen {inputs}")).stderr;
        assert_eq!(told.contains(hint), is_told, "{inputs}: {told}");
    }
    let nobody = folder.dedup("screen other/a.txt other/b.txt --authors").stderr;
    assert!(nobody.contains("no document has an author: name the folder"), "{nobody}");
    assert!(nobody.contains("or by --author-field which field of a table"), "{nobody}");
}

/// Two pasted photos are no copy.
#[test]
fn pages_of_pictures_are_named() {
    let page =
        |name: &str| format!("<p dir=\"ltr\"><img src=\"{name}.jpg\" alt=\"\" class=\"img-responsive\"><br></p>");
    let folder = Folder::new().file("in/a.html", page("one")).file("in/b.html", page("two")).file("in/c.txt", KILN);
    let answer = folder.dedup("screen in");
    let told = "in/a.html may be compared in part: 1 picture or other part may hold text; run OCR on pictures first";
    assert!(answer.code == 2 && answer.stderr.contains(told) && answer.stdout.is_empty(), "{answer:?}");
}

#[test]
fn a_name_is_one_in_both_of_its_spellings() {
    let folder = Folder::new().file("in/Å/a.txt", KILN).file("old/A\u{30a}/b.txt", KILN);
    let answer = folder.dedup("screen in old --authors");
    assert!(answer.code == 1 && answer.stderr.contains("by 1 author"), "{answer:?}");
}

#[test]
fn two_people_of_one_name_are_compared() {
    let moodle = ["Anna Berg_11", "Anna Berg_12"].map(|name| format!("{name}_assignsubmission_file/essay.txt"));
    let canvas = ["berganna_11_815_essay.txt", "berganna_LATE_12_816_essay.txt"].map(str::to_owned);
    for (members, name) in [(moodle, "Anna Berg"), (canvas, "berganna")] {
        let folder =
            Folder::new().file("class.zip", zip(&members.each_ref().map(|name| (name.as_str(), KILN.as_bytes()))));
        folder.dedup("screen class.zip -q --save old.dsi").code_is(0);
        for also in ["", " --anonymise", " --against old.dsi"] {
            let answer = folder.dedup(&format!("screen class.zip --authors{also}"));
            assert!(answer.code == 0 && answer.stderr.contains("2 documents by 2 authors ("), "{answer:?}");
            assert!(!answer.stderr.contains("an author of its own"), "{answer:?}");
            let named = [11, 12].map(|number| answer.stdout.contains(&format!("{name} ({number})")));
            assert_eq!(named, [!also.contains("anon"); 2], "{answer:?}");
        }
    }
}

#[test]
fn logins_tell_people_of_one_name_apart() {
    let members = [
        ("Berg_Anna_aberg_11/essay.txt", KILN),
        ("Berg_Anna_anberg_12/essay.txt", KILN),
        ("Lee_Ben_blee_13/essay.txt", FERRY),
    ];
    let folder = Folder::new().file("class.zip", zip(&members.map(|(name, text)| (name, text.as_bytes()))));
    let answer = folder.dedup("screen class.zip --authors --html page.html");
    assert!(answer.stderr.contains("dedup: 3 documents by 3 authors (ILIAS export)\n"), "{answer:?}");
    let names = ["Anna Berg (aberg)", "Anna Berg (anberg)"].map(|name| answer.stdout.matches(name).count());
    assert_eq!(names, [2, 2], "{answer:?}");
    dossier(&folder, "ben lee").code_is(0);
    let both = dossier(&folder, "Anna Berg");
    assert!(both.stderr.contains("2 documents are called 'Anna Berg'"), "{both:?}");
}

#[test]
fn as_many_authors_as_documents_are_told() {
    let folder = Folder::new().file("in/one/a.txt", KILN).file("in/two/b.txt", KILN);
    let told = folder.dedup("screen in --authors").stderr;
    assert!(told.contains("each document has an author of its own, such as one and two"), "{told}");
    let told = folder.file("in/two/c.txt", FERRY).dedup("screen in --authors").stderr;
    assert!(told.contains("dedup: 3 documents by 2 authors\n") && !told.contains("of its own"), "{told}");
}

#[test]
fn other_commands_read_archives_too_and_clean_refuses_them() {
    let folder = Folder::new().file("in/class.zip", hand_ins()).file("in/plain.txt", format!("{KILN} And so on."));
    let near = folder.dedup("find --format json in --report page.html");
    let clusters = near.json();
    assert_eq!(clusters.as_array().map(Vec::len), Some(1), "{near:?}");
    assert!(near.stdout.contains("in/class.zip/ben/slides.pptx"), "{near:?}");
    assert!(folder.read_text("page.html").contains("mend it"), "its texts are read again");
    folder.dedup("fingerprint in/class.zip -o a.fp").code_is(0);
    assert!(folder.dedup("cat a.fp").stdout.contains("class.zip/cleo/essay.txt"));
    let refused = folder.dedup("clean in -o out");
    refused.code_is(2);
    assert!(refused.stderr.contains("in/class.zip: is a ZIP archive"), "{refused:?}");
    // One folder for all: no document has another author.
    let told = folder.dedup("screen in --authors --glob class.zip --glob *.docx --glob *.txt --glob !plain.txt").stderr;
    assert!(told.contains("all documents are by one author, class.zip"), "{told}");
}

#[test]
fn what_cannot_be_read_in_an_archive_is_named() {
    let [inner, nested, deep] = [
        zip(&[("a.txt", KILN.as_bytes())]),
        zip(&[("inner.zip", &zip(&[("b.txt", FERRY.as_bytes())]))]),
        zip(&[("two.zip", &zip(&[("three.zip", &zip(&[("c.txt", WINTER.as_bytes())]))]))]),
    ];
    let folder = Folder::new().file(
        "class.zip",
        zip(&[
            ("anna/essay.txt", KILN.as_bytes()),
            ("ben/all.zip", &inner),
            ("ben/more.zip", &nested),
            ("ben/deep.zip", &deep),
            ("cleo/old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0"),
            ("../dora.txt", KILN.as_bytes()),
        ]),
    );
    let answer = folder.dedup("screen class.zip --html report.html");
    answer.code_is(2);
    let page = folder.read_text("report.html");
    let read = folder.dedup("screen class.zip --list documents --format csv").stdout;
    for name in ["ben/all.zip/a.txt", "ben/more.zip/inner.zip/b.txt"] {
        assert!(read.contains(&format!("class.zip/{name},")), "{name}: {read}");
    }
    for told in [
        "class.zip/ben/deep.zip/two.zip/three.zip: is an archive in an archive in an archive; unpack the outer one first, \
         and name the folder; skipped",
        "class.zip/cleo/old.doc: is a Word document of the old format (.doc); save it as DOCX",
        "class.zip/../dora.txt: has a name that leads out of the archive",
    ] {
        assert!(answer.stderr.contains(told), "{told}: {answer:?}");
        let (name, reason) = told.split_once(": ").unwrap();
        let shown = format!("\"name\":\"{name}\"");
        assert!(page.contains(&shown) && page.contains(reason.trim_end_matches("; skipped")), "{told} on the page");
    }
    let only_litter = Folder::new().file("class.zip", zip(&[("__MACOSX/a.txt", b"x")]));
    let answer = only_litter.dedup("screen class.zip");
    assert!(answer.code == 2 && answer.stderr.contains("class.zip: holds no file to read"), "{answer:?}");
}

/// An ODT of two paragraphs, the second in white.
fn white_odt() -> Vec<u8> {
    let style =
        "<style:style style:name='W' style:family='text'><style:text-properties fo:color='#ffffff'/></style:style>";
    let white = format!("<text:span text:style-name='W'>{KILN}</text:span>");
    let content = format!("<a>{style}<text:p>{FERRY}</text:p><text:p>{white}</text:p></a>");
    let mimetype = b"application/vnd.oasis.opendocument.text";
    zip(&[("mimetype", mimetype), ("content.xml", content.as_bytes())])
}

#[test]
fn text_that_may_be_hidden_is_told() {
    let run = |text: &str, look: &str| format!("<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>");
    let body =
        format!("<w:document><w:p>{}{}</w:p></w:document>", run(FERRY, ""), run(KILN, "<w:color w:val='FFFFFF'/>"));
    let folder = Folder::new()
        .file("in/essay.docx", zip(&[("word/document.xml", body.as_bytes())]))
        .file("in/essay.odt", white_odt())
        .file(
            "in/essay.rtf",
            format!(r"{{\rtf1{{\colortbl;\red255\green255\blue255;}}{FERRY}\par{{\cf1 {KILN}}}\par}}"),
        )
        .file("in/essay.html", format!("<html><body><p>{FERRY}</p><p style='color:white'>{KILN}</p></body></html>"))
        .file("in/plain.txt", WINTER);
    let answer = folder.dedup("screen in --list documents --format json --html report.html");
    let letters = KILN.split_whitespace().collect::<String>().len();
    let hidden = serde_json::json!({"white": letters, "tiny": 0, "outside": 0, "invisible": 0});
    let documents = answer.json();
    for ending in ["docx", "odt", "rtf", "html"] {
        let id = format!("in/essay.{ending}");
        let is_told = |it: &serde_json::Value| it["id"] == id && it["hidden"] == hidden;
        assert!(documents.as_array().unwrap().iter().any(is_told), "{id}: {documents}");
        let told = format!("{id} may contain text that a reader does not see: {letters} characters in white\n");
        assert!(answer.stderr.contains(&told), "{answer:?}");
    }
    assert!(
        folder
            .read_text("report.html")
            .contains(&format!("\"hidden\":{{\"white\":{letters},\"tiny\":0,\"outside\":0,\"invisible\":0}}"))
    );
}
