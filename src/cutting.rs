//! Parts of documents that are cut: what [`repeats`](crate::repeats) and [`lines`](crate::lines) share.

use crate::error::Error;

/// A place in a text, in bytes and in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// Bytes before it.
    pub byte: u32,
    /// Characters before it.
    pub character: u32,
}

/// A document: its key, and true if it can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// The key; those of later documents are greater.
    pub key: u64,
    /// True if parts of it can be cut.
    pub can_cut: bool,
    /// The number of the site that it is a page of, from 1; 0 if none is known.
    pub site: u32,
}

/// The result of the work on one document.
pub trait Made: Send {
    /// Its size in memory, in bytes.
    fn size(&self) -> usize;
}

/// Works on a document with the state of a thread, given its key and text.
pub type Work<'a, S, M> = dyn Fn(&mut S, u64, &str) -> M + Sync + 'a;

/// Receives what was made of the documents, in their order.
pub type Take<'a, M, E> = dyn FnMut(Document, M) -> Result<(), E> + Send + 'a;

/// Documents that can be read again and again.
pub trait Documents {
    /// The error of reading.
    type Error: From<Error>;

    /// Calls `work` with the key and the text of each document of at most 4 GiB, and `take` with the result, in order; each
    /// thread has a `state`.
    ///
    /// # Errors
    ///
    /// Those of reading and of `take`.
    fn each<S: Send, M: Made>(
        &mut self,
        stage: &str,
        state: &(dyn Fn() -> S + Sync),
        work: &Work<'_, S, M>,
        take: &mut Take<'_, M, Self::Error>,
    ) -> Result<(), Self::Error>;

    /// The order in which documents keep what others lose, the first first; they are numbered, and have so many bytes.
    ///
    /// # Errors
    ///
    /// Those of the implementation.
    fn order(&mut self, bytes: &[u32]) -> Result<Vec<u32>, Self::Error>;
}

/// The limits within which a document is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// A document that is cut, and left with fewer words, goes whole.
    pub min_left: u32,
    /// A document of which a greater share of words would be cut stays whole.
    pub max_cut: f64,
}

/// The outcome for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It loses a part.
    Cut,
    /// It is left alone.
    Stays,
    /// It goes as a whole.
    Goes,
}

impl Limits {
    /// The outcome for a document of which so many words would be cut.
    pub(crate) fn fate(self, cut: u32, words: u32, can_cut: bool) -> Fate {
        if cut > 0 && words.saturating_sub(cut) < self.min_left {
            Fate::Goes
        } else if cut == 0 || !can_cut || f64::from(cut) > self.max_cut * f64::from(words) {
            Fate::Stays
        } else {
            Fate::Cut
        }
    }
}

/// Texts in memory, for tests.
#[cfg(test)]
pub(crate) mod in_memory {
    use super::*;

    /// Texts in one thread; the longest keeps what others lose, or the first.
    pub(crate) struct Texts<'a> {
        pub(crate) all: &'a [String],
        pub(crate) is_longest: bool,
        /// The sites of the first of them.
        pub(crate) sites: &'a [u32],
    }

    /// The order in which texts of so many bytes keep what others lose.
    pub(crate) fn in_order(bytes: &[u32], is_longest: bool) -> Vec<u32> {
        let mut order: Vec<u32> = (0..bytes.len() as u32).collect();
        if is_longest {
            order.sort_by_key(|&document| (std::cmp::Reverse(bytes[document as usize]), document));
        }
        order
    }

    impl Documents for Texts<'_> {
        type Error = Error;

        fn each<S: Send, M: Made>(
            &mut self,
            _: &str,
            state: &(dyn Fn() -> S + Sync),
            work: &Work<'_, S, M>,
            take: &mut Take<'_, M, Error>,
        ) -> Result<(), Error> {
            let mut state = state();
            self.all.iter().zip(0..).try_for_each(|(text, number)| {
                // Keys have gaps, as some records cannot be read.
                let (key, site) = (number * 3, self.sites.get(number as usize).copied().unwrap_or(0));
                take(Document { key, can_cut: true, site }, work(&mut state, key, text))
            })
        }

        fn order(&mut self, bytes: &[u32]) -> Result<Vec<u32>, Error> {
            Ok(in_order(bytes, self.is_longest))
        }
    }
}
