//! `dedup screen`: passages shared by documents.

mod archive;
mod common;
pub(crate) mod hand_in;
mod languages;
mod page;
mod same_file;
mod short;
mod translated;

use serde_json::{Value, json};

use crate::folder::{Answer, Folder};
use crate::texts::jsonl;

const KILN: &str = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns \
    the iron in the furnace, lifts out a drop, and the blower gives it his breath before it stiffens. What is made \
    must cool for a night in a warm box, slowly and from all sides, or else it cracks at the first touch of a cold \
    hand and nobody can mend it again.";

const FERRY: &str = "Our village had one ferry, and the ferryman was deaf in the ear that faced the wind. You rang a bell \
    on the far bank and waited. My grandmother said that he heard it with his feet, because the planks of the jetty \
    trembled; others thought that he watched the herons, which always flew up when a stranger reached for the rope.";

const WINTER: &str = "Snow came early that year and stayed on the roofs until the storks returned. We burned the old fence, \
    then the shed, and in March my uncle looked at the piano for a long time without a word. The schoolmaster read \
    to us by the stove, always the same three novels, and we knew which chapters would make him cry.";

const QUIET: &str = "screen -q --language eng";

/// An essay with the text on glass in the middle, and its source.
fn essay() -> Folder {
    Folder::new()
        .file("in/essay.txt", format!("{FERRY}\n\n{KILN}\n\n{WINTER}"))
        .file("in/own.txt", WINTER.replace("Snow", "Sleet"))
        .file("src/glass.txt", KILN)
}

/// The passages as JSON.
fn passages(folder: &Folder, line: &str) -> Vec<Value> {
    let answer = folder.dedup(&format!("{QUIET} --format jsonl {line}"));
    assert!(answer.code < 2 && answer.stderr.is_empty(), "{line}: {answer:?}");
    assert_eq!(answer.code == 0, !answer.stdout.is_empty(), "found or not: {answer:?}");
    answer.jsonl()
}

/// The pairs of suspicious document and source.
fn pairs(folder: &Folder, line: &str) -> Vec<(String, String)> {
    let text = |passage: &Value, key: &str| passage[key].as_str().unwrap().to_owned();
    passages(folder, line).iter().map(|it| (text(it, "suspicious"), text(it, "source"))).collect()
}

/// One document from the list of documents.
fn document(folder: &Folder, line: &str, id: &str) -> Value {
    let answer = folder.dedup(&format!("{QUIET} --list documents --format json {line}"));
    let found = answer.json().as_array().unwrap().iter().find(|document| document["id"] == id).cloned();
    found.unwrap_or_else(|| panic!("{id}: {answer:?}"))
}

fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}")) as usize
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn offsets_of_a_passage_are_right() {
    let essay = format!("Größe 🐝 façade, 東京 and naïve Ärger.\n\n{FERRY}\n\n{KILN}\n\n{WINTER}");
    let source = format!("«Überschrift» – ƒ.\n\n{KILN}");
    let folder = Folder::new().file("in/essay.txt", &essay).file("src/glass.txt", &source);
    let found = passages(&folder, "in --against src");
    assert_eq!(found.len(), 1);
    let expected = KILN.trim_end_matches('.');
    for (text, side) in [(&essay, "suspicious"), (&source, "source")] {
        let [from, length] = ["offset_bytes", "length_bytes"].map(|key| number(&found[0], &format!("{side}_{key}")));
        assert_eq!(&text[from..from + length], expected);
        let [from, length] = ["offset", "length"].map(|key| number(&found[0], &format!("{side}_{key}")));
        assert_eq!(text.chars().skip(from).take(length).collect::<String>(), expected);
    }
    let words = KILN.split_whitespace().count();
    for (key, count) in [("words", words), ("source_words", words), ("verbatim", words), ("exact", words)] {
        assert_eq!(number(&found[0], key), count, "{key}");
    }
    assert_eq!((number(&found[0], "stemmed"), number(&found[0], "missing")), (0, 0));
}

/// A text with each word changed by a function of its position.
fn changed(text: &str, change: impl Fn(usize, &str) -> String) -> String {
    let words: Vec<String> = text.split_whitespace().zip(0..).map(|(word, at)| change(at, word)).collect();
    words.join(" ")
}

