//! Keeps the newest of each group of near-duplicates, by a date field of the records.
//!
//! ```sh
//! cargo run --example newest_by_date
//! ```

use nearcopy::{CleanOptions, KeyOrder, Result};

/// Records as a program has them: an id, a text and a date, which sorts as text.
const RECORDS: [(&str, &str, Option<&str>); 4] = [
    ("draft", "The reading room opens on Monday, and the garden behind it stays open until dusk.", Some("2026-03-01")),
    ("final", "The reading room opens on Monday, and the garden behind it stays open until dusk!", Some("2026-03-09")),
    ("undated", "the reading room opens on Monday, and the garden behind it stays open until dusk", None),
    ("other", "Tides follow the moon, which pulls the water on the near side more than the earth.", Some("2024-01-01")),
];

fn main() -> Result<()> {
    let records = RECORDS.map(|(id, text, date)| (id, text, date.map(str::to_owned)));
    let cleaned = CleanOptions::new().clean_by_keys(records, KeyOrder::Greatest, &())?;
    let kept: Vec<&str> = cleaned.survivors().into_iter().map(|document| cleaned.id(document)).collect();
    println!("kept: {}", kept.join(", "));
    for removed in cleaned.removed() {
        println!("{} is in {}", cleaned.id(removed.document), cleaned.id(removed.survivor));
    }
    assert_eq!(kept, ["final", "other"]);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
