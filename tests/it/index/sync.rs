//! `dedup index sync`: the index follows folders.

use std::fs;

use crate::folder::Folder;
use crate::texts::{HALL, HARBOUR, MILL};

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    crate::screen::hand_in::zip(&members.iter().map(|(name, text)| (*name, text.as_bytes())).collect::<Vec<_>>())
}

fn ids(folder: &Folder) -> Vec<String> {
    let mut ids: Vec<String> = folder.dedup("index list letters").stdout.lines().map(str::to_owned).collect();
    ids.sort();
    ids
}

/// What a synchronisation says it did.
fn sync(folder: &Folder, options: &str) -> String {
    let answer = folder.dedup(&format!("index sync letters in {options}"));
    let line = answer.stderr.lines().find(|line| line.contains("unchanged; ")).unwrap_or_else(|| panic!("{answer:?}"));
    line.trim_start_matches("dedup: letters: ").to_owned()
}

#[test]
fn the_index_follows_a_folder() {
    let folder = Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/b.txt", MILL)
        .file("in/c.zip", zip(&[("anna/x.txt", HALL), ("ben/y.txt", MILL)]))
        .file("in/scan.pdf", "%PDF-1.4")
        .file("other.txt", HALL);
    folder.dedup("index create letters").code_is(0);
    folder.dedup("index add letters other.txt").code_is(0);
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 4 documents, replaced 0, removed 0");
    let all = ["in/a.txt", "in/b.txt", "in/c.zip/anna/x.txt", "in/c.zip/ben/y.txt", "other.txt"];
    assert_eq!(ids(&folder), all);
    // What could not be read is tried each time.
    assert_eq!(sync(&folder, ""), "3 files unchanged; added 0 documents, replaced 0, removed 0");
    folder.dedup("index sync letters in").code_is(2);
    fs::remove_file(folder.path().join("in/scan.pdf")).unwrap();
    folder.dedup("index sync letters in").code_is(0);
    let path = |name: &str| folder.path().join("in").join(name);
    fs::write(path("a.txt"), format!("{HARBOUR} And more.")).unwrap();
    fs::remove_file(path("b.txt")).unwrap();
    fs::write(path("c.zip"), zip(&[("anna/x.txt", HALL), ("cleo/z.txt", MILL)])).unwrap();
    fs::write(path("new.txt"), MILL).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options().append(true).open(path("c.zip")).unwrap().set_modified(later).unwrap();
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 2 documents, replaced 2, removed 2");
    assert_eq!(ids(&folder), ["in/a.txt", "in/c.zip/anna/x.txt", "in/c.zip/cleo/z.txt", "in/new.txt", "other.txt"]);
    let near = folder.dedup("index query letters in/a.txt --similarity 1 --distance none --format jsonl").jsonl();
    assert!(near.iter().any(|pair| pair["b"] == "in/a.txt" && pair["jaccard"] == 1.0), "{near:?}");
    // Documents from elsewhere stay, also if the folder is gone.
    fs::remove_dir_all(folder.path().join("in")).unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 0 documents, replaced 0, removed 4");
    assert_eq!(ids(&folder), ["other.txt"]);
}

#[test]
fn bytes_are_compared_if_asked() {
    let folder = Folder::new().file("in/a.txt", HARBOUR);
    folder.dedup("index create letters").code_is(0);
    sync(&folder, "");
    let path = folder.path().join("in/a.txt");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, HARBOUR.replacen('e', "a", 1)).unwrap();
    fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
    assert!(sync(&folder, "").starts_with("1 file unchanged"));
    assert_eq!(sync(&folder, "--digest"), "0 files unchanged; added 0 documents, replaced 1, removed 0");
    assert!(sync(&folder, "--digest").starts_with("1 file unchanged"));
    folder.dedup("index sync letters -").fails_saying("standard input has no files to compare");
}
