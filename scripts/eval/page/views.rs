//! Checks of what a reader meets in every view: order, search, addresses, languages, print, and accessibility.

use std::fs;

use serde_json::json;

use super::browser::{ESCAPE, Result};
use super::{Check, holds};

/// Sizes of the window in pixels: a computer and a telephone.
pub(super) const SIZES: [(u32, u32); 2] = [(1400, 900), (390, 844)];

/// The rules of axe-core that are run.
const RULES: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";

/// A wait of 400 milliseconds in the page, so that it is laid out.
const LATER: &str = "const done = arguments[arguments.length - 1]; setTimeout(() => done(true), 400);";

impl Check {
    pub(super) fn views(&self) -> Result<()> {
        self.browser.resize(1400, 900)?;
        self.page(&["in", "--against", "src"])?;
        self.head()?;
        self.order()?;
        self.search()?;
        self.addresses()?;
        self.picture()?;
        self.pair()?;
        self.narrow()?;
        self.dossier()?;
        self.kinds()?;
        self.languages()?;
        self.accessibility()
    }

    /// Opens a view of the page.
    fn view(&self, hash: &str) -> Result<()> {
        self.browser.run(&format!("location.hash = '{hash}'"))?;
        self.browser.wait_for(LATER).map(drop)
    }

    fn head(&self) -> Result<()> {
        self.is(
            "the title, the date and the command are on top",
            "const text = document.querySelector('main').textContent;
             return document.querySelector('h1').textContent === 'Harbours' && /Made .*20\\d\\d.* with dedup/.test(text)
                 && document.querySelector('.run code').textContent.includes('--against src')",
        )?;
        self.is(
            "who with whom comes first, then what was not read, with the reason",
            "const [lead, pairs, box, documents] = ['.lead', '#pairs', '#unread', '#documents'].map(it => document.querySelector(it));
             const follows = (x, y) => Boolean(x.compareDocumentPosition(y) & Node.DOCUMENT_POSITION_FOLLOWING);
             return box.textContent.includes('in/old.doc') && box.textContent.includes('save it as DOCX') && !box.textContent.includes('libreoffice') && lead.textContent.includes('Not read')
                 && follows(lead, pairs) && follows(pairs, box) && follows(box, documents)",
        )
    }

