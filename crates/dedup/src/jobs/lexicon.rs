//! Lexicons out of dictionaries: their files are read, and written as one ([`nearcopy::translate::lexicon`]).

mod dictd;
mod entries;
mod glosses;
mod lines;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use nearcopy::error::shown;
use nearcopy::observer::{Observer, go_on};
use nearcopy::text::Language;
use nearcopy::translate::lexicon::{chain, is_lexicon};
use nearcopy::translate::{Dictionary, Lexicon};
use nearcopy_corpus::compression::Compression;
use nearcopy_corpus::{NewFile, Replace, Source};

use self::entries::Entries;
use crate::error::{Error, Result};

/// Maximum length of a dictionary in bytes, decompressed.
const MOST: u64 = 1 << 30;

/// Length in bytes of the beginning by which text is told from other content.
const HEAD: usize = 1 << 13;

/// The files of dictionaries, and the lexicon to write.
#[derive(Debug, Clone)]
pub struct Job {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The lexicon.
    pub output: PathBuf,
    /// The languages of headwords and translations; `None` if the names of the files tell them.
    pub languages: Option<[Language; 2]>,
    /// What may be replaced.
    pub replace: Replace,
}

/// What was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The two languages.
    pub languages: [Language; 2],
    /// Number of entries read.
    pub entries: u64,
    /// Number of pairs of words written.
    pub pairs: usize,
    /// What is told of the files.
    pub notices: Vec<Notice>,
}

/// What is told of a file that was imported, with the languages that its headwords and translations were taken to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Its name tells the languages the other way round than the job.
    Turned {
        /// The file as the user named it.
        file: String,
        /// The languages.
        languages: [Language; 2],
    },
    /// Its headwords look like the language of the translations, and the translations like that of the headwords.
    Reversed {
        /// The file as the user named it.
        file: String,
        /// The languages.
        languages: [Language; 2],
        /// True if the name of the file tells them.
        is_named: bool,
    },
}

/// Imports dictionaries into one lexicon.
///
/// # Errors
///
/// [`Error::Dictionary`], [`Error::IsLexicon`] and [`Error::DictionaryLanguages`]; those of reading and writing files.
pub fn import(job: &Job, observer: &dyn Observer) -> Result<Imported> {
    let file = NewFile::create(&job.output, job.replace)?;
    let mut dictionary = None;
    let (mut seen, mut notices) = (BTreeSet::new(), Vec::new());
    for path in &job.files {
        go_on(observer)?;
        // Either of the two files of a dictd dictionary stands for both.
        let index = dictd::index_of(path);
        if index != *path && !index.exists() {
            let what = format!("its index, {}, is not beside it", shown(Path::new(&file_name(&index))));
            return Err(not_known(path, &what));
        }
        if !seen.contains(&index) {
            notices.extend(add(job, &index, &mut dictionary, observer)?);
            seen.insert(index);
        }
    }
    let Some((languages, dictionary)) = dictionary else {
        return Err(not_known(Path::new(""), "no file was named"));
    };
    go_on(observer)?;
    let pairs = match (dictionary.write(&job.output, file), &notices[..]) {
        (Err(nearcopy::Error::EmptyLexicon { .. }), [.., Notice::Reversed { file, languages, .. }]) => {
            let to = languages[1].name();
            let what = format!(
                "no translation in {to} was found, and its headwords look {to}; exchange --from and --to, or the languages in its name"
            );
            return Err(Error::DictionaryLanguages { path: file.clone(), what });
        }
        (pairs, _) => pairs?,
    };
    Ok(Imported { languages, entries: dictionary.entries(), pairs, notices })
}

