//! Signals: Ctrl-C stops the work cleanly, and a file that is cut short under a map is named. What exceeds the limit
//! of memory is stopped as by Ctrl-C.
//!
//! The handlers do what they do themselves, without a thread: there may be none to be had. They call only the system,
//! as a handler may interrupt anything, an allocation too.
//!
//! ```text
//!  SIGINT, SIGTERM, SIGHUP ──▶ first: a message, and is_stopped(); second: exit code 130
//!  SIGBUS ──▶ address ──▶ /proc/self/maps ──▶ a message with the file's name; exit code 2
//!  SIGXFSZ ──▶ nothing: the write beyond `ulimit -f` fails with an error, which is reported
//! ```

use std::sync::atomic::{AtomicBool, Ordering};

use nearcopy::memory::Excess;

/// Set by Ctrl-C, and where the limit of memory is too small.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// True once the limit of memory has proved too small.
static TOO_LITTLE_MEMORY: AtomicBool = AtomicBool::new(false);

pub(super) const TOO_LITTLE: &str = "--max-memory is too little for this work, so it was stopped; raise it, give fewer --threads, or read less at a time";

const STOPPING: &str = "dedup: stopping; press Ctrl-C again to stop at once\n";

/// Ends a run that takes more memory than it may: cleanly, or at once where it does not end in time.
pub(super) fn exceed(excess: Excess) {
    TOO_LITTLE_MEMORY.store(true, Ordering::Relaxed);
    STOPPED.store(true, Ordering::Relaxed);
    if excess == Excess::Beyond {
        eprintln!("dedup: {TOO_LITTLE}");
        #[cfg(unix)]
        signal_hook::low_level::exit(2);
        #[cfg(not(unix))]
        std::process::exit(2);
    }
}

/// True if the run was stopped because it would take more memory than it may.
pub(super) fn is_without_memory() -> bool {
    TOO_LITTLE_MEMORY.load(Ordering::Relaxed)
}

/// True after Ctrl-C, and where the limit of memory is too small.
pub(super) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Makes Ctrl-C stop the work cleanly; a second Ctrl-C ends it at once.
pub(super) fn stop_on_ctrl_c() {
    // Without a handler the system ends the program at once.
    #[cfg(unix)]
    unix::stop_on_ctrl_c();
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| {
        if is_stopped() {
            std::process::exit(130);
        }
        // Printed first, because the run may end as soon as it sees the flag.
        eprint!("{STOPPING}");
        STOPPED.store(true, Ordering::Relaxed);
    });
}

