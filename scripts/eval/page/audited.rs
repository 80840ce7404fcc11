//! Checks the page of `dedup audit --html`: its figures against the list of the program, search, order, families, languages and
//! accessibility.

use std::process::Command;

use serde_json::{Value, json};

use super::browser::Result;
use super::views::SIZES;
use super::{BEES, Check, TIDES, holds};

impl Check {
    pub(super) fn audited(&self) -> Result<()> {
        let folder = self.folder.join("archive");
        std::fs::create_dir_all(&folder)?;
        for (name, text) in [
            ("first.txt", format!("{TIDES}\n\n{BEES}")),
            ("copy.txt", format!("{TIDES}\n\n{BEES}")),
            ("part.txt", TIDES.to_owned()),
            ("المد.txt", format!("{TIDES}\n\n{}", BEES.replacen("the", "a", 3))),
            ("<img src=x onerror=alert(1)>.txt", "Something else, for once.".to_owned()),
            ("scan.pdf", "%PDF-1.4".to_owned()),
        ] {
            std::fs::write(folder.join(name), text)?;
        }
        let page = self.folder.join("audit.html");
        let run =
            |options: &[&str]| Command::new(&self.program).arg("audit").arg("-q").arg(&folder).args(options).output();
        run(&["--html", page.to_str().ok_or("a path in UTF-8")?, "--force"])?;
        let listed: Value = serde_json::from_slice(&run(&["--format", "json"])?.stdout)?;
        let browser = &self.browser;
        browser.resize(1400, 900)?;
        browser.complaints()?;
        browser.open(&format!("file://{}", page.display()))?;

        let mut classes: Vec<(&str, &str)> = Vec::new();
        for file in listed.as_array().ok_or("a list")? {
            let name = file["file"].as_str().and_then(|name| name.rsplit('/').next()).ok_or("a name")?;
            classes.push((name, file["class"].as_str().ok_or("a class")?));
        }
        classes.sort_unstable();
        let shown = "const labels = { 'equal bytes': 'bytes', 'same text': 'same', 'not read': 'unread', 'stands for others': 'kept' };
             return [...document.querySelectorAll('tbody tr')].map(row => {
               const [name, kind] = row.children;
               const label = kind.textContent.split(' · ')[0];
               return [name.textContent, labels[label] ?? label];
             }).sort((x, y) => (x[0] < y[0] ? -1 : 1))";
        holds("each file has the class of the list", &browser.run(shown)?, &json!(classes))?;
        self.is(
            "what was not read has its reason and its remedy as text, and members of a family lead to it",
            "const rows = [...document.querySelectorAll('tbody tr')];
             const scan = rows.find(row => row.children[0].textContent.includes('scan.pdf'));
             const copy = rows.find(row => row.children[0].textContent.includes('copy.txt'));
             return scan.children[1].textContent.includes('copy it again') && scan.children[1].querySelector('[title]') === null
                 && copy.children[0].querySelector('a[href=\"#/family/0\"]') !== null",
        )?;
        browser.click(".classes button")?;
        self.is("a class can be chosen", "return document.querySelectorAll('tbody tr').length === 1")?;
        browser.click(".classes button")?;
        browser.fill("#seek", "PART")?;
        self.is(
            "names can be sought",
            "return document.querySelector('tbody').textContent.includes('part.txt')
             && document.querySelectorAll('tbody tr').length === 1",
        )?;
        browser.run("location.hash = '#/family/0'")?;
        self.is("a family has its files", "return document.querySelectorAll('tbody tr').length === 4")?;
        for code in ["es", "de", "fr", "ru", "zh", "ar", "en"] {
            browser.run(&format!(
                "const box = document.getElementById('language'); box.value = '{code}'; box.dispatchEvent(new Event('change'))"
            ))?;
            self.is(
                &format!("an audit in {code}"),
                &format!("return document.documentElement.lang === '{code}' && !/\\{{\\w+\\}}|undefined|\\[object|NaN/.test(document.body.innerText)"),
            )?;
        }
        for (width, height) in SIZES {
            browser.resize(width, height)?;
            for scheme in ["light", "dark"] {
                browser.show_as("screen", scheme)?;
                for view in ["#/", "#/family/0"] {
                    browser.run(&format!("location.hash = '{view}'"))?;
                    self.axe_finds_nothing(&format!("in the audit, {view} at {width} pixels, {scheme}"))?;
                    self.is(
                        &format!("{view} of the audit fits {width} pixels"),
                        "return document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth",
                    )?;
                }
            }
        }
        browser.resize(1400, 900)?;
        holds("the browser complains of nothing", &json!(browser.complaints()?), &json!([]))
    }
}
