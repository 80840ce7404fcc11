//! The plain rule is the specification: folded lines with the sets of documents that have them, and each document cut again
//! and again.

mod apart;

use std::collections::{BTreeMap, HashMap, HashSet};

use proptest::prelude::*;
use proptest::test_runner::TestRng;

use super::fold::fold_plainly;
use super::*;
use crate::cutting::in_memory::{Texts, in_order};
use crate::text::plain_words;

fn settings() -> Settings {
    Settings {
        by_paragraph: false,
        max_documents: 2,
        per_site: None,
        counts: None,
        all_lines: true,
        keeps_none: false,
        limits: Limits { min_left: 1, max_cut: 1.0 },
        memory: 1 << 16,
        temp: std::env::temp_dir(),
    }
}

fn found(texts: &[String], settings: &Settings, is_longest: bool) -> Lines {
    found_at(texts, &[], settings, is_longest)
}

fn found_at(texts: &[String], sites: &[u32], settings: &Settings, is_longest: bool) -> Lines {
    find(&mut Texts { all: texts, is_longest, sites }, settings).unwrap()
}

fn words(text: &str) -> u32 {
    let mut words = Vec::new();
    plain_words::Reader::new(false).read(text, |word| words.push(word));
    words.len() as u32
}

/// The lines of a text, or its paragraphs with the empty lines behind them, empty lines before the first among them.
fn parts(text: &str, by_paragraph: bool) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        let is_new = parts.last().is_none_or(|last| {
            let ends = last.trim().is_empty() || last.lines().last().is_some_and(|last| last.trim().is_empty());
            !by_paragraph || ends && !line.trim().is_empty()
        });
        if is_new { parts.push(line.to_owned()) } else { *parts.last_mut().unwrap() += line }
    }
    parts
}

/// The plain rule: each text without its lines; `None` if it goes whole.
fn plain(texts: &[String], sites: &[u32], settings: &Settings, is_longest: bool) -> Vec<Option<String>> {
    let documents: Vec<Vec<String>> = texts.iter().map(|text| parts(text, settings.by_paragraph)).collect();
    let mut of: HashMap<String, HashSet<usize>> = HashMap::new();
    for (number, parts) in documents.iter().enumerate() {
        for part in parts {
            of.entry(fold_plainly(part)).or_default().insert(number);
        }
    }
    of.remove("");
    // The scope in which the line of a document is common: 0 for all documents, or its site.
    let scope = |part: &str, number: usize| {
        let of = of.get(&fold_plainly(part))?;
        let is_of_site = |other: &usize| sites[*other] == sites[number];
        let pages = of.iter().filter(|other| is_of_site(other)).count();
        let all = (0..texts.len()).filter(is_of_site).count();
        let is_many = settings.per_site.is_some_and(|share| pages as f64 > share * all as f64);
        if of.len() as u32 > settings.max_documents {
            Some(0)
        } else {
            Some(sites[number]).filter(|&site| site > 0 && pages >= 3 && is_many)
        }
    };
    // The end of a sentence whose beginning, in the line above, stays.
    let is_tail = |parts: &[String], at: usize, number: usize| {
        at > 0 && !settings.by_paragraph && {
            let [above, line] = [&parts[at - 1], &parts[at]];
            let is_open = !above.trim_end().ends_with(['.', '!', '?', ':', '。']);
            let ends = line.trim_end().ends_with(['.', '!', '?', ':', '。']);
            let follows = words(above) >= LONG && is_open && ends && line.trim_start().starts_with(char::is_lowercase);
            follows && scope(above, number).is_none()
        }
    };
    let mut kept: HashSet<(String, u32)> = HashSet::new();
    let mut left: Vec<Option<String>> = texts.iter().cloned().map(Some).collect();
    for number in in_order(&texts.iter().map(|text| text.len() as u32).collect::<Vec<_>>(), is_longest) {
        let number = number as usize;
        let mut stays: Vec<(usize, String)> = documents[number].iter().cloned().enumerate().collect();
        let mut own: BTreeMap<usize, String> = BTreeMap::new();
        let may = |stays: &[(usize, String)], at: usize| {
            let is_full = |part: &&(usize, String)| !part.1.trim().is_empty();
            let [above, below] = [&stays[..at], &stays[at + 1..]].map(|side| side.iter().filter(is_full).count());
            let (place, part) = &stays[at];
            let is_at_edge = above.min(below) < EDGE as usize;
            let may = scope(part, number).is_some() && (words(part) >= LONG || is_at_edge);
            may && !is_tail(&documents[number], *place, number)
        };
        let mut keeps = Vec::new();
        while let Some(at) = (0..stays.len()).find(|&at| may(&stays, at)) {
            let (place, part) = stays.remove(at);
            let line = (fold_plainly(&part), scope(&part, number).unwrap());
            if !settings.keeps_none && !kept.contains(&line) {
                own.insert(place, part);
            }
            keeps.push(line);
        }
        own.extend(stays);
        let stays: Vec<String> = own.into_values().collect();
        let all = words(&texts[number]);
        let rest = words(&stays.concat());
        let limits = settings.limits;
        if rest < all && rest < limits.min_left {
            left[number] = None;
            continue;
        }
        kept.extend(keeps);
        if f64::from(all - rest) <= limits.max_cut * f64::from(all) {
            left[number] = Some(stays.concat());
        }
    }
    left
}

