//! A web page's main content.
//!
//! [`read`] takes the visible text tag by tag (`tags.rs`, `strip.rs`) and leaves out
//! navigation (`blocks.rs`). Where teasers, adverts and notices seem to be left around an
//! article, `dom_smoothie`, a port of Mozilla's Readability, finds it in the page's tree; if it
//! finds next to nothing, or would be slow, the text without navigation remains.
//! `unseen.rs` counts characters that a reader may not see; `recognise.rs` distinguishes web
//! pages from plain texts.
//!
//! Cost: linear. Readability is not linear in tags nested thousands deep, and no
//! parser is in thousands of attributes; hence the limits here.

mod blocks;
mod date;
mod drawn;
mod elements;
mod recognise;
mod strip;
mod tags;
mod unclosed;
mod unseen;

use std::borrow::Cow;

use dom_smoothie::{Config, Readability, TextMode};

use crate::hidden::Hidden;
use crate::{has_letters, pictured, raised};
pub use date::date;
pub use recognise::recognise;
use strip::More;

/// Maximum number of tags open at once for Readability to run; real pages have fewer.
/// Readability counts the text of each open tag again: 128 nested tables around a
/// megabyte take .7 s, 100,000 `div`s would take 45 s.
const MAX_DEPTH: usize = 128;

/// Maximum page size for Readability, in bytes. A longer page is a log or a book, all of
/// it content. (2 MB of `&amp;` take Readability 2 s; four times as many take sixteen
/// times as long.)
const MAX_PAGE: usize = 2 << 20;

/// Maximum number of attributes of one tag: parsers compare each with all others, so
/// 200,000 take half a minute.
const MAX_ATTRIBUTES: usize = 1024;

/// Length in bytes from which an article is accepted, whatever else is on the page.
const LONG_ARTICLE: usize = 2000;

/// The attribute of a template whose content is shown.
const SHADOW: &str = "shadowrootmode";

/// Letters and digits that the text of a page has if it is not only a notice that scripts are to write it.
const LETTERS_OF_A_PLACEHOLDER: usize = 50;

/// A shorter article must have at least one in this many bytes of the visible text; less
/// is a caption or a cookie notice.
const MIN_SHARE: usize = 4;

/// A web page.
#[derive(Debug)]
pub struct Page {
    /// Its main content as plain text, one paragraph per line.
    pub text: String,
    /// The numbers of characters that its reader may not see.
    pub hidden: Hidden,
    /// 1 if it has little text, and may show more: pictures, films, other pages, or what scripts write; else 0; and the number of
    /// its formulas whose text leaves their layout unclear.
    pub pictured: usize,
}

/// Reads a web page.
pub fn read(html: &str) -> Page {
    let tame = tamed(html);
    let has_monsters = matches!(tame, Cow::Owned(_));
    let drawn = drawn::in_page(&tame);
    let page = raised::in_page(&drawn.page);
    let stripped = strip::strip(&page);
    // What a template shows is not in the tree that Readability reads.
    let is_hostile = has_monsters || drawn.has_shadow || page.len() > MAX_PAGE || stripped.depth > MAX_DEPTH;
    let visible = stripped.content.text;
    let article = if is_hostile || !stripped.content.is_mixed { None } else { article(&page) };
    let text = match article {
        Some(article) if article.len() >= LONG_ARTICLE || article.len() * MIN_SHARE >= visible.len() => article,
        _ => visible,
    };
    let More { media, scripts } = stripped.more;
    let is_placeholder = scripts && !has_letters(text.chars(), LETTERS_OF_A_PLACEHOLDER);
    let pictured = pictured(&text, usize::from(media)).max(usize::from(is_placeholder)) + drawn.unclear;
    Page { text, hidden: stripped.unseen, pictured }
}

/// All visible text of a page, one paragraph per line.
pub(super) fn visible(html: &str) -> String {
    strip::strip(&raised::in_page(&drawn::in_page(&tamed(html)).page)).all
}

