//! The overview of a run over a corpus: documents read, clusters found, documents kept.
//!
//! [`Overview`] is plain data, filled by the command that ran the search. It is written as a
//! summary for the terminal ([`Overview::write_text`]), as values for programs (it is
//! [`serde::Serialize`]), and as one HTML page that needs nothing but a browser
//! ([`Overview::write_html`]). All three take their counts from here, so that they
//! agree; derived figures are computed, not stored.
//!
//! ```text
//!  Overview ──headlines, languages, size groups, recall──┬─▶ text     terminal, ≤ 40 lines
//!                                                        ├─▶ values   JSON
//!                                                        └─▶ html     tiles, review, bars, clusters
//!                                         texts ──difference──escape──────┘
//! ```
//!
//! Cost: linear in what is shown; some milliseconds for tens of clusters.

mod bars;
mod build;
mod clusters;
mod html;
mod review;
mod run;
mod text;
mod values;

use std::collections::BTreeMap;
use std::time::SystemTime;

pub use build::Origin;
pub(super) use html::head;
pub use review::{ShownPair, ShownSeries, ToReview};
pub use run::{Fates, NotSelected, Run, Stage};

use nearcopy::search::hot_keys::Crowded;
use nearcopy::search::keep::{Keep, KeyOrder, Policy};
use nearcopy::search::plan::Plan;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::{Figures, Removal, RuleSet};
use nearcopy::sketch::recipe::Recipe;

use super::figures::threshold;
use super::figures::{bytes, counted, crowded_in_words, grouped, share};
use crate::jobs::fingerprint::Tally;

/// The results of a run over a corpus.
#[derive(Debug, Clone)]
pub struct Overview {
    /// The command: `find` or `clean`.
    pub command: String,
    /// The whole command line as typed; empty if unknown.
    pub command_line: String,
    /// The time of the run.
    pub made: SystemTime,
    /// The policy that chooses the survivor of a cluster.
    pub keep: Policy,
    /// The inputs as the user named them.
    pub inputs: Vec<String>,
    /// The tally of files and records read; `None` if only fingerprint files were searched.
    pub tally: Option<Tally>,
    /// Number of documents searched.
    pub documents: u64,
    /// Number of these without words.
    pub empty: u64,
    /// Number of exact duplicates: the same text as another document of their cluster, which is counted
    /// elsewhere.
    pub exact: u64,
    /// Number of all other members of clusters.
    pub near: u64,
    /// Number of documents of each language, by its code.
    pub languages: BTreeMap<String, u64>,
    /// Jaccard coefficients of members with their survivors, without identical texts.
    pub similarities: Similarities,
    /// Number of clusters of each size, including the survivor.
    pub sizes: BTreeMap<u64, u64>,
    /// The largest clusters, largest first.
    pub largest: Vec<Shown>,
    /// The rules and the plan of the search.
    pub plan: Plan,
    /// The recipe of the fingerprints.
    pub recipe: Recipe,
    /// Warnings for the user, one sentence each.
    pub warnings: Vec<String>,
    /// Number of survivors that later documents do not find by some key of the sketch, because too many others share it.
    pub crowded: Crowded,
    /// The counts of removed documents; `None` if near-duplicates are only listed.
    pub claims: Option<Claims>,
    /// What is to be reviewed; `None` if it is not shown.
    pub review: Option<ToReview>,
}

/// Removed documents, and those that a wider claim would remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Claims {
    /// The widest claim by which documents are removed.
    pub remove: Removal,
    /// Number of documents removed by each claim.
    pub same: u64,
    /// See `same`.
    pub contained: u64,
    /// See `same`.
    pub edited: u64,
    /// Number of documents that stay and would go by a wider claim.
    pub to_review: u64,
    /// Number of documents that are no edited copies, because they fill one place of a text each in its own way.
    pub in_families: u64,
    /// Number of documents that stay only because their survivors would be of other formats.
    pub other_formats: u64,
}

