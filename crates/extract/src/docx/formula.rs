//! The signs of a formula that its text lacks: roots, brackets, sums, accents, fractions, and what divides cells.
//!
//! Source: ECMA-376, part 1, 22.1 (Office Math).

use std::borrow::Cow;

use crate::linear::{CELLS, ROWS, enclose};
use crate::paragraphs::Paragraphs;
use crate::xml::Element;

/// The signs of the formulas that are open.
#[derive(Default)]
pub(super) struct Formula {
    /// The operators that are still to be written: before what they apply to (`∑`), or behind it (a bar).
    operators: Stack<Sign>,
    /// The brackets that are open.
    brackets: Stack<Brackets>,
}

/// A sign, which most elements leave at its default.
type Sign = Cow<'static, str>;

/// The signs of brackets, and of what divides their parts.
struct Brackets {
    begin: Sign,
    divide: Sign,
    end: Sign,
    /// True once a part has begun.
    has_part: bool,
    /// Number of open parts: that of the brackets, and those of formulas within it.
    open: usize,
}

/// Things that are open, down to a depth; what is deeper is counted only.
struct Stack<T> {
    open: Vec<T>,
    deeper: usize,
}

/// Greatest depth of formulas that are read with their signs.
const DEPTH: usize = 1000;

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self { open: Vec::new(), deeper: 0 }
    }
}

impl<T> Stack<T> {
    fn push(&mut self, thing: T) {
        if self.open.len() < DEPTH {
            self.open.push(thing);
        } else {
            self.deeper += 1;
        }
    }

    fn pop(&mut self) -> Option<T> {
        if self.deeper == 0 {
            return self.open.pop();
        }
        self.deeper -= 1;
        None
    }

    fn last(&mut self) -> Option<&mut T> {
        if self.deeper == 0 { self.open.last_mut() } else { None }
    }
}

impl Formula {
    /// The sign that an element begins with, if it has one.
    pub(super) fn open(&mut self, element: &Element) -> Option<Sign> {
        let value = || Sign::from(element.attribute("val").unwrap_or_default());
        match element.name() {
            "naryPr" => self.operators.push("∫".into()),
            "acc" => self.operators.push("\u{302}".into()),
            "bar" => self.operators.push("\u{305}".into()),
            "groupChr" => self.operators.push("⏟".into()),
            "chr" => *self.operators.last()? = value(),
            "d" => self.begin("(", "|", ")"),
            // The rows of a matrix, and equations below each other.
            "m" | "eqArr" => self.begin("", ROWS, ""),
            "mr" => {
                let sign = self.part();
                self.begin("", CELLS, "");
                return sign;
            }
            "begChr" => self.brackets.last()?.begin = value(),
            "sepChr" => self.brackets.last()?.divide = value(),
            "endChr" => self.brackets.last()?.end = value(),
            "e" => return self.part(),
            _ => {}
        }
        None
    }

    fn begin(&mut self, begin: &'static str, divide: &'static str, end: &'static str) {
        let [begin, divide, end] = [begin, divide, end].map(Sign::from);
        self.brackets.push(Brackets { begin, divide, end, has_part: false, open: 0 });
    }

    /// The sign that a part of the innermost brackets begins with; `None` for one of a formula within it.
    fn part(&mut self) -> Option<Sign> {
        let brackets = self.brackets.last()?;
        brackets.open += 1;
        let is_own = brackets.open == 1;
        let had_part = brackets.has_part;
        brackets.has_part |= is_own;
        is_own.then(|| if had_part { brackets.divide.clone() } else { brackets.begin.clone() })
    }

    fn end_part(&mut self) {
        if let Some(brackets) = self.brackets.last() {
            brackets.open = brackets.open.saturating_sub(1);
        }
    }

    /// The sign that the end of an element writes, if there is one.
    pub(super) fn close(&mut self, name: &str) -> Option<Sign> {
        match name {
            "naryPr" | "acc" | "bar" | "groupChr" => self.operators.pop(),
            "d" | "m" | "eqArr" => self.brackets.pop().map(|brackets| brackets.end),
            "mr" => {
                self.brackets.pop();
                self.end_part();
                None
            }
            "e" => {
                self.end_part();
                None
            }
            _ => None,
        }
    }
}

/// The fractions that are open.
#[derive(Default)]
pub(super) struct Fractions {
    open: Stack<Fraction>,
    /// Number of sides of fractions that brackets do not tell.
    pub(super) unclear: usize,
    /// True behind a fraction: what follows is no part of it.
    is_behind: bool,
    /// True if nothing is drawn between the sides of the next fraction: a binomial coefficient.
    pub(super) has_no_bar: bool,
}

struct Fraction {
    /// Place in the paragraph where the open side begins.
    start: usize,
    /// What divides its sides.
    divide: &'static str,
}

impl Fractions {
    pub(super) fn open(&mut self, text: &mut Paragraphs) {
        if text.paragraph().ends_with(char::is_alphanumeric) {
            text.push(" ");
        }
        self.is_behind = false;
        let divide = if std::mem::take(&mut self.has_no_bar) { ROWS } else { "/" };
        self.open.push(Fraction { start: text.paragraph().len(), divide });
    }

    /// Ends the upper side.
    pub(super) fn divide(&mut self, text: &mut Paragraphs) {
        let Some(fraction) = self.open.last() else { return };
        let is_clear = enclose(text.paragraph(), fraction.start);
        text.push(fraction.divide);
        fraction.start = text.paragraph().len();
        self.unclear += usize::from(!is_clear);
        self.is_behind = false;
    }

    /// Ends a fraction.
    pub(super) fn close(&mut self, text: &mut Paragraphs) {
        let is_clear = self.open.pop().is_some_and(|fraction| enclose(text.paragraph(), fraction.start));
        self.unclear += usize::from(!is_clear);
        self.is_behind = true;
    }

    /// Divides a fraction from letters that follow it.
    pub(super) fn divide_from(&mut self, next: &str, text: &mut Paragraphs) {
        if std::mem::take(&mut self.is_behind) && next.starts_with(char::is_alphanumeric) {
            text.push(" ");
        }
    }
}
