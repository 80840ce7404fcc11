//! `dedup explain`: every stage of one text.

use crate::folder::{Folder, dedup};

#[test]
fn every_stage_of_a_short_text_is_shown() {
    let folder = Folder::new().file("note", "The tides were rising; boats rise too.");
    let answer = folder.dedup("explain --language english --sketches 2 note");
    assert_eq!(
        answer.stdout,
        "\
1. text         note: UTF-8 text, 38 characters
2. language     English (eng), as specified

What it says (Broder): words, shingles, sketch
3. words        7 as written, in their normal form
   the tides were rising boats rise too
4. shingles     5 n-grams of words, each with its Rabin fingerprint
        1  0100111011111111010101000111001100001100100000010111100100101000  the tides were
        2  1100001110101100001001110011111110111011011100100011000100101100  tides were rising
        3  0010111111100001111010000110010011001101000000010110001011011000  were rising boats
        4  0001100011100110011101000011010101011011001011100100111011001101  rising boats rise
        5  0001101010111111001110000000101111001011110101011110110100011011  boats rise too
5. sketch       2 minima, each with the first shingle that has it
        1   421505132  shingle 1     the tides were
        2    51395354  shingle 3     were rising boats

What it is about (Charikar): terms, features, simhash
6. stop words   3 of 7 tokens removed
   the were too
7. terms        4 tokens left; token→stem where they differ
   tides→tide rising→rise boats→boat rise
8. features     2 n-grams of terms, each with its Rabin fingerprint
        1  1110011010000100000100010100000010011101000000100000011000010110  tide rise boat
        2  0010111111010111011010000100110100001111110000100110110101100001  rise boat rise
9. sums         after each feature: +1 for a one bit, −1 for a zero bit
      bit   63   62   61   60   59   58   57   56   55   54   53   52   51   50   49   48
        1   +1   +1   +1   -1   -1   +1   +1   -1   +1   -1   -1   -1   -1   +1   -1   -1
        2   +0   +0   +2   -2   +0   +2   +2   +0   +2   +0   -2   +0   -2   +2   +0   +0
  simhash    0    0    1    0    0    1    1    0    1    0    0    0    0    1    0    0
           the first 16 of 64 bits; --full shows all
10. simhash     268400400d020400 = 0010011010000100000000000100000000001101000000100000010000000000
"
    );
}

#[test]
fn long_parts_are_shortened_unless_asked_for() {
    let short = dedup("explain data/texts/fin/bees.txt").stdout;
    let full = dedup("explain --full data/texts/fin/bees.txt").stdout;
    assert!(short.contains("--full shows all") && !full.contains("--full"));
    assert!(short.lines().count() < 80 && full.lines().count() > 500);
}

#[test]
fn the_parts_of_the_json_agree() {
    let json = dedup("explain --format json data/texts/jpn/tides.txt").json();
    let list = |key: &str| json[key].as_array().unwrap();
    assert_eq!(json["language"], "jpn");
    let kept = list("tokens").iter().filter(|token| token["stop_word"] == false).count();
    assert_eq!(kept, list("terms").len());
    assert_eq!(list("ngrams").len(), list("terms").len() - 2);
    assert_eq!(list("shingles").len(), list("words").len() - 2);
    assert_eq!(
        list("minima").iter().map(|one| &one["minimum"]).collect::<Vec<_>>(),
        list("sketch").iter().collect::<Vec<_>>()
    );
    assert_eq!(list("ngrams").last().unwrap()["running_sums"], json["sums"]);
    let bits = list("sums").iter().fold(0u64, |bits, sum| bits << 1 | u64::from(sum.as_i64() > Some(0)));
    assert_eq!(json["simhash"], format!("{bits:016x}"));
    let compared = dedup("compare --format json data/texts/jpn/tides.txt data/texts/jpn/bees.txt").json();
    assert_eq!(compared["documents"][0]["simhash"], json["simhash"]);
    assert_eq!(compared["documents"][0]["sketch"], json["sketch"]);
    assert_eq!(compared["recipe_id"], json["recipe_id"]);
    // Spans point into the file.
    let text = std::fs::read_to_string(crate::folder::project().join("data/texts/jpn/tides.txt")).unwrap();
    for key in ["words", "tokens"] {
        let word = &list(key)[3];
        let [start, length] =
            ["offset_bytes", "length_bytes"].map(|key| usize::try_from(word[key].as_u64().unwrap()).unwrap());
        assert_eq!(text[start..start + length], *word["form"].as_str().unwrap());
    }
}

#[test]
fn a_text_without_terms_is_explained_too() {
    let folder = Folder::new().file("empty", "").file("stop", "to be or not to be");
    assert!(folder.dedup("explain empty").stdout.contains("10. simhash     none: no terms"));
    let stop = folder.dedup("explain --language en stop").stdout;
    assert!(stop.contains("6. stop words   6 of 6 tokens removed") && stop.contains("none: no terms"), "{stop}");
    assert!(stop.contains("4. shingles     4 n-grams of words"), "it says something all the same: {stop}");
    assert_eq!(folder.dedup("explain --format json empty").json()["simhash"], serde_json::Value::Null);
}

#[test]
fn shingles_can_be_of_terms() {
    let folder = Folder::new().file("note", "The tides were rising; boats rise too.");
    let text = folder.dedup("explain --language english --shingles terms --sketches 1 note").stdout;
    let part = text.split("4. shingles").nth(1).unwrap().split("5. sketch").next().unwrap();
    assert!(part.starts_with("     2 n-grams of terms, "), "{text}");
    let ngrams: Vec<_> = part.lines().skip(1).map(|line| line.rsplit("  ").next().unwrap()).collect();
    assert_eq!(ngrams, ["tide rise boat", "rise boat rise"]);
}
