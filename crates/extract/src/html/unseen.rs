//! Characters of a web page that its reader may not see, by what its tags say.
//!
//! Style sheets are not looked up. If one sets a background anywhere, what lies behind an element with a class or an id
//! is unknown. A script may show what a tag hides, so on a page with scripts only white and tiny letters count, and
//! those outside of the page.
//!
//! Cost: linear in the attributes; memory is 50 bytes for each open element that has one of these.
//!
//! Source: CSS 2.2 (8: boxes; 11: visual effects; 14: colours; 15: fonts), HTML (15: rendering).

use super::elements::{is_inline, is_seldom_closed, is_void};
use super::tags::{Tag, declarations};
use crate::hidden::{Hidden, TINY, is_bright, is_white, unit_of, visible_characters};

/// Distance in pixels from which text is outside of the page.
const OUTSIDE: f32 = 999.0;

/// Opacity below which letters are not seen.
const OPAQUE: f32 = 0.06;

/// How the letters of an element look; `None` where nothing says so.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Look {
    is_white: Option<bool>,
    is_tiny: Option<bool>,
    is_outside: bool,
    is_invisible: bool,
    has_ground: bool,
}

/// An open element that says how its letters look.
#[derive(Debug)]
struct Part {
    name: String,
    /// Number of tags open in the element, itself included unless it is seldom closed.
    open: usize,
    /// Its look, by all that is around it.
    look: Look,
}

/// Counts such characters, tag by tag.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    parts: Vec<Part>,
    counts: Hidden,
    has_scripts: bool,
    /// True if a style sheet sets backgrounds, or is another file.
    has_grounds: bool,
}

impl Unseen {
    /// Follows a tag; `open` is the number of tags that are open after it.
    pub(super) fn tag(&mut self, tag: &Tag, open: usize) {
        while self.parts.last().is_some_and(|part| open < part.open || ends(part, tag, open)) {
            self.parts.pop();
        }
        if tag.is_end {
            return;
        }
        let name = &*tag.name;
        self.has_scripts |= name == "script";
        let is_sheet = || tag.value("rel").is_some_and(|rel| rel.to_ascii_lowercase().contains("stylesheet"));
        self.has_grounds |= name == "link" && is_sheet();
        if tag.closes_itself || is_void(name) {
            return;
        }
        let around = self.parts.last().map(|part| part.look).unwrap_or_default();
        let mut look = around;
        if let Some(style) = tag.value("style") {
            note(style, &mut look);
        }
        look.is_invisible |= tag.value("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"));
        if let Some(colour) = tag.value("color").filter(|_| name == "font") {
            look.is_white = Some(is_white_in_css(colour));
        }
        let ground = tag.value("bgcolor").or_else(|| tag.value("background"));
        look.has_ground |= ground.is_some_and(|ground| !is_white_in_css(ground));
        look.has_ground |= self.has_grounds && (tag.value("class").is_some() || tag.value("id").is_some());
        if look != around {
            self.parts.push(Part { name: tag.name.clone(), open, look });
        }
    }

    /// Notes the content of a style sheet.
    pub(super) fn style_sheet(&mut self, content: &str) {
        self.has_grounds |= content.contains("background");
    }

    /// Counts characters of the page.
    pub(super) fn characters(&mut self, characters: &str) {
        let Some(Part { look, .. }) = self.parts.last() else { return };
        let count = match look {
            Look { is_invisible: true, .. } => &mut self.counts.invisible,
            Look { is_outside: true, .. } => &mut self.counts.outside,
            Look { is_tiny: Some(true), .. } => &mut self.counts.tiny,
            Look { is_white: Some(true), has_ground: false, .. } => &mut self.counts.white,
            _ => return,
        };
        *count += visible_characters(characters);
    }

    pub(super) fn counts(&self) -> Hidden {
        let invisible = if self.has_scripts { 0 } else { self.counts.invisible };
        Hidden { invisible, ..self.counts }
    }
}

/// True if a tag ends an element that is seldom closed.
fn ends(part: &Part, tag: &Tag, open: usize) -> bool {
    let is_counted = !tag.is_end && !tag.closes_itself && !is_void(&tag.name) && !is_seldom_closed(&tag.name);
    let is_within = open > part.open + usize::from(is_counted);
    let is_paragraph = part.name == "p" && !tag.is_end && !is_inline(&tag.name) && !is_void(&tag.name);
    is_seldom_closed(&part.name) && !is_within && (tag.name == part.name || is_paragraph)
}

