//! Searches over web pages, and over texts that begin like web pages.

use crate::folder::Folder;
use crate::texts::{HALL, HARBOUR, MILL};

/// A page of a manual with links to its neighbours.
fn page(previous: &str, text: &str, next: &str) -> String {
    format!(
        "<html><head><title>Manual</title></head><body><div class='navheader'><a href=1.html>{previous}</a></div>\
         <h1>Opening hours</h1><p>{text}</p><hr><a rel=next href=2.html>{next}</a></body></html>"
    )
}

#[test]
fn short_pages_are_near_whatever_comes_before_and_after_them() {
    let folder = Folder::new()
        .file(
            "a/hours.html",
            page("How to reach the harbour from the station", HARBOUR, "Fees for boats and their crews"),
        )
        .file("b/hours.html", page("The history of this harbour and its town", HARBOUR, "Where to eat near the quay"))
        .file("b/hall.html", page("The history of this harbour and its town", HALL, "Where to eat near the quay"));
    let pairs = folder.dedup("find -q --pairs --format jsonl a b").jsonl();
    assert_eq!(pairs.len(), 1, "{pairs:?}");
    assert_eq!((&pairs[0]["a"], &pairs[0]["b"]), (&"a/hours.html".into(), &"b/hours.html".into()));
    assert_eq!(pairs[0]["jaccard"], 1.0);
}

#[test]
fn pages_with_one_help_text_are_no_pair() {
    let help = "<div><h2>Keyboard shortcuts</h2><p>Press the left or right arrow to go from chapter to chapter.</p>\
        <p>Press ? to show this help, and Escape to hide it again.</p></div>";
    let list = |links: &[&str]| {
        let links: String = links.iter().map(|link| format!("<li><a href=x>{link}</a></li>")).collect();
        format!("<html><body>{help}<main><h1>Commands</h1><ul>{links}</ul></main></body></html>")
    };
    let folder = Folder::new()
        .file("building.html", list(&["Check a package", "Compile a package", "Test a package"]))
        .file("publishing.html", list(&["Log in to a registry", "Own a crate", "Take back a version"]));
    assert_eq!(folder.dedup("find -q --pairs building.html publishing.html").quietly(1), "");
}

/// Tags in Markdown are words like any others, and offsets refer to the file.
#[test]
fn markdown_that_begins_with_html_is_read_unchanged() {
    let text = format!("<h1 align=\"center\">Mills</h1>\n\n<a href=\"https://example.org\">Home</a>\n\n{MILL}\n");
    let folder = Folder::new().file("README.md", &text).file("README", &text).file("mill.txt", MILL);
    for name in ["README.md", "README"] {
        let passages = folder.screened(&format!("{name} --against mill.txt"));
        assert_eq!(passages[0]["suspicious_offset_bytes"], text.find(MILL).unwrap(), "{passages:?}");
        assert_eq!(folder.dedup(&format!("explain --format json {name}")).json()["format"], "text");
    }
}
