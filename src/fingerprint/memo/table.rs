//! The table of chunks and words seen: sets of two entries. Its size is fixed, and a new entry replaces the older
//! one of its set.
//!
//! A look-up waits for memory more than it computes, so the keys and word hashes of a set fill one cache line, and
//! the hashes of terms, which not every table has, lie apart.

use std::ops::Range;

use super::Sink;
use crate::text::ambiguity::ambiguity;
use crate::text::ends::End;

/// Maximum length of a remembered chunk or word, in bytes.
const MAX_BYTES: usize = 21;

/// The form of a word: its length, and the kind of its first and last characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::fingerprint) struct Form {
    /// Length in bytes.
    pub(in crate::fingerprint) bytes: usize,
    /// True if it begins with a digit.
    pub(in crate::fingerprint) begins_with_digit: bool,
    /// True if it ends with a digit.
    pub(in crate::fingerprint) ends_with_digit: bool,
}

impl Form {
    const BEGINS: u8 = 1 << 6;
    const ENDS: u8 = 1 << 7;

    pub(super) fn of(form: &str) -> Self {
        Self {
            bytes: form.len(),
            begins_with_digit: form.starts_with(char::is_numeric),
            ends_with_digit: form.ends_with(char::is_numeric),
        }
    }

    /// The form in one byte; `None` if it is too long.
    fn packed(self) -> Option<u8> {
        let length = u8::try_from(self.bytes).ok().filter(|&length| length < Self::BEGINS)?;
        let digits = (u8::from(self.begins_with_digit) * Self::BEGINS) | (u8::from(self.ends_with_digit) * Self::ENDS);
        Some(length | digits)
    }

    #[inline]
    fn unpacked(packed: u8) -> Self {
        Self {
            bytes: usize::from(packed & (Self::BEGINS - 1)),
            begins_with_digit: packed & Self::BEGINS != 0,
            ends_with_digit: packed & Self::ENDS != 0,
        }
    }
}

/// The result for a chunk or word: at most one word hash and at most one term hash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CacheEntry {
    flags: u8,
    form: Form,
    word: u64,
    term: u64,
}

impl CacheEntry {
    /// There is a word.
    pub(super) const WORD: u8 = 1;
    const TERM: u8 = 2;
    /// The word consists of signs only, which may be layout at the edge of a line.
    pub(super) const SIGNS: u8 = 4;
    /// The word has several parts, whose terms are looked up one by one.
    pub(super) const PARTS: u8 = 8;
    /// The word has the form of another one.
    pub(super) const AMBIGUOUS: u8 = 16;

    pub(super) fn set(&mut self, flag: u8) {
        self.flags |= flag;
    }

    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn set_word(&mut self, hash: u64, form: Form) {
        self.set(Self::WORD);
        (self.word, self.form) = (hash, form);
    }

    pub(super) fn set_term(&mut self, hash: u64) {
        self.set(Self::TERM);
        self.term = hash;
    }

    pub(super) fn unset_term(&mut self) {
        self.flags = self.flags & !Self::TERM | Self::PARTS;
        self.term = 0;
    }

    /// Passes on the word, given its place in a text, and the term.
    #[inline]
    pub(super) fn hand_on(self, word: (&str, &Range<usize>), sink: &mut impl Sink) {
        if self.has(Self::WORD) {
            sink.word(self.word, self.form);
        }
        self.hand_on_ambiguity(word, sink);
        if self.has(Self::TERM) {
            sink.term(self.term);
        }
    }

    #[inline]
    fn hand_on_ambiguity(self, (text, word): (&str, &Range<usize>), sink: &mut impl Sink) {
        if self.has(Self::AMBIGUOUS) {
            sink.ends(End::of_number(ambiguity(&text[word.clone()])));
        }
    }

    /// Passes on a word that is read in another script, given what it is as written.
    pub(super) fn hand_on_converted(self, word: (&str, &Range<usize>), written: Self, sink: &mut impl Sink) {
        sink.converted(self.word, written.word, written.form);
        self.hand_on_ambiguity(word, sink);
        if self.has(Self::TERM) {
            sink.term(self.term);
        }
    }
}

