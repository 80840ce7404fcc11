//! Panics of format libraries, turned into errors.
//!
//! On some damaged files these libraries panic instead of returning an error (the Parquet
//! library, for example, asserts the lengths of a page's levels). Such a panic ends the
//! reading of its file only, and is not printed.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Calls a library; a panic becomes an error with the panic's message. State that the call has
/// changed must not be used after a panic.
///
/// # Errors
///
/// The message of the panic.
pub fn catch_panic<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CATCHING.get() {
                print(panic);
            }
        }));
    });
    let was_catching = IS_CATCHING.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    IS_CATCHING.set(was_catching);
    outcome.map_err(|payload| message(payload.as_ref()))
}

/// The message of a panic, on one line.
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
        let outcome: Result<(), _> = catch_panic(|| panic!("level {place}\n is missing"));
        assert_eq!(outcome, Err("level 7 is missing".into()));
        assert_eq!(catch_panic(|| 3), Ok(3));
        assert!(!IS_CATCHING.get());
    }
}
