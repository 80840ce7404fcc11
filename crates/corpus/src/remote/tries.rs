//! Requests that are repeated: how often, and after how long.

use std::time::Duration;

use super::place::{CHANGED, Refused};

/// Number of tries in a row that may bring nothing.
const TRIES: u32 = 6;
/// The time before the second try, which doubles with each further one.
const PAUSE: Duration = Duration::from_millis(200);

/// Tries in a row that brought nothing.
#[derive(Debug, Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// The time until the next try, after one that was refused.
    ///
    /// # Errors
    ///
    /// The reason, if another try would be in vain.
    pub(super) fn next(&mut self, refused: Refused) -> Result<Duration, String> {
        match refused {
            Refused::Final(reason) => Err(reason),
            Refused::Behind(_) => Err(CHANGED.into()),
            Refused::Passing(reason) => {
                self.0 += 1;
                if self.0 == TRIES {
                    return Err(format!("{reason}, {TRIES} times in a row; retry later"));
                }
                Ok(PAUSE * 2u32.pow(self.0 - 1))
            }
        }
    }
}

/// Repeats a request as long as it is refused for a passing reason.
///
/// # Errors
///
/// The last reason.
pub(super) async fn repeated<T>(request: impl AsyncFn() -> Result<T, Refused>) -> Result<T, String> {
    let mut tries = Tries::default();
    loop {
        match request().await {
            Ok(answer) => return Ok(answer),
            Err(refused) => tokio::time::sleep(tries.next(refused)?).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passing_reasons_are_tried_six_times() {
        let mut tries = Tries::default();
        let mut next = || tries.next(Refused::Passing("busy".into()));
        let pauses: Vec<Duration> = (0..5).map(|_| next().unwrap()).collect();
        assert_eq!(pauses.iter().sum::<Duration>(), Duration::from_millis(200 * 31));
        assert_eq!(next().unwrap_err(), "busy, 6 times in a row; retry later");
        assert_eq!(Tries::default().next(Refused::Final("no".into())).unwrap_err(), "no");
    }
}
