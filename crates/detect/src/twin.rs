//! Comparison with whatlang, the plain twin, bit for bit.

use std::collections::HashMap;
use std::fs;

use proptest::prelude::*;
use whatlang::dev::{RawLangInfo, raw_detect};

use super::profiles::{COMPARED, STOP};
use super::trigrams::{Counter, Trigrams};
use super::*;

/// Asserts that a text is detected as by whatlang.
fn check(text: &str) {
    let (found, wanted) = (detect(text), whatlang::detect(text));
    assert_eq!(found, wanted, "{text:?}");
    let bits = |info: &Option<Info>| info.as_ref().map(|info| info.confidence().to_bits());
    assert_eq!(bits(&found), bits(&wanted), "{text:?}");
    assert_eq!(detect_script(text), whatlang::detect_script(text), "{text:?}");
}

/// All texts of `data/texts`.
fn texts() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/texts");
    let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut files: Vec<_> = files.collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn real_texts_and_their_beginnings_are_detected_as_by_whatlang() {
    for text in texts() {
        for size in [3, 7, 20, 50, 130, 340, 700, usize::MAX] {
            check(&text[..text.floor_char_boundary(size)]);
        }
    }
}

#[test]
fn hostile_texts_are_detected_as_by_whatlang() {
    let texts = [
        "",
        " ",
        "a",
        "é",
        "ж",
        "ß",
        "0123456789",
        "\u{7f}",
        "a\u{7f}b",
        "😀🎉",
        "x😀",
        "İstanbul",
        "ΑΣ Σ. Σα abc def",
        "abcΣ",
        "Σabc de",
        "\u{1d2b}",
        "a\u{1d2b}ж",
        "ж\u{1d2b}\u{1d2b}a",
        "аb",
        "bа",
        "ab вг",
        "א",
        "אא בב ab cd",
        "\u{212a}elvin \u{2126}",
        "ﬁ ﷺ",
        "ꙁ Ꙁ a ж",
        "漢字かな",
        "漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢か",
        "a  b\tc - d",
        "ກຂ",
        "ກa",
        "ກab",
        "ກາab 12",
        "𐐀𐐁 abc",
        "\u{10e60}\u{1ee00}",
        "\u{200d}\u{200b}a",
    ];
    for text in texts {
        check(text);
        check(&text.repeat(40));
    }
    for letter in ["a", "я", "ع", "क", "א", "漢", "😀", "Σ", "a ", "É-"] {
        check(&letter.repeat(70_000));
    }
    check(&"a".repeat(1 << 20));
    // More different letters than the table has room for.
    let letters: String = (0..3000).filter_map(|i| char::from_u32(0xc0 + i * 7)).collect();
    check(&format!("{letters}{}", "the quick brown fox ".repeat(200)));
    check(&(' '..'\u{24f}').collect::<String>());
}

#[test]
fn every_character_has_whatlangs_script() {
    for c in char::MIN..=char::MAX {
        let text = c.encode_utf8(&mut [0; 4]).to_owned();
        let main = Counts::of(&text).main();
        assert_eq!(main.map(|(script, _)| script), whatlang::detect_script(&text), "{c:?}");
        let Some((script, languages)) = main else { continue };
        let langs = match languages {
            Languages::One(lang) => vec![lang],
            Languages::Han => vec![Lang::Cmn],
            Languages::Several(place) => profiles::of_script(place).langs.clone(),
        };
        assert_eq!(langs, script.langs(), "{c:?}");
    }
}

/// Every trigram of every profile, one in a text: its distances tell its rank in each language.
#[test]
fn the_table_is_whatlangs() {
    let mut scorer = Scorer::default();
    let table = include_str!("profiles.txt").lines().filter(|line| !line.starts_with(['#', '[']));
    let mut trigrams: Vec<String> = Vec::new();
    for line in table {
        let letters: Vec<char> = line.rsplit(' ').next().unwrap().chars().collect();
        assert_eq!(letters.len(), 900, "{line}");
        trigrams.extend(letters.chunks(3).map(|trigram| trigram.iter().collect::<String>().replace('_', " ")));
    }
    trigrams.sort();
    trigrams.dedup();
    assert!(trigrams.len() > 6000);
    for text in trigrams {
        let Some((_, Languages::Several(place))) = Counts::of(&text).main() else {
            assert!(text.chars().any(|c| !c.is_alphabetic()), "{text:?}");
            continue;
        };
        let profiles = profiles::of_script(place);
        let (distances, alphabets) = scorer.raw(profiles, &text);
        let Some(RawLangInfo::MultiScript(wanted)) = raw_detect(&text).lang_info else { panic!("{text:?}") };
        let place_of = |lang: &whatlang::Lang| profiles.langs.iter().position(|known| known == lang);
        for (lang, distance) in &wanted.trigram_raw_outcome.raw_distances {
            assert_eq!(distances[place_of(lang).unwrap()], *distance, "{text:?} in {lang}");
        }
        if profiles.has_alphabets {
            for (lang, score) in &wanted.alphabet_raw_outcome.raw_scores {
                assert_eq!(alphabets[place_of(lang).unwrap()], *score, "{text:?} in {lang}");
            }
        }
        assert_eq!(wanted.trigram_raw_outcome.raw_distances.len(), profiles.langs.len());
    }
}

