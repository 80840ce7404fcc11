//! The overview of made-up runs: nothing found, one cluster, a million documents, and
//! hostile strings.

mod pages;

use std::collections::BTreeMap;
use std::time::Duration;

use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::search::hot_keys::Crowded;
use nearcopy::search::plan::Plan;
use nearcopy::similarity::{Equality, Removal, Rules};

use super::*;

fn recipe() -> Recipe {
    Fingerprinter::new(Options::default()).unwrap().recipe().clone()
}

/// A run that found no document at all.
fn nothing() -> Overview {
    Overview {
        command: "find".into(),
        command_line: "dedup find --report 'an overview.html' empty/".into(),
        made: SystemTime::UNIX_EPOCH + Duration::from_secs(1_763_800_000),
        keep: Keep::default().into(),
        inputs: vec!["empty/".into()],
        tally: Some(Tally::default()),
        documents: 0,
        empty: 0,
        exact: 0,
        near: 0,
        languages: BTreeMap::new(),
        similarities: Similarities::default(),
        sizes: BTreeMap::new(),
        largest: Vec::new(),
        plan: Plan::new(Rules::default(), 25, 0, 0.99),
        recipe: recipe(),
        warnings: Vec::new(),
        crowded: Crowded::default(),
        claims: None,
        review: None,
    }
}

fn document(id: &str, language: &str, text: &str) -> ShownDocument {
    let bytes = text.len() as u64;
    ShownDocument { id: id.into(), text: Some(text.into()), language: language.into(), bytes, figures: None }
}

fn member(distance: u32, jaccard: f64, document: ShownDocument) -> ShownDocument {
    let figures = Figures {
        distance: Some(distance),
        jaccard_estimate: Some(jaccard),
        jaccard: Some(jaccard),
        containment_a: Some(0.96),
        containment_b: Some(0.97),
        equality: if jaccard >= 1.0 { Equality::Text } else { Equality::None },
        words: 100,
        substituted: false,
        other_format: false,
    };
    let held = Rules::default().judge(&figures);
    ShownDocument { figures: Some((figures, held)), ..document }
}

/// Two articles that differ in a word, searched by their fingerprints.
fn one_cluster() -> Overview {
    let mut similarities = Similarities::default();
    similarities.add(0.9);
    Overview {
        inputs: vec!["news.fp".into()],
        tally: None,
        documents: 3,
        near: 1,
        languages: [("eng".into(), 3)].into(),
        similarities,
        sizes: [(2, 1)].into(),
        largest: vec![Shown {
            size: 2,
            survivor: document("a.txt", "eng", "The harbour closes at low water."),
            members: vec![member(2, 0.9, document("b.txt", "eng", "The harbour opens at low water!"))],
        }],
        ..nothing()
    }
}

const CLAIMS: Claims = Claims {
    remove: Removal::Contained,
    same: 1,
    contained: 2,
    edited: 0,
    to_review: 3,
    in_families: 12,
    other_formats: 0,
};

/// A large corpus with many languages and problems.
#[expect(clippy::too_many_lines, reason = "one line for each field")]
fn million() -> Overview {
    let counts = |list: &[(&str, u64)]| list.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
    let mut similarities = Similarities::default();
    for (step, count) in [(0.42, 3), (0.5, 60), (0.61, 180), (0.7, 700), (0.83, 2_150), (0.9, 9_000), (0.98, 33_586)] {
        (0..count).for_each(|_| similarities.add(step));
    }
    let english = "The town library opens its new reading room on Monday. Visitors can borrow headphones at the desk, \
                   and the garden behind the building stays open until dusk.";
    let mut cut = document(&format!("archive/{}/000123.html", "very-long-folder-name-".repeat(9)), "eng", english);
    cut.bytes = 48_213;
    Overview {
        command: "clean".into(),
        inputs: (1..=30).map(|part| format!("corpus/part-{part:02}.jsonl.zst")).collect(),
        tally: Some(Tally {
            files: 30,
            documents: 1_000_000,
            bytes: 3_420_000_000,
            empty: 12,
            nulls: 0,
            replaced: 17,
            in_part: 0,
            renamed: 0,
            unnamed: 0,
            problems: counts(&[
                ("too long", 20),
                ("malformed JSON", 12),
                ("unreadable", 3),
                ("missing field", 1),
                ("not a text", 1),
            ]),
            languages: BTreeMap::new(),
            links: 2,
            hard_links: 0,
            keys: 0,
            others: 0,
        }),
        documents: 1_000_000,
        empty: 12,
        exact: 12_345,
        near: 45_679,
        languages: counts(&[
            ("eng", 812_345),
            ("cmn", 100_000),
            ("ara", 50_000),
            ("deu", 20_000),
            ("fra", 9_000),
            ("spa", 5_000),
            ("rus", 2_000),
            ("heb", 1_000),
            ("tha", 500),
            ("und", 120),
            ("lao", 34),
            ("x-new", 1),
        ]),
        similarities,
        sizes: [(2, 15_000), (3, 3_000), (4, 800), (5, 200), (7, 150), (40, 60), (700, 30), (1_204, 1)].into(),
        largest: vec![
            Shown {
                size: 1_204,
                survivor: cut.clone(),
                members: vec![
                    member(
                        1,
                        0.9539,
                        ShownDocument {
                            text: Some(english.replace("Monday", "Friday").replace("can borrow", "borrow free")),
                            id: "mirror/000123.html".into(),
                            ..cut.clone()
                        },
                    ),
                    member(0, 1.0, ShownDocument { id: "copy/000123.html".into(), ..cut }),
                ],
            },
            Shown {
                size: 700,
                survivor: document(
                    "أخبار/١٢٣.txt",
                    "ara",
                    "يغلق الميناء أبوابه عند انخفاض مياه البحر يوم الأحد، ثم يفتحها في الصباح.",
                ),
                members: vec![member(
                    3,
                    0.71,
                    document(
                        "أخبار/١٢٤.txt",
                        "ara",
                        "يغلق الميناء أبوابه عند ارتفاع مياه البحر يوم الأحد، ثم يفتحها في المساء.",
                    ),
                )],
            },
            Shown {
                size: 700,
                survivor: document("新闻/一.txt", "cmn", "港口星期日在低潮时关闭，早上重新开放。"),
                members: vec![
                    member(2, 0.8, document("新闻/二.txt", "cmn", "港口星期一在高潮时关闭，早上重新开放。")),
                    ShownDocument { text: None, ..member(9, 0.5, document("新闻/三.fp", "cmn", "")) },
                ],
            },
        ],
        plan: Plan::new(Rules::default(), 25, 1_000_000, 0.99),
        warnings: vec!["corpus/part-07.jsonl.zst ends early".into()],
        crowded: a_few_crowded(),
        claims: Some(CLAIMS),
        ..nothing()
    }
}

