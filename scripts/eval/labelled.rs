//! Labelled corpora: documents, and the pairs of them that are near-duplicates.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use nearcopy_corpus::{self as corpus, Source};

/// An id and a text.
pub(crate) type Documents = Vec<(String, String)>;

/// The near-duplicate pairs, by the places of their documents, the lesser first, each with its label, such as
/// the kind of edit.
pub(crate) type Truth = HashMap<[usize; 2], String>;

#[derive(serde::Deserialize)]
struct Record {
    id: String,
    text: String,
}

/// Reads the files of a folder, JSON lines with `id` and `text`, or lines `ID text`.
pub(crate) fn documents(path: &Path) -> Result<Documents, Box<dyn Error>> {
    let mut documents = Vec::new();
    if path.is_dir() {
        let mut files: Vec<PathBuf> =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        files.sort();
        for file in files {
            let name = file.file_name().ok_or("a file without a name")?.to_string_lossy().into_owned();
            let source = Source::open(&file)?;
            let document = corpus::document(&name, &source, corpus::Options::default(), &corpus::Converter::default())?;
            documents.push((name, document.text.into_owned()));
        }
        return Ok(documents);
    }
    let content = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let is_json = content.trim_start().starts_with('{');
    for (number, line) in content.lines().enumerate() {
        let place = || format!("{}:{}", path.display(), number + 1);
        documents.push(if is_json {
            let record: Record = serde_json::from_str(line).map_err(|error| format!("{}: {error}", place()))?;
            (record.id, record.text)
        } else {
            let (id, text) = line.split_once(' ').ok_or_else(|| format!("{}: no space after an id", place()))?;
            (id.to_owned(), text.to_owned())
        });
    }
    Ok(documents)
}

/// Reads a file of pairs: two ids a line, separated by spaces or tabs; a label can follow after tabs.
pub(crate) fn truth(path: &Path, documents: &Documents) -> Result<Truth, Box<dyn Error>> {
    let places: HashMap<&str, usize> = documents.iter().enumerate().map(|(place, (id, _))| (&**id, place)).collect();
    let content = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut truth = Truth::new();
    for (number, line) in content.lines().enumerate() {
        let fields: Vec<&str> =
            if line.contains('\t') { line.split('\t').collect() } else { line.split_whitespace().collect() };
        let place = || format!("{}:{}", path.display(), number + 1);
        let [a, b, said @ ..] = &*fields else { return Err(format!("{}: not two ids", place()).into()) };
        let known = |id: &&str| places.get(id).copied().ok_or_else(|| format!("{}: no document {id}", place()));
        let mut pair = [known(a)?, known(b)?];
        pair.sort_unstable();
        // Kind and strength, if there are any.
        let said: Vec<&str> = said.iter().take(2).copied().filter(|said| !said.is_empty()).collect();
        truth.insert(pair, said.join(" "));
    }
    Ok(truth)
}