/// Adds the entries of a file to those of others. The first file decides the languages, unless the job does.
fn add(
    job: &Job,
    path: &Path,
    dictionary: &mut Option<([Language; 2], Dictionary)>,
    observer: &dyn Observer,
) -> Result<Option<Notice>> {
    if is_lexicon(path) {
        return Err(Error::IsLexicon { path: shown(path) });
    }
    let content = read(path)?;
    if content.is_empty() {
        return Err(not_known(path, "it is empty"));
    }
    let lines = text(path, &content)?;
    let Direction { languages, is_turned, is_named } =
        direction(job, path, lines.as_bytes(), dictionary.as_ref().map(|known| known.0))?;
    let (_, dictionary) = dictionary.get_or_insert_with(|| (languages, Dictionary::new(languages)));
    dictionary.note_source(file_name(path), &content);
    let mut entries = Entries::new(dictionary, languages, is_turned);
    let is_dictd = path.extension().is_some_and(|ending| ending == "index");
    if is_dictd {
        dictd::add(path, lines, &mut entries, observer)?;
    } else {
        lines::add(lines, &mut entries, observer)?;
    }
    if entries.count() == 0 {
        let none = "no line has a word, a tab and its translations";
        return Err(not_known(path, if is_dictd { "its index lists no entries" } else { none }));
    }
    let (file, languages) = (shown(path), entries.languages());
    Ok(if entries.look_reversed() {
        Some(Notice::Reversed { file, languages, is_named })
    } else {
        (is_turned && job.languages.is_some()).then_some(Notice::Turned { file, languages })
    })
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
        let [a, b] = [&first, &second].map(Lexicon::languages);
        let [first, languages, others] = [shown(paths[0]), both(b), both(a)];
        let what = if b.iter().all(|language| a.contains(language)) {
            format!(
                "its languages are {languages}, as those of {first} are; a chain is of two lexicons that share one language. \
                 Give both to `dedup screen --lexicon`, or import their dictionaries into one"
            )
        } else {
            format!("its languages are {languages}, and those of {first} are {others}; they must share one")
        };
        Error::DictionaryLanguages { path: shown(paths[1]), what }
    })?;
    let file = NewFile::create(output, replace)?;
    let count = pairs.write(output, file)?;
    let languages = pairs.head().languages.each_ref().map(|code| code.parse());
    let [a, b] = languages;
    Ok(Imported { languages: [a?, b?], entries: pairs.head().entries, pairs: count, notices: Vec::new() })
}

/// The languages of the lexicon, and how a file has them.
struct Direction {
    languages: [Language; 2],
    /// True if the file has them the other way round.
    is_turned: bool,
    /// True if the name of the file tells them.
    is_named: bool,
}

/// The languages that a file has by the job, the files before it and its name, which must agree but for their order.
fn direction(job: &Job, path: &Path, content: &[u8], known: Option<[Language; 2]>) -> Result<Direction> {
    let named = named_in(&file_name(path));
    let told = named
        .or_else(|| lines::is_cedict(content).then(|| ["cmn", "eng"].map(|code| code.parse().expect("a language"))));
    let wrong = |what: String| Err(Error::DictionaryLanguages { path: shown(path), what });
    let is_named = named.is_some();
    match (job.languages.or(known), told) {
        (Some(asked), Some([a, b])) if asked == [b, a] => Ok(Direction { languages: asked, is_turned: true, is_named }),
        (Some(asked), Some(told)) if asked != told => {
            let (says, [asked, told]) = (if is_named { "its name says" } else { "it is" }, [asked, told].map(in_words));
            wrong(match (job.languages.is_some(), is_named) {
                (true, true) => format!(
                    "{says} {told}, but --from and --to say {asked}; leave them out, or rename the file if its name is wrong"
                ),
                (true, false) => format!("{says} {told}, but --from and --to say {asked}; leave them out"),
                (false, _) => {
                    format!("{says} {told}, but the files before it are {asked}; import them into two lexicons")
                }
            })
        }
        (Some(asked), _) => Ok(Direction { languages: asked, is_turned: false, is_named }),
        (None, Some(told)) => Ok(Direction { languages: told, is_turned: false, is_named }),
        (None, None) => wrong(
            "its name does not tell the languages; give those of headwords and translations by --from and --to".into(),
        ),
    }
}

fn in_words([a, b]: [Language; 2]) -> String {
    format!("{} to {}", a.name(), b.name())
}

fn both([a, b]: [Language; 2]) -> String {
    format!("{} and {}", a.name(), b.name())
}

/// The languages that a name tells, such as `freedict-deu-eng.index`.
fn named_in(name: &str) -> Option<[Language; 2]> {
    let parts: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let language = |part: &str| {
        let language = part.parse::<Language>().ok().filter(|_| (2..=3).contains(&part.len()));
        language.filter(|language| language.is_determined())
    };
    let two = |pair: &[&str]| Some([language(pair[0])?, language(pair[1])?]).filter(|[a, b]| a != b);
    parts.windows(2).find_map(two)
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

/// A file as text.
fn text<'t>(path: &Path, content: &'t [u8]) -> Result<&'t str> {
    let text = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    let head = &text[..text.len().min(HEAD)];
    let is_utf_16 = [&b"\xFF\xFE"[..], b"\xFE\xFF"].iter().any(|mark| head.starts_with(mark));
    // Encodings of text have no byte 0, and of the other control characters few.
    let controls = head.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count();
    if !is_utf_16 && (head.contains(&0) || controls > head.len() / 100) {
        return Err(not_known(path, "it is not a text"));
    }
    std::str::from_utf8(text).map_err(|_| not_known(path, "it is not UTF-8; convert it with iconv"))
}

#[cfg(test)]
mod tests;
