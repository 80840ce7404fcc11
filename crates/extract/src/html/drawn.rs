//! What a browser draws by the markup of a page, written into the page as text: numbers of lists, formulas in `MathML`.
//!
//! Cost: linear; each formula is searched for its end within [`MAX_FORMULA`] bytes.
//!
//! Source: HTML (4.4.5: `ol`; 4.4.8: `li`), `MathML` Core (3: presentation elements).

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{SHADOW, comment, raw_text};
use crate::linear::{CELLS, ROWS, enclose};
use crate::raised::exponent;

/// Maximum length of a formula in bytes; longer ones are read as other elements are.
const MAX_FORMULA: usize = 16 << 10;

/// Maximum length of a tag in bytes that is looked at.
const MAX_TAG: usize = 1024;

/// Maximum depth of elements in a formula.
const MAX_DEPTH: usize = 100;

/// A tag in the source of a page.
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    is_end: bool,
    /// The place behind it.
    end: usize,
}

impl<'a> Tag<'a> {
    /// The tag that begins at a `<`.
    fn at(html: &'a str, start: usize) -> Option<Self> {
        let window = &html.as_bytes()[start..html.len().min(start + MAX_TAG)];
        let end = start + end_of_tag(window)?;
        let inner = &html[start + 1..end];
        let is_end = inner.starts_with('/');
        let inner = inner.trim_start_matches('/');
        let length = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(length);
        Some(Self { name, attributes, is_end, end: end + 1 })
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute that is a number.
    fn number(&self, attribute: &str) -> Option<i32> {
        let is_name = |at: &usize| self.attributes[..*at].ends_with(|c: char| c.is_ascii_whitespace());
        let lower = self.attributes.to_ascii_lowercase();
        let (at, _) = lower.match_indices(attribute).find(|(at, _)| is_name(at))?;
        let value = self.attributes[at + attribute.len()..].trim_start().strip_prefix('=')?;
        let value = value.trim_start().trim_start_matches(['"', '\'']).trim_start();
        let length = value.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(value.len());
        value[..length].parse().ok()
    }

    /// True if a list or an item shows no number.
    fn has_no_number(&self) -> bool {
        self.attributes.contains("list-style") && self.attributes.contains("none")
    }
}

/// The place of the `>` that ends a tag: the first one outside of quoted values, or else the first.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'>', b'"', b'\'', &tag[at..]).map(|found| at + found) {
        if tag[found] == b'>' {
            return Some(found);
        }
        let Some(close) = memchr::memchr(tag[found], &tag[found + 1..]) else { break };
        at = found + 1 + close + 1;
    }
    memchr::memchr(b'>', tag)
}

/// A page with such text.
pub(super) struct Drawn<'a> {
    pub(super) page: Cow<'a, str>,
    /// Number of its formulas whose text leaves their layout unclear.
    pub(super) unclear: usize,
    /// True if it has a template that is shown.
    pub(super) has_shadow: bool,
}

pub(super) fn in_page(html: &str) -> Drawn<'_> {
    let (mut page, mut done, mut at, mut unclear, mut has_shadow) = (String::new(), 0, 0, 0, false);
    // The number of the next item of a list that does not begin with 1.
    let mut first = None;
    while let Some(start) = memchr::memchr(b'<', &html.as_bytes()[at..]).map(|start| at + start) {
        at = start + 1;
        if html[at..].starts_with("!--") {
            at += comment(&html.as_bytes()[at..]);
            continue;
        }
        let Some(tag) = Tag::at(html, start) else { continue };
        if tag.is("ol") || tag.is("ul") {
            let is_numbered = tag.is("ol") && !tag.is_end && !tag.has_no_number();
            first = tag.number("start").filter(|&number| is_numbered && number != 1);
        } else if tag.is("li") && !tag.is_end {
            let number = tag.number("value").or(first.take()).filter(|_| !tag.has_no_number());
            if let Some(number) = number {
                page.push_str(&html[done..tag.end]);
                let _ = write!(page, "{number}. ");
                done = tag.end;
            }
        } else if tag.is("math") && !tag.is_end {
            let rest = &html.as_bytes()[tag.end..html.len().min(tag.end + MAX_FORMULA)];
            let Some(end) = memchr::memmem::find(rest, b"</math").map(|end| tag.end + end) else { continue };
            let Some(formula) = Formula::read(&html[tag.end..end]) else { continue };
            unclear += usize::from(formula.is_unclear);
            page.extend([&html[done..start], " ", &formula.text, " "]);
            done = Tag::at(html, end).map_or(end, |tag| tag.end);
            at = done;
        } else if !tag.is_end {
            has_shadow |= tag.is("template") && tag.attributes.to_ascii_lowercase().contains(SHADOW);
            at = tag.end + raw_text(html, start, tag.end);
        }
    }
    let page = if done == 0 { Cow::Borrowed(html) } else { Cow::Owned(page + &html[done..]) };
    Drawn { page, unclear, has_shadow }
}

