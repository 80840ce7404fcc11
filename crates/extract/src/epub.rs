//! The text of an electronic book (EPUB 2 and 3).
//!
//! Chapters come in the order of the spine. Each gives all its visible text: an aside or a
//! header, which would be navigation on a web page, is a note or a heading in a book. The
//! table of contents is left out.
//!
//! Cost: linear in the chapters; each is read once, however often the spine names it.
//!
//! Source: EPUB 3.3 (5: package document; OCF: container).

use std::collections::{HashMap, HashSet};

use super::Extracted;
use super::html;
use super::properties;
use super::xml::each_element;
use super::zip::Archive;
use crate::Refusal;
use crate::decode::decode;

const FORMAT: &str = "EPUB";

/// Beginning of a book's `mimetype` member.
pub(super) const MIMETYPE: &[u8] = b"application/epub+zip";

/// The member that names the book's package.
pub(super) const CONTAINER: &str = "META-INF/container.xml";

/// Maximum total length of the chapters' names with their folders, plus [`CHAPTER`] for each,
/// in bytes. The longest books have a few thousand names of a few dozen bytes.
const MAX_NAMES: usize = 16 << 20;
/// Overhead of a chapter's name, in bytes.
const CHAPTER: usize = 64;

/// True if an archive with this `mimetype` is an electronic book.
#[expect(clippy::unnecessary_wraps, reason = "as the recognisers of other formats")]
pub(crate) fn is(mimetype: &[u8], archive: &mut Archive) -> Result<bool, Refusal> {
    Ok(mimetype.starts_with(MIMETYPE) || archive.has(CONTAINER))
}

/// The text of the book.
pub(crate) fn text(archive: &mut Archive) -> Result<Extracted, Refusal> {
    let damaged = |what: String| Refusal::Damaged { format: FORMAT, what };
    let container = archive.read(CONTAINER)?.ok_or_else(|| damaged(format!("it has no member {CONTAINER:?}")))?;
    let mut package = None;
    each_element(&decode(&container, None).text, FORMAT, CONTAINER, |element| {
        if element.name() == "rootfile" && package.is_none() {
            package = element.attribute("full-path");
        }
    })?;
    let package = package.ok_or_else(|| damaged(format!("{CONTAINER} names no package")))?;
    let Some(opf) = archive.read(&package)? else {
        return Err(damaged(format!("it has no member {package:?}")));
    };
    let opf = decode(&opf, None).text;
    let (chapters, date) = (chapters(&opf, &package)?, properties::of_xml(&opf));
    let locked = locked(archive)?;
    let mut text = String::new();
    let mut seen = HashSet::new();
    for chapter in chapters.into_iter().filter(|chapter| seen.insert(chapter.clone())) {
        if locked.contains(&chapter) {
            return Err(Refusal::Encrypted);
        }
        // Some spines name missing chapters; e-book readers skip them.
        let Some(page) = archive.read(&chapter)? else { continue };
        text.push_str(html::visible(&closed(&decode(&page, None).text)).trim());
        text.push('\n');
    }
    if seen.is_empty() {
        return Err(damaged(format!("{package} names no chapters")));
    }
    Ok(Extracted { date, ..text.into() })
}

/// The names of the chapters, in reading order.
fn chapters(opf: &str, package: &str) -> Result<Vec<String>, Refusal> {
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut items, mut spine) = (HashMap::new(), Vec::new());
    each_element(opf, FORMAT, package, |element| match element.name() {
        "item" => {
            let is_contents = element
                .attribute("properties")
                .is_some_and(|properties| properties.split_whitespace().any(|property| property == "nav"));
            let kind = element.attribute("media-type").unwrap_or_default();
            if let (Some(id), Some(href), false) = (element.attribute("id"), element.attribute("href"), is_contents)
                && (kind.contains("html") || kind.ends_with("/xml"))
            {
                items.insert(id, href);
            }
        }
        "itemref" => spine.extend(element.attribute("idref")),
        _ => {}
    })?;
    // An item is resolved only if the spine names it, and once: the spine may name it often,
    // and each name contains the folder.
    let (mut names, mut length) = (Vec::new(), 0);
    for href in spine.iter().filter_map(|id| items.remove(id)) {
        length += folder.len() + href.len() + CHAPTER;
        if length > MAX_NAMES {
            return Err(Refusal::TooLarge);
        }
        names.push(member(folder, &href));
    }
    Ok(names)
}

/// The encrypted members of a book. (Any book may list fonts there.)
fn locked(archive: &mut Archive) -> Result<HashSet<String>, Refusal> {
    const PART: &str = "META-INF/encryption.xml";
    let mut locked = HashSet::new();
    if let Some(list) = archive.read(PART)? {
        each_element(&decode(&list, None).text, FORMAT, PART, |element| {
            if element.name() == "CipherReference" {
                locked.extend(element.attribute("URI").map(|uri| member("", &uri)));
            }
        })?;
    }
    Ok(locked)
}

