//! Searching an index for the near-duplicates of inputs.

use std::path::Path;

use super::{near_each, options, outside};
use crate::error::Result;
use crate::file::collection::Collection;
use crate::file::map::is_fingerprint_file;
use crate::index::Segments;
use crate::index::query::{Found, Plan};
use crate::observer::Observer;
use crate::pipeline::find::gather::{Searched, gather};
use crate::pipeline::fingerprint::{Job, Tally};
use crate::similarity::Rules;

/// Number of documents searched for at a time; it bounds the answers that wait to be reported.
pub(super) const AT_ONCE: u32 = 1 << 14;

/// Documents to search an index for.
#[derive(Debug)]
pub struct Queries {
    searched: Searched,
    plan: Plan,
}

impl Queries {
    /// Reads the inputs of a job, which may include fingerprint files. The index decides how texts
    /// become fingerprints.
    ///
    /// # Errors
    ///
    /// Those of [`gather`], and of [`Plan::new`]; [`crate::Error::RecipesOf`] if a fingerprint
    /// file has another recipe.
    pub fn new(
        job: &Job,
        segments: &Segments,
        (rules, recall): (Rules, f64),
        scratch: &Path,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let plan = Plan::new(segments, rules, recall)?;
        let mut job = outside(job, segments.folder())?;
        job.shingles = segments.settings().shingles;
        if job.inputs.iter().any(|input| !is_fingerprint_file(input)) {
            job.options = options(segments)?;
        }
        let searched = gather(&job, &[], scratch, &rules, observer)?;
        for (_, file) in searched.collection.files() {
            segments.expect_recipe(file.path(), file.recipe(), file.recipe_id())?;
        }
        Ok(Self { searched, plan })
    }

    /// The plan of the search.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The documents that are searched for.
    pub fn documents(&self) -> &Collection {
        &self.searched.collection
    }

    /// The counts of what was read; `None` if all inputs were fingerprint files.
    pub fn tally(&self) -> Option<&Tally> {
        self.searched.tally.as_ref()
    }

    /// Calls `found` with every match, at most `top` per document: document by document, the most
    /// similar first. Returns the number of calls. Stops if `found` fails.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`], and the first of `found`.
    pub fn run<E: From<crate::Error>>(
        &self,
        segments: &Segments,
        top: usize,
        threads: usize,
        observer: &dyn Observer,
        mut found: impl FnMut(u32, &Found) -> std::result::Result<(), E>,
    ) -> std::result::Result<u64, E> {
        let all = self.documents().len() as u32;
        segments.expect_queries(all as usize);
        observer.begin("searching the index", Some(all.into()));
        let mut matches = 0;
        for start in (0..all).step_by(AT_ONCE as usize) {
            let documents = start..all.min(start + AT_ONCE);
            let asked = (self.documents(), documents.clone());
            let answers = near_each(asked, |_| true, (segments, &self.plan), threads, observer)?;
            for (document, near) in documents.zip(answers) {
                for near in near.iter().take(top) {
                    found(document, near)?;
                    matches += 1;
                }
            }
        }
        Ok(matches)
    }
}
