//! Where an element ends whose end tag is left out.
//!
//! Cost: constant for each tag.
//!
//! Source: HTML, 13.1.2.4 (optional tags), 13.2.6.4 (tree construction).

use std::cmp::Ordering;

use super::elements::ends_paragraph;
use super::tags::Tag;

/// The elements that may hold such an element. Within another of them, those of its kind do not end it.
pub(super) fn holders(name: &str) -> &'static [&'static str] {
    match name {
        "dd" | "dt" => &["dl"],
        "li" => &["ul", "ol", "menu"],
        "td" | "th" | "tr" => &["table"],
        _ => &[],
    }
}

/// True if a tag ends an open element of a name; `holders` compares the number of open holders now with that when it began.
/// False for elements whose end tags cannot be left out. An end tag of its own name is not looked at.
pub(super) fn ends(name: &str, tag: &Tag, holders: Ordering) -> bool {
    let tag_name = &*tag.name;
    let by_sibling = match name {
        // Blocks within a paragraph end it, so any end tag of a block is that of one around it.
        "p" if tag.is_end => {
            return tag_name != "p" && (ends_paragraph(tag_name) || matches!(tag_name, "td" | "th" | "body"));
        }
        "p" => return ends_paragraph(tag_name),
        "li" => tag_name == "li",
        "dd" | "dt" => matches!(tag_name, "dd" | "dt"),
        "td" | "th" => matches!(tag_name, "td" | "th" | "tr" | "tbody" | "thead" | "tfoot"),
        "tr" => matches!(tag_name, "tr" | "tbody" | "thead" | "tfoot"),
        _ => return false,
    };
    // The end of a row or of a part of a table ends its cells, too.
    let is_around =
        tag.is_end && matches!(name, "td" | "th" | "tr") && tag_name != name && !matches!(tag_name, "td" | "th");
    holders == Ordering::Less || holders == Ordering::Equal && by_sibling && (!tag.is_end || is_around)
}

#[cfg(test)]
mod tests {
    use super::super::read;

    fn text(body: &str) -> String {
        read(&format!("<html><body><p>The first of many words.</p>{body}</body></html>")).text.replace('\n', "|")
    }

    #[test]
    fn a_hidden_element_ends_without_its_end_tag() {
        for (body, expected) in [
            ("<p style='display:none'>no<p>b", "b|"),
            ("<p hidden>no<p hidden>no<p>b", "b|"),
            ("<p hidden>no <b>no<h2>b</h2>", "b|"),
            ("<div><p hidden>no</div>b", "b|"),
            ("<ul><li hidden>no<li>b</ul>c", "b|c|"),
            ("<ul><li hidden>no<ol><li>no</ol>no<li>b</ul>c", "b|c|"),
            ("<ul><li>a<li hidden>no</ul>b", "a|b|"),
            ("<dl><dt hidden>no<dd>b<dd hidden>no</dl>c", "b|c|"),
            ("<table><tr><td hidden>no<td>b<tr hidden><td>no<tr><td>c</table>d", "b|c|d|"),
            ("<table><tr><td hidden>no<table><tr><td>no</table>no</tr><tr><td>b</table>c", "b|c|"),
            // Closed ones, and those that must be.
            ("<p hidden>no</p>b<p>c", "b|c|"),
            ("<div hidden>no<p>no</div>b", "b|"),
            ("a<p hidden>no", "a|"),
        ] {
            assert_eq!(text(body), format!("The first of many words.|{expected}"), "{body}");
        }
    }
}