#[test]
fn changed_words_do_not_hide_a_passage() {
    let replaced = changed(KILN, |at, word| if at % 7 == 3 { "marmalade".into() } else { word.into() });
    let mut shuffled: Vec<&str> = KILN.split_whitespace().collect();
    (2..shuffled.len() - 1).step_by(6).for_each(|at| shuffled.swap(at, at + 1));
    let inflected =
        ["melted melting", "turns turned", "lifts lifting", "gives giving", "cool cooled", "cracks cracked"]
            .iter()
            .filter_map(|change| change.split_once(' '))
            .fold(KILN.to_owned(), |text, (from, to)| text.replace(from, to));
    let shouted = KILN.to_uppercase().replace([',', '.'], " –");
    for (name, text, kind) in [
        ("replaced", replaced, "replaced"),
        ("shuffled", shuffled.join(" "), "exact"),
        ("inflected", inflected, "stemmed"),
        ("shouted", shouted, "verbatim"),
    ] {
        let essay = format!("{FERRY}\n\n{text}\n\n{WINTER}");
        let at = FERRY.len() + 2;
        let folder = Folder::new().file("in/essay.txt", &essay).file("src/glass.txt", KILN);
        let found = passages(&folder, "in --against src");
        let covered: usize = found
            .iter()
            .map(|it| {
                let from = number(it, "suspicious_offset_bytes");
                let to = from + number(it, "suspicious_length_bytes");
                to.min(at + text.len()).saturating_sub(from.max(at))
            })
            .sum();
        let length: usize = found.iter().map(|it| number(it, "suspicious_length_bytes")).sum();
        assert!(covered * 10 >= text.len() * 9 && covered * 10 >= length * 9, "{name}: {covered} of {found:#?}");
        assert!(found.iter().map(|it| number(it, kind)).sum::<usize>() >= 5, "{name}: {found:#?}");
    }
}

/// A summary by deletion, and its source as the summary of the other.
#[test]
fn words_left_out_or_put_in_are_no_rewriting() {
    let whole = format!("{FERRY} {KILN} {WINTER}");
    let words: Vec<&str> = whole.split_whitespace().collect();
    let left: Vec<&str> = (0..words.len()).filter(|at| at % 3 > 0).map(|at| words[at]).collect();
    let folder = Folder::new().file("whole/a.txt", &whole).file("short/b.txt", left.join(" "));
    for line in ["whole --against short", "short --against whole"] {
        let found = passages(&folder, line);
        assert!(!found.is_empty() && found.iter().all(|it| it["kind"] == "light"), "{line}: {found:#?}");
    }
    // Every third word is another one.
    let other = changed(&whole, |at, word| if at % 3 == 0 { format!("{word}ling") } else { word.into() });
    let found = passages(&folder.file("short/b.txt", other), "short --against whole");
    assert!(!found.is_empty() && found.iter().all(|it| it["kind"] == "heavy"), "{found:#?}");
}

#[test]
fn each_pair_in_a_folder_is_compared_once() {
    let folder = essay();
    assert_eq!(pairs(&folder, "in/own.txt src"), []);
    let found = pairs(&folder, "in src");
    // The document with the greater share in the other is suspicious.
    assert_eq!(found, owned(&[("src/glass.txt", "in/essay.txt"), ("in/own.txt", "in/essay.txt")]));
    assert_eq!(pairs(&folder, "in --against src"), owned(&[("in/essay.txt", "src/glass.txt")]));
    let folder = Folder::new().file("all.jsonl", jsonl(&[("x", KILN), ("y", FERRY), ("z", KILN)]));
    assert_eq!(pairs(&folder, "--id-field id all.jsonl"), owned(&[("x", "z")]));
}

/// Both documents are listed with their source, and their passages once.
#[test]
fn each_document_in_a_folder_has_its_sources() {
    let folder = essay();
    let found = document(&folder, "in src", "in/essay.txt");
    let ids: Vec<&str> = found["sources"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&"src/glass.txt") && ids.contains(&"in/own.txt"), "{ids:?}");
    let glass = document(&folder, "in src", "src/glass.txt");
    assert_eq!(glass["sources"][0]["id"], "in/essay.txt");
    assert_eq!(glass["sources"][0]["words_in_passages"], glass["words_in_passages"]);
    let text = folder.dedup("screen -q in src").quietly(0);
    assert_eq!(text.matches("at character").count(), pairs(&folder, "in src").len(), "{text}");
    assert_eq!(text.matches("(listed there)").count(), 2, "{text}");
}

#[test]
fn a_document_is_not_its_own_source() {
    let folder = Folder::new().file("all/a.txt", KILN).file("all/b.txt", KILN).file("all/c.txt", FERRY);
    assert_eq!(pairs(&folder, "all/a.txt --against all"), owned(&[("all/a.txt", "all/b.txt")]));
    assert_eq!(pairs(&folder, "all/c.txt --against all"), []);
}

#[test]
fn a_copy_is_the_whole() {
    for text in [KILN, "Glass begins as sand that is melted.", "東京の夏は暑い。海へ行きたい。"] {
        let folder = Folder::new().file("a.txt", text).file("b.txt", text);
        let found = document(&folder, "a.txt --against b.txt", "a.txt");
        assert_eq!((&found["share"], &found["share_verbatim"].as_f64().is_some()), (&json!(1.0), &true), "{text}");
        assert_eq!(found["words_matched"], found["words"], "{text}");
        assert_eq!(found["sources"][0]["share"], 1.0, "{text}");
        let answer = folder.dedup("screen -q a.txt --against b.txt");
        assert!(answer.stdout.starts_with("a.txt\n  100.00 %  "), "{answer:?}");
    }
}

#[test]
fn an_author_may_use_his_own_words() {
    let folder = Folder::new().file("in/ann/1.txt", KILN).file("in/ann/2.txt", KILN).file("in/bob/3.txt", KILN);
    assert_eq!(pairs(&folder, "in").len(), 3);
    let expected = owned(&[("in/ann/1.txt", "in/bob/3.txt"), ("in/ann/2.txt", "in/bob/3.txt")]);
    assert_eq!(pairs(&folder, "in --authors"), expected);
    assert_eq!(document(&folder, "in --authors", "in/bob/3.txt")["author"], "bob");
}

