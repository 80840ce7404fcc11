//! `dedup screen` in every language of data/texts: a passage of one text, edited, in another.

use std::fs;
use std::ops::Range;

use nearcopy::text::{Analyser, Language, Options};

use crate::folder::{Folder, project};
use crate::languages::in_latin;

/// Number of words planted.
const PLANTED: usize = 80;

/// Endings that give other forms of many words.
const ENDINGS: [(&str, &str); 12] = [
    ("eng", "s"),
    ("deu", "en"),
    ("fin", "n"),
    ("fra", "s"),
    ("hun", "ok"),
    ("ita", "i"),
    ("nld", "en"),
    ("rus", "ами"),
    ("spa", "s"),
    ("swe", "en"),
    ("tur", "lar"),
    ("ukr", "ами"),
];

/// The words of a text, each with the text between it and the next.
fn words(language: Language, text: &str) -> Vec<(&str, &str)> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    Analyser::new(language, &Options::default()).words(text, |span| {
        // Two words of one character have one span.
        if spans.last().is_none_or(|last| last.end <= span.start) {
            spans.push(span);
        }
    });
    let ends = spans.iter().skip(1).map(|span| span.start).chain([text.len()]);
    spans.iter().zip(ends).map(|(span, end)| (&text[span.clone()], &text[span.end..end])).collect()
}

/// The first words of a text, lightly edited: every eighth is a word of another text, some
/// neighbours are swapped, some have another ending, commas are other marks.
fn edited(code: &str, text: &[(&str, &str)], other: &[(&str, &str)]) -> String {
    let mut words: Vec<String> = text.iter().take(PLANTED).map(|(word, _)| (*word).to_owned()).collect();
    let ending = ENDINGS.iter().find(|(language, _)| *language == code).map_or("", |(_, ending)| ending);
    for at in 0..words.len() {
        match at % 24 {
            3 | 11 | 19 => other[at * 7 % other.len()].0.clone_into(&mut words[at]),
            6 if at + 1 < words.len() => words.swap(at, at + 1),
            15 if words[at].chars().count() > 4 => words[at].push_str(ending),
            _ => {}
        }
    }
    let gaps = text.iter().map(|(_, gap)| gap.replace([',', '،', '、', '，'], ";").replace('\n', " "));
    words.into_iter().zip(gaps).map(|(word, gap)| word + &gap).collect()
}

#[test]
fn an_edited_passage_is_found_in_every_language() {
    let texts = project().join("data/texts");
    let mut codes: Vec<String> =
        fs::read_dir(&texts).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    codes.sort();
    assert!(codes.len() >= 39, "{codes:?}");
    let mut folder = Folder::new();
    let mut planted = Vec::new();
    for code in &codes {
        let language: Language = code.parse().unwrap();
        let [tides, bees] =
            ["tides", "bees"].map(|name| fs::read_to_string(texts.join(code).join(format!("{name}.txt"))).unwrap());
        let (source, host) = (words(language, &tides), words(language, &bees));
        let passage = edited(code, &source, &host);
        let half: usize = host[..host.len() / 2].iter().map(|(word, gap)| word.len() + gap.len()).sum();
        let text = format!("{}\n\n{passage}\n\n{}", &bees[..half], &bees[half..]);
        planted.push(half + 2..half + 2 + passage.len());
        folder = folder.file(&format!("in/{code}.txt"), text).file(&format!("src/{code}.txt"), &tides);
    }
    let answer = folder.dedup("screen -q in --against src --format jsonl");
    let mut poor = Vec::new();
    for (code, truth) in codes.iter().zip(planted) {
        let (id, source) = (format!("in/{code}.txt"), format!("src/{code}.txt"));
        let (mut common, mut length) = (0, 0);
        for passage in answer.jsonl().iter().filter(|it| it["suspicious"] == id.as_str()) {
            let number = |key: &str| passage[key].as_u64().unwrap() as usize;
            let found = number("suspicious_offset_bytes")
                ..number("suspicious_offset_bytes") + number("suspicious_length_bytes");
            length += found.len();
            if passage["source"] == source.as_str() {
                common += found.end.min(truth.end).saturating_sub(found.start.max(truth.start));
            }
        }
        let (recall, precision) = (common as f64 / truth.len() as f64, common as f64 / f64::max(1.0, length as f64));
        println!("{code}: recall {recall:.3}, precision {precision:.3}");
        if recall < 0.8 || precision < 0.8 {
            poor.push(format!("{code}: recall {recall:.3}, precision {precision:.3}"));
        }
    }
    assert!(poor.is_empty(), "{poor:#?}");
}

