//! Searching an index for the near-duplicates of inputs.

use std::collections::HashSet;
use std::path::Path;

use nearcopy::observer::Observer;
use nearcopy::similarity::Rules;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::map::is_fingerprint_file;
use nearcopy::store::index::Segments;
use nearcopy::store::index::query::{Found, Plan};
use nearcopy::texts::index::{options, query};

use super::outside;
use crate::error::Result;
use crate::jobs::find::{EqualFiles, Gathered, Opaque, equal_files, gather};
use crate::jobs::fingerprint::{Job, Tally};

/// Documents to search an index for.
#[derive(Debug)]
pub struct Queries {
    gathered: Gathered,
    plan: Plan,
}

impl Queries {
    /// Reads the inputs of a job, which may include fingerprint files. The index decides how texts
    /// become fingerprints.
    ///
    /// # Errors
    ///
    /// Those of [`gather`], and of [`Plan::new`]; [`nearcopy::Error::RecipesOf`] if a fingerprint
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
        let gathered = gather(&job, &[], scratch, &rules, observer)?;
        for (_, file) in gathered.corpus.collection.files() {
            segments.expect_recipe(file.path(), file.recipe(), file.recipe_id())?;
        }
        Ok(Self { gathered, plan })
    }

    /// The plan of the search.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The documents that are searched for.
    pub fn documents(&self) -> &Collection {
        &self.gathered.corpus.collection
    }

    /// The counts of what was read; `None` if all inputs were fingerprint files.
    pub fn tally(&self) -> Option<&Tally> {
        self.gathered.tally.as_ref()
    }

    /// The documents that could not be read as text, and the unread files that the index knows, compared by their bytes.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Interrupted`].
    pub fn equal_files(&self, segments: &Segments, threads: usize, observer: &dyn Observer) -> Result<EqualFiles> {
        let mut unread = self.gathered.unread.clone();
        if unread.is_empty() {
            return Ok(EqualFiles::default());
        }
        let mut met = HashSet::new();
        for (_, input) in segments.segments().iter().flat_map(|segment| segment.file().unread()) {
            let file = Opaque::new(&input, true);
            if file.is_still_there() && met.insert(input.path) {
                unread.push(file);
            }
        }
        equal_files(&unread, threads, observer)
    }

    /// Calls `found` with every match, as [`query`] does. Returns the number of calls. Stops if `found` fails.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Interrupted`], and the first of `found`.
    pub fn run<E: From<nearcopy::Error>>(
        &self,
        segments: &Segments,
        top: usize,
        threads: usize,
        observer: &dyn Observer,
        found: impl FnMut(u32, &Found) -> std::result::Result<(), E>,
    ) -> std::result::Result<u64, E> {
        query(self.documents(), (segments, &self.plan), top, threads, observer, found)
    }
}
