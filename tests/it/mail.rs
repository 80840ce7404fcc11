//! Mails and mailboxes.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use crate::folder::{Folder, jsonl};
use crate::texts::{HALL, MILL};

const HIVE: &str = "The hive was old, and the bees that lived in it were older still, or so the children said. Nobody had \
    opened it since the summer of the flood, when the water stood at the second step and the wax came out in lumps.";

/// A mail with the text in these bytes, and one attachment.
fn mail(number: usize, head: &str, encoding: &str, body: &str) -> String {
    format!(
        "{head}From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\nTo: a@example.org\nSubject: House {number}\n\
         Message-ID: <{number}@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
         Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n{body}\n--b\n\
         Content-Type: text/plain; name=note.txt\nContent-Disposition: attachment\n\nNote {number}: {HIVE}\n--b--\n"
    )
}

#[test]
fn a_mail_saved_twice_is_one_text_and_its_attachments_are_documents() {
    let one = mail(1, "Received: by x\nDate: Wed, 1 May 2024 14:30:00 +0200\n", "8bit", HIVE);
    let packed = HIVE.replace("water", "wate=\nr");
    let other = mail(1, "Date: Wed, 1 May 2024 12:30:00 +0000\n", "quoted-printable", &packed);
    let mut mailbox = String::new();
    for mail in [&other, &mail(2, "Date: Wed, 1 May 2024 12:31:00 +0000\n", "8bit", "Short.")] {
        write!(mailbox, "From j@example.org Wed May  1 12:30:00 2024\n{mail}\n").unwrap();
    }
    let folder = Folder::new().file("in/saved.eml", one).file("in/box.mbox", mailbox);
    let found = folder.dedup("find in --format json --similarity 1 --distance none --all").json();
    let mut clusters: Vec<Vec<&str>> = Vec::new();
    for cluster in found.as_array().unwrap() {
        let members = cluster["members"].as_array().unwrap().iter().map(|member| &member["id"]);
        let mut ids: Vec<&str> = members.chain([&cluster["survivor"]]).map(|id| id.as_str().unwrap()).collect();
        ids.sort_unstable();
        clusters.push(ids);
    }
    clusters.sort();
    let expected: [&[&str]; 4] = [
        &["in/box.mbox/1.eml", "in/saved.eml"],
        &["in/box.mbox/1.eml/note.txt", "in/saved.eml/note.txt"],
        &["in/box.mbox/2.eml"],
        &["in/box.mbox/2.eml/note.txt"],
    ];
    assert_eq!(clusters, expected);
    assert!(folder.dedup("explain in/saved.eml").stdout.contains("in/saved.eml: mail, its text"));
    assert!(folder.dedup("screen in --format csv").stdout.contains("in/box.mbox/2.eml/note.txt"));
}

#[test]
fn no_name_hides_an_attachment() {
    let date = "Date: Wed, 1 May 2024 12:30:00 +0000\n";
    for (name, id) in [
        (".a.txt", ".a.txt"),
        ("../../etc/a.txt", ".._.._etc_a.txt"),
        ("~$a.txt", "~$a.txt"),
        ("Thumbs.db", "Thumbs.db"),
    ] {
        let mail = mail(1, date, "8bit", HIVE).replace("note.txt", &format!("\"{name}\""));
        let folder = Folder::new().file("in/a.eml", mail).file("in/note.txt", format!("Note 1: {HIVE}"));
        let found = folder.dedup("find --pairs --format jsonl in").jsonl();
        let expected = format!("in/a.eml/{id}");
        assert!(found.iter().any(|pair| pair["a"] == *expected && pair["b"] == "in/note.txt"), "{found:?}");
        let found = folder.dedup("find --all --format csv --glob *.eml in").stdout;
        assert!(!found.contains(id), "globs select attachments too: {found}");
    }
}

#[test]
fn clean_takes_a_mail_with_its_attachments_as_one_file() {
    let date = "Date: Wed, 1 May 2024 12:30:00 +0000\n";
    let a = mail(1, date, "8bit", HIVE);
    let folder = Folder::new()
        .file("in/a.eml", &*a)
        .file("in/b.eml", format!("Received: by y\n{a}"))
        .file("in/other.eml", a.replace("Note 1:", "Note 2:"));
    folder.dedup("clean in -o out").code_is(0);
    let kept: Vec<String> = folder.files("out").into_keys().filter(|name| name.ends_with("eml")).collect();
    assert_eq!(kept.len(), 2, "another attachment is another mail: {kept:?}");
    assert!(kept.iter().any(|name| name.ends_with("other.eml")), "{kept:?}");
}

