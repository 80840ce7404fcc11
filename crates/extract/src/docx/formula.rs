//! The signs of a formula that its text lacks: roots, brackets, sums, accents.
//!
//! Source: ECMA-376, part 1, 22.1 (Office Math).

use std::borrow::Cow;

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
            "acc" => self.operators.push("^".into()),
            "bar" => self.operators.push("‾".into()),
            "groupChr" => self.operators.push("⏟".into()),
            "chr" => *self.operators.last()? = value(),
            "d" => {
                let [begin, divide, end] = ["(", "|", ")"].map(Sign::from);
                self.brackets.push(Brackets { begin, divide, end, has_part: false, open: 0 });
            }
            "begChr" => self.brackets.last()?.begin = value(),
            "sepChr" => self.brackets.last()?.divide = value(),
            "endChr" => self.brackets.last()?.end = value(),
            "e" => {
                let brackets = self.brackets.last()?;
                brackets.open += 1;
                let is_own = brackets.open == 1;
                let had_part = brackets.has_part;
                brackets.has_part |= is_own;
                return is_own.then(|| if had_part { brackets.divide.clone() } else { brackets.begin.clone() });
            }
            _ => {}
        }
        None
    }

    /// The sign that the end of an element writes, if there is one.
    pub(super) fn close(&mut self, name: &str) -> Option<Sign> {
        match name {
            "naryPr" | "acc" | "bar" | "groupChr" => self.operators.pop(),
            "d" => self.brackets.pop().map(|brackets| brackets.end),
            "e" => {
                let brackets = self.brackets.last()?;
                brackets.open = brackets.open.saturating_sub(1);
                None
            }
            _ => None,
        }
    }
}
