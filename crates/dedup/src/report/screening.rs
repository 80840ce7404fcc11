//! Passages shared by documents, for people and for programs.
//!
//! For a program, each passage is an item: its place in both documents, in Unicode
//! characters and in bytes, and how its words were kept. For a person, documents are
//! listed by the share of their words that also stand elsewhere, greatest first, with their sources below.

mod across;
mod common;
mod data;
mod disguised;
mod html;
mod names;
mod page;
mod runs;
mod shares;
pub mod summary;
mod translated;

use std::io::{self, Write};
use std::ops::Range;

pub use across::not_searched;
pub use common::SharedText;
use names::with_path;
pub use names::{is_called, most_like, names};
use nearcopy::align::{Passage, one_of_unrelated};
use nearcopy::screen::{Hidden, Match, Screening, Text};
pub use page::Page;
use serde::Serialize;
use shares::Shares;
pub use translated::PassageAcross;

use super::figures::percent;
use super::figures::{counted, grouped};
use super::listing::Item;
use super::shown;
use super::table::{Cell, columns};

/// Maximum length of an excerpt in characters.
const EXCERPT: usize = 300;

/// Maximum length of an excerpt in a line for people, in characters.
const BEGINNING: usize = 90;

columns! {
    /// A passage as programs see it.
    pub struct SharedPassage<'a> {
        suspicious: &'a str => text,
        source: &'a str => text,
        suspicious_author: Option<&'a str> => text_if,
        source_author: Option<&'a str> => text_if,
        suspicious_offset: usize => figure,
        suspicious_length: usize => figure,
        source_offset: usize => figure,
        source_length: usize => figure,
        suspicious_offset_bytes: usize => figure,
        suspicious_length_bytes: usize => figure,
        source_offset_bytes: usize => figure,
        source_length_bytes: usize => figure,
        words: usize => figure,
        words_counted: usize => figure,
        source_words: usize => figure,
        verbatim: usize => figure,
        exact: usize => figure,
        stemmed: usize => figure,
        folded: usize => figure,
        replaced: usize => figure,
        missing: usize => figure,
        repeats: usize => figure,
        score: f32 => figure,
        probability: f32 => figure,
        weak: bool => figure,
        kind: &'static str => figure,
        quotation: &'static str => figure,
        code: bool => figure,
        suspicious_text: String => text,
        source_text: String => text,
    }
}

/// What a weak passage says, by how often unrelated texts on one subject have one.
fn weak_evidence(probability: f32) -> String {
    let pairs = one_of_unrelated(probability);
    let unrelated = pairs.map(|pairs| format!(" (1 of {pairs} unrelated pairs on one subject has as much)"));
    format!(", weak evidence{}", unrelated.unwrap_or_default())
}

impl<'a> SharedPassage<'a> {
    /// A passage of a match.
    pub fn new(screening: &'a Screening, found: &Match, passage: &Passage) -> Self {
        let [suspicious, source] = [found.suspicious, found.source].map(|text| &screening.texts[text as usize]);
        let kept = screening.kept(found, passage);
        let (here, there) = (suspicious.place(passage.a.clone()), source.place(passage.b.clone()));
        Self {
            suspicious: &suspicious.id,
            source: &source.id,
            suspicious_author: suspicious.author.as_deref(),
            source_author: source.author.as_deref(),
            suspicious_offset: here.offset,
            suspicious_length: here.length,
            source_offset: there.offset,
            source_length: there.length,
            suspicious_offset_bytes: here.bytes.start,
            suspicious_length_bytes: here.bytes.len(),
            source_offset_bytes: there.bytes.start,
            source_length_bytes: there.bytes.len(),
            words: passage.a.len(),
            words_counted: suspicious.counted_in(passage.a.clone()),
            source_words: passage.b.len(),
            verbatim: kept.verbatim,
            exact: kept.exact,
            stemmed: kept.stemmed,
            folded: kept.folded,
            replaced: kept.replaced,
            missing: kept.missing,
            repeats: passage.elsewhere.len(),
            score: (passage.score * 10.0).round() / 10.0,
            probability: (passage.probability * 1000.0).floor() / 1000.0,
            weak: passage.is_weak,
            kind: screening.kind(found, passage).name(),
            quotation: suspicious.quotation(&passage.a).name(),
            code: suspicious.is_code(passage.a.clone()),
            suspicious_text: cut(&suspicious.text[here.bytes], EXCERPT),
            source_text: cut(&source.text[there.bytes], EXCERPT),
        }
    }
}

impl SharedPassage<'_> {
    /// The number of its words, and of those that count if others are left out.
    pub(super) fn length(&self) -> String {
        let all = counted(self.words as u64, "word");
        if self.words_counted < self.words {
            format!("{all} ({} counted)", grouped(self.words_counted as u64))
        } else {
            all
        }
    }
}