impl Claims {
    /// The counts of a removal by a claim, given what would go across formats.
    pub fn of(removals: &Removals, remove: Removal, across: Option<&Removals>) -> Self {
        let of_formats = across.into_iter().flat_map(Removals::all);
        let other_formats = of_formats.filter(|&(_, [document, _])| removals.of(document).is_none()).count() as u64;
        let mut claims = Self {
            remove,
            same: 0,
            contained: 0,
            edited: 0,
            to_review: 0,
            in_families: removals.in_families,
            other_formats,
        };
        claims.to_review = removals.all().filter(|&(claim, _)| claim > remove).count() as u64;
        for (claim, _) in removals.gone(remove) {
            *match claim {
                Removal::Same => &mut claims.same,
                Removal::Contained => &mut claims.contained,
                Removal::Edited => &mut claims.edited,
            } += 1;
        }
        claims
    }

    /// The claims by which documents are removed, each with its count and what it promises.
    fn lines(&self) -> impl Iterator<Item = (&'static str, u64, &'static str)> {
        let all = [
            (Removal::Same, self.same, "equal words in equal order"),
            (Removal::Contained, self.contained, "stands whole in one that stays"),
            (Removal::Edited, self.edited, "edited copy of its survivor"),
        ];
        let remove = self.remove;
        all.into_iter()
            .filter(move |&(claim, ..)| claim <= remove)
            .map(|(claim, count, what)| (claim.name(), count, what))
    }

    /// The number of documents that a wider claim would remove, for a person; `None` if there is none.
    pub fn to_review_in_words(&self) -> Option<String> {
        (self.to_review > 0).then(|| {
            let documents = counted(self.to_review, "more document");
            format!("--remove edited would remove {documents}, most of whose words stand in another that stays")
        })
    }
}

/// A cluster as shown.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Number of its documents, including the survivor.
    pub size: u64,
    /// The document that is kept.
    pub survivor: ShownDocument,
    /// The first of the others.
    pub members: Vec<ShownDocument>,
}

/// A document as shown.
#[derive(Debug, Clone)]
pub struct ShownDocument {
    /// Its id.
    pub id: String,
    /// Its text, truncated to 200,000 characters; `None` if it is not available.
    pub text: Option<String>,
    /// The code of its language.
    pub language: String,
    /// The length of its text in bytes.
    pub bytes: u64,
    /// The figures of this document (`a`) and the survivor (`b`), and the rules that hold;
    /// `None` for the survivor.
    pub figures: Option<(Figures, RuleSet)>,
}

/// Histogram of the exact Jaccard coefficients of members with their survivors, in steps
/// of .05.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Similarities([u64; Self::STEPS]);

impl Similarities {
    /// The number of steps.
    pub const STEPS: usize = 20;

    /// Counts a member with this coefficient, 0 to 1. A step includes its lower bound; 1
    /// belongs to the last step.
    pub fn add(&mut self, jaccard: f64) {
        // A share such as 11/20 may come out a hair below its step.
        let step = (1..Self::STEPS).take_while(|&step| step as f64 <= jaccard * Self::STEPS as f64 + 1e-9).count();
        self.0[step] += 1;
    }

    /// Number of members counted.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The bounds of each step in percent, and its count.
    fn steps(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        const WIDTH: usize = 100 / Similarities::STEPS;
        self.0.iter().enumerate().map(|(step, &count)| (step * WIDTH, (step + 1) * WIDTH, count))
    }
}

/// A count at the head of the summary and of the page.
struct Headline {
    name: &'static str,
    count: u64,
    unit: String,
    /// The share of all documents, in percent.
    share: Option<String>,
    remark: String,
}

/// Clusters of similar sizes.
struct SizeGroup {
    least: u64,
    most: u64,
    clusters: u64,
    documents: u64,
}

/// The greatest size of each group of clusters.
const SIZE_GROUPS: [u64; 8] = [2, 3, 5, 10, 100, 1000, 10_000, u64::MAX];

impl Overview {
    /// Number of documents kept: survivors, and documents without near-duplicates.
    pub fn kept(&self) -> u64 {
        self.documents.saturating_sub(self.exact + self.near)
    }

