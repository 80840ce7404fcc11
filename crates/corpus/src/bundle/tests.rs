use std::io::{Cursor, Write};

use ::tar::{Builder, EntryType, Header};
use ::zip::write::{SimpleFileOptions, ZipWriter};
use proptest::prelude::*;

use super::*;

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A tar archive; the names are written as they are, which the crate's own writer would refuse.
fn tar_of(members: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, kind, content) in members {
        let mut header = Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = Compression::Gzip.encode(Vec::new()).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The name of a member, and its content or the reason in words.
type Found = (String, Result<Vec<u8>, String>);

/// The members of a file of this name and content: their names, and their content or the reason in words.
fn members(name: &str, bytes: &[u8], limit: u64) -> Option<Vec<Found>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let (Opened::Bundle(mut bundle) | Opened::Mail(mut bundle, _), _) =
        Bundle::open(&path, &mut File::open(&path).unwrap()).ok()??
    else {
        panic!("an archive")
    };
    let mut found = Vec::new();
    while let Some(Member { name, content, .. }) = bundle.next(limit, |name| !name.contains("tmp")) {
        found.push((name, content.map_err(|reason| reason.to_string())));
    }
    Some(found)
}

fn names(found: &[Found]) -> Vec<&str> {
    found.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn members_have_the_times_that_the_bundle_states() {
    let dates = |name: &str, bytes: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let opened = Bundle::open(&path, &mut File::open(&path).unwrap()).unwrap();
        let Some((Opened::Bundle(mut bundle), _)) = opened else { panic!("an archive") };
        std::iter::from_fn(|| bundle.next(100, |_| true)).map(|member| member.date).collect::<Vec<_>>()
    };
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let time = ::zip::DateTime::from_date_and_time(2024, 5, 1, 12, 30, 0).unwrap();
    zip.start_file("a.txt", SimpleFileOptions::default().last_modified_time(time)).unwrap();
    zip.start_file("b.txt", SimpleFileOptions::default().last_modified_time(::zip::DateTime::default())).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    assert_eq!(dates("a.zip", &zip), [Some(1_714_566_600), None]);
    let mut tar = tar_of(&[("a.txt", EntryType::Regular, b"tide")]);
    assert_eq!(dates("a.tar", &tar), [None], "a time of 0 stands for none");
    let mut header = Header::from_byte_slice(&tar[..512]).clone();
    header.set_mtime(1_714_566_600);
    header.set_cksum();
    tar[..512].copy_from_slice(header.as_bytes());
    assert_eq!(dates("a.tar", &tar), [Some(1_714_566_600)]);
}

#[test]
fn a_zip_is_read_in_the_order_of_names() {
    let bytes = zip_of(&[("ben/b.txt", b"tide"), ("anna/", b""), ("anna\\a.txt", b"high"), ("anna/x.tmp", b"no")]);
    let found = members("hand-ins.zip", &bytes, 99).unwrap();
    assert_eq!(names(&found), ["anna/a.txt", "ben/b.txt"]);
    assert_eq!(found[0].1, Ok(b"high".to_vec()));
}

#[test]
fn a_tar_is_read_packed_or_not() {
    let long = format!("{}/essay.txt", "long".repeat(40));
    let mut builder = Builder::new(Vec::new());
    let mut header = Header::new_gnu();
    header.set_size(4);
    for name in ["./anna/a.txt", &long, "anna/x.tmp"] {
        builder.append_data(&mut header.clone(), name, &b"high"[..]).unwrap();
    }
    let bytes = builder.into_inner().unwrap();
    for (name, bytes) in [("a.tar", bytes.clone()), ("a.tar.gz", gzip(&bytes)), ("a.tgz", gzip(&bytes))] {
        let found = members(name, &bytes, 99).unwrap();
        assert_eq!(names(&found), ["anna/a.txt", &long], "{name}");
        assert!(found.iter().all(|(_, content)| *content == Ok(b"high".to_vec())));
    }
    assert!(members("a.txt.gz", &gzip(b"a text"), 99).is_none());
    assert!(members("a.tar.gz", &gzip(b"a text"), 99).is_none());
    let cut = members("a.tar", &bytes[..bytes.len() / 2], 99).unwrap();
    assert!(cut.last().unwrap().1.as_ref().unwrap_err().contains("cannot be read to its end"), "{cut:?}");
}

