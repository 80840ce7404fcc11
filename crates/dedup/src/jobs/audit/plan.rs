//! A plan: which files may be moved away, each with the file that stays for it.
//!
//! ```text
//!  audit ──▶ plan ──▶ a person takes lines out ──▶ apply: both digests are checked, then the file is moved or linked
//! ```
//!
//! A step names two files and the digests of their bytes, which are those that were compared: a file that has changed since
//! is in no plan, nor is one that would go for it. Files that a link leads to are in no plan, nor are empty ones:
//! they free nothing, and have nothing but their names. A member of an archive is in none either; where it would stay for
//! several files, one of them with the same text stays in its place.
//!
//! Cost: one reading of each file without a text that is in it; two more of both files of an edited copy.

use std::collections::{HashMap, HashSet};
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use nearcopy::error::shown;
use nearcopy::observer::{Observer, go_on};
use nearcopy::search::cluster::Clusters;
use nearcopy::search::keep::is_of_copy;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::{Removal, Rules};
use nearcopy::store::file::format::InputFile;
use nearcopy_corpus::Format;
use nearcopy_corpus::inputs::shared_identity;
use nearcopy_corpus::source;
use serde::{Deserialize, Serialize};

use super::{Audit, Class, Findings};
use crate::error::Result;
use crate::jobs::file_digest;
use crate::jobs::find::Gathered;
use crate::jobs::review::{Change, review};

/// Why a file may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// The other has the same bytes.
    Bytes,
    /// The other has equal words in equal order.
    Same,
    /// It stands whole in the other.
    Contained,
    /// It is an edited copy of the other.
    Edited,
}

impl From<Removal> for Why {
    fn from(claim: Removal) -> Self {
        match claim {
            Removal::Same => Self::Same,
            Removal::Contained => Self::Contained,
            Removal::Edited => Self::Edited,
        }
    }
}

/// Maximum number of files that are each part of the next.
const MOST_WHOLES: usize = 1000;

/// One file that may go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The file that goes.
    #[serde(rename = "move")]
    pub file: String,
    /// The file that stays for it.
    pub keep: String,
    /// Why it may go.
    pub why: Why,
    /// Its size in bytes.
    pub bytes: u64,
    /// The first 128 bits of the BLAKE3 hash of its bytes, in hexadecimal digits.
    pub digest: String,
    /// The same of the file that stays.
    pub keep_digest: String,
    /// True if only the texts that were extracted from both files were compared, as of DOCX and web pages.
    #[serde(default, skip_serializing_if = "is_false")]
    pub text_alone: bool,
    /// The folder that was audited and holds the file; `None` if the file was named itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The words that differ, if it is an edited copy; the first 20 places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Number of further places.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_changes: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// All files that may go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// In the order of the audit.
    pub steps: Vec<Step>,
    /// What is in no step though it goes by the claim.
    pub left: Left,
}

/// Numbers of files that go by the claim of a plan and are not in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// A link leads to them, or they have several names.
    pub linked: u64,
    /// Members of archives, records and standard input, which cannot be moved.
    pub inside: u64,
    /// The text that would stay for them is in an archive, a file of records or standard input.
    pub of_inside: u64,
    /// Empty ones.
    pub empty: u64,
    /// They have changed since they were compared, or those that would stay for them have.
    pub changed: u64,
}

impl Plan {
    /// The files of these inputs that go by a claim; those with the same bytes by every one.
    ///
    /// # Errors
    ///
    /// Those of [`review`].
    pub fn of(
        audit: &Audit,
        found: &Findings<'_>,
        (claim, inputs): (Removal, &[PathBuf]),
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let linked = linked_to(inputs);
        let (mut plan, mut edited) = (Self::default(), Vec::new());
        observer.begin("planning", Some(audit.files.len() as u64));
        let claimed = found.removals.as_ref().map(|removals| Claimed::of(audit, found, removals, claim));
        let going: Vec<(u32, Why, u32)> = (0..audit.files.len() as u32)
            .filter_map(|number| goes(audit, claimed.as_ref(), number).map(|(why, of)| (number, why, of)))
            .collect();
        let stand_ins = stand_ins(audit, &going);
        for &(number, why, survivor) in &going {
            go_on(observer)?;
            observer.advance(1);
            let survivor = stand_ins.get(&survivor).copied().unwrap_or(survivor);
            if survivor == number {
                continue;
            }
            let [file, keep] = [number, survivor].map(|number| &audit.files[number as usize]);
            let [path, kept] = [&file.name, &keep.name].map(|name| source::path(name));
            let is_linked = || {
                !is_regular(&path)
                    || is_shared(&path)
                    || fs::canonicalize(&path).is_ok_and(|path| linked.contains(&path))
            };
            let left = &mut plan.left;
            let reason = if !file.is_on_disk() {
                Some(&mut left.inside)
            } else if !keep.is_on_disk() {
                Some(&mut left.of_inside)
            } else if file.bytes == 0 {
                Some(&mut left.empty)
            } else {
                is_linked().then_some(&mut left.linked)
            };
            if let Some(count) = reason {
                *count += 1;
                continue;
            }
            let compared = |number: u32, path: &Path| {
                let read = as_read(found, number).and_then(|file| file.digest);
                let read = read.map(|digest| format!("{:032x}", u128::from_be_bytes(digest)));
                file_digest::in_hex(path).ok().filter(|now| read.is_none_or(|read| *now == read))
            };
            let both = compared(number, &path).zip(compared(survivor, &kept));
            let Some((digest, keep_digest)) = both.filter(|(a, b)| why != Why::Bytes || a == b) else {
                left.changed += 1;
                continue;
            };
            // Not all that its file holds is its text.
            let is_extracted = as_read(found, number).is_some_and(|file| file.format != Format::Text.code());
            if why == Why::Edited {
                edited.push((plan.steps.len(), [number, survivor]));
            }
            let folder = inputs.iter().find(|input| path.starts_with(input) && **input != path);
            plan.steps.push(Step {
                file: file.name.clone(),
                keep: keep.name.clone(),
                why,
                bytes: file.bytes,
                digest,
                keep_digest,
                text_alone: why != Why::Bytes && is_extracted,
                folder: folder.map(|folder| source::name(folder)),
                changes: Vec::new(),
                more_changes: 0,
            });
        }
        plan.add_changes(&edited, found.searched, threads, observer)?;
        Ok(plan)
    }

