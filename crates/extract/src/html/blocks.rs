//! Separates the content blocks of a page from its navigation.
//!
//! A block is the text between two tags that end a line. It is navigation if the page
//! marks it so (an element, a role, a class or an id), if it turns pages (a link with
//! `rel=next` or the like, and little else), or if it is in a run of blocks that are
//! nothing but links. If next to nothing would be left, the page is a list of links and
//! all of it is content. If the page marks its main content, only that is content.
//!
//! Cost: linear in the blocks.
//!
//! Source: C. Kohlschütter, P. Fankhauser and W. Nejdl, "Boilerplate Detection using
//! Shallow Text Features" (WSDM 2010): link density separates navigation from content
//! best, block length second best.

use std::ops::Range;

use super::tags::Tag;

/// At least one in this many bytes of the text must be left once marked blocks are removed.
/// Less is a caption or a cookie notice, or the page does not close its menu.
const MIN_UNMARKED: usize = 4;

/// At least one in this many of the bytes left must remain once runs of links are removed.
/// With less, the page is a list of links.
const MIN_UNLINKED: usize = 2;

/// Number of letters outside links from which a part is content, whatever its class: about
/// 40 words, the length from which the source takes a block for content even beside links.
const LONG_TEXT: usize = 200;

/// A block is nothing but links if at most one letter in this many is outside them.
const MAX_UNLINKED: usize = 10;

/// Letters of a word on average; the source measures blocks in words.
const WORD: usize = 5;

/// Number of letters from which a block is content by its length alone, unless most of it or of the block before it is
/// links.
const LONG_BLOCK: usize = 16 * WORD;

/// A page is mixed if more than one letter in this many is in blocks that look like boilerplate.
const MIN_MIXED: usize = 33;

/// A page is mixed only if more than one letter in this many is before its first long block or after its last.
const MIN_AROUND: usize = 50;

/// Minimum number of links that make a run of blocks a menu. At the page's edges fewer do.
const MENU: usize = 3;

/// The mark that a page gives to a part: main content, or no content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The element or role of the main content.
    Main,
    /// No content, by its element or role.
    Said,
    /// Possibly no content, by its class or id.
    Named,
}

/// A line of visible text.
#[derive(Debug, Clone, Default)]
pub(super) struct TextBlock {
    /// Its byte range in the page's text, including the line end.
    pub(super) range: Range<usize>,
    pub(super) letters: Letters,
    /// Links that begin in it.
    pub(super) links: usize,
    /// True if one of the links leads to the next page or the like.
    pub(super) turns: bool,
    pub(super) is_heading: bool,
    pub(super) role: Role,
    /// Index of the innermost part around it whose class or id names navigation.
    pub(super) part: Option<usize>,
}

/// The role of a block, by the elements around it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Unsaid,
    /// Part of the main content.
    Main,
    /// No content.
    Aside,
}

/// Number of letters and digits inside and outside links.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Letters {
    pub(super) linked: usize,
    pub(super) unlinked: usize,
}

/// A part of a page whose class or id names navigation; a part nested in it counts
/// separately.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    pub(super) letters: Letters,
    /// Links that begin in it, including those around pictures.
    pub(super) links: usize,
}

impl Letters {
    fn all(self) -> usize {
        self.linked + self.unlinked
    }
}

impl Part {
    /// True if the part has links and little other text. Its name alone is no proof: `menu`
    /// may be a restaurant's, and `with-sidebar` may enclose the article beside a sidebar.
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

    /// True if nearly all its letters are in links. A heading that is a link does not count,
    /// as it names what follows.
    fn is_links(&self) -> bool {
        !self.is_heading && self.letters.unlinked * MAX_UNLINKED <= self.letters.all()
    }
}

/// The content of a page.
pub(super) struct Content {
    pub(super) text: String,
    /// True if an article may stand in it among teasers, adverts and notices that nothing marks.
    pub(super) is_mixed: bool,
}

/// The content of a page's text.
pub(super) fn content(text: &str, blocks: &[TextBlock], parts: &[Part]) -> Content {
    let kept = kept(text, blocks, parts);
    Content { text: kept.iter().map(|block| &text[block.range.clone()]).collect(), is_mixed: is_mixed(&kept) }
}

