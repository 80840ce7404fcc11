//! All text that a reader of a page sees, tag by tag, without building a tree.
//!
//! Cost: linear in the page.

use std::cell::RefCell;
use std::collections::HashMap;

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// A page's text and shape.
pub(super) struct Stripped {
    /// The text that is seen, without what is marked as the page's border.
    pub(super) content: String,
    /// All text that is seen.
    pub(super) all: String,
    /// The greatest number of tags open at once, at least.
    pub(super) depth: usize,
}

/// Parts of a page that are not its content, by their own word.
const BORDER: [&str; 5] = ["nav", "header", "footer", "aside", "dialog"];

/// Parts of a page that nobody sees.
const HIDDEN: [&str; 8] = ["script", "style", "noscript", "template", "svg", "iframe", "title", "select"];

/// Tags that stand inside a line of text; all others end it.
const INLINE: [&str; 32] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];

/// Tags that are never closed, or as a habit are not: they stay open no longer than
/// the tag around them.
const VOID: [&str; 22] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "param", "source", "td", "th", "tr", "track", "wbr",
];

/// Tags that end a picture in SVG or a formula in `MathML`, in which alone `/>` closes.
const BREAKOUT: [&str; 24] = [
    "b",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "desc",
    "div",
    "em",
    "foreignobject",
    "h1",
    "h2",
    "h3",
    "hr",
    "i",
    "img",
    "li",
    "p",
    "pre",
    "span",
    "strong",
    "table",
    "title",
    "ul",
];

/// Strips a page of its tags.
pub(super) fn strip(html: &str) -> Stripped {
    let mut sink = run(html, None);
    // A list of choices or a picture that is never closed hides nothing.
    if let Some((hidden, _)) = sink.hidden.take() {
        sink = run(html, Some(hidden));
    }
    Stripped { content: sink.content.text, all: sink.all.text, depth: sink.depth }
}

fn run(html: &str, shown: Option<LocalName>) -> State {
    let sink = Sink(RefCell::new(State { shown, ..State::default() }));
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    // Feeding pauses where a script would run; none runs here.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

struct Sink(RefCell<State>);

#[derive(Default)]
struct State {
    content: Lines,
    all: Lines,
    /// A tag that hides nothing after all.
    shown: Option<LocalName>,
    /// The part that is hidden, or border, and how often it stands in itself.
    hidden: Option<(LocalName, usize)>,
    border: Option<(LocalName, usize)>,
    /// How many tags of each name are open.
    open: HashMap<LocalName, usize>,
    open_now: usize,
    depth: usize,
    in_picture: bool,
}

/// Text in lines, white space folded.
#[derive(Default)]
struct Lines {
    text: String,
    space: bool,
}

impl Lines {
    fn push(&mut self, characters: &str) {
        for c in characters.chars() {
            if c.is_whitespace() {
                self.space = true;
                continue;
            }
            if std::mem::take(&mut self.space) && !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.text.push(c);
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.space = false;
    }
}

impl State {
    fn characters(&mut self, characters: &str) {
        if self.hidden.is_none() {
            self.all.push(characters);
            if self.border.is_none() {
                self.content.push(characters);
            }
        }
    }

    fn tag(&mut self, tag: &Tag) {
        self.count(tag);
        if self.shown.as_ref() != Some(&tag.name) {
            follow(&mut self.hidden, tag, &HIDDEN);
        }
        follow(&mut self.border, tag, &BORDER);
        if self.hidden.is_none() && !INLINE.contains(&&*tag.name) {
            self.all.end_line();
            if self.border.is_none() {
                self.content.end_line();
            }
        }
    }

    /// Keeps count of the tags that are open.
    fn count(&mut self, tag: &Tag) {
        let name = &*tag.name;
        if tag.kind == TagKind::EndTag {
            if let Some(open) = self.open.get_mut(&tag.name).filter(|open| **open > 0) {
                *open -= 1;
                self.open_now -= 1;
            }
            self.in_picture &= !matches!(name, "svg" | "math");
            return;
        }
        self.in_picture &= !BREAKOUT.contains(&name);
        let closes_itself = tag.self_closing && (self.in_picture || matches!(name, "svg" | "math"));
        if !closes_itself && !VOID.contains(&name) {
            self.in_picture |= matches!(name, "svg" | "math");
            *self.open.entry(tag.name.clone()).or_default() += 1;
            self.open_now += 1;
            self.depth = self.depth.max(self.open_now);
        }
    }
}

/// Enters or leaves one of these parts of a page.
fn follow(part: &mut Option<(LocalName, usize)>, tag: &Tag, parts: &[&str]) {
    match (&mut *part, tag.kind) {
        (Some((name, depth)), TagKind::StartTag) if *name == tag.name && !tag.self_closing => *depth += 1,
        (Some((name, depth)), TagKind::EndTag) if *name == tag.name => {
            *depth -= 1;
            if *depth == 0 {
                *part = None;
            }
        }
        (None, TagKind::StartTag) if parts.contains(&&*tag.name) && !tag.self_closing => {
            *part = Some((tag.name.clone(), 1));
        }
        _ => {}
    }
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(characters) => state.characters(&characters),
            Token::TagToken(tag) => {
                state.tag(&tag);
                if tag.kind == TagKind::StartTag {
                    return match &*tag.name {
                        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                        "style" | "noscript" | "iframe" => TokenSinkResult::RawData(RawKind::Rawtext),
                        "title" | "textarea" if !state.in_picture => TokenSinkResult::RawData(RawKind::Rcdata),
                        _ => TokenSinkResult::Continue,
                    };
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}