/// Notes the declarations of a `style` attribute.
fn note(style: &str, look: &mut Look) {
    for (name, value) in declarations(&style.to_ascii_lowercase()) {
        let value = value.trim_end_matches("!important").trim_end();
        match name {
            "color" => {
                look.is_white = Some(is_white_in_css(value));
                look.is_invisible |= value == "transparent";
            }
            "background" | "background-color" | "background-image" => {
                look.has_ground |= !matches!(value, "none" | "transparent" | "inherit") && !is_white_in_css(value);
            }
            "font-size" => look.is_tiny = points(value).map(|points| points < TINY).or(look.is_tiny),
            "display" => look.is_invisible |= value == "none",
            "visibility" => look.is_invisible |= value == "hidden",
            "opacity" => look.is_invisible |= value.parse().is_ok_and(|opacity: f32| opacity < OPAQUE),
            "left" | "top" | "margin-left" | "margin-top" | "text-indent" => {
                look.is_outside |= points(value).is_some_and(|points| points / 0.75 <= -OUTSIDE);
            }
            _ => {}
        }
    }
}

/// A length in points; those relative to a font by one of 12 points, as most are.
fn points(length: &str) -> Option<f32> {
    if length == "0" {
        return Some(0.0);
    }
    let (number, points) = unit_of(length, &[("rem", 12.0), ("em", 12.0), ("%", 0.12)])?;
    number.trim().parse().ok().map(|number: f32| number * points)
}

/// True if a colour of CSS is white or nearly so.
fn is_white_in_css(colour: &str) -> bool {
    let colour = colour.trim().to_ascii_lowercase();
    if let Some(digits) = colour.strip_prefix('#') {
        let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
        return is_white(if digits.len() == 3 { &doubled } else { digits });
    }
    let parts = colour.strip_prefix("rgb(").and_then(|parts| parts.strip_suffix(')'));
    let is_full = |parts: &str| {
        let parts: Vec<&str> = parts.split([',', ' ']).filter(|part| !part.is_empty()).collect();
        parts.len() == 3 && parts.iter().all(|part| part.parse().is_ok_and(is_bright))
    };
    matches!(&*colour, "white" | "snow" | "ivory" | "ghostwhite") || parts.is_some_and(is_full)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn counts(body: &str) -> [usize; 4] {
        let Hidden { white, tiny, outside, invisible } =
            read(&format!("<html><body><p>Text.</p>{body}</body></html>")).hidden;
        [white, tiny, outside, invisible]
    }

    #[test]
    fn text_that_a_reader_may_not_see_is_counted() {
        for (body, expected) in [
            ("<p>a <span style='color: #FFF'>b c</span> d", [2, 0, 0, 0]),
            ("<font color=white>a</font>b<p style='COLOR:rgb(255, 254, 255)'>c</p>d", [2, 0, 0, 0]),
            ("<p style='font-size:1px'>a b</p><p style='font-size:0'>c<p>d", [0, 3, 0, 0]),
            ("<div style='position:absolute;left:-9999px'>a b</div>c", [0, 0, 2, 0]),
            ("<div hidden>a <b>b</b></div>c<i style='opacity:0'>d</i>", [0, 0, 0, 3]),
            ("<p style='display:none'>a<p>b<div style='visibility:hidden'>c<p>d</div>e", [0, 0, 0, 3]),
            (
                "<ul><li style='color:white'>a<li>b</ul><table><tr><td style='color:white'><b>c</b><td>d</table>e",
                [2, 0, 0, 0],
            ),
            ("<div><p style='color:white'>a<br>b</div>c", [2, 0, 0, 0]),
            // Other letters within are seen.
            ("<div style='color:white'>a<span style='color:black'>b</span>c</div>", [2, 0, 0, 0]),
            ("<p style='color:#123;font-size:12pt;left:-5px'>a</p><p style='font-size:90%'>b</p>", [0; 4]),
            // White letters on a background are seen.
            (
                "<p style='color:white;background:#000'>a</p><table bgcolor='#000000'><tr><td><font color='#fff'>b</table>",
                [0; 4],
            ),
            ("<style>.x{background:navy}</style><div class=x><b style='color:white'>a</b></div>", [0; 4]),
            ("<style>p{margin:0}</style><div class=x><b style='color:white'>a</b></div>", [1, 0, 0, 0]),
            // A script may show what is hidden.
            ("<script>show()</script><div hidden>a</div>", [0; 4]),
            // Menus are hidden until they are opened.
            ("<nav><ul style='display:none'><li>a</ul></nav><script hidden>b</script>", [0; 4]),
        ] {
            assert_eq!(counts(body), expected, "{body}");
        }
    }

    #[test]
    fn tags_that_are_not_closed_take_no_time() {
        let page = "<p style='color:white'><b style='color:red'>".repeat(100_000);
        assert_eq!(counts(&format!("{page}a")), [0; 4]);
    }
}
