//! The words seen in texts of one language, each with its hash and the hash of its term.
//!
//! A text is cut at white space that separates words, and punctuation is trimmed from the chunks. A chunk seen
//! before costs one look-up. A new chunk is tokenised and its words are looked up one by
//! one, which serves texts without white space. An entry holds what the plain path would
//! compute again, so a look-up never changes a result: the tests compare the two paths with
//! tables of many sizes.
//!
//! Without terms, a chunk that is one word of simple letters is hashed where it stands (`direct`).
//!
//! A text that is read in another script ([`crate::text::one_script`]) is tokenised once: only words that are written in
//! other letters than they are read in are looked up in both.
//!
//! Cost: about 10 ns per chunk seen before, about 1 µs per new one; 80 KiB to 2.5 MiB a language, by the
//! number of words met.

mod direct;
mod table;

use std::ops::Range;

use crate::sketch::rabin::{Rabin, ShortWord};
use crate::text::ambiguity::ambiguity;
use crate::text::analyse::{Analyser, Outcome};
use crate::text::chunks::{LONGEST_COUNTED, Part, Told, are_unspaced, parts};
use crate::text::ends::{End, Ends};
use crate::text::words::{Word, WordReader, without_quote_marks};
pub(super) use table::Form;
use table::{CacheEntry, Key, Kind, Memo};

/// Binary logarithm of the number of table entries: 65,536 hold the words of a text of some megabytes.
const LOG2_ENTRIES: u32 = 16;

/// Number of chunks whose entries are fetched before the first of them is needed, so that the waits for memory overlap.
const AHEAD: usize = 16;

/// A chunk that is about to be looked up.
#[derive(Debug, Default)]
struct Place {
    /// The form of its word, if it is read directly; the hash is then made with those of other chunks.
    direct: Option<Form>,
    /// `None` if it is too long for the table, or read directly.
    key: Option<Key>,
    /// Its bytes without the marks of a quotation.
    whole: Range<usize>,
    /// The same without punctuation at the ends.
    trimmed: Range<usize>,
}

/// Receives the hashes of a text's words and terms, and the ends of its sentences and lines, in the order of the text.
pub(super) trait Sink {
    fn word(&mut self, hash: u64, form: Form);
    /// A word that is read in another script; `written` and `form` are of the word as written.
    fn converted(&mut self, hash: u64, written: u64, form: Form);
    fn term(&mut self, hash: u64);
    /// A sentence or a line ends here, or signs stand here: between two words, before the first or behind the last.
    fn ends(&mut self, found: End);
}

/// A text as it is read, and as it is written if that is in another script. Both have their characters in the same places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) read: &'a str,
    pub(super) written: Option<&'a str>,
}

impl<'a> Text<'a> {
    /// The text as written, if a word of it has other letters than as read.
    #[inline]
    fn written_at(self, word: &Range<usize>) -> Option<&'a str> {
        self.written.filter(|written| written.as_bytes()[word.clone()] != self.read.as_bytes()[word.clone()])
    }

    /// True if a word of letters without spaces is its own form as written, too.
    #[inline]
    fn is_formed(self, word: &Range<usize>) -> bool {
        self.written_at(word).is_none_or(|written| are_unspaced(&written[word.clone()]))
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self { read: text, written: None }
    }
}

/// The words of one language with their hashes and those of their terms.
#[derive(Debug)]
pub(super) struct Vocabulary {
    reader: WordReader,
    /// `None` if no terms are needed.
    analyser: Option<Analyser>,
    rabin: Rabin,
    ends: Ends,
    memo: Memo,
    form: String,
    /// The words of a new chunk that are about to be looked up.
    ahead: Vec<Ahead>,
}

/// A word of a new chunk and its key; `None` if it is too long for the table, or fills the chunk, which is then
/// remembered instead.
type Ahead = (Word, Option<Key>);

impl Vocabulary {
    pub(super) fn new(analyser: Option<Analyser>, rabin: Rabin) -> Self {
        Self::with_memory(analyser, rabin, LOG2_ENTRIES)
    }

