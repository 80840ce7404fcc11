mod notes;
mod pictures;
mod right_to_left;
mod symbols;

use std::fmt::Write as _;

use lopdf::EncryptionState;
use lopdf::EncryptionVersion::V2;
use lopdf::Permissions;
use proptest::prelude::*;

use super::allowance::MAX_CONTENT;
use super::*;

/// A PDF of these objects; the first is the catalog.
fn pdf(objects: &[String]) -> Vec<u8> {
    let mut file = "%PDF-1.7\n".to_owned();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(file.len());
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let table = file.len();
    write!(file, "xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).unwrap();
    for offset in &offsets {
        writeln!(file, "{offset:010} 00000 n ").unwrap();
    }
    write!(file, "trailer\n<</Size {} /Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n", offsets.len() + 1).unwrap();
    file.into_bytes()
}

fn stream(dictionary: &str, content: &str) -> String {
    format!("<<{dictionary} /Length {}>>\nstream\n{content}\nendstream", content.len())
}

/// A PDF whose pages draw these contents, in Helvetica (`/F`) and in a font with a map (`/G`).
fn pages(contents: &[String]) -> Vec<u8> {
    let kids: String = (0..contents.len()).map(|page| format!("{} 0 R ", 5 + 2 * page)).collect();
    let map = "1 beginbfrange <0001> <001a> <05d0> endbfrange 1 beginbfchar <0041> <0041> endbfchar";
    let mut objects = vec![
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        format!(
            "<</Type /Pages /Kids [{kids}] /Count {} /Resources <</XObject <</X 6 0 R>> /Font <</F <</Type /Font /Subtype /Type1 \
             /BaseFont /Helvetica /Encoding <</Differences [1 /fi /uni00E9 /f_f]>>>> /G 3 0 R>>>>>>",
            contents.len()
        ),
        "<</Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<</DW 500 /W [1 [500 500] 3 9 500]>>]>>"
            .to_owned(),
        stream("", map),
    ];
    for (page, content) in contents.iter().enumerate() {
        objects.push(format!("<</Type /Page /Parent 2 0 R /Contents {} 0 R>>", 6 + 2 * page));
        objects.push(stream("/Subtype /Form", content));
    }
    pdf(&objects)
}

fn read(content: &str) -> String {
    text(&pages(&[content.to_owned()])).unwrap().text
}

#[test]
fn text_that_a_reader_may_not_see_is_counted() {
    let hidden = |content: &str| {
        let page = format!("BT /F 11 Tf 70 700 Td (This is seen by all) Tj ET {content}");
        let mut file = pages(&[page]);
        // A page of A4 for all kids.
        let at = file.windows(6).position(|bytes| bytes == b"/Count").unwrap();
        file.splice(at..at, b"/MediaBox [0 0 595 842] ".iter().copied());
        let Hidden { white, tiny, outside, invisible } = text(&file).unwrap().hidden;
        [white, tiny, outside, invisible]
    };
    let said = |before: &str| format!("{before} BT /F 11 Tf 70 500 Td (a b c) Tj ET");
    for (content, expected) in [
        (said(""), [0; 4]),
        (said("1 1 1 rg"), [3, 0, 0, 0]),
        (said("0.99 g"), [3, 0, 0, 0]),
        (said("0 0 0 0 k"), [3, 0, 0, 0]),
        (said("q 1 g Q"), [0; 4]),
        (said("1 g 0 g"), [0; 4]),
        // White on a dark rectangle, or on a picture; and on a rectangle that stands elsewhere.
        (said("0 0 1 rg 60 490 200 30 re f 1 g"), [0; 4]),
        (said("0 0 1 rg 60 90 200 30 re f 1 g"), [3, 0, 0, 0]),
        (said("1 g 60 490 200 30 re f 1 g"), [3, 0, 0, 0]),
        (said("3 Tr"), [0, 0, 0, 3]),
        ("BT /F 1 Tf 70 500 Td (a b c) Tj ET".into(), [0, 3, 0, 0]),
        ("BT /F 1 Tf 12 0 0 12 70 500 Tm (a b c) Tj ET".into(), [0; 4]),
        ("BT /F 11 Tf 700 500 Td (a b c) Tj ET".into(), [0, 0, 3, 0]),
        ("BT /F 11 Tf 70 -500 Td (a b c) Tj ET".into(), [0, 0, 3, 0]),
    ] {
        assert_eq!(hidden(&content), expected, "{content}");
    }
}

#[test]
fn strings_spaces_lines_and_paragraphs() {
    let content = "BT /F 10 Tf 50 700 Td (The tide) Tj 0 -12 Td [(rises)-300(twice)20( a)] TJ T* 0 -12 Td (day. It ) Tj\n\
        (\\001nds caf\\002, o\\003.) Tj 0 -12 Td (More.) Tj 0 -30 Td (A new one.) Tj ET";
    assert_eq!(read(content), "The tide rises twice a day. It \u{fb01}nds café, off. More.\nA new one.\n");
}

#[test]
fn letters_set_wide_are_words() {
    // By the operator, with spaces; by places, without.
    let letter = |c: char| if c == ' ' { "-900".to_owned() } else { format!("({c})-300") };
    let by_places: String = "The tide rises twice a day.".chars().map(letter).collect();
    for content in [
        "BT /F 10 Tf 3 Tc 50 700 Td (The tide rises twice a day.) Tj ET".to_owned(),
        format!("BT /F 10 Tf 50 700 Td [{by_places}] TJ ET"),
    ] {
        assert_eq!(read(&content), "The tide rises twice a day.\n");
    }
    // Cells of a table, and letters that no space divides.
    for (content, letters) in [
        (
            "(1)-1500(0)-1500(1)-1500(1)-1500(0)-1500(1)-1500(0)-1500(1)-1500(0)-1500(1)-1500(1)",
            "1 0 1 1 0 1 0 1 0 1 1\n",
        ),
        (
            "(3)-400(1)-400(4)-400(3)-400(1)-400(2)-400(1)-400(7)-400(8)-400(5)-400(6)-900(9)",
            "3 1 4 3 1 2 1 7 8 5 6 9\n",
        ),
        (
            "(a)-333(b)-333(c)-333(d)-333(e)-333(f)-333(g)-333(h)-333(i)-333(j)-333(k)-333(l)",
            "a b c d e f g h i j k l\n",
        ),
    ] {
        assert_eq!(read(&format!("BT /F 10 Tf 50 700 Td [{content}] TJ ET")), letters);
    }
}

#[test]
fn short_paragraphs_and_footnotes_are_told_apart() {
    let lines = |lines: &[(i32, &str)]| -> String {
        lines.iter().map(|(down, line)| format!("0 -{down} Td ({line}) Tj ")).collect()
    };
    let short =
        [(12, "One goes"), (12, "on."), (24, "Two goes"), (12, "on."), (24, "References"), (24, "Lee"), (24, "Ng")];
    let page = format!("BT /F 10 Tf 50 700 Td {} ET", lines(&short));
    assert_eq!(read(&page), "One goes on.\nTwo goes on.\nReferences\nLee\nNg\n");
    // Lines with space between them are one paragraph above close footnotes too.
    let (body, notes) = (
        [(18, "It"), (18, "says"), (18, "what"), (18, "it"), (18, "says.")],
        [(30, "1 See"), (8, "there."), (8, "So"), (8, "so.")],
    );
    let page = format!("BT /F 10 Tf 50 700 Td {} /F 7 Tf {} ET", lines(&body), lines(&notes));
    assert_eq!(read(&page), "It says what it says.\n1 See there. So so.\n");
}

#[test]
fn words_broken_at_the_end_of_a_line_are_joined() {
    let lines = |lines: &[&str]| {
        let shown: String = lines.iter().map(|line| format!("({line}) Tj 0 -12 Td ")).collect();
        read(&format!("BT /F 10 Tf 50 700 Td {shown} ET"))
    };
    assert_eq!(
        lines(&["the har-", "bour of Nord-", "Ost, Ein-", "und Ausgang 1990-", "1995"]),
        "the harbour of Nord-Ost, Ein- und Ausgang 1990-1995\n"
    );
}

#[test]
fn numbers_of_notes_are_no_part_of_the_word() {
    let content = "BT /F 10 Tf 50 700 Td (The tide) Tj /F 6 Tf 4 Ts (12) Tj /F 10 Tf 0 Ts ( rises.) Tj ET";
    assert_eq!(read(content), "The tide ¹² rises.\n");
    assert_eq!(read(&content.replace("/F 6 ", "/F 8.33 ")), "The tide ¹² rises.\n");
    let content = content.replace("The tide", "\\(the tide\\)").replace("(12)", "(1) Tj 0 Ts /F 10 Tf (2)");
    assert_eq!(read(&content), "(the tide) ¹2 rises.\n");
}

#[test]
fn numbers_of_notes_before_their_text_are_words() {
    let content = "BT /F 6 Tf 50 704 Td (1) Tj /F 10 Tf 3.5 -4 Td (please see) Tj ET";
    assert_eq!(read(content), "1 please see\n");
}

#[test]
fn what_is_shared_costs_as_often_as_it_is_used() {
    let common = |kids: &str, rest: [String; 3]| {
        let [a, b, c] = rest;
        text(&pdf(&["<</Type /Catalog /Pages 2 0 R>>".into(), format!("<</Kids [{kids}]>>"), a, b, c]))
    };
    let nodes: String = (3..6).map(|node| format!("{node} 0 R ")).collect();
    let many = "9 0 R ".repeat(MAX_CONTENT / NODE / 2);
    let kids = || format!("<</Kids [{many}]>>");
    assert_eq!(common(&nodes, [kids(), kids(), kids()]), Err(Refusal::TooLarge));
    let page = || format!("<</Contents [{many}]>>");
    assert_eq!(common(&nodes, [page(), page(), page()]), Err(Refusal::TooLarge));
    let said = format!("/Span <</ActualText ({})>> BDC EMC ", "a".repeat(1000));
    assert_eq!(text(&pages(&[said.repeat(3000)])), Err(Refusal::TooLarge));
    let list = format!("BT /F 10 Tf [{}] TJ ET", "0 ".repeat(100_000));
    assert_eq!(text(&pages(&[list])), Err(Refusal::TooLarge));
    let widths = "0 65535 1 ".repeat(100);
    let font = format!("<</Subtype /Type0 /DescendantFonts [<</W [{widths}]>>]>>");
    let page = "<</Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>".to_owned();
    assert_eq!(common("3 0 R", [page, stream("", "/F 9 Tf"), font]), Err(Refusal::TooLarge));
}

#[test]
fn marked_content_says_what_signs_are() {
    let content = "BT /F 10 Tf 50 700 Td /Span <</ActualText <FEFF0935093F>>> BDC (xy) Tj EMC ( is one) Tj\n\
        /Artifact BMC (no) Tj EMC ET /Artifact <</Type /Pagination>> BDC BT /F 10 Tf 50 20 Td (page 1) Tj ET EMC";
    assert_eq!(read(content), "वि is one\n");
}

#[test]
fn headers_and_footers_are_left_out() {
    let page = |number: usize| {
        format!(
            "BT /F 8 Tf 50 780 Td (The Book of Tides {1}) Tj ET BT /F 10 Tf 50 700 Td (On {0}: text of its own) Tj\n\
             0 -12 Td (and word{number} more.) Tj 0 -12 Td (Last {0}.) Tj ET BT /F 8 Tf 300 30 Td ({number}) Tj ET",
            ["sand", "salt", "foam", "wind", "moon"][number - 1],
            // Letters of two bytes: é.
            "\\002".repeat(100)
        )
    };
    let pages = pages(&(1..=5).map(page).collect::<Vec<_>>());
    let text = text(&pages).unwrap().text;
    assert!(!text.contains("Book") && text.contains("word5 more"), "{text}");
    assert!(text.starts_with("On sand: text of its own and word1 more. Last sand.\nOn salt"), "{text}");
}

#[test]
fn what_has_no_text_says_so() {
    assert_eq!(text(&pages(&["0 0 m 9 9 l S".into()])), Err(Refusal::NoText));
    assert_eq!(text(&pages(&["BT /G 10 Tf <00510052> Tj ET".into()])), Err(Refusal::NoCharacters));
    for bytes in [&b"%PDF-1.7"[..], b"%PDF-1.7\nstartxref\n99\n%%EOF", b"%PDF-\0\0"] {
        let refusal = text(bytes).unwrap_err().to_string();
        assert!(refusal.starts_with("is not a valid PDF: "), "{refusal}");
    }
    let good = pages(&["BT /F 10 Tf (tide) Tj ET".into()]);
    let _ = text(&good[..good.len() / 2]);
}

/// A truncated file is refused wherever it ends, unless nothing but the end is missing.
#[test]
fn cut_files_are_refused_as_such() {
    let drawn = |number: usize| format!("BT /F 10 Tf 50 700 Td (Page {number} of the book of tides.) Tj ET");
    let whole = pages(&(0..6).map(drawn).collect::<Vec<_>>());
    let expected = text(&whole).unwrap();
    let is_cut = |length: usize| match text(&whole[..length]) {
        Err(refusal) => {
            assert_eq!(refusal, damaged("its end is missing"), "{length} bytes");
            true
        }
        Ok(text) => {
            assert_eq!(text, expected, "{length} bytes");
            false
        }
    };
    let table = whole.windows(6).position(|word| word == b"\nxref\n").unwrap();
    assert!((30..table).all(is_cut));
    assert!(!(table..whole.len() - 5).any(is_cut), "only the table and the end are missing");
    // A truncated file without text is reported as truncated, not as textless.
    let picture = pages(&["0 0 m 9 9 l S".into()]);
    assert_eq!(text(&picture[..picture.len() / 2]), Err(damaged("its end is missing")));
}

#[test]
fn passwords() {
    for (password, expected) in [("", Ok("tide\n")), ("secret", Err(Refusal::Encrypted))] {
        let mut document = Document::load_mem(&pages(&["BT /F 10 Tf (tide) Tj ET".into()])).unwrap();
        let id = Object::string_literal("0123456789abcdef");
        document.trailer.set("ID", vec![id.clone(), id]);
        let version = V2 {
            document: &document,
            owner_password: "owner",
            user_password: password,
            key_length: 128,
            permissions: Permissions::all(),
        };
        let state = EncryptionState::try_from(version).unwrap();
        document.encrypt(&state).unwrap();
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        assert_eq!(text(&bytes).map(|read| read.text), expected.map(str::to_owned));
    }
}

#[test]
fn circles_and_depth_end() {
    // A form that draws itself (and is the page's content, too), a page tree that is its own child, pages of pages.
    assert_eq!(read("BT /F 10 Tf (tide) Tj ET /X Do /X Do").trim(), "tide tide tide");
    let circle = pdf(&[
        "<</Type /Catalog /Pages 2 0 R>>".into(),
        "<</Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 999999999>>".into(),
        "<</Type /Pages /Kids [2 0 R 3 0 R]>>".into(),
    ]);
    assert_eq!(text(&circle), Err(Refusal::NoText));
    for nest in ["[", "<<", "<</A ", "(", "[<</A "] {
        let deep = format!("<</Type /Catalog /Pages 2 0 R /Deep {}>>", nest.repeat(100_000));
        let _ = text(&pdf(&[deep, "<</Type /Pages /Kids []>>".into()]));
        let _ = text(&pages(&[format!("BT /F 10 Tf {} Tj ET", nest.repeat(100_000))]));
    }
    let _ = text(&pages(&["q ".repeat(100_000)]));
    let _ = text(&pages(&["/A BMC ".repeat(100_000)]));
}

#[test]
fn bombs_are_refused() {
    // Eight levels of forms, each drawn ten times by the one above.
    let calls = "/X Do ".repeat(10);
    let form = |number: usize| {
        let below = format!("/Subtype /Form /Resources <</XObject <</X {} 0 R>>>>", number + 1);
        stream(&below, &calls)
    };
    let mut objects = vec![
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [3 0 R]>>".to_owned(),
        "<</Type /Page /Contents 4 0 R /Resources <</XObject <</X 4 0 R>>>>>>".to_owned(),
    ];
    objects.extend((4..12).map(form));
    assert_eq!(text(&pdf(&objects)), Err(Refusal::TooLarge));
}

/// A packed stream, written in ASCII.
fn packed(dictionary: &str, content: &str) -> String {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, content.as_bytes()).unwrap();
    let hex: String = encoder.finish().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    stream(&format!("{dictionary} /Filter [/ASCIIHexDecode /FlateDecode]"), &format!("{hex}>"))
}