/// A formula in one line, in the source of a page.
#[derive(Default)]
struct Formula<'a> {
    text: String,
    open: Vec<Open<'a>>,
    /// Place in the text where the last index or exponent begins, which stands right behind what it belongs to.
    index: Option<usize>,
    is_unclear: bool,
}

/// An open element of a formula.
struct Open<'a> {
    tag: Tag<'a>,
    /// Number of elements in it so far.
    parts: usize,
    /// Place in the text where the last of these begins.
    start: usize,
    is_raised: bool,
    is_shown: bool,
}

impl<'a> Formula<'a> {
    /// The formula of what stands in a `math` element; `None` if it cannot be told.
    fn read(source: &'a str) -> Option<Self> {
        let (mut formula, mut at) = (Self::default(), 0);
        while let Some(start) = memchr::memchr(b'<', &source.as_bytes()[at..]).map(|start| at + start) {
            formula.push(&source[at..start]);
            let tag = Tag::at(source, start)?;
            at = tag.end;
            if tag.is("math") || formula.open.len() > MAX_DEPTH {
                return None;
            } else if tag.is_end {
                let open = formula.open.pop().filter(|open| open.tag.is(tag.name))?;
                formula.close(&open);
            } else if source[start..].starts_with("<!--") {
                at = start + 1 + comment(&source.as_bytes()[start + 1..]);
            } else {
                formula.begin(tag);
            }
        }
        formula.push(&source[at..]);
        formula.open.is_empty().then_some(formula)
    }

    fn push(&mut self, text: &str) {
        let text = text.trim();
        let (is_raised, is_shown) = self.open.last().map_or((false, true), |open| (open.is_raised, open.is_shown));
        if text.is_empty() || !is_shown {
            return;
        }
        // A bar alone does not count when texts are compared.
        let is_bar = matches!(text, "¯" | "‾" | "&macr;" | "&OverBar;" | "&#xAF;" | "&#175;" | "&#x203E;");
        let text = if is_bar { "\u{305}" } else { text };
        if self.index != Some(self.text.len())
            && self.text.ends_with(|c: char| c.is_alphanumeric() || c == ';')
            && text.starts_with(|c: char| c.is_alphanumeric() || c == '&')
        {
            self.text.push(' ');
        }
        // References to characters stay what they are.
        self.text.push_str(&if is_raised && !text.contains('&') { exponent(text) } else { Cow::Borrowed(text) });
    }

