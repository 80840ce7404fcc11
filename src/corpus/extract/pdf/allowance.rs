//! How much work a file may make: a count that each step takes from.
//!
//! What is shared costs as often as it is used. A small file may make little work, as what it
//! unpacks to and how often that is drawn are its maker's choice: nine kilobytes can ask for
//! hours.

use std::collections::HashSet;

use lopdf::Stream;

use super::{refusal, streams};
use crate::error::Refusal;

/// What pages draw, unpacked, for the whole file: so much for any file, and so much more for each of
/// its bytes. A page of text has some kilobytes, one with a map on it some megabytes; text packs to
/// a quarter, tables to a tenth, and what is on every page counts as often.
const ANY_FILE: usize = if cfg!(test) { 1 << 20 } else { 8 << 20 };
const PER_BYTE: usize = 256;

/// The same for a file of any length.
pub(super) const MAX_CONTENT: usize = if cfg!(test) { 4 << 20 } else { 128 << 20 };

/// What may still be done for a file.
pub(super) struct Allowance {
    left: usize,
    /// The streams that could not be unpacked, by where they are: no second try is made.
    lost: HashSet<*const Stream>,
}

impl Allowance {
    /// That of a file of so many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        // A second or so in the worst case: nine kilobytes make ten megabytes of work.
        let left = ANY_FILE.saturating_add(PER_BYTE.saturating_mul(bytes)).min(MAX_CONTENT);
        Self { left, lost: HashSet::new() }
    }

    /// Takes what a step costs that unpacks nothing.
    pub(super) fn take(&mut self, cost: usize) -> Result<(), Refusal> {
        self.left = self.left.checked_sub(cost).ok_or(Refusal::TooLarge)?;
        Ok(())
    }

    /// The bytes of a stream, `most` of them at most; `None`: it has more, or cannot be unpacked.
    pub(super) fn unpack(&mut self, stream: &Stream, most: usize) -> Result<Option<Vec<u8>>, Refusal> {
        let place = std::ptr::from_ref(stream);
        if self.lost.contains(&place) {
            return Ok(None);
        }
        self.take(streams::between(stream))?;
        let limit = self.left.min(most);
        match stream.get_plain_content_with_limit(limit) {
            Ok(bytes) => {
                self.take(bytes.len())?;
                Ok(Some(bytes))
            }
            Err(error) if limit < most && refusal(&error) == Refusal::TooLarge => Err(Refusal::TooLarge),
            Err(_) => {
                self.lost.insert(place);
                self.take(streams::at_most(stream).min(limit))?;
                Ok(None)
            }
        }
    }

    /// Whether there was something that could not be unpacked.
    pub(super) fn is_lost(&self) -> bool {
        !self.lost.is_empty()
    }
}
