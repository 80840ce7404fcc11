//! The words of one language that were seen, each with its hash and that of its term.
//!
//! A text is cut at white space, and signs are cut off. A chunk that was seen before
//! costs one look-up; a new one is tokenised, and its words looked up on
//! their own, which serves texts without white space. What is remembered is what
//! the plain path would compute again, so a look-up can never change a result: the
//! tests compare the two with a memory of every size.
//!
//! The memory is a fixed table of two-way sets of 40-byte entries; a newer entry
//! replaces the older of its set.
//!
//! Cost: about 10 ns a chunk seen before, about 1 µs a new one. 2.5 MiB a language.

use std::ops::Range;

use crate::sketch::rabin::Rabin;
use crate::text::analyse::{Analyser, Outcome};
use crate::text::tokenise::chunks;
use crate::text::words::{Word, WordReader, is_layout, without_quote_marks};

/// The longest chunk or word that is remembered, in bytes.
const MAX_BYTES: usize = 22;

/// Entries of the table, as a power of two: 65,536 hold what a text of some megabytes has of words.
const LOG2_ENTRIES: u32 = 16;

/// Takes the hashes of a text's words and terms, in the order of the text.
pub(super) trait Sink {
    fn word(&mut self, hash: u64);
    fn term(&mut self, hash: u64);
}

/// The words of one language with their hashes and those of their terms.
#[derive(Debug)]
pub(super) struct Vocabulary {
    reader: WordReader,
    /// `None`: nobody asks for terms.
    analyser: Option<Analyser>,
    rabin: Rabin,
    memo: Memo,
    form: String,
}

impl Vocabulary {
    pub(super) fn new(analyser: Option<Analyser>, rabin: Rabin) -> Self {
        Self::with_memory(analyser, rabin, LOG2_ENTRIES)
    }

    fn with_memory(analyser: Option<Analyser>, rabin: Rabin, log2_entries: u32) -> Self {
        Self { reader: WordReader::default(), analyser, rabin, memo: Memo::new(log2_entries), form: String::new() }
    }

    /// Hands the words and terms of a text on.
    pub(super) fn read(&mut self, text: &str, sink: &mut impl Sink) {
        for chunk in chunks(text) {
            let whole = without_quote_marks(text, chunk);
            let chunk = trim(text, whole.clone());
            if chunk.is_empty() {
                continue;
            }
            let key = Key::new(text, &chunk, Kind::Chunk);
            if let Some(seen) = key.and_then(|key| self.memo.get(key)) {
                if !(seen.has(Seen::SIGNS) && is_layout(text, &whole)) {
                    seen.hand_on(sink);
                }
            } else if !is_layout(text, &whole) {
                let seen = self.new_chunk(text, chunk, sink);
                if let Some((key, seen)) = key.zip(seen) {
                    self.memo.insert(key, seen);
                }
            }
        }
    }

    /// Reads a chunk; returns what to remember if it is one word with one term at most, or none.
    fn new_chunk(&mut self, text: &str, chunk: Range<usize>, sink: &mut impl Sink) -> Option<Seen> {
        let Self { reader, analyser, rabin, memo, form } = self;
        let mut looking = Looking { text, analyser: analyser.as_ref(), rabin: *rabin, memo, form, reader };
        let (start, length) = (chunk.start, chunk.len());
        let (mut found, mut only) = (0, Some(Seen::default()));
        reader.chunk(&text[chunk], |word| {
            let word = word.shifted(start);
            let seen = looking.word(&word, word.span.len() == length);
            seen.hand_on(sink);
            if seen.has(Seen::PARTS) {
                looking.parts(&word, sink);
            }
            found += 1;
            only = (found == 1 && !seen.has(Seen::PARTS)).then_some(seen);
        });
        only
    }
}

