//! A web page's main content.
//!
//! [`main_content`] finds the article among menus, adverts and notices with
//! `dom_smoothie`, a port of Mozilla's Readability. Pages in which it finds next to
//! nothing (lists, indexes, very short pages) and pages that would take it long
//! give all their visible text instead, without scripts, styles and what the page
//! itself marks as navigation or border.
//!
//! Cost: linear. Readability's is not for tags nested thousands deep, hence
//! `MAX_DEPTH`.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use dom_smoothie::{Config, Readability, TextMode};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// Tags open at one place in a page that a person or a sound program wrote: fewer.
/// Readability counts the text of each again: 128 nested tables around a megabyte
/// take .7 s, 100,000 `div`s would take 45 s.
const MAX_DEPTH: usize = 128;

/// Pages of more bytes are no articles: a log or a book, all of it content. (And
/// 2 MB of `&amp;` take Readability 2 s, four times as many sixteen times as long.)
const MAX_PAGE: usize = 2 << 20;

/// Attributes of one tag: parsers look for each among all others, so that 200,000
/// take half a minute.
const MAX_ATTRIBUTES: usize = 4096;

/// An article of so many bytes is one, whatever else is on the page.
const LONG_ARTICLE: usize = 2000;

/// The least share of the visible text that an article has; less is a caption or a
/// cookie notice.
const MIN_SHARE: usize = 4;

/// What kind of file a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text, taken as it is.
    Text,
    /// A web page, of which the main content is taken.
    Html,
}

/// Tells a web page from a plain text by how it begins.
pub fn recognise(text: &str) -> Format {
    let mut rest = text.trim_start();
    // An XML declaration and comments may come first.
    for (open, close) in [("<?xml", "?>"), ("<!--", "-->")] {
        while rest.starts_with(open) {
            rest = rest.find(close).map_or("", |end| rest[end + close.len()..].trim_start());
        }
    }
    let Some(tag) = rest.strip_prefix('<') else { return Format::Text };
    let name: String = tag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '!').collect();
    let known = match name.to_ascii_lowercase().as_str() {
        "!doctype" => tag["!doctype".len()..].trim_start().get(..4).is_some_and(|s| s.eq_ignore_ascii_case("html")),
        name => OPENING_TAGS.contains(&name),
    };
    if known { Format::Html } else { Format::Text }
}

/// Tags that a page or a piece of one begins with.
const OPENING_TAGS: &[&str] = &[
    "html",
    "head",
    "body",
    "title",
    "meta",
    "link",
    "script",
    "style",
    "div",
    "p",
    "article",
    "section",
    "main",
    "header",
    "nav",
    "table",
    "ul",
    "ol",
    "h1",
    "h2",
    "h3",
    "span",
    "a",
    "center",
    "font",
    "b",
    "i",
    "em",
    "strong",
    "br",
    "hr",
    "img",
    "blockquote",
    "pre",
];

/// The main content of a web page as plain text, a paragraph a line.
pub fn main_content(html: &str) -> String {
    let shape = Shape::of(html);
    if !shape.monsters.is_empty() {
        return visible_text(&without(html, &shape.monsters));
    }
    if html.len() > MAX_PAGE || shape.depth > MAX_DEPTH {
        return visible_text(html);
    }
    match article(html) {
        Some(article) if article.len() >= LONG_ARTICLE => article,
        Some(article) => {
            let visible = visible_text(html);
            if article.len() * MIN_SHARE >= visible.len() { article } else { visible }
        }
        None => visible_text(html),
    }
}

/// What Readability takes for the article.
fn article(html: &str) -> Option<String> {
    let config = Config { text_mode: TextMode::Formatted, disable_json_ld: true, ..Config::default() };
    let mut readability = Readability::new(html, None, Some(config)).ok()?;
    if !readability.is_probably_readable() {
        return None;
    }
    Some(readability.parse().ok()?.text_content.to_string())
}

/// What a page's tags look like, found in one pass without building a tree.
struct Shape {
    /// The greatest number of tags open at once: an upper bound, as tags that close
    /// themselves are not told from others.
    depth: usize,
    /// Where tags with more than [`MAX_ATTRIBUTES`] begin.
    monsters: Vec<usize>,
}