    /// The number of clusters of two documents or more.
    pub fn clusters(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// The counts that matter most, in the order of the work.
    fn headlines(&self) -> Vec<Headline> {
        let of_all = |count| Some(share(count, self.documents));
        let line = |name, count, unit: &str, share, remark: String| {
            // Also the plural of `file or record`.
            let unit = if count == 1 { unit.to_owned() } else { unit.replace("file ", "files ") + "s" };
            Headline { name, count, unit, share, remark }
        };
        let source = self.tally.as_ref().map_or("from fingerprint files".to_owned(), |tally| {
            format!("{}, {} of text", counted(tally.files, "file"), bytes(tally.bytes))
        });
        let mut lines = vec![line("searched", self.documents, "document", None, source)];
        if self.empty > 0 {
            let remark = "they match only identical texts".to_owned();
            lines.push(line("without words", self.empty, "document", of_all(self.empty), remark));
        }
        if let Some(claims) = &self.claims {
            lines.extend(
                claims.lines().map(|(name, count, what)| line(name, count, "document", of_all(count), what.into())),
            );
            let to_review = claims.to_review;
            let remark = match to_review {
                0 if claims.remove < Removal::Edited => "--remove edited would remove no more".into(),
                0 => "none is left to be reviewed".into(),
                _ => format!("--remove edited would remove {} of them", grouped(to_review)),
            };
            lines.push(line("kept", self.kept(), "document", of_all(self.kept()), remark));
        } else {
            let same = "the same text as another in their cluster".to_owned();
            lines.push(line("exact duplicates", self.exact, "document", of_all(self.exact), same));
            lines.push(line("near-duplicates", self.near, "document", of_all(self.near), self.rules()));
            let remark = "one of each cluster, and all that are in none".to_owned();
            lines.push(line("kept", self.kept(), "document", of_all(self.kept()), remark));
        }
        let in_clusters = self.exact + self.near + self.clusters();
        let greatest = self.sizes.keys().next_back().copied().unwrap_or(0);
        let remark = match greatest {
            0 if self.claims.is_some() => "no document goes for another".to_owned(),
            0 => "no two documents are near".to_owned(),
            _ => format!("{} in them, {} in the largest", counted(in_clusters, "document"), grouped(greatest)),
        };
        lines.push(line("clusters", self.clusters(), "cluster", None, remark));
        if let Some(tally) = &self.tally {
            let remark = if tally.skipped() == 0 { "everything could be read" } else { "could not be read; see below" };
            if tally.renamed > 0 {
                let remark = "another document has the same id: renamed by file and line".into();
                lines.push(line("repeated ids", tally.renamed, "document", None, remark));
            }
            if tally.unnamed > 0 {
                let remark = "null or missing: named by file and line".into();
                lines.push(line("missing ids", tally.unnamed, "document", None, remark));
            }
            lines.push(line("skipped", tally.skipped(), "file or record", None, remark.into()));
        }
        lines
    }

    /// The rules in words: `Hamming distance at most 3, or Jaccard at least 50 %`.
    fn rules(&self) -> String {
        let distance = self.plan.rules.max_distance.map(|most| format!("Hamming distance at most {most} of 64 bits"));
        let similarity = self.plan.rules.min_similarity.map(|least| {
            let more = if self.plan.rules.same_meaning { ", more for texts of fewer than 50 words" } else { "" };
            format!("Jaccard at least {} %{more}", threshold(least))
        });
        let rules: Vec<String> = distance.into_iter().chain(similarity).collect();
        if rules.is_empty() { "identical texts only".into() } else { rules.join(", or ") }
    }

    /// The policy that chooses survivors, in words.
    fn kept_in_words(&self) -> String {
        match &self.keep {
            Policy::Text(Keep::First) => "the first".into(),
            Policy::Text(Keep::Last) => "the last".into(),
            Policy::Text(Keep::Longest) => "the longest".into(),
            Policy::Text(Keep::Shortest) => "the shortest".into(),
            Policy::Newest => "the newest".into(),
            Policy::Oldest => "the oldest".into(),
            Policy::Key(KeyOrder::Least) => "the one with the least value of the field".into(),
            Policy::Key(KeyOrder::Greatest) => "the one with the greatest value of the field".into(),
            Policy::Source(names) => format!("by source: {}", names.join(", ")),
        }
    }

    /// The keys or scan by which candidates were found, in words.
    fn candidates(&self) -> String {
        let sketches = self.plan.bands.as_ref().map(|bands| {
            let (rows, of, groups) = bands.shape();
            let keys = counted(bands.len() as u64, "key");
            format!("{keys} of the sketch ({rows} of {of} minima, {})", counted(groups as u64, "group"))
        });
        let simhashes = match &self.plan.blocks {
            Some(blocks) => Some(format!("{} of the simhash", counted(blocks.len() as u64, "key"))),
            None => self.plan.scans().then(|| "every simhash scanned".to_owned()),
        };
        let ways: Vec<String> = sketches.into_iter().chain(simhashes).collect();
        if ways.is_empty() { "none".into() } else { ways.join(", ") }
    }

    /// Jaccard coefficients from the threshold up, each with its expected recall; empty if
    /// the Jaccard rule is off.
    fn recall(&self) -> Vec<(f64, f64)> {
        let Some((bands, least)) = self.plan.bands.as_ref().zip(self.plan.rules.min_similarity) else {
            return Vec::new();
        };
        let above = (1..=10).map(|tenth| f64::from(tenth) / 10.0).filter(|&jaccard| jaccard > least + 1e-9);
        std::iter::once(least).chain(above).map(|jaccard| (jaccard, self.crowded.recall(bands, jaccard))).collect()
    }

    /// Every language with its number of documents, largest first.
    fn languages(&self) -> Vec<(&str, u64)> {
        let mut languages: Vec<(&str, u64)> =
            self.languages.iter().map(|(code, &count)| (code.as_str(), count)).collect();
        languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        languages
    }

    /// Clusters in groups of sizes, up to the last group that has any.
    fn size_groups(&self) -> Vec<SizeGroup> {
        let greatest = self.sizes.keys().next_back().copied().unwrap_or(0);
        let mut least = 2;
        let mut groups = Vec::new();
        for most in SIZE_GROUPS {
            if least > greatest {
                break;
            }
            let inside = self.sizes.range(least..=most);
            let (clusters, documents) =
                inside.fold((0, 0), |(clusters, documents), (size, n)| (clusters + n, documents + size * n));
            groups.push(SizeGroup { least, most, clusters, documents });
            least = most.saturating_add(1);
        }
        groups
    }

    /// Numbers of problems with files and records, by kind, largest first.
    fn problems(&self) -> Vec<(&str, u64)> {
        let problems = self.tally.iter().flat_map(|tally| &tally.problems);
        let mut problems: Vec<(&str, u64)> = problems.map(|(kind, &count)| (kind.as_str(), count)).collect();
        problems.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        problems
    }

    /// Notes on whatever makes the figures differ from what the reader may expect.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(tally) = self.tally.as_ref().filter(|tally| tally.nulls > 0) {
            let has = if tally.nulls == 1 { "has" } else { "have" };
            notes.push(format!(
                "{} {has} null as text: compared with nothing, and kept",
                counted(tally.nulls, "document")
            ));
        }
        if let Some(tally) = self.tally.as_ref().filter(|tally| tally.replaced > 0) {
            let documents = counted(tally.replaced, "document");
            notes.push(format!("{documents} had malformed bytes, which were replaced; --encoding sets an encoding"));
        }
        if let Some(tally) = self.tally.as_ref().filter(|tally| tally.links > 0) {
            notes.push(format!("skipped {} in folders", counted(tally.links, "symbolic link")));
        }
        if let Some(tally) = self.tally.as_ref().filter(|tally| tally.hard_links > 0) {
            notes.push(format!("skipped {} of files already read", counted(tally.hard_links, "further name")));
        }
        if let Some(tally) = self.tally.as_ref().filter(|tally| tally.others > 0) {
            let records = counted(tally.others, "record");
            notes.push(format!(
                "left out {records} of web archives: neither page nor text, or of a status other than 2xx"
            ));
        }
        let in_families = self.claims.map_or(0, |claims| claims.in_families);
        if in_families > 0 {
            let (documents, are) = (
                counted(in_families, "document"),
                if in_families == 1 { "is no edited copy" } else { "are no edited copies" },
            );
            notes.push(format!(
                "{documents} {are} but part of a family: near to another, while three or more fill the same place in different ways"
            ));
        }
        let other_formats = self.claims.map_or(0, |claims| claims.other_formats);
        if other_formats > 0 {
            let documents = counted(other_formats, "document");
            notes.push(format!(
                "{documents} would go for one of another format, or but for parts that may hold text; --across-formats removes them"
            ));
        }
        if self.crowded.documents() > 0 {
            notes.push(format!("{}; the expected recall counts this", crowded_in_words(self.crowded.documents())));
        }
        notes.extend(self.warnings.iter().cloned());
        notes
    }
}

#[cfg(test)]
mod tests;