/// Makes errors that the system reports by a signal be reported as others are: a write beyond `ulimit -f`, and a
/// mapped file that is cut short.
pub(super) fn outlive_signals() {
    #[cfg(unix)]
    {
        // Without the handler the system kills the program and names the signal.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
        unix::name_truncated_maps();
    }
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::AsFd;
    use std::sync::atomic::Ordering;

    use signal_hook::consts::{SIGBUS, SIGHUP, SIGINT, SIGTERM};
    use signal_hook::low_level::exit;
    use signal_hook_registry::{register, register_sigaction};

    use super::{STOPPED, STOPPING, is_stopped};

    /// Room for a line of `/proc/self/maps`, mostly its path. A file whose line is longer is not named.
    const LINE: usize = 6 << 10;

    pub(super) fn stop_on_ctrl_c() {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let action = || {
                if is_stopped() {
                    exit(130);
                }
                // Written first, because the run may end as soon as it sees the flag.
                say(STOPPING.as_bytes());
                STOPPED.store(true, Ordering::Relaxed);
            };
            #[expect(unsafe_code, reason = "a handler may interrupt anything")]
            // SAFETY: the action calls `write` and `_exit` and touches one atomic, all of which a handler may.
            let _ = unsafe { register(signal, action) };
        }
    }

    pub(super) fn name_truncated_maps() {
        #[expect(unsafe_code, reason = "a handler may interrupt anything")]
        // SAFETY: the action calls `open`, `read`, `write` and `_exit`, and has its memory on its stack. The address is that
        // of the memory access, as the system and not another process sends this signal.
        let _ = unsafe { register_sigaction(SIGBUS, |info| name_map(info.si_addr() as usize)) };
    }

    /// Names the file at an address, and ends the program: the access that failed would be repeated.
    fn name_map(address: usize) {
        say(b"dedup: ");
        if !file_at(address, &mut say) {
            say(b"a file");
        }
        say(
            b": was cut short by another program while it was read, or its disk failed; start again when nothing else \
            writes to it\n",
        );
        exit(2);
    }

    fn say(bytes: &[u8]) {
        // If standard error is closed, the message cannot be written.
        let _ = rustix::io::write(io::stderr().as_fd(), bytes);
    }

    /// Calls `found` with the name of the file that is mapped at an address; returns false if it is unknown.
    fn file_at(address: usize, found: &mut impl FnMut(&[u8])) -> bool {
        use rustix::fs::{Mode, OFlags, open};
        let Ok(maps) = open(c"/proc/self/maps", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) else { return false };
        let mut buffer = [0; LINE];
        let mut filled = 0;
        loop {
            while let Some(end) = buffer[..filled].iter().position(|&byte| byte == b'\n') {
                if let Some(name) = mapped_at(address, &buffer[..end]) {
                    in_visible_pieces(name, found);
                    return true;
                }
                buffer.copy_within(end + 1..filled, 0);
                filled -= end + 1;
            }
            match rustix::io::read(&maps, &mut buffer[filled..]) {
                Ok(read) if read > 0 => filled += read,
                _ => return false,
            }
        }
    }

    /// The file of a line of `/proc/self/maps`, such as `7f00-7f80 r--p 00000000 08:01 42   /a/name`, if the address is in it.
    fn mapped_at(address: usize, line: &[u8]) -> Option<&[u8]> {
        let at_sign = |sign: u8| move |byte: &u8| *byte == sign;
        let dash = line.iter().position(at_sign(b'-'))?;
        let space = line.iter().position(at_sign(b' '))?;
        let number = |digits: &[u8]| usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let is_within = number(&line[..dash])? <= address && address < number(line.get(dash + 1..space)?)?;
        let name = &line[line.iter().position(at_sign(b'/'))?..];
        is_within.then_some(name)
    }

    /// Calls `found` with the printable ASCII and the letters of a name, and with a `?` for each other character: a
    /// terminal must not take a name for a command.
    fn in_visible_pieces(name: &[u8], found: &mut impl FnMut(&[u8])) {
        for chunk in name.utf8_chunks() {
            for c in chunk.valid().chars() {
                let c = if crate::report::is_safe(c) { c } else { '?' };
                found(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            if !chunk.invalid().is_empty() {
                found(b"?");
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn an_address_is_found_in_its_line() {
            let line = b"7f00-7f80 r--s 00000000 08:01 42        /a/name with \xff spaces";
            assert_eq!(mapped_at(0x7f00, line), Some(&b"/a/name with \xff spaces"[..]));
            assert_eq!(mapped_at(0x7f80, line), None);
            assert_eq!(mapped_at(0x7eff, line), None);
            assert_eq!(mapped_at(0x7f00, b"7f00-7f80 rw-p 00000000 00:00 0"), None);
            assert_eq!(mapped_at(0, b""), None);
        }

        #[test]
        fn a_mapped_file_is_found_by_an_address() {
            let mut named = Vec::new();
            let function = a_mapped_file_is_found_by_an_address as fn() as usize;
            assert!(file_at(function, &mut |piece| named.extend_from_slice(piece)));
            assert_eq!(named, std::env::current_exe().unwrap().as_os_str().as_encoded_bytes());
            assert!(!file_at(0, &mut |_| ()));
        }

        #[test]
        fn a_name_commands_no_terminal() {
            let mut shown = Vec::new();
            in_visible_pieces("/größe\u{1b}[2J\u{202e}".as_bytes(), &mut |piece| shown.extend_from_slice(piece));
            in_visible_pieces(b"\xff", &mut |piece| shown.extend_from_slice(piece));
            assert_eq!(String::from_utf8(shown).unwrap(), "/größe?[2J??");
        }
    }
}