#[test]
fn text_from_a_template_does_not_count() {
    let edited = KILN.replace("honey", "amber").replace("for a night", "until the morning");
    let folder = Folder::new()
        .file("in/a.txt", format!("{KILN}\n\n{FERRY}"))
        .file("in/b.txt", format!("{edited}\n\n{WINTER}"))
        .file("task.txt", KILN);
    assert_eq!(pairs(&folder, "in").len(), 1);
    assert_eq!(pairs(&folder, "in --ignore task.txt"), []);
    let answer = folder.dedup("screen --language eng in --ignore task.txt");
    let all = [KILN, FERRY, &edited, WINTER].map(|text| text.split_whitespace().count()).iter().sum::<usize>();
    assert_eq!((answer.code, answer.stdout.as_str()), (1, ""));
    let expected = format!(" of {all} words (text of 1 file of --ignore)\n");
    assert!(answer.stderr.starts_with("dedup: compared 2 documents with each other: no passages\ndedup: left out "));
    assert!(answer.stderr.ends_with(&expected), "{answer:?}");
}

/// Sheets of questions with answers of their own have nothing of each other.
#[test]
fn what_stands_beside_a_template_must_be_a_passage_alone() {
    let questions = ["How does sand become glass in a furnace?", "Why must what is blown cool for a whole night?"];
    let sheet = |answers: [&str; 2]| format!("{}\n{}\n{}\n{}\n", questions[0], answers[0], questions[1], answers[1]);
    let folder = Folder::new()
        .file("in/a.txt", sheet([FERRY, "It cracks, as the ferryman of our village said."]))
        .file("in/b.txt", sheet([&WINTER[..90], "It cracks, said the uncle in our village."]))
        .file("task.txt", questions.join("\n"));
    assert_eq!(pairs(&folder, "in --ignore task.txt"), []);
    let copied = Folder::new()
        .file("in/a.txt", sheet([FERRY, WINTER]))
        .file("in/b.txt", sheet([FERRY, "It cracks, said the uncle in our village."]))
        .file("task.txt", questions.join("\n"));
    assert_eq!(pairs(&copied, "in --ignore task.txt").len(), 1);
}

#[test]
fn quotations_of_any_marks_can_be_left_out() {
    for [open, close] in
        [["“", "”"], ["„", "“"], ["« ", " »"], ["»", "«"], ["「", "」"], ["\"", "\""], ["‘", "’"], ["'", "'"]]
    {
        let folder = Folder::new()
            .file("in/a.txt", format!("{FERRY}\n\nThe book says: {open}{KILN}{close} That is all.\n\n{WINTER}"))
            .file("src/glass.txt", KILN);
        assert_eq!(pairs(&folder, "in --against src").len(), 1, "{open}");
        assert_eq!(pairs(&folder, "in --against src --no-quotations"), [], "{open}");
        let left = document(&folder, "in --against src --no-quotations", "in/a.txt");
        let quoted = KILN.split_whitespace().count();
        assert_eq!(number(&left, "words") - number(&left, "words_counted"), quoted, "{open}");
    }
}

#[test]
fn what_one_quotes_another_may_have_copied() {
    for more in ["", WINTER] {
        let folder = Folder::new()
            .file("in/a.txt", format!("{FERRY}\n\nThe book says: “{KILN}” That is all.\n\n{more}"))
            .file("in/b.txt", format!("{KILN}\n\nAnd that is all that anybody ever told me of it."));
        assert_eq!(pairs(&folder, "in --no-quotations"), owned(&[("in/b.txt", "in/a.txt")]));
        let in_passages = |id| number(&document(&folder, "in --no-quotations", id), "words_in_passages");
        assert_eq!(["in/a.txt", "in/b.txt"].map(in_passages), [0, KILN.split_whitespace().count()]);
    }
}

const ENTRIES: &str = "Berg, A. (1998). Kilns of the lower valley and the potters who built them. Craft Quarterly, 4(2), 11–38.\n\
    Lee, B., & Chan, D. (2007). Clay, ash and lime: On glazes. London: Quay Press, pp. 3–40.\n\
    Okoro, C. (2011). \"Firing by night.\" In D. Smith (Ed.), The Potter's Year (pp. 90–101). Leeds: Mill & Sons.\n";

#[test]
fn bibliographies_and_common_phrases_can_be_left_out() {
    let folder = Folder::new()
        .file("in/a.txt", format!("{FERRY}\n\nReferences\n\n{ENTRIES}"))
        .file("in/b.txt", format!("{WINTER}\n\n## Literaturverzeichnis\n\n{ENTRIES}"));
    assert_eq!(pairs(&folder, "in").len(), 1);
    assert_eq!(pairs(&folder, "in --no-bibliography"), []);
    // What is copied behind it counts.
    let folder = folder.file("in/c.txt", format!("{FERRY}\n\nReferences\n\n{ENTRIES}\n\nDiscussion\n\n{KILN}"));
    let folder = folder.file("old/d.txt", KILN);
    assert_eq!(pairs(&folder, "in/c.txt --against old --no-bibliography"), owned(&[("in/c.txt", "old/d.txt")]));
}

