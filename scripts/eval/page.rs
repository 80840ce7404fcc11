//! Checks that the page of `dedup screen --html` works: clicks through it in a browser, and compares its
//! figures with those of the program, run with the same filters as options; then the pages of
//! `dedup audit --html` and of `scripts/page`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

mod audited;
mod browser;
mod decided;
mod dropped;
mod speed;
mod views;

use browser::{Browser, ENTER, ESCAPE, Result, TAB};

const TIDES: &str = "The tide comes in twice a day because the moon pulls the water of the sea towards it. On the side of \
    the earth that is turned away the water is left behind, so there is a second bulge. Sailors have known the hours \
    of high water since long before anybody could explain them, and the harbour masters wrote them into tables.";

const BEES: &str = "A hive in winter is a ball of bees around their queen. They shiver to keep warm and take turns at \
    the outside, where it is coldest. Towards spring the queen lays her first eggs, and by the time the willows bloom \
    the old bees have raised the brood that will gather the nectar of the year.";

const GLASS: &str = "Glass is sand that has forgotten how to be a crystal. It is melted with soda and lime, blown or poured, \
    and cooled so slowly that no corner is colder than another, or else it cracks at night in its box.";

const HARBOUR: &str = "بني الميناء القديم قبل ثلاثة قرون على صخرة عالية وكان البحارة يعرفون مواعيد المد والجزر من الجداول التي \
    كتبها شيوخهم ثم نسخها التجار وحملوها معهم إلى كل مدينة على الساحل الطويل";

pub(crate) fn run(args: &[String]) -> Result<()> {
    let [program, axe, page] = args else { return Err("usage: eval page DEDUP AXE.js PAGE.html".into()) };
    let folder = tempfile::tempdir()?;
    let (program, browser) = (fs::canonicalize(program)?, Browser::start()?);
    let check = Check { program, browser, folder: folder.path().to_owned(), axe: fs::read_to_string(axe)? };
    check.corpus()?;
    check.each_other()?;
    check.against_sources()?;
    check.left_out_as_screened()?;
    check.common()?;
    check.looks()?;
    check.decided()?;
    check.views()?;
    check.dated(TIDES, BEES)?;
    check.speed()?;

    check.audited()?;
    check.dropped(Path::new(page))?;
    println!("the page passed every check");
    Ok(())
}

/// Words that no other document contains.
fn own(author: u32) -> String {
    let mut state = author;
    let mut word = || {
        let syllables = (0..3).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ["ba", "ke", "lo", "mi", "nu", "ra", "so", "ti"][(state >> 29) as usize]
        });
        syllables.collect::<String>()
    };
    (0..300).map(|at| word() + if at % 50 == 49 { "\n\n" } else { " " }).collect()
}

/// Entries of a bibliography.
const ENTRIES: &str = "Berg, A. (1998). Kilns of the lower valley and the potters who built them. Craft Quarterly, 4(2), 11–38.\n\
    Lee, B., & Chan, D. (2007). Clay, ash and lime: On glazes. London: Quay Press, pp. 3–40.\n\
    Okoro, C. (2011). Firing by night. In D. Smith (Ed.), The Potter's Year (pp. 90–101). Leeds: Mill & Sons.\n";

struct Check {
    program: PathBuf,
    browser: Browser,
    folder: PathBuf,
    /// The script of axe-core.
    axe: String,
}

/// The shares of documents by their names: words that also stand elsewhere, and words counted.
type Shares = BTreeMap<String, (u64, u64)>;

