//! Outputs elsewhere: they are written to a folder for temporary files, and uploaded once the run has succeeded.
//!
//! An object appears when all parts of all objects were sent: the lists first, the corpus last, as on disk. A run that fails
//! or is stopped uploads nothing, or aborts what it has begun.
//!
//! Cost: the disk space of the outputs.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nearcopy_corpus::remote::{self, Uploads};
use nearcopy_corpus::{Stop, source};
use tempfile::TempDir;

use super::Ending;
use super::output::rename_in_messages;
use super::signals::is_stopped;
use crate::jobs::clean::shards::Shards;

/// The message of a run that the user has ended.
const STOPPED: &str = "stopped; nothing was written";

/// Endings of the lists beside an output.
const LISTS: [&str; 8] = [
    ".removed.jsonl",
    ".removed.csv",
    ".removed.parquet",
    ".review.jsonl",
    ".review.csv",
    ".cut.jsonl",
    ".items.jsonl",
    ".documents.jsonl",
];

/// An output elsewhere.
struct Elsewhere {
    /// The folder for temporary files that stands for `base`.
    folder: TempDir,
    /// The address of the folder of the output, without a slash at its end.
    base: String,
    /// The path of the output in both; of shards, that of their folder.
    name: String,
    /// The path that the run writes to.
    local: PathBuf,
    shards: Option<Shards>,
}

/// Runs a command with its output, and uploads what it has written if that is elsewhere. `inputs` are the command's, and
/// `temp` is the folder for temporary files.
pub(super) fn run(
    (output, inputs): (Option<PathBuf>, &[PathBuf]),
    temp: &Path,
    is_forced: bool,
    work: impl FnOnce(Option<PathBuf>) -> Result<Ending, Box<dyn Error>>,
) -> Result<Ending, Box<dyn Error>> {
    let Some(address) = output.as_ref().filter(|output| remote::is_address(output)) else { return work(output) };
    let named = |what: &dyn std::fmt::Display| format!("{}: {what}", source::name(address));
    let elsewhere = Elsewhere::new(address, temp).map_err(|reason| named(&reason))?;
    let inputs: Vec<&PathBuf> = inputs.iter().filter(|input| remote::is_address(input)).collect();
    let own = elsewhere.address(&elsewhere.name);
    for input in &inputs {
        let shown = source::name(input);
        if own.starts_with(input) {
            let inside =
                format!("would be inside the input {shown}, where the next run would read it; name a path outside");
            return Err(named(&inside).into());
        }
        if input.starts_with(&own) || LISTS.iter().any(|list| **input == elsewhere.beside(list)) {
            return Err(named(&format!("would be written over the input {shown}; name another")).into());
        }
    }
    let before = elsewhere.before(is_forced).map_err(|reason| named(&reason))?;
    rename_in_messages(elsewhere.folder.path(), &elsewhere.base);
    // Nothing is left that could be resumed.
    let ending =
        work(Some(elsewhere.local.clone())).map_err(|error| if is_stopped() { STOPPED.into() } else { error })?;
    // Once the objects are completed, the run is not stopped.
    let failed = |error: io::Error| {
        let is_over = is_stopped() && error.to_string() == "stopped";
        if is_over { STOPPED.to_owned() } else { named(&error) }
    };
    elsewhere.put(&before, is_forced).map_err(failed)?;
    Ok(ending)
}

impl Elsewhere {
    fn new(address: &Path, temp: &Path) -> Result<Self, String> {
        let text = address.to_str().ok_or("is no address in Unicode")?;
        let trimmed = text.trim_end_matches('/');
        let form = "name a folder or an object in a bucket, such as s3://bucket/out";
        let (start, path) = trimmed.split_once("://").ok_or(form)?;
        let (bucket, key) = path.split_once('/').ok_or(form)?;
        let mut parts: Vec<&str> = key.split('/').collect();
        if bucket.is_empty() || parts.iter().any(|part| part.is_empty() || [".", ".."].contains(part)) {
            return Err(form.into());
        }
        let last = parts.pop().unwrap_or_default();
        let (name, in_folder) = if last.contains('*') && trimmed.len() == text.len() {
            (parts.pop().ok_or("shards appear together, as a folder of their own; name one in the bucket")?, Some(last))
        } else {
            (last, None)
        };
        let folder = tempfile::Builder::new().prefix("dedup-upload-").tempdir_in(temp).map_err(|error| {
            format!("nothing can be written to {} ({error}); name another by TMPDIR", temp.display())
        })?;
        let base = parts.into_iter().fold(format!("{start}://{bucket}"), |base, part| format!("{base}/{part}"));
        let mut local = folder.path().join(name);
        if let Some(last) = in_folder {
            local.push(last);
        } else if trimmed.len() < text.len() {
            // It stays a folder.
            local.push("");
        }
        let shards = Shards::of(&local, 1)?.map(|(_, shards)| shards);
        Ok(Self { base, name: name.to_owned(), local, shards, folder })
    }

    /// The address of a path below the base.
    fn address(&self, inside: &str) -> PathBuf {
        PathBuf::from(format!("{}/{inside}", self.base))
    }

    /// The address of a list beside the output.
    fn beside(&self, list: &str) -> PathBuf {
        self.address(&format!("{}{list}", self.name))
    }

