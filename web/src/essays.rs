//! Essays are screened: files in memory become the answer that the page shows, and the report.

use nearcopy::observer::Observer;
use nearcopy::screen::{Exclude, Screening, Settings, Skipped};
use nearcopy::{Figures, Fingerprinter, Options, compare};
use nearcopy_corpus::inputs::{HeldFile, Selection};
use nearcopy_corpus::records::Reading;
use nearcopy_corpus::source;
use nearcopy_dedup::jobs::authors::Authors;
use nearcopy_dedup::jobs::screen::{HeldFiles, Job, screen_held};
use nearcopy_dedup::report::screening::Page;
use serde::{Deserialize, Serialize};

/// Memory for texts, fingerprints and alignments, in bytes: an instance of WebAssembly has at most 4 GiB.
pub(crate) const MAX_MEMORY: u64 = 1 << 30;

/// Maximum length of a document, in bytes.
pub(crate) const MAX_DOCUMENT: u64 = 64 << 20;

/// What a file is to the screening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An essay, or an archive of essays.
    Essay,
    /// A possible source.
    Source,
    /// An assignment, whose words do not count.
    Assignment,
}

impl Role {
    /// The role with a number: 0, 1 or 2.
    pub fn of(number: u32) -> Option<Self> {
        [Self::Essay, Self::Source, Self::Assignment].get(number as usize).copied()
    }

    /// The files of this role.
    pub fn files(self, files: &mut HeldFiles) -> &mut Vec<HeldFile> {
        match self {
            Self::Essay => &mut files.suspicious,
            Self::Source => &mut files.sources,
            Self::Assignment => &mut files.templates,
        }
    }
}

/// What a reader asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for or not")]
pub struct Asked {
    /// True if the files are those of a folder, to be audited, and no essays.
    pub folder: bool,
    /// The heading of the report; may be empty.
    pub title: String,
    /// The present time, RFC 3339 in UTC; the module has no clock.
    pub made: String,
    /// The shortest passage, in words.
    pub min_words: usize,
    /// True if the first folder of a file, or its name as a learning platform writes it, names its author.
    pub authors: bool,
    /// True to leave out quotations.
    pub no_quotations: bool,
    /// True to leave out lists of references.
    pub no_bibliography: bool,
    /// True to leave out what many essays share.
    pub no_common: bool,
    /// Number of threads.
    pub threads: usize,
    /// Files, and members of archives, that are not read.
    pub except: Vec<String>,
}

impl Asked {
    pub(crate) fn selection(&self) -> Selection {
        Selection { except: self.except.iter().map(|name| source::path(name)).collect(), ..Selection::default() }
    }
}

/// How files are read; `begins` is called with the name of each before.
pub(crate) fn reading(begins: fn(&str)) -> Reading {
    Reading { max_document: MAX_DOCUMENT, max_memory: MAX_MEMORY, begins, ..Reading::default() }
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            folder: false,
            title: String::new(),
            made: String::new(),
            min_words: nearcopy::align::Options::default().min_words,
            authors: true,
            no_quotations: false,
            no_bibliography: false,
            no_common: false,
            threads: 1,
            except: Vec::new(),
        }
    }
}

/// What was found, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Number of essays.
    pub essays: usize,
    /// Number of their authors; 0 if none is known.
    pub authors: usize,
    /// Number of sources.
    pub sources: usize,
    /// Number of pairs that share passages.
    pub pairs: usize,
    /// Number of passages.
    pub passages: usize,
    /// Number of files that could not be read.
    pub skipped: u64,
    /// The first of them.
    pub unread: Vec<Skipped>,
    /// The figures of the two texts, if there are just two.
    pub two: Option<Two>,
}

/// The figures of two texts, as `dedup compare` has them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Two {
    /// Distance of the simhashes, Jaccard coefficient and containment of the shingles.
    #[serde(flatten)]
    pub figures: Figures,
    /// Their languages, as ISO 639-3 codes.
    pub languages: [&'static str; 2],
}

/// The thresholds of a passage. A length other than the default holds for whole texts too.
fn options(min_words: usize) -> nearcopy::align::Options {
    let options = nearcopy::align::Options::default();
    nearcopy::align::Options { min_words, whole_texts: min_words == options.min_words, ..options }
}

/// Screens essays; returns what was found, and the report as an HTML page. Calls `begins` with the name of each file before
/// it is read.
///
/// # Errors
///
/// What is wrong, in words.
pub fn screen(
    files: HeldFiles,
    asked: &Asked,
    begins: fn(&str),
    observer: &dyn Observer,
) -> Result<(Found, Vec<u8>), String> {
    let job = Job {
        suspicious: Vec::new(),
        sources: Vec::new(),
        templates: Vec::new(),
        selection: asked.selection(),
        reading: reading(begins),
        authors: if asked.authors { Authors::Folders } else { Authors::Unknown },
        settings: Settings {
            language: None,
            options: options(asked.min_words),
            exclude: Exclude {
                quotations: asked.no_quotations,
                bibliography: asked.no_bibliography,
                code: false,
                common: asked.no_common,
            },
            translation: nearcopy::screen::Translation::default(),
            with_each_other: true,
            strict: false,
            threads: asked.threads,
            max_memory: MAX_MEMORY,
        },
    };
    let (against, templates) = (!files.sources.is_empty(), files.templates.len());
    let screening = screen_held(&job, files, observer).map_err(|error| error.to_string())?;
    let mut html = Vec::new();
    let page = Page { title: asked.title.clone(), made: asked.made.clone(), against, templates, ..Page::of(&job) };
    page.write(&screening, &mut html).map_err(|error| error.to_string())?;
    Ok((Found::of(&screening), html))
}

