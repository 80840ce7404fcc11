//! What is to be reviewed, first on the page: series by series, the largest first, with the words that differ.
//!
//! Pairs of one series differ in the same words, or at the same place of their texts, so one decision settles them all.
//! The page shows the first pairs of a series; the list beside the corpus has all of them.
//!
//! Cost: one reading of the review; memory for what is shown.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::io;

use maud::{Markup, html};
use nearcopy::similarity::{Removal, Rules};
use nearcopy::store::file::collection::Collection;

use super::ShownDocument;
use crate::jobs::review::{Change, Kind, Review, Reviewed};
use crate::report::figures::{counted, grouped, percent, tag};

/// Maximum number of series shown.
const SERIES: usize = 40;

/// Maximum number of pairs shown of each series.
const PAIRS: usize = 4;

/// Maximum number of pairs shown that are of no series.
const SINGLES: usize = 20;

/// Maximum number of differences shown of each pair.
const CHANGES: usize = 5;

/// The documents that a wider claim would remove, as shown.
#[derive(Debug, Clone, Default)]
pub struct ToReview {
    /// Number of pairs.
    pub pairs: u64,
    /// Number of series.
    pub series: u64,
    /// Number of pairs of no series.
    pub singles: u64,
    /// Name of the list that has all pairs; `None` if none is written.
    pub list: Option<String>,
    /// The largest series, largest first.
    pub largest: Vec<ShownSeries>,
    /// The first pairs of no series.
    pub first_singles: Vec<ShownPair>,
}

/// Pairs that differ in the same words, or at the same place.
#[derive(Debug, Clone)]
pub struct ShownSeries {
    /// Its number in the list.
    pub number: u32,
    /// Number of its pairs.
    pub pairs: u64,
    /// The kinds of all their differences, the gravest first.
    pub kinds: BTreeSet<Kind>,
    /// The first of its pairs.
    pub first: Vec<ShownPair>,
}

/// A pair to be reviewed.
#[derive(Debug, Clone)]
pub struct ShownPair {
    /// The document that a wider claim would remove, without its text.
    pub document: ShownDocument,
    /// Its survivor, without its text.
    pub survivor: ShownDocument,
    /// The claim by which the document would be removed.
    pub removal: Option<Removal>,
    /// The first differences.
    pub changes: Vec<Change>,
    /// Number of further differences.
    pub more: u64,
}

impl ToReview {
    /// Selects what is shown of a review. `removal` returns the claim by which a pair's document would be removed, `list`
    /// is the name of the list of all pairs.
    ///
    /// # Errors
    ///
    /// Those of reading the review.
    pub fn of(
        review: &Review,
        collection: &Collection,
        rules: &Rules,
        removal: &dyn Fn([u32; 2]) -> Option<Removal>,
        list: Option<String>,
    ) -> io::Result<Self> {
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        review.series().flatten().for_each(|number| *sizes.entry(number).or_default() += 1);
        let mut largest: Vec<(Reverse<u64>, u32)> =
            sizes.iter().map(|(&number, &pairs)| (Reverse(pairs), number)).collect();
        largest.sort_unstable();
        largest.truncate(SERIES);
        let series = |&(Reverse(pairs), number): &(Reverse<u64>, u32)| ShownSeries {
            number,
            pairs,
            kinds: BTreeSet::new(),
            first: Vec::new(),
        };
        let pairs = review.len() as u64;
        let mut shown = Self {
            pairs,
            series: sizes.len() as u64,
            singles: pairs - sizes.values().sum::<u64>(),
            list,
            largest: largest.iter().map(series).collect(),
            first_singles: Vec::new(),
        };
        let places: HashMap<u32, usize> =
            largest.iter().zip(0..).map(|(&(_, number), place)| (number, place)).collect();
        review.each(&mut |pair| {
            let (first, most) = match pair.series {
                None => (&mut shown.first_singles, SINGLES),
                Some(number) => match places.get(&number) {
                    None => return Ok(()),
                    Some(&place) => {
                        let series = &mut shown.largest[place];
                        series.kinds.extend(pair.changes.iter().map(|change| change.kind));
                        (&mut series.first, PAIRS)
                    }
                },
            };
            if first.len() < most {
                first.push(ShownPair::new(pair, collection, rules, removal([pair.document, pair.survivor])));
            }
            Ok(())
        })?;
        Ok(shown)
    }