    /// Adds the words in which edited copies differ: these steps, each with its two documents.
    fn add_changes(
        &mut self,
        edited: &[(usize, [u32; 2])],
        searched: &Gathered,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<()> {
        let (corpus, pairs) = (&searched.corpus, edited.iter().map(|(_, pair)| *pair).collect());
        let scratch = corpus.scratch();
        let reviewed = review(&corpus.collection, pairs, &searched.originals, scratch, threads, observer)?;
        let mut steps = edited.iter();
        let added = reviewed.each(&mut |found| {
            if let Some(&(step, _)) = steps.next() {
                let step = &mut self.steps[step];
                (step.changes, step.more_changes) = (found.changes.clone(), found.more);
            }
            Ok(())
        });
        Ok(added.map_err(|source| nearcopy::Error::Write { path: shown(scratch), source })?)
    }

    /// Bytes of all files that go.
    pub fn bytes(&self) -> u64 {
        self.steps.iter().map(|step| step.bytes).sum()
    }
}

/// What goes by a claim.
struct Claimed<'a> {
    audit: &'a Audit,
    found: &'a Findings<'a>,
    removals: &'a Removals,
    claim: Removal,
    clusters: Clusters,
    /// The documents that must stay for others.
    stay: HashSet<u32>,
}

impl<'a> Claimed<'a> {
    fn of(audit: &'a Audit, found: &'a Findings<'a>, removals: &'a Removals, claim: Removal) -> Self {
        let clusters = removals.clusters(claim);
        let mut claimed = Self { audit, found, removals, claim, clusters, stay: HashSet::new() };
        let needed =
            claimed.clusters.gone().filter(|&[document, survivor]| claimed.whole(document, survivor).is_none());
        claimed.stay = needed.map(|[_, survivor]| survivor).collect();
        claimed
    }

    /// The file that stays and that a document is part of, where `other` is part of it too; `None` if that is not so, or
    /// not claimed.
    fn whole(&self, document: u32, other: u32) -> Option<u32> {
        let next = |&whole: &u32| {
            let survivor = self.clusters.survivor(whole);
            let file = &self.audit.files[whole as usize];
            let larger = file.of.filter(|_| survivor == whole && file.class == Class::Contained);
            larger.or((survivor != whole).then_some(survivor))
        };
        // Each is larger than the one before, or stands for it.
        let wholes = std::iter::successors(Some(other), next).skip(1).take(MOST_WHOLES);
        let whole = wholes.last().filter(|whole| next(whole).is_none())?;
        let collection = &self.found.searched.corpus.collection;
        let is_part = || collection.view(document).claim(&collection.view(whole), &Rules::removing());
        (self.claim >= Removal::Contained
            && whole != document
            && collection.formats_agree(document, whole)
            && is_part().is_some_and(|claim| claim <= Removal::Contained))
        .then_some(whole)
    }

    /// Why a document goes, and the one that stays for it.
    fn goes(&self, number: u32) -> Option<(Why, u32)> {
        let file = &self.audit.files[number as usize];
        let survivor = self.clusters.survivor(number);
        let is_part = |document: u32| self.audit.files[document as usize].class == Class::Contained;
        if survivor == number {
            let whole = self.whole(number, number).filter(|_| is_part(number) && !self.stay.contains(&number));
            return whole.map(|whole| (Why::Contained, whole));
        }
        if is_part(survivor) && !self.stay.contains(&survivor) {
            return self.whole(number, survivor).map(|whole| (Why::Contained, whole));
        }
        let narrowest = self.removals.between([number, survivor]).unwrap_or(self.claim);
        let is_equal = file.class == Class::Bytes && file.of == Some(survivor);
        Some((if is_equal { Why::Bytes } else { narrowest.into() }, survivor))
    }
}