    fn order(&self) -> Result<()> {
        for table in ["documents", "pairs"] {
            let script = format!(
                "const table = () => document.querySelector('#{table} table');
                 const button = at => [...table().querySelectorAll('th button')][at];
                 const count = table().querySelectorAll('th button').length;
                 const sorted = [];
                 for (let at = 0; at < count; at++) {{
                   for (const wanted of [0, 1]) {{
                     button(at).click();
                     const th = button(at).closest('th'), column = [...th.parentElement.children].indexOf(th);
                     const cells = [...table().querySelectorAll('tbody tr')].map(row => row.children[column].textContent);
                     const value = text => (th.classList.contains('number') ? parseFloat(text.replace('<1', '.5').replaceAll(',', '')) : text);
                     const order = new Intl.Collator('en', {{ numeric: true }});
                     const compare = (x, y) => (typeof x === 'string' ? order.compare(x, y) : x - y);
                     const values = cells.map(value).map(it => (typeof it === 'string' ? it.replace(/ \\(.*|weak.*|disguised.*|hidden.*/, '') : it));
                     const sign = th.getAttribute('aria-sort') === 'ascending' ? 1 : -1;
                     sorted.push(values.every((it, i) => i === 0 || sign * compare(values[i - 1], it) <= 0) && location.hash.includes('{table}='));
                   }}
                 }}
                 return sorted.length === 2 * count && count > 4 && sorted.every(Boolean)"
            );
            self.is(&format!("{table} can be sorted by every column, both ways"), &script)?;
        }
        self.view("#/overview")
    }

    fn search(&self) -> Result<()> {
        self.browser.fill("#seek", "lukasz muller")?;
        self.is(
            "names are found without accents",
            "const rows = [...document.querySelectorAll('#documents tbody tr')];
             return rows.length === 1 && rows[0].textContent.includes('Łukasz Müller')",
        )?;
        self.is("what is sought stands in the address", "return location.hash.includes('find=lukasz')")?;
        let rows = |table: &str| format!("return document.querySelectorAll('#{table} tbody tr').length");
        self.browser.fill("#seek", " ")?;
        let all = self.browser.run(&rows("pairs"))?;
        self.browser.fill("#seek", ">80 %")?;
        self.is(
            "shares are sought by a threshold",
            "const shares = [...document.querySelectorAll('#pairs tbody tr b')].map(it => parseFloat(it.textContent));
             return shares.length > 0 && shares.every(it => it >= 80)",
        )?;
        self.browser.fill("#seek", "copied <100% tides")?;
        self.is(
            "kinds, shares and names are sought together",
            "const rows = [...document.querySelectorAll('#pairs tbody tr')].map(it => it.textContent);
             return rows.length > 0 && rows.every(it => it.includes('copied') && it.includes('tides') && !it.includes('100 %'))",
        )?;
        self.browser.fill("#seek", "quoted")?;
        self.is(
            "quoted passages are found, and the table says so",
            "const rows = [...document.querySelectorAll('#pairs tbody tr')].map(it => it.children[5].textContent);
             return rows.length > 0 && rows.every(it => it.includes(', quoted'))",
        )?;
        self.browser.fill("#seek", "heavily rewritten")?;
        self.is(
            "kinds without passages have no rows",
            "return document.querySelectorAll('#pairs tbody tr').length === 0",
        )?;
        self.browser.fill("#seek", " ")?;
        holds("without a search all rows are back", &self.browser.run(&rows("pairs"))?, &all)?;
        self.view("#/overview")
    }

    /// A link opens the same view, with the same filters.
    fn addresses(&self) -> Result<()> {
        self.browser.click("#quotations")?;
        self.browser.fill("#min", "30")?;
        let shown = self.shown()?;
        let address = self.browser.run("return location.href")?;
        self.browser.open("about:blank")?;
        self.browser.open(address.as_str().ok_or("no address")?)?;
        holds("a link opens the same figures", &json!(self.shown()?), &json!(shown))?;
        self.is(
            "its filters are set",
            "return document.getElementById('quotations').checked && document.getElementById('min').value === '30'",
        )?;
        self.is(
            "links within the page keep the filters",
            "return [...document.querySelectorAll('main a')].every(it => it.getAttribute('href').includes('min=30'))",
        )?;
        self.browser.click("#reset")?;
        self.is("without filters the address is plain", "return !location.hash.includes('?')")
    }

    fn picture(&self) -> Result<()> {
        self.is(
            "names in the picture are readable and do not overlap",
            "const boxes = [...document.querySelectorAll('#graph text:not([hidden])')].map(it => it.getBoundingClientRect());
             const apart = boxes.every((x, i) => boxes.slice(i + 1).every(y =>
               x.right - 2 < y.left || y.right - 2 < x.left || x.bottom - 4 < y.top || y.bottom - 4 < x.top));
             return boxes.length > 4 && boxes.every(box => box.height > 10) && apart",
        )?;
        self.is(
            "names in the picture stay inside of it",
            "const frame = document.querySelector('#graph svg').getBoundingClientRect();
             return [...document.querySelectorAll('#graph text:not([hidden])')].map(it => it.getBoundingClientRect()).every(box =>
               box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 2 && box.bottom <= frame.bottom + 2)",
        )?;
        self.is(
            "it can be enlarged",
            "const wide = () => document.querySelector('#graph svg').viewBox.baseVal.width;
             const before = wide();
             document.getElementById('zoom_in').click();
             const after = wide();
             document.getElementById('zoom_all').click();
             return after < before && Math.abs(wide() - before) < 1",
        )?;
        self.browser.fill("#seek-graph", "tides")?;
        self.is(
            "a name is found in the picture",
            "return document.querySelectorAll('#graph a:not(.faint) .dot').length === 1 && document.querySelectorAll('#graph .faint .dot').length > 3",
        )
    }

    /// The other text follows the one that is scrolled; called with two texts open.
    pub(super) fn scrolls_together(&self) -> Result<()> {
        let browser = &self.browser;
        browser.run(
            "const [left, right] = document.querySelectorAll('.pane');
             left.style.maxHeight = right.style.maxHeight = '12rem';
             left.dispatchEvent(new Event('wheel'));
             const mark = left.querySelector('mark');
             left.scrollTop += mark.getBoundingClientRect().top - left.getBoundingClientRect().top - 30",
        )?;
        browser.wait_for(LATER)?;
        let apart = browser.run(
            "const tops = [...document.querySelectorAll('.pane')].map(pane =>
               pane.querySelector('mark').getBoundingClientRect().top - pane.getBoundingClientRect().top);
             return tops.map(Math.round)",
        )?;
        println!("the passage of the scrolled text and that of the other are at {apart} pixels");
        let tops: Vec<i64> = serde_json::from_value(apart)?;
        holds("both texts scroll together", &json!((tops[0] - tops[1]).abs() < 60), &json!(true))
    }