/// Turns tags that parsers would be slow on into text.
fn tamed(html: &str) -> Cow<'_, str> {
    let oversized_tags = oversized_tags(html);
    if oversized_tags.is_empty() { Cow::Borrowed(html) } else { Cow::Owned(without(html, &oversized_tags)) }
}

/// The article that Readability finds.
fn article(html: &str) -> Option<String> {
    let config = Config { text_mode: TextMode::Formatted, disable_json_ld: true, ..Config::default() };
    let mut readability = Readability::new(html, None, Some(config)).ok()?;
    if !readability.is_probably_readable() {
        return None;
    }
    Some(readability.parse().ok()?.text_content.to_string()).filter(|text| !text.trim().is_empty())
}

/// The places of every `<` in tags with more than [`MAX_ATTRIBUTES`] attributes, the first
/// one included. A `<` inside a tag is not measured as another tag: unclosed tags would each
/// be measured to the page's end.
fn oversized_tags(html: &str) -> Vec<usize> {
    let bytes = html.as_bytes();
    // Inside SVG and MathML a script contains markup like any other element.
    let is_markup = html.match_indices('<').any(|(at, _)| {
        let tag = bytes.get(at + 1..at + 4).unwrap_or_default();
        tag.eq_ignore_ascii_case(b"svg") || tag.eq_ignore_ascii_case(b"mat")
    });
    let mut oversized_tags = Vec::new();
    let mut at = 0;
    while let Some(next) = html[at..].find('<') {
        let start = at + next;
        at = start + 1;
        let rest = &bytes[at..];
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            let (length, attributes) = measure(rest);
            at += length;
            if attributes > MAX_ATTRIBUTES {
                oversized_tags.extend(html[start..at].match_indices('<').map(|(place, _)| start + place));
            } else if !is_markup {
                at += raw_text(html, start, at);
            }
        } else if rest.starts_with(b"!--") {
            at += comment(rest);
        }
    }
    oversized_tags
}

/// The length of a tag up to its `>` or the page's end, and an upper bound on the number
/// of its attributes. A quoted value counts as one.
fn measure(tag: &[u8]) -> (usize, usize) {
    let (mut at, mut attributes, mut value_begins) = (0, 0, false);
    while let Some(&byte) = tag.get(at) {
        at += 1;
        match byte {
            b'>' => return (at - 1, attributes),
            b'"' | b'\'' if value_begins => {
                at += tag[at..].iter().position(|&other| other == byte).map_or(tag.len() - at, |length| length + 1);
                attributes += 1;
                value_begins = false;
            }
            b'/' if !value_begins => attributes += 1,
            _ if byte.is_ascii_whitespace() => attributes += usize::from(!value_begins),
            _ => value_begins = byte == b'=',
        }
    }
    (at, attributes)
}

