//! The messages of a build without Parquet. A separate test program, so that little is built for it.
#![cfg(not(feature = "parquet"))]

use std::fs;
use std::process::{Command, Output};

#[test]
fn errors_say_how_to_get_parquet() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "the harbour closes at low water").unwrap();
    fs::write(folder.path().join("a.jsonl"), "{\"text\":\"one\"}\n").unwrap();
    fs::write(folder.path().join("a.parquet"), "PAR1 and more").unwrap();
    let run = |line: &str| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
        command.args(line.split(' ')).current_dir(folder.path()).output().unwrap()
    };
    for (line, expected) in [
        (
            "fingerprint a.txt a.parquet -o a.fp",
            "dedup: a.parquet: is not valid Parquet: this build does not read Parquet; install it with --features parquet",
        ),
        ("cat a.fp -o b.parquet", "this build writes no Parquet"),
        (
            "clean a.jsonl -o c.parquet",
            "dedup: c.parquet: cannot be written: this build writes no Parquet; install it with",
        ),
    ] {
        let answer = run(line);
        let stderr = String::from_utf8_lossy(&answer.stderr);
        assert!(answer.status.code() == Some(2) && stderr.contains(expected), "{line}: {answer:?}");
    }
}
