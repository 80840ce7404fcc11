//! Labelled data whose suspicious documents are cut into parts, as if they were short essays.
//!
//! No case is cut: a border that would fall into one moves to its beginning, or to its end if the part would be shorter
//! than half. Passages are scored by their places in the whole documents.

use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::Path;

use super::measures::{Case, Scores};
use super::{found, head, pan, row, screen};

pub(crate) fn run([suspicious, sources, truth, pairs]: [&Path; 4], lengths: &[usize]) -> Result<(), Box<dyn Error>> {
    let pairs = fs::read_to_string(pairs)?;
    let pairs = pan::pairs(&pairs);
    let cases = pan::cases(truth)?;
    head("words of a part");
    for &length in lengths {
        let folder = tempfile::tempdir()?;
        for entry in fs::read_dir(suspicious)? {
            let path = entry?.path();
            let (name, text) = (path.file_name().unwrap_or_default().to_string_lossy(), fs::read_to_string(&path)?);
            let own: Vec<&Range<usize>> =
                cases.iter().filter(|case| case.suspicious == name).map(|case| &case.here).collect();
            let text: Vec<char> = text.chars().collect();
            for part in parts(&text, &own, length) {
                let file = folder.path().join(format!("{}@{name}", part.start));
                fs::write(file, text[part].iter().collect::<String>())?;
            }
        }
        let mut found = found(&screen(vec![folder.path().to_owned()], vec![sources.to_owned()])?);
        for case in &mut found {
            let (start, name) = case.suspicious.split_once('@').ok_or("a part without a place")?;
            let start: usize = start.parse()?;
            *case = Case {
                suspicious: name.to_owned(),
                here: case.here.start + start..case.here.end + start,
                source: std::mem::take(&mut case.source),
                there: case.there.clone(),
            };
        }
        found.retain(|case| pairs.contains(&(&*case.suspicious, &*case.source)));
        row(&length.to_string(), &Scores::new(&cases, &found));
    }
    Ok(())
}

/// The parts of a text of some `length` words each, in characters.
fn parts(text: &[char], cases: &[&Range<usize>], length: usize) -> Vec<Range<usize>> {
    let begins = |at: &usize| !text[*at].is_whitespace() && (*at == 0 || text[at - 1].is_whitespace());
    let words: Vec<usize> = (0..text.len()).filter(begins).collect();
    let word_at = |place: usize| words.partition_point(|&word| word < place);
    let (mut parts, mut start, mut first) = (Vec::new(), 0, 0);
    while words.len() - first > length * 3 / 2 {
        let mut next = first + length;
        while let Some(case) = cases.iter().find(|case| case.start < words[next] && words[next] < case.end) {
            let before = word_at(case.start);
            next = if next == first + length && before >= first + length / 2 { before } else { word_at(case.end) };
            if next >= words.len() {
                break;
            }
        }
        if next + length / 3 > words.len() {
            break;
        }
        parts.push(start..words[next]);
        (start, first) = (words[next], next);
    }
    parts.push(start..text.len());
    parts
}
