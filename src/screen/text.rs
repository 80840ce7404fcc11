//! Dividing texts into words, with what is disguised or hidden in them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use icu_properties::props::SentenceTerminal;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

use crate::align::{Word, Words, in_runs, shared_words};
use crate::error::{Location, Problem, Reason};
use crate::screen::evidence::Excluded;
use crate::screen::exclude::words_of_code;
use crate::screen::part::{Part, runs_in_others};
use crate::screen::quotations::ends_of_paragraphs;
use crate::screen::translation::Translation;
use crate::store::file::format::DateOrigin;
use crate::text::disguises::{Obfuscation, Plain, Seen, is_override, seen};
use crate::text::one_script::OneScript;
use crate::text::read_words::{ReadWord, WordReader};
use crate::text::romanised::{Romanised, is_prime, original, restored};
use crate::text::{Language, detect};

/// A document that is screened, or a source.
#[derive(Debug)]
pub struct Text {
    /// Its id.
    pub id: String,
    /// Its author, if known.
    pub author: Option<String>,
    /// Its date in seconds since 1970 (UTC), if known: of an export that of submission, else the one that the document states.
    pub date: Option<(i64, DateOrigin)>,
    /// The program that read its file, if another one did, which may have misread words; unknown for a text of an archive.
    pub read_by: Option<&'static str>,
    /// The text.
    pub text: String,
    /// The language in which it was read: that of most of it.
    pub language: Language,
    /// Its parts in other languages, in order; only if these are searched for translations.
    pub(super) parts: Vec<Part>,
    /// Its words, stop words included; at most [`Words::MOST`].
    pub words: Words,
    /// Length in bytes of the part that `words` covers: the whole text, unless it has more than [`Words::MOST`]
    /// words.
    pub compared: usize,
    /// Numbers of characters that a reader of the document may not see; all 0 for a text of an archive.
    pub hidden: Hidden,
    /// Number of pictures and other parts that may hold text, which is unknown; 0 for a text of an archive.
    pub pictured: usize,
    /// The disguises found in it, counted.
    pub disguises: Disguises,
    /// Spans, in bytes and in order, of disguised words and of characters that turn the direction; at most
    /// [`Words::MOST`].
    pub disguised: Vec<Range<usize>>,
    /// The language of a text in Latin letters that is written in others, and was not read in those.
    unread: Option<Language>,
    /// Runs of words of program code, in order.
    code: Vec<Range<usize>>,
    pub(super) excluded: Excluded,
    /// Runs of words that many documents share, in order.
    common: Vec<Range<usize>>,
    /// Runs of words between quotation marks, in order, once they were asked for.
    pub(super) quoted: OnceLock<Vec<Range<usize>>>,
}

/// Numbers of characters that a reader of a document may not see, by what hides them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Hidden {
    /// White, or nearly so, where no background is known.
    pub white: usize,
    /// Of less than three points.
    pub tiny: usize,
    /// Outside of the page.
    pub outside: usize,
    /// Marked as hidden, or drawn without ink.
    pub invisible: usize,
}

impl Hidden {
    /// Minimum number of characters that is worth a note: white headings of a table are often fewer.
    pub const NOTABLE: usize = 20;

    /// True if a note is due.
    pub fn is_notable(self) -> bool {
        self.white + self.tiny + self.outside + self.invisible >= Self::NOTABLE
    }
}

/// The place of a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Number of Unicode characters before it.
    pub offset: usize,
    /// Length in Unicode characters.
    pub length: usize,
    /// Its span in bytes.
    pub bytes: Range<usize>,
}

/// Counts of words that were disguised to escape detection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Disguises {
    /// Words with look-alike letters of another script.
    pub lookalikes: usize,
    /// Words with digits in place of letters.
    pub digits: usize,
    /// Words of a text in Latin letters that was read in those of its language.
    pub romanised: usize,
    /// Words with invisible characters inside, in scripts that have no use for them.
    pub invisible: usize,
    /// Words with marks laid over their letters that no language writes.
    pub marked: usize,
    /// Words whose letters were set apart.
    pub spaced: usize,
    /// Characters that override the direction of letters.
    pub turned: usize,
}

impl Disguises {
    fn add(&mut self, obfuscations: Obfuscation) {
        self.lookalikes += usize::from(obfuscations.lookalike);
        self.digits += usize::from(obfuscations.digits);
        self.invisible += usize::from(obfuscations.invisible);
        self.marked += usize::from(obfuscations.marked);
        self.spaced += usize::from(obfuscations.spaced);
    }

    /// True if there are any.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

impl Text {
    /// Marks words that do not count, and those that are no evidence.
    pub(super) fn exclude(&mut self, words: Excluded) {
        self.excluded = words;
    }

