//! The passages of each document as XML of the PAN text alignment tasks.
//!
//! All files are written to a hidden folder inside FOLDER and renamed when all are complete, so a run that fails
//! leaves none of them.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearcopy::screening::Screening;
use nearcopy_corpus::{NewFile, Place, Replace, put_all};

use crate::report::screening::{SharedPassage, attribute, file_name};

/// Writes a file for each suspicious document, with or without passages.
///
/// # Errors
///
/// Those of writing; a message if two documents would have one file, or a folder is in the way.
pub fn write(screening: &Screening, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let names = names(screening, folder)?;
    let made = MadeFolders::new(folder)?;
    let failed = |source| nearcopy::Error::Write { path: folder.display().to_string(), source };
    let place = |name: &String| Ok((name.clone(), Place::new(&folder.join(name), Replace::Found)?));
    let places: Vec<(String, Place)> = names.iter().map(place).collect::<nearcopy::Result<_>>()?;
    let begun = tempfile::Builder::new().prefix(".dedup-").tempdir_in(folder).map_err(failed)?;
    for (name, number) in names.iter().zip(0..) {
        write_one(screening, number, &begun.path().join(name)).map_err(|error| in_place(error, &folder.join(name)))?;
    }
    put_all(folder, places.iter().map(|(name, place)| (begun.path().join(name), place)))?;
    made.keep();
    Ok(())
}

/// The name of each file.
fn names(screening: &Screening, folder: &Path) -> Result<Vec<String>, String> {
    let mut ids: HashMap<String, &str> = HashMap::new();
    let mut names = Vec::new();
    for text in &screening.texts[..screening.suspicious] {
        let last = file_name(&text.id);
        let name = format!("{}.xml", last.strip_suffix(".txt").unwrap_or(last));
        if let Some(other) = ids.insert(name.clone(), &text.id) {
            return Err(format!(
                "{}: {other} and {} would have one file, because PAN names documents by the last part of their ids",
                folder.display(),
                text.id
            ));
        }
        if folder.join(&name).is_dir() {
            let place = folder.join(&name);
            return Err(format!("{}: is a folder, which cannot be written over; name another output", place.display()));
        }
        names.push(name);
    }
    Ok(names)
}

fn write_one(screening: &Screening, number: u32, path: &Path) -> nearcopy::Result<()> {
    let mut file = NewFile::create(path, Replace::Nothing)?;
    let mut write = || -> io::Result<()> {
        let name = attribute(file_name(&screening.texts[number as usize].id));
        writeln!(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<document reference=\"{name}\">")?;
        for found in screening.matches.iter().filter(|found| found.suspicious == number) {
            for passage in &found.passages {
                SharedPassage::new(screening, found, passage).write_pan(&mut file)?;
            }
        }
        writeln!(file, "</document>")
    };
    write().map_err(|source| nearcopy::Error::Write { path: path.display().to_string(), source })?;
    file.finish()
}

/// The error of a file, with the path that it was meant for.
fn in_place(error: nearcopy::Error, place: &Path) -> nearcopy::Error {
    match error {
        nearcopy::Error::Write { source, .. } => nearcopy::Error::Write { path: place.display().to_string(), source },
        other => other,
    }
}

/// The folders made for the output. They are removed on drop unless the output was completed.
struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    fn new(folder: &Path) -> nearcopy::Result<Self> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let made = Self(folder.ancestors().take_while(is_missing).map(Path::to_owned).collect());
        let failed = |source| nearcopy::Error::Write { path: folder.display().to_string(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        Ok(made)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        for folder in &self.0 {
            // A folder that is not empty stays.
            let _ = fs::remove_dir(folder);
        }
    }
}