/// A text as it is typed on a keyboard without accents.
fn without_accents(text: &str) -> String {
    let is_mark = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    let apart = icu_normalizer::DecomposingNormalizerBorrowed::new_nfd().normalize(text);
    let letters = apart.chars().filter(|c| !is_mark(c));
    letters.map(|c| [('đ', 'd'), ('ł', 'l'), ('ı', 'i')].iter().find(|it| it.0 == c).map_or(c, |it| it.1)).collect()
}

/// Half of a text, without its accents, is found in the middle of another text that has its own, and the report says
/// so; words that differ in their accents are not the same in a text that has some.
#[test]
fn a_passage_without_its_accents_is_found_and_told() {
    let codes = ["cat", "ces", "fra", "hun", "pol", "por", "ron", "slk", "spa", "swe", "tur", "vie"];
    let text = |code: &str, name: &str| {
        fs::read_to_string(project().join("data/texts").join(code).join(format!("{name}.txt"))).unwrap()
    };
    let mut folder = Folder::new();
    for code in codes {
        let [tides, bees] = ["tides", "bees"].map(|name| text(code, name));
        let (start, end) = (bees.find("\n\n").map_or(0, |at| at + 2), bees.len());
        let mixed = format!("{}{}\n\n{}", &bees[..start], without_accents(&tides), &bees[start..end]);
        folder = folder.file(&format!("in/{code}.txt"), mixed).file(&format!("src/{code}.txt"), &tides);
    }
    let found = folder.dedup("screen -q in --against src --format jsonl").jsonl();
    for code in codes {
        let of_code = |it: &&serde_json::Value| it["source"] == format!("src/{code}.txt").as_str();
        let count = |key: &str| -> u64 { found.iter().filter(of_code).map(|it| it[key].as_u64().unwrap()).sum() };
        let tides = text(code, "tides");
        let differ = tides.split_whitespace().filter(|word| without_accents(word) != **word).count() as u64;
        let words = count("words");
        assert!(count("exact") + count("stemmed") + count("folded") == words && words >= 80, "{code}: {found:#?}");
        assert!(count("folded") * 10 >= differ * 9, "{code}: {} of {differ}", count("folded"));
    }
    let told = folder.dedup("screen -q in/vie.txt --against src --list passages").quietly(0);
    assert!(told.contains(" but for accents, 0 replaced, 0 missing"), "{told}");
}

/// The common spelling of Russian letters in Latin ones, soft signs left out.
const SPELLINGS: &str = "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya";