#[test]
fn short_and_doubtful_passages_can_be_left_out() {
    let half: String = KILN.split_inclusive(". ").take(2).collect();
    let words = half.split_whitespace().count();
    let folder = Folder::new().file("in/a.txt", format!("{FERRY}\n\n{half}\n\n{WINTER}")).file(
        "src/long.txt",
        format!("{half} And here it goes on with something else that nobody has copied from it."),
    );
    assert_eq!(pairs(&folder, &format!("in --against src --min-words {words}")).len(), 1);
    assert_eq!(pairs(&folder, &format!("in --against src --min-words {}", words + 1)), []);
    let score = passages(&folder, "in --against src")[0]["score"].as_f64().unwrap();
    assert!(score > 50.0, "{score}");
    assert_eq!(pairs(&folder, &format!("in --against src --min-words {} --min-probability 1", words + 1)), []);
}

const KEYS: [&str; 30] = [
    "suspicious",
    "source",
    "suspicious_author",
    "source_author",
    "suspicious_offset",
    "suspicious_length",
    "source_offset",
    "source_length",
    "suspicious_offset_bytes",
    "suspicious_length_bytes",
    "source_offset_bytes",
    "source_length_bytes",
    "words",
    "words_counted",
    "source_words",
    "verbatim",
    "exact",
    "stemmed",
    "folded",
    "replaced",
    "missing",
    "repeats",
    "score",
    "probability",
    "weak",
    "kind",
    "quotation",
    "code",
    "suspicious_text",
    "source_text",
];

/// The whole share means every word, wherever the words without a counterpart stand.
#[test]
fn only_all_words_are_the_whole_share() {
    let new = "quite unlike whatever anybody there ever saw";
    let middle = KILN.find(' ').unwrap() + KILN[KILN.find(' ').unwrap()..].find(". ").unwrap() + 1;
    let words = KILN.split_whitespace().count();
    for (text, missing) in [
        (format!("{KILN} {new}"), 7),
        (format!("{new} {KILN}"), 7),
        (format!("{} {new}{}", &KILN[..middle], &KILN[middle..]), 7),
        (KILN.replacen(" the ", " some ", 3), 3),
    ] {
        let folder = Folder::new().file("a.txt", &text).file("b.txt", KILN);
        let found = document(&folder, "a.txt --against b.txt", "a.txt");
        let [counted, matched] = ["words_counted", "words_matched"].map(|name| number(&found, name));
        assert!(matched <= words && matched + missing <= counted, "{found}");
        let share = matched as f64 / counted as f64;
        assert_eq!(found["share"], json!(share), "{found}");
        assert_eq!(found["sources"][0]["share"], json!(share), "{found}");
        let told = folder.dedup("screen -q a.txt --against b.txt").quietly(0);
        let percent = format!("{:.2} %", (share * 1e4).floor() / 100.0);
        let expected = format!("a.txt\n  {percent}  {matched} of {counted} words also stand elsewhere (");
        assert!(told.starts_with(&expected) && share < 1.0, "{told}");
        let csv = folder.dedup("screen -q a.txt --against b.txt --list documents --format csv").quietly(0);
        assert!(csv.contains(&format!(",{matched},{share},")), "{csv}");
    }
    let folder = Folder::new().file("a.txt", KILN).file("b.txt", format!("{new} {KILN}"));
    assert_eq!(document(&folder, "a.txt --against b.txt", "a.txt")["share"], json!(1.0));
}

/// A copy that changes the heading only is a whole copy, and a heading that two essays share is none.
#[test]
fn the_authors_name_and_heading_are_in_no_share() {
    let heading =
        |name: &str| format!("{name}\nSeminar 4: Crafts of the coast, winter term\nThe glass of the harbour\n\n");
    let folder = Folder::new()
        .file("in/Anna Berg/a.txt", heading("Anna Berg") + KILN)
        .file("in/Ben Lee/b.txt", heading("Ben Lee") + KILN)
        .file("in/Cleo Fox/c.txt", heading("Cleo Fox") + FERRY);
    let all = folder.dedup("screen -q in --authors --list documents --format json").json();
    let words = KILN.split_whitespace().count();
    for found in all.as_array().unwrap() {
        let is_copy = found["author"] != "Cleo Fox";
        assert_eq!(found["share"], json!(if is_copy { 1.0 } else { 0.0 }), "{found}");
        assert!(!is_copy || number(found, "words_counted") == words, "{found}");
    }
    let told = folder.dedup("screen in --authors").stderr;
    assert!(told.contains("words (names of authors and the headings with them)"), "{told}");
    // Without authors the heading is text as any other.
    let found = document(&folder, "in", "in/Anna Berg/a.txt");
    assert!(number(&found, "words_counted") > words && found["share"] != json!(1.0), "{found}");
}