    fn with_memory(analyser: Option<Analyser>, rabin: Rabin, log2_entries: u32) -> Self {
        let memo = Memo::new(log2_entries, analyser.is_some());
        let (reader, ends) = (WordReader::default(), Ends::default());
        Self { reader, analyser, rabin, ends, memo, form: String::new(), ahead: Vec::new() }
    }

    /// Passes the hashes of a text's words and terms to the sink.
    pub(super) fn read(&mut self, whole: Text<'_>, sink: &mut impl Sink) {
        let text = whole.read;
        let mut parts = parts(text);
        let has_terms = self.analyser.is_some();
        let mut ahead: [Place; AHEAD] = std::array::from_fn(|_| Place::default());
        let (mut words, mut hashes): ([ShortWord; AHEAD], _) = ([[0; 3]; AHEAD], [0; AHEAD]);
        // The end of the last word.
        let mut end = 0;
        loop {
            let mut count = 0;
            while count < AHEAD
                && let Some(Part { span, told }) = parts.next()
            {
                let (untrimmed, trimmed) = match told {
                    Told::Counted | Told::Unspaced => (span.clone(), span),
                    Told::Nothing => {
                        let whole = without_quote_marks(text, span);
                        let trimmed = trim(text, whole.clone());
                        (whole, trimmed)
                    }
                };
                if trimmed.is_empty() {
                    continue;
                }
                let (place, letters) = (&mut ahead[count], &mut words[count]);
                place.direct = match told {
                    _ if has_terms => None,
                    Told::Nothing => direct::read(text, &trimmed, letters),
                    Told::Counted => Some(direct::counted(text, &trimmed, letters)),
                    Told::Unspaced if whole.is_formed(&trimmed) => direct::copied(text, &trimmed, letters),
                    Told::Unspaced => None,
                };
                place.key = match place.direct {
                    Some(_) => None,
                    None => Key::new(text, &trimmed, Kind::Chunk).inspect(|&key| self.memo.fetch(key)),
                };
                (place.whole, place.trimmed) = (untrimmed, trimmed);
                count += 1;
            }
            if !has_terms {
                self.rabin.short_words(&words[..count], &mut hashes[..count]);
            }
            for (place, &hash) in ahead[..count].iter().zip(&hashes) {
                if let Some(form) = place.direct {
                    let gap = end..place.trimmed.start;
                    if !Ends::is_plain(text, &gap) {
                        pass_on_ends(self.ends, text, gap, sink);
                    }
                    match whole.written_at(&place.trimmed) {
                        Some(written) => {
                            let written = self.rabin.word(&written.as_bytes()[place.trimmed.clone()]);
                            sink.converted(hash, written, form);
                        }
                        None => sink.word(hash, form),
                    }
                    end = place.trimmed.end;
                } else {
                    end = self.chunk(whole, place, end, sink);
                }
            }
            if count < AHEAD {
                pass_on_ends(self.ends, text, end..text.len(), sink);
                return;
            }
        }
    }

    /// Passes on the words of a chunk, given the end of the last word before it; returns the end of the last word.
    #[inline]
    fn chunk(&mut self, both: Text<'_>, chunk: &Place, end: usize, sink: &mut impl Sink) -> usize {
        let (Place { key, whole, trimmed, .. }, text) = (chunk, both.read);
        if let Some(seen) = key.and_then(|key| self.memo.get(key)) {
            if seen.has(CacheEntry::SIGNS) && self.reader.is_layout(text, whole) {
                return end;
            }
            let word = if seen.has(CacheEntry::WORD) { self.word_of(text, trimmed) } else { end..end };
            pass_on_ends(self.ends, text, end..word.start, sink);
            if both.written.is_some() {
                self.looking(both, end).hand_on(seen, &word, sink);
            } else {
                seen.hand_on((text, &word), sink);
            }
            return word.end;
        }
        if self.reader.is_layout(text, whole) {
            return end;
        }
        let (seen, end) = self.new_chunk(both, trimmed.clone(), end, sink);
        if let Some((key, seen)) = key.zip(seen) {
            self.memo.insert(key, seen);
        }
        end
    }

    fn looking<'a>(&'a mut self, text: Text<'a>, end: usize) -> Looking<'a> {
        let Self { reader, analyser, rabin, ends, memo, form, .. } = self;
        Looking { text, reader, analyser: analyser.as_ref(), rabin: *rabin, ends: *ends, memo, form, end }
    }

