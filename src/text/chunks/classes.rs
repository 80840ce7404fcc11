//! The classes of bytes, 64 at a time: as many bits of a number.

/// Number of bytes in a block: a bit each.
pub(super) const BLOCK: usize = 64;

/// The classes of 64 bytes: bit `i` is that of byte `i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Classes {
    pub(super) spaces: u64,
    /// Letters and digits of ASCII.
    pub(super) letters: u64,
}

impl Classes {
    /// Those of the bytes that begin at `start`; bytes beyond the end are white space.
    pub(super) fn from(bytes: &[u8], start: usize) -> Self {
        let rest = &bytes[start.min(bytes.len())..];
        if let Some(block) = rest.first_chunk::<BLOCK>() {
            return Self::of(block);
        }
        let mut padded = [b' '; BLOCK];
        padded[..rest.len()].copy_from_slice(rest);
        Self::of(&padded)
    }

    #[cfg(target_arch = "x86_64")]
    fn of(block: &[u8; BLOCK]) -> Self {
        sse2::classes(block)
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of(block: &[u8; BLOCK]) -> Self {
        Self::plain(block)
    }

    /// The same on any processor.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn plain(block: &[u8; BLOCK]) -> Self {
        // Each range is one comparison, so that the compiler compares many bytes at a time.
        let is_in = |byte: u8, first: u8, last: u8| byte.wrapping_sub(first) <= last - first;
        let spaces = bits(block, |byte| is_in(byte, b'\t', b'\r') || byte == b' ');
        Self { spaces, letters: bits(block, |byte| is_in(byte | 0x20, b'a', b'z') || is_in(byte, b'0', b'9')) }
    }
}

/// The bytes of a kind: bit `i` is 1 if byte `i` is of it.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn bits(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let mut found = [0; BLOCK];
    for (found, &byte) in found.iter_mut().zip(block) {
        *found = u8::from(is(byte));
    }
    let (eights, _) = found.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |bits, (i, &eight)| {
        // Gathers the lowest bits of the eight bytes in one byte.
        bits | (u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    })
}

/// Sixteen bytes at a time.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "processor instructions that every processor of the architecture has")]
mod sse2 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_sub_epi8,
    };

    use super::{BLOCK, Classes};

    pub(super) fn classes(block: &[u8; BLOCK]) -> Classes {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { classes_of(block) }
    }

    #[target_feature(enable = "sse2")]
    fn classes_of(block: &[u8; BLOCK]) -> Classes {
        let mut found = Classes { spaces: 0, letters: 0 };
        for (i, &bytes) in block.as_chunks::<16>().0.iter().enumerate() {
            let bytes: __m128i = bytemuck::cast(bytes);
            let spaces = _mm_or_si128(are_in(bytes, b'\t', b'\r'), _mm_cmpeq_epi8(bytes, all(b' ')));
            let letters = are_in(_mm_or_si128(bytes, all(0x20)), b'a', b'z');
            found.spaces |= bits(spaces) << (16 * i);
            found.letters |= bits(_mm_or_si128(letters, are_in(bytes, b'0', b'9'))) << (16 * i);
        }
        found
    }

    /// The bytes from `first` to `last`.
    #[target_feature(enable = "sse2")]
    fn are_in(bytes: __m128i, first: u8, last: u8) -> __m128i {
        let from_first = _mm_sub_epi8(bytes, all(first));
        _mm_cmpeq_epi8(_mm_min_epu8(from_first, all(last - first)), from_first)
    }

    #[target_feature(enable = "sse2")]
    fn all(byte: u8) -> __m128i {
        _mm_set1_epi8(byte.cast_signed())
    }

    #[target_feature(enable = "sse2")]
    fn bits(bytes: __m128i) -> u64 {
        u64::from(_mm_movemask_epi8(bytes).cast_unsigned())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::characters::is_space;

    #[test]
    fn every_byte_is_classified() {
        for byte in 0..=u8::MAX {
            for place in [0, 7, 8, 15, 16, 63] {
                let mut block = [b'!'; BLOCK];
                block[place] = byte;
                let bit = |is: bool| u64::from(is) << place;
                let expected = Classes { spaces: bit(is_space(byte)), letters: bit(byte.is_ascii_alphanumeric()) };
                assert_eq!([Classes::of(&block), Classes::plain(&block)], [expected; 2], "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn many_bytes_at_a_time_have_the_classes_of_each(bytes in prop::collection::vec(any::<u8>(), BLOCK)) {
            let block = bytes.first_chunk().unwrap();
            prop_assert_eq!(Classes::of(block), Classes::plain(block));
        }
    }
}