#[test]
fn texts_in_whatlangs_languages_are_no_others() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/texts");
    let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let of_whatlang = folders.filter(|folder| Lang::from_code(folder.file_name().to_str().unwrap()).is_some());
    let files = of_whatlang.flat_map(|folder| fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()));
    let mut count = 0;
    for text in files.map(|file| fs::read_to_string(file).unwrap()) {
        let info = whatlang::detect(&text).unwrap();
        let answer = Answer { code: info.lang().code(), confidence: info.confidence() };
        assert_eq!(detect_more(&text), Some(answer), "{text}");
        count += 1;
    }
    assert!(count > 150);
}

/// The trigrams of a text with counts and ranks, by the obvious loop.
fn plain_trigrams(text: &str) -> Vec<([char; 3], u32, u32)> {
    let lower = text.to_lowercase();
    let is_stop = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && c != '\u{7f}';
    let padded = [STOP].into_iter().chain(lower.chars()).chain([STOP]);
    let characters: Vec<char> = padded.map(|c| if is_stop(c) { STOP } else { c }).collect();
    let mut counts = HashMap::new();
    for trigram in characters.windows(3) {
        let [a, b, c] = [0, 1, 2].map(|place| trigram[place]);
        if b != STOP || (a != STOP && c != STOP) {
            *counts.entry([a, b, c]).or_insert(0) += 1;
        }
    }
    let mut trigrams: Vec<(u32, [char; 3])> = counts.into_iter().map(|(trigram, count)| (count, trigram)).collect();
    trigrams.sort_unstable_by(|a, b| b.cmp(a));
    (0..).zip(trigrams).map(|(rank, (count, trigram))| (trigram, count, rank)).collect()
}

/// Texts of characters of one script, of several, and of whatever else.
fn any_text() -> impl Strategy<Value = String> {
    let of_scripts = prop::sample::select(vec![
        "[a-zA-Z ,.’]{0,300}",
        "[a-zßàáâäåæçèéêëíîïñóôöøúüý ]{0,300}",
        "[a-zA-ZąćęłńóśźżŻĄİıΣʻǅ· -]{0,200}",
        "[а-яА-ЯёЁіїєґЇ ,.]{0,300}",
        "[а-яђјљњћџѓѕќў a-z]{0,300}",
        "[؀-ۿ ]{0,200}",
        "[ऀ-ॿ a-d]{0,200}",
        "[א-ת a-d]{0,200}",
        "[一-三あ-うア-ウ]{0,60}",
        "[ກ-ໝ a-c1]{0,40}",
        "[abаб\u{1d2b}אب]{0,8}",
        "[ab ]{0,2000}",
        "[a-e ]{0,3000}",
        "\\PC{0,300}",
        "[Ā-ɏḀ-ỿ a-f]{0,700}",
        "[aбञعא漢가αა 😀]{0,12}",
        ".{0,60}",
    ]);
    of_scripts.prop_flat_map(|pattern| prop::string::string_regex(pattern).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_text_is_detected_as_by_whatlang(text in any_text(), other in any_text()) {
        check(&text);
        check(&format!("{text} {other}"));
    }

    #[test]
    fn pieces_of_real_texts_are_detected_as_by_whatlang(
        pieces in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1_usize..400), 1..4),
    ) {
        let texts = texts();
        let mut mixed = String::new();
        for (text, start, length) in pieces {
            let text = text.get(&texts);
            let start = text.floor_char_boundary(start.index(text.len()));
            mixed += &text[start..text.floor_char_boundary((start + length).min(text.len())).max(start)];
        }
        check(&mixed);
    }

    #[test]
    fn trigrams_are_those_of_the_obvious_loop(first in any_text(), second in any_text()) {
        let (mut counter, mut trigrams) = (Counter::default(), Trigrams::default());
        // The tables must be clean for the second text.
        for text in [first, second] {
            counter.find(&text, &mut trigrams);
            let letters = trigrams.letters.clone();
            let mut found = Vec::new();
            trigrams.each(|places, count, rank| found.push((places.map(|place| letters[place]), count, rank)));
            found.sort_unstable_by_key(|(_, _, rank)| *rank);
            prop_assert_eq!(found, plain_trigrams(&text));
        }
    }
}

#[test]
fn a_text_of_many_trigrams_is_compared_by_its_most_frequent() {
    let text: String = texts().into_iter().filter(|text| text.is_ascii()).collect();
    assert!(plain_trigrams(&text).len() > COMPARED);
    check(&text);
}