/// The length of the content of a script or style whose tag is `start..end`; 0 for other
/// tags. In such content `<` begins no tag.
fn raw_text(html: &str, start: usize, end: usize) -> usize {
    let is = |name: &str| {
        html.get(start + 1..start + 1 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && !html.as_bytes().get(start + 1 + name.len()).is_some_and(u8::is_ascii_alphanumeric)
    };
    let Some(close) = [("script", "</script"), ("style", "</style")].iter().find(|(name, _)| is(name)) else {
        return 0;
    };
    let close = close.1.as_bytes();
    let rest = &html.as_bytes()[end..];
    rest.windows(close.len()).position(|window| window.eq_ignore_ascii_case(close)).unwrap_or(rest.len())
}

/// The length of a comment from its `!--`; an unclosed comment extends to the end.
fn comment(rest: &[u8]) -> usize {
    if rest.starts_with(b"!-->") || rest.starts_with(b"!--->") {
        return 3;
    }
    rest.windows(3).skip(3).position(|window| window == b"-->").map_or(rest.len(), |length| length + 6)
}

/// Removes the `<` at these places, in ascending order, so that their tags become text.
fn without(html: &str, places: &[usize]) -> String {
    let ends = places.iter().copied().chain([html.len()]);
    let starts = [0].into_iter().chain(places.iter().map(|place| place + 1));
    starts.zip(ends).map(|(start, end)| &html[start..end]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn main_content(page: &str) -> String {
        read(page).text
    }

    #[test]
    fn a_page_without_an_article_gives_its_visible_text() {
        let page = "<html><head><title>t</title><style>b{}</style></head><body><nav>Home <b>News</b></nav>\
            <script>if (a<b) document.write('<p>no')</script><h1>A list</h1><ul><li>one <i>more</i>\n thing\
            <li>two &amp; three</ul><footer>legal</footer></body>";
        assert_eq!(main_content(page).trim(), "A list\none more thing\ntwo & three");
    }

    #[test]
    fn elements_that_are_made_blocks_end_a_line() {
        let block = "<span style='color:red; Display: block !important'>";
        for (page, expected) in [
            (format!("{block}1</span>{block}23</span>4"), "1\n23\n4"),
            (format!("a<b>{block}1<span>2</span>3</span>4</b>5"), "a\n123\n45"),
            (format!("{block}1{block}2</span>3</span>4"), "1\n2\n3\n4"),
            ("1<span style='display:inline-block'>2</span><i style='display:'>3</i></span>".into(), "123"),
            ("1<img style='display:block'>2".into(), "1\n2"),
        ] {
            assert_eq!(visible(&page).trim(), expected, "{page}");
        }
    }

    /// The page's menus, links to the next page and notices are marked up in many ways.
    #[test]
    fn a_short_page_is_left_without_navigation() {
        let text = "<h1><a href='#3'>Capacity</a></h1><p>One hundred pages fit, see <a href=m.html>memory</a>.</p>";
        let expected = "Capacity\nOne hundred pages fit, see memory.";
        for (before, after) in [
            // HTML 5 and ARIA.
            ("<nav><a href=/>Home</a></nav>", "<div role=contentinfo>Printed in June</div>"),
            // The header of an article has its headline, that of a page its menus.
            ("<header>Home and more</header>", "<footer>Printed in June</footer>"),
            // DocBook: pictures are links, titles are not.
            (
                "<div class='navheader'><table><tr><th>Chapter 3</th></tr><tr><td><a href=2.html><img src=p></a></td>\
                 </tr></table></div>",
                "<div class='navfooter'><a href=4.html><img src=n></a><div>3.4. Names of pages</div></div>",
            ),
            // Texinfo.
            ("<div><p>Next: <a href=4.html rel=next>Names</a>, Up: <a href=. rel='up'>Top</a> &nbsp; </p></div>", ""),
            // Classes and ids with such a word in them.
            (
                "<ul id=mainNav><li><a href=/>Home</a> and more</ul>",
                "<div class='page-footer x'>© <a href=/>We</a></div>",
            ),
            // Unmarked: blocks of nothing but links.
            ("<table><tr><td><a href=/>Home</a> |</td><td>| <a href=n>News</a></td></tr></table>", ""),
            ("", "<hr><a href=2.html>Back</a> <a href=4.html>On</a>"),
        ] {
            let page = format!("<!DOCTYPE html><html><body>{before}{text}{after}</body></html>");
            assert_eq!(main_content(&page).trim(), expected, "{before} {after}");
        }
    }

    #[test]
    fn what_is_only_called_or_made_like_navigation_stays() {
        let content = |page: &str| main_content(&format!("<html><body>{page}</body></html>")).trim().to_owned();
        let article = "<header>Menu</header><article><header><h1>Granted</h1></header><p>So it is.</p></article>";
        assert_eq!(content(article), "Granted\nSo it is.");
        // A list of links is a page's content if there is little else.
        let list =
            "<h1>Pages</h1><ul><li><a href=1>Ports of the coast</a><li><a href=2>Tides</a><li><a href=3>Winds</a></ul>";
        assert_eq!(content(list), "Pages\nPorts of the coast\nTides\nWinds");
        assert_eq!(content(&format!("<div class=menu>{list}</div>")), "Pages\nPorts of the coast\nTides\nWinds");
        // A single link between paragraphs is one of them.
        let lone = "<p>The harbour is described here:</p><p><a href=h>The harbour</a></p><p>It is old.</p>";
        assert_eq!(content(lone), "The harbour is described here:\nThe harbour\nIt is old.");
        // A restaurant's menu, and a page beside its sidebar.
        let dishes = "<p>Soup of the day with bread</p>".repeat(12);
        let page =
            format!("<h1>Dinner</h1><p>From six to ten o'clock.</p><div class=menu>{dishes}<a href=o>Order</a></div>");
        assert_eq!(content(&page).lines().count(), 14);
        let page = format!("<div class=with-sidebar><div class=sidebar><a href=/>Home</a> is here</div>{dishes}</div>");
        assert_eq!(content(&page).lines().count(), 12);
    }

    #[test]
    fn what_is_hidden_is_left_out() {
        let content = |page: &str| main_content(&format!("<html><body>{page}</body></html>")).trim().to_owned();
        for hidden in [
            "<div hidden>not to be seen</div>",
            "<p style='color: red; Display : NONE'>not <b>to be</b> seen</p>",
            "<section style='visibility:hidden'><div>not</div> to be seen</section>",
            "<template><p>not to be seen</p></template>",
        ] {
            assert_eq!(content(&format!("<p>One.</p>{hidden}<p>Two.</p>")), "One.\nTwo.", "{hidden}");
        }
        assert_eq!(content("<div>One. <template shadowrootmode=open><p>Two.</p></template></div>"), "One.\nTwo.");
        // A page that a script shows once it is loaded.
        let page = "<html><body style='visibility:hidden'><p>One.</p><div hidden>Two.</div></body></html>";
        assert_eq!(main_content(page).trim(), "One.\nTwo.");
        // Void elements have no content, and an element that is not closed hides nothing.
        for page in ["<img hidden src=x><p>One.</p>", "<p style='display:block'>One.</p>", "<div hidden><p>One.</p>"] {
            assert_eq!(content(page), "One.", "{page}");
        }
    }

    /// An article is looked for only where there may be other text beside it.
    #[test]
    fn a_page_is_mixed_if_short_texts_surround_long_ones() {
        let paragraph = format!("<p>{}</p>", "A long sentence of the page itself. ".repeat(8));
        let list = "<ul><li>short<li>item<li>of a list</ul><pre>make all</pre>".repeat(6);
        let teasers = "<div><h4>Read also</h4><div>by A. Nother</div><div>3 comments</div></div>".repeat(6);
        let is_mixed = |page: String| strip::strip(&page).content.is_mixed;
        assert!(!is_mixed(paragraph.repeat(5)));
        assert!(!is_mixed(format!("{paragraph}{list}{paragraph}")), "lists within a manual");
        assert!(is_mixed(format!("{}{teasers}", paragraph.repeat(4))));
        assert!(is_mixed(format!("{teasers}{}", paragraph.repeat(4))));
        assert!(!is_mixed(format!("<main>{}</main>{teasers}", paragraph.repeat(4))), "marked by the page");
        assert!(!is_mixed(teasers), "no article to be found");
    }

    #[test]
    fn main_content_is_all_of_the_content() {
        let help = "<div><h2>Keyboard shortcuts</h2><p>Press the arrows to go on, and ? to see this help.</p></div>";
        let menu = format!("<nav>{}</nav>", "<a href=x>A page of the manual</a><br>".repeat(50));
        let list = "<h1>Commands</h1><ul><li><a href=1>build</a><li><a href=2>check</a><li><a href=3>test</a></ul>";
        let before = format!("<html><body>{menu}{help}");
        for (start, end) in [("<main>", "</main>"), ("<div role=main>", "</div>"), ("<main>", "")] {
            let page = format!("{before}{start}{list}{end}");
            assert_eq!(main_content(&page).trim(), "Commands\nbuild\ncheck\ntest", "{start} {end}");
        }
        // A main part for a script to fill.
        for main in ["<main></main>", "<main><p>Wait</main>"] {
            let page = format!("<html><body>{main}{help}");
            assert!(main_content(&page).contains("Press the arrows"), "{main}");
        }
    }

    #[test]
    fn an_unclosed_menu_does_not_swallow_the_page() {
        assert_eq!(main_content("<html><body><nav><p>All there is").trim(), "All there is");
        for page in [
            "<html><head><title>t</title><body>text",
            "<html><head><title>t</title><p>text",
            "<title>t</title>text",
            "<div>Skip</div><form>text of the whole page</form>",
            "Skip <nav><p>Home<div>all the text of the page is in here",
            "<body>text<select><option>one",
        ] {
            assert!(main_content(page).contains("text") && !main_content(page).contains('<'), "{page}");
        }
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
            format!("<html><body><p '{attributes}>text</p>"),
            format!("<html><body><p{attributes} text"),
        ] {
            let text = main_content(&page);
            assert!(text.contains("text") && text.contains("a199999"));
        }
        let unclosed = format!("<html><body><p>text</p>{}", "<title ".repeat(200_000));
        assert!(main_content(&unclosed).contains("text"));
        // One long value is not many attributes.
        let picture = format!("<p>before <img src='data:{}'> after", "a/b ".repeat(50_000));
        assert_eq!(main_content(&picture).trim(), "before after");
    }

    /// Void tags and end tags without an open tag do not hide the depth.
    #[test]
    fn the_depth_is_that_of_the_tree() {
        let n = 5000;
        for (page, deep) in [
            ("<div><p></p>".repeat(n), true),
            ("<div></x>".repeat(n), true),
            (format!("<b '>{}", "<div>".repeat(n)), true),
            ("<x/>".repeat(n), true),
            (format!("<svg><p>{}", "<x/>".repeat(n)), true),
            ("<div></div>".repeat(n), false),
            ("<p>old<p>page".repeat(n), false),
            ("<svg><path d='M0'/></svg>".repeat(n), false),
            (format!("<svg>{}</svg>", "<path d='M0'/>".repeat(n)), false),
            (format!("<script>{}</script>", "if(a<b&&c>d)e();".repeat(n)), false),
        ] {
            assert_eq!(strip::strip(&page).depth > MAX_DEPTH, deep, "{}", &page[..30]);
        }
    }

    /// The content of scripts and SVG does not keep the article from being found.
    #[test]
    fn scripts_and_icons_change_nothing() {
        let path = format!("{}/../../data/web/lighthouse-a.html", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        let plain = main_content(&page);
        for addition in [
            format!("<script>{}</script></body>", "if(a>b&&i<n)f(1, 2, 3);".repeat(2000)),
            format!("{}</body>", "<svg viewBox='0 0 1 1'><path d='M0 0'/></svg>".repeat(400)),
        ] {
            assert_eq!(main_content(&page.replace("</body>", &addition)), plain);
        }
    }

    proptest! {
        /// Tags in any order, closed or not, with hostile attributes and text.
        #[test]
        fn no_page_is_fatal(parts in prop::collection::vec(prop_oneof![
            "</?(div|p|b|i|a|table|tr|td|svg|math|template|select|form|script|style|title|body|html|head|li|nav|noscript|frameset)( (id|class|hidden|style)=('[a-z ]{0,9}'|\"[^\"]{0,6}))?/?>",
            "[a-z ,.]{0,40}",
            "<p>([a-z]{2,9} ){20,40}, [a-z ,]{140,200}</p>",
            "(&[a-z#0-9]{0,8};?|<!--|-->|<!\\[CDATA\\[|\\]\\]>|<!doctype html>|\0)",
            "\\PC{0,5}",
        ], 0..60)) {
            read(&parts.concat());
        }
    }
}
