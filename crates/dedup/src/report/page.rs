//! One HTML page that needs nothing but a browser: what all pages with a script share.
//!
//! A page contains figures and texts as JSON, which its script shows. The script sets text, never markup, and `<` is written
//! `\u003c`, so that no text closes the element that contains it. A Content-Security-Policy forbids the network and allows
//! only the page's own script and style, by a nonce that is a hash of the JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::escape::visible;
use crate::jobs::screen::OPENING;

/// The texts that several pages have, in the languages of readers.
pub(super) const BAR: &str = include_str!("page/bar.js");

/// The reasons for which files are not read.
pub(super) const REASONS: &str = include_str!("page/reasons.js");

/// The reader's language, and elements.
const WORDS: [&str; 2] = [include_str!("page/words.js"), include_str!("page/dom.js")];

/// The script that chooses light or dark before anything is drawn.
const THEME: &str = include_str!("page/theme.js");

/// The parts of a page.
pub(super) struct Parts<'a> {
    /// The title until the script sets one, as markup.
    pub(super) title: &'a str,
    pub(super) style: &'a str,
    pub(super) body: &'a str,
    /// Tables of texts in the languages of readers, beside [`BAR`].
    pub(super) texts: &'a [&'a str],
    /// The parts of the script, in the order in which names are needed.
    pub(super) script: &'a [&'a str],
}

impl Parts<'_> {
    /// Writes the page with its data, UTF-8. The same data give the same page.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub(super) fn write(&self, data: &str, out: &mut impl Write) -> io::Result<()> {
        let Self { title, style, body, texts, script } = self;
        // No text can contain a hash of itself, so none can pass for the page's own script.
        let nonce = blake3::hash(data.as_bytes()).to_hex();
        writeln!(
            out,
            "{OPENING}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
             style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style nonce=\"{nonce}\">\n{style}</style>\n\
             <script nonce=\"{nonce}\">\n'use strict';\n{THEME}</script>\n</head>\n<body>\n{body}\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script nonce=\"{nonce}\">\n'use strict';\n(() => {{"
        )?;
        for part in [BAR].iter().chain(*texts).chain(&WORDS).chain(*script) {
            out.write_all(part.as_bytes())?;
        }
        writeln!(out, "}})();\n</script>\n</body>\n</html>")
    }
}

/// A value as JSON without markup.
pub(super) fn json(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// A name or message without characters that act on the text around them.
pub(super) fn legibly(text: &str) -> String {
    text.chars().map(visible).collect()
}
