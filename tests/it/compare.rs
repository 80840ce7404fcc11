//! `dedup compare`: two documents and all figures.

use crate::folder::{Folder, dedup};
use crate::office::archive;
use crate::texts::HARBOUR;

#[test]
fn it_reports_every_figure() {
    let answer = dedup("compare data/texts/eng/press-release.txt data/texts/eng/press-release.edited.txt");
    assert_eq!(
        answer.stdout,
        "\
A  data/texts/eng/press-release.txt
   language      English (eng), reliable (confidence 1.00)
   read as       UTF-8 text
   words         159, 157 shingles (157 distinct)
   terms         90, 88 features
   simhash       c070059518a09626
B  data/texts/eng/press-release.edited.txt
   language      English (eng), reliable (confidence 1.00)
   read as       UTF-8 text
   words         171, 169 shingles (169 distinct)
   terms         97, 95 features
   simhash       c878011518b45e26

Hamming distance     9 of 64 bits   (rule: at most 3)
Jaccard, exact       84.18 %        (rule: at least 50 %)
Jaccard, estimated   88.00 %        (25 MinHash sketches, standard error 7.29 %)
containment          94.90 %        (of A's shingles are in B)
                     88.16 %        (of B's shingles are in A)
shared shingles      149            (of 177 distinct ones)

near-duplicates by the Jaccard rule
not the same; --diff shows in which words and signs they differ
"
    );
    assert_eq!((answer.code, &*answer.stderr), (0, ""));
}

#[test]
fn json_has_the_same_figures() {
    let line = "compare --format json data/texts/eng/press-release.txt data/texts/eng/press-release.edited.txt";
    let answer = dedup(line);
    let json = answer.json();
    assert_eq!(json["a"], "data/texts/eng/press-release.txt");
    assert_eq!(json["distance"], 9);
    assert_eq!(json["jaccard"], 149.0 / 177.0);
    assert_eq!(json["jaccard_estimate"], 22.0 / 25.0);
    // Compared as text: the JSON parser of the tests rounds the last digit.
    assert!(answer.stdout.contains(&format!("\"containment_a\": {},", 149.0 / 157.0)));
    assert!(answer.stdout.contains(&format!("\"containment_b\": {},", 149.0 / 169.0)));
    assert_eq!(json["rules"], serde_json::json!(["jaccard"]));
    assert_eq!((&json["near_duplicate"], &json["same"]), (&true.into(), &false.into()));
    assert_eq!(json["shared_shingles"], 149);
    let document = &json["documents"][1];
    assert_eq!(document["simhash"], "c878011518b45e26");
    assert_eq!(document["sketch"].as_array().unwrap().len(), 25);
    for (key, count) in [("tokens", 171), ("shingles", 169), ("distinct_shingles", 169), ("terms", 97), ("ngrams", 95)]
    {
        assert_eq!(document[key], count, "{key}");
    }
    assert_eq!(document["language"], "eng");
    assert_eq!(document["language_reliable"], true);
    assert_eq!(json["recipe"]["max_ngram"], 3);
    assert_eq!(json["recipe"]["probe"].as_str().unwrap().len(), 16);
    // The same input gives the same bytes.
    assert_eq!(dedup(line), answer);
    // With shingles of terms the Jaccard coefficient changes, and the simhash does not.
    let terms = dedup(&format!("{line} --shingles terms")).json();
    assert_eq!(terms["jaccard"], 80.0 / 103.0);
    assert_eq!((&terms["shared_shingles"], &terms["distance"]), (&80.into(), &json["distance"]));
    assert_eq!((&terms["recipe"]["shingles"], &json["recipe"]["shingles"]), (&"terms".into(), &"words".into()));
}

/// Two texts can have the same simhash and different shingles: `not` is a stop word, and `++` is no term.
#[test]
fn stop_words_and_signs_count_in_what_a_text_says() {
    let folder = Folder::new()
        .file("safe", "The vaccine is safe")
        .file("not", "The vaccine is not safe at all")
        .file("c", "Compilers: GNU C compiler")
        .file("c++", "Compilers: GNU C++ compiler");
    for (pair, jaccard) in [("safe not", 1.0 / 6.0), ("c c++", 0.0)] {
        let json = folder.dedup(&format!("compare --language eng --format json {pair}")).json();
        assert_eq!(json["distance"], 0, "{pair}");
        assert!((json["jaccard"].as_f64().unwrap() - jaccard).abs() < 1e-12, "{pair}: {json}");
        assert_eq!(json["rules"], serde_json::json!(["hamming"]), "{pair}");
        let terms = folder.dedup(&format!("compare --language eng --shingles terms --format json {pair}")).json();
        assert_eq!(terms["jaccard"], 1.0, "{pair}");
    }
}

#[test]
fn thresholds_decide_and_can_be_left_out() {
    let files = "data/texts/eng/press-release.txt data/texts/eng/press-release.edited.txt";
    for (options, code, verdict) in [
        ("--distance 9", 0, "near-duplicates by the Hamming rule, by the Jaccard rule"),
        ("--distance 8 --similarity 0.85", 1, "not near-duplicates by any rule"),
        ("--distance none --similarity 0.84", 0, "near-duplicates by the Jaccard rule"),
        ("--distance none --similarity none", 1, "not near-duplicates by any rule"),
        ("--similarity none", 1, "not near-duplicates by any rule"),
        ("--similarity 1", 1, "not near-duplicates by any rule"),
        ("--similarity 0", 0, "near-duplicates by the Jaccard rule"),
    ] {
        let answer = dedup(&format!("compare {options} {files}"));
        let said = answer.stdout.lines().find(|line| line.contains("near-duplicates"));
        assert_eq!((answer.code, said), (code, Some(verdict)), "{options}");
    }
    for (option, expected) in [
        ("--distance 65", "expected a whole number from 0 to 64, or none"),
        ("--distance -1", "unexpected argument"),
        ("--similarity 1.5", "expected a number from 0 to 1, or none"),
        ("--similarity NaN", "expected a number from 0 to 1, or none"),
    ] {
        let answer = dedup(&format!("compare {option} {files}"));
        assert_eq!(answer.code, 2);
        assert!(answer.stderr.contains(expected), "{answer:?}");
    }
}

#[test]
fn options_of_the_recipe_show_in_the_counts() {
    let files = "data/texts/eng/tides.txt data/texts/eng/tides.edited.txt";
    let count = |options: &str, key: &str| {
        dedup(&format!("compare --format json {options} {files}")).json()["documents"][0][key].as_u64()
    };
    let terms = |options| count(options, "terms").unwrap();
    assert_eq!(terms("--stop-words none"), 122);
    assert_eq!(terms("--stop-words auto"), 71);
    assert_eq!(terms("--language und"), 122);
    assert_eq!(count("--min 1 --max 2 --stop-words none", "ngrams"), Some(122 + 121));
    assert_eq!(count("--min 1 --max 2 --stop-words none", "shingles"), Some(122 + 121));
    assert_eq!([count("", "shingles"), count("--stop-words none", "shingles")], [Some(120); 2], "of all words");
    let simhash = |options: &str| {
        dedup(&format!("compare --format json {options} {files}")).json()["documents"][0]["simhash"].clone()
    };
    assert_ne!(simhash("--no-stem"), simhash(""));
    let sketches = dedup(&format!("compare --format json --sketches 128 {files}")).json();
    assert_eq!(sketches["documents"][0]["sketch"].as_array().unwrap().len(), 128);
    dedup(&format!("compare --sketches 0 {files}")).fails_saying("0 sketches: expected 1 to 1024");
    dedup(&format!("compare --language klingon {files}"))
        .fails_saying("language 'klingon' is unknown; `dedup languages`");
    dedup(&format!("compare --stop-words nowhere.txt {files}")).fails_saying("nowhere.txt: no such file");
    dedup(&format!("compare --encoding utf-9 {files}")).fails_saying("encoding 'utf-9' is unknown");
}

#[test]
fn a_users_stop_words_are_dropped_in_every_language() {
    let folder = Folder::new()
        .file("a", "alpha beta gamma delta")
        .file("b", "alpha noise beta gamma noise delta")
        .file("list", "# what is left out\nNOISE\n");
    assert_eq!(folder.dedup("compare a b").code, 1);
    assert_eq!(folder.dedup("compare --stop-words list a b").code, 0);
}

#[test]
fn standard_input_stands_for_a_file() {
    let folder = Folder::new().file("a", "The same few words of text, twice.");
    let answer = folder.dedup_with_input("compare --format json a -", b"The same few words of text, twice.");
    assert_eq!((answer.code, answer.json()["b"].as_str()), (0, Some("-")));
    assert_eq!(folder.dedup_with_input("- a", b"Other words altogether, they are.").code, 1);
    for line in ["compare - -", "find - -"] {
        folder.dedup_with_input(line, b"One text under two names.").fails_saying("-: is named twice");
    }
}

#[test]
fn a_web_page_is_its_main_content() {
    let a = "data/web/lighthouse-a.html";
    let same = dedup(&format!("compare --format json {a} data/web/lighthouse-b.html")).json();
    assert!(same["jaccard"].as_f64().unwrap() > 0.9, "{same}");
    // Another article with the same menus is different.
    let other = dedup(&format!("compare --format json {a} data/web/windmill.html")).json();
    assert!(other["jaccard"].as_f64().unwrap() < 0.05, "{other}");
    // Read as plain text, the menus dominate.
    let text = dedup(&format!("compare --input text --format json {a} data/web/windmill.html")).json();
    assert!(text["jaccard"].as_f64() > other["jaccard"].as_f64());
}

#[test]
fn pages_are_known_by_content_not_by_name() {
    let page = std::fs::read(crate::folder::project().join("data/web/windmill.html")).unwrap();
    let folder = Folder::new().file("page.txt", page).file("note.html", "Only a few plain words are in here.");
    let json = folder.dedup("compare --format json page.txt note.html").json();
    assert_eq!((&json["documents"][0]["format"], &json["documents"][1]["format"]), (&"html".into(), &"text".into()));
}

/// Markdown that begins with HTML is read unchanged: no word is lost, and offsets stay right.
#[test]
fn markdown_below_a_head_in_html_is_no_page() {
    let text = "<h1 align=center>Tides</h1>\n\n<nav>kept</nav> A library to read tides, `a <b> c` included.\n";
    let folder = Folder::new().file("README.md", text).file("tides.txt", text).file("README", text);
    for name in ["README.md", "tides.txt", "README"] {
        let json = folder.dedup(&format!("explain --format json {name}")).json();
        let last = json["tokens"].as_array().unwrap().last().unwrap();
        assert_eq!((&json["format"], &last["form"]), (&"text".into(), &"included".into()), "{name}");
        assert_eq!(last["offset_bytes"].as_u64().unwrap() as usize, text.find("included").unwrap(), "{name}");
    }
}

/// Two versions of a short page whose links to neighbouring pages differ.
#[test]
fn links_to_the_next_page_do_not_tell_short_pages_apart() {
    let page = |previous: &str, next: &str| {
        format!(
            "<html><body><div class=navheader><a href=1>{previous}</a></div><h1>Trademarks</h1><p>All marks belong \
             to their owners.</p><div class=navfooter><a href=1>{previous}</a> <a href=3>{next}</a></div></body></html>"
        )
    };
    let folder = Folder::new()
        .file("a.html", page("Major contributions to this document", "The licence in full, word by word"))
        .file("b.html", page("How to report errors and ask questions", "Names of people and of machines"));
    let json = folder.dedup("compare --format json a.html b.html").json();
    assert_eq!(json["rules"], serde_json::json!(["hamming", "jaccard", "text"]), "{json}");
}

#[test]
fn encodings_meet() {
    let text = "Größere Städte an der Küste haben Häfen, die auch bei Ebbe offen bleiben müssen.";
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = Folder::new()
        .file("utf-8", text)
        .file("bom", [b"\xef\xbb\xbf", text.as_bytes()].concat())
        .file("latin", &latin)
        .file("utf-16", [b"\xff\xfe", &utf_16[..]].concat())
        .file("utf-16 without a mark", &utf_16)
        .file("bad", [text.as_bytes(), b" \xff"].concat());
    for other in ["bom", "latin", "utf-16"] {
        let answer = folder.dedup(&format!("compare --format json utf-8 {other}"));
        assert_eq!(answer.json()["rules"], serde_json::json!(["hamming", "jaccard", "text"]), "{other}");
    }
    let forced = folder.dedup("compare --encoding utf-8 utf-8 latin");
    assert!(forced.stdout.contains("note: latin: 6 malformed sequences of bytes were replaced"), "{forced:?}");
    let bad = folder.dedup("compare utf-8 bad");
    assert_eq!(bad.code, 0);
    assert!(bad.stdout.contains("note: bad: 1 malformed sequence of bytes was replaced"), "{bad:?}");
}

#[test]
fn both_texts_are_read_in_one_language() {
    // Two different detected languages: both texts are read in none.
    let answer = dedup("compare data/texts/spa/tides.txt data/texts/cat/tides.txt");
    assert_eq!(answer.code, 1);
    let note = "was read as undetermined (und), without stop words and stems, so that both texts are read alike";
    assert_eq!(answer.stdout.matches(note).count(), 2, "{answer:?}");
    // One detected language is used for both texts. A few English words alone are not detected reliably.
    let text = std::fs::read_to_string(crate::folder::project().join("data/texts/eng/tides.txt")).unwrap();
    let folder = Folder::new().file("long", &text).file("short", "Twice a day, along most coasts");
    let json = folder.dedup("compare --shingles terms --format json short long").json();
    let documents = &json["documents"];
    assert_eq!((&documents[0]["language"], &documents[0]["language_reliable"]), (&"eng".into(), &false.into()));
    assert_eq!(json["containment_a"], 1.0);
}

/// Every text of `data` equals its decomposed, full-width or otherwise disguised form.
#[test]
fn other_spellings_are_the_same_text() {
    let nfd = icu_normalizer::DecomposingNormalizerBorrowed::new_nfd();
    let wide = |text: &str| {
        text.chars()
            .map(|c| if c.is_ascii_alphanumeric() { char::from_u32(u32::from(c) + 0xfee0).unwrap() } else { c })
            .collect()
    };
    let joined =
        |text: &str| text.chars().flat_map(|c| [Some(c), c.is_alphabetic().then_some('\u{2060}')]).flatten().collect();
    for language in std::fs::read_dir(crate::folder::project().join("data/texts")).unwrap() {
        let path = language.unwrap().path();
        let text = std::fs::read_to_string(path.join("tides.txt")).unwrap();
        let spellings: [String; 3] = [nfd.normalize(&text).into_owned(), wide(&text), joined(&text)];
        for spelling in spellings {
            let folder = Folder::new().file("a", &text).file("b", &spelling);
            let json = folder.dedup("compare --format json a b").json();
            let figures = (&json["jaccard"], &json["distance"]);
            assert_eq!(figures, (&1.0.into(), &0.into()), "{} {:.200}", path.display(), spelling);
        }
    }
}

#[test]
fn short_and_empty_texts() {
    let folder = Folder::new()
        .file("empty", "")
        .file("blank", " \n\t\n")
        .file("signs", "…!?")
        .file("one", "word")
        .file("two", "two words")
        .file("other", "other words");
    for (pair, rules) in [
        ("empty empty", vec!["text", "bytes"]),
        ("empty blank", vec![]),
        ("empty one", vec![]),
        ("signs blank", vec![]),
        ("two other", vec![]),
        ("one two", vec![]),
        ("one one", vec!["hamming", "jaccard", "text", "bytes"]),
    ] {
        let answer = folder.dedup(&format!("compare --format json {pair}"));
        assert_eq!(answer.json()["rules"], serde_json::json!(rules), "{pair}");
        assert_eq!(answer.code, i32::from(rules.is_empty()));
    }
    let json = folder.dedup("compare --format json empty one").json();
    assert_eq!((&json["distance"], &json["jaccard"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!(folder.dedup("empty one").stdout.contains("note: empty has no words; it matches only an identical text"));
    // A text of stop words alone has no simhash.
    let folder = Folder::new().file("stop", "to be or not to be").file("same", "To be, or not to be.");
    let json = folder.dedup("compare --language eng --format json stop same").json();
    assert_eq!((&json["distance"], &json["jaccard"]), (&serde_json::Value::Null, &1.0.into()));
    assert_eq!(json["rules"], serde_json::json!(["jaccard"]));
}

#[test]
fn the_words_that_differ_are_shown() {
    let folder = Folder::new()
        .file("a", "The C++ compiler of the year was shown on Monday in the old hall beside the station of the town.")
        .file("b", "The C compiler of the year was shown on Monday in the old hall beside the station of the city!");
    let shown = folder.dedup("compare --diff a b").stdout;
    let expected = "differences          in 2 places\n   \
        … The [-C++-]{+C+} compiler of the year was shown …\n   … hall beside the station of the [-town-]{+city+} …\n";
    assert!(shown.ends_with(expected), "{shown}");
    assert!(folder.dedup("a b max 3 min 3 --diff").stdout.ends_with(expected));
    let json = folder.dedup("compare --diff --format json a b").json();
    let expected =
        serde_json::json!({"a": {"start": 4, "end": 7, "text": "C++"}, "b": {"start": 4, "end": 5, "text": "C"}});
    assert_eq!((&json["differences"][0], json["differences"].as_array().unwrap().len()), (&expected, 2));
    assert_eq!(folder.dedup("compare --format json a b").json().get("differences"), None);
}

#[test]
fn two_texts_stand_side_by_side_on_a_page() {
    let folder = Folder::new().file("a.txt", HARBOUR).file("b.txt", format!("{HARBOUR} And more."));
    let plain = folder.dedup("compare a.txt b.txt");
    let with_page = folder.dedup("compare a.txt b.txt --html page.html");
    assert_eq!((with_page.code, &with_page.stdout), (plain.code, &plain.stdout));
    let page = folder.read_text("page.html");
    assert!(page.contains("\"title\":\"a.txt ↔ b.txt\"") && page.contains("\"pairs\":[{"), "{page:.300}");
    // The first file stands on the left, whichever is longer.
    for order in ["a.txt b.txt", "b.txt a.txt"] {
        folder.dedup(&format!("compare {order} --html page.html --force")).code_is(0);
        assert!(folder.read_text("page.html").contains("\"suspicious\":0,\"source\":1"), "{order}");
    }
    folder.dedup("compare a.txt b.txt --html page.html").fails_saying("page.html");
    folder.dedup("compare a.txt b.txt --html a.txt --force").fails_saying("a.txt");
    folder.dedup("compare a.txt a.txt --html same.html").code_is(0);
}

/// A DOCX of a few words, with a picture that may hold others.
fn poster(picture: &str) -> Vec<u8> {
    let body = "<w:document><w:p><w:r><w:t>Report of the harbour office, spring</w:t></w:r></w:p></w:document>";
    archive(&[("word/document.xml", body), ("word/media/image1.png", picture)])
}

/// Two documents are the same where `clean` removes one of them for the other by that claim.
#[test]
fn texts_of_which_parts_were_not_read_are_not_the_same() {
    let folder = Folder::new()
        .file("in/a.docx", poster("one"))
        .file("in/b.docx", poster("two"))
        .file("in/c.docx", poster("one"))
        .file("in/d.txt", "Report of the harbour office, spring")
        .file("in/e.txt", "Report of the HARBOUR office, spring.")
        .file("in/f.txt", b"caf\xe9 and bar")
        .file("in/g.txt", b"caf\xe8 and bar");
    for (pair, is_same, doubt) in [
        ("a.docx b.docx", false, "parts that may hold text were not compared"),
        ("a.docx c.docx", true, ""),
        ("d.txt a.docx", false, "parts that may hold text were not compared"),
        ("d.txt e.txt", true, ""),
        ("f.txt g.txt --encoding utf-8", false, ""),
        ("f.txt f.txt --encoding utf-8", true, ""),
    ] {
        let line = format!("in/{}", pair.replacen(' ', " in/", 1));
        let json = folder.dedup(&format!("compare {line} --format json")).json();
        assert_eq!(json["same"], is_same, "{pair}");
        let text = folder.dedup(&format!("compare {line}")).stdout;
        let told = format!("\nnot the same, though the words that were read are: {doubt}\n");
        assert_eq!(text.contains(&told), !doubt.is_empty(), "{pair}: {text}");
        // The audit of both says so too.
        let audited = folder.dedup(&format!("audit {line} --format jsonl")).jsonl();
        let is_equal = audited.iter().any(|row| row["class"] == "same" || row["class"] == "bytes");
        assert!(is_equal == is_same || pair.starts_with("f.txt f.txt"), "{pair}: {audited:?}");
    }
    let json = folder.dedup("compare in/d.txt in/a.docx --format json").json();
    assert_eq!([0, 1].map(|number| json["documents"][number]["unread_parts"].clone()), [0, 1]);
    for line in ["compare in/a.docx in/b.docx", "in/a.docx in/b.docx"] {
        let text = folder.dedup(line).stdout;
        let note = "\nnote: in/a.docx: 1 picture or other part may hold text, which was not compared\n";
        assert!(text.contains(note), "{text}");
    }
    folder.dedup("compare in/a.docx in/b.docx --html page.html").code_is(0);
    let page = folder.read_text("page.html");
    assert!(page.matches("\"pictured\":1").count() == 2, "{page:.300}");
    assert!(page.contains("<title>in/a.docx ↔ in/b.docx</title>"), "{page:.900}");
}

/// A DOCX and its text are not one file of one format.
#[test]
fn texts_of_other_formats_are_not_the_same() {
    let body = format!("<w:document><w:p><w:r><w:t>{HARBOUR}</w:t></w:r></w:p></w:document>");
    let folder =
        Folder::new().file("a.docx", archive(&[("word/document.xml", &body)])).file("b.txt", format!("{HARBOUR}\n"));
    let told = "\nnot the same, though the words that were read are: the files have different formats, and only their \
                texts were compared\n";
    let text = folder.dedup("compare a.docx b.txt").stdout;
    assert!(text.contains(told), "{text}");
    assert_eq!(folder.dedup("compare a.docx b.txt --format json").json()["same"], false);
}
