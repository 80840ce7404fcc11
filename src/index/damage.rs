//! What of an index is sound, if some of its files are not.
//!
//! A segment is sound as a whole or not at all: where the list of its removed documents is damaged,
//! nobody knows which of the others are to be found.

use std::mem::take;
use std::path::Path;

use super::manifest::{Listed, Manifest};
use super::{Segment, Segments, TRIES, missing};
use crate::error::{Error, Result};
use crate::observer::Observer;

impl Segments {
    /// Checks every byte of an index. Returns its sound segments, and what is wrong with each of the
    /// others.
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

/// The segments of an index, each as it could be opened.
fn opened(folder: &Path) -> Result<(Manifest, Vec<Result<Segment>>)> {
    let mut manifest = Manifest::read(folder)?;
    for _ in 0..TRIES {
        let open = |listed: &Listed| Segment::open(folder, listed, &manifest).map_err(missing);
        let segments: Vec<Result<Segment>> = manifest.segments.iter().map(open).collect();
        let now = Manifest::read(folder)?;
        // A change may have come between, and what it replaced is gone.
        if segments.iter().all(Result::is_ok) || now.generation == manifest.generation {
            return Ok((manifest, segments));
        }
        manifest = now;
    }
    Segments::open(folder).map(|segments| (segments.manifest, segments.list.into_iter().map(Ok).collect()))
}

/// Whether a file is not as it was written, and not only out of reach.
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