/// A chunk without the signs at its ends, so that `word`, `(word` and `word,` are
/// one.
///
/// Only ASCII signs that never belong to a word at its end: `_` does, and so does an
/// apostrophe after a Hebrew letter, and so do the signs of [`crate::text::words`].
#[inline]
fn trim(text: &str, chunk: Range<usize>) -> Range<usize> {
    let is_sign = |byte: &u8| {
        byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'\'' | b'+' | b'#' | b'<' | b'=' | b'>' | b'%' | b'$')
    };
    let bytes = &text.as_bytes()[chunk.clone()];
    let is_minus = |i: usize| bytes[i] == b'-' && bytes.get(i + 1).is_some_and(|next| next.is_ascii_digit() || !next.is_ascii());
    let is_front = |&i: &usize| is_sign(&bytes[i]) && bytes[i] != b'!' && !is_minus(i);
    let front = (0..bytes.len()).take_while(is_front).count();
    let back = bytes[front..].iter().rev().take_while(|byte| is_sign(byte)).count();
    chunk.start + front..chunk.end - back
}

/// What it takes to look at the words of a chunk.
struct Looking<'a> {
    text: &'a str,
    reader: &'a WordReader,
    analyser: Option<&'a Analyser>,
    rabin: Rabin,
    memo: &'a mut Memo,
    form: &'a mut String,
}

impl Looking<'_> {
    /// What a word is, remembered unless the chunk that it fills is.
    fn word(&mut self, word: &Word, fills_chunk: bool) -> Seen {
        let key = if fills_chunk { None } else { Key::new(self.text, &word.span, Kind::Word) };
        if let Some(seen) = key.and_then(|key| self.memo.get(key)) {
            return seen;
        }
        let mut seen = Seen::default();
        self.reader.form(&self.text[word.span.clone()], self.form);
        if !self.form.is_empty() {
            seen.set_word(self.rabin.word(self.form.as_bytes()));
        }
        if let Some(token) = &word.token {
            if let Some(analyser) = self.analyser {
                let mut parts = 0;
                analyser.parts(self.text, token.clone(), &mut |part| {
                    parts += 1;
                    if let Some(term) = term(analyser, self.rabin, self.form, &self.text[part]) {
                        seen.set_term(term);
                    }
                });
                if parts > 1 {
                    seen.unset_term();
                }
            }
        } else {
            seen.set(Seen::SIGNS);
        }
        if let Some(key) = key {
            self.memo.insert(key, seen);
        }
        seen
    }

    /// Hands the terms on of a word that has several.
    fn parts(&mut self, word: &Word, sink: &mut impl Sink) {
        let (Some(analyser), Some(token)) = (self.analyser, &word.token) else { return };
        analyser.parts(self.text, token.clone(), &mut |part| {
            let key = Key::new(self.text, &part, Kind::Part);
            let seen = key.and_then(|key| self.memo.get(key)).unwrap_or_else(|| {
                let mut seen = Seen::default();
                if let Some(term) = term(analyser, self.rabin, self.form, &self.text[part]) {
                    seen.set_term(term);
                }
                if let Some(key) = key {
                    self.memo.insert(key, seen);
                }
                seen
            });
            seen.hand_on(sink);
        });
    }
}

/// The hash of a token's term; `None`: it is a stop word, or shows nothing.
fn term(analyser: &Analyser, rabin: Rabin, form: &mut String, token: &str) -> Option<u64> {
    match analyser.outcome(token, form) {
        Outcome::Invisible | Outcome::Stop => None,
        Outcome::Term(term) => Some(rabin.word(term.as_bytes())),
    }
}

/// What a chunk or word is: a word or none, with a term or none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    flags: u8,
    word: u64,
    term: u64,
}

impl Seen {
    const WORD: u8 = 1;
    const TERM: u8 = 2;
    /// The word is signs alone, which are layout at the edge of a line.
    const SIGNS: u8 = 4;
    /// The word has several terms, each looked up on its own.
    const PARTS: u8 = 8;

    fn set(&mut self, flag: u8) {
        self.flags |= flag;
    }

    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn set_word(&mut self, hash: u64) {
        self.set(Self::WORD);
        self.word = hash;
    }

