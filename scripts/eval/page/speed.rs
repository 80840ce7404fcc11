//! The time in which the page of 300 essays opens, and in which a filter takes effect.

use std::fs;

use super::browser::Result;
use super::{Check, own};

/// Number of essays, of 8 KB each.
const ESSAYS: u32 = 300;

/// Number of essays that share a passage, each with all others of its group.
const GROUP: u32 = 6;

/// Number of runs, of which the fastest counts: other programs may be busy.
const RUNS: usize = 5;

/// The milliseconds until the page is drawn after it was asked for.
const OPENED: &str = "const done = arguments[arguments.length - 1];
    requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0));";

/// The milliseconds from a click on a filter until the page is laid out again.
const FILTERED: &str = "const box = document.getElementById('quotations');
    const start = performance.now();
    box.click();
    document.body.getBoundingClientRect();
    return performance.now() - start";

impl Check {
    pub(super) fn speed(&self) -> Result<()> {
        let folder = self.folder.join("essays");
        fs::create_dir_all(&folder)?;
        for number in 0..ESSAYS {
            let [before, after] =
                [0, 1].map(|part| format!("{}{}", own(4000 + 4 * number + part), own(8000 + 4 * number + part)));
            let shared: Vec<String> = own(1 + number / GROUP).split_whitespace().take(90).map(str::to_owned).collect();
            fs::write(folder.join(format!("{number}.txt")), format!("{before}\n\n“{}” {after}", shared.join(" ")))?;
        }
        self.page(&["essays"])?;
        let bytes = fs::metadata(self.folder.join("report.html"))?.len();
        let pairs = self.browser.run("return JSON.parse(document.getElementById('data').textContent).pairs.length")?;
        let address = self.browser.run("return location.href")?;
        let (mut opened, mut filtered) = (f64::MAX, f64::MAX);
        for _ in 0..RUNS {
            self.browser.open("about:blank")?;
            self.browser.open(address.as_str().ok_or("no address")?)?;
            opened = opened.min(self.browser.wait_for(OPENED)?.as_f64().ok_or("no time")?);
            filtered = filtered.min(self.browser.run(FILTERED)?.as_f64().ok_or("no time")?);
        }
        println!(
            "{ESSAYS} essays, {pairs} pairs, {:.1} MB: opens in {:.2} s, and a filter takes {:.2} s",
            bytes as f64 / 1e6,
            opened / 1e3,
            filtered / 1e3
        );
        if opened > 1000.0 || filtered > 300.0 {
            return Err("the page is slow: 1 s and .3 s are wanted".into());
        }
        Ok(())
    }
}
