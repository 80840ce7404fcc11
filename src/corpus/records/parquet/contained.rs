//! Panics of the Parquet library, turned into errors.
//!
//! On some damaged files it panics where it should fail (an assertion on the lengths
//! of a page's levels is one). Such a panic ends the reading of its file and nothing
//! else, and is not printed.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::super::Reason;

thread_local! {
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Calls the library; a panic becomes [`Reason::Parquet`]. What the call has changed
/// must not be used after a panic.
pub(super) fn contained<T>(call: impl FnOnce() -> Result<T, Reason>) -> Result<T, Reason> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                print(panic);
            }
        }));
    });
    IS_CONTAINED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    IS_CONTAINED.set(false);
    outcome.unwrap_or_else(|payload| Err(Reason::Parquet(message(payload.as_ref()))))
}

/// What a panic said, on one line.
fn message(payload: &(dyn Any + Send)) -> String {
    let said = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    said.unwrap_or("it cannot be decoded").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let place = 7;
        let outcome: Result<(), _> = contained(|| panic!("level {place}\n is missing"));
        assert_eq!(outcome, Err(Reason::Parquet("level 7 is missing".into())));
        assert_eq!(contained(|| Ok(3)), Ok(3));
        assert!(!IS_CONTAINED.get());
    }
}