    /// Marks words that many documents share.
    pub(super) fn note_common(&mut self, words: Vec<Range<usize>>) {
        self.common = words;
    }

    /// Number of words that many documents share, left out or not.
    pub fn words_common(&self) -> usize {
        self.common.iter().map(Range::len).sum()
    }

    /// True if more than half of its words are text that many documents share: a copy rather than a form.
    pub fn is_mostly_common(&self) -> bool {
        2 * self.words_common() > self.words.len()
    }

    /// The words that many documents share and that can be left out, as runs in order: none if they are most of the
    /// text.
    pub fn common(&self) -> &[Range<usize>] {
        if self.is_mostly_common() { &[] } else { &self.common }
    }

    /// The words of program code, as runs in order, left out or not.
    pub fn code(&self) -> &[Range<usize>] {
        &self.code
    }

    /// True if most words of a run are program code.
    pub fn is_code(&self, words: Range<usize>) -> bool {
        2 * self.code.iter().map(|run| shared_words(run, &words)).sum::<usize>() > words.len()
    }

    /// The words that do not count, as runs in order.
    pub fn left_out(&self) -> &[Range<usize>] {
        &self.excluded.left_out
    }

    /// The problem of a text that has more words than are compared.
    pub fn cut_short(&self) -> Option<Problem> {
        let (most, compared, bytes) = (Words::MOST as u64, self.compared as u64, self.text.len() as u64);
        let reason = Reason::TooManyWords { most, compared, bytes };
        (compared < bytes).then(|| Problem::of(&*self.id, Location::File, reason))
    }

    /// True for a text in Latin letters that was not read in those of its language.
    pub fn is_unread(&self) -> bool {
        self.unread.is_some()
    }

    /// The problem of a text that is not compared with others in the letters of its language.
    pub fn in_latin_letters(&self) -> Option<Problem> {
        let reason = Reason::InLatinLetters(self.unread?.name());
        Some(Problem::of(&*self.id, Location::File, reason))
    }

    /// True if a word does not count.
    pub fn is_left_out(&self, word: usize) -> bool {
        in_runs(self.left_out(), word)
    }

    /// True if translations are not searched for by this word: a stop word, or one that is left out.
    pub fn tells_nothing(&self, word: usize) -> bool {
        let (_, read) = self.read(word);
        read.is_common || self.is_left_out(word)
    }

    /// The place of a run of words in the text.
    pub fn place(&self, words: Range<usize>) -> Place {
        let bytes = self.words.bytes(words);
        let characters = |bytes: Range<usize>| self.text[bytes].chars().count();
        Place { offset: characters(0..bytes.start), length: characters(bytes.clone()), bytes }
    }

    /// Number of words that count: the denominator of a share.
    pub fn counted(&self) -> usize {
        self.counted_in(0..self.words.len())
    }

    /// Number of words of a run that count.
    pub fn counted_in(&self, words: Range<usize>) -> usize {
        words.filter(|&word| !self.is_left_out(word)).count()
    }
}

/// Average length in bytes of an English word and its separator, to estimate capacity.
const BYTES_OF_A_WORD: usize = 6;

/// Divides texts into words.
pub struct Preparer {
    language: Option<Language>,
    translation: Translation,
    readers: BTreeMap<&'static str, WordReader>,
    sentence_ends: CodePointSetDataBorrowed<'static>,
}

impl Preparer {
    /// Divides texts of a language; `None` detects that of each.
    pub fn new(language: Option<Language>) -> Self {
        let sentence_ends = CodePointSetData::new::<SentenceTerminal>();
        Self { language, translation: Translation::default(), readers: BTreeMap::new(), sentence_ends }
    }

    /// Finds the parts of texts in other languages, too, that are searched for translations; in a language that is given
    /// there are none.
    #[must_use]
    pub(super) fn across(mut self, translation: &Translation) -> Self {
        self.translation = translation.clone();
        self
    }

    /// Divides a text into words, in the language of all texts or the one that is detected.
    pub fn prepare(&mut self, id: String, author: Option<String>, text: String) -> Text {
        #[cfg(any(test, feature = "faults"))]
        super::panic_if_asked(&id, "while-reading");
        // Of a text with strokes through its letters the detector knows no word.
        let seeming = self.language.unwrap_or_else(|| detect::detect(&Plain::new(&text).text).language);
        let is_asked = |language: Language| self.language.is_none_or(|named| named == language);
        match original(&text, seeming) {
            Some(Romanised::Read(original)) if is_asked(original) => self.divided(original, true, id, author, text),
            // The words of another language would be stemmed as what they are not.
            Some(Romanised::Unread(original)) if is_asked(original) => {
                let language = self.language.unwrap_or(Language::UNDETERMINED);
                Text { unread: Some(original), ..self.divided(language, false, id, author, text) }
            }
            _ => self.in_parts(seeming, id, author, text),
        }
    }

