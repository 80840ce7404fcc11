//! The author of a document: a field of its record, or a name in its path.
//!
//! Learning platforms put the author's name into the names of folders and files that they export:
//!
//! ```text
//! Moodle      Fatima Åkesson_4711_assignsubmission_file/essay.docx, or the same as one name
//! Blackboard  Essay 1_fakesson_attempt_2026-11-20-08-30-00_essay.docx
//! Canvas      akessonfatima_LATE_4711_815_essay.docx
//! ```
//!
//! In a path without such a name the first folder below an input is the author.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearcopy_corpus::records::Batch;

/// The source of the authors' names.
#[derive(Debug, Clone, Default)]
pub enum Authors {
    /// No author is known.
    #[default]
    Unknown,
    /// The path names the author: as a learning platform writes it, else by the first folder below an input.
    Folders,
    /// A function of the path below an input, with slashes, names the author.
    Pattern(Pattern),
    /// A field of the record ([`nearcopy_corpus::records::Fields::author`]) names the author.
    Field,
}

/// A function that finds the author in a path, if it names one.
#[derive(Clone)]
pub struct Pattern(Arc<Find>);

type Find = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Pattern {
    /// A pattern of this function.
    pub fn new(find: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pattern")
    }
}

impl Authors {
    /// True if some source names authors.
    pub fn are_told(&self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// The author of all documents of a batch, if folders name the authors.
    pub(super) fn of_batch(&self, batch: &Batch, inputs: &[PathBuf]) -> Option<String> {
        match self {
            Self::Folders => of_path(&batch.file.path, inputs),
            Self::Pattern(Pattern(find)) => find(&below(&batch.file.path, inputs)?.join("/")),
            Self::Unknown | Self::Field => None,
        }
    }

    /// The author of a document.
    pub(super) fn of_record(&self, of_batch: Option<&str>, field: Option<&str>) -> Option<String> {
        match self {
            Self::Unknown => None,
            Self::Folders | Self::Pattern(_) => of_batch.map(str::to_owned),
            Self::Field => field.filter(|name| !name.is_empty()).map(str::to_owned),
        }
    }
}

/// The folders of a path below an input, and its file; of an input that is a file, its name.
fn below<'p>(path: &'p Path, inputs: &[PathBuf]) -> Option<Vec<Cow<'p, str>>> {
    let below = inputs.iter().find_map(|input| path.strip_prefix(input).ok())?;
    let below = if below.as_os_str().is_empty() { path.file_name().map(Path::new)? } else { below };
    Some(below.iter().map(|part| part.to_string_lossy()).collect())
}

/// The author that a path below an input names.
fn of_path(path: &Path, inputs: &[PathBuf]) -> Option<String> {
    let parts = below(path, inputs)?;
    let (file, folders) = parts.split_last()?;
    // Only Moodle puts files into folders.
    let of_file = || of_blackboard(file).or_else(|| of_canvas(file));
    let named = parts.iter().find_map(|part| of_moodle(part));
    named.or_else(|| folders.first().map_or_else(of_file, |first| Some(&**first))).map(str::to_owned)
}

/// `Fatima Åkesson_4711_assignsubmission_file`: files and online texts of one author.
fn of_moodle(name: &str) -> Option<&str> {
    let (author, number) = name.split_once("_assignsubmission_")?.0.rsplit_once('_')?;
    (is_number(number) && !author.is_empty()).then_some(author)
}

/// `Essay 1_fakesson_attempt_2026-11-20-08-30-00_essay.docx`.
fn of_blackboard(name: &str) -> Option<&str> {
    let (before, behind) = name.split_once("_attempt_")?;
    let date: Vec<&str> = behind.split(['_', '.']).next()?.split('-').collect();
    let author = before.rsplit_once('_')?.1;
    (date.len() == 6 && date.iter().all(|part| is_number(part)) && !author.is_empty()).then_some(author)
}

/// `akessonfatima_LATE_4711_815_essay.docx`.
fn of_canvas(name: &str) -> Option<&str> {
    let (author, rest) = name.split_once('_')?;
    let mut parts = rest.strip_prefix("LATE_").unwrap_or(rest).splitn(3, '_');
    let numbers = [parts.next()?, parts.next()?];
    let has_file = parts.next().is_some_and(|file| !file.is_empty());
    let is_name = !author.is_empty() && author.chars().all(|c| c.is_alphabetic() && !c.is_uppercase());
    (is_name && has_file && numbers.into_iter().all(is_number)).then_some(author)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_and_folders_name_authors() {
        for (path, expected) in [
            ("Fatima Åkesson_4711_assignsubmission_file/essay.docx", Some("Fatima Åkesson")),
            ("Fatima Åkesson_4711_assignsubmission_onlinetext/onlinetext.html", Some("Fatima Åkesson")),
            ("group 1/Fatima Åkesson_4711_assignsubmission_file/essay.docx", Some("Fatima Åkesson")),
            ("Fatima Åkesson_4711_assignsubmission_file_my_essay.docx", Some("Fatima Åkesson")),
            ("Essay 1_fakesson_attempt_2026-11-20-08-30-00_essay.docx", Some("fakesson")),
            ("akessonfatima_LATE_4711_815_essay.docx", Some("akessonfatima")),
            ("akessonfatima_4711_815_essay.docx", Some("akessonfatima")),
            ("anna/essay.txt", Some("anna")),
            ("anna/drafts/chapter_1_2_last.txt", Some("anna")),
            ("essay.txt", None),
            ("chapter_1_last.txt", None),
            ("a_assignsubmission_file/essay.txt", Some("a_assignsubmission_file")),
        ] {
            let inputs = [PathBuf::from("class.zip")];
            assert_eq!(of_path(&Path::new("class.zip").join(path), &inputs).as_deref(), expected, "{path}");
        }
        assert_eq!(of_path(Path::new("elsewhere/essay.txt"), &[PathBuf::from("class")]), None);
        assert_eq!(below(Path::new("class/anna.txt"), &[PathBuf::from("class/anna.txt")]).unwrap(), ["anna.txt"]);
    }
}
