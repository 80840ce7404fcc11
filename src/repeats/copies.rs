//! Which places of a window keep it, and which lose it.
//!
//! Documents are taken in the order in which they are kept, and the words of each in theirs. A window goes if an equal one is kept
//! already: as a whole, before it. So whatever is cut still stands once, in one piece.
//!
//! A window is named by its first place: a document's rank and the number of a word. Windows in a row have names in a row, so
//! what is kept is remembered as stretches of windows.

use std::collections::BTreeMap;

use super::Settings;
use crate::cutting::{Fate, Limits};

/// A place: the rank of a document, and the number of a word.
pub(super) type Place = u64;

pub(super) fn place(rank: u32, word: u32) -> Place {
    u64::from(rank) << 32 | u64::from(word)
}

pub(super) fn rank(place: Place) -> u32 {
    (place >> 32) as u32
}

pub(super) fn word(place: Place) -> u32 {
    place as u32
}

/// A window that stands twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// Its first word.
    pub(super) at: u32,
    /// The first place of an equal one.
    pub(super) name: Place,
}

/// The windows of a document that stand twice, in order: in a text that repeats a line, one [`Cycle`] for all lines.
#[derive(Debug, Default)]
pub(super) struct RepeatedWindows(Vec<Cycle>);

/// Windows in a row. So are their names, which begin anew after each period, if there is one.
#[derive(Debug)]
struct Cycle {
    first: Window,
    windows: u32,
    period: Option<u32>,
}

impl Cycle {
    fn get(&self, at: u32) -> Window {
        let name = self.first.name + u64::from(self.period.map_or(at, |period| at % period));
        Window { at: self.first.at + at, name }
    }

    /// Adds a window, if it goes on so.
    fn takes(&mut self, window: Window) -> bool {
        let next = self.get(self.windows);
        let begins_anew = self.period.is_none() && window.name == self.first.name;
        if window.at != next.at || window.name != next.name && !begins_anew {
            return false;
        }
        if begins_anew {
            self.period = Some(self.windows);
        }
        self.windows += 1;
        true
    }
}