/// The blocks that are content.
fn kept<'a>(text: &str, blocks: &'a [TextBlock], parts: &[Part]) -> Vec<&'a TextBlock> {
    let length = |blocks: &[&TextBlock]| blocks.iter().map(|block| block.range.len()).sum::<usize>();
    let mut unmarked: Vec<&TextBlock> = blocks.iter().filter(|block| !block.is_marked(parts)).collect();
    let main: Vec<&TextBlock> = unmarked.iter().copied().filter(|block| block.role == Role::Main).collect();
    // A smaller main part is a placeholder for a script to fill.
    let has_main = !main.is_empty() && length(&main) * MIN_UNMARKED >= length(&unmarked);
    if has_main {
        unmarked = main;
    }
    let unlinked = without_runs(&unmarked);
    // Main content is content however long the menus are.
    if !has_main && length(&unmarked) * MIN_UNMARKED < text.len() {
        blocks.iter().collect()
    } else if length(&unlinked) * MIN_UNLINKED < length(&unmarked) {
        unmarked
    } else {
        unlinked
    }
}

/// True if there are long blocks, but also much that looks like boilerplate, and not only between long blocks: there
/// it is lists, tables and captions.
fn is_mixed(blocks: &[&TextBlock]) -> bool {
    let letters = |blocks: &[&TextBlock]| blocks.iter().map(|block| block.letters.all()).sum::<usize>();
    let is_long = |block: &&TextBlock| block.letters.unlinked > LONG_BLOCK;
    let (Some(first), Some(last)) = (blocks.iter().position(is_long), blocks.iter().rposition(is_long)) else {
        return false;
    };
    let (all, around) = (letters(blocks), letters(&blocks[..first]) + letters(&blocks[last + 1..]));
    let of = |place: Option<&&TextBlock>| place.map_or(Letters::default(), |block| block.letters);
    let looks_so = |place: &usize| {
        let previous = place.checked_sub(1).and_then(|previous| blocks.get(previous));
        looks_like_boilerplate(of(previous), blocks[*place].letters, of(blocks.get(place + 1)))
    };
    let boilerplate: usize = (0..blocks.len()).filter(looks_so).map(|place| blocks[place].letters.all()).sum();
    boilerplate * MIN_MIXED > all && around * MIN_AROUND > all
}

/// True if a block between two others is boilerplate by its length and links; algorithm 2 of the source.
fn looks_like_boilerplate(previous: Letters, block: Letters, next: Letters) -> bool {
    if block.linked * 3 > block.all() {
        true
    } else if previous.linked * 9 > previous.all() * 5 {
        block.all() <= 40 * WORD && next.all() <= 17 * WORD
    } else {
        block.all() <= LONG_BLOCK && next.all() <= 15 * WORD && previous.all() <= 4 * WORD
    }
}

/// Removes the runs of links that are menus.
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

/// The mark that a tag gives to its content.
pub(super) fn mark(tag: &Tag) -> Option<Mark> {
    if &*tag.name == "main" {
        return Some(Mark::Main);
    }
    if matches!(&*tag.name, "nav" | "header" | "footer" | "aside" | "dialog") {
        return Some(Mark::Said);
    }
    // Tags that are usually closed and do not enclose the whole page.
    if !matches!(&*tag.name, "div" | "section" | "table" | "ul" | "ol" | "dl" | "form" | "center") {
        return None;
    }
    let is_role = |role: &str| {
        matches!(role, "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu" | "menubar")
    };
    let has = |is: fn(&str) -> bool| tag.value("role").is_some_and(|roles| roles.split_ascii_whitespace().any(is));
    if has(|role| role == "main") {
        return Some(Mark::Main);
    }
    if has(is_role) {
        return Some(Mark::Said);
    }
    let names = [tag.value("class"), tag.value("id")];
    let mut names = names.into_iter().flatten().flat_map(str::split_ascii_whitespace);
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
    link.value("rel").is_some_and(|kinds| kinds.split_ascii_whitespace().any(is_turn))
}
