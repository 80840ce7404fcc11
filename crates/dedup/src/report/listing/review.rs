//! The list of documents that a wider claim would remove.

use std::io::{self, Write};

use serde::Serialize;

use super::Item;
use super::items::File;
use super::likeness::{LIKENESS, Likeness, columns};
use super::seal::{SEAL, Seal};
use crate::jobs::review::{Change, Kind};
use crate::report::shown;
use crate::report::table::Cell;

/// A document that stays and that a wider claim would remove.
#[derive(Debug, Serialize)]
pub struct Reviewed<'a> {
    /// The number of its series; `None` if its differences do not recur.
    pub series: Option<u32>,
    /// The kinds of its differences, the gravest first.
    pub kinds: Vec<Kind>,
    /// The document's id.
    pub id: &'a str,
    /// The id of the document for which it would be removed.
    pub survivor: &'a str,
    /// Their likeness; the document is A.
    #[serde(flatten)]
    pub likeness: Likeness,
    /// The words in which the two differ.
    pub changes: &'a [Change],
    /// Number of further differences.
    pub more_changes: usize,
    /// The file that it came from, if reported.
    #[serde(flatten)]
    pub file: Option<File>,
    /// The digests of both texts.
    #[serde(flatten)]
    pub seal: Seal,
}

impl Reviewed<'_> {
    /// The kinds of some differences, each once.
    pub fn kinds(changes: &[Change]) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = changes.iter().map(|change| change.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// `… before [-removed-] {+survivor+} after …`, for each difference.
    fn changes_in_words(&self) -> String {
        let in_words = |change: &Change| {
            let mut parts = vec![change.before.clone()];
            parts.extend(Some(&change.removed).filter(|words| !words.is_empty()).map(|words| format!("[-{words}-]")));
            parts
                .extend(Some(&change.survivor).filter(|words| !words.is_empty()).map(|words| format!("{{+{words}+}}")));
            parts.push(change.after.clone());
            parts.retain(|part| !part.is_empty());
            parts.join(" ")
        };
        let mut all: Vec<String> = self.changes.iter().map(in_words).collect();
        if self.more_changes > 0 {
            all.push(format!("{} more", self.more_changes));
        }
        all.join(" … ")
    }
}

impl Item for Reviewed<'_> {
    const COLUMNS: &'static [&'static str] = &columns::<{ 10 + LIKENESS.len() }>(
        &["series", "kinds", "id", "survivor"],
        &["changes", "file_bytes", "file_modified", SEAL[0], SEAL[1], SEAL[2]],
    );

    const IS_SEALED: bool = true;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  resembles  {}  {}", shown(self.id), shown(self.survivor), self.likeness.in_words())?;
        writeln!(out, "   {}", shown(&self.changes_in_words()))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let kinds: Vec<&str> = self.kinds.iter().copied().map(Kind::name).collect();
        let head = [
            Cell::figure_if(self.series),
            Cell::figure(kinds.join(" ")),
            Cell::text(self.id),
            Cell::text(self.survivor),
        ];
        let changes = self.changes_in_words();
        let rest = [Cell::text(&changes)].into_iter().chain(File::cells(self.file.as_ref())).chain(self.seal.cells());
        vec![head.into_iter().chain(self.likeness.cells()).chain(rest).collect()]
    }
}
