//! Records without parts of their text: all other bytes are kept, and what is left of the text is written as its format has
//! it.
//!
//! Cost: parsing each record that is cut.

use std::ops::Range;

use super::batch::Content;
use super::convert::NotConverted;
use super::{Batch, Kind};

/// What becomes of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It is copied.
    Keep,
    /// It is left out.
    Drop,
    /// It is copied without these bytes of its text: spans in order, none of which overlap.
    Cut(Vec<Range<usize>>),
}

/// A text without some of its bytes.
pub fn without(text: &str, spans: &[Range<usize>]) -> Option<String> {
    let (mut kept, mut at) = (String::with_capacity(text.len()), 0);
    for span in spans {
        kept.push_str(text.get(at..span.start)?);
        at = span.end;
    }
    kept.push_str(text.get(at..)?);
    Some(kept)
}

/// The reason why a text is not the one that the spans are of.
pub(crate) const OTHER_TEXT: &str =
    "its text is not the one that was read before; retry when nothing else writes to its file";

/// The reason why a text cannot be cut without changing the rest of it.
pub(crate) const NOT_UTF_8: &str = "it is not in UTF-8; convert it first, for example with `iconv -f LATIN1 -t UTF-8`";

impl Batch {
    /// The bytes of a line or a row, without spans of its text.
    pub(crate) fn cut(&self, raw: &[u8], spans: &[Range<usize>]) -> Result<Vec<u8>, NotConverted> {
        let uncut = |what: &str| NotConverted::Uncut(what.to_owned());
        let is_other = self.reading.encoding.is_some_and(|encoding| encoding != crate::Encoding::UTF_8);
        if is_other {
            return Err(uncut(NOT_UTF_8));
        }
        // Other columns of a table may have malformed bytes.
        let line = || str::from_utf8(raw).map_err(|_| uncut(NOT_UTF_8));
        let field = &self.reading.fields.text;
        let (span, text) = match &self.content {
            Content::Block { columns: Some(columns), .. } => {
                let span = columns.dialect.span(raw, columns.text).ok_or_else(|| uncut(OTHER_TEXT))?;
                let text = super::table::Dialect::value(&raw[span.clone()]).into_owned();
                (span, text)
            }
            _ if self.file.kind == Kind::Jsonl => {
                let line = line()?;
                let span = of_field(line, field).ok_or_else(|| uncut(OTHER_TEXT))?;
                let text = serde_json::from_str::<String>(&line[span.clone()]);
                (span, text.map_err(|_| uncut(OTHER_TEXT))?.into_bytes())
            }
            // `ID text`: the text is the rest of the line.
            _ => {
                let line = line()?;
                let start = line.find([' ', '\t']).map_or(line.len(), |end| end + 1);
                let end = start.max(line.trim_ascii_end().len());
                (start..end, raw[start..end].to_vec())
            }
        };
        let text = String::from_utf8(text).map_err(|_| uncut(NOT_UTF_8))?;
        let kept = without(&text, spans).ok_or_else(|| uncut(OTHER_TEXT))?;
        let written = match &self.content {
            Content::Block { columns: Some(columns), .. } => columns.dialect.written(&kept, &raw[span.clone()]),
            _ if self.file.kind == Kind::Jsonl => {
                serde_json::to_string(&kept).map_err(|error| uncut(&error.to_string()))?
            }
            _ => kept,
        };
        Ok([&raw[..span.start], written.as_bytes(), &raw[span.end..]].concat())
    }
}

/// The bytes of a field's value in a line of JSON; dots lead into nested objects.
fn of_field(line: &str, name: &str) -> Option<Range<usize>> {
    let object = serde_json::from_str(line.trim_start_matches('\u{feff}').trim()).ok()?;
    let raw = super::json::inside(object, name)?.get();
    // The value is a part of the line.
    let start = raw.as_ptr() as usize - line.as_ptr() as usize;
    Some(start..start + raw.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_is_found_in_its_line() {
        for (line, name, expected) in [
            (" {\"a\": 1, \"text\" : \"x\\\"y\" }\r\n", "text", "\"x\\\"y\""),
            ("\u{feff}{\"text\":\"a\",\"text\":\"b\"}", "text", "\"b\""),
            ("{\"a\":{\"b\":{\"c\":\"deep\"}},\"a.b\":{\"d\":\"dotted\"}}", "a.b.c", "\"deep\""),
            ("{\"a\":{\"b\":\"nested\"},\"a.b\":\"whole\"}", "a.b", "\"whole\""),
        ] {
            assert_eq!(&line[of_field(line, name).unwrap()], expected, "{line}");
        }
        assert_eq!(of_field("{\"a\":1}", "b"), None);
    }

    proptest! {
        #[test]
        fn what_is_kept_and_what_is_cut_are_the_text(text in ".{0,30}", cuts in prop::collection::vec(0usize..40, 0..6)) {
            let mut ends: Vec<usize> = cuts.into_iter().filter(|&cut| text.is_char_boundary(cut)).collect();
            ends.sort_unstable();
            let spans: Vec<Range<usize>> = ends.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            let mut kept = without(&text, &spans).unwrap();
            for span in &spans {
                kept.insert_str(span.start, &text[span.clone()]);
            }
            prop_assert_eq!(kept, text);
        }
    }
}
