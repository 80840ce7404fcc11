//! Blocks of a stream.
//!
//! `Read::read_to_end` clears all the room that is left, up to a whole block, before each call of a reader that is not of the
//! standard library.

use std::io::{self, Read};

/// Reads at most so many bytes, appends them, and returns their number, which is less only at the end of the stream. What
/// was read before an error stays.
///
/// # Errors
///
/// Those of the stream.
pub(super) fn read_up_to(from: &mut impl Read, most: usize, to: &mut Vec<u8>) -> io::Result<usize> {
    let start = to.len();
    to.resize(start + most, 0);
    let mut end = start;
    let done = loop {
        match from.read(&mut to[end..]) {
            Ok(0) => break Ok(end - start),
            Ok(read) => end += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    to.truncate(end);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes in pieces of three, with an interruption before each, and then the error, if any.
    struct Slow(Vec<u8>, bool, Option<io::ErrorKind>);

    impl Read for Slow {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let length = to.len().min(3).min(self.0.len());
            if let (0, Some(kind)) = (length, self.2) {
                return Err(kind.into());
            }
            to[..length].copy_from_slice(&self.0.drain(..length).collect::<Vec<u8>>());
            Ok(length)
        }
    }

    #[test]
    fn a_stream_is_read_up_to_a_length() {
        let read = |most: usize, error: Option<io::ErrorKind>| {
            let mut to = b"before ".to_vec();
            let read = read_up_to(&mut Slow(b"seven b".to_vec(), false, error), most, &mut to);
            (read.map_err(|error| error.kind()), String::from_utf8(to).unwrap())
        };
        assert_eq!(read(5, None), (Ok(5), "before seven".into()));
        assert_eq!(read(90, None), (Ok(7), "before seven b".into()));
        assert_eq!(read(0, None), (Ok(0), "before ".into()));
        let failed = Some(io::ErrorKind::BrokenPipe);
        assert_eq!(read(90, failed), (Err(io::ErrorKind::BrokenPipe), "before seven b".into()));
    }
}
