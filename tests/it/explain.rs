//! `dedup explain`

use crate::folder::{Folder, dedup};

#[test]
fn every_stage_of_a_short_text_is_shown() {
    let folder = Folder::new().file("note", "The tides were rising; boats rise too.");
    let answer = folder.dedup("explain --language english --sketches 2 note");
    assert_eq!(
        answer.stdout,
        "\
1. text         note: UTF-8 text, 38 characters
2. language     English (eng), as named
3. tokens       7 words in their normal form
   the tides were rising boats rise too
4. stop words   3 removed
   the were too
5. terms        4 words left; word→stem where they differ
   tides→tide rising→rise boats→boat rise
6. n-grams      2, each with its Rabin fingerprint, bit 63 first
        1  1110011010000100000100010100000010011101000000100000011000010110  tide rise boat
        2  0010111111010111011010000100110100001111110000100110110101100001  rise boat rise
7. sums         after each n-gram: +1 for a one bit, −1 for a zero bit
      bit   63   62   61   60   59   58   57   56   55   54   53   52   51   50   49   48
        1   +1   +1   +1   -1   -1   +1   +1   -1   +1   -1   -1   -1   -1   +1   -1   -1
        2   +0   +0   +2   -2   +0   +2   +2   +0   +2   +0   -2   +0   -2   +2   +0   +0
  simhash    0    0    1    0    0    1    1    0    1    0    0    0    0    1    0    0
           the first 16 of 64 bits; --full shows all
8. simhash      268400400d020400 = 0010011010000100000000000100000000001101000000100000010000000000
9. sketch       2 minima, each with the first n-gram that has it
        1  1916341267  n-gram 1     tide rise boat
        2  2195849884  n-gram 2     rise boat rise
"
    );
}

#[test]
fn long_parts_are_shortened_unless_asked_for() {
    let short = dedup("explain data/texts/fin/bees.txt").stdout;
    let full = dedup("explain --full data/texts/fin/bees.txt").stdout;
    assert!(short.contains("--full shows all") && !full.contains("--full"));
    assert!(short.lines().count() < 75 && full.lines().count() > 250);
}

#[test]
fn json_holds_together() {
    let json = dedup("explain --format json data/texts/jpn/tides.txt").json();
    let list = |key: &str| json[key].as_array().unwrap();
    assert_eq!(json["language"], "jpn");
    let kept = list("tokens").iter().filter(|token| token["stop_word"] == false).count();
    assert_eq!(kept, list("terms").len());
    assert_eq!(list("ngrams").len(), list("terms").len() - 2);
    assert_eq!(list("ngrams").last().unwrap()["running_sums"], json["sums"]);
    let bits = list("sums").iter().fold(0u64, |bits, sum| bits << 1 | u64::from(sum.as_i64() > Some(0)));
    assert_eq!(json["simhash"], format!("{bits:016x}"));
    let compared = dedup("compare --format json data/texts/jpn/tides.txt data/texts/jpn/bees.txt").json();
    assert_eq!(compared["documents"][0]["simhash"], json["simhash"]);
    assert_eq!(compared["documents"][0]["sketch"], json["sketch"]);
    assert_eq!(compared["recipe_id"], json["recipe_id"]);
    // Spans point into the file.
    let text = std::fs::read_to_string(crate::folder::project().join("data/texts/jpn/tides.txt")).unwrap();
    let token = &list("tokens")[3];
    let [start, length] =
        ["offset_bytes", "length_bytes"].map(|key| usize::try_from(token[key].as_u64().unwrap()).unwrap());
    assert_eq!(text[start..start + length], *token["form"].as_str().unwrap());
}

#[test]
fn a_text_without_terms_is_explained_too() {
    let folder = Folder::new().file("empty", "").file("stop", "to be or not to be");
    assert!(folder.dedup("explain empty").stdout.contains("8. simhash      none: no terms"));
    let stop = folder.dedup("explain --language en stop").stdout;
    assert!(stop.contains("4. stop words   6 removed") && stop.contains("none: no terms"), "{stop}");
    assert_eq!(folder.dedup("explain --format json empty").json()["simhash"], serde_json::Value::Null);
}