#[test]
fn what_leads_out_or_elsewhere_is_refused() {
    let outside = "leads out of the archive";
    for name in ["../a.txt", "a/../../b.txt", "/etc/passwd", "C:\\a.txt"] {
        let found = members("a.zip", &zip_of(&[(name, b"x"), ("b.txt", b"y")]), 99).unwrap();
        assert_eq!(found.len(), 2, "{name}");
        assert!(found.iter().any(|(_, content)| content.as_ref().is_err_and(|reason| reason.contains(outside))));
        let found = members("a.tar", &tar_of(&[(name, EntryType::Regular, b"x")]), 99).unwrap();
        assert!(found[0].1.as_ref().unwrap_err().contains(outside), "{name}");
    }
    let links = tar_of(&[
        ("link.txt", EntryType::Symlink, b""),
        ("pipe", EntryType::Fifo, b""),
        ("b.txt", EntryType::Regular, b"y"),
    ]);
    let found = members("a.tar", &links, 99).unwrap();
    let reasons: Vec<&str> =
        found.iter().filter_map(|(_, content)| content.as_ref().err()).map(|it| &it[..10]).collect();
    assert_eq!((reasons, found.len()), (vec!["is a link,", "is a pipe,"], 3));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("link.txt", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let link = writer.finish().unwrap().into_inner();
    assert!(members("a.zip", &link, 99).unwrap()[0].1.as_ref().unwrap_err().starts_with("is a link"));
}

/// What bytes in memory are, by the names of their members.
fn held(name: &str, bytes: &[u8], room: &Room) -> Result<Option<Vec<String>>, Reason> {
    let opened = Bundle::held(Path::new(name), bytes.to_vec(), room)?;
    let (Opened::Bundle(mut bundle) | Opened::Mail(mut bundle, _)) = opened else { return Ok(None) };
    Ok(Some(std::iter::from_fn(|| bundle.next(1 << 20, |_| true)).map(|member| member.name).collect()))
}

#[test]
fn members_may_be_bundles() {
    let zip = zip_of(&[("a.txt", b"x")]);
    let tar = tar_of(&[("b.txt", EntryType::Regular, b"x")]);
    let mailbox = b"From a Wed May  1 12:30:00 2024\nFrom: a\n\nHigh.\n\nFrom b Wed May  1 12:30:00 2024\nFrom: b\n\n";
    let mail = b"From: a\nDate: Wed, 1 May 2024 12:30:00 +0000\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHigh.\n--b\nContent-Type: image/png; name=../a.png\n\n\
        P\n--b--\n";
    let up = String::from_utf8(mail.to_vec()).unwrap().replace("../a.png", "..").into_bytes();
    let room = Room::of(0);
    for (name, bytes, members) in [
        ("a.zip", &zip, Some(vec!["a.txt".to_owned()])),
        ("b.tar", &tar, Some(vec!["b.txt".into()])),
        ("c.tar.gz", &gzip(&tar), Some(vec!["b.txt".into()])),
        ("d.mbox", &mailbox.to_vec(), Some(vec!["1.eml".into(), "2.eml".into()])),
        ("d.mbox.gz", &gzip(mailbox), Some(vec!["1.eml".into(), "2.eml".into()])),
        ("n.mbox.gz", &gzip(b"no mailbox"), None),
        ("e.eml", &mail.to_vec(), Some(vec![".._a.png".into()])),
        ("e.eml", &up, Some(vec!["__".into()])),
        ("f.txt.gz", &gzip(b"x"), None),
        ("g.txt", &b"From the tide".to_vec(), None),
    ] {
        assert_eq!(held(name, bytes, &room).unwrap(), members, "{name}");
    }
}

#[test]
fn bundles_in_bundles_share_one_room() {
    let zip = zip_of(&[("a.txt", &[0; 1000])]);
    let room = Room(Arc::new(2500.into()));
    assert!(held("a.zip", &zip, &room).is_ok() && held("b.zip", &zip, &room).is_ok());
    assert!(held("c.zip", &zip, &room).unwrap_err().to_string().starts_with("unpacks to far more"));
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let zeros = vec![0; 30 << 20];
    let bomb = zip_of(&[("a.txt", &zeros), ("b.txt", b"y")]);
    let found = members("a.zip", &bomb, 1 << 30).unwrap();
    assert!(found[0].1.as_ref().unwrap_err().starts_with("unpacks to far more"), "{:?}", found[0].1);
    assert_eq!(found[1].1, Ok(b"y".to_vec()));
    let long = members("a.zip", &bomb, 1000).unwrap();
    assert!(long[0].1.as_ref().unwrap_err().starts_with("is longer than 1000 bytes"));
    let long =
        members("a.tar", &tar_of(&[("a.txt", EntryType::Regular, &zeros), ("b", EntryType::Regular, b"y")]), 1000);
    let long = long.unwrap();
    assert!(long[0].1.as_ref().unwrap_err().starts_with("is longer than 1000 bytes"));
    assert_eq!(long[1].1, Ok(b"y".to_vec()), "the archive is read on");
    assert_eq!((most(1), most(1 << 30)), (MOST, RATIO << 30));
    // A header that promises more than the whole bundle may have.
    let mut header = Header::new_gnu();
    header.set_path("a.txt").unwrap();
    header.set_size(1 << 40);
    header.set_cksum();
    let found = members("a.tar", &[header.as_bytes(), &[0; 2048][..]].concat(), 1 << 50).unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].1.as_ref().unwrap_err().starts_with("unpacks to far more"));
    // A long name of many megabytes is not read into memory.
    let name = tar_of(&[("././@LongLink", EntryType::GNULongName, &zeros), ("a.txt", EntryType::Regular, b"x")]);
    let found = members("a.tar.gz", &gzip(&name), 99).unwrap();
    assert!(found.len() == 1 && found[0].1.as_ref().unwrap_err().starts_with("cannot be read to its end"), "{found:?}");
}

