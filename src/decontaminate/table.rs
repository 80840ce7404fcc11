//! A table of the n-grams of items, and of their places.
//!
//! ```text
//!  keys     8 bytes each, sorted          hash of an n-gram
//!  heads    4 bytes for four keys         where the keys with these first bits begin
//!  filter   2 to 4 bytes a key            bits that rule out most n-grams of other texts
//!  starts   4 bytes a key                 its places in `places`
//!  places   4 bytes a place               the word of an item that begins the n-gram
//!  anchors  4 bytes each                  which keys are anchors, by which items are found as a whole
//! ```
//!
//! Cost: a step in the filter for most n-grams of other texts, else a binary search.

/// The n-grams of items, and their places.
#[derive(Debug, Default)]
pub(super) struct Table {
    keys: Vec<u64>,
    heads: Vec<u32>,
    filter: Vec<u64>,
    starts: Vec<u32>,
    places: Vec<u32>,
    anchors: Vec<u32>,
}

impl Table {
    /// The table of sorted n-grams and anchors with their places. Of those of an n-gram `kept` chooses which count.
    pub(super) fn new(
        found: Vec<(u64, u32)>,
        is_anchor: impl Fn((u64, u32)) -> bool,
        kept: impl Fn(&[(u64, u32)]) -> Vec<u32>,
    ) -> Self {
        let mut table = Self::default();
        for group in found.chunk_by(|a, b| a.0 == b.0) {
            let is_anchor = is_anchor(group[0]);
            let places = if is_anchor { group.iter().map(|(_, place)| *place).collect() } else { kept(group) };
            if !places.is_empty() {
                if is_anchor {
                    table.anchors.push(table.keys.len() as u32);
                }
                table.keys.push(group[0].0);
                table.starts.push(table.places.len() as u32);
                table.places.extend(places);
            }
        }
        table.starts.push(table.places.len() as u32);
        drop(found);
        for shrunk in [&mut table.starts, &mut table.places, &mut table.anchors] {
            shrunk.shrink_to_fit();
        }
        table.keys.shrink_to_fit();
        let count = table.keys.len();
        table.filter = vec![0; (count / 4).next_power_of_two().max(1)];
        let heads = (count / 4).next_power_of_two().max(2);
        table.heads = Vec::with_capacity(heads + 1);
        for (number, &key) in table.keys.iter().enumerate() {
            let (block, bits) = in_filter(key, table.filter.len());
            table.filter[block] |= bits;
            while table.heads.len() <= first_bits(key, heads) {
                table.heads.push(number as u32);
            }
        }
        table.heads.resize(heads + 1, count as u32);
        table
    }

    /// The number of a key.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        let (block, bits) = in_filter(key, self.filter.len());
        if self.filter[block] & bits == bits { self.find_surely(key) } else { None }
    }

    fn find_surely(&self, key: u64) -> Option<usize> {
        let bits = first_bits(key, self.heads.len() - 1);
        let (start, end) = (self.heads[bits] as usize, self.heads[bits + 1] as usize);
        self.keys[start..end].binary_search(&key).ok().map(|at| start + at)
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn has_anchors(&self) -> bool {
        !self.anchors.is_empty()
    }

    /// True if a key is that of an anchor.
    pub(super) fn is_anchor(&self, key: usize) -> bool {
        self.anchors.binary_search(&(key as u32)).is_ok()
    }

    /// The places of a key.
    pub(super) fn places(&self, key: usize) -> &[u32] {
        &self.places[self.starts[key] as usize..self.starts[key + 1] as usize]
    }
}

/// The word of the filter for a key, and its two bits.
#[inline]
fn in_filter(key: u64, words: usize) -> (usize, u64) {
    ((key >> 16) as usize & (words - 1), 1 << (key & 63) | 1 << (key >> 6 & 63))
}

/// The first bits of a key, for so many heads, a power of two of at least 2.
fn first_bits(key: u64, heads: usize) -> usize {
    (key >> (64 - heads.trailing_zeros())) as usize
}
