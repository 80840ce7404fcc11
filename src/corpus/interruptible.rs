//! Bytes that may be long in coming: those of a pipe, a terminal or a device.
//!
//! Whoever opens or reads one waits in the system for whoever writes it, and hears nothing meanwhile. So a
//! thread of its own waits there, a few blocks ahead, and whoever wants the bytes looks now and then whether
//! to give up. The thread stays where it waits, and ends with the pipe or with the process.
//!
//! Cost: a thread, and a copy of what passes.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// So often whoever waits looks whether to give up.
const LOOK: Duration = Duration::from_millis(100);

/// So many bytes are read at a time, and so many blocks ahead.
const BLOCK: usize = 64 << 10;
const AHEAD: usize = 2;

/// Whether whoever waits for bytes is to give up; `default` never does.
#[derive(Clone, Copy, Default)]
pub struct Stop(Option<fn() -> bool>);

impl Stop {
    /// As soon as this is so.
    pub fn when(is_stopped: fn() -> bool) -> Self {
        Self(Some(is_stopped))
    }
}

/// The same of all: a job in words must not say where its program lies in memory.
impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// What a thread reads.
struct InterruptibleRead {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
    is_stopped: fn() -> bool,
}

/// Opens something to read, and reads it.
///
/// # Errors
///
/// Those of opening; an error of no kind of its own where the work was stopped, from here and from reading.
pub(super) fn open<R: Read + Send + 'static>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    stop: Stop,
) -> io::Result<Box<dyn Read + Send>> {
    let Some(is_stopped) = stop.0 else { return Ok(Box::new(open()?)) };
    let (sender, blocks) = sync_channel(AHEAD);
    thread::Builder::new().name("input".into()).spawn(move || send(open, &sender))?;
    let awaited = InterruptibleRead { blocks, block: Cursor::default(), is_stopped };
    // The first block is empty, and says that it is open.
    awaited.next()?;
    Ok(Box::new(awaited))
}

/// Sends all blocks, until there are no more or nobody wants them.
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
    /// The next block; `None`: there is no more.
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

    /// Gives a few bytes at a time, then this.
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