#[test]
fn documents_are_no_bundles() {
    let sheet = zip_of(&[("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"<workbook/>")]);
    let docx = zip_of(&[("word/document.xml", b"<w:document/>")]);
    for bytes in [sheet, docx, b"PK\x03\x04 and then a text".to_vec(), b"a text".to_vec()] {
        assert!(members("a.zip", &bytes, 99).is_none());
    }
}

proptest! {
    /// Changed bytes and truncated files.
    #[test]
    fn no_bytes_are_fatal(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in 50usize..=100,
        which in 0..2,
    ) {
        let mut bytes = match which {
            0 => zip_of(&[("anna/a.txt", b"high"), ("ben/b.txt", &b"tide ".repeat(100))]),
            _ => tar_of(&[("anna/a.txt", EntryType::Regular, b"high"), ("ben/b.txt", EntryType::XHeader, b"11 path=../c\n")]),
        };
        bytes.truncate(bytes.len() * cut / 100);
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(found) = members("a.zip", &bytes, 1000) {
            prop_assert!(found.iter().flat_map(|(_, content)| content).all(|content| content.len() <= 1000));
        }
    }
}

#[test]
fn a_member_can_be_left_out_and_each_is_named_before_it_is_read() {
    use std::cell::RefCell;
    thread_local!(static BEGUN: RefCell<Vec<String>> = RefCell::default());
    use crate::inputs::{HeldFile, Inputs, Selection};
    use crate::records::{Reader, Reading};
    let inner = zip_of(&[("deep.txt", b"glass"), ("other.txt", b"kiln")]);
    let class = zip_of(&[("anna.txt", b"tide"), ("inner.zip", &inner), ("ben.txt", b"bees")]);
    let files = [("class.zip", class), ("notes.txt", b"ferry".to_vec())].map(|(name, bytes)| HeldFile {
        name: name.into(),
        bytes,
        modified: 0,
    });
    let read = |except: &[&str]| {
        BEGUN.take();
        let except = except.iter().map(Into::into).collect();
        let inputs = Inputs::held(files.clone(), Selection { except, ..Selection::default() }).unwrap();
        let begins = |name: &str| BEGUN.with_borrow_mut(|begun| begun.push(name.to_owned()));
        let mut texts = Vec::new();
        for batch in Reader::new(inputs, Reading { begins, ..Reading::default() }) {
            batch.unwrap().each(|record| {
                let record = record.unwrap();
                let begun = BEGUN.with_borrow(|begun| begun.last().cloned()).unwrap();
                texts.push(format!("{begun}: {}", record.text));
            });
        }
        texts
    };
    let all = read(&[]);
    let expected = [
        "class.zip/anna.txt: tide",
        "class.zip/ben.txt: bees",
        "class.zip/inner.zip/deep.txt: glass",
        "class.zip/inner.zip/other.txt: kiln",
        "notes.txt: ferry",
    ];
    assert_eq!(all, expected);
    assert_eq!(BEGUN.take()[0], "class.zip", "an archive is named too");
    assert_eq!(read(&["class.zip/anna.txt", "notes.txt"]), expected[1..4]);
    assert_eq!(read(&["class.zip/inner.zip"]), [expected[0], expected[1], expected[4]]);
    assert_eq!(read(&["class.zip"]), [expected[4]]);
}
