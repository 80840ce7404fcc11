//! Addresses, where they cannot be read. `scripts/check-remote` reads them.

use crate::folder::Folder;
use crate::texts::{BEES, HARBOUR, jsonl};

#[cfg(not(feature = "remote"))]
#[test]
fn addresses_need_a_feature() {
    let folder = Folder::new().file("in.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]));
    let remedy = "this build reads and writes no addresses; install it with --features remote";
    for line in [
        "find -q s3://bucket/a.jsonl",
        "fingerprint -q hf://datasets/owner/name -o x.fp",
        "clean -q https://example.org/a.jsonl -o out.jsonl",
        "decontaminate -q gs://bucket/ --against in.jsonl --dry-run",
        "screen -q in.jsonl --against az://container/texts/",
        "clean in.jsonl -o s3://bucket/out.jsonl",
        "clean in.jsonl -o s3://bucket/out/part-*.jsonl",
        "fingerprint in.jsonl -o gs://bucket/x.fp",
        "decontaminate in.jsonl --against in.jsonl --drop -o az://container/out.jsonl",
    ] {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains(remedy), "{line}: {answer:?}");
        let address = line.split(' ').find(|word| word.contains("://")).unwrap();
        assert!(answer.stderr.contains(&format!("{address}: ")), "{line}: {answer:?}");
        assert_eq!(
            folder.names().into_iter().filter(|name| name != "x.fp").collect::<Vec<_>>(),
            ["in.jsonl"],
            "{line}"
        );
    }
}

#[test]
fn what_no_address_can_be_is_told() {
    let folder = Folder::new().file("in.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]));
    folder.dedup("audit s3://bucket/texts/").fails_saying("s3://bucket/texts/: is elsewhere, and an audit plans moves");
    folder.dedup("clean in.jsonl -o s3://bucket").fails_saying("s3://bucket: name a folder or an object in a bucket");
    folder
        .dedup("clean s3://bucket/texts/ -o s3://bucket/texts/out")
        .fails_saying("s3://bucket/texts/out: would be inside the input s3://bucket/texts/");
    // A file of this machine may have any name.
    let folder = folder.file("s3:/bucket/a.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]));
    folder.dedup("find -q s3:/bucket/a.jsonl").quietly(1);
}
