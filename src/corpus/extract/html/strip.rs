//! The visible text of a page, read tag by tag without building a tree.
//!
//! Cost: linear in the page.

use std::cell::RefCell;
use std::collections::HashMap;

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use super::blocks::{self, Letters, Mark, Part, Role, TextBlock};
use super::unseen::Unseen;
use crate::corpus::hidden::Hidden;

/// A page's text and shape.
pub(super) struct Stripped {
    /// The visible text without navigation.
    pub(super) content: String,
    /// All visible text.
    pub(super) all: String,
    /// Greatest number of tags open at once, not counting those of [`is_void`].
    pub(super) depth: usize,
    /// Numbers of characters that its reader may not see, those of navigation aside.
    pub(super) unseen: Hidden,
}

/// True for elements whose content is not displayed.
fn is_hidden(tag: &str) -> bool {
    matches!(tag, "script" | "style" | "noscript" | "template" | "svg" | "iframe" | "title" | "select")
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// True for tags inside a line of text; all others end it.
pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "img"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

/// True for tags that are never or seldom closed: they stay open no longer than the tag
/// around them.
pub(super) fn is_void(tag: &str) -> bool {
    matches!(
        tag,
        "area"
            | "base"
            | "br"
            | "col"
            | "dd"
            | "dt"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "li"
            | "link"
            | "meta"
            | "option"
            | "p"
            | "param"
            | "source"
            | "td"
            | "th"
            | "tr"
            | "track"
            | "wbr"
    )
}

/// True for tags that end a picture in SVG or a formula in `MathML`. Only inside these
/// does `/>` close a tag.
fn is_breakout(tag: &str) -> bool {
    matches!(
        tag,
        "b" | "blockquote"
            | "body"
            | "br"
            | "center"
            | "code"
            | "desc"
            | "div"
            | "em"
            | "foreignobject"
            | "h1"
            | "h2"
            | "h3"
            | "hr"
            | "i"
            | "img"
            | "li"
            | "p"
            | "pre"
            | "span"
            | "strong"
            | "table"
            | "title"
            | "ul"
    )
}

/// Strips a page of its tags.
pub(super) fn strip(html: &str) -> Stripped {
    let mut sink = run(html, None);
    // An unclosed element, such as a `select` or `svg`, must not hide the rest of the page.
    if let Some((hidden, _)) = sink.hidden.take() {
        sink = run(html, Some(hidden));
    }
    sink.end_block();
    let all = sink.all.text;
    let content = blocks::content(&all, &sink.blocks, &sink.parts);
    Stripped { content, all, depth: sink.depth, unseen: sink.unseen.counts() }
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
    all: Lines,
    /// The finished lines of `all`.
    blocks: Vec<TextBlock>,
    block: TextBlock,
    in_link: bool,
    /// A tag whose content is shown although [`is_hidden`] lists it.
    shown: Option<LocalName>,
    /// The open part that is hidden, is the main content, or is marked as no content: its
    /// tag and how many of that tag are open in it.
    hidden: Option<(LocalName, usize)>,
    main: Option<(LocalName, usize)>,
    said: Option<(LocalName, usize)>,
    /// The parts whose class or id names navigation. Of those that are open, innermost
    /// last: the tag, how many of that tag are open in the part, and the index in `parts`.
    parts: Vec<Part>,
    open_parts: Vec<(LocalName, usize, usize)>,
    /// Number of open tags of each name.
    open: HashMap<LocalName, usize>,
    open_now: usize,
    depth: usize,
    in_picture: bool,
    unseen: Unseen,
}

/// Text in lines, with white space collapsed.
#[derive(Default)]
struct Lines {
    text: String,
    space: bool,
}

impl Lines {
    fn push(&mut self, characters: &str) {
        self.space |= characters.starts_with(char::is_whitespace);
        for word in characters.split_whitespace() {
            if self.space && !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.space = true;
        }
        self.space &= characters.ends_with(char::is_whitespace) || characters.trim_start().is_empty();
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
        if let Some((name, _)) = &self.hidden {
            if &**name == "style" {
                self.unseen.style_sheet(characters);
            }
            return;
        }
        self.all.push(characters);
        if self.said.is_none() {
            self.unseen.characters(characters);
        }
        let count = characters.chars().filter(|c| c.is_alphanumeric()).count();
        let count = |letters: &mut Letters| {
            *(if self.in_link { &mut letters.linked } else { &mut letters.unlinked }) += count;
        };
        count(&mut self.block.letters);
        self.block.role = match (&self.said, &self.main) {
            (Some(_), _) => Role::Aside,
            (None, Some(_)) => Role::Main,
            (None, None) => Role::Unsaid,
        };
        self.block.part = self.open_parts.last().map(|&(.., part)| part);
        if let Some(part) = self.block.part {
            count(&mut self.parts[part].letters);
        }
    }

    fn tag(&mut self, tag: &Tag) {
        self.count(tag);
        self.unseen.tag(tag, self.open_now);
        if self.shown.as_ref() != Some(&tag.name) {
            follow(&mut self.hidden, tag, is_hidden);
        }
        if self.hidden.is_none() && !is_inline(&tag.name) {
            self.end_block();
            self.block.is_heading = tag.kind == TagKind::StartTag && is_heading(&tag.name);
        }
        let mark = if tag.kind == TagKind::StartTag { blocks::mark(tag) } else { None };
        follow(&mut self.main, tag, |_| mark == Some(Mark::Main));
        follow(&mut self.said, tag, |_| mark == Some(Mark::Said));
        self.follow_parts(tag, mark);
        if &*tag.name == "a" {
            self.link(tag);
        }
    }

    /// Enters or leaves a part whose class or id names navigation.
    fn follow_parts(&mut self, tag: &Tag, mark: Option<Mark>) {
        if mark == Some(Mark::Named) && !tag.self_closing {
            self.open_parts.push((tag.name.clone(), 1, self.parts.len()));
            self.parts.push(Part::default());
        } else if let Some((name, depth, _)) = self.open_parts.last_mut()
            && *name == tag.name
        {
            match tag.kind {
                TagKind::StartTag => *depth += usize::from(!tag.self_closing),
                TagKind::EndTag => *depth -= 1,
            }
            if *depth == 0 {
                self.open_parts.pop();
            }
        }
    }

    fn link(&mut self, tag: &Tag) {
        self.in_link =
            tag.kind == TagKind::StartTag && tag.attrs.iter().any(|attribute| &*attribute.name.local == "href");
        if self.in_link && self.hidden.is_none() {
            self.block.links += 1;
            self.block.turns |= blocks::turns(tag);
            if let Some(&(.., part)) = self.open_parts.last() {
                self.parts[part].links += 1;
            }
        }
    }

    fn end_block(&mut self) {
        self.all.end_line();
        let start = self.blocks.last().map_or(0, |block| block.range.end);
        let block = std::mem::take(&mut self.block);
        if start < self.all.text.len() {
            self.blocks.push(TextBlock { range: start..self.all.text.len(), ..block });
        }
    }

    /// Counts the open tags.
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
        self.in_picture &= !is_breakout(name);
        let closes_itself = tag.self_closing && (self.in_picture || matches!(name, "svg" | "math"));
        if !closes_itself && !is_void(name) {
            self.in_picture |= matches!(name, "svg" | "math");
            *self.open.entry(tag.name.clone()).or_default() += 1;
            self.open_now += 1;
            self.depth = self.depth.max(self.open_now);
        }
    }
}

/// Enters or leaves a part of a page whose tag satisfies `is_part`.
fn follow(part: &mut Option<(LocalName, usize)>, tag: &Tag, is_part: impl Fn(&str) -> bool) {
    match (&mut *part, tag.kind) {
        (Some((name, depth)), TagKind::StartTag) if *name == tag.name && !tag.self_closing => *depth += 1,
        (Some((name, depth)), TagKind::EndTag) if *name == tag.name => {
            *depth -= 1;
            if *depth == 0 {
                *part = None;
            }
        }
        (None, TagKind::StartTag) if is_part(&tag.name) && !tag.self_closing => {
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
