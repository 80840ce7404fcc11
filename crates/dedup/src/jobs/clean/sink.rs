//! The files that documents are copied to.
//!
//! A file of a folder gets the permissions of its original before anything is written to it, so that private texts stay
//! private, and at the end the time of its last change, by which policies rank.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::error::shown;
use nearcopy_corpus::NewFile;

use crate::error::{Error, Result};

/// The file that documents are copied to.
pub(in crate::jobs) struct Sink {
    /// The path as the user named it.
    pub(in crate::jobs) name: String,
    pub(in crate::jobs) file: Out,
}

pub(in crate::jobs) enum Out {
    /// A file that appears when it is complete.
    Alone(NewFile),
    /// A file of a folder that appears when it is complete, and its original, if it has one.
    Among(io::BufWriter<File>, Option<PathBuf>),
}

impl Sink {
    /// A file that is renamed into place on its own.
    pub(in crate::jobs) fn alone(file: NewFile, path: &Path) -> Self {
        Self { name: shown(path), file: Out::Alone(file) }
    }

    /// A file of an unfinished folder, for several inputs; `path` is its final path.
    pub(in crate::jobs) fn among(unfinished: &Path, path: &Path) -> Result<Self> {
        let create = || {
            fs::create_dir_all(unfinished.parent().unwrap_or(unfinished))?;
            File::create_new(unfinished)
        };
        let name = shown(path);
        match create() {
            Ok(file) => Ok(Self { name, file: Out::Among(io::BufWriter::new(file), None) }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Error::SameName { path: name }),
            Err(source) => Err(nearcopy::Error::Write { path: name, source }.into()),
        }
    }

    /// The same for what stays of one file, `original`, with its mode and time.
    pub(in crate::jobs) fn of(original: &Path, unfinished: &Path, path: &Path) -> Result<Self> {
        let mut sink = Self::among(unfinished, path)?;
        if let Out::Among(file, kept) = &mut sink.file {
            // Some file systems have no modes.
            let _ = paths::keep_mode(file.get_ref(), original);
            *kept = Some(original.to_owned());
        }
        Ok(sink)
    }

    /// Syncs the file to disk; files of a folder are synced with it.
    pub(in crate::jobs) fn sync(&mut self) -> nearcopy::Result<()> {
        if let Out::Alone(file) = &mut self.file { file.sync() } else { Ok(()) }
    }

    pub(in crate::jobs) fn finish(self) -> nearcopy::Result<()> {
        match self.file {
            Out::Alone(file) => file.finish(),
            Out::Among(mut file, original) => {
                file.flush().map_err(|source| nearcopy::Error::Write { path: self.name, source })?;
                // Writing sets the time, so it comes last. Some file systems have no such times.
                let modified = original.and_then(|original| fs::metadata(original).ok()?.modified().ok());
                let _ = modified.map(|modified| file.get_ref().set_modified(modified));
                Ok(())
            }
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Out::Alone(file) => file.write(bytes),
            Out::Among(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Out::Alone(file) => file.flush(),
            Out::Among(file, _) => file.flush(),
        }
    }
}
