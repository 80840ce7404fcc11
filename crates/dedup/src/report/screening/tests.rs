//! The page shows what was found, and no text in it acts as markup.

use std::fs;
use std::path::Path;

use dom_query::Document;
use nearcopy::screen::{Exclude, Share};
use nearcopy_corpus::records::Reading;
use serde_json::Value;

use super::*;
use crate::jobs::screen::tests::{BEES, TIDES, job};
use crate::jobs::screen::{Job, screen};

/// Screens texts, one JSON object each, against each other.
fn screened(texts: &[(&str, &str)]) -> Screening {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> =
        texts.iter().map(|(id, text)| serde_json::json!({"id": id, "text": text}).to_string()).collect();
    let path = folder.path().join("texts.jsonl");
    fs::write(&path, lines.join("\n")).unwrap();
    of_file(&path)
}

fn of_file(path: &Path) -> Screening {
    let mut reading = Reading::default();
    reading.fields.id = Some("id".into());
    let (folder, name) = (path.parent().unwrap(), path.file_name().unwrap().to_str().unwrap());
    let mut job = Job { reading, ..job(folder, name, "") };
    job.settings.strict = true;
    screen(&job, &()).unwrap()
}

/// Colours alone are too much alike, and not everybody tells them apart.
#[test]
fn each_kind_of_word_has_a_cue_beside_its_colour() {
    let rules: Vec<(&str, &str)> =
        include_str!("page.css").split('}').filter_map(|rule| rule.split_once('{')).collect();
    for kind in ["lexicon", "cognate", "number", "proper", "changed", "missing"] {
        let is_for = |selectors: &str| selectors.split(',').any(|it| it.trim().ends_with(&format!(".kind.{kind}")));
        let has_cue = |style: &str| style.contains("underline") || style.contains("box-shadow");
        assert!(rules.iter().any(|(selectors, style)| is_for(selectors) && has_cue(style)), "{kind}");
    }
}

fn data(page: &Page, screening: &Screening) -> Value {
    serde_json::from_str(&page.json(screening).unwrap()).unwrap()
}

fn written(screening: &Screening) -> String {
    let mut page = Vec::new();
    Page::new(20).write(screening, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect()
}

#[test]
fn hostile_texts_and_ids_stay_text() {
    let hostile = "</script><script>alert(1)</script><!--<script> <img src=x onerror=alert(1)> \u{202e} \0 ]]>";
    let screening = screened(&[(hostile, &format!("{hostile} {TIDES}")), ("plain", TIDES)]);
    let page = Document::from(written(&screening));
    assert_eq!(page.select("script").length(), 3, "the data and the page's own two");
    assert_eq!(page.select("img").length(), 0);
    let policy = page.select("meta[http-equiv]").attr("content").unwrap().to_string();
    let nonce = page.select("script[nonce]").attr("nonce").unwrap().to_string();
    assert_eq!((nonce.len(), page.select("style").attr("nonce").unwrap().to_string()), (64, nonce.clone()));
    let expected = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
    );
    assert_eq!(policy, expected);
    let data: Value = serde_json::from_str(&page.select("#data").text()).unwrap();
    let shown = hostile.replace('\u{202e}', "\u{fffd}").replace('\0', "␀");
    assert_eq!(data["texts"][0]["id"].as_str().unwrap(), shown);
    assert!(data["texts"][0]["text"].as_str().unwrap().starts_with(&shown));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = written(&screened(&[("a", TIDES), ("b", TIDES)]));
    // The one address is the name of a vocabulary, which is never fetched.
    let addresses: Vec<_> = page.match_indices("://").map(|(at, _)| &page[at - 4..at + 18]).collect();
    assert_eq!(addresses, ["http://www.w3.org/2000"]);
    assert!(!page.contains("@import") && !page.contains("url("));
    assert!(!page.contains("innerHTML") && !page.contains("insertAdjacentHTML"), "text is set as text");
}