#[test]
fn words_of_another_stem_between_matched_ones_are_counterparts() {
    let copy = KILN.replace("his breath", "his breathless").replace("warm box", "warmbox").replace("cold", "wintry");
    let folder = Folder::new().file("a.txt", copy).file("b.txt", KILN);
    let found = passages(&folder, "a.txt --against b.txt");
    let kept = ["stemmed", "replaced", "missing"].map(|name| number(&found[0], name));
    assert_eq!((found.len(), kept), (1, [2, 1, 0]), "{found:?}");
    // The other way round one of two words has the joined word as its counterpart.
    let found = passages(&folder, "b.txt --against a.txt");
    let kept = ["stemmed", "replaced", "missing"].map(|name| number(&found[0], name));
    assert_eq!((found.len(), kept), (1, [2, 1, 1]), "{found:?}");
}

/// Two short texts on the same subject have much in common; such evidence is reported as weak.
#[test]
fn short_texts_on_one_subject_are_weak_evidence() {
    let here = "A tide is the rise and fall of the sea that the pull of the moon and of the sun brings about. On most \
        coasts the water comes in and goes out twice a day, and when moon and sun pull together the tide is highest.";
    let there = "The sea rises and falls twice a day on most coasts: this is called the tide. It comes from the moon, \
        whose pull lifts the water, and from the sun; when both pull in one line the water comes in higher than else.";
    let folder = Folder::new().file("a.txt", here).file("b.txt", there).file("c.txt", here);
    let found = passages(&folder, "a.txt --against b.txt --min-probability 0");
    assert_eq!((found.len(), &found[0]["weak"], number(&found[0], "verbatim")), (1, &json!(true), 0), "{found:?}");
    let document = document(&folder, "a.txt --against b.txt --min-probability 0", "a.txt");
    let kept = number(&found[0], "exact") + number(&found[0], "stemmed");
    // Weak evidence is in no share.
    assert_eq!((number(&document, "words_matched"), &document["share"]), (0, &json!(0.0)));
    let others = number(&found[0], "replaced") + number(&found[0], "missing");
    assert_eq!(number(&document, "words_in_passages"), kept + others);
    let text = folder.dedup("screen -q a.txt --against b.txt --min-probability 0").quietly(0);
    assert!(text.contains("0.00 %  none of 46 words counts as copied; "), "{text}");
    assert!(text.contains(", weak evidence (1 of "), "{text}");
    let copied = passages(&folder, "a.txt --against c.txt");
    assert_eq!(copied[0]["weak"], json!(false));
}

#[test]
fn every_form_says_the_same() {
    let folder = essay();
    let line = "in --against src";
    let found = passages(&folder, line);
    let mut keys: Vec<&str> = found[0].as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = KEYS.to_vec();
    keys.sort_unstable();
    expected.sort_unstable();
    assert_eq!(keys, expected);
    let form = |list: &str, form: &str| folder.dedup(&format!("{QUIET} --list {list} --format {form} {line}"));
    assert_eq!(form("passages", "json").json(), json!(found));
    let table = form("passages", "csv").quietly(0);
    let rows: Vec<Vec<String>> = rows(&table);
    assert_eq!(rows[0], KEYS);
    let cell = |key: &str| match &found[0][key] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    assert_eq!(rows[1], KEYS.map(cell));

    let documents = form("documents", "json").json();
    assert_eq!(json!(form("documents", "jsonl").jsonl()), documents);
    let names = |value: &Value| value.as_array().unwrap().iter().map(|it| it["id"].to_string()).collect::<Vec<_>>();
    assert_eq!(names(&documents), ["\"in/essay.txt\"", "\"in/own.txt\""], "the greatest share first, none left out");
    let of_document = form("documents", "csv").quietly(0);
    let rows = self::rows(&of_document);
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [13, 13, 13], "as many cells as heads");
    for (head, cell) in rows[0].iter().zip(&rows[1]).filter(|(head, _)| !head.starts_with("source")) {
        let value = &documents[0][head];
        match value.as_f64() {
            Some(value) => assert!((value - cell.parse::<f64>().unwrap()).abs() < 1e-12, "{head}: {cell}"),
            None => assert_eq!(value.as_str().unwrap_or_default(), cell, "{head}"),
        }
    }
    assert_eq!(rows[1][9..12], ["src/glass.txt".to_owned(), String::new(), found[0]["words"].to_string()]);

    let words = KILN.split_whitespace().count();
    let all = number(&documents[0], "words");
    let text = form("passages", "text").quietly(0);
    let at = FERRY.chars().count() + 2;
    let share = 10_000 * words / all;
    let beginning: String = KILN.chars().take(90).collect();
    let expected = format!(
        "in/essay.txt\n  {0}.{1:02} %  {words} of {all} words also stand elsewhere ({words} verbatim)\n  \
         {0}.{1:02} %  {words} words ({words} verbatim) in 1 passage, in src/glass.txt\n      \
         {words} words: {words} exact ({words} verbatim), 0 by stem, 0 replaced, 0 \
         missing; probability {3:.3}; at character {at} and 0\n        {2} …\n        {2} …\n",
        share / 100,
        share % 100,
        beginning.trim_end(),
        found[0]["probability"].as_f64().unwrap()
    );
    assert_eq!(text, expected);
    assert_eq!(
        form("documents", "text").quietly(0),
        expected.lines().take(3).map(|line| format!("{line}\n")).collect::<String>()
    );
}

