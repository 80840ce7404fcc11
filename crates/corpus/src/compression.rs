//! Compressed files, recognised by their first bytes.
//!
//! Files of several members (such as the output of `cat a.gz b.gz`) are read to the end.
//!
//! In WebAssembly only gzip is read.
//!
//! Cost: that of the decoders. The decoded bytes are streamed, never kept, so a small file
//! that expands to terabytes costs time, not memory.
//!
//! Source: RFC 1952 (gzip), RFC 8878 (Zstandard), the xz and bzip2 file formats.

mod gzip;

use std::io::{self, BufReader, Read, Write};

use flate2::write::GzEncoder;
#[cfg(not(target_family = "wasm"))]
use {
    bzip2::{Compression as Bzip2Level, read::MultiBzDecoder, write::BzEncoder},
    liblzma::{read::XzDecoder, write::XzEncoder},
};

pub(crate) use gzip::Damage;

/// The compression format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// gzip, RFC 1952.
    Gzip,
    /// Zstandard, RFC 8878.
    Zstd,
    /// xz.
    Xz,
    /// bzip2.
    Bzip2,
}

/// The first bytes and the file endings of each compression.
const TABLE: [(Compression, &[u8], &[&str]); 4] = [
    (Compression::Gzip, gzip::MAGIC, &["gz", "gzip"]),
    (Compression::Zstd, b"\x28\xb5\x2f\xfd", &["zst", "zstd"]),
    (Compression::Xz, b"\xfd7zXZ\0", &["xz"]),
    (Compression::Bzip2, b"BZh", &["bz2"]),
];

impl Compression {
    /// The compression of a file with these first bytes; `None` if it is not compressed.
    pub fn recognise(head: &[u8]) -> Option<Self> {
        TABLE.iter().find(|(_, magic, _)| head.starts_with(magic)).map(|(compression, ..)| *compression)
    }

    /// The compression that a file's ending names.
    pub fn of_name(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_lowercase();
        TABLE.iter().find(|(.., endings)| endings.contains(&&*ending)).map(|(compression, ..)| *compression)
    }

    /// A file's name without a compression ending: `a.csv.gz` becomes `a.csv`.
    pub fn strip(name: &str) -> &str {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if Self::of_name(name).is_some() { stem } else { name }
    }

    /// Decodes a stream.
    ///
    /// # Errors
    ///
    /// Those of the decoder's setup; decoding errors occur while reading.
    pub fn decode<'a>(self, from: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
        let from = BufReader::with_capacity(1 << 16, from);
        Ok(match self {
            Self::Gzip => Box::new(gzip::GzipMembers::new(from)),
            #[cfg(not(target_family = "wasm"))]
            Self::Zstd => Box::new(zstd::stream::read::Decoder::new(from)?),
            #[cfg(not(target_family = "wasm"))]
            Self::Xz => Box::new(XzDecoder::new_multi_decoder(from)),
            #[cfg(not(target_family = "wasm"))]
            Self::Bzip2 => Box::new(MultiBzDecoder::new(from)),
            #[cfg(target_family = "wasm")]
            _ => return Err(io::ErrorKind::Unsupported.into()),
        })
    }

    /// Returns a writer that compresses at the format's usual level.
    ///
    /// # Errors
    ///
    /// Those of the encoder's setup.
    pub fn encode<W: Write>(self, to: W) -> io::Result<Encoder<W>> {
        Ok(match self {
            Self::Gzip => Encoder::Gzip(GzEncoder::new(to, flate2::Compression::default())),
            #[cfg(not(target_family = "wasm"))]
            Self::Zstd => Encoder::Zstd(zstd::stream::write::Encoder::new(to, 0)?),
            #[cfg(not(target_family = "wasm"))]
            Self::Xz => Encoder::Xz(XzEncoder::new(to, 6)),
            #[cfg(not(target_family = "wasm"))]
            Self::Bzip2 => Encoder::Bzip2(BzEncoder::new(to, Bzip2Level::best())),
            #[cfg(target_family = "wasm")]
            _ => return Err(io::ErrorKind::Unsupported.into()),
        })
    }
}