    fn set_term(&mut self, hash: u64) {
        self.set(Self::TERM);
        self.term = hash;
    }

    fn unset_term(&mut self) {
        self.flags = self.flags & !Self::TERM | Self::PARTS;
        self.term = 0;
    }

    #[inline]
    fn hand_on(self, sink: &mut impl Sink) {
        if self.has(Self::WORD) {
            sink.word(self.word);
        }
        if self.has(Self::TERM) {
            sink.term(self.term);
        }
    }
}

/// What a remembered piece of text is; the same bytes can be each of them.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Chunk = 1,
    Word = 2,
    Part = 3,
}

/// Up to 22 bytes of text, their number and their kind; the last byte is free
/// for what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key([u64; 3]);

impl Key {
    /// The key of a piece of text; `None` if it is too long.
    #[inline]
    fn new(text: &str, span: &Range<usize>, kind: Kind) -> Option<Self> {
        let length = span.len();
        if length > MAX_BYTES {
            return None;
        }
        let bytes = text.as_bytes();
        let mut words = if let Some(window) = bytes.get(span.start..span.start + 24) {
            // Reading beyond the piece and masking is faster than copying it.
            std::array::from_fn(|i| {
                let bits = 8 * length.saturating_sub(8 * i) as u32;
                word_at(window, i) & 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1)
            })
        } else {
            let mut padded = [0; 24];
            padded[..length].copy_from_slice(&bytes[span.clone()]);
            std::array::from_fn(|i| word_at(&padded, i))
        };
        words[2] |= (length as u64 | (kind as u64) << 5) << 48;
        Some(Self(words))
    }

    #[inline]
    fn hash(self) -> u64 {
        let [a, b, c] = self.0;
        let mixed = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b.rotate_left(32) ^ c ^ 0xd1b5_4a32_d192_ed03);
        let mixed = (mixed >> 64) as u64 ^ mixed as u64 ^ a;
        mixed.wrapping_mul(0x9fb2_1c65_1e98_df25)
    }
}

/// The `i`-th eight bytes as a number.
#[inline]
fn word_at(bytes: &[u8], i: usize) -> u64 {
    u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes"))
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// A key with the flags of what was seen in its last byte; all 0 is an empty entry, as no
    /// key has kind 0.
    key: [u64; 3],
    word: u64,
    term: u64,
}

const FLAGS_SHIFT: u32 = 56;

/// A table of what was seen.
#[derive(Debug)]
struct Memo {
    sets: Vec<[Entry; 2]>,
    shift: u32,
}

impl Memo {
    fn new(log2_entries: u32) -> Self {
        let log2_sets = log2_entries - 1;
        Self { sets: vec![[Entry::default(); 2]; 1 << log2_sets], shift: 64 - log2_sets }
    }

    #[inline]
    fn set(&self, key: Key) -> usize {
        // A table of one set has nothing to choose by.
        key.hash().checked_shr(self.shift).unwrap_or(0) as usize
    }

    #[inline]
    fn get(&self, key: Key) -> Option<Seen> {
        for entry in &self.sets[self.set(key)] {
            let difference: [u64; 3] = std::array::from_fn(|i| entry.key[i] ^ key.0[i]);
            if difference[0] | difference[1] | difference[2] << 8 == 0 {
                let flags = (entry.key[2] >> FLAGS_SHIFT) as u8;
                return Some(Seen { flags, word: entry.word, term: entry.term });
            }
        }
        None
    }

