//! Pages as a browser's parser takes them.

use dom_query::Document;

use super::*;
use crate::jobs::review::{Change, Kind};

fn html(overview: &Overview) -> String {
    let mut out = Vec::new();
    overview.write_html(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The page as a browser takes it; it has nothing to complain of.
fn page(overview: &Overview) -> Document {
    let document = Document::from(html(overview));
    assert_eq!(*document.errors.borrow(), [] as [&str; 0]);
    document
}

#[test]
fn pages_are_well_formed_and_still() {
    for overview in all() {
        let page = page(&overview);
        for active in ["script", "img", "iframe", "object", "link", "base", "form", "a", "[src]", "[href]", "[style]"] {
            assert_eq!(page.select(active).length(), 0, "{active} in a page of {}", overview.command);
        }
        for element in &page.select("*") {
            let handlers = element.attrs().iter().filter(|attribute| attribute.name.local.starts_with("on")).count();
            assert_eq!(handlers, 0, "{}", element.html());
        }
        assert_eq!(page.select("html[lang=en] > head > title").length(), 1);
        let policy = page.select("meta[http-equiv=Content-Security-Policy]").attr_or("content", "");
        assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline';"), "{policy}");
        assert!(!html(&overview).contains("NaN") && !html(&overview).contains("inf%"));
    }
}

#[test]
fn hostile_texts_are_shown_as_they_are() {
    let page = page(&hostile());
    let shown = "</style></title></script><img src=x onerror=alert(1)>\"' onload='x' <svg/onload=y>��␀␛[2J&lt;<!--]]>";
    assert_eq!(page.select("h1").text().to_string(), format!("dedup {shown}"));
    assert_eq!(page.select("bdi.id").first().text().to_string(), shown);
    assert!(page.select(".survivor blockquote").text().contains(&format!("one {shown} two")));
    // An unknown language gives an empty `lang` attribute.
    assert_eq!(page.select(".survivor blockquote").attr_or("lang", "-").to_string(), "");
}

#[test]
fn a_page_says_when_and_how_it_was_made() {
    let page = page(&one_cluster());
    let settings: Vec<String> = page.select("header .facts dd").iter().map(|fact| fact.text().to_string()).collect();
    assert_eq!(
        settings,
        [
            "2025-11-22 08:26:40 UTC",
            "dedup find --report 'an overview.html' empty/",
            "Hamming distance at most 3 of 64 bits, or Jaccard at least 50 %",
            "the longest",
            "of 3 words as written for Jaccard, of terms for the simhash"
        ]
    );
}

#[test]
fn texts_have_their_language_and_direction() {
    let page = page(&million());
    let quotes = page.select("article blockquote, .places td");
    assert_eq!(quotes.length(), page.select("article blockquote[dir=auto], .places td[dir=auto]").length());
    let languages: Vec<String> = quotes.iter().map(|quote| quote.attr_or("lang", "").to_string()).collect();
    assert_eq!(languages, ["en", "en", "en", "ar", "ar", "ar", "zh", "zh", "zh"]);
}

#[test]
fn members_are_marked_beside_the_survivor() {
    let page = page(&one_cluster());
    let sides: Vec<String> = page.select(".places td").iter().map(|side| side.inner_html().to_string()).collect();
    assert_eq!(sides, ["The harbour <del>closes</del> at low water", "The harbour <mark>opens</mark> at low water"]);
    assert!(page.select(".member").text().contains("2 words are the same before the first difference."));
    assert_eq!(page.select(".survivor blockquote").text().to_string(), "The harbour closes at low water.");
    let figures: Vec<String> = page.select(".figures dd").iter().map(|figure| figure.text().to_string()).collect();
    assert_eq!(figures, ["2 of 64 bits", "90.00 %", "90.00 %", "96.00 %", "97.00 %", "Hamming, Jaccard"]);

    let page = self::page(&million());
    let members: Vec<String> = page.select("article").iter().map(|members| members.text().to_string()).collect();
    assert!(members[0].contains("The same text.") && members[0].contains("and 1,201 more members"));
    assert!(members[2].contains("The text is not available"));
}

/// The counts of a table, by its heading.
fn counts_of_chart(page: &Document, title: &str) -> Vec<(String, String)> {
    let chart = page.select(".chart").iter().find(|chart| chart.select("h2").text().to_string() == title).unwrap();
    let rows = chart
        .select("tbody tr")
        .iter()
        .map(|row| (row.select("th").text().to_string(), row.select("td").first().text().to_string()));
    rows.collect()
}

#[test]
fn page_and_summary_have_the_same_figures() {
    for overview in all() {
        let (page, text) = (page(&overview), text(&overview));
        let tiles = page.select(".tiles > div");
        assert_eq!(tiles.length(), overview.headlines().len());
        for tile in &tiles {
            let [name, count] = ["dt", "b"].map(|part| tile.select(part).text().to_string());
            let line = text.lines().find(|line| line.starts_with(&name)).unwrap();
            let words: Vec<&str> = line[name.len()..].split_whitespace().collect();
            assert_eq!(words[0], count);
            let share = tile.select("small").text().to_string();
            assert!(line.contains(&share), "{line} has another share than {share}");
        }
    }
    let (page, text) = (page(&million()), text(&million()));
    for (name, count) in counts_of_chart(&page, "Languages").iter().take(7) {
        assert!(
            text.lines().any(|line| line.ends_with(name) && line.contains(&format!(" {count} documents"))),
            "{name}"
        );
    }
    for (kind, count) in counts_of_chart(&page, "Skipped, and why").iter().take(3) {
        assert!(
            text.lines().any(|line| line.trim().starts_with(kind) && line.ends_with(&format!(" {count}"))),
            "{kind}"
        );
    }
}

#[test]
fn charts_count_everything_once() {
    let page = page(&million());
    let sum = |title: &str| -> u64 {
        let counts = counts_of_chart(&page, title);
        counts.iter().map(|(_, count)| count.replace(',', "").parse::<u64>().unwrap()).sum()
    };
    assert_eq!(sum("Similarity to the document that stays"), 45_679);
    assert_eq!(sum("Cluster sizes"), 19_241);
    assert_eq!(sum("Languages"), 1_000_000);
    assert_eq!(sum("Skipped, and why"), 37);
    let sizes = counts_of_chart(&page, "Cluster sizes");
    let labels: Vec<&str> = sizes.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["2", "3", "4–5", "6–10", "11–100", "101–1,000", "1,001–10,000"]);
    // Each has heads for its columns and rows.
    assert_eq!(page.select("tbody tr").length(), page.select("tbody tr > th[scope=row], .places tbody tr").length());
    assert_eq!(page.select("table").length(), page.select("table > thead th:first-child[scope=col]").length());
}

/// A pair to be reviewed that differs in a word of `kind`.
fn reviewed(id: &str, kind: Kind, [removed, survivor]: [&str; 2]) -> ShownPair {
    let change = Change {
        kind,
        removed: removed.into(),
        survivor: survivor.into(),
        before: "your request is".into(),
        after: "by us".into(),
    };
    let shown = member(2, 0.93, document(id, "eng", ""));
    let kept = document("kept <b>", "und", "");
    ShownPair { document: shown, survivor: kept, removal: Some(Removal::Edited), changes: vec![change], more: 2 }
}

#[test]
fn what_is_to_be_reviewed_comes_first_series_by_series() {
    let series = |number, pairs, kind| ShownSeries {
        number,
        pairs,
        kinds: [kind].into(),
        first: vec![reviewed("a.txt", kind, ["granted", ""])],
    };
    let review = ToReview {
        pairs: 1_260,
        series: 45,
        singles: 1_000,
        list: Some("out.review.jsonl".into()),
        largest: vec![series(7, 216, Kind::Word), series(2, 1, Kind::Negation)],
        first_singles: vec![reviewed("<script>", Kind::Number, ["20", "30"])],
    };
    let page = page(&Overview { review: Some(review.clone()), ..million() });
    let headings: Vec<String> = page.select("main h2, .review h3").iter().map(|it| it.text().to_string()).collect();
    let expected = ["To be reviewed", "Series 7 216 documents, word", "Series 2 1 document, negation"];
    assert_eq!(headings[..3], expected);
    assert_eq!(headings[3], "Of no series 1,000 documents");
    let text = page.select(".review").text().to_string();
    for part in [
        "260 documents in 45 series and 1,000 documents of no series would be removed by a wider claim or with",
        "out.review.jsonl",
        "and 215 more documents of this series",
        "and 43 more series",
        "and 999 more documents",
        "and 2 more differences",
        "would be removed for kept <b>, by the claim edited, Jaccard 93.00 %",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let rows: Vec<String> = page.select(".review tbody tr").iter().map(|row| row.inner_html().to_string()).collect();
    assert_eq!(
        rows[2],
        "<th scope=\"row\">number</th><td lang=\"und\" dir=\"auto\">your request is <del>30</del> by us</td>\
         <td lang=\"en\" dir=\"auto\">your request is <mark>20</mark> by us</td>"
    );
    assert!(rows[0].contains("your request is <small>[nothing]</small> by us"), "{}", rows[0]);
    let none = ToReview::default();
    let page = self::page(&Overview { review: Some(none), ..million() });
    assert!(page.select(".review").text().contains("No document stays that a wider claim would remove."));
}
