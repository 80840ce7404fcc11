//! Inputs are looked for in an index.

use std::path::Path;

use super::{near_each, options, outside};
use crate::error::Result;
use crate::file::collection::Collection;
use crate::file::map::is_fingerprint_file;
use crate::index::Segments;
use crate::index::query::{Answer, Found, Plan};
use crate::observer::Observer;
use crate::pipeline::find::gather::{Searched, gather};
use crate::pipeline::fingerprint::{Job, Tally};
use crate::similarity::Rules;

/// So many documents are asked for at a time, so that few answers wait to be told.
pub(super) const AT_ONCE: u32 = 1 << 14;

/// Documents that are to be looked for.
#[derive(Debug)]
pub struct Queries {
    searched: Searched,
    plan: Plan,
}

/// How a search went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many matches were told.
    pub matches: u64,
    /// How many queries shared a band with more documents than were looked at.
    pub crowded: u64,
}

impl Queries {
    /// Reads the inputs of a job, fingerprint files among them; how texts become fingerprints is
    /// the index's matter.
    ///
    /// # Errors
    ///
    /// Those of [`gather`], and of [`Plan::new`]; [`crate::Error::RecipesOf`] if fingerprint files
    /// are of another recipe.
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

    /// How they are looked for.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The documents that are looked for.
    pub fn documents(&self) -> &Collection {
        &self.searched.collection
    }

    /// What was read; `None`: fingerprint files only.
    pub fn tally(&self) -> Option<&Tally> {
        self.searched.tally.as_ref()
    }

    /// Calls `found` with every match, `top` of a document at most: the documents in their order, of
    /// each the most similar first. Stops when it fails.
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
    ) -> std::result::Result<Outcome, E> {
        let all = self.documents().len() as u32;
        segments.expect_queries(all as usize);
        observer.begin("looking for what is there", Some(all.into()));
        let mut outcome = Outcome::default();
        for start in (0..all).step_by(AT_ONCE as usize) {
            let documents = start..all.min(start + AT_ONCE);
            let asked = (self.documents(), documents.clone());
            let answers = near_each(asked, |_| true, (segments, &self.plan), threads, observer)?;
            for (document, Answer { found: near, is_crowded }) in documents.zip(answers) {
                outcome.crowded += u64::from(is_crowded);
                for near in near.iter().take(top) {
                    found(document, near)?;
                    outcome.matches += 1;
                }
            }
        }
        Ok(outcome)
    }
}
