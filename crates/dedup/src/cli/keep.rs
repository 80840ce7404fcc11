//! The option `--keep`; the policies are in [`nearcopy::search::keep`].

use std::collections::{BTreeMap, HashSet};

use clap::Args;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::keep::{self, Keep, Policy};
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::format::DateOrigin;

use super::progress::Progress;
use crate::report::counted;

/// The option for that policy.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct KeepArgs {
    /// Policy that chooses which of near-duplicates is kept
    ///
    /// `first` and `last` go by the order of the input, `longest` and `shortest` by the length of the text in bytes.
    /// `newest` and `oldest` go by the date that a document states (of its last change, else of its creation: PDF, DOCX,
    /// PPTX, ODT, RTF, EPUB, web pages, mails), else by the time of its file, or of a web archive by that of its first
    /// page; of equal dates, the longer text is kept.
    /// `field:NAME[:asc|desc]` keeps the least (asc, the default) or the greatest value of a field; at least one document
    /// must have the field, and documents without it, or with an empty one, come last. `source:A,B,…` prefers files whose names contain A,
    /// then B. Of those that still tie, a file with the name of a copy (`report (1).docx`, `Copy of report.docx`) goes; then
    /// the lesser id is kept.
    ///
    /// By default `longest`.
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    keep: Option<Named>,
}

/// A policy and its field.
#[derive(Debug, Clone)]
struct Named {
    policy: Policy,
    field: Option<String>,
    /// True for `none`, of which the policy is that of the order in which documents are named.
    is_none: bool,
}

fn policy(value: &str) -> Result<Named, String> {
    let is_none = value == "none";
    let (policy, field) = if is_none { (Keep::First.into(), None) } else { keep::named(value)? };
    Ok(Named { policy, field, is_none })
}

impl KeepArgs {
    /// Names the sources of the policy that no file has in its name.
    pub(super) fn tell_sources<'f>(&self, files: impl Iterator<Item = &'f str>, progress: &Progress) {
        let Policy::Source(names) = self.policy() else { return };
        let mut lacking: Vec<&String> = names.iter().collect();
        files.for_each(|file| lacking.retain(|name| !file.contains(name.as_str())));
        for name in lacking {
            progress.say(&format!("--keep source:{name}: no document is in a file with '{name}' in its name"));
        }
    }

    /// Checks that documents have the field or a source of the policy.
    pub(super) fn check(&self, collection: &Collection, progress: &Progress) -> Result<(), String> {
        self.tell_sources(collection.files().flat_map(|(_, file)| file.files()).map(|file| file.path), progress);
        let Some(wanted) = self.keep.as_ref().and_then(|keep| keep.field.as_ref()) else { return Ok(()) };
        for (_, file) in collection.files() {
            let name = file.path();
            match file.key_field() {
                Some(field) if field == wanted => {}
                Some(field) => {
                    return Err(format!(
                        "{name}: stores the field '{field}', not '{wanted}'; give --keep field:{field}, or make the \
                         file again with --key-field {wanted}"
                    ));
                }
                None => return Err(format!("{name}: stores no field; make the file again with --key-field {wanted}")),
            }
        }
        let all = collection.len();
        let without = (0..all as u32).filter(|&document| collection.key(document).is_none()).count();
        if without == all && all > 0 {
            return Err(format!("no document has the field '{wanted}' of --keep; check its name, or name another"));
        }
        if without > 0 {
            progress.say(&format!(
                "{without} of {all} documents have no field '{wanted}'; documents that have it are preferred"
            ));
        }
        Ok(())
    }

    /// True if none is kept.
    pub(super) fn is_none(&self) -> bool {
        self.keep.as_ref().is_some_and(|keep| keep.is_none)
    }

    /// Refuses the policy by which none is kept.
    pub(super) fn expect_one(&self) -> Result<(), &'static str> {
        if self.is_none() {
            Err("--keep none: only for `dedup clean --repeats` and `--lines`; name another policy")
        } else {
            Ok(())
        }
    }

    /// The library's policy.
    pub(super) fn policy(&self) -> Policy {
        self.policy_or(Keep::Longest)
    }

    /// The library's policy, given the default.
    pub(super) fn policy_or(&self, default: Keep) -> Policy {
        self.keep.as_ref().map_or_else(|| default.into(), |keep| keep.policy.clone())
    }

    /// Says where the dates came from by which a policy chose, and how many ties there were.
    pub(super) fn tell(&self, collection: &Collection, clusters: &Clusters, progress: &Progress) {
        let name = match self.policy() {
            Policy::Newest => "newest",
            Policy::Oldest => "oldest",
            _ => return,
        };
        if let Some(dates) = Dates::of(collection, clusters).in_words() {
            progress.say(&format!("--keep {name}: {dates}"));
        }
    }

    /// The field of the policy, if it has one.
    pub(super) fn key(&self) -> Option<String> {
        self.keep.as_ref()?.field.clone()
    }
}

/// The dates of near-duplicates and their survivors.
#[derive(Default)]
struct Dates {
    /// Number of documents by the origin of their date; `None`: without one.
    origins: BTreeMap<Option<DateOrigin>, u64>,
    /// Number of documents that have the date of their survivor, and a shorter text.
    by_length: u64,
    /// The same with a text of equal length.
    by_name: u64,
}

impl Dates {
    fn of(collection: &Collection, clusters: &Clusters) -> Self {
        let (mut dates, mut survivors) = (Self::default(), HashSet::new());
        let origin = |document: u32| collection.date(document).map(|(_, origin)| origin);
        for [document, survivor] in clusters.gone() {
            *dates.origins.entry(origin(document)).or_default() += 1;
            if survivors.insert(survivor) {
                *dates.origins.entry(origin(survivor)).or_default() += 1;
            }
            let [x, y] = [document, survivor].map(|document| collection.date(document).map(|(date, _)| date));
            if x == y {
                let [x, y] = [document, survivor].map(|document| collection.counts(document).bytes);
                *(if x == y { &mut dates.by_name } else { &mut dates.by_length }) += 1;
            }
        }
        dates
    }

    /// The counts in words, without those that are 0; `None` if there is no near-duplicate.
    fn in_words(&self) -> Option<String> {
        let from = |(origin, count): (&Option<DateOrigin>, &u64)| match origin {
            Some(DateOrigin::Document) => format!("{} from documents", counted(*count, "date")),
            Some(DateOrigin::Archive) => format!("{} from archives", counted(*count, "date")),
            Some(DateOrigin::File) => format!("{} from files", counted(*count, "date")),
            None => format!("{} without a date", counted(*count, "document")),
        };
        // Documents without a date come last.
        let (undated, dated): (Vec<_>, Vec<_>) = self.origins.iter().partition(|(origin, _)| origin.is_none());
        let mut parts: Vec<String> = dated.into_iter().chain(undated).map(from).collect();
        if parts.is_empty() {
            return None;
        }
        let ties = [(self.by_length, "length of the text"), (self.by_name, "name")];
        let ties = ties.into_iter().filter(|(count, _)| *count > 0);
        parts.extend(ties.map(|(count, by)| format!("{} decided by {by}", counted(count, "tie"))));
        Some(parts.join(", "))
    }
}