impl Found {
    fn of(screening: &Screening) -> Self {
        let two = match &screening.texts[..] {
            [a, b] if screening.read == 2 => Two::of([&a.text, &b.text]),
            _ => None,
        };
        Self {
            essays: screening.suspicious,
            authors: screening.authors().len(),
            sources: screening.sources,
            pairs: screening.matches.len(),
            passages: screening.matches.iter().map(|found| found.passages.len()).sum(),
            skipped: screening.skipped,
            unread: screening.unread.clone(),
            two,
        }
    }
}

impl Two {
    fn of([a, b]: [&str; 2]) -> Option<Self> {
        let [a, b] = Fingerprinter::new(Options::default()).ok()?.analyse_pair(a, b);
        let languages = [&a, &b].map(|analysis| analysis.detection.language.code());
        Some(Self { figures: compare(&a, &b).ok()?.figures, languages })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKEN: &str = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer \
        turns the iron in the furnace and lifts out a drop, and the blower gives it his breath before it stiffens.";

    fn file(name: &str, text: &str) -> HeldFile {
        HeldFile { name: name.into(), bytes: text.into(), modified: 0 }
    }

    #[test]
    fn essays_are_screened_with_each_other_and_with_sources() {
        let essay = format!("Our village had one ferry, and the ferryman was deaf. {TAKEN} Snow came early that year.");
        let suspicious = vec![
            file("class/Anna Berg_12_assignsubmission_file/essay.txt", &essay),
            file("class/Ben Cole_13_assignsubmission_file/essay.txt", TAKEN),
            // A Word document of old.
            HeldFile {
                name: "class/Ben Cole_13_assignsubmission_file/notes.doc".into(),
                modified: 0,
                bytes: [&b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"[..], &[0; 600]].concat(),
            },
            file("class/.DS_Store", "?"),
        ];
        let sources = vec![file("glass.html", &format!("<html><body><p>{TAKEN}</p></body></html>"))];
        let files = HeldFiles { suspicious: suspicious.clone(), sources, templates: Vec::new() };
        let asked = Asked { title: "Seminar <3>".into(), made: "2026-11-25T12:00:00Z".into(), ..Asked::default() };
        let (found, html) = screen(files, &asked, |_| {}, &()).unwrap();
        assert_eq!((found.essays, found.authors, found.sources, found.pairs, found.passages), (2, 2, 1, 3, 3));
        assert_eq!((found.skipped, found.unread.len(), found.two.is_none()), (1, 1, true));
        assert!(found.unread[0].name.ends_with("notes.doc"), "{found:?}");
        let html = String::from_utf8(html).unwrap();
        assert!(html.contains("Seminar \\u003c3") && html.ends_with("</html>\n"));
        // Without sources with each other, and not where one author has both.
        let both = |suspicious| HeldFiles { suspicious, ..HeldFiles::default() };
        assert_eq!(screen(both(suspicious.clone()), &asked, |_| {}, &()).unwrap().0.pairs, 1);
        let name = |number: usize| format!("class/Ben Cole_13_assignsubmission_file/{number}.txt");
        let alone: Vec<HeldFile> =
            [&*essay, TAKEN].into_iter().enumerate().map(|(number, text)| file(&name(number), text)).collect();
        assert_eq!(screen(both(alone.clone()), &asked, |_| {}, &()).unwrap().0.pairs, 0);
        assert_eq!(screen(both(alone), &Asked { authors: false, ..asked.clone() }, |_| {}, &()).unwrap().0.pairs, 1);
        // The assignment does not count.
        let files = HeldFiles {
            templates: vec![file("assignment.txt", TAKEN)],
            ..both(vec![file("a", &essay), file("b", TAKEN)])
        };
        assert_eq!(screen(files, &asked, |_| {}, &()).unwrap().0.pairs, 0);
    }

    #[test]
    fn two_texts_have_figures() {
        let two = |a: &str, b: &str| {
            let files = HeldFiles { suspicious: vec![file("a", a), file("b", b)], ..HeldFiles::default() };
            screen(files, &Asked::default(), |_| {}, &()).unwrap().0.two.unwrap()
        };
        let same = two(TAKEN, &TAKEN.to_uppercase());
        assert_eq!((same.figures.jaccard, same.figures.distance, same.languages), (Some(1.0), Some(0), ["eng"; 2]));
        let other = two(TAKEN, "Im Dorf gab es nur eine Fähre, und der Fährmann war taub, wie man am Ufer erzählte.");
        assert_eq!((other.figures.jaccard, other.languages), (Some(0.0), ["eng", "deu"]));
    }

    #[test]
    fn what_cannot_be_screened_is_told() {
        let told = |files| screen(files, &Asked::default(), |_| {}, &()).unwrap_err();
        let sources = vec![file("empty.txt", " ")];
        assert!(
            told(HeldFiles { suspicious: vec![file("a", TAKEN)], sources, ..HeldFiles::default() }).contains("sources")
        );
        assert_eq!(screen(HeldFiles::default(), &Asked::default(), |_| {}, &()).unwrap().0.essays, 0);
    }
}