/// What does not count but is worth a look is listed if asked for, and nowhere else.
#[test]
fn leads_are_pairs_that_have_nothing_else() {
    let replaced = changed(KILN, |at, word| if at % 4 == 3 { "marmalade".into() } else { word.into() });
    let folder =
        Folder::new().file("in/essay.txt", format!("{FERRY}\n\n{replaced}\n\n{WINTER}")).file("src/glass.txt", KILN);
    let found = pairs(&folder, "in --against src");
    assert_eq!(found.len(), 1);
    assert_eq!(pairs(&folder, "in --against src --list leads"), [], "it counts");
    let certain = "in --against src --min-probability 1";
    assert_eq!(pairs(&folder, certain), []);
    assert_eq!(pairs(&folder, &format!("{certain} --list leads")), found);
    let text = folder.dedup(&format!("{QUIET} {certain} --list leads")).quietly(0);
    assert!(text.starts_with("in/essay.txt and src/glass.txt\n") && text.contains("; probability 0."), "{text}");
    let said = |line: &str| folder.dedup(&format!("screen {line} --list leads")).stderr;
    let told = "no leads; without --list leads 1 passage in 1 pair of documents would be listed\n";
    assert!(said("in --against src").ends_with(told));
    assert!(said(certain).ends_with(": leads in 1 pair of documents, and no passages\n"));
}

/// The cells of a CSV table, row by row.
fn rows(table: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn an_empty_result_is_a_valid_list() {
    let folder = Folder::new().file("a.txt", KILN).file("b.txt", FERRY);
    for (form, expected) in [("text", ""), ("json", "[]\n"), ("jsonl", ""), ("csv", &*format!("{}\n", KEYS.join(",")))]
    {
        assert_eq!(folder.dedup(&format!("screen -q --format {form} a.txt b.txt")).quietly(1), expected);
    }
}

#[test]
fn the_exit_status_tells_found_from_failed() {
    let folder = essay().file("empty.txt", "").file("word.txt", "glass").file("in/deep/bad.jsonl", "{broken\n");
    std::fs::create_dir(folder.path().join("nothing")).unwrap();
    let said = |line: &str| -> (i32, String) {
        let Answer { code, stderr, .. } = folder.dedup(line);
        (code, stderr)
    };
    let (code, told) = said("screen in/essay.txt --against src");
    assert_eq!((code, &*told), (0, "dedup: compared 1 document with 1 source: 1 passage in 1 pair of documents\n"));
    for line in ["screen in/own.txt --against src", "screen word.txt --against src"] {
        let (code, told) = said(line);
        assert!(code == 1 && told.contains(": no passages\n"), "{line}: {code} {told}");
    }
    // Where nothing was compared, nothing was found to be free of passages.
    for line in [
        "screen empty.txt",
        "screen empty.txt word.txt",
        "screen in/own.txt",
        "screen in/own.txt --against in/own.txt",
        "screen empty.txt --against src",
    ] {
        let (code, told) = said(line);
        assert!(code == 2 && told.contains("so nothing was compared"), "{line}: {code} {told}");
        let is_named = told.contains("dedup: empty.txt has no words, so there was nothing to compare\n");
        assert_eq!(is_named, line.contains("empty"), "{told}");
    }
    let (code, told) = said("screen nothing");
    assert!(code == 2 && told.contains("there are no documents: check the names"), "{told}");
    let (code, told) = said("screen in/essay.txt missing.txt --against src");
    assert_eq!(code, 2, "what was not read is not called unique");
    assert!(told.contains("missing.txt: no such file") && told.contains("1 passage in"), "the rest is done: {told}");
    let (code, told) = said("screen in --against src");
    assert!(
        code == 2 && told.contains("in/deep/bad.jsonl: no line") && told.contains("\ndedup: 1 problem was skipped")
    );
    folder.dedup("screen in --against src --strict").fails_saying("in/deep/bad.jsonl: no line");
    folder.dedup("screen in --language klingon").fails_saying("'klingon' is unknown");
}

#[test]
fn malformed_bytes_hide_nothing() {
    let bytes = [FERRY.as_bytes(), b"\n\n\xff\xfe\xc3 ", KILN.as_bytes(), b" \xed\xa0\x80"].concat();
    let folder = Folder::new().file("in/a.txt", bytes).file("src/glass.txt", KILN);
    assert_eq!(pairs(&folder, "in --encoding utf-8 --against src").len(), 1);
}

#[test]
fn a_text_may_come_from_standard_input() {
    let folder = essay();
    let answer = folder.dedup_with_input(&format!("{QUIET} - --against src --format jsonl"), KILN.as_bytes());
    assert_eq!((answer.code, &answer.jsonl()[0]["suspicious"]), (0, &json!("-")));
}

#[cfg(unix)]
#[test]
fn unreadable_inputs_are_reported_and_the_rest_is_screened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = essay();
    let forbidden = std::fs::Permissions::from_mode(0o0);
    std::fs::set_permissions(folder.path().join("in/own.txt"), forbidden).unwrap();
    let answer = crate::folder::run(&mut folder.command_of_nobody("screen in --against src"), b"");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("in/own.txt: no permission to read it"), "{answer:?}");
    assert!(answer.stdout.starts_with("in/essay.txt\n"), "{answer:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_a_normal_ending() {
    let folder = essay();
    for form in ["text", "json", "csv"] {
        let line = format!("{QUIET} in --against src --format {form}");
        assert_eq!(crate::folder::run_unread(&mut folder.command(&line)), 0, "{form}");
    }
}