    fn insert(&mut self, key: Key, seen: Seen) {
        let Key([a, b, c]) = key;
        let place = self.set(key);
        let set = &mut self.sets[place];
        set[1] = set[0];
        let key = [a, b, c | u64::from(seen.flags) << FLAGS_SHIFT];
        set[0] = Entry { key, word: seen.word, term: seen.term };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{Language, Options};

    #[test]
    fn keys_of_different_pieces_differ() {
        let text = format!("{}{}", "abcabc", "x".repeat(30));
        let key = |span: Range<usize>, kind| Key::new(&text, &span, kind);
        assert_eq!(key(0..3, Kind::Chunk), key(3..6, Kind::Chunk));
        assert_ne!(key(0..3, Kind::Chunk), key(0..3, Kind::Word));
        assert_ne!(key(0..3, Kind::Chunk), key(0..4, Kind::Chunk));
        assert_eq!(key(0..23, Kind::Chunk), None);
        // Near the end of a text the bytes are copied, elsewhere masked.
        let alone = Key::new("abc", &(0..3), Kind::Chunk);
        assert_eq!(key(0..3, Kind::Chunk), alone);
        assert_ne!(Key::new("a\0", &(0..2), Kind::Chunk), Key::new("a\0", &(0..1), Kind::Chunk));
    }

    /// The hashes of words and of terms.
    #[derive(Debug, Default, PartialEq)]
    struct Hashes {
        words: Vec<u64>,
        terms: Vec<u64>,
    }

    impl Sink for Hashes {
        fn word(&mut self, hash: u64) {
            self.words.push(hash);
        }

        fn term(&mut self, hash: u64) {
            self.terms.push(hash);
        }
    }

    fn plain(analyser: Option<&Analyser>, text: &str) -> Hashes {
        let reader = WordReader::default();
        let rabin = Rabin::portable();
        let (mut hashes, mut form) = (Hashes::default(), String::new());
        reader.words(text, |word| {
            reader.form(&text[word.span], &mut form);
            if !form.is_empty() {
                hashes.words.push(rabin.word(form.as_bytes()));
            }
        });
        let tokens = analyser.map_or(Vec::new(), |analyser| analyser.tokens(text));
        let terms = tokens.iter().filter_map(|token| token.term.as_ref());
        hashes.terms.extend(terms.map(|term| rabin.word(term.as_bytes())));
        hashes
    }

    /// Few different words, so that they come again, joined in all ways.
    fn texts() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "tide",
                "Tides,",
                "the",
                "(the)",
                "state-of-the-art",
                "l'aigua",
                "—",
                "море",
                "Моря",
                "我们研究海洋",
                "ภาษาไทย",
                "a-very-long-chunk-of-many-words",
                "\u{3164}",
                "co\u{200b}py",
                "don’t",
                "и",
                "3.14",
                "\u{a0}",
                "C++",
                "C#.",
                "(-1)",
                "--1",
                "-+1",
                "+",
                "!=",
                ">",
                ">>quoted",
                "5%",
                "%s",
                "−2",
                "＋１",
                "a+b",
                "====",
                "ⓐ+",
                "L’été",
            ])
            .prop_map(String::from),
            "\\PC{0,6}",
            "[-+#<>=!%$a1'’._]{1,6}",
        ];
        let space = prop::sample::select(vec![" ", "", "\n", "\t ", "\u{3000}"]);
        prop::collection::vec((piece, space), 0..60)
            .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space.to_owned()]).collect())
    }

    proptest! {
        #[test]
        fn remembering_changes_nothing(texts in prop::collection::vec(texts(), 1..4), log2_entries in 1u32..10) {
            let analysers = ["eng", "cat", "rus", "cmn", "und"].map(|language| {
                let language: Language = language.parse().unwrap();
                move || Some(Analyser::new(language, &Options::default()))
            });
            for analyser in analysers.iter().map(|analyser| analyser as &dyn Fn() -> _).chain([&(|| None) as _]) {
                let mut vocabulary = Vocabulary::with_memory(analyser(), Rabin::new(), log2_entries);
                for text in &texts {
                    let mut hashes = Hashes::default();
                    vocabulary.read(text, &mut hashes);
                    prop_assert_eq!(hashes, plain(analyser().as_ref(), text), "{:?}", text);
                }
            }
        }
    }
}