/// The text of a page with these resources and this content, in a file with more objects from number 5 on.
fn drawn(resources: &str, content: &str, more: &[String]) -> Result<String, Refusal> {
    let mut objects = vec![
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [3 0 R]>>".to_owned(),
        format!("<</Type /Page /Contents 4 0 R /Resources <<{resources}>>>>"),
        packed("", content),
    ];
    objects.extend_from_slice(more);
    text(&pdf(&objects)).map(|read| read.text)
}

/// A stream of objects, numbered from 100.
fn object_stream(objects: &[String]) -> String {
    let (mut index, mut content) = (String::new(), String::new());
    for (number, object) in (100..).zip(objects) {
        write!(index, "{number} {} ", content.len()).unwrap();
        write!(content, "{object} ").unwrap();
    }
    packed(&format!("/Type /ObjStm /N {} /First {}", objects.len(), index.len()), &format!("{index}{content}"))
}

/// A few kilobytes that would become gigabytes are refused by a count, before any memory is taken.
#[test]
fn a_small_file_makes_little_work() {
    const FONT: &str = "/Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>";
    let too_large = Err(Refusal::TooLarge);
    let words = |count: usize| format!("BT /F 9 Tf {} ET", "(tide) Tj ".repeat(count));
    // A form drawn once, and the same form drawn often.
    let form = packed("/Subtype /Form", &words(10_000));
    let resources = format!("/XObject <</X 5 0 R>> {FONT}");
    assert!(drawn(&resources, "/X Do", std::slice::from_ref(&form)).is_ok());
    assert_eq!(drawn(&resources, &"/X Do ".repeat(20), &[form]), too_large);
    // A long text, and a text in which each letter stands for a line.
    assert_eq!(drawn(FONT, &format!("BT /F 9 Tf ({}) Tj ET", "tide ".repeat(300_000)), &[]), too_large);
    let line = stream("", &format!("1 beginbfchar <61> <{}> endbfchar", "0061".repeat(32)));
    let font = "/Font <</F <</ToUnicode 5 0 R>>>>";
    assert_eq!(drawn(font, &format!("BT /F 9 Tf ({}) Tj ET", "a".repeat(100_000)), &[line]), too_large);
    // Nested objects.
    for one in ["1 ", "[] "] {
        assert_eq!(drawn("", "", &[object_stream(&[format!("[{}]", one.repeat(400_000))])]), too_large, "{one}");
    }
    // Fonts that share a map, whose length counts for each font.
    let fonts: String = (0..200).map(|font| format!("/F{font} {} 0 R ", 100 + font)).collect();
    let shared = object_stream(&vec!["<</ToUnicode 6 0 R>>".to_owned(); 200]);
    let map = |length: usize| packed("", &"1 beginbfchar endbfchar ".repeat(length / 24));
    let all: String = (0..200).map(|font| format!("/F{font} 1 Tf ")).collect();
    assert_eq!(drawn(&format!("/Font <<{fonts}>>"), &all, &[shared.clone(), map(30_000)]), too_large);
    assert_eq!(drawn(&format!("/Font <<{fonts}>>"), &all, &[shared, map(240)]), Err(Refusal::NoText));
    // Content that grows between two filters and ends up empty.
    let blank = packed("", &" ".repeat(50_000)).replace("/FlateDecode]", "/FlateDecode /ASCIIHexDecode]");
    let contents = |times: usize| {
        let page = format!("<</Contents [{}]>>", "4 0 R ".repeat(times));
        let tree = ["<</Type /Catalog /Pages 2 0 R>>".to_owned(), "<</Kids [3 0 R]>>".to_owned()];
        text(&pdf(&[&tree[..], &[page, blank.clone()]].concat()))
    };
    assert_eq!((contents(1), contents(9)), (Err(Refusal::NoText), Err(Refusal::TooLarge)));
}

