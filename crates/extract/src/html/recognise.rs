//! Distinguishes web pages from plain texts.
//!
//! A text that begins with an HTML doctype or `<html>` is a page. A file whose ending
//! promises text is a page in no other case: Markdown, too, begins with `<p align=center>`
//! and `<a href>`. Without such an ending, `<head>`, `<title>` and the like also begin a
//! page. Nor is XML, for an XML declaration or by its ending: its attributes are
//! data. A piece of a page has none of them. It begins with another tag of HTML; unless the
//! ending promises a page, nearly all of its text must be inside tags that enclose
//! paragraphs, lists and tables.
//!
//! Cost: finding the tags in [`SAMPLE`] bytes, for pieces only.

use crate::Format;

use super::tags::{self, Page, Raw, Tag};

/// Length of the beginning whose tags are examined, in bytes.
const SAMPLE: usize = 64 << 10;

/// In a piece of a page, at most one letter in this many is outside all tags. Markdown
/// below a head in HTML has most of its letters there.
const MAX_BARE: usize = 4;

/// Endings of files that may begin with a tag but are not pages.
const ENDINGS_OF_TEXTS: &[&str] = &[
    "txt",
    "text",
    "md",
    "markdown",
    "mdown",
    "mkd",
    "mkdn",
    "mdx",
    "rmd",
    "qmd",
    "rst",
    "adoc",
    "asciidoc",
    "asc",
    "org",
    "textile",
    "wiki",
    "mediawiki",
    "creole",
    "pod",
    "tex",
    "log",
    "jsx",
    "tsx",
    "vue",
    "svelte",
    "xml",
    "tei",
    "dita",
    "docbook",
    "dbk",
];

/// Endings of web pages.
const ENDINGS_OF_PAGES: &[&str] = &["html", "htm", "xhtml", "xht", "shtml"];

/// Tags of a page's head.
const OF_HEADS: &[&str] = &["head", "body", "title", "meta", "link", "base"];

/// Tags that enclose lines and are closed explicitly.
const OF_BLOCKS: &[&str] = &[
    "div",
    "article",
    "section",
    "main",
    "header",
    "footer",
    "nav",
    "aside",
    "table",
    "ul",
    "ol",
    "dl",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "center",
    "blockquote",
    "pre",
    "figure",
    "details",
    "form",
];

/// Tags that enclose lines and are usually closed by the next tag.
const OF_LINES: &[&str] = &["p", "li", "dt", "dd", "tr", "td", "th"];

/// Other tags that a piece of a page may begin with.
const ALONE: &[&str] = &["script", "style", "br", "hr", "img"];

/// Inline tags that a piece of a page may begin with; plain texts may seem to.
const INLINE: &[&str] = &["a", "b", "i", "u", "em", "strong", "span", "font", "small"];

/// The format of a text, by its beginning and the ending of its file's name.
pub fn recognise(name: &str, text: &str) -> Format {
    let Some((tag, after, is_xml)) = first_tag(text) else { return Format::Text };
    let is_html = |kind: &str| kind.get(..4).is_some_and(|kind| kind.eq_ignore_ascii_case("html"));
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let ends_as = |endings: &[&str]| ending.as_deref().is_some_and(|ending| endings.contains(&ending));
    let is_page = match &*tag.to_ascii_lowercase() {
        "!doctype" => is_html(after.trim_start()),
        "html" => true,
        _ if is_xml || ends_as(ENDINGS_OF_TEXTS) => false,
        tag if OF_HEADS.contains(&tag) => true,
        tag if INLINE.contains(&tag) && !is_closed(tag, after) => false,
        tag if [OF_BLOCKS, OF_LINES, ALONE, INLINE].iter().any(|tags| tags.contains(&tag)) => {
            ends_as(ENDINGS_OF_PAGES) || is_piece(text)
        }
        _ => false,
    };
    if is_page { Format::Html } else { Format::Text }
}

/// The name of the tag that a text begins with, what follows the name, and whether an XML
/// declaration comes first; comments may, too.
fn first_tag(text: &str) -> Option<(&str, &str, bool)> {
    let (mut rest, mut is_xml) = (text.trim_start(), false);
    while let Some((open, close)) = [("<?xml", "?>"), ("<!--", "-->")].iter().find(|(open, _)| rest.starts_with(open)) {
        is_xml |= *open == "<?xml";
        rest = rest[rest.find(close)? + close.len()..].trim_start();
    }
    let tag = rest.strip_prefix('<')?;
    let (name, after) = tag.split_at(tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '!')?);
    after.starts_with(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').then_some((name, after, is_xml))
}

