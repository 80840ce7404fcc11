//! Collects the text of an office document, one paragraph per line.
//!
//! Text boxes come after the paragraph that they are anchored in, and notes at the end, so
//! that neither interrupts a sentence.

use crate::raised;

/// Maximum nesting depth of boxes and notes. Deeper ones join the text around them.
/// Programs make one or two levels, and the text of each level is copied once more.
const MAX_BOXES: usize = 8;

/// Paragraphs, boxes and notes.
#[derive(Default)]
pub(super) struct Paragraphs {
    /// The open flows: the document, a note or a box in it, a box in that.
    flows: Vec<Flow>,
    notes: String,
    /// Number of open boxes and notes beyond [`MAX_BOXES`].
    deeper: usize,
}

/// Paragraphs that follow each other.
#[derive(Default)]
struct Flow {
    done: String,
    paragraph: String,
    /// The boxes of the paragraph.
    boxes: String,
}

impl Flow {
    fn end(&mut self) {
        for text in [&self.paragraph, &self.boxes] {
            // White space around a paragraph means nothing.
            let text = text.trim();
            if !text.is_empty() {
                self.done.push_str(text);
                self.done.push('\n');
            }
        }
        self.paragraph.clear();
        self.boxes.clear();
    }
}

/// A place between two paragraphs.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    flows: usize,
    done: usize,
}

impl Paragraphs {
    /// The place after the last paragraph that has ended.
    pub(super) fn mark(&mut self) -> Mark {
        let done = self.flow().done.len();
        Mark { flows: self.flows.len(), done }
    }

    /// Repeats the paragraphs from a mark in the same flow, as often as `most` bytes allow; returns the number of added bytes.
    pub(super) fn repeat(&mut self, from: Mark, times: usize, most: usize) -> usize {
        let done = &mut self.flow().done;
        let length = done.len().saturating_sub(from.done);
        let times = times.min(most.checked_div(length).unwrap_or(0));
        if times == 0 || from.flows != self.flows.len() {
            return 0;
        }
        let added = self.flow().done[from.done..].repeat(times);
        self.flow().done.push_str(&added);
        added.len()
    }

    fn flow(&mut self) -> &mut Flow {
        if self.flows.is_empty() {
            self.flows.push(Flow::default());
        }
        let last = self.flows.len() - 1;
        &mut self.flows[last]
    }

    /// Adds text to the paragraph.
    pub(super) fn push(&mut self, text: &str) {
        self.flow().paragraph.push_str(text);
    }

    /// Adds the mark of a note, with raised digits. It stands apart from the word or mark before it: raised digits count as
    /// digits, which would join both.
    pub(super) fn push_note_mark(&mut self, mark: &str) {
        if self.flow().paragraph.ends_with(char::is_alphanumeric) {
            self.push(" ");
        }
        self.push(&raised::exponent(mark));
    }

    /// The paragraph so far.
    pub(super) fn paragraph(&mut self) -> &mut String {
        &mut self.flow().paragraph
    }

    /// True if the paragraph is empty or ends with white space.
    pub(super) fn is_at_blank(&mut self) -> bool {
        let paragraph = &self.flow().paragraph;
        paragraph.is_empty() || paragraph.ends_with(char::is_whitespace)
    }

    /// Ends the paragraph.
    pub(super) fn end(&mut self) {
        self.flow().end();
    }

    /// Begins a box or a note, with its own paragraphs.
    pub(super) fn begin_aside(&mut self) {
        self.flow();
        if self.flows.len() > MAX_BOXES {
            self.deeper += 1;
        } else {
            self.flows.push(Flow::default());
        }
    }

    /// Ends a box; its text follows the paragraph around it.
    pub(super) fn end_box(&mut self) {
        let done = self.end_aside();
        self.flow().boxes.push_str(&done);
    }

    /// Ends a note; its text goes to the end.
    pub(super) fn end_note(&mut self) {
        let done = self.end_aside();
        self.notes.push_str(&done);
    }

    fn end_aside(&mut self) -> String {
        self.end();
        if self.deeper > 0 {
            self.deeper -= 1;
            return String::new();
        }
        // The document itself stays open.
        if self.flows.len() > 1 { self.flows.pop().unwrap_or_default().done } else { String::new() }
    }

    /// Returns the text.
    pub(super) fn finish(mut self) -> String {
        while self.flows.len() > 1 {
            self.end_box();
        }
        self.end();
        let mut text = std::mem::take(&mut self.flow().done);
        text.push_str(&self.notes);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_follow_their_paragraph_and_notes_come_last() {
        let mut text = Paragraphs::default();
        text.push("The tide ");
        text.begin_aside();
        text.push("in a box");
        text.end();
        text.end_box();
        text.begin_aside();
        text.push("a note");
        text.end_note();
        text.push("rises. ");
        text.end();
        text.end();
        text.push("It falls.");
        assert_eq!(text.finish(), "The tide rises.\nin a box\nIt falls.\na note\n");
    }

    #[test]
    fn what_is_never_closed_or_never_opened_loses_nothing() {
        let mut text = Paragraphs::default();
        text.end_box();
        for i in 0..1000 {
            text.push(&format!("{i} "));
            text.begin_aside();
        }
        for _ in 0..500 {
            text.end_note();
        }
        let words = text.finish();
        for i in 0..1000 {
            assert!(words.split_whitespace().any(|word| word == i.to_string()), "{i}");
        }
    }
}