    /// The place of the word of a chunk that has one.
    #[inline]
    fn word_of(&self, text: &str, chunk: &Range<usize>) -> Range<usize> {
        let bytes = &text.as_bytes()[chunk.clone()];
        if bytes[0].is_ascii_alphanumeric() && bytes[bytes.len() - 1].is_ascii_alphanumeric() {
            return chunk.clone();
        }
        let inside = &text[chunk.clone()];
        if inside.starts_with(char::is_alphanumeric) && inside.ends_with(char::is_alphanumeric) {
            return chunk.clone();
        }
        let mut place = 0..0;
        self.reader.chunk(inside, |word| place = word.span);
        chunk.start + place.start..chunk.start + place.end
    }

    /// Reads a chunk. Returns the entry to remember if the chunk has at most one word, with at most one term; and the end
    /// of the last word so far, which was `end` before.
    fn new_chunk(
        &mut self,
        text: Text<'_>,
        chunk: Range<usize>,
        end: usize,
        sink: &mut impl Sink,
    ) -> (Option<CacheEntry>, usize) {
        let (start, length) = (chunk.start, chunk.len());
        let mut ahead = std::mem::take(&mut self.ahead);
        let mut looking = self.looking(text, end);
        let (mut found, mut last) = (0, CacheEntry::default());
        looking.reader.chunk(&text.read[chunk], |word| {
            let word = word.shifted(start);
            let fills_chunk = word.span.len() == length;
            let key = if fills_chunk { None } else { Key::new(text.read, &word.span, Kind::Word) };
            key.inspect(|&key| looking.memo.fetch(key));
            ahead.push((word, key));
            found += 1;
            if ahead.len() == AHEAD {
                last = looking.words(&mut ahead, sink);
            }
        });
        if !ahead.is_empty() {
            last = looking.words(&mut ahead, sink);
        }
        let end = looking.end;
        self.ahead = ahead;
        ((found <= 1 && !last.has(CacheEntry::PARTS)).then_some(last), end)
    }
}

/// Passes on what ends between two words, or behind the last.
#[inline]
fn pass_on_ends(ends: Ends, text: &str, gap: Range<usize>, sink: &mut impl Sink) {
    let found = ends.between(text, gap);
    if found != End::default() {
        sink.ends(found);
    }
}

/// A chunk without the punctuation at its ends, so that `word`, `(word` and `word,` share
/// an entry.
///
/// Only ASCII punctuation that is never part of a word at its ends is trimmed. So `_`, the
/// apostrophe (part of a word after a Hebrew letter) and the signs of [`crate::text::words`] stay.
#[inline]
fn trim(text: &str, chunk: Range<usize>) -> Range<usize> {
    let bytes = &text.as_bytes()[chunk.clone()];
    let is_minus =
        |i: usize| bytes[i] == b'-' && bytes.get(i + 1).is_some_and(|next| next.is_ascii_digit() || !next.is_ascii());
    let (mut front, mut back) = (0, bytes.len());
    while front < back && IS_TRIMMED[usize::from(bytes[front])] && bytes[front] != b'!' && !is_minus(front) {
        front += 1;
    }
    while front < back && IS_TRIMMED[usize::from(bytes[back - 1])] {
        back -= 1;
    }
    chunk.start + front..chunk.start + back
}

/// True for each ASCII punctuation character that can be trimmed.
const IS_TRIMMED: [bool; 256] = {
    let mut is_trimmed = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_part = matches!(byte, b'_' | b'\'' | b'+' | b'#' | b'<' | b'=' | b'>' | b'%' | b'$');
        is_trimmed[byte as usize] = byte.is_ascii_punctuation() && !is_part;
        byte += 1;
    }
    is_trimmed
};

/// The text and the parts of a [`Vocabulary`] needed to look up the words of a chunk.
struct Looking<'a> {
    text: Text<'a>,
    reader: &'a WordReader,
    analyser: Option<&'a Analyser>,
    rabin: Rabin,
    ends: Ends,
    memo: &'a mut Memo,
    form: &'a mut String,
    /// The end of the word before.
    end: usize,
}

