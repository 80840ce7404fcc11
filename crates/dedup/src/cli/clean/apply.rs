//! `dedup clean --apply LIST`: the documents of a list are removed, each only if its line still holds.

use std::collections::HashSet;
use std::error::Error;
use std::io::Write;
use std::path::Path;

use nearcopy_corpus::source;

use super::super::output::{talk, to_stdout};
use super::super::progress::Progress;
use super::Args;
use crate::jobs::clean::listed::{Judged, List, Refusal, have_positions, judge};
use crate::jobs::clean::{Claimed, Output, write_kept};
use crate::jobs::find::Gathered;
use crate::jobs::fingerprint::Job;
use crate::report::counted;
use crate::report::listing::seal::Seal;
use crate::report::listing::{File, Form, ListedRemoval, Listing};

/// Maximum number of documents that are named because they stay; the others are counted.
const NAMED: usize = 20;

/// Removes the documents of a list; returns false if one of them stays because its line does not hold.
pub(super) fn apply(
    args: &Args,
    job: &Job,
    searched: &Gathered,
    output: Option<(Output, Claimed)>,
    (path, list): (&Path, &List),
    progress: &Progress,
) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.corpus.collection;
    let name = source::name(path);
    let ids: HashSet<&str> = list.lines.iter().map(|line| &*line.id).collect();
    check_ids(job, searched, (list, &ids), &name)?;
    let Judged { gone, refused, found } = judge(collection, list, args.shard);
    let write = |out: &mut dyn Write, form: Form| {
        let mut listing = Listing::new(out, form);
        for (&document, line) in &gone {
            let id = collection.id(document);
            let survivor = line.sealed.as_ref().and_then(|sealed| sealed.survivor.as_ref());
            let survivor = survivor.map(|(id, digest)| (&**id, *digest));
            listing.push(&ListedRemoval {
                id,
                listed_in: &name,
                file: File::of(collection, document),
                survivor: survivor.map(|(id, _)| id),
                seal: Seal::new((id, collection.digest(document)), survivor),
            })?;
        }
        listing.finish::<ListedRemoval<'_>>()
    };
    match output {
        None => {
            progress.clear();
            to_stdout(|out| write(out, Form::Text))?;
        }
        Some((output, claimed)) => {
            let stays = |document: u32| !gone.contains_key(&document);
            let mut list = |out: &mut dyn Write| write(out, args.removed_form());
            write_kept(job, collection, &stays, (&output, claimed), progress, &mut list, None)?;
        }
    }
    progress.clear();
    for (&document, refusal) in refused.iter().take(NAMED) {
        talk(&format!("{}: stays, {}", collection.id(document), in_words(refusal)));
    }
    if refused.len() > NAMED {
        talk(&format!("{} more stay for such reasons", counted((refused.len() - NAMED) as u64, "document")));
    }
    let missing = match (ids.len() - found, ids.iter().min()) {
        (0, _) | (_, None) => String::new(),
        // So it is for a shard of which nothing goes; but it may be a wrong field of ids, too.
        (_, Some(listed)) if found == 0 && !collection.is_empty() => format!(
            ": none has an id of this list, such as '{listed}'; they have ids such as '{}'; --id-field names the field \
             of ids",
            collection.id(0)
        ),
        (1, _) => "; 1 of its ids was not found".into(),
        (missing, _) => format!("; {missing} of its ids were not found"),
    };
    let stay = match refused.len() {
        0 => String::new(),
        1 => "; 1 stays, as its line does not hold".into(),
        many => format!("; {many} stay, as their lines do not hold"),
    };
    let left_out = match list.left_out {
        0 => String::new(),
        1 => "; 1 of its lines was left out".into(),
        many => format!("; {many} of its lines were left out"),
    };
    progress.say(&format!(
        "{name}: removed {} of {}{missing}{stay}{left_out}",
        gone.len(),
        counted(collection.len() as u64, "document")
    ));
    Ok(refused.is_empty())
}

/// Fails if an id of a list without digests may name several documents of the inputs, or if all documents have positions as
/// ids and the list has none.
fn check_ids(job: &Job, searched: &Gathered, (list, ids): (&List, &HashSet<&str>), name: &str) -> Result<(), String> {
    let collection = &searched.corpus.collection;
    let renamed = searched.tally.as_ref().map_or(0, |tally| tally.renamed);
    // A digest tells which one is meant.
    if renamed > 0 && list.lines.iter().any(|line| line.sealed.is_none()) {
        return Err(format!(
            "{} with another, so an id in {name}, which has no digests, may name several; make ids unique first; nothing was written",
            if renamed == 1 {
                "1 document of the inputs shares its id".into()
            } else {
                format!("{renamed} documents of the inputs share their ids")
            },
        ));
    }
    let has_no_field = job.reading.fields.id.is_none() && have_positions(collection, ids.iter().copied());
    match ids.iter().min().filter(|_| has_no_field) {
        Some(listed) => Err(format!(
            "{name}: its ids, such as '{listed}', are no positions in files, and all documents have ids such as '{}'; \
             name the field of ids by --id-field; nothing was written",
            collection.id(0)
        )),
        None => Ok(()),
    }
}

/// The reason why a document stays, for a person.
fn in_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Changed => "because its text is not the one that was listed; compare the texts again".into(),
        Refusal::SurvivorListed(id) => {
            format!("because the list removes its survivor '{id}' too; leave out one of the two lines")
        }
        Refusal::SurvivorMissing(id) => format!(
            "because its survivor '{id}' is not among the inputs; name that input too, or give --shard if it is in \
             another shard"
        ),
        Refusal::SurvivorChanged(id) => {
            format!("because the text of its survivor '{id}' is not the one that it was compared with; compare again")
        }
    }
}