/// A writer that compresses; [`Encoder::finish`] must be called at the end.
#[expect(missing_debug_implementations, reason = "the encoders have none")]
pub enum Encoder<W: Write> {
    /// gzip
    Gzip(GzEncoder<W>),
    /// Zstandard
    #[cfg(not(target_family = "wasm"))]
    Zstd(zstd::stream::write::Encoder<'static, W>),
    /// xz
    #[cfg(not(target_family = "wasm"))]
    Xz(XzEncoder<W>),
    /// bzip2
    #[cfg(not(target_family = "wasm"))]
    Bzip2(BzEncoder<W>),
}

impl<W: Write> Encoder<W> {
    /// The inner writer.
    pub fn get_ref(&self) -> &W {
        match self {
            Self::Gzip(encoder) => encoder.get_ref(),
            #[cfg(not(target_family = "wasm"))]
            Self::Zstd(encoder) => encoder.get_ref(),
            #[cfg(not(target_family = "wasm"))]
            Self::Xz(encoder) => encoder.get_ref(),
            #[cfg(not(target_family = "wasm"))]
            Self::Bzip2(encoder) => encoder.get_ref(),
        }
    }

    /// Writes the end of the stream and returns the inner writer.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Gzip(encoder) => encoder.finish(),
            #[cfg(not(target_family = "wasm"))]
            Self::Zstd(encoder) => encoder.finish(),
            #[cfg(not(target_family = "wasm"))]
            Self::Xz(encoder) => encoder.finish(),
            #[cfg(not(target_family = "wasm"))]
            Self::Bzip2(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(encoder) => encoder.write(bytes),
            #[cfg(not(target_family = "wasm"))]
            Self::Zstd(encoder) => encoder.write(bytes),
            #[cfg(not(target_family = "wasm"))]
            Self::Xz(encoder) => encoder.write(bytes),
            #[cfg(not(target_family = "wasm"))]
            Self::Bzip2(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Gzip(encoder) => encoder.flush(),
            #[cfg(not(target_family = "wasm"))]
            Self::Zstd(encoder) => encoder.flush(),
            #[cfg(not(target_family = "wasm"))]
            Self::Xz(encoder) => encoder.flush(),
            #[cfg(not(target_family = "wasm"))]
            Self::Bzip2(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compression; 4] = [Compression::Gzip, Compression::Zstd, Compression::Xz, Compression::Bzip2];

    fn compressed(compression: Compression, text: &[u8]) -> Vec<u8> {
        let mut encoder = compression.encode(Vec::new()).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(compression: Compression, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        compression.decode(bytes)?.read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn every_member_of_a_file_is_read() {
        for compression in ALL {
            let bytes = [compressed(compression, b"high "), compressed(compression, b"tide")].concat();
            assert_eq!(Compression::recognise(&bytes), Some(compression));
            assert_eq!(read(compression, &bytes).unwrap(), b"high tide");
        }
        assert_eq!(Compression::recognise(b"B"), None);
        assert_eq!(Compression::recognise(b""), None);
    }

    #[test]
    fn zeros_behind_gzip_are_padding() {
        let (first, second) = (compressed(Compression::Gzip, b"high "), compressed(Compression::Gzip, b"tide"));
        for zeros in [1, 511, 200_000] {
            let padding = vec![0; zeros];
            let bytes = [&first[..], &padding, &second, &padding].concat();
            assert_eq!(read(Compression::Gzip, &bytes).unwrap(), b"high tide", "{zeros}");
        }
        let bytes = [&first[..], b"\0no gzip"].concat();
        assert!(read(Compression::Gzip, &bytes).is_err());
    }

    #[test]
    fn a_file_cut_short_is_an_error() {
        let text: Vec<u8> = (0..20_000u32).flat_map(u32::to_le_bytes).collect();
        for compression in ALL {
            let bytes = compressed(compression, &text);
            assert!(read(compression, &bytes[..bytes.len() / 2]).is_err(), "{compression:?}");
            assert!(read(compression, &bytes[..bytes.len() - 1]).is_err(), "{compression:?}");
        }
    }

    #[test]
    fn endings_are_stripped() {
        for (name, stem) in [("a.csv.gz", "a.csv"), ("a.csv.ZST", "a.csv"), ("a.csv", "a.csv"), ("gz", "gz")] {
            assert_eq!(Compression::strip(name), stem);
        }
    }
}