impl Looking<'_> {
    /// Passes on the hashes of words and forgets the words; returns the hashes of the last one.
    fn words(&mut self, words: &mut Vec<Ahead>, sink: &mut impl Sink) -> CacheEntry {
        let mut last = CacheEntry::default();
        for (word, key) in words.drain(..) {
            last = self.word(&word, key);
            if last.has(CacheEntry::WORD) {
                // Two words in one character share its span.
                let gap = self.end..word.span.start.max(self.end);
                pass_on_ends(self.ends, self.text.read, gap, sink);
                self.end = word.span.end;
            }
            self.hand_on(last, &word.span, sink);
            if last.has(CacheEntry::PARTS) {
                self.parts(&word, sink);
            }
        }
        last
    }

    /// Passes on the hashes of a word.
    #[inline]
    fn hand_on(&mut self, seen: CacheEntry, word: &Range<usize>, sink: &mut impl Sink) {
        match self.text.written_at(word) {
            Some(written) if seen.has(CacheEntry::WORD) => {
                seen.hand_on_converted((self.text.read, word), self.written(written, word), sink);
            }
            _ => seen.hand_on((self.text.read, word), sink),
        }
    }

    /// The hash of a word as written, which is remembered too.
    fn written(&mut self, text: &str, word: &Range<usize>) -> CacheEntry {
        let key = Key::new(text, word, Kind::Written);
        key.and_then(|key| self.memo.get(key)).unwrap_or_else(|| {
            let mut seen = CacheEntry::default();
            self.reader.form(&text[word.clone()], self.form);
            seen.set_word(self.rabin.word(self.form.as_bytes()), Form::of(self.form));
            if let Some(key) = key {
                self.memo.insert(key, seen);
            }
            seen
        })
    }

    /// The hashes of a word, which are remembered if it has a key.
    fn word(&mut self, word: &Word, key: Option<Key>) -> CacheEntry {
        if let Some(seen) = key.and_then(|key| self.memo.get(key)) {
            return seen;
        }
        let (mut seen, text) = (CacheEntry::default(), self.text.read);
        self.reader.form(&text[word.span.clone()], self.form);
        if !self.form.is_empty() {
            seen.set_word(self.rabin.word(self.form.as_bytes()), Form::of(self.form));
            if ambiguity(&text[word.span.clone()]) != 0 {
                seen.set(CacheEntry::AMBIGUOUS);
            }
        }
        if let Some(token) = &word.token {
            if let Some(analyser) = self.analyser {
                let mut parts = 0;
                analyser.parts(text, token.clone(), &mut |part| {
                    parts += 1;
                    if let Some(term) = term(analyser, self.rabin, self.form, &text[part]) {
                        seen.set_term(term);
                    }
                });
                if parts > 1 {
                    seen.unset_term();
                }
            }
        } else {
            seen.set(CacheEntry::SIGNS);
        }
        if let Some(key) = key {
            self.memo.insert(key, seen);
        }
        seen
    }

    /// Passes on the terms of a word that has several.
    fn parts(&mut self, word: &Word, sink: &mut impl Sink) {
        let (Some(analyser), Some(token)) = (self.analyser, &word.token) else { return };
        let text = self.text.read;
        analyser.parts(text, token.clone(), &mut |part| {
            let key = Key::new(text, &part, Kind::Part);
            let seen = key.and_then(|key| self.memo.get(key)).unwrap_or_else(|| {
                let mut seen = CacheEntry::default();
                if let Some(term) = term(analyser, self.rabin, self.form, &text[part.clone()]) {
                    seen.set_term(term);
                }
                if let Some(key) = key {
                    self.memo.insert(key, seen);
                }
                seen
            });
            seen.hand_on((text, &part), sink);
        });
    }
}

/// The hash of a token's term; `None` for a stop word and for a token without visible characters.
fn term(analyser: &Analyser, rabin: Rabin, form: &mut String, token: &str) -> Option<u64> {
    match analyser.outcome(token, form) {
        Outcome::Invisible | Outcome::Stop => None,
        Outcome::Term(term) => Some(rabin.word(term.as_bytes())),
    }
}

#[cfg(test)]
mod tests;
