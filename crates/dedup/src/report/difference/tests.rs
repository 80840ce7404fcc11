use proptest::prelude::*;

use super::Piece::{Missing, New, Same};
use super::*;

fn whole(text: &str) -> Opening<'_> {
    Opening { text, is_cut: false }
}

fn cut(text: &str) -> Opening<'_> {
    Opening { text, is_cut: true }
}

/// The pieces of the second text, with the words of the first that it lacks.
fn marked<'a>(a: &'a str, b: &'a str) -> Vec<Piece<'a>> {
    let differ = Differ::new();
    let [a, b] = [a, b].map(|text| differ.whole(text));
    pieces(&capture_diff_slices(Algorithm::RawMyers, &a.forms, &b.forms), &a, &b, 0..b.text.len())
}

#[test]
fn words_that_differ_are_marked() {
    assert_eq!(
        marked("The harbour closes at low water.", "the HARBOUR, opens at high water!"),
        [
            Same("the HARBOUR, "),
            Missing("closes"),
            New("opens"),
            Same(" at "),
            Missing("low"),
            New("high"),
            Same(" water!")
        ]
    );
    assert_eq!(
        marked("on Sunday the harbour closes", "the harbour, says he, closes early"),
        [Missing("on Sunday"), Same("the harbour, "), New("says he"), Same(", closes "), New("early")]
    );
    assert_eq!(marked("海水上升", "海水下降。"), [Same("海水"), Missing("上升"), New("下降"), Same("。")]);
    assert_eq!(marked("?!", "…"), [Same("…")]);
    assert_eq!(marked("gone", ""), [Missing("gone")]);
    assert_eq!(marked("", ""), []);
}

#[test]
fn signs_that_carry_meaning_are_parts_of_words() {
    assert_eq!(
        marked("The seller pays 10⁶ euros (300) for A* on Monday", "The seller pays 106 euros 300 for A on Monday."),
        [
            Same("The seller pays "),
            Missing("10⁶"),
            New("106"),
            Same(" euros "),
            Missing("(300"),
            New("300"),
            Same(" for "),
            Missing("A*"),
            New("A"),
            Same(" on Monday.")
        ]
    );
    assert_eq!(
        marked("Is it so?\n- 5 apples\n● yes", "Is it so.\n5 apples\n○ yes"),
        [Same("Is it "), Missing("so?\n- 5"), New("so.\n5"), Same(" apples\n"), Missing("● yes"), New("○ yes")]
    );
    assert_eq!(marked("≥ 5 (!)", "5"), [Missing("≥ 5 (!)"), New("5")]);
}

#[test]
fn the_places_of_two_whole_texts() {
    let differ = Differ::new();
    let (a, b) = ("The C++ compiler of the year, one of them.", "The C compiler of the year, two of them!");
    let (changes, groups) = differ.changes(a, b).unwrap();
    assert_eq!(changes, [Change { a: 4..7, b: 4..5 }, Change { a: 30..33, b: 28..31 }]);
    let expected = [
        Same("The "),
        Missing("C++"),
        New("C"),
        Same(" compiler of the year, "),
        Missing("one"),
        New("two"),
        Same(" of them"),
    ];
    assert_eq!(groups, [expected]);
    assert_eq!(differ.changes(a, "the C++ compiler of the year: ONE of them"), Some((Vec::new(), Vec::new())));
    // Words deleted at the end come after the last word.
    let (changes, groups) = differ.changes("one two three", "one two").unwrap();
    assert_eq!((changes, groups), (vec![Change { a: 8..13, b: 7..7 }], vec![vec![Same("one two"), Missing("three")]]));
    assert_eq!(differ.changes(&"word ".repeat(MAX_WHOLE + 1), ""), None);
    // Places far apart have separate context.
    let long = format!("first {}last", "same ".repeat(30));
    let other = long.replace("first", "FIRST one").replace("last", "end");
    let (_, groups) = differ.changes(&long, &other).unwrap();
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
}

/// The first places, one side after the other, with the words that differ in brackets.
fn first(a: Opening<'_>, b: Opening<'_>) -> Vec<[String; 2]> {
    let in_words = |excerpt: &Excerpt<'_>| {
        let marked = excerpt.pieces.iter().map(|piece| match piece {
            Same(text) => (*text).to_owned(),
            New(text) | Missing(text) => format!("[{text}]"),
        });
        marked.collect::<String>()
    };
    Differ::new().first_places(a, b, 3).first.iter().map(|both| both.each_ref().map(in_words)).collect()
}

