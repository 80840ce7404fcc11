//! Outputs elsewhere: they are written to a folder for temporary files, and uploaded once the run has succeeded.
//!
//! An object appears when all parts of all objects were sent: the lists first, the corpus last, as on disk. A run that fails
//! or is stopped uploads nothing, or aborts what it has begun.
//!
//! Cost: the disk space of the outputs.

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::remote::{self, Upload};
use nearcopy_corpus::{Stop, source};
use tempfile::TempDir;

use super::Ending;
use super::output::rename_in_messages;
use super::signals::is_stopped;
use crate::jobs::clean::shards::Shards;

/// What is said of a run that the user has ended.
const STOPPED: &str = "stopped; nothing was written";

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
    let is_around = |input: &&PathBuf| remote::is_address(input) && address.starts_with(input);
    if let Some(input) = inputs.iter().find(is_around) {
        let input = source::name(input);
        let inside =
            format!("would be inside the input {input}, where the next run would read it; name a path outside");
        return Err(named(&inside).into());
    }
    let elsewhere = Elsewhere::new(address, temp).map_err(|reason| named(&reason))?;
    let before = elsewhere.before(is_forced).map_err(|reason| named(&reason))?;
    rename_in_messages(elsewhere.folder.path(), &elsewhere.base);
    // Nothing is left that could be resumed.
    let ending =
        work(Some(elsewhere.local.clone())).map_err(|error| if is_stopped() { STOPPED.into() } else { error })?;
    // Once the objects are completed, the run is not stopped.
    let failed = |error: io::Error| {
        let is_over = is_stopped() && error.to_string() == "stopped";
        if is_over { STOPPED.to_owned() } else { named(&format!("was not written: {error}")) }
    };
    elsewhere.put(&before).map_err(failed)?;
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

    /// The objects that are there, by their paths below the base.
    fn before(&self, is_forced: bool) -> Result<BTreeSet<String>, String> {
        let own = self.address(&self.name);
        let said = |error: io::Error| error.to_string();
        let mut found = BTreeSet::new();
        if remote::exists(&own).map_err(said)? {
            found.insert(self.name.clone());
        }
        let below = remote::list(&self.address(&format!("{}/", self.name)), Stop::when(is_stopped)).map_err(said)?;
        found.extend(below.into_iter().map(|file| format!("{}/{}", self.name, file.inside)));
        if found.is_empty() || is_forced {
            return Ok(found);
        }
        Err("already exists; --force replaces it, or name another".into())
    }

    /// Uploads all files, and removes objects of an earlier run that are replaced.
    fn put(&self, before: &BTreeSet<String>) -> io::Result<()> {
        let everything = Selection { hidden: true, no_ignore: true, ..Selection::default() };
        let files = Inputs::new(vec![self.folder.path().to_owned()], everything).map_err(io::Error::other)?;
        let mut files: Vec<(String, PathBuf)> = files
            .flatten()
            .filter_map(|path| {
                let inside = path.strip_prefix(self.folder.path()).ok()?;
                let inside = inside.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
                Some((inside, path))
            })
            .collect();
        let is_own =
            |inside: &str| inside.strip_prefix(&self.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        // The corpus comes after its lists.
        files.sort_by_key(|(inside, _)| is_own(inside));
        let written: BTreeSet<&str> = files.iter().map(|(inside, _)| inside.as_str()).collect();
        let outdated: Vec<&String> = before.iter().filter(|inside| !written.contains(inside.as_str())).collect();
        let is_shard = |inside: &str| {
            let name = inside.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('/'));
            self.shards.as_ref().zip(name).is_some_and(|(shards, name)| shards.has(name))
        };
        if let Some(foreign) = outdated.iter().find(|inside| !is_shard(inside)) {
            let foreign = self.address(foreign);
            return Err(io::Error::other(format!(
                "{} is there and would stay among the new objects; remove it first",
                source::name(&foreign)
            )));
        }
        let stop = Stop::when(is_stopped);
        let mut uploads = Vec::new();
        for (inside, path) in &files {
            uploads.push(Upload::begin(&self.address(inside), path, stop)?);
        }
        let count = uploads.len();
        for (at, upload) in uploads.into_iter().enumerate() {
            upload.complete().map_err(|error| {
                let part =
                    if at == 0 { String::new() } else { format!("; {at} of {count} objects were, and are incomplete") };
                io::Error::other(format!("{error}{part}"))
            })?;
        }
        outdated.into_iter().try_for_each(|inside| remote::remove(&self.address(inside)))
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
