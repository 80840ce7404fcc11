//! Words that do not count: quotations, bibliographies, program code, templates, common text, and the author's own name
//! and heading.
//!
//! Words left out stay in the text and in the report, but are in no share, and are no evidence ([`evidence`](super::evidence)):
//! what stands beside them must be a passage alone.

use std::ops::Range;

use super::Text;
use super::common::Noticed;
use super::evidence::Excluded;
use super::quotations::quotations;
use crate::align::{Key, Options, Passage, VERBATIM, align};
use crate::runs::joined;
use crate::text::code::code;

/// The words that do not count, apart from templates; by default all words count.
#[expect(clippy::struct_excessive_bools, reason = "each is a kind of text")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exclude {
    /// Text between quotation marks.
    pub quotations: bool,
    /// Text from a heading such as *References* to an appendix, the next heading, prose, or the end.
    pub bibliography: bool,
    /// Program code.
    pub code: bool,
    /// Text that many documents share: [`super::CommonText`].
    pub common: bool,
}

/// The rules by which words of every text of a run are left out.
pub(super) struct Exclusions<'a> {
    asked: Exclude,
    templates: &'a [Text],
    noticed: Noticed,
}

impl<'a> Exclusions<'a> {
    pub(super) fn new(asked: Exclude, templates: &'a [Text], noticed: Noticed) -> Self {
        Self { asked, templates, noticed }
    }

    /// Marks the words of an archived text that many documents share, that do not count, and that are no evidence.
    pub(super) fn mark(&self, text: &mut Text) {
        text.note_common(self.noticed.runs(text));
        text.exclude(self.of(text));
    }

    /// The rule for common text, with the texts that it found.
    pub(super) fn noticed(self) -> Noticed {
        self.noticed
    }

    /// The words of a text that do not count, and those that are no evidence.
    pub(super) fn of(&self, text: &Text) -> Excluded {
        let mut own = text.name_and_heading();
        for template in self.templates {
            let key = if template.language == text.language { Key::Stem } else { Key::Form };
            // A question of a sheet is shorter than a passage.
            let options = Options { min_words: VERBATIM, ..Options::default() };
            let passages = align(&text.words, &template.words, key, options);
            own.extend(passages.iter().flat_map(of_template));
        }
        let mut asked = Vec::new();
        if self.asked.quotations {
            asked.extend_from_slice(text.quoted());
        }
        if self.asked.bibliography {
            asked.extend(text.bibliography());
        }
        if self.asked.code {
            asked.extend_from_slice(text.code());
        }
        let with = |runs: &[Range<usize>]| joined([&own, runs].concat());
        let common = text.common();
        let left_out = joined([&own[..], &asked, if self.asked.common { common } else { &[] }].concat());
        let against = self.noticed.against(text).into_iter().map(|(source, runs)| (source, with(&runs))).collect();
        Excluded::new(&text.words, left_out, with(common), against, &joined(asked))
    }
}

impl Text {
    /// The words between quotation marks, as runs in order, left out or not.
    pub fn quoted(&self) -> &[Range<usize>] {
        self.quoted.get_or_init(|| {
            let mut runs = Vec::new();
            quotations(&self.text[..self.compared], |span| runs.push(words_in(self, span)));
            joined(runs)
        })
    }
}

/// The words that a passage has from a template. What stands between two of these is the template's, edited, where it has
/// as many words between them itself; else it is the author's, such as an answer between two questions.
fn of_template(passage: &Passage) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut last = 0;
    for (a, b) in passage.matched.iter().map(|&(a, b)| (a as usize, b as usize)) {
        match runs.last_mut() {
            Some(run) if a - run.end < b.saturating_sub(last) => run.end = a + 1,
            _ => runs.push(a..a + 1),
        }
        last = b;
    }
    runs
}

/// The words of program code, as runs in order.
pub(super) fn words_of_code(text: &Text) -> Vec<Range<usize>> {
    let runs = code(&text.text[..text.compared]).into_iter().map(|span| words_in(text, span));
    joined(runs.collect())
}

/// The words that lie in a span of bytes.
pub(super) fn words_in(text: &Text, span: Range<usize>) -> Range<usize> {
    let words = text.words.as_slice();
    let from = words.partition_point(|word| (word.start as usize) < span.start);
    from..from + words[from..].partition_point(|word| (word.end as usize) <= span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_words_of_a_template_is_its_own_if_it_is_longer_there() {
        let matched = vec![(2, 0), (3, 1), (5, 3), (6, 5), (9, 7), (20, 8), (21, 9)];
        assert_eq!(of_template(&Passage { matched, ..Passage::default() }), [2..7, 9..10, 20..22]);
    }
}
