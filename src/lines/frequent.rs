//! The lines of many documents: of all that are counted, or of a site.

use std::ops::ControlFlow;

use super::counts::Merge;
use super::units::{Hash, Unit};
use super::{Line, Settings};
use crate::error::Result;
use crate::sorter::{Sorter, apart, pair};

/// Least number of a site's pages that have a line which is cut by its share of them: what two pages share may be their text.
pub const LEAST_PAGES: u32 = 3;

/// A line in a document: its hash, and the site and the number of the document as one number.
pub(super) type Row = [u64; 3];

/// The row of a line.
pub(super) fn row([a, b]: Hash, site: u32, document: u32) -> Row {
    [a, b, pair(site, document)]
}

/// The lines of many documents, in order; those of all are numbered first, those of a site behind them.
#[derive(Debug, Default)]
pub(super) struct Frequent {
    hashes: Vec<Hash>,
    documents: Vec<u32>,
    /// True for a line that another corpus had first; empty if no others are known.
    are_elsewhere: Vec<bool>,
    of_sites: Vec<(Hash, u32)>,
    pages: Vec<u32>,
}

/// The line that is counted.
#[derive(Debug, Default)]
struct Counting {
    hash: Hash,
    documents: u32,
    site: u32,
    /// Number of pages of the site.
    pages: u32,
    /// Number of lines of sites before this line.
    before: usize,
}

impl Frequent {
    /// The lines of many documents, given all lines, the number of pages of each site, and earlier counts.
    pub(super) fn of(
        rows: Sorter<Row>,
        settings: &Settings,
        sites: &[u32],
        mut counts: Option<&mut Merge>,
    ) -> Result<Self> {
        let (mut found, mut line) = (Self::default(), Counting::default());
        let end_site = |found: &mut Self, line: &Counting| {
            let is_many = settings.per_site.is_some_and(|share| {
                let all = sites[line.site as usize];
                line.site > 0 && line.pages >= LEAST_PAGES && f64::from(line.pages) > share * f64::from(all)
            });
            if is_many {
                found.of_sites.push((line.hash, line.site));
                found.pages.push(line.pages);
            }
        };
        let mut end = |found: &mut Self, line: &Counting| {
            if line.documents == 0 {
                return Ok(());
            }
            end_site(found, line);
            let (documents, is_elsewhere) = match &mut counts {
                Some(counts) => counts.take(line.hash, line.documents)?,
                None => (line.documents, false),
            };
            if documents > settings.max_documents {
                found.hashes.push(line.hash);
                found.documents.push(documents);
                found.are_elsewhere.push(is_elsewhere);
                // A line of all is none of a site.
                found.of_sites.truncate(line.before);
                found.pages.truncate(line.before);
            }
            Ok(())
        };
        rows.finish(|[a, b, place]| {
            let (hash, [site, _]) = ([a, b], apart(place));
            if hash != line.hash {
                end(&mut found, &line)?;
                line = Counting { hash, site, before: found.of_sites.len(), ..Counting::default() };
            } else if site != line.site {
                end_site(&mut found, &line);
                (line.site, line.pages) = (site, 0);
            }
            line.documents += 1;
            line.pages += 1;
            Ok::<_, crate::Error>(ControlFlow::Continue(()))
        })?;
        end(&mut found, &line)?;
        Ok(found)
    }

    /// Number of lines.
    pub(super) fn len(&self) -> usize {
        self.hashes.len() + self.of_sites.len()
    }

    /// The number of a line of a document of this site.
    pub(super) fn number(&self, unit: &Unit, site: u32) -> Option<u32> {
        let hash = unit.hash?;
        let of_site = || Some(self.hashes.len() + self.of_sites.binary_search(&(hash, site)).ok()?);
        let number = self.hashes.binary_search(&hash).ok().or_else(of_site)?;
        Some(number as u32)
    }

    /// True if another corpus keeps this line.
    pub(super) fn is_elsewhere(&self, line: u32) -> bool {
        self.are_elsewhere.get(line as usize).copied().unwrap_or(false)
    }

    /// The lines, given the first places.
    pub(super) fn lines(&self, firsts: Vec<Option<(u32, super::Place)>>) -> Vec<Line> {
        let all = self.documents.iter().chain(&self.pages).zip(firsts);
        all.map(|(&documents, first)| Line { documents, first }).collect()
    }
}