/// Each text without the cuts of the fast rule; `None` if it goes whole.
fn left(texts: &[String], lines: &Lines) -> Vec<Option<String>> {
    let mut kept: Vec<(String, u32, u32)> = vec![(String::new(), 0, 0); texts.len()];
    for cut in lines.cuts.read().unwrap() {
        let Cut { document, start, end, words: of, line } = cut.unwrap();
        let text = &texts[document as usize];
        let (left, at, characters) = &mut kept[document as usize];
        let cut = &text[start.byte as usize..end.byte as usize];
        *left += &text[*at as usize..start.byte as usize];
        *characters += text[*at as usize..start.byte as usize].chars().count() as u32;
        assert_eq!((*characters, of), (start.character, words(cut)), "{text:?} {cut:?}");
        *characters += cut.chars().count() as u32;
        assert_eq!(*characters, end.character);
        *at = end.byte;
        if let Some(line) = line {
            let Line { first, documents } = lines.lines[line as usize];
            let (first, place) = first.unwrap();
            let there = texts[first as usize][place.byte as usize..].split_inclusive('\n');
            // A paragraph has the line and what follows.
            assert!(documents > 2 && fold_plainly(cut).starts_with(&fold_plainly(there.into_iter().next().unwrap())));
        }
    }
    let of = |((text, number), (left, at, _)): ((&String, u32), (String, u32, u32))| {
        let left = left + &text[at as usize..];
        let is_gone = lines.gone.contains(&number);
        assert!(!is_gone || left.is_empty(), "all of a document that goes is listed");
        (!is_gone).then_some(left)
    };
    texts.iter().zip(0..).zip(kept).map(of).collect()
}

/// A corpus of lines that return: long and short ones, other scripts, lines without words, empty ones.
fn corpus(random: &mut TestRng) -> Vec<String> {
    const LINES: &[&str] = &[
        "Home",
        "Next page",
        "Page 1 of 9",
        "page 2 OF 8.",
        "All rights reserved, and no other terms apply",
        "ALL RIGHTS RESERVED — and no other terms apply!",
        "---",
        "",
        " ",
        "The tide comes in twice a day here",
        "They tell of it in all that has",
        "been corrected.",
        "研究海洋的人每天都记录水面的高度。",
        "版权所有",
        "👍",
        "Café au lait",
        "cafe au lait",
        "one",
        "two",
        "three",
        "four",
        "Nobody winds the clock on the tower any more",
        "five",
        "six",
        "seven",
    ];
    const ENDS: &[&str] = &["\n", "\r\n", "\n\n", "\n"];
    let line = |random: &mut TestRng| LINES[random.random_range(0..LINES.len())];
    let mut texts: Vec<String> = (0..random.random_range(1..16))
        .map(|_| {
            let count = random.random_range(0..30);
            let mut text: String =
                (0..count).map(|_| line(random).to_owned() + ENDS[random.random_range(0..ENDS.len())]).collect();
            if random.random_range(0..3) == 0 {
                text += line(random);
            }
            text
        })
        .collect();
    if random.random_range(0..4) == 0 {
        texts.extend(vec![texts[0].clone(); 5]);
    }
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 600 }))]

    #[test]
    fn lines_are_those_of_the_plain_rule(
        texts in Just(()).prop_perturb(|(), mut random| corpus(&mut random)),
        max_documents in 2u32..5,
        (by_paragraph, keeps_none, is_longest) in any::<(bool, bool, bool)>(),
        min_left in 0u32..12,
        per_site in prop::option::of(0.0..1.0),
        max_cut in prop::sample::select(vec![0.0, 0.3, 0.5, 1.0, 1.0]),
    ) {
        let limits = Limits { min_left, max_cut };
        let settings = Settings { by_paragraph, max_documents, per_site, keeps_none, limits, ..settings() };
        let sites: Vec<u32> = texts.iter().map(|text| text.len() as u32 % 3).collect();
        let lines = found_at(&texts, &sites, &settings, is_longest);
        let left = left(&texts, &lines);
        prop_assert_eq!(&left, &plain(&texts, &sites, &settings, is_longest));
        if max_cut > 0.9 && per_site.is_none() {
            // A second run cuts nothing.
            let again: Vec<String> = left.into_iter().flatten().collect();
            prop_assert_eq!(found(&again, &settings, is_longest).totals, Totals::default(), "{:?}", again);
        }
    }
}