/// Why a file goes, and the number of the one that stays for it.
fn goes(audit: &Audit, claimed: Option<&Claimed<'_>>, number: u32) -> Option<(Why, u32)> {
    let file = &audit.files[number as usize];
    if file.problem.is_some() || file.words == 0 {
        // Compared by its bytes alone.
        return file.of.filter(|_| file.class == Class::Bytes).map(|of| (Why::Bytes, of));
    }
    claimed?.goes(number)
}

/// The file of a document as it was when it was read; `None` for what is compared by its bytes alone.
fn as_read<'a>(found: &Findings<'a>, number: u32) -> Option<InputFile<'a>> {
    let collection = &found.searched.corpus.collection;
    if (number as usize) < collection.len() { collection.place(number).0 } else { None }
}

/// Files of their own, each for a member of an archive or a record with the same text that would stay for others. Whoever
/// moves files can check only such a file.
fn stand_ins(audit: &Audit, going: &[(u32, Why, u32)]) -> HashMap<u32, u32> {
    let mut found: HashMap<u32, (Why, bool, u32)> = HashMap::new();
    for &(number, why, survivor) in going {
        let [file, keep] = [number, survivor].map(|number| &audit.files[number as usize]);
        if why <= Why::Same && file.is_on_disk() && !keep.is_on_disk() {
            // One with the same bytes stands for others with the same bytes.
            let rank = (why, is_of_copy(&file.name), number);
            let best = found.entry(survivor).or_insert(rank);
            *best = rank.min(*best);
        }
    }
    found.into_iter().map(|(survivor, (_, _, number))| (survivor, number)).collect()
}

/// True for a file that is no link.
pub(crate) fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// True if a file has several names.
pub(crate) fn is_shared(path: &Path) -> bool {
    fs::symlink_metadata(path).ok().as_ref().and_then(shared_identity).is_some()
}

/// The files that symbolic links in these folders lead to.
fn linked_to(inputs: &[PathBuf]) -> HashSet<PathBuf> {
    let mut found = HashSet::new();
    // A folder that cannot be read was reported when it was searched.
    each_below(inputs.to_vec(), |path, kind| {
        if kind.is_symlink() {
            found.extend(fs::canonicalize(path).ok());
        }
    });
    found
}

/// Calls `found` with all that stands in some folders and in those below them, and is no folder itself. What cannot be read is
/// passed over.
pub(crate) fn each_below(mut folders: Vec<PathBuf>, mut found: impl FnMut(PathBuf, FileType)) {
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) => found(entry.path(), kind),
                Err(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nearcopy::search::effort::Effort;
    use nearcopy::search::keep::Keep;
    use nearcopy::similarity::Rules;
    use nearcopy::texts::loaded::Search;

    use super::*;
    use crate::jobs::audit::Recording;
    use crate::jobs::find::gather;
    use crate::jobs::fingerprint::tests::job;

    /// The files that go from a folder of two equal letters, of which one is written anew, or none, after the comparison.
    fn planned(edited: Option<&str>) -> (Vec<String>, u64) {
        let folder = tempfile::tempdir().unwrap();
        for (name, end) in [("a.txt", ""), ("b.txt", "\n")] {
            fs::write(folder.path().join(name), format!("The harbour closes at low water on Sundays.{end}")).unwrap();
        }
        let recording = Recording::new(&());
        let searched = gather(&job(folder.path(), 1), &[], folder.path(), &Rules::default(), &recording).unwrap();
        let effort = Effort { threads: 1, max_memory: 1 << 24 };
        let search = Search { rules: Rules::default(), recall: 0.99, effort };
        let found = (&search, &searched.corpus.plan(&search));
        let found = Findings::of(&searched, found, &Keep::First.into(), &()).unwrap();
        if let Some(name) = edited {
            fs::write(folder.path().join(name), "The only copy of a new letter.").unwrap();
        }
        let audit = Audit::of(&found, recording);
        let what = (Removal::Same, &[folder.path().to_owned()][..]);
        let plan = Plan::of(&audit, &found, what, 1, &()).unwrap();
        (plan.steps.iter().map(|step| step.file.rsplit('/').next().unwrap().to_owned()).collect(), plan.left.changed)
    }

    #[test]
    fn what_has_changed_since_it_was_compared_is_in_no_plan() {
        assert_eq!(planned(None), (vec!["b.txt".to_owned()], 0));
        assert_eq!(planned(Some("a.txt")), (Vec::new(), 1));
        assert_eq!(planned(Some("b.txt")), (Vec::new(), 1));
    }
}
