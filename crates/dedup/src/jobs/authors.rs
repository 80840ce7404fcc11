//! The author of a document: a field of its record, or a name in its path, as a learning platform exports it
//! (`platforms`). In a path without such a name the first folder below an input is the author.

mod namesakes;
mod platforms;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use icu_normalizer::ComposingNormalizerBorrowed;
pub(super) use namesakes::tell_apart;
use nearcopy_corpus::records::Batch;
pub use platforms::Platform;
pub(super) use platforms::{is_receipt, submitted};

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
    /// A field of the record ([`nearcopy_corpus::records::Fields::origin`]) names the author.
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
        let named = match self {
            Self::Unknown => None,
            Self::Folders | Self::Pattern(_) => of_batch,
            Self::Field => field.filter(|name| !name.is_empty()),
        };
        named.map(|name| one_form(name).into_owned())
    }
}

/// A name with its accented letters as one character each; systems write them as one or as two.
fn one_form(name: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(name)
}

/// The folders of a path below an input, and its file; of an input that is a file, its name.
fn below<'p>(path: &'p Path, inputs: &[PathBuf]) -> Option<Vec<Cow<'p, str>>> {
    let below = inputs.iter().find_map(|input| path.strip_prefix(input).ok())?;
    let below = if below.as_os_str().is_empty() { path.file_name().map(Path::new)? } else { below };
    Some(below.iter().map(|part| part.to_string_lossy()).collect())
}

/// The author that a path below an input names.
fn of_path(path: &Path, inputs: &[PathBuf]) -> Option<String> {
    let named = exported(path, inputs).map(|(_, author)| author);
    named.or_else(|| below(path, inputs)?.split_last()?.1.first().map(ToString::to_string))
}

/// The platform and the author that a path names below an input, or with the input's own name: a shell gives each folder
/// of an export as an input.
fn exported(path: &Path, inputs: &[PathBuf]) -> Option<(Platform, String)> {
    let mut parts = below(path, inputs)?;
    let named = |parts: &[Cow<'_, str>]| parts.split_last().and_then(|(file, folders)| platforms::named(folders, file));
    named(&parts).or_else(|| {
        let input = inputs.iter().find(|input| path.starts_with(input) && path != *input)?;
        parts.insert(0, input.file_name()?.to_string_lossy());
        named(&parts)
    })
}

/// The platform that exported all documents with an author, if one did; known by the names that it gives authors.
pub fn platform<'t>(paths: impl Iterator<Item = &'t str>, inputs: &[PathBuf]) -> Option<Platform> {
    let of = |path: &str| exported(Path::new(path), inputs).map(|(platform, _)| platform);
    let mut platforms = paths.map(of);
    let first = platforms.next()??;
    platforms.all(|platform| platform == Some(first)).then_some(first)
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
            ("Akesson_Fatima_fakesson_4711/essay.docx", Some("Fatima Akesson (fakesson)")),
            ("Akesson_Fatima_fakesson_4711/site/index.html", Some("Fatima Akesson (fakesson)")),
            ("von_Berg_Anna_aberg_12/essay.docx", Some("von Berg Anna (aberg)")),
            ("Team 12/Akesson_Fatima_fakesson_4711/essay.docx", Some("Team 12")),
            ("anna/essay_draft_version_2/essay.txt", Some("anna")),
            ("seminar_1/essay.txt", Some("seminar_1")),
            ("ita_Essay_2026/Akesson_Fatima_fakesson/2_submissions/essay.docx", Some("Fatima Akesson (fakesson)")),
            ("Akesson_Fatima_fakesson/4_revisions_1/essay.docx", Some("Fatima Akesson (fakesson)")),
            ("grouptask_E/The_Bees_12345/1_submissions/essay.docx", Some("The Bees")),
            ("anna/2_drafts/essay.docx", Some("anna")),
            ("anna/essay.txt", Some("anna")),
            ("anna/drafts/chapter_1_2_last.txt", Some("anna")),
            ("essay.txt", None),
            ("chapter_1_last.txt", None),
            ("a_assignsubmission_file/essay.txt", Some("a_assignsubmission_file")),
        ] {
            let inputs = [PathBuf::from("class.zip")];
            assert_eq!(of_path(&Path::new("class.zip").join(path), &inputs).as_deref(), expected, "{path}");
        }
        let inputs = ["class/Fatima Åkesson_4711_assignsubmission_file", "class/anna"].map(PathBuf::from);
        let of = |path: &str| of_path(Path::new(path), &inputs);
        assert_eq!(of("class/Fatima Åkesson_4711_assignsubmission_file/essay.docx").as_deref(), Some("Fatima Åkesson"));
        assert_eq!((of("class/anna/essay.docx"), of("class/anna/new/essay.docx").as_deref()), (None, Some("new")));
        assert_eq!(submitted("Essay 1_fakesson_attempt_2026-11-20-08-30-00_essay.docx"), Some(1_795_163_400));
        assert_eq!(submitted("Essay 1_fakesson_attempt_2026-13-20-08-30-00_essay.docx"), None);
        assert_eq!(of_path(Path::new("elsewhere/essay.txt"), &[PathBuf::from("class")]), None);
        assert_eq!(below(Path::new("class/anna.txt"), &[PathBuf::from("class/anna.txt")]).unwrap(), ["anna.txt"]);
    }
}