#[test]
fn figures_are_those_of_the_screening() {
    let quoting = format!("He writes: “{TIDES}” 🐝 {BEES}\n\nReferences\nLee, A. (2004). Tides, pp. 3–9.");
    let screening = screened(&[("quoting", &quoting), ("tides", TIDES), ("bees", &BEES.replace("turns", "turn"))]);
    let data = data(&Page::new(20), &screening);
    assert_eq!(data["pairs"].as_array().unwrap().len(), screening.matches.len());
    assert_eq!(screening.matches.len(), 2);
    let shares = screening.shares();
    for (number, text) in screening.texts.iter().enumerate() {
        let Share { matched, counted, .. } = shares[number];
        let shown = &data["texts"][number];
        assert_eq!(
            (shown["matched"].as_u64(), shown["counted"].as_u64()),
            (Some(matched as u64), Some(counted as u64))
        );
        assert_eq!(shown["words"].as_u64(), Some(text.words.len() as u64));
    }
    for (found, shown) in screening.matches.iter().zip(data["pairs"].as_array().unwrap()) {
        assert_eq!(shown["matched"].as_u64(), Some(found.share.matched as u64));
        assert_eq!(shown["source_matched"].as_u64(), Some(found.source_share.matched as u64));
        for (passage, shown) in found.passages.iter().zip(shown["passages"].as_array().unwrap()) {
            assert_eq!(numbers(&shown["a"]), [passage.a.start, passage.a.end]);
            assert_eq!(numbers(&shown["b"]), [passage.b.start, passage.b.end]);
            let kept = screening.kept(found, passage);
            assert_eq!(numbers(&shown["kept"]), [kept.exact, kept.stemmed + kept.folded, kept.missing, kept.replaced]);
            assert_eq!(shown["weak"].as_bool(), Some(passage.is_weak));
            let matched: Vec<_> = passage.matched.iter().map(|&(i, j)| (i64::from(i), i64::from(j))).collect();
            let (replaced, others): (Vec<_>, Vec<_>) = unfolded(shown).into_iter().partition(|word| word.2 == 3);
            assert_eq!(others.iter().map(|&(i, j, _)| (i, j)).collect::<Vec<_>>(), matched);
            assert_eq!(replaced.len(), kept.replaced);
        }
    }
    let quoted = numbers(&data["texts"][0]["quoted"]);
    assert_eq!(quoted, [2, 2 + screening.texts[1].words.len()]);
    let words = screening.texts[0].words.len();
    assert_eq!(numbers(&data["texts"][0]["bibliography"]), [words - 7, words]);
}

/// The words, their counterparts and their kinds, as the page's script reads them from the runs.
fn unfolded(passage: &Value) -> Vec<(i64, i64, i64)> {
    let (mut i, mut j) = (passage["a"][0].as_i64().unwrap(), passage["b"][0].as_i64().unwrap());
    let runs: Vec<i64> = passage["runs"].as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect();
    let mut matched = Vec::new();
    for run in runs.chunks(4) {
        (i, j) = (i + run[0], j + run[1]);
        matched.extend((0..run[2]).map(|at| (i + at, j + at, run[3])));
        (i, j) = (i + run[2], j + run[2]);
    }
    matched
}

#[test]
fn words_stand_where_scripts_count_them() {
    let text = format!("🐝 naïve\r\nwörd \u{202e}𝒳yz\x0c{TIDES}");
    let screening = screened(&[("a", &text), ("b", TIDES)]);
    let data = data(&Page::new(20), &screening);
    let units: Vec<u16> = data["texts"][0]["text"].as_str().unwrap().encode_utf16().collect();
    let spans = numbers(&data["texts"][0]["spans"]);
    let mut at = 0;
    for (word, span) in screening.texts[0].words.as_slice().iter().zip(spans.chunks(2)) {
        let start = at + span[0];
        at = start + span[1];
        let expected = &text[word.start as usize..word.end as usize];
        assert_eq!(String::from_utf16(&units[start..at]).unwrap(), expected);
    }
    assert_eq!(spans.len(), 2 * screening.texts[0].words.len());
}

