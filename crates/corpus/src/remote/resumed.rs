//! A stream that resumes where its connection broke.
//!
//! After an error the file is opened anew at the byte that is missing. A server that gives no parts sends the file from its
//! beginning, and what was read before is passed over. That it is the same file is seen by its tag, which the server
//! compares too (`If-Match`), or else by its size and time.
//!
//! Cost: one block of the network.

use std::io::{self, Read};

use bytes::{Buf, Bytes};
use futures_util::{StreamExt, stream};

use super::Opened;
use super::place::{About, Answer, Blocks, CHANGED, Place, Refused};
use super::runtime::{sleep, wait};
use super::tries::Tries;
use crate::interruptible::Stop;

/// A file that is being read.
struct Resumed {
    place: Place,
    stop: Stop,
    about: About,
    /// The place of the next byte that is returned.
    at: u64,
    /// Number of bytes before it that the connection will send again.
    again: u64,
    blocks: Option<Blocks>,
    block: Bytes,
    /// Tries since a byte was received.
    tries: Tries,
}

/// Opens a file.
///
/// # Errors
///
/// Those of the network and of the server, in words.
pub(super) fn open(place: Place, stop: Stop) -> io::Result<Opened> {
    let mut tries = Tries::default();
    let Answer { about, blocks, .. } = loop {
        if let Some(answer) = tried(&mut tries, stop, wait(stop, place.open(0, None))?)? {
            break answer;
        }
    };
    let (size, modified) = (about.size, time(&about));
    let (block, tries) = (Bytes::new(), Tries::default());
    let from = Resumed { place, stop, about, at: 0, again: 0, blocks: Some(blocks), block, tries };
    Ok(Opened { from: Box::new(from), size, modified })
}

/// What came of a try; `None` if it is to be repeated.
fn tried<T>(tries: &mut Tries, stop: Stop, outcome: Result<T, Refused>) -> io::Result<Option<T>> {
    match outcome {
        Ok(done) => Ok(Some(done)),
        Err(refused) => sleep(stop, tries.next(refused).map_err(io::Error::other)?).map(|()| None),
    }
}

/// The time of a file, of which another version has another one.
fn time(about: &About) -> i64 {
    const SECOND: i64 = 1_000_000_000;
    let tag = about.tag.as_ref().map_or(0, |tag| {
        let hash = blake3::hash(tag.as_bytes());
        let hash = u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("32 bytes"));
        (hash % SECOND.unsigned_abs()).cast_signed()
    });
    about.modified.saturating_mul(SECOND).saturating_add(tag)
}

impl Resumed {
    /// Opens the file anew at the next byte; false if that is to be tried again.
    fn resume(&mut self) -> io::Result<bool> {
        let outcome = wait(self.stop, self.place.open(self.at, self.about.tag.as_deref()))?;
        if let Err(Refused::Behind(size)) = outcome
            && self.ends_here(size)
        {
            (self.about.size, self.again) = (Some(self.at), 0);
            self.blocks = Some(Box::pin(stream::empty()));
            return Ok(true);
        }
        let Some(Answer { about, start, blocks }) = tried(&mut self.tries, self.stop, outcome)? else {
            return Ok(false);
        };
        if !about.is_of(&self.about) || start > self.at {
            return Err(io::Error::other(CHANGED));
        }
        (self.again, self.blocks) = (self.at - start, Some(blocks));
        Ok(true)
    }

    /// True if a file whose size was not known has no byte more, as the server says that there is none from here on: its
    /// connection broke behind the last. Without a tag that the server has compared, it must say the size too.
    fn ends_here(&self, size: Option<u64>) -> bool {
        let is_same = self.about.tag.as_ref().is_some_and(|tag| !tag.starts_with("W/"));
        self.about.size.is_none() && size.map_or(is_same, |size| size == self.at)
    }

    /// Waits for the next block; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            let Some(blocks) = &mut self.blocks else {
                self.resume()?;
                continue;
            };
            let reason = match wait(self.stop, blocks.next())? {
                Some(Ok(mut block)) => {
                    let passed = self.again.min(block.len() as u64);
                    self.again -= passed;
                    block.advance(usize::try_from(passed).unwrap_or(usize::MAX));
                    if block.is_empty() {
                        continue;
                    }
                    self.tries = Tries::default();
                    self.block = block;
                    return Ok(true);
                }
                // All is there, whatever the connection says then.
                Some(Err(_)) if self.about.size == Some(self.at) && self.again == 0 => return Ok(false),
                Some(Err(reason)) => reason,
                None if self.about.size.is_none_or(|size| self.at == size) && self.again == 0 => return Ok(false),
                None if self.about.size.is_some_and(|size| self.at > size) => return Err(io::Error::other(CHANGED)),
                None => "the connection ended too early".to_owned(),
            };
            self.blocks = None;
            let _: Option<()> = tried(&mut self.tries, self.stop, Err(Refused::Passing(reason)))?;
        }
    }
}

impl Read for Resumed {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.is_empty() || self.block.is_empty() && !self.advance()? {
            return Ok(0);
        }
        let count = to.len().min(self.block.len());
        self.block.copy_to_slice(&mut to[..count]);
        self.at += count as u64;
        Ok(count)
    }
}