impl RepeatedWindows {
    pub(super) fn push(&mut self, window: Window) {
        if !self.0.last_mut().is_some_and(|last| last.takes(window)) {
            self.0.push(Cycle { first: window, windows: 1, period: None });
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Window> {
        self.0.iter().flat_map(|cycle| (0..cycle.windows).map(move |at| cycle.get(at)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Words to be cut, equal to those at another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u32,
    /// The word behind it.
    pub(super) end: u32,
    /// The place that keeps them.
    pub(super) first: Place,
    /// The window that begins it.
    pub(super) name: Place,
}

/// Windows in a row that are kept at places in a row: by the name of the first, their number and its place.
#[derive(Debug, Default)]
struct Stretches {
    kept: BTreeMap<Place, (u32, Place)>,
    /// The name of the stretch that was extended last.
    last: Place,
}

impl Stretches {
    fn get(&self, name: Place) -> Option<Place> {
        let (&first, &(count, place)) = self.kept.range(..=name).next_back()?;
        (name - first < u64::from(count)).then(|| place + (name - first))
    }

    fn push(&mut self, name: Place, place: Place) {
        if let Some((count, first)) = self.kept.get_mut(&self.last)
            && self.last + u64::from(*count) == name
            && *first + u64::from(*count) == place
        {
            *count += 1;
            return;
        }
        self.kept.insert(name, (1, place));
        self.last = name;
    }
}

/// Decides about documents, one after the other in their order.
#[derive(Debug)]
pub(super) struct Judge {
    kept: Kept,
    length: u32,
    keeps_none: bool,
    limits: Limits,
}

impl Judge {
    pub(super) fn new(settings: &Settings) -> Self {
        let length = settings.words;
        Self { kept: Kept::new(length), length, keeps_none: settings.keeps_none, limits: settings.limits }
    }

    /// The runs of the next document, and what becomes of it, given its windows in order and the number of its words.
    pub(super) fn take(
        &mut self,
        of_rank: u32,
        windows: &RepeatedWindows,
        words: u32,
        can_cut: bool,
    ) -> (Fate, Vec<Run>) {
        let runs = if self.keeps_none { all(windows, self.length) } else { self.kept.take(of_rank, windows) };
        let cut = runs.iter().map(|run| run.end - run.start).sum();
        let fate = self.limits.fate(cut, words, can_cut);
        match fate {
            Fate::Cut => self.kept.cut(),
            Fate::Stays => self.kept.stays(of_rank, windows),
            Fate::Goes => {}
        }
        (fate, runs)
    }
}

/// The windows kept so far.
#[derive(Debug)]
struct Kept {
    /// Number of words of a window.
    length: u32,
    before: Stretches,
    /// Those of the document that was taken last.
    own: Stretches,
}

impl Kept {
    fn new(length: u32) -> Self {
        Self { length, before: Stretches::default(), own: Stretches::default() }
    }

    fn get(&self, name: Place) -> Option<Place> {
        self.before.get(name).or_else(|| self.own.get(name))
    }

    /// The runs of the next document that stand before, given its windows in order.
    fn take(&mut self, of_rank: u32, windows: &RepeatedWindows) -> Vec<Run> {
        self.own = Stretches::default();
        let mut runs = Runs::default();
        let mut whole = windows.iter().peekable();
        for window in windows.iter() {
            // From here on nothing before this window can be cut.
            while let Some(before) = whole.next_if(|before| before.at + self.length <= window.at) {
                self.keep(of_rank, before, &runs);
            }
            if let Some(first) = self.get(window.name) {
                runs.push(window, first, self.length);
            }
        }
        for window in whole {
            self.keep(of_rank, window, &runs);
        }
        runs.finish()
    }

    /// Keeps a window of which no word is cut.
    fn keep(&mut self, of_rank: u32, window: Window, runs: &Runs) {
        if !runs.has_any(window.at, window.at + self.length) && self.get(window.name).is_none() {
            self.own.push(window.name, place(of_rank, window.at));
        }
    }

    /// The document was cut.
    fn cut(&mut self) {
        // `append` would build the map anew, which all documents together would pay for with quadratic time.
        self.before.kept.extend(std::mem::take(&mut self.own.kept));
    }

    /// The document stays whole.
    fn stays(&mut self, of_rank: u32, windows: &RepeatedWindows) {
        self.own = Stretches::default();
        for window in windows.iter() {
            self.keep(of_rank, window, &Runs::default());
        }
        self.cut();
    }
}

/// The runs of a document if no place keeps any.
fn all(windows: &RepeatedWindows, length: u32) -> Vec<Run> {
    let mut runs = Runs::default();
    for window in windows.iter() {
        runs.push(window, window.name, length);
    }
    runs.finish()
}

/// The runs of a document, made of its windows in order.
#[derive(Debug, Default)]
struct Runs {
    done: Vec<Run>,
    /// The words of the last window behind the last run. A later window that begins with them takes their place: in periodic
    /// text each window overlaps the one before, and equals the same words, so each word would be a run.
    rest: Option<Run>,
}

impl Runs {
    /// Adds a window that equals the words at `first`.
    fn push(&mut self, window: Window, first: Place, length: u32) {
        let end = window.at + length;
        if self.done.last().is_some_and(|last| last.end < window.at) {
            self.done.extend(self.rest.take());
        }
        let whole = Run { start: window.at, end, first, name: window.name };
        let Some(last) = self.done.last_mut().filter(|last| last.end >= window.at) else {
            self.done.push(whole);
            return;
        };
        let first = first + u64::from(last.end - window.at);
        self.rest = None;
        if last.first + u64::from(last.end - last.start) == first {
            last.end = end;
        } else if last.end == window.at {
            self.done.push(whole);
        } else {
            self.rest = Some(Run { start: last.end, end, first, name: window.name });
        }
    }

    /// True if some of these words are in a run.
    fn has_any(&self, start: u32, end: u32) -> bool {
        let runs = self.rest.iter().chain(self.done.iter().rev());
        runs.take_while(|run| run.end > start).any(|run| run.start < end)
    }

    fn finish(mut self) -> Vec<Run> {
        self.done.extend(self.rest);
        self.done
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn repeated(windows: impl IntoIterator<Item = Window>) -> RepeatedWindows {
        let mut repeated = RepeatedWindows::default();
        windows.into_iter().for_each(|window| repeated.push(window));
        repeated
    }

    proptest! {
        #[test]
        fn cycles_are_their_windows(windows in prop::collection::vec((1u32..3, 0u64..4), 0..40), period in 1u64..5) {
            let mut at = 0;
            let mut next = |(step, name): (u32, u64)| {
                at += step;
                // Half of them go on with a period.
                Window { at, name: if step == 1 { u64::from(at) % period } else { name } }
            };
            let windows: Vec<Window> = windows.into_iter().map(&mut next).collect();
            prop_assert_eq!(repeated(windows.iter().copied()).iter().collect::<Vec<_>>(), windows);
        }
    }

    #[test]
    fn a_periodic_text_is_one_cycle() {
        for period in [1, 2, 50, 1000] {
            let windows = (0..10_000).map(|at| Window { at: 7 + at, name: place(3, 7 + at % period) });
            assert_eq!(repeated(windows).0.len(), 1, "{period}");
        }
    }

    /// One word again and again: a row for each window, and not for each word.
    #[test]
    fn periodic_text_is_a_run_for_each_window() {
        let windows = |count| repeated((0..count).map(|at| Window { at, name: 0 }));
        let mut kept = Kept::new(5);
        let runs = kept.take(0, &windows(96));
        let expected = (1..20).map(|n| Run { start: 5 * n, end: 5 * n + 5, first: 0, name: 0 });
        assert_eq!(runs, expected.collect::<Vec<_>>());
        // The last one is shorter, and the end of the kept one.
        let runs = Kept::new(5).take(0, &windows(8));
        let [whole, rest] = [(5, 10, 0), (10, 12, 3)].map(|(start, end, first)| Run { start, end, first, name: 0 });
        assert_eq!(runs, [whole, rest]);
    }
}