    fn begin(&mut self, tag: Tag<'a>) {
        let (mut is_raised, mut is_shown) = (false, !tag.name.starts_with("annotation"));
        if let Some(around) = self.open.last_mut() {
            is_shown &= around.is_shown;
            is_raised = around.is_raised;
            let divide = match (around.tag.name, around.parts) {
                (_, 0) => "",
                ("mfrac", 1) if around.tag.number("linethickness") == Some(0) => ROWS,
                ("mfrac", 1) => "/",
                ("mroot", 1) | ("mtable", _) => ROWS,
                ("mtr" | "mlabeledtr", _) => CELLS,
                ("mfenced", _) => ",",
                _ => "",
            };
            let has_index = matches!(around.tag.name, "msub" | "msup" | "msubsup") && around.parts > 0;
            self.index = if has_index { Some(self.text.len()) } else { self.index };
            is_raised |= matches!((around.tag.name, around.parts), ("msup", 1) | ("msubsup", 2));
            if around.tag.name == "mfrac" {
                self.is_unclear |= around.parts > 0 && !enclose(&mut self.text, around.start);
            }
            self.text.push_str(divide);
            around.parts += 1;
            around.start = self.text.len();
        }
        match tag.name {
            "msqrt" | "mroot" => self.text.push('√'),
            "mfenced" => self.text.push('('),
            _ => {}
        }
        if !tag.attributes.ends_with('/') {
            self.open.push(Open { tag, parts: 0, start: self.text.len(), is_raised, is_shown });
        }
    }

    fn close(&mut self, open: &Open) {
        match open.tag.name {
            "mfrac" => self.is_unclear |= !enclose(&mut self.text, open.start),
            "mfenced" => self.text.push(')'),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(html: &str) -> (String, usize) {
        let Drawn { page, unclear, .. } = in_page(html);
        (page.into_owned(), unclear)
    }

    #[test]
    fn formulas_are_lines() {
        for (formula, expected, unclear) in [
            ("<mn>1</mn><mn>2</mn>", "1 2", 0),
            ("<mn data-of='>0'>1</mn><mn>2</mn>", "1 2", 0),
            ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>", "1/2 x", 0),
            ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c", 1),
            ("<mi>a</mi><mo>+</mo><mfrac><mi>b</mi><mi>c</mi></mfrac>", "a+b/c", 0),
            ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", "n ;; k", 0),
            ("<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>", "xⁿ⁺¹", 0),
            ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><mo>&lt;</mo><mi>&pi;</mi>", "xi² &lt; &pi;", 0),
            ("<msqrt><mn>2</mn></msqrt>", "√2", 0),
            ("<mover><mi>A</mi><mo>&#xAF;</mo></mover>", "A\u{305}", 0),
            ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mspace/></mtd></mtr><mtr><mtd/></mtr></mtable>", "1 &  ;; ", 0),
            ("<semantics><mi>x</mi><annotation>\\x</annotation></semantics><!-- no -->", "x", 0),
        ] {
            let page = format!("a<math display='block'>{formula}</math>b");
            assert_eq!(drawn(&page), (format!("a {expected} b"), unclear));
        }
        for broken in ["<math><mi>x", "<math><mi>x</mo></math>", "<math", "<mi>é</mi>"] {
            assert_eq!(drawn(broken), (broken.to_owned(), 0));
        }
        let raw = "<!-- <math> --> a <script>'<math>'</script><math><mi>x</mi></math>";
        assert_eq!(drawn(raw).0, "<!-- <math> --> a <script>'<math>'</script> x ");
    }

    #[test]
    fn numbers_of_lists_are_text_where_the_page_says_them() {
        for (list, expected) in [
            ("<ol start=5><li>a<li>b</ol><ol><li>c</ol>", "<ol start=5><li>5. a<li>b</ol><ol><li>c</ol>"),
            ("<OL START=\"5\">\n<LI class=x>a", "<OL START=\"5\">\n<LI class=x>5. a"),
            ("<ol class=x start = '-6'> <li>a", "<ol class=x start = '-6'> <li>-6. a"),
            ("<ol><li value=\"7\">a", "<ol><li value=\"7\">7. a"),
            ("<ol start=1><li>a", "<ol start=1><li>a"),
            ("<ol start=5><ul><li>a</ul>", "<ol start=5><ul><li>a</ul>"),
            ("<ol start=5 style='list-style: none'><li>a", "<ol start=5 style='list-style: none'><li>a"),
            ("<li data-value=5>a<option value=5>", "<li data-value=5>a<option value=5>"),
        ] {
            assert_eq!(drawn(list).0, expected);
        }
    }
}
