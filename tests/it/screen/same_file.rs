//! Files that are documents and sources at once, by two spellings of their path.

use super::hand_in::zip;
use super::{FERRY, KILN};
use crate::folder::Folder;

#[test]
fn a_file_is_not_compared_with_itself_however_its_path_is_written() {
    let class = zip(&[("anna.txt", KILN.as_bytes()), ("bo.txt", FERRY.as_bytes())]);
    let folder = Folder::new()
        .file("in/a.txt", KILN)
        .file("in/b.txt", FERRY)
        .file("class/c.zip", class)
        .file("rows/r.csv", format!("text\n\"{KILN}\"\n\"{FERRY}\"\n"));
    let here = folder.path().display();
    for (documents, sources, count) in [
        ("in/a.txt", "./in", 1),
        ("in", &*format!("{here}/in"), 2),
        ("./in/b.txt", "in/a.txt in/b.txt", 1),
        ("class/c.zip", "class/../class/c.zip", 2),
        ("rows/r.csv", "./rows", 2),
    ] {
        let answer = folder.dedup(&format!("screen {documents} --against {sources}"));
        let stand = if count == 1 { "1 document stands" } else { "2 documents stand" };
        assert!(answer.stderr.contains("no passages") && answer.stderr.contains(stand), "{documents}: {answer:?}");
    }
    // A copy in another file is a source.
    let copy = folder.file("old/a.txt", KILN);
    assert_eq!(copy.screened("in --against ./in old").len(), 1);
}