/// The kind of a remembered piece of text; the same bytes can occur as each kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Chunk = 1,
    Word = 2,
    Part = 3,
    /// A word as written, of a text that is read in another script.
    Written = 4,
}

/// Up to 21 bytes of text, their number and their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    /// The sixth byte of the last is free for the [`Form`] of a [`CacheEntry`], and its eighth for the flags.
    words: [u64; 3],
    hash: u64,
}

impl Key {
    /// The key of a piece of text; `None` if it is too long.
    #[inline]
    pub(super) fn new(text: &str, span: &Range<usize>, kind: Kind) -> Option<Self> {
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
        Some(Self { words, hash: hash(words) })
    }
}

#[inline]
fn hash([a, b, c]: [u64; 3]) -> u64 {
    let mixed = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b.rotate_left(32) ^ c ^ 0xd1b5_4a32_d192_ed03);
    let mixed = (mixed >> 64) as u64 ^ mixed as u64 ^ a;
    mixed.wrapping_mul(0x9fb2_1c65_1e98_df25)
}

/// The `i`-th eight bytes as a number.
#[inline]
fn word_at(bytes: &[u8], i: usize) -> u64 {
    u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes"))
}

/// Two entries without the hashes of their terms, the newer first: a line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Set {
    /// The keys, each with the form and the flags of the [`CacheEntry`]. An empty entry is all 0, as no key has kind 0.
    keys: [[u64; 3]; 2],
    words: [u64; 2],
}

const FORM_SHIFT: u32 = 40;
const FLAGS_SHIFT: u32 = 56;

/// The bits of the last eight bytes of an entry that are its key's.
const KEY_BITS: u64 = !(0xff << FORM_SHIFT | 0xff << FLAGS_SHIFT);

impl Set {
    /// The key of an entry; `None` if it is empty.
    fn key(&self, entry: usize) -> Option<Key> {
        let [a, b, c] = self.keys[entry];
        let words = [a, b, c & KEY_BITS];
        (words[2] > 0).then(|| Key { words, hash: hash(words) })
    }
}

/// Binary logarithm of the number of sets of a new table: a corpus has a few texts in many languages.
const LOG2_FIRST: u32 = 9;

/// Binary logarithm of the number of times that a table grows by.
const LOG2_GROWTH: u32 = 2;

/// Number of insertions for each entry of a table before it grows: the words of a few texts come and go.
const TURNS: usize = 4;

/// The table of entries. It grows when several times as many were remembered as it has.
#[derive(Debug)]
pub(super) struct Memo {
    sets: Vec<Set>,
    /// The hashes of the terms of each set; none if the table is without terms.
    terms: Vec<[u64; 2]>,
    shift: u32,
    /// Number of entries that are remembered until the table grows.
    until_growth: usize,
    /// Binary logarithm of the greatest number of sets.
    log2_most: u32,
}

impl Memo {
    /// A table of so many entries at most.
    pub(super) fn new(log2_entries: u32, has_terms: bool) -> Self {
        let log2_most = log2_entries - 1;
        Self::of(log2_most.min(LOG2_FIRST), log2_most, has_terms)
    }

    fn of(log2_sets: u32, log2_most: u32, has_terms: bool) -> Self {
        let terms = if has_terms { vec![[0; 2]; 1 << log2_sets] } else { Vec::new() };
        let until_growth = if log2_sets < log2_most { (TURNS * 2) << log2_sets } else { usize::MAX };
        Self { sets: vec![Set::default(); 1 << log2_sets], terms, shift: 64 - log2_sets, until_growth, log2_most }
    }

    /// Makes a larger table with these entries.
    #[cold]
    fn grow(&mut self) {
        let log2_sets = (64 - self.shift + LOG2_GROWTH).min(self.log2_most);
        let mut larger = Self::of(log2_sets, self.log2_most, !self.terms.is_empty());
        for (place, set) in self.sets.iter().enumerate() {
            // The newer entry of a set comes first.
            for entry in [1, 0] {
                if let Some(key) = set.key(entry) {
                    let term = self.terms.get(place).map_or(0, |terms| terms[entry]);
                    larger.put(key, set.keys[entry], set.words[entry], term);
                }
            }
        }
        *self = larger;
    }

