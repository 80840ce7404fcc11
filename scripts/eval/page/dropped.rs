//! Checks the page that compares essays in a browser (`scripts/page`): essays and sources are given to it from disk, and
//! what it finds is compared with what the program finds.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::browser::Result;
use super::views::SIZES;
use super::{Check, TIDES, holds};

/// What was found last, once it is shown.
const FOUND: &str = "const done = arguments[arguments.length - 1];
    const look = () => last ? done(last.failed ?? last.found) : setTimeout(look, 20);
    look()";

/// The data of the report.
const REPORT: &str = "const done = arguments[arguments.length - 1];
    last.report.text().then(html =>
        done(new DOMParser().parseFromString(html, 'text/html').getElementById('data').textContent))";

impl Check {
    pub(super) fn dropped(&self, page: &Path) -> Result<()> {
        let browser = &self.browser;
        let address = format!("file://{}", std::fs::canonicalize(page)?.display());
        browser.complaints()?;
        browser.open(&address)?;
        holds("the browser complains of nothing yet", &json!(browser.complaints()?), &json!([]))?;
        holds("it can be used at once", &browser.run("return !document.getElementById('page').hidden")?, &json!(true))?;
        self.is(
            "the browser refuses it the network",
            "return fetch('https://example.org').then(() => false, () => true)",
        )?;
        browser.complaints()?;

        browser.click("#compare")?;
        self.is("it asks for essays", "return /two essays/.test(document.getElementById('result').textContent)")?;
        browser.click("#sample")?;
        let sample = browser.wait_for(FOUND)?;
        holds("the sample texts share passages", &json!([sample["essays"], sample["pairs"]]), &json!([7, 3]))?;

        browser.run("document.querySelector('#two details').open = true")?;
        browser.fill("#text_a", TIDES)?;
        browser.fill("#text_b", &TIDES.replace("water", "sea"))?;
        browser.click("#two button")?;
        browser.wait_for(FOUND)?;
        let figures = "return [...document.querySelectorAll('#figures td')].map(it => it.textContent)";
        let expected = self.two()?;
        holds("two texts have the program's figures", &browser.run(figures)?, &expected)?;

        let found = self.compared()?;
        let report = self.report()?;
        let expected = self.data_of(&["in", "--with-each-other", "--against", "src"])?;
        holds("as many files cannot be read", &found["skipped"], &expected["skipped"])?;
        for part in ["texts", "pairs"] {
            let is_same = report[part] == expected[part];
            holds(&format!("the report has the program's {part}"), &json!(is_same), &json!(true))?;
        }
        self.is(
            "what could not be read is named",
            "return /old\\.doc/.test(document.querySelector('#result tbody').textContent)",
        )?;
        self.folder_of_documents()?;
        self.looks_of_dropped()?;
        holds("the browser complains of nothing", &json!(browser.complaints()?), &json!([]))?;
        self.with_a_broken_member()?;
        self.with_threads(page, &report)
    }

    /// Gives the page its essays and sources again and compares them.
    fn compared(&self) -> Result<Value> {
        for (role, folder) in ["in", "src"].into_iter().enumerate() {
            let folder = self.folder.join(folder);
            let input = format!("[data-role=\"{role}\"] input[webkitdirectory]");
            self.browser.give(&input, folder.to_str().ok_or("a path in UTF-8")?)?;
        }
        self.browser.click("#compare")?;
        self.browser.wait_for(FOUND)
    }

    fn report(&self) -> Result<Value> {
        Ok(serde_json::from_str(self.browser.wait_for(REPORT)?.as_str().ok_or("no report")?)?)
    }

    /// A member of an archive whose reading ends the module: it is named, and the others are compared.
    fn with_a_broken_member(&self) -> Result<()> {
        let browser = &self.browser;
        for name in ["anna.txt", "ben.txt", "trap.txt"] {
            std::fs::write(self.folder.join(name), TIDES)?;
        }
        let mut zip = Command::new("python3");
        zip.args(["-m", "zipfile", "-c", "class.zip", "anna.txt", "trap.txt", "ben.txt"]).current_dir(&self.folder);
        holds("an archive is made", &json!(zip.status()?.success()), &json!(true))?;
        browser.run(
            "const before = newWorker;
            newWorker = () => before(WORKER.replace('seen.file = string(name, length);', `$&
                if (seen.file.endsWith('trap.txt')) throw new Error('a trap');`));
            chosen.forEach((files, role) => { files.length = 0; list(role) });
            start()",
        )?;
        let archive = self.folder.join("class.zip");
        browser.give("[data-role=\"0\"] input:not([webkitdirectory])", archive.to_str().ok_or("a path in UTF-8")?)?;
        browser.click("#compare")?;
        let found = browser.wait_for(FOUND)?;
        holds("the others are compared", &json!([found["essays"], found["pairs"]]), &json!([2, 1]))?;
        holds("the member is named", &browser.run("return last.broken")?, &json!(["class.zip/trap.txt"]))
    }