impl Check {
    fn corpus(&self) -> Result<()> {
        let changed = BEES.replace("turns", "turn").replace("queen", "monarch");
        let hostile = "</script><script>window.hurt = 1</script><img src=x onerror=\"window.hurt = 1\"><!--<script>";
        for (name, text) in [
            ("in/all.txt", format!("{}{TIDES}\n\n{}{changed}\n\n{}{GLASS}\n\n{HARBOUR}", own(1), own(2), own(3))),
            ("in/quoting.txt", format!("As the book says: “{TIDES}” {}", own(4))),
            ("in/listing.txt", format!("{}{GLASS}\n\nReferences\n{ENTRIES}", own(5))),
            ("in/hostile <img src=x onerror=hurt()>.txt", format!("{hostile} {}", TIDES.replace("water", "wаter"))),
            ("in/own.txt", own(6)),
            ("in/Łukasz Müller.txt", format!("{}{BEES}", own(10))),
            ("src/tides.txt", TIDES.to_owned()),
            ("src/bees.txt", format!("{}{BEES}", own(7))),
            ("src/glass.txt", GLASS.to_owned()),
            // The same text within a longer one, so that its length matters.
            ("src/kiln.txt", format!("{}{GLASS} {}", own(8), own(9))),
            ("src/harbour.txt", HARBOUR.to_owned()),
            ("src/listed.txt", format!("{}{ENTRIES}", own(11))),
        ] {
            let path = self.folder.join(name);
            fs::create_dir_all(path.parent().ok_or("no folder")?)?;
            fs::write(path, text)?;
        }
        fs::write(self.folder.join("in/old.doc"), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")?;
        Ok(())
    }

    /// The shares that the program reports for each document, and for each of its sources.
    fn asked(&self, options: &[&str]) -> Result<(Shares, Shares)> {
        let mut command = Command::new(&self.program);
        command.args(["screen", "--language", "und", "--list", "documents", "--format", "json"]).args(options);
        let answer = command.current_dir(&self.folder).stderr(Stdio::null()).output()?;
        let documents: Value = serde_json::from_slice(&answer.stdout)?;
        let (mut shares, mut pairs) = (Shares::new(), Shares::new());
        for document in documents.as_array().ok_or("no list")? {
            let id = document["id"].as_str().unwrap_or_default();
            let of = document["words_counted"].as_u64().unwrap_or_default();
            shares.insert(id.to_owned(), (document["words_matched"].as_u64().unwrap_or_default(), of));
            for source in document["sources"].as_array().into_iter().flatten() {
                let name = format!("{id} in {}", source["id"].as_str().unwrap_or_default());
                pairs.insert(name, (source["words_matched"].as_u64().unwrap_or_default(), of));
            }
        }
        Ok((shares, pairs))
    }

    /// The same shares as the page shows them.
    fn shown(&self) -> Result<(Shares, Shares)> {
        let rows = self.browser.run(
            "const names = (row, of) => [...row.querySelectorAll(of)].map(name => name.title).join(' in ');
             const cells = (row, n) => row.children[n].textContent.replaceAll(',', '').match(/\\d+/g).map(Number);
             const rows = id => [...document.querySelectorAll(`#${id} tbody tr`)];
             return [rows('documents').map(row => [names(row, '.open .id'), ...cells(row, 3)]),
                     rows('pairs').map(row => [names(row, '.id'), ...cells(row, 4)])];",
        )?;
        let shares = |rows: &Value| -> Shares {
            let row = |row: &Value| {
                let number = |at: usize| row[at].as_u64().unwrap_or(u64::MAX);
                (row[0].as_str().unwrap_or_default().to_owned(), (number(1), number(2)))
            };
            rows.as_array().into_iter().flatten().map(row).collect()
        };
        Ok((shares(&rows[0]), shares(&rows[1])))
    }

    fn page(&self, options: &[&str]) -> Result<()> {
        let path = self.folder.join("report.html");
        let path = path.to_str().ok_or("a path in UTF-8")?;
        self.asked(&[options, &["--html", path, "--force", "--title", "Harbours"]].concat())?;
        self.browser.open(&format!("file://{path}"))
    }

    /// Compares every figure with the program's, as screened and with each filter.
    fn figures(&self, options: &[&str]) -> Result<()> {
        let same = |what: &str, more: &[&str]| -> Result<()> {
            let expected = self.asked(&[options, more].concat())?;
            let shown = self.shown()?;
            if shown != expected {
                return Err(format!("{what}: shown {shown:#?}, expected {expected:#?}").into());
            }
            println!("{what}: {} documents and {} pairs have the program's figures", shown.0.len(), shown.1.len());
            Ok(())
        };
        same("as screened", &[])?;
        self.browser.click("#quotations")?;
        same("without quotations", &["--no-quotations"])?;
        self.browser.click("#bibliography")?;
        same("without both", &["--no-quotations", "--no-bibliography"])?;
        self.browser.click("#quotations")?;
        same("without bibliographies", &["--no-bibliography"])?;
        self.browser.click("#reset")?;
        same("as screened again", &[])?;
        self.browser.fill("#min", "45")?;
        same("passages of 45 words and more", &["--min-words", "45"])?;
        self.browser.click("#reset")
    }

    fn each_other(&self) -> Result<()> {
        self.page(&["in", "src"])?;
        self.is("no script of a document runs", "return window.hurt === undefined && document.images.length === 0")?;
        self.is(
            "disguised words are reported",
            "return [...document.querySelectorAll('#documents .tag')].some(tag => tag.textContent === 'disguised words')",
        )?;
        self.is("there is a cluster", "return document.querySelectorAll('#graph .dot').length > 5")?;
        let (shares, _) = self.asked(&["in", "src"])?;
        let (shown, _) = self.shown()?;
        holds("shares are those of the program", &json!(shown), &json!(shares))
    }

    fn against_sources(&self) -> Result<()> {
        let options = ["in", "--against", "src"];
        self.page(&options)?;
        self.figures(&options)?;
        self.documents()?;
        self.sides()?;
        let complaints = self.browser.complaints()?;
        holds("the browser logs no errors", &json!(complaints), &json!([]))
    }

    /// Text that many documents share is told, and a filter leaves it out.
    fn common(&self) -> Result<()> {
        for author in 0..12 {
            let shared = if author < 2 { BEES } else { "" };
            let task = if author < 11 { TIDES } else { "" };
            let path = self.folder.join(format!("class/{author}.txt"));
            fs::create_dir_all(path.parent().ok_or("no folder")?)?;
            fs::write(path, format!("{}{task}\n\n{}{shared}", own(20 + author), own(30 + author)))?;
        }
        let options = ["class"];
        self.page(&options)?;
        self.is(
            "common text is told with its documents",
            "const told = document.querySelector('#common-texts li').textContent;
             return told.startsWith('62\\u00a0words, all or most of them in 11 of 12 documents and sources: The tide comes in')",
        )?;
        holds("shares with common text", &json!(self.shown()?.0), &json!(self.asked(&options)?.0))?;
        self.browser.click("#common")?;
        holds("shares without it", &json!(self.shown()?.0), &json!(self.asked(&["class", "--no-common"])?.0))?;
        self.is("the filter stands in the address", "return location.hash.includes('common=no')")?;
        self.page(&["class", "--no-common"])?;
        self.is(
            "the filter is on and cannot be changed",
            "const box = document.getElementById('common'); return box.checked && box.disabled",
        )?;
        self.page(&["in", "--against", "src"])?;
        self.is(
            "where there is no common text, there is no filter for it",
            "return document.getElementById('common').parentElement.hidden && !document.getElementById('common-texts')",
        )
    }

    /// Text left out at screening is reported, and stays left out.
    fn left_out_as_screened(&self) -> Result<()> {
        let options = ["in", "--against", "src", "--no-quotations", "--ignore", "src/glass.txt"];
        self.page(&options)?;
        holds("figures without what was left out", &json!(self.shown()?), &json!(self.asked(&options)?))?;
        self.is(
            "the filter is on and cannot be changed",
            "const box = document.getElementById('quotations'); return box.checked && box.disabled",
        )?;
        self.is(
            "the text left out is listed, with its size",
            "return /given text from 1 file, such as the assignment, quotations \\(\\d+ of [\\d,]+.words\\)/.test(document.querySelector('ul.notes').textContent)",
        )?;
        self.browser.click("#documents tr:has([title='in/quoting.txt']) a.open")?;
        self.is(
            "a document states its words left out",
            "return /not counted: quotations \\d+/.test(document.querySelector('.about').textContent)",
        )
    }

    /// Checks themes, disguised words, a narrow window, and the content security policy.
    fn looks(&self) -> Result<()> {
        let browser = &self.browser;
        self.page(&["in", "--against", "src"])?;
        for theme in ["dark", "light"] {
            let choose = format!(
                "const box = document.getElementById('theme'); box.value = '{theme}'; box.dispatchEvent(new Event('change'));
                 const sum = getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).reduce((x, y) => +x + +y);
                 return (sum < 300) === ('{theme}' === 'dark')"
            );
            self.is(&format!("the page can be {theme}"), &choose)?;
        }
        browser.press('n')?;
        self.is("n steps over rows", "return document.activeElement === document.querySelector('#lists a.open')")?;
        browser.run("document.querySelector('.home').focus()")?;
        for id in ["min", "quotations", "bibliography", "language", "theme"] {
            browser.press(TAB)?;
            self.is(&format!("Tab leads to {id}"), &format!("return document.activeElement.id === '{id}'"))?;
        }
        browser.click("#documents tr:has([title*='hostile']) a.open")?;
        self.is(
            "each disguised word is marked, with what it is",
            "const marks = [...document.querySelectorAll('.text .disguise')];
             return marks.length === 3 && marks.every(mark => mark.textContent === 'wаter'
                 && mark.title === 'disguised word: а is Cyrillic (U+0430), not Latin a')",
        )?;
        browser.resize(400, 800)?;
        for view in ["#/document/0", "#/pair/0", "#/"] {
            browser.run(&format!("location.hash = '{view}'"))?;
            std::thread::sleep(std::time::Duration::from_millis(300));
            let fits = "return document.documentElement.scrollWidth <= innerWidth";
            self.is(&format!("{view} fits a narrow window"), fits)?;
        }
        self.is(
            "no other script may run, and nothing may be fetched",
            "const script = document.createElement('script');
             script.textContent = 'window.hurt = 2';
             document.body.append(script);
             const image = new Image();
             let refused = 0;
             document.addEventListener('securitypolicyviolation', () => refused++);
             image.src = 'https://example.org/x.png';
             return window.hurt === undefined",
        )?;
        let complaints = browser.complaints()?;
        let refused = complaints.iter().filter(|it| it.to_string().contains("Content Security Policy")).count();
        holds("the policy refuses both", &json!(refused), &json!(2))
    }

