//! The clock, which WebAssembly in a browser lacks: no time passes there.

use std::time::{Duration, Instant};

/// A moment; `None` without a clock.
pub type Moment = Option<Instant>;

/// This moment.
pub fn now() -> Moment {
    (!crate::IN_BROWSER).then(Instant::now)
}

/// The time between two moments; zero without a clock.
pub fn between(start: Moment, end: Moment) -> Duration {
    start.zip(end).map_or(Duration::ZERO, |(start, end)| end.saturating_duration_since(start))
}

/// The time since a moment; zero without a clock.
pub fn since(start: Moment) -> Duration {
    between(start, now())
}