#[test]
fn the_first_places_have_two_sides() {
    assert_eq!(
        first(whole("The harbour, he said, closes at low water."), whole("The harbour opens at LOW water!")),
        [["The harbour, [he said, closes] at low water", "The harbour [opens] at LOW water"]]
    );
    assert_eq!(first(whole("same"), whole("Same!")), [[""; 2]; 0]);
    assert_eq!(first(whole("海水上升"), whole("海水下降。")), [["海水[上升]", "海水[下降]"]]);
    assert_eq!(first(whole("one two"), whole("one two three")), [["one two", "one two [three]"]]);
    // Places are found after an equal beginning of any length.
    let long = "word ".repeat(30_000);
    let [a, b] = ["the end of a day", "the end of a night"].map(|end| format!("{long}{end}, and no more"));
    let places = Differ::new().first_places(whole(&a), whole(&b), 3);
    assert_eq!((places.same_before, places.has_more), (30_004, false));
    assert_eq!(
        first(whole(&a), whole(&b)),
        [["word word the end of a [day], and no more", "word word the end of a [night], and no more"]]
    );
    // Only the first words of a long place are shown.
    let places = Differ::new().first_places(whole("a b"), whole(&long), 3);
    assert_eq!(places.first[0].each_ref().map(|side| side.more_words), [0, WINDOW - MAX_SHOWN]);
    assert!(places.has_more);
    let far = format!("X {0} Y {0} Z", "same ".repeat(30));
    let other = far.replace(['X', 'Y', 'Z'], "w");
    let places = Differ::new().first_places(whole(&far), whole(&other), 2);
    assert_eq!((places.first.len(), places.has_more), (2, true));
}

#[test]
fn what_was_cut_off_is_no_difference() {
    let (long, short) = ("one two three four", "zero one two");
    assert_eq!(first(cut(long), cut(short)), [["one two", "[zero] one two"]]);
    assert_eq!(first(cut(short), cut(long)), [["[zero] one two", "one two"]]);
    // Against a complete text, the rest of a truncated one is a difference.
    assert_eq!(first(cut("one two three"), whole("one two")), [["one two [three]", "one two"]]);
    assert_eq!(first(whole("one two"), cut("one two three")), [["one two", "one two [three]"]]);
    assert_eq!(first(cut("one two three"), cut("one two")), [[""; 2]; 0]);
}

#[test]
fn a_beginning_has_whole_words() {
    let (differ, text) = (Differ::new(), "One, two; three.");
    assert_eq!(differ.shorten(whole(text), 2).text, "One, two;");
    assert!(differ.shorten(whole(text), 2).is_cut);
    assert_eq!(differ.shorten(whole(text), 3).text, text);
}

/// The length of the longest common subsequence, by the textbook's table.
fn longest_common(a: &[&str], b: &[&str]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut corner = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if x == y { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    row[b.len()]
}

proptest! {
    #[test]
    fn as_little_as_possible_is_marked(
        a in prop::collection::vec("[a-d]", 0..40),
        b in prop::collection::vec("[a-d]", 0..40),
    ) {
        let (x, y) = (a.join(" "), b.join(" "));
        let pieces = marked(&x, &y);
        let count = |text: &str| text.split_whitespace().count();
        let new: usize = pieces.iter().map(|piece| if let New(text) = piece { count(text) } else { 0 }).sum();
        let missing: usize = pieces.iter().map(|piece| if let Missing(text) = piece { count(text) } else { 0 }).sum();
        let [a, b] = [&a, &b].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
        let common = longest_common(&a, &b);
        prop_assert_eq!((new, missing), (b.len() - common, a.len() - common));
    }

    #[test]
    fn the_pieces_are_the_text(a in "(.|[一二在日海ก-๎]){0,60}", b in "(.|[一二在日海ก-๎]){0,60}", is_cut: bool) {
        let shown = |pieces: &[Piece<'_>]| {
            let own = pieces.iter().map(|piece| match piece { Same(text) | New(text) => *text, Missing(_) => "" });
            own.collect::<String>()
        };
        prop_assert_eq!(shown(&marked(&a, &b)), b.clone());
        let places = Differ::new().first_places(Opening { text: &a, is_cut }, Opening { text: &b, is_cut }, 9);
        for [x, y] in &places.first {
            prop_assert!(a.contains(&shown(&x.pieces)) && b.contains(&shown(&y.pieces)));
        }
    }
}
