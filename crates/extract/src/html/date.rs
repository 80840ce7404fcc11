//! The date that a web page states in its head.
//!
//! Cost: linear in the head, of at most [`HEAD`] bytes.
//!
//! Source: the Open Graph protocol (`article`), DCMI Metadata Terms, schema.org; HTML standard (4.2.5: `meta`).

use super::tags::{self, Page, Raw, Tag};
use crate::date;

/// Maximum length of a head in bytes: scripts and styles before the dates are seldom longer.
const HEAD: usize = 256 << 10;

/// The names of dates, in lower case: those of the last change come before those of publication.
const NAMES: [&str; 14] = [
    "article:modified_time",
    "og:updated_time",
    "dcterms.modified",
    "dc.date.modified",
    "datemodified",
    "last-modified",
    "article:published_time",
    "dcterms.issued",
    "dcterms.date",
    "dc.date",
    "datepublished",
    "pubdate",
    "date",
    "dcterms.created",
];

/// The date in the head of a page: of the last change, else of publication.
pub fn date(html: &str) -> Option<i64> {
    let head = &html[..html.floor_char_boundary(HEAD)];
    let end = ["<body", "<BODY"].iter().filter_map(|body| memchr::memmem::find(head.as_bytes(), body.as_bytes())).min();
    let mut dates = Dates::default();
    tags::read(&head[..end.unwrap_or(head.len())], &mut dates);
    dates.0.into_iter().flatten().next()
}

/// The date of each name.
#[derive(Default)]
struct Dates([Option<i64>; NAMES.len()]);

impl Page for Dates {
    fn text(&mut self, _: &str) {}

    fn tag(&mut self, tag: &Tag) -> Option<Raw> {
        match &*tag.name {
            _ if tag.is_end => None,
            "script" => Some(Raw::Script),
            "style" | "noscript" => Some(Raw::Plain),
            "title" => Some(Raw::Escaped),
            "meta" => {
                let content = tag.value("content")?;
                for name in ["property", "name", "itemprop", "http-equiv"].iter().filter_map(|name| tag.value(name)) {
                    let place = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name.trim()));
                    if let Some(known) = place.map(|place| &mut self.0[place]) {
                        *known = known.or_else(|| date::mail(content));
                    }
                }
                None
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2024-05-01T12:30:00Z
    const MAY: Option<i64> = Some(1_714_566_600);

    #[test]
    fn a_page_states_its_date_in_many_ways() {
        for meta in [
            "<meta property='article:modified_time' content='2024-05-01T14:30:00+02:00'>",
            "<META NAME=\"Last-Modified\" CONTENT=\"Wed, 01 May 2024 12:30:00 GMT\">",
            "<meta http-equiv=last-modified content='Wed, 01 May 2024 12:30:00 GMT'>",
            "<meta itemprop=dateModified content=2024-05-01T12:30:00Z />",
            "<meta name=date content='2001-01-01'><meta name='DCTERMS.modified' content='2024-05-01 12:30'>",
            "<meta property='article:modified_time' content=''><meta name=date content='2024-05-01T12:30:00'>",
            "<script>document.write('<meta name=last-modified content=2001-01-01>')</script>\
             <meta property='article:published_time' content='2024-05-01T12:30:00Z'>",
        ] {
            assert_eq!(date(&format!("<!DOCTYPE html><html><head>{meta}</head><body>text")), MAY, "{meta}");
        }
        for none in [
            "",
            "<meta name=date>",
            "<meta content=2024-05-01>",
            "<!-- <meta name=date content=2024-05-01> -->",
            "<title><meta name=date content=2024-05-01></title>",
            "</head><body><meta name=date content=2024-05-01>",
            "<meta name=dated content=2024-05-01>",
        ] {
            assert_eq!(date(&format!("<html><head>{none}")), None, "{none}");
        }
        let far = format!("<html><head><script>{}</script>", "ä".repeat(HEAD));
        assert_eq!(date(&format!("{far}<meta name=date content=2024-05-01>")), None);
    }
}