/// Five of a million documents are not found by one key.
fn a_few_crowded() -> Crowded {
    let mut crowded = Crowded::default();
    (0..1_000_000).for_each(|document| crowded.count(u64::from(document < 5)));
    crowded
}

/// Every string is an attack.
fn hostile() -> Overview {
    let attack = "</style></title></script><img src=x onerror=alert(1)>\"' onload='x' <svg/onload=y>\u{202e}\u{2069}\0\x1b[2J&lt;<!--]]>";
    let mut survivor = document(attack, attack, &format!("one {attack} two"));
    survivor.bytes = 7;
    let bad = member(0, 0.5, document(attack, attack, &format!("{attack} three <script>alert(2)</script>")));
    let counts: BTreeMap<String, u64> = [(attack.to_owned(), 1)].into();
    Overview {
        command: attack.into(),
        command_line: attack.into(),
        keep: Policy::Source(vec![attack.into()]),
        inputs: vec![attack.into(); 40],
        tally: Some(Tally { problems: counts.clone(), ..Tally::default() }),
        documents: 2,
        languages: counts,
        largest: vec![Shown { size: 2, survivor, members: vec![bad] }],
        recipe: Recipe {
            language: attack.into(),
            stop_words: attack.into(),
            polynomial: attack.into(),
            sketch_seed: attack.into(),
            probe: attack.into(),
            ..recipe()
        },
        warnings: vec![attack.into(); 200],
        ..one_cluster()
    }
}

fn all() -> [Overview; 4] {
    [nothing(), one_cluster(), million(), hostile()]
}