    /// The objects that are there, also lists, by their paths below the base.
    fn before(&self, is_forced: bool) -> Result<BTreeSet<String>, String> {
        let said = |error: io::Error| error.to_string();
        let mut found = BTreeSet::new();
        for ending in [""].iter().chain(&LISTS) {
            if remote::exists(&self.beside(ending)).map_err(said)? {
                found.insert(format!("{}{ending}", self.name));
            }
        }
        let below = remote::list(&self.address(&format!("{}/", self.name)), Stop::when(is_stopped)).map_err(said)?;
        found.extend(below.into_iter().map(|file| format!("{}/{}", self.name, file.inside)));
        // Of a folder it is known only in the end which files are written anew.
        let is_foreign = |inside: &&String| self.is_own(inside) && !self.is_shard(inside);
        if let (Some(_), Some(foreign)) = (&self.shards, found.iter().find(is_foreign)) {
            return Err(self.stays(foreign));
        }
        if found.is_empty() || is_forced {
            return Ok(found);
        }
        let is_list = |inside: &&String| inside.strip_prefix(&self.name).is_some_and(|list| LISTS.contains(&list));
        let list = found.first().filter(is_list).map(|list| source::name(&self.address(list)));
        let which = list.map(|list| format!("its list {list} ")).unwrap_or_default();
        Err(format!("{which}already exists; --force replaces it, or name another"))
    }

    /// True for the output itself, or what lies in it.
    fn is_own(&self, inside: &str) -> bool {
        inside.strip_prefix(&self.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// True for a shard, which goes if it is not written again.
    fn is_shard(&self, inside: &str) -> bool {
        let name = inside.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('/'));
        self.shards.as_ref().zip(name).is_some_and(|(shards, name)| shards.has(name))
    }

    /// True for a list to review, which goes with the corpus that it is of.
    fn is_review(&self, inside: &str) -> bool {
        inside.strip_prefix(&self.name).is_some_and(|list| list.starts_with(".review.") && LISTS.contains(&list))
    }

    /// The error for an object that is none of the run's.
    fn stays(&self, foreign: &str) -> String {
        let foreign = source::name(&self.address(foreign));
        format!("{foreign} is there and would stay among the new objects; remove it first")
    }

    /// The files that were written, by their paths below the folder.
    fn written(&self) -> io::Result<Vec<(String, PathBuf)>> {
        let (mut files, mut folders) = (Vec::new(), vec![self.folder.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let inside = path.strip_prefix(self.folder.path()).map_err(io::Error::other)?;
                let Some(inside) = inside.to_str() else {
                    let name = source::name(inside);
                    return Err(io::Error::other(format!("{name}: is no name of an object; rename it to UTF-8")));
                };
                files.push((inside.replace(std::path::MAIN_SEPARATOR, "/"), path));
            }
        }
        files.sort();
        Ok(files)
    }

    /// Uploads all files, and removes objects of an earlier run that are replaced. `before` are those that were there.
    fn put(&self, before: &BTreeSet<String>, is_forced: bool) -> io::Result<()> {
        let mut files = self.written()?;
        // The corpus comes after its lists.
        files.sort_by_key(|(inside, _)| self.is_own(inside));
        let written: BTreeSet<&str> = files.iter().map(|(inside, _)| inside.as_str()).collect();
        let goes = |inside: &str| self.is_shard(inside) || self.is_review(inside);
        let is_outdated =
            |inside: &&String| (self.is_own(inside) || self.is_review(inside)) && !written.contains(inside.as_str());
        let outdated: Vec<&String> = before.iter().filter(is_outdated).collect();
        if let Some(foreign) = outdated.iter().find(|inside| !goes(inside)) {
            return Err(io::Error::other(self.stays(foreign)));
        }
        let stop = Stop::when(is_stopped);
        let mut uploads = Uploads::default();
        for (inside, path) in &files {
            uploads.begin(&self.address(inside), path, stop)?;
        }
        for (inside, _) in files.iter().filter(|_| !is_forced) {
            if remote::exists(&self.address(inside))? {
                let which = if *inside == self.name { String::new() } else { format!("{inside} ") };
                let remedy = "nothing was written; --force replaces it, or name another";
                return Err(io::Error::other(format!("{which}has appeared while this ran; {remedy}")));
            }
        }
        uploads.complete().map_err(|(at, error)| {
            let part = if at == 0 {
                String::new()
            } else {
                format!("; {at} of {} objects were written, so the output is incomplete", files.len())
            };
            io::Error::other(format!("{error}{part}"))
        })?;
        for inside in outdated {
            let address = self.address(inside);
            remote::remove(&address).map_err(|error| {
                let name = source::name(&address);
                io::Error::other(format!(
                    "all objects were written, but {name} of an earlier run could not be removed ({error}); remove it before use"
                ))
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_stands_in_a_folder() {
        let temp = tempfile::tempdir().unwrap();
        for (address, base, name, local) in [
            ("s3://b/out.jsonl", "s3://b", "out.jsonl", "out.jsonl"),
            ("s3://b/a/c/out/", "s3://b/a/c", "out", "out/"),
            ("gs://b/a/out/part-*.jsonl", "gs://b/a", "out", "out/part-*.jsonl"),
        ] {
            let found = Elsewhere::new(Path::new(address), temp.path()).unwrap();
            assert_eq!((found.base.as_str(), found.name.as_str()), (base, name));
            assert_eq!(found.local.as_os_str(), found.folder.path().join(local).as_os_str());
        }
        for address in ["s3://b", "s3://b/", "s3:///x", "s3://b/part-*.jsonl", "s3://b/a//c", "s3://b/../c"] {
            assert!(Elsewhere::new(Path::new(address), temp.path()).is_err(), "{address}");
        }
    }
}