const FOOTER: &str = "This page belongs to the harbour office";

#[test]
fn the_limit_is_exact() {
    for copies in [1, 2, 3, 10] {
        let text = |number: u32| match number {
            number if number < copies => {
                format!("Tides of place {}\nand others\n{FOOTER} {number}.\n", "x".repeat(number as usize + 1))
            }
            number => "y".repeat(number as usize + 1),
        };
        let texts: Vec<String> = (0..20).map(text).collect();
        let lines = found(&texts, &settings(), false);
        let expected = if copies > 2 { u64::from(copies) - 1 } else { 0 };
        assert_eq!(lines.totals.lines, 2 * expected);
        let first = Place { byte: 28, character: 28 };
        assert!(expected == 0 || lines.lines.contains(&Line { documents: copies, first: Some((0, first)) }));
    }
}

#[test]
fn short_lines_go_at_the_edges_alone() {
    let body: String = (0..12).map(|number| "z".repeat(number + 1) + "\n").collect();
    let text = format!("{}{body}Next\n{body}Next\n", "Home\nTides\nMoon\nMaps\nHelp\nNews\nJobs\n".repeat(2));
    let texts: Vec<String> = ["q", "r", "s", "t"].map(|letter| text.replace('z', letter)).into();
    let left = left(&texts, &found(&texts, &settings(), false));
    // The menu is at the edge as a whole, as its lines do not count there.
    let body = body.replace('z', "r");
    assert_eq!(left[1].as_deref(), Some(&*format!("{body}Next\n{body}")));
    assert_eq!(left[0].as_deref(), Some(&*texts[0]));
}

#[test]
fn the_end_of_a_sentence_stays_with_it() {
    let text =
        |letter: &str| format!("{letter} {letter}\nThey tell of {letter} and of all that has\nbeen corrected.\n");
    let own: Vec<String> = ["q", "r", "s", "t"].map(text).into();
    assert_eq!(found(&own, &settings(), false).totals, Totals::default());
    let equal: Vec<String> = own.iter().map(|text| text.replace("of q", "of r").replace("of s", "of r")).collect();
    let left = left(&equal, &found(&equal, &settings(), false));
    let left: Vec<&str> = left.iter().flatten().map(String::as_str).collect();
    assert_eq!(left, [&*equal[0], "r r\n", "s s\n", &*own[3]]);
}

#[test]
fn numbers_with_points_tell_lines_apart() {
    let text = |number: u32| {
        format!(
            "Release notes of version 2.{number}.0\n{}\nPage {number} of the notes\n",
            "x".repeat(number as usize + 1)
        )
    };
    let texts: Vec<String> = (0..4).map(text).collect();
    let left = left(&texts, &found(&texts, &settings(), false));
    assert_eq!(left[1].as_deref(), Some("Release notes of version 2.1.0\nxx\n"));
}

#[test]
fn code_and_tables_are_left_alone() {
    let code = "import sys\n\ndef tides(hours):\n    for hour in hours:\n        print(hour, end=\" \")\n";
    let table = "Brest    6:12  high water of the day\nCork     4:10  high water of the day\nVigo     3:55  high water of the day\n";
    let texts = [format!("{code}\n{FOOTER}\n{table}a\n"), format!("{code}{FOOTER}\nb\n{table}")];
    // Code and tables are not most of them.
    let with_prose = |(number, text): (usize, &String)| format!("{}\n{text}", "tides ".repeat(40 + number));
    let texts: Vec<String> = texts.iter().cycle().take(6).enumerate().map(with_prose).collect();
    let cut = |all_lines| {
        let lines = found(&texts, &Settings { all_lines, ..settings() }, false);
        lines.cuts.read().unwrap().map(Result::unwrap).filter(|cut| cut.document == 1).count()
    };
    assert_eq!(cut(false), 1);
    // The other line that is as short stays with the first document that has it.
    assert_eq!(cut(true), 8);
}

