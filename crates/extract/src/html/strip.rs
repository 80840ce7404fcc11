//! The visible text of a page, read tag by tag without building a tree.
//!
//! Cost: linear in the page.

use std::collections::HashMap;

use super::SHADOW;
use super::blocks::{self, Content, Letters, Mark, Part, Role, TextBlock};
use super::elements::{is_breakout, is_heading, is_inline, is_media, is_never_displayed, is_seldom_closed, is_void};
use super::tags::{self, Page, Raw, Tag};
use super::unclosed;
use super::unseen::Unseen;
use crate::hidden::Hidden;

/// A page's text and shape.
pub(super) struct Stripped {
    /// The visible text without navigation.
    pub(super) content: Content,
    /// All visible text.
    pub(super) all: String,
    /// Greatest number of tags open at once, not counting those that need not be closed.
    pub(super) depth: usize,
    /// Numbers of characters that its reader may not see, those of navigation aside.
    pub(super) unseen: Hidden,
    pub(super) more: More,
}

/// What a page may show beside its text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct More {
    /// Pictures, films or other pages.
    pub(super) media: bool,
    /// What scripts write.
    pub(super) scripts: bool,
}

/// True if an attribute hides the element. Void elements have no content to hide.
fn is_made_invisible(tag: &Tag) -> bool {
    let hides = |(property, value): (&str, &str)| {
        let is = |name: &str, hidden: &str| property.eq_ignore_ascii_case(name) && value.eq_ignore_ascii_case(hidden);
        is("display", "none") || is("visibility", "hidden")
    };
    let is_hidden = || tag.value("style").is_some_and(|style| tags::declarations(style).any(hides));
    !is_void(&tag.name) && (tag.value("hidden").is_some() || is_hidden())
}

/// True if an attribute makes a block of an element that is none.
fn is_made_block(tag: &Tag) -> bool {
    const BLOCKS: [&str; 8] = ["block", "flex", "flow-root", "grid", "list-item", "table", "table-cell", "table-row"];
    let makes = |(property, value): (&str, &str)| {
        let value = value.trim_end_matches("!important").trim_end();
        property.eq_ignore_ascii_case("display") && BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(value))
    };
    is_inline(&tag.name) && tag.value("style").is_some_and(|style| tags::declarations(style).any(makes))
}

/// True if an element is never displayed; a template is if it is part of the page.
fn is_never_shown(tag: &Tag) -> bool {
    is_never_displayed(&tag.name) && tag.value(SHADOW).is_none_or(|mode| !matches!(mode, "open" | "closed"))
}

/// Attributes that hide elements are passed over if the text in these is longer than the rest by this factor.
const MOST_INVISIBLE: usize = 3;

/// Strips a page of its tags.
pub(super) fn strip(html: &str) -> Stripped {
    let mut state = run(html, None, false);
    // An unclosed element, such as a `select` or `svg`, must not hide the rest of the page; a paragraph may be the last. Nor
    // is most of a page hidden for long: a script shows it once it is loaded.
    let hidden = state.hidden.take().map(|(name, _)| name).filter(|name| !is_seldom_closed(name));
    let is_mostly_hidden = state.made_invisible > MOST_INVISIBLE * state.all.text.len();
    if hidden.is_some() || is_mostly_hidden {
        state = run(html, hidden, is_mostly_hidden);
    }
    state.end_block();
    let all = state.all.text;
    let content = blocks::content(&all, &state.blocks, &state.parts);
    Stripped { content, all, depth: state.depth, unseen: state.unseen.counts(), more: state.more }
}

fn run(html: &str, shown: Option<String>, shows_invisible: bool) -> State {
    let mut state = State { shown, shows_invisible, ..State::default() };
    tags::read(html, &mut state);
    state
}

#[derive(Default)]
struct State {
    all: Lines,
    /// The finished lines of `all`.
    blocks: Vec<TextBlock>,
    block: TextBlock,
    in_link: bool,
    /// A tag whose content is shown although it is hidden.
    shown: Option<String>,
    /// True if attributes hide nothing.
    shows_invisible: bool,
    /// Bytes of text that attributes hide.
    made_invisible: usize,
    /// The open part that is hidden, is the main content, or is marked as no content: its
    /// tag and how many of that tag are open in it.
    hidden: Option<(String, usize)>,
    /// Number of open elements that may hold the hidden one, when it began ([`unclosed::holders`]).
    holders: usize,
    main: Option<(String, usize)>,
    said: Option<(String, usize)>,
    /// The parts whose class or id names navigation. Of those that are open, innermost
    /// last: the tag, how many of that tag are open in the part, and the index in `parts`.
    parts: Vec<Part>,
    open_parts: Vec<(String, usize, usize)>,
    /// The open elements that are made blocks, innermost last, each with how many of its tag are open in it.
    made_blocks: Vec<(String, usize)>,
    /// Number of open tags of each name.
    open: HashMap<String, usize>,
    open_now: usize,
    depth: usize,
    in_picture: bool,
    more: More,
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
        match &self.hidden {
            Some((name, _)) if name == "style" => return self.unseen.style_sheet(characters),
            Some((name, _)) if is_never_displayed(name) => {
                // A browser without scripts, or that has not scrolled there, shows these.
                self.more.media |= name == "noscript" && characters.contains("<img");
                return;
            }
            _ => {}
        }
        if self.said.is_none() {
            self.unseen.characters(characters);
        }
        if self.hidden.is_some() {
            self.made_invisible += characters.trim().len();
            return;
        }
        self.all.push(characters);
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

