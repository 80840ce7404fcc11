//! A corpus in shards: fingerprinted apart, searched together, and cleaned apart.

use crate::folder::{Folder, fileless, jsonl};

/// Records of 17 unrelated texts, each with copies that differ in some words; those of a text are in several shards.
fn records() -> Vec<String> {
    (0..60)
        .map(|n| n * 7 % 60)
        .map(|n| {
            let (text, edits) = (n % 17, n / 17);
            let word = |at: usize| if at % 20 < edits { format!("e{n}x{at}") } else { format!("w{text}x{at}") };
            let words: Vec<String> = (0..60 + edits).map(word).collect();
            format!("{{\"id\":\"d{n:02}\",\"text\":\"{}\"}}\n", words.join(" "))
        })
        .collect()
}

#[test]
fn shards_are_cleaned_as_one_corpus() {
    let records = records();
    let mut folder = Folder::new().file("all.jsonl", records.concat());
    for (n, shard) in records.chunks(15).enumerate() {
        folder = folder.file(&format!("shard{n}.jsonl"), shard.concat());
    }
    let ids = |lines: &str| {
        let clusters = jsonl(lines);
        let members = clusters.iter().flat_map(|cluster| cluster["members"].as_array().unwrap());
        members.map(|member| format!("{}\n", member["id"].as_str().unwrap())).collect::<String>()
    };
    for n in 0..4 {
        folder.dedup(&format!("fingerprint -q shard{n}.jsonl --id-field id -o shard{n}.fp")).quietly(0);
    }
    let together = folder.dedup("find -q shard0.fp shard1.fp shard2.fp shard3.fp --format jsonl").quietly(0);
    let one = folder.dedup("find -q all.jsonl --id-field id --format jsonl").quietly(0);
    assert_eq!(fileless(&together), fileless(&one));
    let gone = ids(&together);
    assert!((20..=43).contains(&gone.lines().count()), "{gone}");
    let folder = folder.file("gone.txt", &gone);
    let cleaned = |name: &str| {
        folder.dedup(&format!("clean -q {name}.jsonl --id-field id --apply gone.txt -o kept-{name}.jsonl")).quietly(0);
        folder.read_text(&format!("kept-{name}.jsonl"))
    };
    let apart: String = (0..4).map(|n| cleaned(&format!("shard{n}"))).collect();
    assert_eq!(apart, cleaned("all"));
    assert_eq!(apart.lines().count(), 60 - gone.lines().count());
    // Nothing goes from a shard of which no document is listed.
    let folder = folder.file("shard4.jsonl", "{\"id\":\"e1\",\"text\":\"a text of its own\"}\n");
    folder.dedup("clean -q shard4.jsonl --id-field id --apply gone.txt -o kept-shard4.jsonl").quietly(0);
    assert_eq!(folder.read("kept-shard4.jsonl"), folder.read("shard4.jsonl"));
}
