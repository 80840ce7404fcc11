use super::*;

#[test]
fn what_cannot_be_written_says_what_helps() {
    for (kind, expected) in [
        (io::ErrorKind::StorageFull, "a: no space is left to write it; free some, or write to another disk"),
        (
            io::ErrorKind::FileTooLarge,
            "a: exceeds the file size limit; raise the limit (`ulimit -f`), or write to another disk",
        ),
    ] {
        assert_eq!(Error::Write { path: "a".into(), source: kind.into() }.to_string(), expected);
    }
}
