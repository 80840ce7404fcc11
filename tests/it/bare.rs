//! The two-file form: `dedup file1 file2 max N min N`.

use crate::folder::{Folder, dedup, timeless};

#[test]
fn it_answers_by_the_hamming_rule_and_shows_the_jaccard_rule_beside_it() {
    let answer = dedup("data/texts/eng/press-release.txt data/texts/eng/press-release.edited.txt max 3 min 3");
    assert_eq!(
        timeless(&answer.stdout),
        "\
file A               data/texts/eng/press-release.txt
language             English (eng), reliable (confidence 1.00)
file B               data/texts/eng/press-release.edited.txt
language             English (eng), reliable (confidence 1.00)
n-grams              min 3, max 3 words or terms

time  reading and decoding
time  detecting languages
time  words, stop words and stems
time  n-grams and Rabin fingerprints
time  simhashes
time  MinHash sketches
time  shingle sets
time  comparing

Hamming distance     9 of 64 bits   (rule: at most 3)
Jaccard, exact       84.18 %        (rule: at least 50 %)
Jaccard, estimated   88.00 %        (25 MinHash sketches, standard error 7.29 %)

not near-duplicates by the Hamming rule
The Jaccard rule disagrees: near-duplicates, as 84.18 % ≥ 50 %.
"
    );
    assert_eq!((answer.code, &*answer.stderr), (1, ""));
}

#[test]
fn sizes_of_ngrams_come_in_any_order_and_case() {
    let files = "data/texts/deu/bees.txt data/texts/deu/bees.edited.txt";
    let expected = timeless(&dedup(&format!("{files} max 4 min 2")).stdout);
    assert!(expected.contains("min 2, max 4 words or terms"));
    for words in ["min 2 max 4", "MAX 4 MIN 2", "Min 2 mAX 4", "--min 2 --max=4"] {
        assert_eq!(timeless(&dedup(&format!("{files} {words}")).stdout), expected, "{words}");
    }
    let default = timeless(&dedup(files).stdout);
    assert_eq!(timeless(&dedup(&format!("{files} max 3")).stdout), default);
    assert_eq!(timeless(&dedup(&format!("{files} min 3")).stdout), default);
}

#[test]
fn the_same_file_twice_is_a_near_duplicate() {
    let answer = dedup("data/texts/ara/tides.txt data/texts/ara/tides.txt");
    assert_eq!(answer.code, 0);
    assert!(answer.stdout.contains("Hamming distance     0 of 64 bits"));
    assert!(answer.stdout.contains("Jaccard, exact       100.00 %"));
    assert!(answer.stdout.ends_with("near-duplicates by the Hamming rule, by equal texts, by equal files\n"));
}

#[test]
fn files_named_like_words_of_the_command_line() {
    let text = "A text of which there is a copy, word for word, in the same folder.";
    let folder = Folder::new().file("compare", text).file("max", text).file("min", text);
    for line in ["./compare ./max", "-- compare max", "-- max min max 3", "./max min max 2 min 1", "compare -- max min"]
    {
        assert_eq!(folder.dedup(line).code, 0, "{line}");
    }
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new().file("a", "some text here").file("b", "some text here");
    folder.dedup("a b max").fails_saying("max needs a number");
    folder.dedup("a b max three").fails_saying("max 'three': expected a whole number");
    folder.dedup("a b max 3 max 4").fails_saying("max was given twice");
    assert_eq!(folder.dedup("a b -3 x").code, 2);
    folder.dedup("a b c").fails_saying("'c' was not expected after two files");
    folder.dedup("a --format json b").fails_saying("--format: options come after the second file");
    folder.dedup("a").fails_saying("the second file is missing");
    folder
        .dedup("a b min 4 max 3")
        .fails_saying("n-gram sizes 4 to 3: expected 1 ≤ min ≤ max ≤ 100; both default to 3");
    folder.dedup("a b min 4").fails_saying("n-gram sizes 4 to 3");
    folder.dedup("a b min 0").fails_saying("n-gram sizes 0 to 3");
    folder.dedup("a b max 1000000000").fails_saying("n-gram sizes 3 to 1000000000");
    assert_eq!(folder.dedup("a b max 99999999999999999999999").code, 2);
    folder.dedup("a nothing").fails_saying("nothing: no such file");
    assert!(folder.dedup("comprae a b").stderr.contains("'compare'"));
}
