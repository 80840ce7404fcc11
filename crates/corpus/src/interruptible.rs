//! Interruptible reading from a pipe, a terminal or a device.
//!
//! Opening or reading a pipe blocks in the kernel and cannot be interrupted. A helper thread therefore opens
//! and reads it, up to [`AHEAD`] blocks ahead; the reader waits for the blocks and checks every [`LOOK`] whether
//! to give up. The helper thread stays blocked until the pipe closes or the process ends.
//!
//! If the system refuses another thread, the stream is opened and read as it is, and cannot be interrupted.
//!
//! Cost: one thread, and one copy of the bytes.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Interval at which a waiting reader checks whether to give up.
const LOOK: Duration = Duration::from_millis(100);

/// Block size in bytes.
const BLOCK: usize = 64 << 10;
/// Number of blocks read ahead.
const AHEAD: usize = 2;

/// A check whether a waiting reader is to give up; by default it never does.
#[derive(Clone, Copy, Default)]
pub struct Stop(Option<fn() -> bool>);

impl Stop {
    /// Gives up as soon as `is_stopped` returns true.
    pub fn when(is_stopped: fn() -> bool) -> Self {
        Self(Some(is_stopped))
    }

    /// True if the work is to end.
    pub(crate) fn is_asked_for(self) -> bool {
        self.0.is_some_and(|is_stopped| is_stopped())
    }
}

/// The same output for every value: a job is compared by its `Debug` output, which must not contain an address.
impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// A reader of the blocks that the helper thread sends.
struct InterruptibleRead {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
    is_stopped: fn() -> bool,
}

/// Opens a stream, and returns a reader of it that `stop` can interrupt.
///
/// # Errors
///
/// Those of opening. If the work was stopped, this call and later reads fail with [`io::ErrorKind::Other`].
pub(super) fn open<R: Read + Send + 'static>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    stop: Stop,
) -> io::Result<Box<dyn Read + Send>> {
    let Some(is_stopped) = stop.0 else { return Ok(Box::new(open()?)) };
    let (sender, blocks) = sync_channel(AHEAD);
    // A thread that cannot be started takes its closure with it, so `open` is sent once it has started.
    let (opener, to_open) = sync_channel(1);
    let reader = move || to_open.recv().map_or((), |open| send(open, &sender));
    if thread::Builder::new().name("input".into()).spawn(reader).is_err() {
        return Ok(Box::new(open()?));
    }
    // Fails only if the thread has ended, and then so does the wait below.
    _ = opener.send(open);
    let awaited = InterruptibleRead { blocks, block: Cursor::default(), is_stopped };
    // The first block is empty: it signals that the stream is open.
    awaited.next()?;
    Ok(Box::new(awaited))
}

/// Sends blocks until the stream ends or the receiver is dropped.
fn send<R: Read>(open: impl FnOnce() -> io::Result<R>, to: &SyncSender<io::Result<Vec<u8>>>) {
    let mut from = match open() {
        Ok(from) => from,
        Err(error) => {
            _ = to.send(Err(error));
            return;
        }
    };
    let mut next = Ok(Vec::new());
    while to.send(next).is_ok() {
        let mut block = vec![0; BLOCK];
        next = loop {
            match from.read(&mut block) {
                Ok(0) => return,
                Ok(read) => {
                    block.truncate(read);
                    break Ok(block);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
    }
}

impl InterruptibleRead {
    /// The next block; `None` at the end.
    fn next(&self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if (self.is_stopped)() {
                return Err(io::Error::other("stopped"));
            }
            match self.blocks.recv_timeout(LOOK) {
                Ok(block) => return block.map(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

impl Read for InterruptibleRead {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.block.read(to)?;
            if read > 0 || to.is_empty() {
                return Ok(read);
            }
            match self.next()? {
                Some(block) => self.block = Cursor::new(block),
                None => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn read(from: impl Read + Send + 'static, is_stopped: fn() -> bool) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open(|| Ok(from), Stop::when(is_stopped))?.read_to_end(&mut bytes).map(|_| bytes)
    }

    /// Gives a few bytes at a time, then the outcome of the function.
    struct Drops(usize, fn() -> io::Result<usize>);

    impl Read for Drops {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return (self.1)();
            }
            let read = to.len().min(3).min(self.0);
            to[..read].fill(7);
            self.0 -= read;
            Ok(read)
        }
    }

    #[test]
    fn what_is_awaited_is_what_is_read() {
        for count in [0, 1, 3, 1000] {
            assert_eq!(read(Drops(count, || Ok(0)), || false).unwrap(), vec![7; count]);
        }
        let long: Vec<u8> = (0..5 * BLOCK + 17).map(|i| i as u8).collect();
        assert_eq!(read(Cursor::new(long.clone()), || false).unwrap(), long);
        let broken = read(Drops(10, || Err(io::ErrorKind::BrokenPipe.into())), || false).unwrap_err();
        assert_eq!(broken.kind(), io::ErrorKind::BrokenPipe);
        let none = open(|| std::fs::File::open("no such file"), Stop::when(|| false)).err().unwrap();
        assert_eq!(none.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn who_is_stopped_waits_no_more() {
        static STOPPED: AtomicBool = AtomicBool::new(false);
        let waits = Drops(10, || {
            STOPPED.store(true, Ordering::Relaxed);
            loop {
                thread::park();
            }
        });
        assert_eq!(read(waits, || STOPPED.load(Ordering::Relaxed)).unwrap_err().to_string(), "stopped");
    }
}