/// Numbers have one digit for all, so rows of them are equal.
#[test]
fn a_program_loses_nothing() {
    let row = |number: u64| (0..8).map(|at| format!("{},", 1000 + (number * 37 + at * 131) % 9000)).collect::<String>();
    let text = |number: u64| {
        let rows: String = (0..6).map(|at| format!("    {}\n", row(number * 6 + at))).collect();
        format!(
            "import sys\n\ndef check_{number}(v):\n    # the table of all harbours there are\n    table = (\n{rows}    )\n    \
             try:\n        x{number} = int(v)\n        return True\n    except ValueError:\n        return False\n"
        )
    };
    let texts: Vec<String> = (0..12).map(text).collect();
    let cut = |all_lines| found(&texts, &Settings { all_lines, ..settings() }, false).cuts.read().unwrap().count();
    assert_eq!(cut(false), 0);
    assert!(cut(true) > 11 * 8);
}

/// The texts left of parts of a corpus that are counted one after the other, then cut, with a file of counts; `None` for
/// parts that have the same lines, of which the second is taken for the first.
fn left_of_parts(texts: &[String], at: usize, settings: &Settings) -> Option<Vec<Option<String>>> {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { counts: Some(folder.path().join("counts")), ..settings.clone() };
    let (first, second) = texts.split_at(at);
    let total = [first, second, first].map(|part| found(part, &settings, false).counted.unwrap());
    assert!(!total[0].was_known);
    assert_eq!(Total { was_known: true, ..total[1] }, total[2]);
    let parts = [first, second].into_iter();
    (!total[1].was_known).then(|| parts.flat_map(|part| left(part, &found(part, &settings, false))).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 200 }))]

    #[test]
    fn parts_that_are_counted_apart_lose_what_the_whole_loses(
        texts in Just(()).prop_perturb(|(), mut random| corpus(&mut random)),
        at in any::<prop::sample::Index>(),
        keeps_none in any::<bool>(),
    ) {
        let settings = Settings { keeps_none, limits: Limits { min_left: 0, max_cut: 1.0 }, ..settings() };
        // Where one text keeps a line, it is the first that has it if all lines may go.
        let long = |text: &String| text.lines().filter(|line| words(line) >= LONG).map(|line| format!("{line}\n")).collect();
        let texts: Vec<String> = if keeps_none { texts } else { texts.iter().map(long).collect() };
        let at = at.index(texts.len() + 1);
        let of_parts = left_of_parts(&texts, at, &settings);
        prop_assume!(of_parts.is_some());
        prop_assert_eq!(of_parts.unwrap(), left(&texts, &found(&texts, &settings, false)));
    }
}

#[test]
fn counts_are_refused_if_they_are_others_or_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts");
    let texts: Vec<String> = (0..4).map(|number| format!("{FOOTER}\n{}\n", "x".repeat(number))).collect();
    let settings = Settings { counts: Some(path.clone()), ..settings() };
    let run = |texts: &[String], settings: &Settings| {
        find(&mut Texts { all: texts, is_longest: false, sites: &[] }, settings).map(|lines| lines.counted.unwrap())
    };
    let total = run(&texts, &settings).unwrap();
    assert_eq!(total, Total { corpora: 1, documents: 4, lines: 4, was_known: false });
    let whole = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = run(&texts[1..], &settings).unwrap_err().to_string();
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "what is refused stays");
        error
    };
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        refused(&flipped);
        refused(&whole[..at]);
    }
    assert!(refused(b"a text of some words that is no file of counts at all").contains("is no file of counts"));
    let mut newer = whole.clone();
    newer[8] = 2;
    assert!(refused(&newer).contains("is a file of counts of version 2"));
    std::fs::write(&path, &whole).unwrap();
    let paragraphs = Settings { by_paragraph: true, ..settings.clone() };
    assert!(run(&texts, &paragraphs).unwrap_err().to_string().contains("has the counts of lines, not of paragraphs"));
    let other = counts::Counts::open(&path, false).unwrap();
    assert!(matches!(run(&texts, &settings).unwrap_err(), crate::Error::Locked { .. }));
    drop(other);
    // A second corpus adds to the first.
    let total = run(&texts[1..], &settings).unwrap();
    assert_eq!(total, Total { corpora: 2, documents: 7, lines: 4, was_known: false });
}
