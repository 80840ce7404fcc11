//! Which blocks of a page are its content, and which lead elsewhere.
//!
//! A block is the text between two tags that end a line. It is navigation if the page
//! marks it so (an element, a role, a class or an id), if it turns pages (a link with
//! `rel=next` or the like, and little else), or if it stands in a run of blocks that
//! are nothing but links. Where next to nothing would be left, the page is a list of
//! links, and all of it content. Of a page that marks its main content, nothing else is.
//!
//! Cost: linear in the blocks.
//!
//! Source: C. Kohlschütter, P. Fankhauser and W. Nejdl, "Boilerplate Detection using
//! Shallow Text Features" (WSDM 2010): the density of links tells navigation from
//! content best, the length of a block next.

use std::ops::Range;

use html5ever::tokenizer::Tag;

/// The least share of all text, one in so many, that is left without what is marked:
/// less is a caption or a cookie notice, or a page that forgets to close its menu.
const MIN_UNMARKED: usize = 4;

/// The same without runs of links: a page of which more is links is a list of them.
const MIN_UNLINKED: usize = 2;

/// Letters outside of links that make a part of the page content, whatever its class is
/// called: about 40 words, the length from which the source takes a block for content
/// even beside links.
const LONG_TEXT: usize = 200;

/// Of a block of nothing but links, at most one letter in so many is outside of them.
const MAX_UNLINKED: usize = 10;

/// Links in a run of blocks that make it a menu; fewer are one at the page's edges only.
const MENU: usize = 3;

/// How a page marks a part of itself: as its main content, or as no content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The element or role of the main content.
    Main,
    /// An element or a role of that meaning.
    Said,
    /// A class or an id called so.
    Named,
}

/// A line of visible text.
#[derive(Debug, Clone, Default)]
pub(super) struct TextBlock {
    /// Its bytes in the page's text, with the line's end.
    pub(super) range: Range<usize>,
    pub(super) letters: Letters,
    /// Links that begin in it.
    pub(super) links: usize,
    /// True if one of them leads to the next page or the like.
    pub(super) turns: bool,
    pub(super) is_heading: bool,
    pub(super) role: Role,
    /// The part by whose class or id it may be no content, by its place among all.
    pub(super) part: Option<usize>,
}

/// The role of a block by the elements around it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Unsaid,
    /// It belongs to the main content.
    Main,
    /// It is no content.
    Aside,
}

/// Letters and digits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Letters {
    pub(super) linked: usize,
    pub(super) unlinked: usize,
}

/// A part of a page whose class or id is called navigation; parts within it are apart.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    pub(super) letters: Letters,
    /// Links that begin in it, those of pictures too.
    pub(super) links: usize,
}

impl Part {
    /// The name alone is no proof: a menu may be that of a restaurant, and the article of
    /// a page with a sidebar may stand in `with-sidebar`.
    fn is_navigation(&self) -> bool {
        self.links > 0 && self.letters.unlinked < LONG_TEXT
    }
}

impl TextBlock {
    fn is_marked(&self, parts: &[Part]) -> bool {
        self.role == Role::Aside
            || self.part.is_some_and(|part| parts[part].is_navigation())
            || self.turns && self.letters.linked >= self.letters.unlinked
    }

    /// True if nothing but links has letters in it; a heading that is a link names what follows.
    fn is_links(&self) -> bool {
        !self.is_heading && self.letters.unlinked * MAX_UNLINKED <= self.letters.linked + self.letters.unlinked
    }
}

/// The content of a page's text.
pub(super) fn content(text: &str, blocks: &[TextBlock], parts: &[Part]) -> String {
    let length = |blocks: &[&TextBlock]| blocks.iter().map(|block| block.range.len()).sum::<usize>();
    let joined = |blocks: &[&TextBlock]| blocks.iter().map(|block| &text[block.range.clone()]).collect();
    let mut unmarked: Vec<&TextBlock> = blocks.iter().filter(|block| !block.is_marked(parts)).collect();
    let main: Vec<&TextBlock> = unmarked.iter().copied().filter(|block| block.role == Role::Main).collect();
    // Less is a place that a script fills.
    let has_main = !main.is_empty() && length(&main) * MIN_UNMARKED >= length(&unmarked);
    if has_main {
        unmarked = main;
    }
    let unlinked = without_runs(&unmarked);
    // However long the menus are, main content is content.
    if !has_main && length(&unmarked) * MIN_UNMARKED < text.len() {
        text.to_owned()
    } else if length(&unlinked) * MIN_UNLINKED < length(&unmarked) {
        joined(&unmarked)
    } else {
        joined(&unlinked)
    }
}

/// Blocks without the runs of links among them that are menus.
fn without_runs<'a>(blocks: &[&'a TextBlock]) -> Vec<&'a TextBlock> {
    let mut rest = Vec::with_capacity(blocks.len());
    let mut seen = 0;
    for run in blocks.chunk_by(|a, b| a.is_links() == b.is_links()) {
        let is_at_edge = seen == 0 || seen + run.len() == blocks.len();
        seen += run.len();
        let links = run.iter().map(|block| block.links).sum::<usize>();
        if !run[0].is_links() || links < MENU && !is_at_edge {
            rest.extend_from_slice(run);
        }
    }
    rest
}

/// How a tag marks what it encloses.
pub(super) fn mark(tag: &Tag) -> Option<Mark> {
    if &*tag.name == "main" {
        return Some(Mark::Main);
    }
    if matches!(&*tag.name, "nav" | "header" | "footer" | "aside" | "dialog") {
        return Some(Mark::Said);
    }
    // Tags that are closed, as a rule, and do not enclose the whole page.
    if !matches!(&*tag.name, "div" | "section" | "table" | "ul" | "ol" | "dl" | "form" | "center") {
        return None;
    }
    let values = |name: &'static str| tag.attrs.iter().filter(move |attribute| &*attribute.name.local == name);
    let is_role = |role: &str| {
        matches!(role, "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu" | "menubar")
    };
    let has = |is: fn(&str) -> bool| values("role").any(|role| role.value.split_ascii_whitespace().any(is));
    if has(|role| role == "main") {
        return Some(Mark::Main);
    }
    if has(is_role) {
        return Some(Mark::Said);
    }
    let mut names = values("class").chain(values("id")).flat_map(|names| names.value.split_ascii_whitespace());
    names.any(is_name_of_navigation).then_some(Mark::Named)
}

/// True for `navbar`, `site-nav`, `topNav`, `breadcrumbs` and the like.
fn is_name_of_navigation(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.split(['-', '_']).any(|word| {
        let after = word.strip_prefix("nav");
        word.ends_with("nav")
            || after.is_some_and(|rest| {
                ["bar", "igat", "head", "foot", "menu", "link", "list", "panel", "path"]
                    .iter()
                    .any(|part| rest.starts_with(part))
            })
            || matches!(
                word.strip_suffix('s').unwrap_or(word),
                "breadcrumb" | "pagination" | "pager" | "menu" | "menubar" | "sidebar" | "footer"
            )
    })
}

/// True if a link leads to another page of a sequence that this page belongs to.
pub(super) fn turns(link: &Tag) -> bool {
    let is_turn = |kind: &str| {
        ["prev", "previous", "next", "up", "first", "last", "start", "home", "contents", "toc", "index", "top"]
            .iter()
            .any(|turn| kind.eq_ignore_ascii_case(turn))
    };
    link.attrs
        .iter()
        .any(|attribute| &*attribute.name.local == "rel" && attribute.value.split_ascii_whitespace().any(is_turn))
}
