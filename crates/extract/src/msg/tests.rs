use super::*;

type Streams = Vec<(String, Vec<u8>)>;

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The stream of fixed properties: number, type and value.
fn fixed(storage: &str, head: usize, properties: &[(u16, u16, u64)]) -> (String, Vec<u8>) {
    let mut bytes = vec![0; head];
    for (number, kind, value) in properties {
        bytes.extend([kind.to_le_bytes(), number.to_le_bytes()].concat());
        bytes.extend([&6u32.to_le_bytes()[..], &value.to_le_bytes()].concat());
    }
    (format!("{storage}/{FIXED}"), bytes)
}

fn texts<'a>(storage: &'a str, texts: &'a [(u16, &'a str)]) -> impl Iterator<Item = (String, Vec<u8>)> + 'a {
    texts.iter().map(move |(number, text)| (format!("{storage}/{}", stream(*number, TEXT)), utf16(text)))
}

fn file(streams: &Streams) -> Vec<u8> {
    let mut file = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (path, bytes) in streams {
        file.create_storage_all(Path::new(path).parent().unwrap()).unwrap();
        file.create_stream(path).unwrap().write_all(bytes).unwrap();
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}

/// 2024-05-01T12:30:00Z.
const SENT: u64 = (1_714_566_600 + EPOCH as u64) * 10_000_000;

/// A message in a storage, with the head of its properties.
fn message(storage: &str, head: usize) -> Streams {
    let mut streams = vec![fixed(storage, head, &[(0x0039, TIME, SENT), (0x3fde, INTEGER, 1252)])];
    streams.extend(texts(
        storage,
        &[
            (0x0c1a, "Ann"),
            (0x5d01, "a@example.org"),
            (0x0037, "Ebbe"),
            (0x1000, "Die Flut kommt spät.\r\n> Wann?\r\n"),
        ],
    ));
    streams
}

/// A message to two, which carries a text and another message.
fn whole() -> Streams {
    let mut streams = message("", HEADS[0]);
    for (at, kind, name, address) in
        [(0, 1, "Bob", "b@example.org"), (1, 2, "c@example.org", "c@example.org"), (2, 3, "Dee", "d@example.org")]
    {
        let storage = format!("/__recip_version1.0_#{at:08X}");
        streams.push(fixed(&storage, HEADS[2], &[(0x0c15, INTEGER, kind)]));
        streams.extend(texts(&storage, &[(0x3001, name), (0x39fe, address)]));
    }
    streams.extend(texts("/__attach_version1.0_#00000000", &[(0x3707, "tide.txt")]));
    streams.push((format!("/__attach_version1.0_#00000000/{}", stream(0x3701, BYTES)), b"high".repeat(2000)));
    streams.extend(message(&format!("/__attach_version1.0_#00000001/{}", stream(0x3701, 0x000d)), HEADS[1]));
    streams
}

#[test]
fn a_message_is_the_text_of_the_mail() {
    let bytes = file(&whole());
    assert!(begins(&bytes));
    let read = text(&bytes).unwrap();
    let inner =
        "From: Ann <a@example.org>\nDate: 2024-05-01T12:30:00Z\nSubject: Ebbe\n\nDie Flut kommt spät.\n> Wann?\n";
    let head = "From: Ann <a@example.org>\nTo: Bob <b@example.org>\nCc: c@example.org\nBcc: Dee <d@example.org>\nDate: 2024-05-01T12:30:00Z\nSubject: Ebbe\n\nDie Flut kommt spät.\n> Wann?\n\nAttachment: tide.txt, 8000 bytes, BLAKE3 ";
    assert!(read.text.starts_with(head), "{}", read.text);
    assert_eq!(read.date, Some(1_714_566_600));
    let mail = "Message-ID: <1@x>\r\nFrom: Ann <a@example.org>\r\nDate: Wed, 1 May 2024 14:30:00 +0200\r\nSubject: Ebbe\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nDie Flut kommt spät.\r\n> Wann?\r\n";
    assert_eq!(crate::mail::text(mail.as_bytes()).unwrap().text, inner, "the same mail");
    let carried = crate::carried::attachments(&bytes).unwrap();
    assert_eq!((carried.len(), &*carried[0].name, carried[0].bytes.len()), (2, "tide.txt", 8000));
    assert_eq!(carried[1].name, "attachment-2.msg");
    assert!(begins(&carried[1].bytes));
    assert_eq!(text(&carried[1].bytes).unwrap().text, inner);
    assert!(!begins(&file(&vec![("/WordDocument".into(), Vec::new())])));
}

#[test]
fn other_bodies_are_read_or_named() {
    let with = |number: u16, kind: u16, body: &[u8]| {
        let mut streams = message("", HEADS[0]);
        streams.retain(|(path, _)| !path.contains("_1000"));
        streams.push((format!("/{}", stream(number, kind)), body.to_vec()));
        text(&file(&streams)).map(|read| read.text.rsplit_once("Ebbe\n").unwrap().1.to_owned())
    };
    assert_eq!(with(0x1013, BYTES, b"<p>Sp\xe4t</p>").unwrap(), "\nSpät\n");
    let mut both = message("", HEADS[0]);
    both.push((format!("/{}", stream(0x1013, BYTES)), b"<p>Die Flut kommt sp\xe4t. Wann?<p>Am Montag.".to_vec()));
    let both = text(&file(&both)).unwrap().text;
    assert!(both.ends_with("Subject: Ebbe\n\nDie Flut kommt spät.\n> Wann?\n\nAm Montag.\n"), "{both}");
    assert_eq!(with(0x1000, BYTES_OF_TEXT, b"Sp\xe4t\0").unwrap(), "\nSpät\n");
    assert_eq!(with(0x1009, BYTES, b"x").unwrap_err().kind(), "another format");
    assert_eq!(with(0x3fff, BYTES, b"x").unwrap(), "", "a message without a text");
}

/// Truncated, bits flipped, chains of sectors in a circle, lengths that lie: named, without a panic and in time.
#[test]
fn a_hostile_file_is_named() {
    let bytes = file(&whole());
    let start = std::time::Instant::now();
    let read = |bytes: &[u8]| {
        begins(bytes);
        let outcome = std::panic::catch_unwind(|| {
            (text(bytes).is_ok(), attachments(bytes).map(|all| all.iter().map(|it| it.bytes.len()).sum::<usize>()).ok())
        });
        let (is_text, carried) = outcome.unwrap_or_else(|_| panic!("a panic"));
        // What is copied of an attached message has the tables of its own file.
        assert!(carried.is_none_or(|carried| carried <= 4 * bytes.len() + (64 << 10)), "{carried:?}");
        is_text
    };
    assert!(read(&bytes));
    for length in (0..bytes.len()).step_by(97) {
        read(&bytes[..length]);
    }
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for round in 0..1000 {
        let mut bytes = bytes.clone();
        for _ in 0..=round % 8 {
            let at = next() % bytes.len();
            // Numbers of sectors and lengths are four bytes: another small one makes circles and shared chains.
            let at = at & !3;
            let value = [next() as u32 % 64, next() as u32, u32::MAX - 1][next() % 3];
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        read(&bytes);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
