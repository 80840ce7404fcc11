//! Lexicons out of dictionaries: their files are read, and written as one ([`nearcopy::translate::lexicon`]).

mod dictd;
mod glosses;
mod lines;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use nearcopy::error::shown;
use nearcopy::observer::{Observer, go_on};
use nearcopy::text::Language;
use nearcopy::translate::lexicon::chain;
use nearcopy::translate::{Dictionary, Lexicon};
use nearcopy_corpus::compression::Compression;
use nearcopy_corpus::{NewFile, Replace, Source};

use self::glosses::Glosses;
use crate::error::{Error, Result};

/// Maximum length of a dictionary in bytes, decompressed.
const MOST: u64 = 1 << 30;

/// The files of dictionaries, and the lexicon to write.
#[derive(Debug, Clone)]
pub struct Job {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The lexicon.
    pub output: PathBuf,
    /// The languages of headwords and glosses; `None` if the names of the files tell them.
    pub languages: Option<[Language; 2]>,
    /// What may be replaced.
    pub replace: Replace,
}

/// What was imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// The two languages.
    pub languages: [Language; 2],
    /// Number of entries read.
    pub entries: u64,
    /// Number of pairs of words written.
    pub pairs: usize,
}

/// Imports dictionaries into one lexicon.
///
/// # Errors
///
/// [`Error::Dictionary`] and [`Error::DictionaryLanguages`]; those of reading and writing files.
pub fn import(job: &Job, observer: &dyn Observer) -> Result<Imported> {
    let file = NewFile::create(&job.output, job.replace)?;
    let mut dictionary: Option<([Language; 2], Dictionary)> = None;
    let mut seen = BTreeSet::new();
    for path in &job.files {
        go_on(observer)?;
        // Either of the two files of a dictd dictionary stands for both.
        let path = dictd::index_of(path);
        if !seen.insert(path.clone()) {
            continue;
        }
        let content = read(&path)?;
        let (languages, is_turned) = languages(job, &path, &content, dictionary.as_ref().map(|known| known.0))?;
        let (_, dictionary) = dictionary.get_or_insert_with(|| (languages, Dictionary::new(languages)));
        dictionary.note_source(file_name(&path), &content);
        let [from, to] = if is_turned { [languages[1], languages[0]] } else { languages };
        let glosses = Glosses::between(from, to);
        let before = dictionary.entries();
        if path.extension().is_some_and(|ending| ending == "index") {
            dictd::add(&path, &content, glosses, is_turned, dictionary, observer)?;
        } else {
            lines::add(&text(&path, &content)?, glosses, is_turned, dictionary, observer)?;
        }
        if dictionary.entries() == before {
            return Err(not_known(&path, "no entry was found"));
        }
    }
    let Some((languages, dictionary)) = dictionary else {
        return Err(not_known(Path::new(""), "no file was named"));
    };
    go_on(observer)?;
    let pairs = dictionary.write(&job.output, file)?;
    Ok(Imported { languages, entries: dictionary.entries(), pairs })
}

/// Makes a lexicon of two that share a language, between the other two.
///
/// # Errors
///
/// [`Error::DictionaryLanguages`] unless they share one language; those of opening and writing lexicons.
pub fn join(paths: [&Path; 2], output: &Path, replace: Replace) -> Result<Imported> {
    let open = |path: &Path| Lexicon::open(path)?.for_this_version(path);
    let [first, second] = [open(paths[0])?, open(paths[1])?];
    let pairs = chain(&first, &second).ok_or_else(|| {
        let [a, b] = [&first, &second].map(|lexicon| in_words(lexicon.languages()));
        let what = format!("its languages are {b}, and those of {} are {a}; they must share one", shown(paths[0]));
        Error::DictionaryLanguages { path: shown(paths[1]), what }
    })?;
    let file = NewFile::create(output, replace)?;
    let count = pairs.write(output, file)?;
    let languages = pairs.head().languages.each_ref().map(|code| code.parse());
    let [a, b] = languages;
    Ok(Imported { languages: [a?, b?], entries: pairs.head().entries, pairs: count })
}

/// The languages of the lexicon, and whether this file has them the other way round.
fn languages(job: &Job, path: &Path, content: &[u8], known: Option<[Language; 2]>) -> Result<([Language; 2], bool)> {
    let told = named_in(&file_name(path))
        .or_else(|| lines::is_cedict(content).then(|| ["cmn", "eng"].map(|code| code.parse().expect("a language"))));
    match (job.languages.or(known), told) {
        (Some(asked), Some([a, b])) if asked == [b, a] => Ok((asked, true)),
        (Some(asked), Some(told)) if asked != told && job.languages.is_none() => {
            let [asked, told] = [asked, told].map(in_words);
            let what =
                format!("its name says {told}, but the files before it are {asked}; import them into two lexicons");
            Err(Error::DictionaryLanguages { path: shown(path), what })
        }
        (Some(asked), _) => Ok((asked, false)),
        (None, Some(told)) => Ok((told, false)),
        (None, None) => {
            let what =
                "its name does not tell the languages; give those of headwords and glosses by --from and --to".into();
            Err(Error::DictionaryLanguages { path: shown(path), what })
        }
    }
}

fn in_words([a, b]: [Language; 2]) -> String {
    format!("{} to {}", a.name(), b.name())
}

/// The languages that a name tells, such as `freedict-deu-eng.index`.
fn named_in(name: &str) -> Option<[Language; 2]> {
    let parts: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let language = |part: &str| part.parse::<Language>().ok().filter(|_| (2..=3).contains(&part.len()));
    parts.windows(2).find_map(|pair| Some([language(pair[0])?, language(pair[1])?])).filter(|[a, b]| a != b)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn not_known(path: &Path, what: &str) -> Error {
    Error::Dictionary { path: shown(path), what: what.into() }
}

/// The content of a file, decompressed.
fn read(path: &Path) -> Result<Vec<u8>> {
    let failed = |source| nearcopy::Error::Read { path: shown(path), source };
    if path.is_dir() {
        return Err(nearcopy::Error::Folder { path: shown(path) }.into());
    }
    let source = Source::open(path)?;
    let mut content = Vec::new();
    let bytes: &[u8] = &source;
    match Compression::recognise(bytes) {
        Some(compression) => {
            let decoded = compression.decode(bytes).map_err(failed)?;
            decoded.take(MOST + 1).read_to_end(&mut content).map_err(failed)?;
        }
        None => content.extend_from_slice(&bytes[..bytes.len().min(MOST as usize + 1)]),
    }
    if content.len() as u64 > MOST {
        return Err(not_known(path, "it is longer than 1 GiB"));
    }
    Ok(content)
}

fn text(path: &Path, content: &[u8]) -> Result<String> {
    let text = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    String::from_utf8(text.to_vec()).map_err(|_| not_known(path, "it is not UTF-8; convert it with iconv"))
}

#[cfg(test)]
mod tests;