#[test]
fn look_alikes_are_reported_and_russian_is_not() {
    let masked = KILN.replace("sand", "sаnd").replacen("honey", "ho\u{200b}ney", 1) + "\u{202e}";
    let russian = "Дети сидели у окна и смотрели, как падает снег. Бабушка топила печь и пела старую песню о море, \
        которого никто из нас никогда не видел, а кот спал на книге, раскрытой на самом интересном месте.";
    let folder = Folder::new()
        .file("in/masked.txt", masked)
        .file("in/russian.txt", russian)
        .file("src/glass.txt", KILN)
        .file("src/russian.txt", russian);
    let line = "screen -q in --against src --list documents";
    let found = folder.dedup(&format!("{line} --format json")).json();
    assert_eq!(found[0]["share"], 1.0, "seen through");
    assert_eq!(
        found[0]["disguises"],
        json!({"lookalikes": 1, "digits": 0, "romanised": 0, "invisible": 1, "marked": 0, "spaced": 0, "turned": 1})
    );
    assert_eq!(
        found[1]["disguises"],
        json!({"lookalikes": 0, "digits": 0, "romanised": 0, "invisible": 0, "marked": 0, "spaced": 0, "turned": 0})
    );
    let told = folder.dedup(line).stdout;
    let notes: Vec<&str> = told.lines().filter(|line| line.starts_with("  note: ")).collect();
    let expected = [
        "  note: 1 word with look-alike letters of another script",
        "  note: 1 word with invisible characters inside",
        "  note: 1 character overriding the direction of the text",
    ];
    assert_eq!(notes, expected);
}

/// A passage is found whatever its letters are disguised by, and the disguise is reported.
#[test]
fn hidden_passages_are_found() {
    let every = |with: &str| KILN.chars().map(|c| format!("{c}{with}")).collect::<String>();
    let apart = KILN.split(' ').map(|word| word.chars().map(|c| format!("{c} ")).collect::<String>());
    let backwards = KILN.split(' ').map(|word| format!("\u{202e}{}\u{202c}", word.chars().rev().collect::<String>()));
    let divided = KILN.split(' ').map(|word| match word.len() {
        6.. => format!("{}-\n{}", &word[..3], &word[3..]),
        _ => word.to_owned(),
    });
    let digits = KILN.split(' ').map(|word| {
        let (first, rest) = word.split_at(1);
        format!(
            "{first}{}",
            rest.replace('a', "4").replace('e', "3").replace('o', "0").replace('s', "5").replace('t', "7")
        )
    });
    for (trick, text) in [
        ("digits", digits.collect::<Vec<_>>().join(" ")),
        ("marked", every("\u{336}")),
        ("marked", every("\u{332}\u{333}")),
        ("invisible", every("\u{fe0f}")),
        ("invisible", every("\u{e0061}")),
        ("spaced", apart.collect::<Vec<_>>().join("  ")),
        ("turned", backwards.collect::<Vec<_>>().join(" ")),
        ("", divided.collect::<Vec<_>>().join(" ")),
    ] {
        let folder =
            Folder::new().file("in/essay.txt", format!("{FERRY}\n\n{text}\n\n{WINTER}")).file("src/glass.txt", KILN);
        let found = document(&folder, "in --against src", "in/essay.txt");
        let words = KILN.split_whitespace().count();
        assert_eq!((number(&found, "words_verbatim"), number(&found, "words_in_passages")), (words, words), "{found}");
        for (name, count) in found["disguises"].as_object().unwrap() {
            assert_eq!(count.as_u64() > Some(40), name == trick, "{trick}: {found}");
        }
    }
}