    fn follow_tag(&mut self, tag: &Tag) {
        self.count(tag);
        let has_background = || {
            let drawn = |(_, value): (&str, &str)| value.to_ascii_lowercase().contains("url(");
            tag.value("background").is_some()
                || tag.value("style").is_some_and(|style| tags::declarations(style).any(drawn))
        };
        self.more.scripts |= tag.name == "script";
        // Most tags come behind the first picture.
        self.more.media = self.more.media || is_media(&tag.name) || has_background();
        self.unseen.tag(tag, self.open_now);
        self.end_unclosed(tag);
        if self.shown.as_ref() != Some(&tag.name) {
            let shows = self.shows_invisible;
            follow(&mut self.hidden, tag, |tag| is_never_shown(tag) || !shows && is_made_invisible(tag));
        }
        let ends_block = self.follow_made_blocks(tag) || !is_inline(&tag.name);
        if self.hidden.is_none() && ends_block {
            self.end_block();
            self.block.is_heading = !tag.is_end && is_heading(&tag.name);
        }
        let mark = if tag.is_end { None } else { blocks::mark(tag) };
        follow(&mut self.main, tag, |_| mark == Some(Mark::Main));
        // The header of an article has its headline; that of a page has its menus.
        let is_headline = tag.name == "header" && self.open.get("article").is_some_and(|&open| open > 0);
        follow(&mut self.said, tag, |_| mark == Some(Mark::Said) && !is_headline);
        self.follow_parts(tag, mark);
        if &*tag.name == "a" {
            self.link(tag);
        }
    }

    /// Ends a hidden element whose end tag is left out.
    fn end_unclosed(&mut self, tag: &Tag) {
        let count =
            |name: &str| unclosed::holders(name).iter().filter_map(|holder| self.open.get(*holder)).sum::<usize>();
        if let Some((name, _)) = &self.hidden {
            if !unclosed::ends(name, tag, count(name).cmp(&self.holders)) {
                return;
            }
            self.hidden = None;
        }
        self.holders = count(&tag.name);
    }

    /// Enters or leaves an element that is made a block; returns true if one begins or ends.
    fn follow_made_blocks(&mut self, tag: &Tag) -> bool {
        if !tag.is_end && is_made_block(tag) {
            if !tag.closes_itself && !is_void(&tag.name) {
                self.made_blocks.push((tag.name.clone(), 1));
            }
            return true;
        }
        let ends = self.made_blocks.last_mut().is_some_and(|(name, depth)| *name == tag.name && is_left(depth, tag));
        if ends {
            self.made_blocks.pop();
        }
        ends
    }

    /// Enters or leaves a part whose class or id names navigation.
    fn follow_parts(&mut self, tag: &Tag, mark: Option<Mark>) {
        if mark == Some(Mark::Named) && !tag.closes_itself {
            self.open_parts.push((tag.name.clone(), 1, self.parts.len()));
            self.parts.push(Part::default());
        } else if let Some((name, depth, _)) = self.open_parts.last_mut()
            && *name == tag.name
            && is_left(depth, tag)
        {
            self.open_parts.pop();
        }
    }

    fn link(&mut self, tag: &Tag) {
        self.in_link = !tag.is_end && tag.value("href").is_some();
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
        if tag.is_end {
            if let Some(open) = self.open.get_mut(&*tag.name).filter(|open| **open > 0) {
                *open -= 1;
                self.open_now -= 1;
            }
            self.in_picture &= !matches!(name, "svg" | "math");
            return;
        }
        self.in_picture &= !is_breakout(name);
        let closes_itself = tag.closes_itself && (self.in_picture || matches!(name, "svg" | "math"));
        if !closes_itself && !is_void(name) && !is_seldom_closed(name) {
            self.in_picture |= matches!(name, "svg" | "math");
            match self.open.get_mut(&*tag.name) {
                Some(open) => *open += 1,
                None => _ = self.open.insert(tag.name.clone(), 1),
            }
            self.open_now += 1;
            self.depth = self.depth.max(self.open_now);
        }
    }
}

/// Counts a tag of the name of a part, of which `depth` are open in it; returns true if it ends the part.
fn is_left(depth: &mut usize, tag: &Tag) -> bool {
    if tag.is_end {
        *depth -= 1;
    } else {
        *depth += usize::from(!tag.closes_itself);
    }
    *depth == 0
}

/// Enters or leaves a part of a page whose tag satisfies `is_part`.
fn follow(part: &mut Option<(String, usize)>, tag: &Tag, is_part: impl Fn(&Tag) -> bool) {
    let ends = part.as_mut().is_some_and(|(name, depth)| *name == tag.name && is_left(depth, tag));
    if ends {
        *part = None;
    } else if part.is_none() && !tag.is_end && is_part(tag) && !tag.closes_itself {
        *part = Some((tag.name.clone(), 1));
    }
}

impl Page for State {
    fn text(&mut self, text: &str) {
        self.characters(text);
    }

    fn tag(&mut self, tag: &Tag) -> Option<Raw> {
        self.follow_tag(tag);
        match &*tag.name {
            _ if tag.is_end => None,
            "script" => Some(Raw::Script),
            "style" | "noscript" | "iframe" => Some(Raw::Plain),
            "title" | "textarea" if !self.in_picture => Some(Raw::Escaped),
            _ => None,
        }
    }
}
