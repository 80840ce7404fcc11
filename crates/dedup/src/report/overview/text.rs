//! The overview as a summary for the terminal, 40 lines at most.

use std::io::{self, Write};

use super::{Headline, Overview};
use crate::report::escape::{plain, tamed};
use crate::report::figures::{counted, grouped, language, noun, share};
use crate::report::figures::{percent, threshold};

/// Maximum number of lines or names shown of each list.
const INPUTS: usize = 4;
const PROBLEMS: usize = 4;
const CLUSTERS: usize = 5;
const LANGUAGES: usize = 8;
const NOTES: usize = 5;

impl Overview {
    /// Writes the summary for a person: counts, the largest clusters, languages, and the
    /// expected recall.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{:<20}  {}\n", format!("dedup {}", plain(&self.command)), self.inputs_in_short())?;
        for Headline { name, count, unit, share, remark } in self.headlines() {
            line(out, name, count, &unit, share.as_deref().unwrap_or_default(), &format!("({remark})"))?;
        }
        for (kind, count) in folded(&self.problems(), PROBLEMS) {
            let kind =
                kind.map_or_else(|others| format!("   {others} other reasons"), |kind| format!("   {}", plain(kind)));
            line(out, &kind, count, "", "", "")?;
        }
        self.write_largest(out)?;
        let mut name = "languages";
        // Only terms need a language, so without them none was detected.
        let languages = if self.recipe.simhash { self.languages() } else { Vec::new() };
        for (language_or_others, count) in folded(&languages, LANGUAGES) {
            let remark = language_or_others
                .map_or_else(|others| format!("{others} other languages"), |code| plain(&language(code)));
            let total = self.languages.values().sum();
            heading(out, name)?;
            line(out, name, count, &noun(count, "document"), &share(count, total), &remark)?;
            name = "";
        }
        writeln!(out, "\n{:<20}  {}", "candidates", self.candidates())?;
        let recall = self.recall();
        if !recall.is_empty() {
            let shares: Vec<String> = recall
                .iter()
                .take(3)
                .map(|&(jaccard, recall)| format!("{} at {} %", percent(Some(recall)), threshold(jaccard)))
                .collect();
            let shares = shares.join(", ").replacen(" at ", " of the pairs at Jaccard ", 1);
            writeln!(out, "{:<20}  at least {shares}", "expected recall")?;
        }
        self.write_notes(out)
    }

    fn write_largest(&self, out: &mut impl Write) -> io::Result<()> {
        let mut name = "largest clusters";
        for cluster in self.largest.iter().take(CLUSTERS) {
            heading(out, name)?;
            let survivor = format!("survivor {}", plain(&cluster.survivor.id));
            line(
                out,
                name,
                cluster.size,
                &noun(cluster.size, "document"),
                &share(cluster.size, self.documents),
                &survivor,
            )?;
            name = "";
        }
        Ok(())
    }

    fn write_notes(&self, out: &mut impl Write) -> io::Result<()> {
        let notes = self.notes();
        let shown = if notes.len() > NOTES { NOTES - 1 } else { notes.len() };
        if shown > 0 {
            writeln!(out)?;
        }
        for note in &notes[..shown] {
            writeln!(out, "note: {}", tamed(note))?;
        }
        match notes.len() - shown {
            0 => Ok(()),
            more => writeln!(out, "note: and {}", counted(more as u64, "further note")),
        }
    }

    /// The first inputs and the number of others.
    fn inputs_in_short(&self) -> String {
        let shown: Vec<String> = self.inputs.iter().take(INPUTS).map(|input| plain(input)).collect();
        let more = self.inputs.len() - shown.len();
        let shown = shown.join(", ");
        if more == 0 { shown } else { format!("{shown} and {} more", grouped(more as u64)) }
    }
}

/// A list of at most `most` lines: names with their counts, then the number of other
/// names (`Err`) with the sum of their counts.
fn folded<'a>(list: &[(&'a str, u64)], most: usize) -> Vec<(Result<&'a str, usize>, u64)> {
    let shown = if list.len() > most { most - 1 } else { list.len() };
    let rest = &list[shown..];
    let others = (!rest.is_empty()).then(|| (Err(rest.len()), rest.iter().map(|(_, count)| count).sum()));
    list[..shown].iter().map(|&(name, count)| (Ok(name), count)).chain(others).collect()
}

/// Writes an empty line before the first line of a list.
fn heading(out: &mut impl Write, name: &str) -> io::Result<()> {
    if name.is_empty() { Ok(()) } else { writeln!(out) }
}

/// Writes a count with its unit, a share in percent or nothing, and a remark.
fn line(out: &mut impl Write, name: &str, count: u64, unit: &str, share: &str, remark: &str) -> io::Result<()> {
    let unit = if share.is_empty() { format!("{unit:<19}") } else { format!("{unit:<9} {share:>9}") };
    let line = format!("{name:<20} {:>13} {unit}  {remark}", grouped(count));
    writeln!(out, "{}", line.trim_end())
}
