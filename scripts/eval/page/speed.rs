//! The time in which the page of 300 essays opens, and in which a filter takes effect.

use std::fs;

use super::browser::Result;
use super::{BEES, Check, GLASS, TIDES, own};

/// Number of essays, of 8 KB each.
const ESSAYS: u32 = 300;

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
        for number in 0..ESSAYS {
            let shared = [TIDES, BEES, GLASS][number as usize % 3];
            let text: String = (0..4).map(|part| own(1000 + 4 * number + part)).collect();
            let folder = self.folder.join("essays");
            fs::create_dir_all(&folder)?;
            let text = if number % 7 == 0 { format!("{text}\n\n“{shared}” {text}") } else { text };
            fs::write(folder.join(format!("{number}.txt")), text)?;
        }
        self.page(&["essays"])?;
        let address = self.browser.run("return location.href")?;
        let (mut opened, mut filtered) = (f64::MAX, f64::MAX);
        for _ in 0..RUNS {
            self.browser.open("about:blank")?;
            self.browser.open(address.as_str().ok_or("no address")?)?;
            opened = opened.min(self.browser.wait_for(OPENED)?.as_f64().ok_or("no time")?);
            filtered = filtered.min(self.browser.run(FILTERED)?.as_f64().ok_or("no time")?);
        }
        println!("{ESSAYS} essays open in {:.2} s, and a filter takes {:.2} s", opened / 1e3, filtered / 1e3);
        if opened > 1000.0 || filtered > 300.0 {
            return Err("the page is slow: 1 s and .3 s are wanted".into());
        }
        Ok(())
    }
}