    /// Divides a text into words, in the language that was detected.
    pub fn prepare_in(&mut self, language: Language, id: String, author: Option<String>, text: String) -> Text {
        match original(&text, language) {
            Some(Romanised::Read(original)) => self.divided(original, true, id, author, text),
            Some(Romanised::Unread(_)) => self.divided(Language::UNDETERMINED, false, id, author, text),
            None => self.in_parts(language, id, author, text),
        }
    }

    /// Divides a text into words, and reads its parts in other languages. A text of another script in Latin letters has none:
    /// its words are not those of any language that these letters look like.
    fn in_parts(&mut self, language: Language, id: String, author: Option<String>, text: String) -> Text {
        let mut text = self.divided(language, false, id, author, text);
        if self.language.is_none() && self.translation.is_wanted() {
            let runs = runs_in_others(&text, |language| self.translation.is_from(language));
            let part = |(run, of)| Part::new(&text, run, of, reader_of(&mut self.readers, of));
            text.parts = runs.into_iter().map(part).collect();
        }
        text
    }

    fn divided(
        &mut self,
        language: Language,
        is_romanised: bool,
        id: String,
        author: Option<String>,
        text: String,
    ) -> Text {
        let reader = reader_of(&mut self.readers, language);
        let mut words: Vec<Word> = Vec::with_capacity((text.len() / BYTES_OF_A_WORD).min(Words::MOST));
        let (mut disguises, mut hidden) = (Disguises::default(), Vec::new());
        let mut accented = Vec::new();
        // Of ASCII, these three are the ends that Unicode lists.
        let ends = |c: char| if c.is_ascii() { matches!(c, '.' | '!' | '?') } else { self.sentence_ends.contains(c) };
        let mut last = 0;
        let mut compared = text.len();
        let (analyser, memo) = (&reader.analyser, &mut reader.memo);
        let tokens = |text: &str| {
            let mut tokens = Vec::new();
            analyser.words(text, |span| tokens.push(span));
            tokens
        };
        let script = OneScript::of(&text);
        // Simplified characters have the places of those in the text, and other words.
        let simplified = script.filter(|script| *script == OneScript::Simplified).map(|script| script.read(&text));
        seen(simplified.as_ref().unwrap_or(&text), tokens, |Seen { span, mut word, obfuscations }| {
            if script == Some(OneScript::Latin) {
                word = Cow::Owned(OneScript::Latin.read(&word));
            }
            if is_romanised {
                word = Cow::Owned(restored(&word, language, text[span.end..].starts_with(is_prime)));
            }
            let Some(read) = memo.read(analyser, &word) else { return ControlFlow::Continue(()) };
            if words.len() == Words::MOST {
                compared = last;
                return ControlFlow::Break(());
            }
            disguises.add(obfuscations);
            disguises.romanised += usize::from(is_romanised);
            if obfuscations.any() {
                hidden.push(span.clone());
            }
            // Several words may come from one character and share its span.
            let between = text.get(last..span.start).unwrap_or_default();
            let begins_sentence =
                words.is_empty() || ends_of_paragraphs(between).next().is_some() || between.chars().any(ends);
            last = last.max(span.end);
            let (start, end) = (span.start as u32, span.end as u32);
            accented.extend(read.folded.map(|folded| (words.len() as u32, folded)));
            let ReadWord { form, stem, is_common, .. } = read;
            words.push(Word { start, end, form, stem, begins_sentence, is_common });
            ControlFlow::Continue(())
        });
        for (at, turning) in text[..compared].match_indices(is_override) {
            disguises.turned += 1;
            if hidden.len() < Words::MOST {
                hidden.push(at..at + turning.len());
            }
        }
        let words = Words::accented(words, &accented);
        let mut text = Text {
            id,
            author,
            date: None,
            read_by: None,
            text,
            language,
            parts: Vec::new(),
            words,
            compared,
            disguises,
            disguised: in_order(hidden),
            unread: None,
            code: Vec::new(),
            excluded: Excluded::default(),
            common: Vec::new(),
            quoted: OnceLock::new(),
            hidden: Hidden::default(),
            pictured: 0,
        };
        text.code = words_of_code(&text);
        text
    }
}

/// The reader of a language.
fn reader_of<'r>(readers: &'r mut BTreeMap<&'static str, WordReader>, language: Language) -> &'r mut WordReader {
    readers.entry(language.code()).or_insert_with(|| WordReader::new(language))
}

/// Sorts spans and removes those that overlap an earlier one.
fn in_order(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    spans.retain(|span| {
        span.start >= end && {
            end = span.end;
            true
        }
    });
    spans
}
