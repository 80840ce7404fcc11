//! The documents that one reading leaves to the next.

/// Maximum number of documents noted to be searched; if more have n-grams of items, all are.
pub(super) const MOST_NOTED: usize = 1 << 22;

/// The documents that have an n-gram of an item, in order; all if they are too many.
#[derive(Debug, Default)]
pub(super) struct Noted {
    places: Vec<(u32, u64)>,
    are_all: bool,
}

impl Noted {
    pub(super) fn push(&mut self, place: (u32, u64)) {
        if self.places.len() == MOST_NOTED {
            (self.places, self.are_all) = (Vec::new(), true);
        } else if !self.are_all {
            self.places.push(place);
        }
    }

    pub(super) fn has(&self, place: (u32, u64)) -> bool {
        self.are_all || self.places.binary_search(&place).is_ok()
    }
}