/// The library reads an object once for each time that a table names it.
#[test]
fn an_object_of_many_numbers_costs_as_often() {
    let list = object_stream(&[format!("[{}]", "1 ".repeat(20_000))]);
    let objects = ["<</Type /Catalog /Pages 2 0 R>>".to_owned(), "<</Type /Pages /Kids []>>".to_owned(), list];
    let sound = String::from_utf8(pdf(&objects)).unwrap();
    let named = |times: usize| {
        let entry = sound.lines().filter(|line| line.ends_with(" n ")).nth(2).unwrap();
        let more = format!("100 {times}\n{}trailer", format!("{entry}\n").repeat(times));
        text(sound.replace("trailer", &more).as_bytes())
    };
    assert_eq!((named(1), named(60)), (Err(Refusal::NoText), Err(Refusal::TooLarge)));
}

#[test]
fn references_to_references_end() {
    let chain = |length: usize| {
        let mut objects: Vec<String> = (0..length).map(|object| format!("{} 0 R", 6 + object)).collect();
        objects.push("<</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>".to_owned());
        drawn("/Font 5 0 R", "BT /F 9 Tf (tide) Tj ET", &objects)
    };
    assert_eq!(chain(MAX_REFERENCES - 1), Ok("tide\n".to_owned()));
    assert_eq!(chain(MAX_REFERENCES), Err(Refusal::NoText));
}

