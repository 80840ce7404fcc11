//! Checks the decisions of a reader: a passage that is left out, marks and notes, in every view, after the page is opened
//! again, in another report on the same texts, and from a file.

use serde_json::json;

use super::browser::Result;
use super::{Check, holds};

/// The shares of the documents, by their names.
const SHARES: &str = "return Object.fromEntries([...document.querySelectorAll('#documents tbody tr')].map(row =>
    [row.querySelector('.name .id').textContent, row.querySelector('b').textContent]))";

impl Check {
    pub(super) fn decided(&self) -> Result<()> {
        let browser = &self.browser;
        self.page(&["in", "--against", "src"])?;
        browser.run("localStorage.removeItem('dedup-decisions')")?;
        self.page(&["in", "--against", "src"])?;
        let before = browser.run(SHARES)?;
        browser.run("document.querySelector('#pairs a.open').click()")?;
        self.later()?;
        let count = "return document.querySelectorAll('.side:first-child .passage, .turn').length";
        let passages = browser.run(count)?;
        browser.click("#leave_out")?;
        self.is(
            "a passage that is left out is listed",
            "return document.querySelectorAll('#left-out li').length === 1",
        )?;
        self.is(
            "the way to other pairs goes on from where it stood",
            "return document.getElementById('next_pair').getAttribute('href').startsWith('#/pair/')",
        )?;
        self.is(
            "its words are in no passage any more",
            &format!("return (() => {{ {count} }})() < {}", passages.as_u64().ok_or("a number")?),
        )?;
        browser.run(
            "const mark = document.getElementById('mark'); mark.value = 'discuss'; mark.dispatchEvent(new Event('change'));
             const note = document.getElementById('decision-note'); note.value = 'Ask her.'; note.dispatchEvent(new Event('input'))",
        )?;
        browser.run("location.hash = '#/overview'")?;
        self.later()?;
        let after = browser.run(SHARES)?;
        if before == after {
            return Err("a passage that is left out changes no share".into());
        }
        let is_there = "return document.getElementById('decided-out') !== null
            && document.querySelector('#decided li a[href^=\"#/pair/\"]') !== null
            && [...document.querySelectorAll('#decided .tag')].some(tag => tag.textContent === 'to discuss' && tag.title === 'Ask her.')";
        self.is("the overview has the mark, the note and what is left out", is_there)?;
        // Another report on the same texts and one more.
        self.page(&["in", "src", "--against", "src"])?;
        self.is("a new report has the decisions", is_there)?;
        browser.run(
            "const make = URL.createObjectURL; URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return make(blob); };
             document.getElementById('save-decisions').click()",
        )?;
        self.later()?;
        let saved = browser.run("return window.saved")?;
        let path = self.folder.join("decisions.json");
        std::fs::write(&path, saved.as_str().ok_or("a text")?)?;
        browser.run("localStorage.removeItem('dedup-decisions')")?;
        self.page(&["in", "--against", "src"])?;
        holds("without them the figures are as before", &browser.run(SHARES)?, &before)?;
        browser.give("#open-decisions", path.to_str().ok_or("a path in UTF-8")?)?;
        self.later()?;
        self.is("a file has the decisions", is_there)?;
        self.is(
            "it is told how many fit",
            "return /marks 1 of 1, notes 1 of 1, passages left out 1 of 1\\.$/.test(document.getElementById('opened').textContent)",
        )?;
        holds("and the figures", &browser.run(SHARES)?, &after)?;
        for (name, path) in [("in", "renamed/in.last"), ("src", "renamed/src.last")] {
            std::fs::create_dir_all(self.folder.join("renamed"))?;
            std::os::unix::fs::symlink(self.folder.join(name), self.folder.join(path))?;
        }
        browser.run("localStorage.removeItem('dedup-decisions')")?;
        self.page(&["renamed/in.last", "--against", "renamed/src.last"])?;
        browser.give("#open-decisions", path.to_str().ok_or("a path in UTF-8")?)?;
        self.later()?;
        self.is(
            "texts of other names have the decisions",
            "return /marks 1 of 1, notes 1 of 1, passages left out 1 of 1\\.$/.test(document.getElementById('opened').textContent)",
        )?;
        self.is("the overview has them too", is_there)?;
        browser.run("localStorage.removeItem('dedup-decisions')")?;
        self.page(&["in", "--against", "src"])?;
        browser.give("#open-decisions", path.to_str().ok_or("a path in UTF-8")?)?;
        self.later()?;
        browser.run(
            "const { pairs } = JSON.parse(document.getElementById('data').textContent);
             const [number] = document.querySelector('#decided li a[href^=\"#/pair/\"]').getAttribute('href').match(/\\d+/);
             location.hash = `#/dossier/${pairs[number].suspicious}`",
        )?;
        self.later()?;
        self.axe_finds_nothing("in a dossier with decisions")?;
        self.is(
            "it prints the mark, the note and what is left out",
            "return [...document.querySelectorAll('.decided')].some(it =>
               /to discuss · Ask her\\. · Left out by decision: \\d+.words/.test(it.textContent))",
        )?;
        browser.run("localStorage.removeItem('dedup-decisions')")?;
        holds("the browser complains of nothing", &json!(browser.complaints()?), &json!([]))
    }

    /// Waits until what was clicked is shown.
    fn later(&self) -> Result<()> {
        self.browser
            .wait_for("const done = arguments[arguments.length - 1]; setTimeout(() => done(true), 300)")
            .map(drop)
    }
}