#[test]
fn a_russian_text_in_latin_letters_is_compared_in_its_own() {
    let read = |name: &str| fs::read_to_string(project().join("data/texts/rus").join(name)).unwrap();
    let text = format!("{}\n{}", read("bees.txt"), read("tides.txt"));
    let latin: Vec<&str> = SPELLINGS.split(' ').collect();
    let spelled = |c: char| match c.to_lowercase().next() {
        Some(c @ 'а'..='я') => latin[c as usize - 'а' as usize].replace('-', ""),
        Some('ё') => "e".to_owned(),
        _ => c.to_string(),
    };
    let essay: String = text.chars().map(spelled).collect();
    let folder = Folder::new().file("in/essay.txt", &essay).file("src/bees.txt", &text);
    let found = &folder.dedup("screen -q in --against src --list documents --format json").json()[0];
    assert_eq!((&found["language"], &found["disguises"]["romanised"]), (&"rus".into(), &found["words"]), "{found}");
    let share = |found: &serde_json::Value| found["share"].as_f64().unwrap();
    assert!(share(found) > 0.75 && found["words_in_passages"].as_u64() > found["words_matched"].as_u64(), "{found}");
    // The same if the language is named, and from an archive of such sources.
    let named = folder.dedup("screen -q in --against src --list documents --format json --language rus").json();
    assert_eq!(&named[0], found);
    folder.dedup("screen -q in --save essay.dedup").code_is(0);
    let turned = folder.dedup("screen -q src --against essay.dedup --list documents --format json").json();
    assert!(share(&turned[0]) > 0.75, "{turned}");
}

/// A passage in one script is found in a source in the other, and its place is that in the text as read.
#[test]
fn a_passage_in_another_script_is_found() {
    let read = |code: &str, name: &str| fs::read_to_string(project().join("data/texts").join(code).join(name)).unwrap();
    let [tides, bees] = ["tides.txt", "bees.txt"].map(|name| read("srp", name));
    let essay = format!("{tides}\n\n{bees}");
    let chinese = "每逢農曆初一和十五前後，太陽、月球和地球差不多排成一條直線，兩種力量疊加，便形成大潮；到了上弦月和下弦月的時候，潮差則比較小。\
        許多港口水不夠深，大船必須等到漲潮時才能安全進港。";
    let folder = Folder::new()
        .file("in/essay.txt", &essay)
        .file("in/tides.txt", chinese)
        .file("src/bees.txt", in_latin(&bees))
        .file("src/tides.txt", read("cmn", "tides.txt"));
    let found = folder.dedup("screen -q in --against src --format jsonl").jsonl();
    let number = |passage: &serde_json::Value, key: &str| passage[key].as_u64().unwrap() as usize;
    assert_eq!(found.len(), 2, "{found:#?}");
    for passage in &found {
        let (words, exact) = (number(passage, "words"), number(passage, "exact"));
        assert!(exact * 20 >= words * 19, "{passage:#?}");
        let text = if passage["source"] == "src/bees.txt" { &essay } else { chinese };
        let (start, length) = (number(passage, "suspicious_offset_bytes"), number(passage, "suspicious_length_bytes"));
        assert!(text.trim_end().len().abs_diff(start + length) < 4, "{passage:#?}");
    }
}

/// Hindi in Latin letters is compared with its like, and the user is told that it is not with Hindi.
#[test]
fn a_text_in_latin_letters_that_is_not_restored_is_told() {
    let hindi = "Din mein do baar samudra ka paani kinaare ki taraf badhta hai aur phir peeche hat jaata hai. Iska sabse \
        bada kaaran chandrama hai, jiska gurutvakarshan prithvi ke us hisse ko zyada khinchta hai jo uske saamne hota hai. \
        Isliye mahasagar do jagah par uth jaate hain, aur jaise jaise hamari prithvi ghoomti hai, har tat pachchees ghante \
        se kuch kam samay mein in dono jagahon se guzarta hai.";
    let folder = Folder::new().file("in/essay.txt", hindi).file("src/copy.txt", format!("Yah kahani hai.\n\n{hindi}"));
    let answer = folder.dedup("screen -q in --against src --list documents --format json");
    answer.code_is(2);
    assert_eq!((&answer.json()[0]["language"], &answer.json()[0]["share"]), (&"und".into(), &1.0.into()), "{answer:?}");
    assert!(answer.stderr.contains("in/essay.txt: is Hindi in Latin letters, and was compared with"), "{answer:?}");
    let told = folder.dedup("screen in --against src").stderr;
    assert!(told.contains("2 documents were compared with texts in Latin letters only"), "{told}");
    folder.dedup("screen -q in --against src --strict").code_is(2);
}
