//! Lists of ids.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::corpus::source;

/// Maximum length of a line in bytes. An id, or an object with an id and a sketch, is far shorter.
const MAX_LINE: u64 = 16 << 20;

/// A line of JSON; its id is a string, or a number, which becomes a string.
#[derive(serde::Deserialize)]
struct Listed {
    id: serde_json::Value,
}

impl Listed {
    fn id(self) -> Option<String> {
        match self.id {
            serde_json::Value::String(id) => Some(id),
            serde_json::Value::Number(id) => Some(id.to_string()),
            _ => None,
        }
    }
}

/// An error in a list of ids.
#[derive(Debug)]
enum Wrong {
    Unreadable(io::Error),
    /// The number of a line, and its error.
    Line(u64, &'static str),
}

impl Wrong {
    fn in_words(self, name: &str) -> String {
        match self {
            Self::Unreadable(source) => crate::Error::Read { path: name.into(), source }.to_string(),
            Self::Line(number, what) => format!("{name}, line {number}: {what}; nothing was removed"),
        }
    }
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Reads a list of ids (`-`: standard input), each id once.
///
/// The list has one id a line, empty lines ignored, or JSON Lines of objects with an id; its first line decides
/// which. Memory grows with the number of different ids, not with the length of the list.
///
/// # Errors
///
/// A message that the list cannot be read, or that names a wrong line and its error.
pub(super) fn listed(path: &Path) -> Result<Vec<String>, String> {
    read(path).map_err(|wrong| wrong.in_words(&source::name(path)))
}

fn read(path: &Path) -> Result<Vec<String>, Wrong> {
    let mut from: Box<dyn BufRead> =
        if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(BufReader::new(File::open(path)?)) };
    let (mut ids, mut seen, mut is_json) = (Vec::new(), HashSet::new(), None);
    for number in 1.. {
        let mut line = Vec::new();
        let read = from.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
        let wrong = |what| Err(Wrong::Line(number, what));
        if read == 0 {
            break;
        }
        if read as u64 > MAX_LINE {
            return wrong("is longer than 16 MiB, the most that is allowed; name a list of one id a line");
        }
        let line = line.strip_suffix(b"\n").map_or(&line[..], |line| line.strip_suffix(b"\r").unwrap_or(line));
        let Ok(line) = std::str::from_utf8(line) else {
            return wrong("is not UTF-8, as ids must be; name a list of one id a line");
        };
        let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        if line.is_empty() {
            continue;
        }
        let of_json = || serde_json::from_str(line).ok().and_then(Listed::id);
        let id = match is_json {
            Some(false) => line.to_owned(),
            Some(true) => match of_json() {
                Some(id) => id,
                None => return wrong("is not a JSON object with an id, unlike the lines before it"),
            },
            None => {
                let id = of_json();
                is_json = Some(id.is_some());
                id.unwrap_or_else(|| line.to_owned())
            }
        };
        if seen.insert(blake3::hash(id.as_bytes())) {
            ids.push(id);
        }
    }
    Ok(ids)
}