    /// The section of the page.
    pub(super) fn section(&self) -> Markup {
        let more_series = self.series - self.largest.len() as u64;
        let more_singles = self.singles - self.first_singles.len() as u64;
        html! {
            section.review aria-labelledby="review" {
                h2 #review { "To be reviewed" }
                @if self.pairs == 0 {
                    p.about { "No document stays that a wider claim would remove." }
                } @else {
                    p.about {
                        (self.counts()) " would be removed by a wider claim or with --across-formats, and stay. The documents of a series differ \
                         from their survivors in the same words and nothing else, or at the same places, so that one \
                         decision settles all of them. " del { "Struck" } " words are in the survivor only, " mark { "marked" } " words in \
                         the document only."
                    }
                    (self.decision())
                    @for series in &self.largest { (series.article()) }
                    @if more_series > 0 { p.about { "and " (grouped(more_series)) " more series, all smaller or later" } }
                    @if !self.first_singles.is_empty() {
                        article {
                            h3 { "Of no series " small { (counted(self.singles, "document")) } }
                            @for pair in &self.first_singles { (pair.section()) }
                            @if more_singles > 0 { p.about { "and " (counted(more_singles, "more document")) } }
                        }
                    }
                }
            }
        }
    }

    /// `12 documents in 2 series and 3 documents of no series`
    fn counts(&self) -> String {
        let in_series =
            format!("{} in {} series", counted(self.pairs - self.singles, "document"), grouped(self.series));
        match (self.series, self.singles) {
            (0, _) => counted(self.pairs, "document"),
            (_, 0) => in_series,
            (_, singles) => format!("{in_series} and {} of no series", counted(singles, "document")),
        }
    }

    /// How a reader acts on what is shown.
    fn decision(&self) -> Markup {
        html! {
            p.about {
                @match &self.list {
                    Some(list) => {
                        "To remove documents, delete from " bdi.id { (list) } " the lines of those that are to stay, \
                         but not its last line, and name it with " code { "dedup clean --apply" } ". Each line has the \
                         number of its series."
                    },
                    None => "A run with -o also writes the list of all of them, which dedup clean --apply takes.",
                }
            }
        }
    }
}

impl ShownSeries {
    fn article(&self) -> Markup {
        let kinds: Vec<&str> = self.kinds.iter().copied().map(Kind::name).collect();
        let more = self.pairs - self.first.len() as u64;
        html! {
            article {
                h3 { "Series " (self.number) " " small { (counted(self.pairs, "document")) ", " (kinds.join(", ")) } }
                @for pair in &self.first { (pair.section()) }
                @if more > 0 { p.about { "and " (counted(more, "more document")) " of this series" } }
            }
        }
    }
}

impl ShownPair {
    fn new(pair: &Reviewed, collection: &Collection, rules: &Rules, removal: Option<Removal>) -> Self {
        let shown = |document: u32| ShownDocument {
            id: collection.id(document).to_owned(),
            text: None,
            language: collection.language(document).to_owned(),
            bytes: collection.counts(document).bytes,
            figures: None,
        };
        let figures = Some(collection.judge(pair.document, pair.survivor, rules));
        let changes: Vec<Change> = pair.changes.iter().take(CHANGES).cloned().collect();
        Self {
            document: ShownDocument { figures, ..shown(pair.document) },
            survivor: shown(pair.survivor),
            removal,
            more: (pair.changes.len() - changes.len() + pair.more) as u64,
            changes,
        }
    }

    fn section(&self) -> Markup {
        let jaccard = self.document.figures.and_then(|(figures, _)| figures.jaccard);
        html! {
            section.member {
                h4 { "document " bdi.id { (self.document.id) } }
                p.about {
                    "would be removed for " bdi.id { (self.survivor.id) }
                    @if let Some(removal) = self.removal { ", by the claim " (removal.name()) }
                    ", Jaccard " (percent(jaccard))
                }
                (self.differences())
            }
        }
    }

    fn differences(&self) -> Markup {
        let [survivor, document] = [&self.survivor, &self.document].map(|shown| tag(&shown.language));
        html! {
            @if self.changes.is_empty() {
                p.about { "The words are the same, or the texts could not be read again." }
            } @else {
                table.places {
                    thead {
                        tr {
                            th.kind scope="col" { "difference" }
                            th scope="col" { "survivor" }
                            th scope="col" { "document" }
                        }
                    }
                    tbody {
                        @for change in &self.changes {
                            tr {
                                th scope="row" { (change.kind.name()) }
                                td lang=(survivor) dir="auto" { (in_context(change, &change.survivor, |it| html! { del { (it) } })) }
                                td lang=(document) dir="auto" { (in_context(change, &change.removed, |it| html! { mark { (it) } })) }
                            }
                        }
                    }
                }
            }
            @if self.more > 0 { p.about { "and " (counted(self.more, "more difference")) } }
        }
    }
}

/// The words of one side, in an element, within their context.
fn in_context(change: &Change, words: &str, element: fn(&str) -> Markup) -> Markup {
    html! {
        @if !change.before.is_empty() { (change.before) " " }
        @if words.is_empty() { small { "[nothing]" } } @else { (element(words)) }
        @if !change.after.is_empty() { " " (change.after) }
    }
}