#[test]
fn disguises_stand_where_they_are_marked() {
    let text = format!("🐝 \u{202e}{}", TIDES.replace("moon", "mооn").replacen("water", "wa\u{200b}t\u{435}r", 1));
    let screening = screened(&[("a", &text), ("b", TIDES)]);
    let shown = &data(&Page::new(20), &screening)["texts"][0];
    let units: Vec<u16> = shown["text"].as_str().unwrap().encode_utf16().collect();
    let marks: Vec<(String, &Value, &Value)> = shown["disguised"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mark| {
            let [at, length] = ["at", "length"].map(|key| mark[key].as_u64().unwrap() as usize);
            (String::from_utf16(&units[at..at + length]).unwrap(), &mark["lookalikes"], &mark["hidden"])
        })
        .collect();
    let json = |value: &str| serde_json::from_str::<Value>(value).unwrap();
    let (none, o) = (json("[]"), json(r#"[["о", "o"]]"#));
    let expected = [
        ("\u{fffd}".to_owned(), &none, &json("[8238]")),
        ("mооn".to_owned(), &o, &none),
        ("wa\u{200b}t\u{435}r".to_owned(), &json(r#"[["\u0435", "e"]]"#), &json("[8203]")),
    ];
    assert_eq!(marks, expected);
}

#[test]
fn a_text_of_nothing_but_disguises_has_some_of_them_marked() {
    let masked = "tеxts ".repeat(6000);
    let data = data(&Page::new(20), &screened(&[("a", &masked), ("b", &masked)]));
    let text = &data["texts"][0];
    assert_eq!((text["disguised"].as_array().unwrap().len(), &text["unmarked"]), (5000, &serde_json::json!(1000)));
}

#[test]
fn what_was_left_out_is_told() {
    let exclude = Exclude { quotations: true, common: true, ..Exclude::default() };
    let page = Page { exclude, templates: 2, against: true, ..Page::new(20) };
    let data = data(&page, &screened(&[("a", TIDES), ("b", TIDES)]));
    let expected = serde_json::json!({
        "quotations": true, "bibliography": false, "templates": 2, "common": true, "code": false, "names": false,
    });
    assert_eq!((&data["as_screened"], &data["against"]), (&expected, &serde_json::json!(true)));
}

#[test]
fn what_there_is_no_room_for_is_told() {
    let long = format!("{TIDES} {BEES} {BEES}");
    let screening = screened(&[("a", TIDES), ("b", TIDES), ("c", &long)]);
    assert_eq!(screening.matches.len(), 3);
    let few = data(&Page { max_pairs: 1, ..Page::new(20) }, &screening);
    let words = screening.matches[1].share.matched;
    let of = screening.texts[screening.matches[1].suspicious as usize].counted();
    assert_eq!(few["omitted"]["pairs"], serde_json::json!({"count": 2, "words": words, "of": of}));
    assert_eq!(few["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(few["texts"][2]["omitted"], 2);
    assert_eq!(
        few["texts"][2]["matched"].as_u64(),
        Some(screening.shares()[2].matched as u64),
        "figures are of all pairs"
    );
    assert!(few["texts"][2]["text"].is_null(), "no pair shows it");

    // Room for the first two texts, not for the long one.
    let small = data(&Page { max_text: 3 * TIDES.len(), ..Page::new(20) }, &screening);
    assert_eq!((small["omitted"]["texts"].as_u64(), small["omitted"]["pairs"]["count"].as_u64()), (Some(2), Some(0)));
    let has_text = [0, 1, 2].map(|number| small["texts"][number]["text"].is_string());
    assert_eq!(has_text, [true, true, false]);
    let has_runs = [0, 1, 2].map(|pair| small["pairs"][pair]["passages"][0]["runs"].is_array());
    assert_eq!(has_runs, [true; 3], "figures need them");
}

#[test]
fn a_screening_gives_one_page() {
    let texts = [("a", TIDES), ("b", TIDES), ("c", BEES)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("texts.jsonl");
    let lines: Vec<String> =
        texts.iter().map(|(id, text)| serde_json::json!({"id": id, "text": text}).to_string()).collect();
    fs::write(&path, lines.join("\n")).unwrap();
    assert_eq!(written(&of_file(&path)), written(&of_file(&path)));
    assert!(written(&screened(&[])).contains("\"pairs\":[]"), "a page without documents is one too");
}

#[test]
fn a_dossier_has_one_document_and_its_sources() {
    let both = format!("{TIDES} {BEES}");
    let screening = screened(&[("stranger", BEES), ("anna", TIDES), ("cleo", &both), ("ben", TIDES)]);
    let number = screening.texts.iter().position(|text| text.id == "anna").unwrap() as u32;
    let data = data(&Page { dossier: Some(number), ..Page::new(20) }, &screening);
    let names: Vec<&str> = data["texts"].as_array().unwrap().iter().map(|text| text["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["anna", "cleo", "ben"], "nobody else is named");
    assert_eq!((&data["dossier"], &data["suspicious"]), (&serde_json::json!(0), &serde_json::json!(3)));
    let pairs = data["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 2);
    assert!(pairs.iter().all(|pair| pair["suspicious"] == 0 || pair["source"] == 0), "{pairs:?}");
    let anna = screening.shares()[number as usize];
    assert_eq!(data["texts"][0]["matched"].as_u64(), Some(anna.matched as u64));
}

/// Every row of the table has a text in each language, with the same values and the forms of its numbers.
#[test]
fn the_table_of_texts_is_complete() {
    let source = super::html::ALL_TEXTS.concat();
    let rows = rows_of(&source);
    assert!(rows.len() > 130, "{}", rows.len());
    for (key, texts) in rows {
        assert_eq!(texts.len(), 7, "{key}: {texts:?}");
        let values = |text: &str| {
            let first = text.split('|').next_back().unwrap();
            let named = first.split('{').skip(1).filter_map(|part| part.split('}').next());
            let mut values: Vec<String> = named.map(str::to_owned).collect();
            values.sort_unstable();
            values
        };
        let forms = [2, 2, 2, 2, 3, 1, 5];
        for (text, forms) in texts.iter().zip(forms) {
            assert!(!text.is_empty(), "{key}");
            assert_eq!(values(text), values(&texts[0]), "{key}: {text}");
            let found = text.split('|').count();
            assert_eq!(found, if texts[0].contains('|') { forms } else { 1 }, "{key}: {text}");
        }
    }
}

/// Readers of each language have the reasons for which files were not read.
#[test]
fn every_reason_has_a_row() {
    let documented = include_str!("../../../../../docs/output.md").split_once("\nKinds: ").unwrap().1;
    let documented = documented.split_once(".\n").unwrap().0;
    let kinds: Vec<&str> = documented.split('`').skip(1).step_by(2).collect();
    let rows = rows_of(crate::report::page::REASONS);
    let has = |kind: &&&str| rows.iter().any(|(key, _)| key == **kind);
    assert!(kinds.len() > 25 && kinds.iter().filter(has).count() == kinds.len(), "{kinds:?}");
}

#[test]
fn kinds_quotations_and_dates_are_in_the_data() {
    let quoting = format!("As Lee (2004) says: “{TIDES}” And so on, and more, and nothing else.");
    let mut screening = screened(&[("quoting", &quoting), ("tides", TIDES)]);
    screening.texts[1].date = Some((1_795_163_400, nearcopy::store::file::format::DateOrigin::Archive));
    let data = data(&Page::new(20), &screening);
    let passage = &data["pairs"][0]["passages"][0];
    let number = data["pairs"][0]["suspicious"].as_u64().unwrap() as usize;
    let mut expected = ["cited", "none"];
    expected.rotate_left(number);
    assert_eq!((passage["kind"].as_str(), &passage["quotations"]), (Some("copied"), &serde_json::json!(expected)));
    assert_eq!(data["texts"][0]["date"], Value::Null);
    assert_eq!(data["texts"][1]["date"], serde_json::json!([1_795_163_400, "archive"]));
}

/// The rows `key: ['…', '…']` of the table.
fn rows_of(source: &str) -> Vec<(String, Vec<String>)> {
    let mut rows = Vec::new();
    for part in source.split("],\n") {
        let Some((before, list)) = part.split_once(": [") else { continue };
        let key = before.rsplit(['\n', '{']).next().unwrap_or_default().trim().trim_matches('\'').to_owned();
        let texts = list.split('\'').skip(1).step_by(2).map(str::to_owned).collect();
        rows.push((key, texts));
    }
    rows.retain(|(key, _)| !["es", "en", "ru"].contains(&key.as_str()));
    rows
}