    /// Checks a document with its sources in colour, one of them excluded.
    fn documents(&self) -> Result<()> {
        let browser = &self.browser;
        browser.click("#documents tr:has([title='in/all.txt']) a.open")?;
        self.is(
            "sources are numbered by share",
            "return [...document.querySelectorAll('.badge')].map(it => it.textContent).join() === '1,2,3,4,5'",
        )?;
        self.is(
            "shares of sources fall",
            "const shares = [...document.querySelectorAll('.sources b')].map(it => parseFloat(it.textContent));
             return shares.every((it, at) => at === 0 || it <= shares[at - 1])",
        )?;
        self.is(
            "each source that lies under no other has its colour",
            "return new Set([...document.querySelectorAll('mark.passage')].map(it => it.className)).size === 4",
        )?;
        let words = "return document.getElementById('words').textContent.replaceAll(',', '').match(/\\d+/)[0]";
        let (before, source) = (
            browser.run(words)?,
            browser.run("return document.querySelector('.sources .figure').textContent.replaceAll(',', '').match(/ (\\d+) of/)[1]")?,
        );
        browser.click(".exclude")?;
        let number = |value: &Value| value.as_str().and_then(|it| it.parse::<i64>().ok()).unwrap_or(-1);
        let after = browser.run(words)?;
        holds("an excluded source does not count", &json!(number(&after)), &json!(number(&before) - number(&source)))?;
        self.is("it has no colour", "return document.querySelectorAll('.badge').length === 4")?;
        browser.click("#excluded button")?;
        holds("it counts again", &browser.run(words)?, &before)?;
        browser.click("button.badge")?;
        self.is(
            "a number shows its source only",
            "return new Set([...document.querySelectorAll('mark.passage')].map(it => it.className)).size === 1",
        )?;
        browser.click("button.badge[aria-pressed=true]")?;
        self.is("the text is whole", "return document.querySelector('.text').textContent.length > 3000")?;
        self.is(
            "paragraphs have their own direction",
            "return getComputedStyle(document.querySelector('.text')).unicodeBidi === 'plaintext'",
        )
    }