#[test]
fn chains_of_lengths_end() {
    let chain = |length: usize| {
        let mut objects = vec!["<</Type /Catalog /Pages 2 0 R>>".to_owned(), "<</Type /Pages /Kids []>>".to_owned()];
        objects.extend((3..3 + length).map(|number| format!("<</Length {} 0 R>> stream\nendstream", number + 1)));
        text(&pdf(&objects))
    };
    assert_eq!(chain(MAX_CHAIN - 1), Err(Refusal::NoText));
    let refusal = chain(100 * MAX_CHAIN).unwrap_err().to_string();
    assert!(refusal.contains("the lengths of its streams are not numbers"), "{refusal}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_are_fatal(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8), cut in 30usize..150) {
        let mut bytes = pages(&["BT /F 10 Tf 50 700 Td [(The)-300(tide)] TJ /G 9 Tf <00010002> Tj ET /X Do".into()]);
        bytes.truncate(bytes.len() * cut / 100);
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        let _ = text(&bytes);
    }

    #[test]
    fn no_drawing_is_fatal(parts in prop::collection::vec(prop_oneof![
        "-?[0-9]{1,12}(\\.[0-9]{1,3})? ",
        "(BT|ET|q|Q|cm|Tf|Td|TD|Tm|T\\*|Tj|TJ|'|\"|Tc|Tz|TL|BMC|BDC|EMC|Do|/F|/G|/X|/Artifact|BI|ID|EI|\\[|\\]) ",
        "(\\([a-z]{0,9}\\)|<[0-9A-F]{0,9}>|<</ActualText \\(a\\)>>) ",
    ], 0..60)) {
        let _ = text(&pages(&[format!("BT /F 10 Tf {}", parts.concat())]));
    }
}
