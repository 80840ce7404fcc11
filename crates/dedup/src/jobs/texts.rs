//! The texts of a few documents, read again.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearcopy::error::Problem;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::format::InputFile;
use nearcopy_corpus::inputs::{HeldFile, Inputs, Selection};
use nearcopy_corpus::records::{Reader, Reading, Record};
use nearcopy_corpus::{nanoseconds, source};

/// Where the texts of a search can be read again.
#[derive(Debug, Clone)]
pub struct Originals {
    reading: Reading,
    /// The files, if they are in memory and not on disk.
    held: Option<Arc<[HeldFile]>>,
}

/// Numbers of documents by their number in a file.
type Wanted = HashMap<u64, u32>;

impl Originals {
    /// Files on disk.
    pub fn on_disk(reading: Reading) -> Self {
        Self { reading, held: None }
    }

    /// Files in memory, in ascending order of their names.
    pub fn held(files: Arc<[HeldFile]>, reading: Reading) -> Self {
        Self { reading, held: Some(files) }
    }

    /// Returns the first `characters` characters of these documents' texts. Documents whose files
    /// are gone or hold other texts are left out.
    pub fn texts(&self, collection: &Collection, documents: &[u32], characters: usize) -> HashMap<u32, String> {
        let mut texts = HashMap::new();
        self.each_text(collection, documents, &mut |document, text| {
            texts.insert(document, text.chars().take(characters).collect());
        });
        texts
    }

    /// Calls `each` with these documents and their texts, file by file. Documents whose files are gone or hold other texts
    /// are left out. A file is read up to its last such document.
    pub(super) fn each_text(&self, collection: &Collection, documents: &[u32], each: &mut dyn FnMut(u32, &str)) {
        let mut names: HashMap<&str, Wanted> = HashMap::new();
        for &document in documents {
            if let (Some(file), place) = collection.place(document)
                && file.path != "-"
            {
                names.entry(file.path).or_default().insert(place.record, document);
            }
        }
        let mut files: BTreeMap<PathBuf, HashMap<&str, Wanted>> = BTreeMap::new();
        for (name, records) in names {
            files.entry(self.place(name)).or_default().insert(name, records);
        }
        for (path, mut wanted) in files {
            let Some(inputs) = self.open(&path) else { continue };
            for batch in Reader::new(inputs, self.reading.clone()).flatten() {
                let Some(of_file) = wanted.get_mut(batch.file.name.as_str()) else { continue };
                let mut seen = Vec::new();
                let found = |record: Result<Record<'_>, Problem>| {
                    let Ok(record) = record else { return };
                    let Some(&document) = of_file.get(&record.number) else { return };
                    seen.push(record.number);
                    let is = |digest: [u8; 16]| digest == collection.digest(document);
                    // The file is read again for its identity only if the characters do not give the digest.
                    if is(nearcopy::fingerprint::digest(&record.text))
                        || is(nearcopy::fingerprint::digest_of(batch.identity(record.number)))
                    {
                        each(document, &record.text);
                    }
                };
                batch.each_of(|number| of_file.contains_key(&number), found);
                for number in seen {
                    of_file.remove(&number);
                }
                if wanted.values().all(HashMap::is_empty) {
                    break;
                }
            }
        }
    }

    /// The file that a name stands for: itself, or the archive that it is a member of.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        let path = source::path(name);
        let place = path.ancestors().find(|path| self.is_there(path)).map(Path::to_owned);
        place.unwrap_or(path)
    }

    /// True if a name is that of a file, and not of a member of an archive.
    pub(super) fn is_file(&self, name: &str) -> bool {
        self.is_there(&source::path(name))
    }

    fn is_there(&self, path: &Path) -> bool {
        self.held.as_ref().map_or_else(|| path.is_file(), |_| self.file(path).is_some())
    }

    /// The file of a name: its size, its time, and of one in memory its digest; `None` if it is gone.
    pub(super) fn input<'a>(&self, name: &'a str) -> Option<InputFile<'a>> {
        let (path, input) = (source::path(name), InputFile { path: name, ..InputFile::default() });
        if self.held.is_some() {
            let file = self.file(&path)?;
            let digest = blake3::hash(&file.bytes).as_bytes().first_chunk().copied();
            return Some(InputFile { size: file.bytes.len() as u64, modified: file.modified, digest, ..input });
        }
        let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let modified = metadata.modified().map(nanoseconds).unwrap_or_default();
        Some(InputFile { size: metadata.len(), modified, ..input })
    }

    /// The file of a name among those in memory.
    fn file(&self, path: &Path) -> Option<&HeldFile> {
        let (name, files) = (source::name(path), self.held.as_ref()?);
        files.binary_search_by(|file| file.name.cmp(&name)).ok().map(|place| &files[place])
    }

    fn open(&self, path: &Path) -> Option<Inputs> {
        // A member of an archive may be one that is left out by default.
        let selection = Selection { hidden: true, ..Selection::default() };
        match &self.held {
            None => Inputs::new(vec![path.to_owned()], selection),
            Some(_) => Inputs::held(self.file(path).cloned(), selection),
        }
        .ok()
    }
}