impl Item for SharedPassage<'_> {
    const COLUMNS: &'static [&'static str] = Self::FIELDS;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "      {}: {} exact ({} verbatim), {} by stem, {}{} replaced, {} missing; probability {:.3}{}; at character {} and \
             {}{}",
            self.length(),
            self.exact,
            self.verbatim,
            self.stemmed,
            if self.folded > 0 { format!("{} but for accents, ", self.folded) } else { String::new() },
            self.replaced,
            self.missing,
            self.probability,
            match (self.code, self.weak) {
                (true, _) => ", program code".into(),
                (_, true) => weak_evidence(self.probability),
                _ => String::new(),
            },
            self.suspicious_offset,
            self.source_offset,
            match self.repeats {
                0 => String::new(),
                repeats => format!("; in {} of the source", counted(repeats as u64, "more place")),
            }
        )?;
        writeln!(out, "        {}", one_line(&self.suspicious_text))?;
        writeln!(out, "        {}", one_line(&self.source_text))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        vec![self.cells()]
    }
}

/// A document as programs see it: the share of its words that also stand elsewhere, and its sources.
#[derive(Debug, Clone, Serialize)]
pub struct ScreenedDocument<'a> {
    id: &'a str,
    #[serde(skip)]
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    language: &'static str,
    words: usize,
    /// Bytes of text after the last word compared; 0 for nearly all documents.
    bytes_not_compared: usize,
    /// The denominator of shares: all words except those left out.
    words_counted: usize,
    /// Words of text that many documents share, left out or not.
    words_common: usize,
    /// Words of program code, left out or not.
    words_code: usize,
    #[serde(flatten)]
    share: Shares,
    disguises: nearcopy::screen::Disguises,
    hidden: Hidden,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_by: Option<&'static str>,
    sources: Vec<ScreenedSource<'a>>,
}

/// A source of a document.
#[derive(Debug, Clone, Serialize)]
pub struct ScreenedSource<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_by: Option<&'static str>,
    #[serde(skip)]
    name: String,
    #[serde(flatten)]
    share: Shares,
    passages: usize,
    #[serde(skip)]
    found: &'a Match,
    /// True if the match is seen from its source: for two documents that are both suspicious
    /// and source, the passages are listed once.
    #[serde(skip)]
    is_turned: bool,
    /// True if it is one of the sources, not another document.
    #[serde(skip)]
    is_given: bool,
}

impl<'a> ScreenedDocument<'a> {
    /// Every suspicious document, greatest share first.
    pub fn all(screening: &'a Screening) -> Vec<Self> {
        let (matches, names) = (screening.matches_by_text(), names(screening));
        let mut documents: Vec<Self> = (0..screening.suspicious as u32)
            .zip(&matches)
            .map(|(number, matches)| Self::new(screening, &names, number, matches))
            .collect();
        let order = |document: &Self| (document.share.share, document.share.words_in_passages as f64);
        documents.sort_by(|x, y| {
            let (x, y) = (order(x), order(y));
            y.0.total_cmp(&x.0).then(y.1.total_cmp(&x.1))
        });
        documents
    }

    fn new(screening: &'a Screening, names: &[String], number: u32, matches: &[&'a Match]) -> Self {
        let text = &screening.texts[number as usize];
        let share = screening.share(number, matches);
        let source = |&found: &&'a Match| {
            let is_turned = found.source == number;
            let (other, share) =
                if is_turned { (found.suspicious, found.source_share) } else { (found.source, found.share) };
            let &Text { ref id, ref author, read_by, .. } = &screening.texts[other as usize];
            let (author, name) = (author.as_deref(), names[other as usize].clone());
            ScreenedSource {
                id,
                author,
                read_by,
                name,
                share: share.into(),
                passages: found.passages.len(),
                found,
                is_turned,
                is_given: other as usize >= screening.suspicious,
            }
        };
        // Words of a pair may count in one of its texts alone, such as those that the other quotes.
        let counts = |source: &ScreenedSource<'a>| source.share.words_in_passages > 0;
        let mut sources: Vec<ScreenedSource<'a>> = matches.iter().map(source).filter(counts).collect();
        // Of equal shares, that of a source is told first: it was there before the documents.
        sources.sort_by_key(|source| std::cmp::Reverse((source.share.words_matched, source.is_given)));
        Self {
            id: &text.id,
            name: names[number as usize].clone(),
            author: text.author.as_deref(),
            language: text.language.code(),
            words: text.words.len(),
            bytes_not_compared: text.text.len() - text.compared,
            words_counted: share.counted,
            words_common: text.words_common(),
            words_code: text.code().iter().map(Range::len).sum(),
            share: share.into(),
            disguises: text.disguises,
            hidden: text.hidden,
            read_by: text.read_by,
            sources,
        }
    }

    /// True if it shares a passage with a source.
    pub fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Writes the document with its sources for a person, and their passages if `passages`.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_with_sources(&self, screening: &Screening, passages: bool, out: &mut dyn Write) -> io::Result<()> {
        self.write_text(out)?;
        for source in &self.sources {
            write_source(source, passages && source.is_turned, out)?;
            for passage in source.found.passages.iter().filter(|_| passages && !source.is_turned) {
                PassageAcross::new(screening, source.found, passage).write_text(out)?;
            }
        }
        Ok(())
    }
}

