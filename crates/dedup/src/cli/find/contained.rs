//! `dedup find --contained`

use std::error::Error;

use nearcopy::search::contained::contained;

use super::super::output::to_stdout;
use super::super::progress::Progress;
use super::{Args, tell_summary};
use crate::jobs::find::Gathered;
use crate::report::counted;
use crate::report::listing::{Contained, Listing};

/// Lists each text that stands in a larger one; returns true if there is one.
pub(super) fn list(args: &Args, searched: &Gathered, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.corpus.collection;
    let found = contained(collection, args.contained.unwrap_or(1.0), args.running.effort(), progress)?;
    progress.clear();
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        for &([a, b], overlap) in &found.pairs {
            let (jaccard, containment_a) = (overlap.jaccard(), overlap.containment_a());
            let containment_b = overlap.containment_b();
            let [a, b] = [a, b].map(|document| collection.id(document));
            listing.push(&Contained { a, b, containment_a, containment_b, jaccard })?;
        }
        listing.finish::<Contained<'_>>()
    })?;
    tell_summary(searched, &counted(found.pairs.len() as u64, "contained text"), progress);
    if found.unsought > 0 {
        progress.say(&format!(
            "{} {} not looked for: none of the runs of words is among the one in {} that is sought, or very many texts have them",
            counted(found.unsought, "text"),
            if found.unsought == 1 { "was" } else { "were" },
            found.scale
        ));
    }
    Ok(!found.pairs.is_empty())
}
