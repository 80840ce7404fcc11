//! `clean` with its defaults keeps texts that say different things, and removes copies.

use crate::folder::Folder;
use crate::texts::{HALL, MILL, Numbers, jsonl};

/// The ids that `clean` leaves of some texts, whose ids are their numbers.
fn left(texts: &[&str]) -> Vec<usize> {
    let ids: Vec<String> = (0..texts.len()).map(|number| number.to_string()).collect();
    let documents: Vec<(&str, &str)> = ids.iter().map(String::as_str).zip(texts.iter().copied()).collect();
    let folder = Folder::new().file("in.jsonl", jsonl(&documents));
    // The widest claim removes most.
    folder.dedup("clean -q --remove edited --id-field id in.jsonl -o out.jsonl").quietly(0);
    let out = crate::folder::jsonl(&folder.read_text("out.jsonl"));
    out.iter().map(|record| record["id"].as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn short_texts_of_different_meaning_stay() {
    for pair in [
        ["The vaccine is safe", "The vaccine is not safe at all"],
        ["機密", "機密ではない"],
        ["有效至：%s", "不能应用 '%s'"],
        ["一番目のアイコンを選択してください", "二番目のアイコンを選択してください"],
        ["Fehler in inaktiver Transaktion", "Fehler in inaktiver Sitzung"],
        ["未匹配的 [、[^、[:、[. 或 [=", "未匹配的 ( 或 \\("],
    ] {
        assert_eq!(left(&pair), [0, 1], "{pair:?}");
    }
}

#[test]
fn signs_that_carry_meaning_keep_texts_apart() {
    for pair in [
        ["GNU C compiler", "GNU C++ compiler"],
        [
            "GNU Objective-C compiler (cross compiler for arm64)",
            "GNU Objective-C++ compiler (cross compiler for arm64)",
        ],
        ["C", "C#"],
        ["+1", "-1"],
        ["3 < 5", "3 > 5"],
        ["a + b", "a - b"],
        ["Solve -x = 5.", "Solve x = 5."],
        ["Simplify 2x-y.", "Simplify 2xy."],
        ["rm -rf x", "rm rf x"],
        ["Give 5 .3 ml.", "Give 5.3 ml."],
        ["Compute 5!", "Compute 5"],
    ] {
        assert_eq!(left(&pair), [0, 1], "{pair:?}");
    }
}

const PRICES: &str = "\
def total(prices, rate, count):
    result = 0
    for price in prices:
        value = price * rate
        result = result - value
        if value >= count:
            result = -result
    return result[0]
";

/// Code is told apart by all of its signs and by its indentation, also where it would stand whole in the other.
#[test]
fn code_of_equal_words_is_the_same_only_with_equal_signs() {
    let kept = |other: &str| {
        let folder = Folder::new().file("in/a.py", PRICES).file("in/b.py", other);
        folder.dedup("clean -q in -o out").quietly(0);
        folder.files("out").len()
    };
    for (sign, other) in
        [("price * rate", "price / rate"), ("-result", "result"), ("        result = r", "    result = r")]
    {
        assert_eq!(kept(&PRICES.replace(sign, other)), 2, "{other}");
    }
    assert_eq!(kept(&PRICES.replace('\n', "  \r\n")), 1);
}

#[test]
fn layout_case_and_closing_punctuation_keep_nothing_apart() {
    for pair in [["The vaccine is safe", "The  vaccine is SAFE."], ["a + b", "A + B"], ["機密", "機密。"]] {
        assert_eq!(left(&pair).len(), 1, "{pair:?}");
    }
}

/// One repeated n-gram outweighs all else in a simhash, so tables of numbers are within 3 bits.
#[test]
fn tables_that_repeat_one_row_stay() {
    let table = |numbers: std::ops::Range<u32>| {
        let rows = numbers.map(|number| format!("{number} {}\n", number * 7 % 101));
        "0 0 0 0 0 0 0 0\n".repeat(60) + &rows.collect::<String>()
    };
    let [a, b] = [table(100..112), table(500..512)];
    let folder = Folder::new().file("a.txt", &a).file("b.txt", &b);
    let pair = &folder.dedup("find -q --pairs --format json --similarity none a.txt b.txt").json()[0];
    assert!(pair["distance"].as_u64() <= Some(3) && pair["jaccard"].as_f64() < Some(0.5), "{pair}");
    assert_eq!(left(&[&a, &b]), [0, 1]);
}

/// Pages of one template that are alike for more than half: Jaccard .5 to .7.
#[test]
fn a_common_template_is_no_copy() {
    let page = |own: &str| format!("{MILL} {HALL} {own}");
    let mut numbers = Numbers(5);
    let pages = [page(&numbers.text(40)), page(&numbers.text(40))];
    let folder = Folder::new().file("a.txt", &pages[0]).file("b.txt", &pages[1]);
    let pair = &folder.dedup("find -q --pairs --format json a.txt b.txt").json()[0];
    assert!((0.5..0.7).contains(&pair["jaccard"].as_f64().unwrap()), "{pair}");
    assert_eq!(left(&[&pages[0], &pages[1]]), [0, 1]);
}

/// With one word more the sentence is read as Danish; its words are the same in any language.
#[test]
fn a_language_misread_hides_no_copy() {
    let sentence = "The quick brown fox jumps over the lazy dog near the river bank while seven sailors sing old songs \
                    about the sea";
    let longer = format!("{sentence} tail");
    let folder = Folder::new().file("a.txt", sentence).file("b.txt", &longer);
    let pair = &folder.dedup("find -q --pairs --format json a.txt b.txt").json()[0];
    assert!(pair["jaccard"].as_f64() > Some(0.9), "{pair}");
    let [a, b] = ["a.txt", "b.txt"]
        .map(|name| folder.dedup(&format!("explain --format json {name}")).json()["language"].to_string());
    assert_ne!(a, b, "or this shows nothing");
}

/// Any two of them differ as a text and its edited copy do; four of them show that a place is meant to be filled.
#[test]
fn a_family_of_letters_stays_and_edited_copies_go() {
    let letter =
        |name: &str, sum: &str| format!("{MILL} Dear {name}, we confirm {sum} for the night of the fair. {HALL}");
    let guests =
        [["Anna Weber", "40 euros"], ["Jon Aquila", "52 euros"], ["Mei Lin", "61 euros"], ["Ola Berg", "75 euros"]];
    let letters = guests.map(|[name, sum]| letter(name, sum));
    assert_eq!(left(&letters.each_ref().map(String::as_str)), [0, 1, 2, 3]);
    // A letter twice, but for a word elsewhere.
    let again = letters[3].replacen(MILL, &MILL.replacen(" the ", " that ", 1), 1);
    assert_ne!(again, letters[3], "or this shows nothing");
    let with_copy: Vec<&str> = letters.iter().chain([&again]).map(String::as_str).collect();
    assert_eq!(left(&with_copy).len(), 4);
    // Three edits of one text, each elsewhere.
    let words: Vec<&str> = letters[0].split(' ').collect();
    let edited = [5, 15, 25].map(|place| {
        let mut words = words.clone();
        words[place] = "otherwise";
        words.join(" ")
    });
    let copies: Vec<&str> = edited.iter().map(String::as_str).chain([letters[0].as_str()]).collect();
    assert_eq!(left(&copies).len(), 1);
}
