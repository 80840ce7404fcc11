//! What a wider claim would remove: the list beside the corpus, and the page of `--report`.

use crate::folder::{Folder, jsonl};
use crate::texts::{HALL, MILL, jsonl as records};

/// Four packages whose runtime and development files differ in a word, and a letter with its answer exchanged.
fn packages() -> Folder {
    let package = |number: usize, what: &str| {
        let own = ["north", "south", "east", "west"][number];
        format!("The {own} library has the {what} files for maps. {}", MILL.replace("mill", own).replace("water", own))
    };
    let letter = |answer: &str| format!("Dear guest, your request is {answer} by the committee. {HALL} {HALL}");
    let mut texts: Vec<(String, String)> = Vec::new();
    for number in 0..4 {
        texts.push((format!("run{number}"), package(number, "runtime")));
        texts.push((format!("dev{number}"), package(number, "development")));
    }
    texts.push(("yes".into(), letter("granted")));
    texts.push(("no".into(), letter("refused")));
    let texts: Vec<(&str, &str)> = texts.iter().map(|(id, text)| (&**id, &**text)).collect();
    Folder::new().file("in.jsonl", records(&texts))
}

#[test]
fn the_page_shows_first_what_is_to_be_reviewed() {
    let folder = packages();
    folder.dedup("clean -q --id-field id in.jsonl -o out.jsonl --report page.html").quietly(0);
    let page = dom_query::Document::from(folder.read_text("page.html"));
    let headings: Vec<String> = page.select("main h2, main h3").iter().map(|it| it.text().to_string()).collect();
    assert_eq!(headings[..3], ["To be reviewed", "Series 1 4 documents, word", "Of no series 1 document"]);
    let words = |query: &str| page.select(query).iter().map(|it| it.text().to_string()).collect::<Vec<_>>();
    assert_eq!(words(".review td mark"), ["runtime", "runtime", "runtime", "runtime", "granted"]);
    assert_eq!(words(".review td del"), ["development", "development", "development", "development", "refused"]);
    assert!(page.select(".review").text().contains("out.jsonl.review.jsonl"));
    // The series of the page is that of the list.
    let series: Vec<_> = jsonl(&folder.read_text("out.jsonl.review.jsonl"));
    assert_eq!(series.iter().filter(|line| line["series"] == 1).count(), 4);
    // A dry run shows them too, and names no list.
    folder.dedup("clean -q --dry-run --id-field id in.jsonl --report dry.html").code_is(0);
    let dry = folder.read_text("dry.html");
    assert!(dry.contains("Series 1 ") && !dry.contains("review.jsonl"), "{dry}");
}

#[test]
fn a_list_to_review_of_an_earlier_run_does_not_stay() {
    let folder = packages();
    let lists = |folder: &Folder| folder.names().into_iter().filter(|name| name.starts_with("out")).collect::<Vec<_>>();
    folder.dedup("clean -q --id-field id in.jsonl -o out.csv").quietly(0);
    assert_eq!(lists(&folder), ["out.csv", "out.csv.removed.csv", "out.csv.review.csv"]);
    folder.dedup("clean -q --id-field id in.jsonl -o out.csv --force --remove edited").quietly(0);
    assert_eq!(lists(&folder), ["out.csv", "out.csv.removed.csv"]);
    // A file of that name that is no such list is not lost.
    let folder = folder.file("new.jsonl.review.jsonl", "my notes");
    folder
        .dedup("clean -q --id-field id in.jsonl -o new.jsonl")
        .fails_saying("new.jsonl.review.jsonl: already exists; --force replaces it");
    assert_eq!(folder.read_text("new.jsonl.review.jsonl"), "my notes");
}
