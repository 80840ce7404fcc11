use std::io::Write as _;

use flate2::write::GzEncoder;

use super::*;

fn packed(bytes: &[u8]) -> Vec<u8> {
    packed_at(flate2::Compression::default(), bytes)
}

fn packed_at(level: flate2::Compression, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Gives at most seven bytes at a time, with an interruption before each, and an error at the end if asked to.
struct Slow<'a>(&'a [u8], bool, bool);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.2 = !self.2;
        if self.2 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let step = 7.min(to.len());
        match self.0.read(&mut to[..step]) {
            Ok(0) if self.1 => Err(io::ErrorKind::ConnectionReset.into()),
            other => other,
        }
    }
}

/// What is read up to each error, and the number of bytes of the damaged member; the greatest for an error of the file.
fn pieces(from: impl Read) -> Vec<(Vec<u8>, Option<u64>)> {
    let mut members = GzipMembers::new(from);
    let mut pieces = Vec::new();
    loop {
        let mut piece = Vec::new();
        let damage = match members.read_to_end(&mut piece) {
            Ok(_) if piece.is_empty() => return pieces,
            Ok(_) => None,
            Err(error) => Some(Damage::of(&error).map_or(u64::MAX, |damage| damage.read)),
        };
        pieces.push((piece, damage));
        if damage == Some(u64::MAX) {
            return pieces;
        }
    }
}

const FIRST_TEXT: &[u8] = b"WARC/1.0\r\nhigh ";
const OTHER_TEXT: &[u8] = b"WARC/1.1\r\ntide";

#[test]
fn reading_goes_on_at_the_next_member_with_a_record() {
    let (first, other) = (packed(FIRST_TEXT), packed(OTHER_TEXT));
    let checksum = |mut member: Vec<u8>| {
        let at = member.len() - 8;
        member[at] ^= 1;
        member
    };
    let stray = [MAGIC, &packed(b"A text."), MAGIC].concat();
    for damaged in [
        checksum(first.clone()),
        first[..first.len() - 9].to_vec(),
        first[..first.len() - 1].to_vec(),
        [&checksum(first.clone())[..], &stray, &vec![7; 300_000], &stray].concat(),
        [&first[..first.len() - 3], &stray[..]].concat(),
    ] {
        let found = pieces(&[&first[..], &damaged, &other].concat()[..]);
        let [(before, Some(read)), (after, None)] = &found[..] else { panic!("{found:?}") };
        assert_eq!(after, OTHER_TEXT);
        assert!(before.starts_with(FIRST_TEXT) && before.len() as u64 == FIRST_TEXT.len() as u64 + read);
        let slow = pieces(Slow(&[&first[..], &damaged, &other].concat(), false, false));
        assert_eq!((slow.len(), slow.last()), (2, found.last()));
    }
    // None is left.
    let found = pieces(&[&checksum(first.clone())[..], &packed(b"tide")].concat()[..]);
    assert_eq!(found, [(FIRST_TEXT.to_vec(), Some(FIRST_TEXT.len() as u64))]);
}

#[test]
fn members_in_a_damaged_member_are_none_of_the_file() {
    let inner = packed(OTHER_TEXT);
    let mut outer = packed_at(flate2::Compression::none(), &[FIRST_TEXT, &inner].concat());
    assert!(memmem::find(&outer, &inner).is_some());
    let at = outer.len() - 8;
    outer[at] ^= 1;
    let found = pieces(&[&outer[..], &packed(b"WARC/1.0\r\nlow")].concat()[..]);
    assert_eq!(found[1..], [(b"WARC/1.0\r\nlow".to_vec(), None)]);
}

/// The decoder follows wrong lengths into the next member, and ends with that.
#[test]
fn a_member_that_a_damaged_one_swallows_is_found() {
    let [swallowed, last] = [packed(OTHER_TEXT), packed(b"WARC/1.0\r\nlow")];
    let (header, length) = (&swallowed[..10], FIRST_TEXT.len() as u16 + 10);
    let stored = [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes(), FIRST_TEXT].concat();
    let found = pieces(&[header, &stored, &swallowed, &last].concat()[..]);
    assert_eq!(found[0].1, Some((FIRST_TEXT.len() + 10 + OTHER_TEXT.len()) as u64));
    assert_eq!(found[1..], [([OTHER_TEXT, b"WARC/1.0\r\nlow"].concat(), None)]);
    let is_whole = |packed: &[u8]| is_whole(packed, &mut { MOST_UNPACKED });
    assert!(is_whole(&swallowed) && !is_whole(&[&swallowed[..], &last].concat()));
    assert!(!is_whole(&swallowed[1..]) && !is_whole(&swallowed[..swallowed.len() - 1]));
}

#[test]
fn an_error_of_the_file_is_no_damage() {
    let first = packed(FIRST_TEXT);
    for end in [0, 5, first.len() - 1, first.len()] {
        let found = pieces(Slow(&first[..end], true, false));
        assert_eq!(found.first().map(|(_, damage)| *damage), Some(Some(u64::MAX)), "{end}");
    }
}

/// A member longer than what is kept, and damage at its end: what follows is found.
#[test]
fn a_long_member_is_kept_in_part() {
    let mut state = 1u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
    .take(3_000_000)
    .collect();
    let mut long = packed(&noise);
    long.truncate(2_900_000);
    let found = pieces(&[&long[..], &packed(OTHER_TEXT)].concat()[..]);
    assert_eq!(found.last(), Some(&(OTHER_TEXT.to_vec(), None)));
    let mut members = GzipMembers::new(&long[..]);
    io::copy(&mut members, &mut io::sink()).unwrap_err();
    assert!(members.member.unwrap().get_ref().bytes.capacity() <= 4 * KEPT);
}
