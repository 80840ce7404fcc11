//! The functions that a page calls, and those that it gives.
//!
//! A string or a file is passed as the address and the length of bytes that [`allocate`] made; the call takes them over.

use std::cell::RefCell;
use std::panic;
#[cfg(target_feature = "atomics")]
use std::sync::Condvar;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nearcopy::observer::{Observer, Read};
use nearcopy_corpus::inputs::HeldFile;
use nearcopy_dedup::jobs::screen::HeldFiles;

use crate::{Asked, Role, audit, screen};

#[expect(unsafe_code, reason = "the page gives these functions")]
// SAFETY: all only read the bytes that they are given, while they are called.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// A stage of the work begins, or goes on: its description, and its steps done and in all; −1 if that is unknown.
    safe fn told(what: *const u8, length: usize, done: f64, all: f64);
    /// The file of this name is about to be read.
    safe fn reading(name: *const u8, length: usize);
    /// The module panicked, with this message, and is not to be called any more.
    safe fn panicked(message: *const u8, length: usize);
}

/// Threads of the pool that no worker of the page runs yet, and that there are more.
#[cfg(target_feature = "atomics")]
static THREADS: (Mutex<Vec<rayon_core::ThreadBuilder>>, Condvar) = (Mutex::new(Vec::new()), Condvar::new());

thread_local! {
    static FILES: RefCell<HeldFiles> = RefCell::default();
    /// The JSON of the last answer, its page, and its list.
    static ANSWERS: RefCell<[Vec<u8>; 3]> = RefCell::default();
}

/// Room for so many bytes, which the page fills and passes on.
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

#[expect(unsafe_code, reason = "the page passes on what `allocate` made")]
fn taken(address: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the page passes on each address of `allocate` once, with its length.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) }.into_vec()
}

/// Adds a file by its role (0 an essay or a file of a folder, 1 a source, 2 an assignment), with the time of its last change
/// in milliseconds since 1970; 0 if unknown.
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn add(
    role: u32,
    name: *mut u8,
    name_length: usize,
    bytes: *mut u8,
    length: usize,
    milliseconds: f64,
) {
    let (name, bytes) = (String::from_utf8_lossy(&taken(name, name_length)).into_owned(), taken(bytes, length));
    let modified = milliseconds as i64 * 1_000_000;
    if let Some(role) = Role::of(role) {
        FILES.with_borrow_mut(|files| role.files(files).push(HeldFile { name, bytes, modified }));
    }
}

/// Screens or audits the files that were added, as the JSON of an [`Asked`] says. Returns true if that succeeded. The
/// [`answer`] 0 is then the JSON of what was found, 1 the page, and 2 the list of an audit; else 0 is what is wrong.
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn run(asked: *mut u8, length: usize) -> bool {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        panicked(message.as_ptr(), message.len());
    }));
    let asked = serde_json::from_slice::<Asked>(&taken(asked, length)).map_err(|error| error.to_string());
    let json = |found: serde_json::Result<Vec<u8>>| found.map_err(|error| error.to_string());
    let made = asked.and_then(|asked| {
        let (files, told) = (FILES.take(), Told::default());
        let begins = |name: &str| reading(name.as_ptr(), name.len());
        if asked.folder {
            let (counts, page, list) = audit(files.suspicious, &asked, begins, &told)?;
            return Ok([json(serde_json::to_vec(&counts))?, page, list]);
        }
        let (found, page) = screen(files, &asked, begins, &told)?;
        Ok([json(serde_json::to_vec(&found))?, page, Vec::new()])
    });
    let is_made = made.is_ok();
    ANSWERS.set(made.unwrap_or_else(|wrong| [wrong.into_bytes(), Vec::new(), Vec::new()]));
    is_made
}

/// The address of an answer, which is there until the next call of [`run`].
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer(number: usize) -> *const u8 {
    ANSWERS.with_borrow(|answers| answers[number.min(2)].as_ptr())
}

/// The length of an answer.
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer_length(number: usize) -> usize {
    ANSWERS.with_borrow(|answers| answers[number.min(2)].len())
}

/// Makes a pool of so many threads beside the one that calls [`run`], once, and waits for as many workers of the page
/// to call [`work`].
#[cfg(target_feature = "atomics")]
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn pool(threads: usize) {
    let waits = |thread| {
        THREADS.0.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        THREADS.1.notify_one();
        Ok(())
    };
    // Without a pool one thread does all.
    let _ = rayon_core::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(waits).build_global();
}

/// Runs a thread of the pool, without an end.
#[cfg(target_feature = "atomics")]
#[expect(unsafe_code, reason = "the page calls it by its name")]
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn work() {
    let (threads, more) = &THREADS;
    let waiting = threads.lock().unwrap_or_else(PoisonError::into_inner);
    let thread = more.wait_while(waiting, |all| all.is_empty()).unwrap_or_else(PoisonError::into_inner).pop();
    if let Some(thread) = thread {
        thread.run();
    }
}

/// There are no random numbers here, and nothing takes any.
#[expect(unsafe_code, reason = "`getrandom` asks for a function of this name")]
// SAFETY: no other function has this name, and it writes nothing.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(_: *mut u8, _: usize) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}

/// Tells the page of the work.
#[derive(Default)]
struct Told(Mutex<Progress>);

#[derive(Default)]
struct Progress {
    stage: String,
    done: u64,
    all: Option<u64>,
    /// The steps that were told last.
    last: u64,
}

impl Told {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn tell(&mut self) {
        self.last = self.done;
        let all = self.all.map_or(-1.0, |all| all as f64);
        told(self.stage.as_ptr(), self.stage.len(), self.done as f64, all);
    }
}

impl Observer for Told {
    fn begin(&self, what: &str, steps: Option<u64>) {
        let mut progress = self.progress();
        *progress = Progress { stage: what.to_owned(), all: steps, ..Progress::default() };
        progress.tell();
    }

    fn advance(&self, steps: u64) {
        let mut progress = self.progress();
        progress.done += steps;
        // A page draws no more than some hundred steps.
        if progress.done - progress.last > progress.all.unwrap_or(0) / 100 {
            progress.tell();
        }
    }

    fn advance_reading(&self, read: Read) {
        self.advance(read.documents);
    }
}