/// Of two documents the shorter one is compared with the other, whatever their names.
#[test]
fn names_do_not_matter() {
    let essay = format!("{FERRY}\n\n{KILN}\n\n{WINTER}");
    let pairs = |names: [&str; 3]| {
        let folder =
            Folder::new().file(names[0], &essay).file(names[1], KILN).file(names[2], format!("{KILN} {FERRY}"));
        let found = folder.dedup("screen a.txt b.txt c.txt -q --format json").json();
        let number = |name: &serde_json::Value| names.iter().position(|known| name.as_str() == Some(*known)).unwrap();
        let mut found: Vec<_> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|passage| {
                let figures = ["words", "source_words", "verbatim", "score"].map(|name| passage[name].to_string());
                (number(&passage["suspicious"]), number(&passage["source"]), figures)
            })
            .collect();
        found.sort();
        found
    };
    let found = pairs(["a.txt", "b.txt", "c.txt"]);
    assert!(found.len() >= 3, "{found:?}");
    assert_eq!(found, pairs(["c.txt", "b.txt", "a.txt"]));
    assert_eq!(found, pairs(["b.txt", "c.txt", "a.txt"]));
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = essay().file("task.txt", FERRY).file("all.jsonl", jsonl(&[("a", KILN)]));
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let before = folder.files("");
    for (line, expected) in [
        ("in --against src --html in/essay.txt", "in/essay.txt: is read as an input and would be the page of --html"),
        ("in --against src --html src/glass.txt", "src/glass.txt: is read as an input and would be the page"),
        ("in all.jsonl --html ./all.jsonl", "./all.jsonl: is an input and the page of --html; name another output"),
        ("in --ignore task.txt --html task.txt", "task.txt: is an input and the page of --html"),
        ("in --ignore in", "in: is a folder; --ignore takes one file at a time"),
        ("in --problems in/own.txt", "in/own.txt: is read as an input and would be the list of --problems"),
        ("in --html x --problems ./x", "./x: would be the page of --html and the list of --problems; name two"),
    ] {
        folder.dedup(&format!("screen {line}")).fails_saying(expected);
        assert_eq!(folder.files(""), before, "{line}");
    }
    let answer = folder.dedup("screen in --anonymise --problems list.jsonl");
    assert!(answer.code == 2 && answer.stderr.contains("cannot be used with '--problems <FILE>'"), "{answer:?}");
    // The page of an earlier run may be replaced and is not read.
    for _ in 0..2 {
        folder.dedup(&format!("{QUIET} in --against src --force --html in/page.html")).code_is(0);
        assert!(!folder.read_text("in/page.html").contains("\"id\":\"in/page.html\""));
    }
}

#[test]
fn a_passage_of_program_code_is_told_and_left_out_if_asked() {
    let listing = "import sys\nfrom os import path\n\ndef rising(heights):\n    higher = []\n    for place, height in enumerate(heights[1:]):\n        \
        if height > heights[place]:\n            higher.append((place, height))\n    return sorted(higher, key=len)\n\n\
        with open(path.join(sys.argv[1], 'tides.csv')) as lines:\n    heights = [float(line.split(',')[2]) for line in lines]\n\
        print(rising(heights))\n";
    let folder = Folder::new()
        .file("in/essay.txt", format!("{FERRY}\n\n{listing}\n{WINTER}"))
        .file("src/report.txt", format!("{KILN}\n\n{listing}"));
    let found = passages(&folder, "in --against src");
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!(true)), "{found:#?}");
    let told = folder.dedup(&format!("{QUIET} in --against src")).quietly(0);
    assert!(told.contains(", program code; at character") && told.contains("note: 48 words of program code"), "{told}");
    assert_eq!(pairs(&folder, "in --against src --no-code"), []);
    let prose = passages(&essay(), "in --against src");
    assert!(prose.iter().all(|passage| passage["code"] == json!(false)), "{prose:#?}");
}

#[test]
fn documents_are_compared_with_sources_and_with_each_other() {
    let folder = essay().file("in/copy.txt", format!("{WINTER} And so on.")).file("last.txt", FERRY);
    folder.dedup("screen last.txt --save last.dsi").code_is(0);
    let both = [("in/copy.txt", "in/essay.txt"), ("in/essay.txt", "last.txt"), ("in/essay.txt", "src/glass.txt")];
    // A document that stands among the sources is one document.
    for sources in ["--against last.txt src", "--against last.dsi src", "--against last.txt src --against in/copy.txt"]
    {
        let mut found = pairs(&folder, &format!("in --glob !own.txt {sources} --with-each-other"));
        found.sort();
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(found, both, "{sources}");
    }
    let answer = folder.dedup("screen in --glob !own.txt --against last.txt src --with-each-other --html page.html");
    assert!(answer.stderr.contains("compared 2 documents with each other and 2 sources"), "{answer:?}");
    let alone = folder.dedup("screen in --with-each-other");
    assert!(alone.code == 2 && alone.stderr.contains("--against <SOURCES>"), "{alone:?}");
}

/// A quotation that two texts share proves nothing of what stands beside it, once quotations are left out, nor does it take
/// anything away.
#[test]
fn what_is_left_out_is_no_evidence() {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    // One word in three of the prose is the text's own.
    let own = |name: &str| {
        let of = |(at, word): (usize, String)| if at % 3 == 2 { format!("{name}{at}") } else { word };
        words(WINTER).into_iter().take(60).enumerate().map(of).collect::<Vec<_>>().join(" ")
    };
    let text = |name: &str| format!("“{KILN}” {}", own(name));
    let folder = Folder::new().file("in/a.txt", text("abalone")).file("in/b.txt", text("barnacle"));
    let folder = folder.file("alone/a.txt", own("abalone")).file("alone/b.txt", own("barnacle"));
    let probability = |options: &str| {
        let found = passages(&folder, options);
        assert_eq!(found.len(), 1, "{options}");
        found[0]["probability"].as_f64().unwrap()
    };
    let alone = probability("alone");
    assert!(alone < 0.9 && probability("in") > 0.9, "or this shows nothing");
    assert!((probability("in --no-quotations") - alone).abs() < 0.05);
}