    fn pair(&self) -> Result<()> {
        self.view("#/pair/0")?;
        self.is(
            "the heading names both documents",
            "const names = [...document.querySelectorAll('h1 .id')].map(it => it.title);
             return names.length === 2 && names.join() === [...document.querySelectorAll('.side h2 .id')].map(it => it.title).join()",
        )?;
        self.is(
            "the legend takes less than a tenth of the height",
            "return document.querySelector('.key').getBoundingClientRect().height < innerHeight / 10",
        )?;
        let title = "return document.title";
        let first = self.browser.run(title)?;
        self.browser.press(']')?;
        self.browser.wait_for(LATER)?;
        self.is(
            "] leads to the next pair",
            &format!("return location.hash !== '#/pair/0' && document.title !== {first}"),
        )?;
        self.browser.click("#previous_pair")?;
        self.browser.wait_for(LATER)?;
        holds("and a click back to the first", &self.browser.run(title)?, &first)?;
        self.browser.press(ESCAPE)?;
        self.browser.wait_for(LATER)?;
        self.is("one Escape goes back", "return document.getElementById('pairs') !== null")?;
        for view in ["#/document/2?bibliography=no", "#/pair/0?quotations=no", "#/dossier/0?quotations=no"] {
            self.view(view)?;
            self.is(
                &format!("{view}: what is not counted is not struck through"),
                "return [...document.querySelectorAll('.out')].length > 0 && [...document.querySelectorAll('.out')].every(it =>
                   !getComputedStyle(it).textDecorationLine.includes('line-through') && getComputedStyle(it).fontStyle === 'italic')",
            )?;
        }
        self.view("#/overview")
    }

    fn narrow(&self) -> Result<()> {
        self.browser.resize(390, 844)?;
        self.view("#/pair/0")?;
        self.is(
            "on a narrow screen the texts come in turns",
            "return document.querySelectorAll('.pane').length === 0 && document.querySelectorAll('.turn .excerpt').length >= 2",
        )?;
        for view in ["#/document/0", "#/dossier/0", "#/pair/0", "#/overview"] {
            self.view(view)?;
            let fits = "return document.documentElement.scrollWidth <= innerWidth";
            self.is(&format!("{view} fits a narrow screen"), fits)?;
        }
        self.is(
            "links to pairs stand on one line, and tables need no scrolling",
            "return [...document.querySelectorAll('#pairs a.open')].every(it => it.getBoundingClientRect().height < 32)
                 && [...document.querySelectorAll('#lists .scroll')].every(it => it.scrollWidth <= it.clientWidth)",
        )?;
        self.browser.resize(1400, 900)
    }

    fn dossier(&self) -> Result<()> {
        self.view("#/dossier/0")?;
        self.is(
            "a dossier lists the sources, then each passage beside its counterpart",
            "const [sources, ...parts] = document.querySelectorAll('main .card');
             const count = document.querySelectorAll('#dossier-sources tbody tr').length;
             return sources.id === 'dossier-sources' && count > 1 && document.querySelectorAll('.part').length === count
                 && [...document.querySelectorAll('.facing')].every(it => it.querySelectorAll('.excerpt').length === 2)
                 && parts.at(-1).querySelector('textarea') !== null && document.querySelector('#settings code') !== null",
        )?;
        self.browser.fill("#note", "Spoke with the author.")?;
        self.browser.show_as("print", "light")?;
        self.is(
            "nothing to click or fill in is printed, but the note is",
            "const controls = [...document.querySelectorAll('button, input, select, textarea, summary')];
             return controls.every(it => it.getClientRects().length === 0)
                 && document.getElementById('note-printed').textContent === 'Spoke with the author.'
                 && document.getElementById('note-printed').getClientRects().length > 0",
        )?;
        self.browser.show_as("screen", "light")?;
        let path = self.folder.join("dossier.html");
        let path = path.to_str().ok_or("a path in UTF-8")?;
        self.asked(&["in", "--against", "src", "--dossier", "all.txt", "-o", path, "--force"])?;
        self.browser.open(&format!("file://{path}"))?;
        self.is(
            "a dossier of its own opens as one, and names nobody else",
            "return document.querySelector('main').className === 'dossier' && !document.documentElement.textContent.includes('listing.txt')",
        )?;
        self.page(&["in", "--against", "src"])
    }

    /// Colours by kind, with the words of each kind as their key.
    fn kinds(&self) -> Result<()> {
        self.view("#/document/0")?;
        let before = self.browser.run("return document.querySelectorAll('#reading .text .passage').length")?;
        self.browser.run(
            "const box = document.getElementById('colouring'); box.value = 'kind'; box.dispatchEvent(new Event('change'))",
        )?;
        self.is(
            "colours by kind show the same passages, each in the colour of its kind",
            "const all = [...document.querySelectorAll('#reading .text .passage')];
             return all.length > 1 && all.every(it => /k-(copied|light|heavy) q-(none|bare|cited)/.test(it.className) && /copied|rewritten/.test(it.title))
                 && location.hash.includes('colour=kind') && document.activeElement.id === 'colouring'",
        )?;
        holds(
            "as many as by source",
            &self.browser.run("return document.querySelectorAll('#reading .text .passage').length")?,
            &before,
        )?;
        self.is(
            "the words of all kinds are the words in passages",
            "const data = JSON.parse(document.getElementById('data').textContent);
             const cells = [...document.querySelectorAll('#kinds td.number')].map(it => Number(it.textContent.replaceAll(',', '')));
             const words = new Set();
             for (const { suspicious, passages } of data.pairs) {
               if (suspicious !== 0) continue;
               for (const { a: [from, to] } of passages) for (let i = from; i < to; i++) words.add(i);
             }
             return cells.length === 12 && cells.reduce((x, y) => x + y) === words.size && words.size > 20",
        )?;
        self.view("#/document/0")
    }

    /// A timeline of documents whose dates are known.
    pub(super) fn dated(&self, text: &str, other: &str) -> Result<()> {
        for (name, text) in [
            ("anna_attempt_2026-11-20-08-30-00_a.txt", text),
            ("ben_attempt_2026-11-19-23-05-00_b.txt", text),
            ("cleo_attempt_2026-11-18-10-00-00_c.txt", other),
        ] {
            fs::create_dir_all(self.folder.join("dated"))?;
            fs::write(self.folder.join("dated").join(format!("Essay 1_{name}")), text)?;
        }
        self.page(&["dated", "--authors"])?;
        self.is(
            "documents with shared passages stand in the order of their dates, the later with the earlier",
            "const rows = [...document.querySelectorAll('#timeline tbody tr')].map(row => [...row.children].map(it => it.textContent));
             return rows.length === 2 && /Nov 19, 2026.*in the export/.test(rows[0][0]) && rows[0][1] === 'ben' && rows[0][3] === ''
                 && /Nov 20, 2026/.test(rows[1][0]) && rows[1][1] === 'anna' && rows[1][3] === 'ben'",
        )?;
        self.page(&["in", "--against", "src"])
    }

    fn languages(&self) -> Result<()> {
        for (code, direction) in
            [("es", "ltr"), ("de", "ltr"), ("fr", "ltr"), ("ru", "ltr"), ("zh", "ltr"), ("ar", "rtl"), ("en", "ltr")]
        {
            self.browser.run(&format!(
                "const box = document.getElementById('language'); box.value = '{code}'; box.dispatchEvent(new Event('change'))"
            ))?;
            for view in ["#/overview?", "#/document/0?", "#/document/0?colour=kind&", "#/pair/0?", "#/dossier/0?"] {
                self.view(&format!("{view}lang={code}"))?;
                let script = format!(
                    "const root = document.documentElement;
                     const text = document.body.innerText;
                     return root.lang === '{code}' && root.dir === '{direction}' && !/\\{{\\w+\\}}|undefined|\\[object/.test(text)
                         && ('{code}' === 'en' || !/Evidence|Overview|Language/.test(text))"
                );
                self.is(&format!("{view} in {code}"), &script)?;
            }
        }
        self.view("#/overview?lang=ar")?;
        self.is(
            "the layout is mirrored",
            "const left = of => document.querySelector(of).getBoundingClientRect().left;
             return left('#home') > left('#language') && left('#documents th') > left('#documents th:last-child')",
        )?;
        self.is(
            "names read from left to right in it",
            "return [...document.querySelectorAll('#documents .id')].every(it => getComputedStyle(it).direction === 'ltr')",
        )?;
        self.view("#/overview?lang=en")
    }

    /// Runs axe-core on every view.
    fn accessibility(&self) -> Result<()> {
        let browser = &self.browser;
        let views = [
            "#/overview",
            "#/document/0",
            "#/document/0?colour=kind",
            "#/pair/0",
            "#/dossier/0",
            "#/overview?lang=ar",
            "#/pair/0?lang=ar",
            "#/document/3?quotations=no&bibliography=no&min=30&without=1",
        ];
        for (width, height) in SIZES {
            browser.resize(width, height)?;
            for scheme in ["light", "dark"] {
                browser.show_as("screen", scheme)?;
                for view in views {
                    self.view(view)?;
                    self.axe_finds_nothing(&format!("in {view} at {width} pixels, {scheme}"))?;
                }
            }
        }
        browser.resize(1400, 900)
    }

    /// Runs axe-core on what is shown.
    pub(super) fn axe_finds_nothing(&self, place: &str) -> Result<()> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             {}
             axe.run(document, {{ runOnly: {RULES} }}).then(found =>
               done(found.violations.map(it => `${{it.id}}: ${{it.nodes[0].html.slice(0, 200)}}`)))",
            self.axe
        );
        holds(&format!("axe finds nothing {place}"), &self.browser.wait_for(&script)?, &json!([]))
    }
}