/// The name of the member that a reference from a folder points to. It is only looked up in
/// the archive, never on disk, even if its path leads out of the book.
fn member(folder: &str, href: &str) -> String {
    let path = href.split(['#', '?']).next().unwrap_or_default();
    let path = unescaped(path);
    let mut parts: Vec<&str> = if path.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("/")
}

/// Decodes `%20` and other percent escapes in a reference.
fn unescaped(href: &str) -> String {
    let mut bytes = Vec::with_capacity(href.len());
    let mut rest = href.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let digit = |at: usize| after.get(at).and_then(|&digit| char::from(digit).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                rest = &after[2..];
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Gives self-closing elements that hold raw text in HTML an end tag. XHTML allows them;
/// as HTML, `<title/>` would take everything after it for the title.
fn closed(xhtml: &str) -> String {
    let mut page = String::with_capacity(xhtml.len());
    let mut rest = xhtml;
    // The distance of the next `>` from the end of the chapter. It is remembered, so that
    // unclosed tags do not search for it again and again.
    let mut next_end = usize::MAX;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        page.push_str(before);
        let name_end = tag[1..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(tag.len(), |end| end + 1);
        let name = &tag[1..name_end];
        let is_raw = ["script", "style", "title", "textarea", "iframe", "noscript"]
            .iter()
            .any(|raw| name.eq_ignore_ascii_case(raw));
        if is_raw && next_end > tag.len() {
            next_end = tag.find('>').map_or(0, |end| tag.len() - end);
        }
        let end = if is_raw && next_end > 0 { Some(tag.len() - next_end) } else { None };
        match end {
            Some(end) if tag[..end].ends_with('/') => {
                page.extend([&tag[..end - 1], "></", name, ">"]);
                rest = &tag[end + 1..];
            }
            _ => {
                page.push_str(&tag[..name_end]);
                rest = &tag[name_end..];
            }
        }
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_to_members() {
        for (folder, href, expected) in [
            ("OEBPS", "text/a.xhtml", "OEBPS/text/a.xhtml"),
            ("OEBPS", "../a%20b.xhtml#note", "a b.xhtml"),
            ("", "./a.xhtml?x", "a.xhtml"),
            ("a/b", "/c.xhtml", "c.xhtml"),
            ("a", "../../../../etc/passwd", "etc/passwd"),
            ("a", "100%", "a/100%"),
        ] {
            assert_eq!(member(folder, href), expected);
        }
    }

    #[test]
    fn what_closes_itself_swallows_nothing() {
        let page = "<html><head><title/><script src='a.js' /></head><body><p>one<br/>two</p></body></html>";
        assert_eq!(html::visible(&closed(page)).trim(), "one\ntwo");
        assert_eq!(closed("<title>a</title> 1 < 2 <"), "<title>a</title> 1 < 2 <");
        assert_eq!(closed("<title"), "<title");
        assert_eq!(closed("<title <title/><p><style/>"), "<title <title></title><p><style></style>");
        let open = "<title ".repeat(100_000);
        assert_eq!(closed(&open), open);
    }

    #[test]
    fn chapters_come_in_the_order_of_the_spine() {
        let opf = "<package><manifest><item id='b' href='b.xhtml' media-type='application/xhtml+xml'/>\
            <item id='a' href='a.xhtml' media-type='application/xhtml+xml'/><item id='p' href='p.png' media-type='image/png'/>\
            <item id='n' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/></manifest>\
            <spine><itemref idref='n'/><itemref idref='a'/><itemref idref='p'/><itemref idref='x'/><itemref idref='b'/></spine></package>";
        assert_eq!(chapters(opf, "O/c.opf").unwrap(), ["O/a.xhtml", "O/b.xhtml"]);
    }

    #[test]
    fn names_of_chapters_are_no_bomb() {
        let item = |id: usize| format!("<item id='{id}' href='{id}' media-type='text/html'/>");
        let opf = |items: usize, refs: usize| {
            let items: String = (0..items).map(item).collect();
            let refs: String = (0..refs).map(|id| format!("<itemref idref='{id}'/>")).collect();
            format!("<p>{items}{refs}{}</p>", "<itemref idref='0'/>".repeat(1000))
        };
        let package = format!("{}/c.opf", "f".repeat(60_000));
        assert_eq!(chapters(&opf(1000, 2), &package).unwrap().len(), 2);
        assert_eq!(chapters(&opf(1000, 1000), &package), Err(Refusal::TooLarge));
    }
}
