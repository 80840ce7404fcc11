//! Detects the damaged segments of an index.
//!
//! A segment is sound as a whole or not at all: if the list of its removed documents is damaged,
//! the remaining documents are unknown.

use std::mem::take;
use std::path::Path;

use super::manifest::{Listed, Manifest};
use super::{Segment, Segments, TRIES, missing};
use crate::error::{Error, Result};
use crate::observer::Observer;

impl Segments {
    /// Checks every byte of an index. Returns its sound segments, and the fault of each of the others.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open) that are not of a segment; [`Error::Interrupted`].
    pub fn check(folder: &Path, observer: &dyn Observer) -> Result<(Self, Vec<Error>)> {
        let (mut manifest, opened) = opened(folder)?;
        let length = |segment: &Segment| segment.file.sections().map(|(_, length)| length).sum::<u64>();
        observer.begin("checking the index", Some(opened.iter().flatten().map(length).sum()));
        let (mut list, mut faults) = (Vec::new(), Vec::new());
        for (listed, segment) in take(&mut manifest.segments).into_iter().zip(opened) {
            let checked = segment.and_then(|segment| {
                segment.file.will_be_looked_into(false);
                segment.file.verify_watched(observer).map(|()| segment)
            });
            match checked {
                Ok(segment) => {
                    manifest.segments.push(listed);
                    list.push(segment);
                }
                Err(fault) if is_damage(&fault) => faults.push(fault),
                Err(error) => return Err(error),
            }
        }
        Ok((Self { folder: folder.to_owned(), manifest, list }, faults))
    }
}

/// Opens the segments of an index; each is a segment or the error of opening it.
fn opened(folder: &Path) -> Result<(Manifest, Vec<Result<Segment>>)> {
    let mut manifest = Manifest::read(folder)?;
    for _ in 0..TRIES {
        let open = |listed: &Listed| Segment::open(folder, listed, &manifest).map_err(missing);
        let segments: Vec<Result<Segment>> = manifest.segments.iter().map(open).collect();
        let now = Manifest::read(folder)?;
        // A change in between may have removed files that it replaced.
        if segments.iter().all(Result::is_ok) || now.generation == manifest.generation {
            return Ok((manifest, segments));
        }
        manifest = now;
    }
    Segments::open(folder).map(|segments| (segments.manifest, segments.list.into_iter().map(Ok).collect()))
}

/// True if an error is one of damage, and not of a file that could not be read.
fn is_damage(error: &Error) -> bool {
    matches!(
        error,
        Error::DamagedIndex { .. }
            | Error::DamagedHeader { .. }
            | Error::DamagedSection { .. }
            | Error::FileLength { .. }
            | Error::NotFingerprints { .. }
    )
}
