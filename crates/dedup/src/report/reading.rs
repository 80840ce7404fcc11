//! What was read, and what could not be, in words.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;

use super::figures::{bytes, counted};
use crate::jobs::{fingerprint, passes};

/// What documents have that were not read as they are.
const MALFORMED: &str = "with malformed characters replaced";
const RENAMED: &str = "with a repeated id, named by file and line";
const UNNAMED: &str = "without an id, named by file and line";

/// What was read to be cut, or to be searched for items, as programs see it.
#[derive(Serialize)]
pub(super) struct Read<'a> {
    files: u64,
    documents: u64,
    bytes: u64,
    empty: u64,
    nulls: u64,
    replaced: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<u64>,
    unnamed: u64,
    problems: &'a BTreeMap<&'static str, u64>,
}

impl<'a> Read<'a> {
    pub(super) fn of(tally: &'a passes::Tally) -> Self {
        let passes::Tally { files, documents, bytes, empty, nulls, replaced, renamed, unnamed, ref problems, .. } =
            *tally;
        Self { files, documents, bytes, empty, nulls, replaced, renamed, unnamed, problems }
    }
}

/// What a search has read.
pub fn searched(tally: &fingerprint::Tally) -> String {
    let links = format!("symbolic link{} left out (--follow reads them)", if tally.links == 1 { "" } else { "s" });
    let hard_links = format!("further name{} of files already read", if tally.hard_links == 1 { "" } else { "s" });
    let others = format!(
        "record{} of web archives left out (neither page nor text, or of a status other than 2xx)",
        if tally.others == 1 { "" } else { "s" }
    );
    let kinds = [
        (tally.empty, "empty"),
        (tally.nulls, "of them null, compared with nothing"),
        (tally.replaced, MALFORMED),
        (tally.renamed, RENAMED),
        (tally.unnamed, UNNAMED),
        (tally.in_part, "to be compared only in part, because of too many words"),
        (tally.links, &*links),
        (tally.hard_links, &*hard_links),
        (tally.others, &*others),
    ];
    in_words([tally.documents, tally.bytes, tally.files], &kinds, &tally.problems)
}

/// What was read to be cut, or to be searched for items.
pub fn cut(tally: &passes::Tally) -> String {
    let kinds = [
        (tally.empty, "empty"),
        (tally.nulls, "of them null"),
        (tally.replaced, MALFORMED),
        (tally.renamed.unwrap_or(0), RENAMED),
        (tally.unnamed, UNNAMED),
    ];
    in_words([tally.documents, tally.bytes, tally.files], &kinds, &tally.problems)
}

fn in_words(
    [documents, of_text, files]: [u64; 3],
    kinds: &[(u64, &str)],
    problems: &BTreeMap<impl Display, u64>,
) -> String {
    let (documents, files) = (counted(documents, "document"), counted(files, "file"));
    let mut parts = vec![format!("read {documents} ({} of text) in {files}", bytes(of_text))];
    parts.extend(kinds.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    if !problems.is_empty() {
        let reasons: Vec<String> = problems.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        parts.push(format!("skipped {}: {}", problems.values().sum::<u64>(), reasons.join(", ")));
    }
    parts.join("; ")
}
