//! Times of files.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time of a file in nanoseconds since 1970; the nearest that 64 bits hold for one before 1678 or after 2261.
pub fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanoseconds| -nanoseconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_files_go_from_1677_to_2262() {
        use std::time::Duration;
        let day = Duration::from_hours(24);
        assert_eq!(nanoseconds(UNIX_EPOCH + day), 86_400_000_000_000);
        assert_eq!(nanoseconds(UNIX_EPOCH - day), -86_400_000_000_000);
        assert_eq!(nanoseconds(UNIX_EPOCH + 200_000 * day), i64::MAX);
        assert_eq!(nanoseconds(UNIX_EPOCH - 200_000 * day), i64::MIN);
    }
}
