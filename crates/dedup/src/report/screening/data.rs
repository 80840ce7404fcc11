//! The data of the page: texts as words and flags, pairs as passages.
//!
//! ```text
//!  Screening ──▶ pairs, greatest share first ──▶ the first `max_pairs`: passages, and the
//!                                           │    counterpart of each word
//!                                           └──▶ while there is room: both texts
//! ```
//!
//! Places are in UTF-16 units of the text as shown, as JavaScript counts. Words with
//! counterparts are stored as runs: `[skip in a, skip in b, length, kind]`.
//!
//! Cost: linear in the number of words written.

use std::collections::BTreeSet;
use std::ops::Range;

use nearcopy::align::{Passage, one_of_unrelated};
use nearcopy::runs::append_run;
use nearcopy::screen::{Disguises, Hidden, Kind, Match, Quotation, Screening, Skipped, Text};
use nearcopy::store::file::format::DateOrigin;
use serde::Serialize;

use super::across::{Across, alone};
use super::common::{CommonData, sharing_with_half};
use super::disguised::{Mark, legible, marks};
use super::names::names;
use super::page::Page;
use super::runs::{CLASSES, runs};
use crate::report::lexicon;
use crate::report::page::legibly;

/// The data of the page.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    version: &'static str,
    /// The number of the only document that the page is about.
    dossier: Option<u32>,
    title: String,
    made: String,
    command_line: String,
    /// The lexicons of translated passages, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lexicons: Vec<String>,
    /// The pairs of languages that were searched for translations or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    across: Option<Across>,
    language: Option<&'static str>,
    min_probability: f32,
    /// True if sources were named.
    against: bool,
    /// True if documents were compared with each other.
    with_each_other: bool,
    min_words: usize,
    whole_texts: bool,
    as_screened: AsScreened,
    /// The languages of documents that were compared with nothing in them, each with the number of documents.
    alone: Vec<([&'static str; 2], usize)>,
    common: Vec<CommonData>,
    /// Number of documents and sources among which common text was counted.
    read: usize,
    /// Number of documents that share passages with half of the others, if most do; else 0.
    sharing: usize,
    suspicious: usize,
    skipped: u64,
    unread: Vec<UnreadData>,
    /// Number of documents that were compared in part.
    in_part: u64,
    /// The files that are no documents: receipts, and what this program wrote.
    aside: Vec<String>,
    omitted: Omitted,
    texts: Vec<TextData>,
    pairs: Vec<PairData>,
}

/// The kinds of text left out of the screening, which the page cannot put back.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is left out or not")]
struct AsScreened {
    quotations: bool,
    bibliography: bool,
    templates: usize,
    /// True if text that many documents share is left out.
    common: bool,
    /// True if program code is left out.
    code: bool,
    /// True if names of authors, and headings with them, are left out of some document.
    names: bool,
}

/// A file or record that was not compared.
#[derive(Debug, Serialize)]
struct UnreadData {
    name: String,
    kind: &'static str,
    reason: String,
}

/// Pairs and texts for which the page has no room.
#[derive(Debug, Serialize)]
struct Omitted {
    pairs: OmittedPairs,
    /// Number of pairs that are in the page without their texts.
    texts: usize,
    /// Maximum size of text in bytes.
    limit: usize,
}

/// Pairs that are not in the page; the greatest share among them is `words` of `of`.
#[derive(Debug, Serialize)]
struct OmittedPairs {
    count: usize,
    words: usize,
    of: usize,
}

#[derive(Debug, Serialize)]
struct TextData {
    id: String,
    /// What people call it, if not by its id.
    name: Option<String>,
    author: Option<String>,
    /// Its date in seconds since 1970 and the origin of that.
    date: Option<(i64, DateOrigin)>,
    /// A digest of its text.
    key: String,
    language: String,
    lang: &'static str,
    words: usize,
    /// Bytes of text after the words that were compared.
    not_compared: usize,
    counted: usize,
    matched: usize,
    /// Number of its pairs that are not in the page.
    omitted: usize,
    disguises: Disguises,
    /// Number of pictures and other parts that may hold text.
    pictured: usize,
    /// Numbers of characters that a reader may not see; `None` if too few for a note.
    hidden: Option<Hidden>,
    /// The program that read its file, if another one did.
    read_by: Option<&'static str>,
    disguised: Vec<Mark>,
    /// Number of further disguised words, which are not marked.
    unmarked: usize,
    left_out: Vec<usize>,
    /// The words by which translations are not searched for, if it has a translated passage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stop_words: Vec<usize>,
    /// The author's name, and the heading that holds it.
    own: Vec<usize>,
    quoted: Vec<usize>,
    /// Those of them that have something near that looks like a source.
    cited: Vec<usize>,
    bibliography: Vec<usize>,
    common: Vec<usize>,
    text: Option<String>,
    /// For each word: the units between the word before and this one, and its length in units.
    spans: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct PairData {
    suspicious: u32,
    source: u32,
    matched: usize,
    source_matched: usize,
    passages: Vec<PassageData>,
}

#[derive(Debug, Serialize)]
struct PassageData {
    /// A digest of its words in both texts, in whatever order.
    key: String,
    a: [usize; 2],
    b: [usize; 2],
    /// Numbers of words that are exact, the same by stem or but for accents, missing, and replaced by another.
    kept: [usize; 4],
    /// Number of words that are the same but for accents.
    folded: usize,
    /// Of a translated passage, the numbers of words by what they have in common with their counterparts, in the order of
    /// [`CLASSES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    translated: Option<[usize; CLASSES.len()]>,
    /// In thousandths, rounded down.
    probability: f32,
    weak: bool,
    /// Of so many pairs of unrelated texts on one subject one has as much; of a translation none are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrelated: Option<u32>,
    kind: Kind,
    /// Whether it is quoted, in both texts.
    quotations: [Quotation; 2],
    /// Other places in the source, each a start and an end in words.
    elsewhere: Vec<usize>,
    runs: Vec<i64>,
}

/// Approximate size of a run of words in the page, in bytes.
const RUN: usize = 8;

/// Approximate size of a word's place in the page, in bytes. In most languages the words themselves are longer; a
/// text of characters that are several words each is measured by this.
const PLACE: usize = 3;

impl Data {
    pub(super) fn new(screening: &Screening, page: &Page) -> Self {
        let shown = Shown::new(screening, page.dossier);
        let matches = &shown.matches;
        let (kept, others) = matches.split_at(matches.len().min(page.max_pairs));
        let mut has_text = vec![false; screening.texts.len()];
        let mut room = page.max_text;
        let pairs = kept.iter().map(|&found| {
            let runs: Vec<Vec<i64>> = found.passages.iter().map(|passage| runs(screening, found, passage)).collect();
            let new = [found.suspicious, found.source].map(|text| text as usize).into_iter();
            let new = new.filter(|&text| !has_text[text]).map(|text| room_of(&screening.texts[text]));
            let cost = new.sum::<usize>() + RUN * runs.iter().map(Vec::len).sum::<usize>() / 4;
            if cost <= room {
                room -= cost;
                has_text[found.suspicious as usize] = true;
                has_text[found.source as usize] = true;
            }
            PairData::new(screening, &shown, found, runs)
        });
        let pairs: Vec<PairData> = pairs.collect();
        let is_shown = |found: &&&Match| [found.suspicious, found.source].iter().all(|&text| has_text[text as usize]);
        let without = kept.len() - kept.iter().filter(is_shown).count();
        let mut omitted = vec![0; screening.texts.len()];
        for found in others {
            omitted[found.suspicious as usize] += 1;
            omitted[found.source as usize] += 1;
        }
        let (shares, names) = (screening.shares(), names(screening));
        let has_translated = |found: &&&Match| found.passages.iter().any(Passage::is_translated);
        let translated = kept.iter().filter(has_translated).flat_map(|found| [found.suspicious, found.source]);
        let translated: BTreeSet<usize> = translated.map(|text| text as usize).collect();
        let text = |&number: &usize| TextData {
            quoted: flat(screening.texts[number].quoted()),
            cited: flat(&screening.texts[number].cited()),
            stop_words: if translated.contains(&number) { stop_words(&screening.texts[number]) } else { Vec::new() },
            name: Some(legibly(&names[number])).filter(|_| names[number] != screening.texts[number].id),
            ..TextData::new(&screening.texts[number], shares[number].matched, omitted[number], has_text[number])
        };
        let greatest = others.first();
        // Other documents are none of a dossier's business.
        let unread = if page.dossier.is_some() { &[][..] } else { &screening.unread[..] };
        let aside = if page.dossier.is_some() { &[][..] } else { &screening.set_aside[..] };
        let common = if page.dossier.is_some() { &[][..] } else { &screening.common[..] };
        Self {
            version: env!("CARGO_PKG_VERSION"),
            dossier: page.dossier.map(|number| shown.number(number)),
            title: legibly(&page.title),
            made: page.made.clone(),
            command_line: legibly(&page.command_line),
            lexicons: page.translation.lexicons.iter().map(|of| legibly(&lexicon::in_words(of))).collect(),
            across: Across::new(screening, &page.translation, page.dossier),
            language: page.language,
            min_probability: page.min_probability,
            against: page.against || screening.suspicious < screening.texts.len(),
            with_each_other: screening.with_each_other,
            min_words: page.min_words,
            whole_texts: page.whole_texts,
            as_screened: AsScreened {
                quotations: page.exclude.quotations,
                bibliography: page.exclude.bibliography,
                templates: page.templates,
                common: page.exclude.common,
                code: page.exclude.code,
                names: screening.names_left_out,
            },
            alone: alone(screening, page.dossier),
            common: common.iter().map(|common| CommonData::new(screening, common)).collect(),
            read: screening.read,
            sharing: if page.dossier.is_some() { 0 } else { sharing_with_half(screening).unwrap_or_default() },
            suspicious: shown.texts.partition_point(|&number| number < screening.suspicious),
            skipped: if page.dossier.is_some() { 0 } else { screening.skipped },
            unread: unread.iter().map(UnreadData::new).collect(),
            in_part: screening.in_part,
            aside: aside.iter().map(|name| legibly(name)).collect(),
            omitted: Omitted {
                pairs: OmittedPairs {
                    count: others.len(),
                    words: greatest.map_or(0, |found| found.share.matched),
                    of: greatest.map_or(0, |found| found.share.counted),
                },
                texts: without,
                limit: page.max_text,
            },
            texts: shown.texts.iter().map(text).collect(),
            pairs,
        }
    }
}

/// The texts and pairs that a page shows: all, or those of one document.
struct Shown<'a> {
    /// The texts, ascending; their numbers in the page are their places here.
    texts: Vec<usize>,
    matches: Vec<&'a Match>,
}

impl<'a> Shown<'a> {
    fn new(screening: &'a Screening, only: Option<u32>) -> Self {
        let is_shown = |found: &&Match| only.is_none_or(|only| only == found.suspicious || only == found.source);
        let matches: Vec<&Match> = screening.matches.iter().filter(is_shown).collect();
        let mut texts: Vec<usize> = match only {
            None => (0..screening.texts.len()).collect(),
            Some(only) => std::iter::once(only)
                .chain(matches.iter().flat_map(|found| [found.suspicious, found.source]))
                .map(|number| number as usize)
                .collect(),
        };
        texts.sort_unstable();
        texts.dedup();
        Self { texts, matches }
    }

    /// The number of a text in the page.
    fn number(&self, text: u32) -> u32 {
        self.texts.partition_point(|&number| number < text as usize) as u32
    }
}

impl UnreadData {
    fn new(Skipped { name, kind, reason }: &Skipped) -> Self {
        Self { name: legibly(name), kind, reason: legibly(reason) }
    }
}

/// Approximate size of a text in the page, in bytes.
fn room_of(text: &Text) -> usize {
    text.text.len().max(PLACE * text.words.len())
}

impl TextData {
    fn new(text: &Text, matched: usize, omitted: usize, has_text: bool) -> Self {
        let disguised = if has_text { marks(text) } else { Vec::new() };
        let codes = [text.language.short_code(), text.language.code()];
        Self {
            id: legibly(&text.id),
            name: None,
            author: text.author.as_deref().map(legibly),
            date: text.date,
            key: digest(text.text.as_bytes()),
            language: text.language.to_string(),
            lang: codes.into_iter().find(|code| !code.is_empty()).unwrap_or_default(),
            words: text.words.len(),
            not_compared: text.text.len() - text.compared,
            counted: text.counted(),
            matched,
            omitted,
            disguises: text.disguises,
            pictured: text.pictured,
            hidden: Some(text.hidden).filter(|hidden| hidden.is_notable()),
            read_by: text.read_by,
            unmarked: text.disguised.len() - disguised.len(),
            disguised,
            left_out: flat(text.left_out()),
            stop_words: Vec::new(),
            own: flat(&text.name_and_heading()),
            quoted: Vec::new(),
            cited: Vec::new(),
            bibliography: flat(&text.bibliography()),
            common: flat(text.common()),
            text: has_text.then(|| text.text.chars().map(legible).collect()),
            spans: if has_text { spans(text) } else { Vec::new() },
        }
    }
}

impl PairData {
    fn new(screening: &Screening, shown: &Shown<'_>, found: &Match, runs: Vec<Vec<i64>>) -> Self {
        let quotation = |text: u32, words: &Range<usize>| screening.texts[text as usize].quotation(words);
        let passage = |(passage, runs): (&Passage, Vec<i64>)| {
            let kept = screening.kept(found, passage);
            PassageData {
                key: key(screening, found, passage),
                a: [passage.a.start, passage.a.end],
                b: [passage.b.start, passage.b.end],
                kept: [kept.exact, kept.stemmed + kept.folded, kept.missing, kept.replaced],
                translated: passage.is_translated().then(|| {
                    CLASSES.map(|class| passage.correspondences.iter().filter(|&&known| known == class).count())
                }),
                folded: kept.folded,
                probability: (passage.probability * 1000.0).floor(),
                weak: passage.is_weak,
                unrelated: one_of_unrelated(passage.probability).filter(|_| !passage.is_translated()),
                kind: screening.kind(found, passage),
                quotations: [quotation(found.suspicious, &passage.a), quotation(found.source, &passage.b)],
                elsewhere: flat(&passage.elsewhere),
                runs,
            }
        };
        Self {
            suspicious: shown.number(found.suspicious),
            source: shown.number(found.source),
            matched: found.share.matched,
            source_matched: found.source_share.matched,
            passages: found.passages.iter().zip(runs).map(passage).collect(),
        }
    }
}

/// The first 64 bits of a hash, in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// The digest of a passage, by which a decision knows it in a later report.
fn key(screening: &Screening, found: &Match, passage: &Passage) -> String {
    let side = |text: u32, words: &Range<usize>| {
        let text = &screening.texts[text as usize];
        text.text[text.words.bytes(words.clone())].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut sides = [side(found.suspicious, &passage.a), side(found.source, &passage.b)];
    sides.sort_unstable();
    digest(sides.join("\0").as_bytes())
}

fn flat(runs: &[Range<usize>]) -> Vec<usize> {
    runs.iter().filter(|run| !run.is_empty()).flat_map(|run| [run.start, run.end]).collect()
}

/// The words by which translations are not searched for.
fn stop_words(text: &Text) -> Vec<usize> {
    let mut runs = Vec::new();
    let words = (0..text.words.len()).filter(|&word| text.tells_nothing(word));
    words.for_each(|word| append_run(&mut runs, word..word + 1));
    flat(&runs)
}

/// For each word: the units between the word before and this one, and its length in units.
fn spans(text: &Text) -> Vec<u32> {
    let units = |bytes: Range<usize>| text.text[bytes].chars().map(|c| legible(c).len_utf16() as u32).sum::<u32>();
    let mut at = 0;
    let mut spans = Vec::with_capacity(2 * text.words.len());
    for word in text.words.as_slice() {
        // One character may be several words.
        let (start, end) = (at.max(word.start as usize), at.max(word.end as usize));
        spans.extend([units(at..start), units(start..end)]);
        at = end;
    }
    spans
}