/// True if the tag is closed later: `<i think>` is not a tag.
fn is_closed(tag: &str, after: &str) -> bool {
    let close = format!("</{tag}");
    after.as_bytes().windows(close.len()).any(|window| window.eq_ignore_ascii_case(close.as_bytes()))
}

/// True if nearly all of a text is inside tags.
fn is_piece(text: &str) -> bool {
    let mut counts = Counts::default();
    tags::read(&text[..text.floor_char_boundary(SAMPLE)], &mut counts);
    let Counts { bare, enclosed, .. } = counts;
    bare * MAX_BARE <= bare + enclosed
}

/// Counts the letters inside and outside tags.
#[derive(Default)]
struct Counts {
    bare: usize,
    enclosed: usize,
    /// Number of open blocks.
    open: usize,
    in_line: bool,
}

impl Page for Counts {
    fn text(&mut self, text: &str) {
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        let is_enclosed = self.open > 0 || self.in_line;
        *(if is_enclosed { &mut self.enclosed } else { &mut self.bare }) += letters;
    }

    fn tag(&mut self, tag: &Tag) -> Option<Raw> {
        if OF_BLOCKS.contains(&&*tag.name) {
            self.open = if tag.is_end { self.open.saturating_sub(1) } else { self.open + 1 };
            self.in_line = false;
        } else if OF_LINES.contains(&&*tag.name) {
            self.in_line = !tag.is_end;
        }
        // The content of scripts and styles counts as enclosed and contains no tags.
        let is_raw = matches!(&*tag.name, "script" | "style");
        if is_raw {
            self.in_line = !tag.is_end;
        }
        (is_raw && !tag.is_end).then_some(Raw::Plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_known_by_their_beginning() {
        for page in [
            "<!DOCTYPE html><p>x",
            "  \n<!doctype HTML PUBLIC>",
            "<?xml version='1.0'?>\n<!-- made by hand --><html>",
            "<!-- made by hand --><?xml version='1.0'?><HTML>",
            "<title>t</title>text",
            "<div class=a>x</div>",
            "<P>old page<p>of paragraphs",
            "<center><b>Title</b></center><ul><li>one<li>two</ul>",
            "<a name=top></a><h1>Title</h1><p>text of the page</p>",
            "<script>if (a < b) document.write('<p>')</script><div>x</div>",
        ] {
            assert_eq!(recognise("-", page), Format::Html, "{page}");
        }
        for text in [
            "",
            "a < b",
            "<alice@example.org> wrote",
            "<?xml version='1.0'?><note/>",
            "<!DOCTYPE svg>",
            "< html>",
            "<!--",
            "<i think> so, at least",
            "<?xml version='1.0'?><section><p vote='yes'>Aye</p></section>",
        ] {
            assert_eq!(recognise("page.html", text), Format::Text, "{text}");
        }
    }

    /// Many README files have a head in HTML above text in Markdown.
    #[test]
    fn text_below_a_head_in_html_is_text() {
        let text = "\n\nA library to read tides.\n\n## Use\n\nCall `read`, and a list of tides comes back.\n";
        for head in [
            "<h1 align=center>Tides</h1>",
            "<p align=\"center\"><img src=tide.png></p>",
            "<a href='https://example.org'>Tides</a>",
            "<!-- badges -->\n<div align=center>\n\n# Tides\n\n</div>",
            "<b>Tides</b>",
        ] {
            for name in ["README", "-", "tides.md", "a/TIDES.TXT", "tides.rst.gz"] {
                assert_eq!(recognise(name, &format!("{head}{text}")), Format::Text, "{name} {head}");
            }
            // The ending promises a page.
            assert_eq!(recognise("tides.html", &format!("{head}{text}")), Format::Html, "{head}");
        }
        for page in ["<!-- saved --><!DOCTYPE html><p>x", "<html><p>x"] {
            assert_eq!(recognise("page.txt", page), Format::Html, "{page}");
        }
        for text in ["<p>x</p>", "<body>x", "<div>x</div>"] {
            assert_eq!(recognise("notes.md", text), Format::Text, "{text}");
            assert_eq!(recognise("notes.XML", text), Format::Text, "{text}");
        }
    }
}
