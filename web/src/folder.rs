//! A folder is audited: what every file is to another, as the page of `dedup audit` and as its list in CSV.

use nearcopy::observer::Observer;
use nearcopy::search::effort::Effort;
use nearcopy::similarity::Rules;
use nearcopy::texts::loaded::Search;
use nearcopy_corpus::inputs::HeldFile;
use nearcopy_dedup::jobs::audit::{Audit, Class, audit_held};
use nearcopy_dedup::jobs::fingerprint::Job;
use nearcopy_dedup::report::audit::{AuditedFile, Page};
use nearcopy_dedup::report::listing::{Form, Listing};
use serde::Serialize;

use crate::essays::{Asked, MAX_MEMORY, reading};

/// What was found, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Counts {
    /// Number of files.
    pub files: usize,
    /// Number of families: files that are versions of one, or equal to it.
    pub families: u32,
    /// Number and bytes of the files of each class that has any.
    pub classes: Vec<(Class, u64, u64)>,
}

/// Audits the files of a folder; returns the numbers, the page, and the list of all files as CSV. Calls `begins` as
/// [`screen`](crate::screen) does.
///
/// # Errors
///
/// What is wrong, in words.
pub fn audit(
    files: Vec<HeldFile>,
    asked: &Asked,
    begins: fn(&str),
    observer: &dyn Observer,
) -> Result<(Counts, Vec<u8>, Vec<u8>), String> {
    let job = Job {
        inputs: Vec::new(),
        selection: asked.selection(),
        reading: reading(begins),
        options: nearcopy::Options::default(),
        shingles: true,
        passages: None,
        strict: false,
        unique_ids: false,
        threads: asked.threads,
    };
    let effort = Effort { threads: asked.threads, max_memory: MAX_MEMORY as usize };
    let search = Search { rules: Rules::default(), recall: nearcopy::search::plan::RECALL, effort };
    let audit = audit_held(&job, files, &search, observer).map_err(|error| error.to_string())?;
    let (mut html, mut list) = (Vec::new(), Vec::new());
    let page = Page { title: asked.title.clone(), made: asked.made.clone(), ..Page::default() };
    page.write(&audit, None, &mut html).map_err(|error| error.to_string())?;
    write_list(&audit, &mut list).map_err(|error| error.to_string())?;
    Ok((Counts::of(&audit), html, list))
}

fn write_list(audit: &Audit, out: &mut Vec<u8>) -> std::io::Result<()> {
    let mut listing = Listing::new(out, Form::Csv);
    AuditedFile::all(audit).try_for_each(|file| listing.push(&file))?;
    listing.finish::<AuditedFile<'_>>()
}

impl Counts {
    fn of(audit: &Audit) -> Self {
        let of_class = |class| {
            let (count, bytes) = audit.count(class);
            (class, count, bytes)
        };
        let classes = Class::ALL.map(of_class).into_iter().filter(|&(_, count, _)| count > 0).collect();
        Self { files: audit.files.len(), families: audit.families, classes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns \
        the iron in the furnace and lifts out a drop, and the blower gives it his breath before it stiffens.";

    #[test]
    fn every_file_of_a_folder_is_in_the_answer() {
        let file = |name: &str, bytes: &[u8]| HeldFile { name: name.into(), bytes: bytes.into(), modified: 0 };
        let scan = [&b"\x89PNG\r\n\x1a\n"[..], &[0; 300]].concat();
        let longer = format!("{TEXT} The furnace is never let out, not even on a Sunday.");
        let files = vec![
            file("box/b.txt", TEXT.to_uppercase().as_bytes()),
            file("box/a.txt", TEXT.as_bytes()),
            file("box/scan 1.png", &scan),
            file("box/scan 2.png", &scan),
            file("box/copy.txt", TEXT.as_bytes()),
            file("box/longer.txt", longer.as_bytes()),
            file("box/other.txt", b"The ferry crosses the lake on Saturday, and at the landing we eat smoked fish."),
        ];
        let asked =
            Asked { folder: true, title: "Box <1>".into(), made: "2026-11-25T12:00:00Z".into(), ..Asked::default() };
        let (counts, html, list) = audit(files.clone(), &asked, |_| {}, &()).unwrap();
        let classes: Vec<(&str, u64)> = counts.classes.iter().map(|(class, count, _)| (class.name(), *count)).collect();
        assert_eq!((counts.files, counts.families), (7, 2));
        let expected = [("bytes", 2), ("same", 1), ("version", 1), ("kept", 1), ("unique", 1), ("unread", 1)];
        assert_eq!(classes, expected, "{counts:?}");
        let html = String::from_utf8(html).unwrap();
        assert!(html.contains("Box \\u003c1") && html.ends_with("</html>\n"));
        let list = String::from_utf8(list).unwrap();
        assert_eq!(list.lines().count(), 8);
        assert!(list.starts_with("file,bytes,"), "{list}");
        // The order in which a browser gives files changes nothing.
        let reversed = files.into_iter().rev().collect();
        assert_eq!(String::from_utf8(audit(reversed, &asked, |_| {}, &()).unwrap().2).unwrap(), list);
    }
}
