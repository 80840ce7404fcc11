//! A corpus in shards: fingerprinted apart, searched together, and cleaned apart.

use crate::folder::{Folder, fileless, jsonl, removals};

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

/// A list that `clean` wrote for the whole corpus is applied to each shard.
#[test]
fn a_list_of_the_corpus_cleans_its_shards() {
    let records = records();
    let mut folder = Folder::new().file("all.jsonl", records.concat());
    for (n, shard) in records.chunks(15).enumerate() {
        folder = folder.file(&format!("shard{n}.jsonl"), shard.concat());
    }
    folder.dedup("clean -q --remove edited all.jsonl --id-field id -o kept.jsonl").quietly(0);
    let line =
        |n: usize| format!("clean -q shard{n}.jsonl --id-field id --apply kept.jsonl.removed.jsonl -o kept{n}.jsonl");
    // Some survivors are in other shards.
    let refused = (0..4).filter(|&n| {
        let answer = folder.dedup(&line(n));
        assert!(answer.code == 0 || answer.stderr.contains("or give --shard if it is in another shard"), "{answer:?}");
        answer.code == 2
    });
    assert!(refused.count() > 0, "or this shows nothing");
    let cleaned = |n: usize| {
        folder.dedup(&format!("{} --shard --force", line(n))).quietly(0);
        folder.read_text(&format!("kept{n}.jsonl"))
    };
    assert_eq!((0..4).map(cleaned).collect::<String>(), folder.read_text("kept.jsonl"));
    // A listed text that was overwritten stays.
    let id = removals(&folder.read_text("kept.jsonl.removed.jsonl"))[0]["id"].as_str().unwrap().to_owned();
    let number = records.iter().position(|record| record.contains(&format!("\"{id}\""))).unwrap();
    let shard = records[number / 15 * 15..][..15].concat();
    let shard = shard.replace(&records[number], &format!("{{\"id\":\"{id}\",\"text\":\"a new essay\"}}\n"));
    let folder = folder.file(&format!("shard{}.jsonl", number / 15), shard);
    let answer = folder.dedup(&format!("{} --shard --force", line(number / 15)));
    assert!(answer.code == 2 && answer.stderr.contains(&format!("dedup: {id}: stays, because its text")), "{answer:?}");
    assert!(folder.read_text(&format!("kept{}.jsonl", number / 15)).contains("a new essay"));
}