impl Shape {
    fn of(html: &str) -> Self {
        let bytes = html.as_bytes();
        let mut shape = Self { depth: 0, monsters: Vec::new() };
        let (mut open, mut at) = (0usize, 0);
        while let Some(next) = html[at..].find('<') {
            let start = at + next;
            at = start + 1;
            match bytes.get(at) {
                Some(b'/') => open = open.saturating_sub(1),
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let (length, attributes) = measure(&bytes[at..]);
                    if attributes > MAX_ATTRIBUTES {
                        shape.monsters.push(start);
                    } else if !VOID_TAGS.iter().any(|void| void.eq_ignore_ascii_case(name_at(html, at))) {
                        open += 1;
                        shape.depth = shape.depth.max(open);
                    }
                    at += length;
                }
                _ => {}
            }
        }
        shape
    }
}

/// The length of a tag up to its `>` or the page's end, and an upper bound of its
/// attributes: what is between quotes is one value.
fn measure(tag: &[u8]) -> (usize, usize) {
    let (mut at, mut attributes) = (0, 0);
    while let Some(&byte) = tag.get(at) {
        at += 1;
        match byte {
            b'>' => return (at - 1, attributes),
            b'"' | b'\'' => {
                attributes += 1;
                at += tag[at..].iter().position(|&other| other == byte).map_or(tag.len() - at, |length| length + 1);
            }
            b'/' | b'\t'..=b'\r' | b' ' => attributes += 1,
            _ => {}
        }
    }
    (at, attributes)
}

/// A page without the `<` at these places, in order: what they began is now text.
fn without(html: &str, places: &[usize]) -> String {
    let ends = places.iter().copied().chain([html.len()]);
    let starts = [0].into_iter().chain(places.iter().map(|place| place + 1));
    starts.zip(ends).map(|(start, end)| &html[start..end]).collect()
}

/// Tags that are never closed, or as a habit are not.
const VOID_TAGS: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "p",
    "li", "dt", "dd", "td", "th", "tr", "option",
];

fn name_at(html: &str, start: usize) -> &str {
    let rest = &html.as_bytes()[start..];
    let length = rest.iter().take(12).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    &html[start..start + length]
}

/// All text that a reader of the page sees, but for what is marked as its border.
fn visible_text(html: &str) -> String {
    let text = Stripper::run(html, &BORDER);
    // A page that forgets to close its menu has all its text in it.
    if text.trim().is_empty() { Stripper::run(html, &[]) } else { text }
}

/// Parts of a page that are not its content, by their own word.
const BORDER: [&str; 6] = ["nav", "header", "footer", "aside", "form", "dialog"];

/// Parts of a page that nobody sees.
const HIDDEN: [&str; 8] = ["script", "style", "noscript", "template", "svg", "iframe", "head", "select"];

/// Tags that stand inside a line of text; all others end it.
const INLINE: [&str; 32] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "dfn",
];

/// Takes the text out of a page, tag by tag.
struct Stripper {
    skipped: HashSet<&'static str>,
    text: RefCell<String>,
    /// The part that is being skipped and how often it stands in itself.
    skipping: RefCell<Option<(String, usize)>>,
    space: Cell<bool>,
}

impl Stripper {
    fn run(html: &str, border: &[&'static str]) -> String {
        let sink = Self {
            skipped: HIDDEN.iter().chain(border).copied().collect(),
            text: RefCell::default(),
            skipping: RefCell::default(),
            space: Cell::new(false),
        };
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(html));
        let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
        // Feeding pauses where a script would run; none runs here.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
        tokenizer.end();
        tokenizer.sink.text.into_inner()
    }

    fn characters(&self, characters: &str) {
        if self.skipping.borrow().is_some() {
            return;
        }
        let mut text = self.text.borrow_mut();
        for c in characters.chars() {
            if c.is_whitespace() {
                self.space.set(true);
            } else {
                if self.space.replace(false) && !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                text.push(c);
            }
        }
    }