    #[inline]
    fn set(&self, key: Key) -> usize {
        // With one set the shift is 64 bits, which would overflow.
        key.hash.checked_shr(self.shift).unwrap_or(0) as usize
    }

    /// Has the entries of a key brought into the cache, without waiting for them.
    #[inline]
    pub(super) fn fetch(&self, key: Key) {
        let set = self.set(key);
        fetch(&self.sets[set]);
        if let Some(terms) = self.terms.get(set) {
            fetch(terms);
        }
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<CacheEntry> {
        let place = self.set(key);
        let set = &self.sets[place];
        for (i, entry) in set.keys.iter().enumerate() {
            let differs = |i: usize| entry[i] ^ key.words[i];
            if differs(0) | differs(1) | differs(2) & KEY_BITS == 0 {
                let flags = (entry[2] >> FLAGS_SHIFT) as u8;
                let form = Form::unpacked((entry[2] >> FORM_SHIFT) as u8);
                let term = self.terms.get(place).map_or(0, |terms| terms[i]);
                return Some(CacheEntry { flags, form, word: set.words[i], term });
            }
        }
        None
    }

    /// Remembers a chunk or a word, unless its form is too long for an entry.
    pub(super) fn insert(&mut self, key: Key, seen: CacheEntry) {
        let Some(form) = seen.form.packed() else { return };
        self.until_growth -= 1;
        if self.until_growth == 0 {
            self.grow();
        }
        let [a, b, c] = key.words;
        let stored = [a, b, c | u64::from(form) << FORM_SHIFT | u64::from(seen.flags) << FLAGS_SHIFT];
        self.put(key, stored, seen.word, seen.term);
    }

    /// Puts an entry before the newer one of its set, in place of the older.
    fn put(&mut self, key: Key, stored: [u64; 3], word: u64, term: u64) {
        let place = self.set(key);
        let set = &mut self.sets[place];
        set.keys = [stored, set.keys[0]];
        set.words = [word, set.words[0]];
        if let Some(terms) = self.terms.get_mut(place) {
            *terms = [term, terms[0]];
        }
    }
}

/// Has a value brought into the cache, without waiting for it.
#[inline]
fn fetch<T: Copy>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(unsafe_code, reason = "a hint to the processor, which has no safe form")]
        // SAFETY: the hint neither reads nor writes, and the address is that of a living value. SSE, which it
        // needs, belongs to every processor of this architecture.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(*value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_grows_keeps_its_entries() {
        for has_terms in [false, true] {
            let mut memo = Memo::new(12, has_terms);
            let texts: Vec<String> = (0..9000).map(|number| format!("w{number}")).collect();
            let key = |text: &str| Key::new(text, &(0..text.len()), Kind::Word).unwrap();
            let entry = |number: u64| CacheEntry { word: number, term: 7 * number, ..CacheEntry::default() };
            let found = |memo: &Memo| {
                let of = |(number, text): (u64, &String)| {
                    let found = memo.get(key(text))?;
                    assert_eq!((found.word, found.term), (number, if has_terms { 7 * number } else { 0 }));
                    Some(())
                };
                (0..).zip(&texts).filter_map(of).count()
            };
            (0..).zip(&texts[..900]).for_each(|(number, text)| memo.insert(key(text), entry(number)));
            // Some are lost where three have one set.
            let before = found(&memo);
            assert!(memo.sets.len() == 1 << LOG2_FIRST && before > 600, "{before}");
            memo.grow();
            assert_eq!((memo.sets.len(), found(&memo)), (1 << (LOG2_FIRST + LOG2_GROWTH), before));
            let mut memo = Memo::new(12, has_terms);
            (0..).zip(&texts).for_each(|(number, text)| memo.insert(key(text), entry(number)));
            assert!(memo.sets.len() == 1 << 11 && found(&memo) > 3000, "{}", found(&memo));
            memo.grow();
            assert_eq!(memo.sets.len(), 1 << 11, "it has the greatest size");
        }
    }

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
}