/// A message of Outlook with the text of a mail and a file.
fn message(body: &str, attached: &str) -> Vec<u8> {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    file.create_storage("/__attach_version1.0_#00000000").unwrap();
    let mut add = |name: &str, bytes: &[u8]| file.create_stream(name).unwrap().write_all(bytes).unwrap();
    add("/__properties_version1.0", &[0; 32]);
    for (number, text) in [("0C1A", "Jörg"), ("5D01", "j@example.org"), ("0037", "House 1"), ("1000", body)] {
        add(&format!("/__substg1.0_{number}001F"), &utf16(text));
    }
    add("/__attach_version1.0_#00000000/__substg1.0_3707001F", &utf16("note.txt"));
    add("/__attach_version1.0_#00000000/__substg1.0_37010102", attached.as_bytes());
    file.flush().unwrap();
    file.into_inner().into_inner()
}

#[test]
fn a_message_of_outlook_is_a_mail_and_its_attachments_are_documents() {
    let note = format!("Note 1: {HIVE}");
    let folder = Folder::new()
        .file("in/a.msg", message(HIVE, &note))
        .file("in/cut.msg", &message(HIVE, &note)[..1500])
        .file("in/note.txt", &note)
        .file("in/text.txt", HIVE);
    let found = folder.dedup("find --pairs --format csv in");
    assert!(found.stdout.contains("in/a.msg/note.txt,in/note.txt,0,"), "{found:?}");
    assert!(found.stdout.contains("in/a.msg,in/text.txt,"), "{found:?}");
    assert!(found.code == 2 && found.stderr.contains("in/cut.msg: is "), "{found:?}");
    let explained = folder.dedup("explain --format json in/a.msg").json();
    assert_eq!(explained["format"], "msg");
}

/// Their texts are alike, and what one carries exists nowhere else.
#[test]
fn mails_with_other_attachments_are_no_edited_copies() {
    let body = format!("{HIVE}\n\n{MILL}\n\n{HALL}");
    let date = "Date: Wed, 1 May 2024 12:30:00 +0000\n";
    let a = mail(1, date, "8bit", &body);
    let by_msg = |body: &str, number: u32| message(body, &format!("Note {number}: {HIVE}"));
    let folder = Folder::new()
        .file("in/a.eml", &a)
        .file("in/b.eml", a.replace("Note 1:", "Note 2:"))
        .file("in/c.eml", a.replace("wheel", "wheels"))
        .file("in/d.msg", by_msg(&body, 1))
        .file("in/e.msg", by_msg(&body, 2))
        .file("in/f.msg", by_msg(&body.replace("wheel", "wheels"), 1));
    folder.dedup("audit -q in --remove edited --keep first --plan plan.jsonl").code_is(0);
    let planned = jsonl(&folder.read_text("plan.jsonl"));
    let of = |key: &str| planned.iter().map(|step| step[key].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (of("move"), of("keep")),
        (vec!["in/c.eml".into(), "in/f.msg".into()], vec!["in/a.eml".into(), "in/d.msg".into()])
    );
    for options in ["", " --across-formats"] {
        folder.dedup(&format!(
            "clean -q in/a.eml in/b.eml in/c.eml --remove edited --keep first -o out --force{options}"
        ));
        assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), ["a.eml", "b.eml"], "{options}");
    }
    folder.dedup("index create mails --language eng").quietly(0);
    let added = folder.dedup("index add mails --unique=edited in/a.eml in/d.msg");
    assert_eq!(added.code, 0, "{added:?}");
    for (name, said) in [("b.eml", "added 1 document"), ("c.eml", "added 0 documents")] {
        let added = folder.dedup(&format!("index add mails --unique=edited in/{name} --glob *.eml"));
        assert!(added.stderr.contains(said), "{name}: {added:?}");
    }
}

/// The line that ends its parts is missing, and then a part of the attachment.
#[test]
fn an_attachment_without_an_end_is_decoded_or_named() {
    let head = mail(1, "Date: Wed, 1 May 2024 12:30:00 +0000\n", "8bit", HIVE);
    let head = head.split_once("Content-Disposition").unwrap().0.to_owned();
    // "The hive was old.\n" in Base64.
    let unclosed = format!(
        "{head}Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\nVGhlIGhpdmUgd2FzIG9sZC4K\n"
    );
    let folder = Folder::new().file("in/a.eml", &unclosed).file("in/b.txt", "The hive was old.\n");
    let found = folder.dedup("find --pairs --format csv in");
    assert!(found.code == 0 && found.stdout.contains("in/a.eml/note.txt,in/b.txt,0,"), "{found:?}");
    let folder = Folder::new().file("in/a.eml", unclosed.trim_end().trim_end_matches("4K")).file("in/b.txt", HIVE);
    let found = folder.dedup("find --pairs in");
    assert!(
        found.code == 2
            && found
                .stderr
                .contains("in/a.eml/note.txt: is not a valid part of a mail: its Base64 is truncated; copy it again"),
        "{found:?}"
    );
    let audited = folder.dedup("audit in --format jsonl").jsonl();
    let unread = audited.into_iter().find(|row| row["file"] == "in/a.eml/note.txt").unwrap();
    assert_eq!(unread["class"], "unread", "{unread}");
}