fn write_source(source: &ScreenedSource<'_>, are_told_there: bool, out: &mut dyn Write) -> io::Result<()> {
    let ScreenedSource { id, name, share, passages, .. } = source;
    let passages = counted(*passages as u64, "passage");
    let there = if are_told_there { " (listed there)" } else { "" };
    let (percent, name) = (percent(Some(share.share)), with_path(name, id));
    let is_weak = source.found.passages.iter().all(|passage| passage.is_weak);
    let found = if is_weak {
        format!("{passages}, all weak")
    } else {
        format!("{} ({}) in {passages}", counted(share.words_matched as u64, "word"), share.kinds())
    };
    let read_by = source.read_by.map_or_else(String::new, |program| format!(" (read by {program})"));
    writeln!(out, "  {percent}  {found}, in {name}{read_by}{there}")
}

impl Item for ScreenedDocument<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "author",
        "language",
        "words",
        "words_counted",
        "words_in_passages",
        "words_matched",
        "share",
        "share_verbatim",
        "source",
        "source_author",
        "source_words",
        "source_share",
    ];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let share = &self.share;
        let all = counted(self.words_counted as u64, "word");
        let said = match (share.words_matched, share.words_in_passages) {
            (0, weak @ 1..) => format!("none of {all} counts as copied; {} in weak passages", grouped(weak as u64)),
            (words, _) => format!("{} of {all} also stand elsewhere ({})", grouped(words as u64), share.kinds()),
        };
        writeln!(out, "{}\n  {}  {said}", with_path(&self.name, self.id), percent(Some(share.share)))?;
        if let Some(program) = self.read_by {
            writeln!(out, "  note: read by {program}, which may have misread words")?;
        }
        let left_out = self.words - self.words_counted;
        if left_out > 0 {
            let (left_out, all) = (grouped(left_out as u64), counted(self.words as u64, "word"));
            writeln!(out, "  note: {left_out} of all {all} are left out and do not count")?;
        }
        if self.words_code > 0 {
            writeln!(out, "  note: {} of program code", counted(self.words_code as u64, "word"))?;
        }
        if self.bytes_not_compared > 0 {
            let (words, bytes) = (grouped(self.words as u64), counted(self.bytes_not_compared as u64, "byte"));
            writeln!(out, "  note: only its first {words} words were compared, not the {bytes} of text after them")?;
        }
        let disguises = [
            (self.disguises.lookalikes, "word", "with look-alike letters of another script"),
            (self.disguises.digits, "word", "with digits in place of letters"),
            (self.disguises.romanised, "word", "in Latin letters, read in those of the language"),
            (self.disguises.invisible, "word", "with invisible characters inside"),
            (self.disguises.marked, "word", "with marks over the letters that no language uses"),
            (self.disguises.spaced, "word", "written letter by letter"),
            (self.disguises.turned, "character", "overriding the direction of the text"),
        ];
        for (count, noun, what) in disguises.into_iter().filter(|(count, ..)| *count > 0) {
            writeln!(out, "  note: {} {what}", counted(count as u64, noun))?;
        }
        if self.hidden.is_notable() {
            writeln!(out, "  note: may contain text that a reader does not see: {}", hidden_in_words(self.hidden))?;
        }
        Ok(())
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let own = [
            Cell::text(self.id),
            Cell::text(self.author.unwrap_or_default()),
            Cell::figure(self.language),
            Cell::figure(self.words),
            Cell::figure(self.words_counted),
            Cell::figure(self.share.words_in_passages),
            Cell::figure(self.share.words_matched),
            Cell::figure(self.share.share),
            Cell::figure(self.share.share_verbatim),
        ];
        let row = |source: Option<&ScreenedSource<'_>>| {
            let shares = source.map(|source| &source.share);
            let of_source = [
                Cell::text(source.map_or("", |source| source.id)),
                Cell::text(source.and_then(|source| source.author).unwrap_or_default()),
                Cell::figure_if(shares.map(|shares| shares.words_matched)),
                Cell::figure_if(shares.map(|shares| shares.share)),
            ];
            own.iter().cloned().chain(of_source).collect()
        };
        if self.sources.is_empty() {
            vec![row(None)]
        } else {
            self.sources.iter().map(|source| row(Some(source))).collect()
        }
    }
}

/// The numbers of characters that a reader may not see, in words.
fn hidden_in_words(Hidden { white, tiny, outside, invisible }: Hidden) -> String {
    let kinds = [
        (white, "in white"),
        (tiny, "of less than 3 points"),
        (outside, "outside of the page"),
        (invisible, "marked as hidden or drawn without ink"),
    ];
    let told = kinds.into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{} {what}", counted(count as u64, "character"))).collect::<Vec<_>>().join(", ")
}

/// The first characters of a text, with an ellipsis if there are more.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    shown(&cut(&words.join(" "), BEGINNING))
}

#[cfg(test)]
mod tests;
