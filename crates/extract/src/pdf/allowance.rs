//! Limits the work that a file may cause: each step is deducted from an allowance.
//!
//! Shared content costs as often as it is used. A small file gets a small allowance: its author
//! chooses how far it unpacks and how often that is drawn, so nine kilobytes can ask for hours.

use std::collections::HashSet;

use lopdf::Stream;

use super::{refusal, streams};
use crate::Refusal;

/// Maximum unpacked content of all pages together, in bytes: [`ANY_FILE`] plus [`PER_BYTE`] for each
/// byte of the file. A page of text has some kilobytes, a page with a map some megabytes. Text packs
/// to a quarter and tables to a tenth. Content on every page counts once per page.
const ANY_FILE: usize = if cfg!(test) { 1 << 20 } else { 8 << 20 };
const PER_BYTE: usize = 256;

/// Upper limit of the allowance for a file of any length, in bytes.
pub(super) const MAX_CONTENT: usize = if cfg!(test) { 4 << 20 } else { 128 << 20 };

/// The work still allowed for a file.
pub(super) struct Allowance {
    left: usize,
    /// The addresses of the streams that could not be unpacked: they are not tried again.
    lost: HashSet<*const Stream>,
}

impl Allowance {
    /// The allowance of a file of this many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        // About a second in the worst case: nine kilobytes give ten megabytes of work.
        let left = ANY_FILE.saturating_add(PER_BYTE.saturating_mul(bytes)).min(MAX_CONTENT);
        Self { left, lost: HashSet::new() }
    }

    /// Deducts the cost of a step that unpacks nothing.
    pub(super) fn take(&mut self, cost: usize) -> Result<(), Refusal> {
        self.left = self.left.checked_sub(cost).ok_or(Refusal::TooLarge)?;
        Ok(())
    }

    /// The bytes of a stream; `None` if there are more than `most` or it cannot be unpacked.
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

    /// True if a stream could not be unpacked.
    pub(super) fn is_lost(&self) -> bool {
        !self.lost.is_empty()
    }
}
