//! Files of the input folders that are not read, as their names or the rules of a folder leave them out.
//!
//! Cost: the folders are walked three times.

use std::cell::LazyCell;
use std::ops::Deref;
use std::path::PathBuf;

use nearcopy_corpus::inputs::{Inputs, Selection};

use super::progress::Progress;
use crate::report::counted;
use crate::report::overview::NotSelected;

/// What is done with the files of a folder whose copy has no others: those that are missing in it are named in any case.
pub(super) const COPIED: &str = "copied";

/// The counts of the files of folders that are left out; the folders are walked when they are first asked for.
pub(super) fn lazy(inputs: &[PathBuf], selection: &Selection) -> impl Deref<Target = NotSelected> {
    LazyCell::new(|| count(inputs, selection))
}

fn count(inputs: &[PathBuf], selection: &Selection) -> NotSelected {
    let folders: Vec<PathBuf> = inputs.iter().filter(|input| input.is_dir()).cloned().collect();
    if folders.is_empty() {
        return NotSelected::default();
    }
    let count = |selection: Selection| {
        let selection = Selection { expect_files: false, ..selection };
        Inputs::new(folders.clone(), selection).map_or(0, |inputs| inputs.flatten().count() as u64)
    };
    let all = Selection { hidden: true, no_ignore: true, ..selection.clone() };
    let [selected, named, all] = [selection.clone(), all.clone(), Selection { litter: true, ..all }].map(count);
    NotSelected { hidden_or_ignored: named.saturating_sub(selected), of_programs: all.saturating_sub(named) }
}

/// Says how many files of folders were not `done`.
pub(super) fn tell(not_selected: &dyn Deref<Target = NotSelected>, done: &str, progress: &Progress) {
    let is_needed = done == COPIED;
    if progress.is_quiet() && !is_needed {
        return;
    }
    let NotSelected { hidden_or_ignored, of_programs } = **not_selected;
    let why = [
        (hidden_or_ignored, "hidden or left out by .gitignore or .ignore; --hidden and --no-ignore include them"),
        (of_programs, "which systems and programs leave beside documents, such as Thumbs.db and _metadata"),
    ];
    for (count, why) in why.into_iter().filter(|(count, _)| *count > 0) {
        let line = format!("not {done}: {}, {why}", counted(count, "file"));
        if is_needed { progress.warn(&line) } else { progress.say(&line) }
    }
}