    /// Checks the view of both texts, by keys and clicks.
    fn sides(&self) -> Result<()> {
        let browser = &self.browser;
        browser.press('n')?;
        browser.press('n')?;
        browser.press('p')?;
        self.is(
            "n and p step over passages",
            "return document.activeElement === document.querySelectorAll('mark.passage')[0]",
        )?;
        self.is(
            "the focus is visible",
            "const [here, there] = [document.activeElement, document.querySelectorAll('mark.passage')[1]];
             return getComputedStyle(here).boxShadow !== getComputedStyle(there).boxShadow",
        )?;
        browser.press('n')?;
        browser.press(ENTER)?;
        // The passage scrolls into view only after the page has been laid out.
        std::thread::sleep(std::time::Duration::from_millis(300));
        self.is(
            "Enter opens both texts",
            "return location.hash.startsWith('#/pair/') && document.querySelectorAll('.pane').length === 2",
        )?;
        let level = "const tops = [...document.querySelectorAll('.pane')].map(pane => pane.querySelector('.active').getBoundingClientRect().top);
             return Math.abs(tops[0] - tops[1])";
        self.is(
            "the passage is in view in both",
            "return [...document.querySelectorAll('.pane')].every(pane => {
             const [box, mark] = [pane, pane.querySelector('.active')].map(it => it.getBoundingClientRect());
             return mark.top < box.bottom && mark.bottom > box.top })",
        )?;
        self.is("the passage is described", "return /^Passage 1 of 1 · [a-z ]+ · \\d+ words: \\d+ the same, [1-9]\\d* changed, \\d+ without counterpart; probability of a copy: \\d+ %$/.test(document.getElementById('told-passage').textContent.replace(/\\s/g, ' '))")?;
        self.is(
            "exact and changed words are marked",
            "return ['exact', 'changed'].every(it => document.querySelector(`.pane .${it}`))",
        )?;
        browser.run("for (const pane of document.querySelectorAll('.pane')) pane.scrollTop = 0")?;
        browser.click(".side:last-child mark.passage")?;
        let apart = browser.run(level)?.as_f64().unwrap_or(f64::MAX);
        println!("after a click the passages are {apart:.1} pixels apart in height");
        self.is("the other text has scrolled along", "return document.querySelector('.pane').scrollTop > 100")?;
        self.scrolls_together()?;
        browser.press(ESCAPE)?;
        std::thread::sleep(std::time::Duration::from_millis(300));
        self.is("Escape goes back to the document", "return location.hash.startsWith('#/document/')")?;
        browser.press(ESCAPE)?;
        std::thread::sleep(std::time::Duration::from_millis(300));
        self.is("and to the overview", "return document.getElementById('pairs') !== null")?;
        Ok(())
    }

    fn is(&self, what: &str, script: &str) -> Result<()> {
        holds(what, &self.browser.run(script)?, &json!(true))
    }
}

fn holds(what: &str, found: &Value, expected: &Value) -> Result<()> {
    if found != expected {
        return Err(format!("{what}: no, {found:#} and not {expected:#}").into());
    }
    println!("{what}");
    Ok(())
}