fn text(overview: &Overview) -> String {
    let mut out = Vec::new();
    overview.write_text(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_summary() {
    assert_eq!(
        text(&million()),
        "\
dedup clean           corpus/part-01.jsonl.zst, corpus/part-02.jsonl.zst, corpus/part-03.jsonl.zst, \
         corpus/part-04.jsonl.zst and 26 more

searched                 1,000,000 documents            (30 files, 3.42 GB of text)
without words                   12 documents  < 0.01 %  (they match only identical texts)
same                             1 document   < 0.01 %  (equal words in equal order)
contained                        2 documents  < 0.01 %  (stands whole in one that stays)
kept                       941,976 documents   94.19 %  (--remove edited would remove 3 of them)
clusters                    19,241 clusters             (77,265 documents in them, 1,204 in the largest)
skipped                         37 files or records     (could not be read; see below)
   too long                     20
   malformed JSON               12
   unreadable                    3
   2 other reasons               2

largest clusters             1,204 documents    0.12 %  \
         survivor archive/very-long-folder-name-very-long-folder-nam…ng-folder-name-very-long-folder-name-/000123.html
                               700 documents    0.07 %  survivor أخبار/١٢٣.txt
                               700 documents    0.07 %  survivor 新闻/一.txt

languages                  812,345 documents   81.23 %  English (eng)
                           100,000 documents   10.00 %  Chinese (cmn)
                            50,000 documents    5.00 %  Arabic (ara)
                            20,000 documents    2.00 %  German (deu)
                             9,000 documents    0.90 %  French (fra)
                             5,000 documents    0.50 %  Spanish (spa)
                             2,000 documents    0.20 %  Russian (rus)
                             1,655 documents    0.16 %  5 other languages

candidates            21 keys of the sketch (2 of 3 minima, 7 groups), 10 keys of the simhash
expected recall       at least 99.17 % of the pairs at Jaccard 50 %, 99.93 % at 60 %, 99.99 % at 70 %

note: 17 documents had malformed bytes, which were replaced; --encoding sets an encoding
note: skipped 2 symbolic links in folders
note: 12 documents are no edited copies but part of a family: near to another, while three or more fill the same place in different ways
note: 5 documents that stay share a key of their sketches with more than 64 others that stay; a document that shares only such keys with one of them was not compared with it; the expected recall counts this
note: corpus/part-07.jsonl.zst ends early
"
    );
}

#[test]
fn a_summary_of_little() {
    assert_eq!(
        text(&one_cluster()),
        "\
dedup find            news.fp

searched                         3 documents            (from fingerprint files)
exact duplicates                 0 documents    0.00 %  (the same text as another in their cluster)
near-duplicates                  1 document    33.33 %  \
         (Hamming distance at most 3 of 64 bits, or Jaccard at least 50 %)
kept                             2 documents   66.66 %  (one of each cluster, and all that are in none)
clusters                         1 cluster              (2 documents in them, 2 in the largest)

largest clusters                 2 documents   66.66 %  survivor a.txt

languages                        3 documents  100.00 %  English (eng)

candidates            21 keys of the sketch (2 of 3 minima, 7 groups), every simhash scanned
expected recall       at least 99.17 % of the pairs at Jaccard 50 %, 99.93 % at 60 %, 99.99 % at 70 %
"
    );
}

#[test]
fn a_summary_of_nothing() {
    let rules = Rules::of(Some(3), None);
    let overview = Overview { plan: Plan::new(rules, 25, 0, 0.99), ..nothing() };
    assert_eq!(
        text(&overview),
        "\
dedup find            empty/

searched                         0 documents            (0 files, 0 bytes of text)
exact duplicates                 0 documents         –  (the same text as another in their cluster)
near-duplicates                  0 documents         –  (Hamming distance at most 3 of 64 bits)
kept                             0 documents         –  (one of each cluster, and all that are in none)
clusters                         0 clusters             (no two documents are near)
skipped                          0 files or records     (everything could be read)

candidates            every simhash scanned
"
    );
}

/// However long the lists are.
#[test]
fn a_summary_fits_on_a_screen() {
    let names = |count: u64| (0..count).map(|at| (format!("name {at}"), at + 1)).collect::<BTreeMap<_, _>>();
    let full = million();
    let overfull = Overview {
        tally: full.tally.clone().map(|tally| Tally { problems: names(30), ..tally }),
        languages: names(90),
        largest: full.largest.iter().cycle().take(50).cloned().collect(),
        warnings: vec!["a warning".into(); 50],
        ..full
    };
    let lines = text(&overfull).lines().count();
    assert!((35..=40).contains(&lines), "{lines} lines");
}

#[test]
fn no_string_commands_the_terminal() {
    let text = text(&hostile());
    assert!(text.contains("␛[2J") && !text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'));
}

#[test]
fn a_step_has_its_lower_bound() {
    let mut similarities = Similarities::default();
    for twentieth in 0..=20 {
        similarities.add(f64::from(twentieth) / 20.0);
    }
    let counts: Vec<u64> = similarities.steps().map(|(_, _, count)| count).collect();
    assert_eq!(counts, [&[1; 19][..], &[2]].concat());
    similarities.add(0.499_999);
    assert_eq!(similarities.steps().nth(9), Some((45, 50, 2)));
    assert_eq!(similarities.total(), 22);
}

#[test]
fn values_under_the_keys_of_the_house() {
    let values = serde_json::to_value(one_cluster()).unwrap();
    assert_eq!(values["clusters"], 1);
    assert_eq!(values["kept"], 2);
    assert_eq!(values["read"], serde_json::Value::Null);
    assert_eq!(
        values["largest"],
        serde_json::json!([{
            "survivor": "a.txt",
            "size": 2,
            "members": [{
                "id": "b.txt", "distance": 2, "jaccard_estimate": 0.9, "jaccard": 0.9,
                "containment_a": 0.96, "containment_b": 0.97, "rules": ["hamming", "jaccard"]
            }]
        }])
    );
    assert_eq!(values["cluster_sizes"], serde_json::json!([{"size": 2, "clusters": 1}]));
    assert_eq!(values["similarities"][18], serde_json::json!({"from": 0.9, "to": 0.95, "members": 1}));
    assert_eq!(values["recall"][0]["jaccard"], 0.5);
}
