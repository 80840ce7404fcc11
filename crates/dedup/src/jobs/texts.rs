//! The texts of a few documents, read again.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearcopy::error::Problem;
use nearcopy::store::file::collection::Collection;
use nearcopy_corpus::inputs::{HeldFile, Inputs, Selection};
use nearcopy_corpus::records::{Reader, Reading, Record};
use nearcopy_corpus::source;

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
    fn place(&self, name: &str) -> PathBuf {
        let path = source::path(name);
        let is_file = |path: &Path| self.held.as_ref().map_or_else(|| path.is_file(), |_| self.file(path).is_some());
        let archive = path.ancestors().skip(1).find(|ancestor| is_file(ancestor)).map(Path::to_owned);
        if is_file(&path) { path } else { archive.unwrap_or(path) }
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