    /// Served with the headers that let workers share memory, the page uses threads, and finds the same.
    fn with_threads(&self, page: &Path, expected: &Value) -> Result<()> {
        let browser = &self.browser;
        browser.open(&served(page)?)?;
        self.is("the page is apart from others", "return crossOriginIsolated")?;
        browser.run(
            "const before = begin;
            begin = all => { window.begun = all.length; before(all) };
            Object.defineProperty(navigator, 'hardwareConcurrency', { value: 4 })",
        )?;
        self.compared()?;
        holds("it has further threads", &browser.run("return window.begun")?, &json!(3))?;
        let report = self.report()?;
        for part in ["texts", "pairs"] {
            let is_same = report[part] == expected[part];
            holds(&format!("with threads the report has the same {part}"), &json!(is_same), &json!(true))?;
        }
        self.is("no thread is left", "return threads.length === 0")
    }

    /// The folder of `audited`: the list must be the program's, and the page opens.
    fn folder_of_documents(&self) -> Result<()> {
        let (browser, folder) = (&self.browser, self.folder.join("archive"));
        browser.run("document.querySelector('#folder details').open = true")?;
        browser.click("#folder button[type=submit]")?;
        self.is("it asks for a folder", "return /folder/.test(document.getElementById('result').textContent)")?;
        browser.give("[data-role=\"3\"] input[webkitdirectory]", folder.to_str().ok_or("a path in UTF-8")?)?;
        browser.click("#folder button[type=submit]")?;
        browser.wait_for(FOUND)?;
        let list = browser.wait_for("last.list.text().then(arguments[arguments.length - 1])")?;
        let mut command = Command::new(&self.program);
        let answer = command.args(["audit", "archive", "-q", "--format", "csv"]).current_dir(&self.folder).output()?;
        let rows = |list: &str| list.lines().map(str::to_owned).collect::<BTreeSet<String>>();
        let expected = rows(&String::from_utf8(answer.stdout)?);
        holds(
            "the list of a folder is the program's",
            &json!(rows(list.as_str().ok_or("no list")?)),
            &json!(expected),
        )?;
        self.is("classes have their counts", "return document.querySelectorAll('#classes tbody tr').length >= 4")
    }

    /// The figures of the same texts, as the page writes them.
    fn two(&self) -> Result<Value> {
        let paths = ["a.txt", "b.txt"].map(|name| self.folder.join(name));
        for (path, text) in paths.iter().zip([TIDES.to_owned(), TIDES.replace("water", "sea")]) {
            std::fs::write(path, text)?;
        }
        let answer = Command::new(&self.program).arg("compare").args(&paths).args(["--format", "json"]).output()?;
        let figures: Value = serde_json::from_slice(&answer.stdout)?;
        let percent = |name: &str| {
            let share = (figures[name].as_f64().unwrap_or(f64::NAN) * 1e4).round() / 100.0;
            format!("{share}%")
        };
        let distance = format!("{} of 64 bits", figures["distance"]);
        Ok(json!([percent("jaccard"), percent("jaccard_estimate"), distance, "English, English"]))
    }

    /// The data of the report that the program writes.
    fn data_of(&self, inputs: &[&str]) -> Result<Value> {
        let mut command = Command::new(&self.program);
        command.arg("screen").args(inputs).args(["--authors", "--html", "native.html", "--force", "-q"]);
        command.current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        let html = std::fs::read_to_string(self.folder.join("native.html"))?;
        let data = html.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>"));
        Ok(serde_json::from_str(data.ok_or("no data")?.0)?)
    }

    /// Its languages, and axe-core on it in each of two of them, on all screens.
    fn looks_of_dropped(&self) -> Result<()> {
        let browser = &self.browser;
        for (width, height) in SIZES {
            browser.resize(width, height)?;
            for (scheme, language) in [("light", "en"), ("dark", "ar")] {
                browser.show_as("screen", scheme)?;
                browser.run(&format!("choose('{language}')"))?;
                self.is(
                    "nothing is wider than the screen",
                    "return document.documentElement.scrollWidth <= innerWidth",
                )?;
                self.axe_finds_nothing(&format!("at {width} pixels, {scheme}"))?;
            }
        }
        self.is(
            "every text is there in seven languages",
            "return Object.values(TEXTS).every(all => all.length === CODES.length && new Set(all).size > 1)",
        )?;
        browser.run("choose('en')")?;
        browser.show_as("screen", "light")?;
        browser.resize(1400, 900)
    }
}

/// The address of a page that is served, to any number of requests, as it must be for workers to share memory.
fn served(page: &Path) -> Result<String> {
    let (page, listener) = (std::fs::read(page)?, TcpListener::bind("127.0.0.1:0")?);
    let address = format!("http://{}/", listener.local_addr()?);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\r\n",
        page.len()
    );
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // A browser that goes away has no answer to miss.
            let _ = stream.read(&mut [0; 4096]).and_then(|_| stream.write_all(&[head.as_bytes(), &page].concat()));
        }
    });
    Ok(address)
}
