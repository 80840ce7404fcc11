//! The report of a screening as one page that needs nothing but a browser.
//!
//! The page contains figures and texts as JSON, which its script shows. The script sets
//! text, never markup, and `<` is written `\u003c`, so that no text closes the element
//! that contains it. A Content-Security-Policy forbids the network and allows only the
//! page's own script and style, by a nonce that is a hash of the JSON.
//!
//! Memory: the JSON, about three times the text that is shown.

use std::io::{self, Write};

use nearcopy::screen::Screening;

use super::data::Data;
use super::page::Page;

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");

/// The table of texts in the languages of readers.
pub(super) const TEXTS: [&str; 3] =
    [include_str!("texts/bar.js"), include_str!("texts/overview.js"), include_str!("texts/document.js")];

/// The parts of the script, in the order in which names are needed.
const SCRIPT: [&str; 15] = [
    include_str!("words.js"),
    include_str!("figures.js"),
    include_str!("address.js"),
    include_str!("elements.js"),
    include_str!("table.js"),
    include_str!("graph.js"),
    include_str!("picture.js"),
    include_str!("overview.js"),
    include_str!("disguised.js"),
    include_str!("document.js"),
    include_str!("passages.js"),
    include_str!("together.js"),
    include_str!("pair.js"),
    include_str!("dossier.js"),
    include_str!("main.js"),
];

/// The script that chooses light or dark before anything is drawn.
const THEME: &str = include_str!("theme.js");

impl Page {
    /// Writes the page, UTF-8. The same screening gives the same page.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, screening: &Screening, out: &mut impl Write) -> io::Result<()> {
        let data = self.json(screening)?;
        // No text can contain a hash of itself, so none can pass for the page's own script.
        let nonce = blake3::hash(data.as_bytes()).to_hex();
        writeln!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
             style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>dedup screen: shared passages</title>\n<style nonce=\"{nonce}\">\n{STYLE}</style>\n\
             <script nonce=\"{nonce}\">\n'use strict';\n{THEME}</script>\n</head>\n<body>\n{BODY}\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script nonce=\"{nonce}\">\n'use strict';\n(() => {{"
        )?;
        for part in TEXTS.iter().chain(&SCRIPT) {
            out.write_all(part.as_bytes())?;
        }
        writeln!(out, "}})();\n</script>\n</body>\n</html>")
    }

    /// The page's data as JSON without markup.
    pub(super) fn json(&self, screening: &Screening) -> io::Result<String> {
        Ok(serde_json::to_string(&Data::new(screening, self))?.replace('<', "\\u003c"))
    }
}