    fn tag(&self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let mut skipping = self.skipping.borrow_mut();
        match (&mut *skipping, tag.kind) {
            (Some((skipped, depth)), TagKind::StartTag) if skipped == name && !tag.self_closing => *depth += 1,
            (Some((skipped, depth)), TagKind::EndTag) if skipped == name => {
                *depth -= 1;
                if *depth == 0 {
                    *skipping = None;
                }
            }
            // A page that does not close its head still begins its body.
            (Some((skipped, _)), TagKind::StartTag) if skipped == "head" && name == "body" => *skipping = None,
            (Some(_), _) => {}
            (None, TagKind::StartTag) if self.skipped.contains(name) && !tag.self_closing => {
                *skipping = Some((name.to_owned(), 1));
            }
            (None, _) if INLINE.contains(&name) => {}
            (None, _) => {
                let mut text = self.text.borrow_mut();
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                self.space.set(false);
            }
        }
        match (tag.kind, name) {
            (TagKind::StartTag, "script") => TokenSinkResult::RawData(RawKind::ScriptData),
            (TagKind::StartTag, "style" | "noscript" | "iframe") => TokenSinkResult::RawData(RawKind::Rawtext),
            (TagKind::StartTag, "title" | "textarea") => TokenSinkResult::RawData(RawKind::Rcdata),
            _ => TokenSinkResult::Continue,
        }
    }
}

impl TokenSink for Stripper {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => return self.tag(&tag),
            Token::CharacterTokens(characters) => self.characters(&characters),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pages_are_known_by_their_beginning() {
        for page in [
            "<!DOCTYPE html><p>x",
            "  \n<!doctype HTML PUBLIC>",
            "<?xml version='1.0'?>\n<!-- made by hand --><html>",
            "<div class=a>x</div>",
            "<P>old page",
        ] {
            assert_eq!(recognise(page), Format::Html, "{page}");
        }
        for text in [
            "",
            "a < b",
            "<alice@example.org> wrote",
            "<?xml version='1.0'?><note/>",
            "<!DOCTYPE svg>",
            "< html>",
            "<!--",
        ] {
            assert_eq!(recognise(text), Format::Text, "{text}");
        }
    }

    #[test]
    fn a_page_without_an_article_gives_its_visible_text() {
        let page = "<html><head><title>t</title><style>b{}</style></head><body><nav>Home <b>News</b></nav>\
            <script>if (a<b) document.write('<p>no')</script><h1>A list</h1><ul><li>one <i>more</i>\n thing\
            <li>two &amp; three</ul><footer>legal</footer></body>";
        assert_eq!(main_content(page).trim(), "A list\none more thing\ntwo & three");
    }

    #[test]
    fn an_unclosed_menu_does_not_swallow_the_page() {
        assert_eq!(main_content("<html><body><nav><p>All there is").trim(), "All there is");
        assert_eq!(main_content("<html><head><title>t</title><body>text").trim(), "text");
        assert_eq!(main_content("<html></html>"), "");
    }

    #[test]
    fn deep_and_unclosed_tags_take_no_time() {
        for tag in ["<div>", "<b>", "<font size=1>", "<table><tr><td>"] {
            let page = format!("<html><body>{}<p>{}", tag.repeat(100_000), "words of a text ".repeat(100));
            assert!(main_content(&page).contains("words of a text"));
        }
    }

    #[test]
    fn a_tag_of_countless_attributes_is_text() {
        let attributes: String = (0..200_000).map(|i| format!(" a{i}")).collect();
        for page in [
            format!("<html><body><p{attributes}>text</p>"),
            format!("<html><body><p {}>text</p>", attributes.replace(' ', "/")),
            format!("<html><body><p{attributes} text"),
        ] {
            let text = main_content(&page);
            assert!(text.contains("text") && text.contains("a199999"));
        }
        // One long value is no such thing.
        let picture = format!("<p>before <img src='data:{}'> after", "a/b ".repeat(50_000));
        assert_eq!(main_content(&picture).trim(), "before after");
    }

    proptest! {
        /// Tags in any order, closed or not, with hostile attributes and text.
        #[test]
        fn no_page_is_fatal(parts in prop::collection::vec(prop_oneof![
            "</?(div|p|b|i|a|table|tr|td|svg|math|template|select|form|script|style|title|body|html|head|li|nav|noscript|frameset)( (id|class|hidden|style)=('[a-z ]{0,9}'|\"[^\"]{0,6}))?/?>",
            "[a-z ,.]{0,40}",
            "(&[a-z#0-9]{0,8};?|<!--|-->|<!\\[CDATA\\[|\\]\\]>|<!doctype html>|\0)",
            "\\PC{0,5}",
        ], 0..60)) {
            main_content(&parts.concat());
        }
    }
}
