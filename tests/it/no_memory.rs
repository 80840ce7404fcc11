//! Where the system refuses memory, a run ends as if it were killed: every output is the old one or the complete new one.

use std::process::{Command, Stdio};

use crate::folder::Folder;
use crate::texts::{HARBOUR, Numbers, jsonl, lines_of};

/// The sizes of the address space in MiB; the first leaves nothing but the start of the program.
const SIZES: [u64; 12] = [24, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 1024];

/// Runs a command in so much memory; true if it succeeds.
fn succeeds(folder: &Folder, line: &str, mib: u64) -> bool {
    let inner = folder.command(line);
    let mut command = Command::new("prlimit");
    command.arg(format!("--as={}", mib << 20)).arg(inner.get_program()).args(inner.get_args());
    command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("prlimit").success()
}

fn outputs(folder: &Folder) -> [Vec<u8>; 3] {
    ["out.jsonl", "out.jsonl.removed.jsonl", "out.fp"].map(|name| folder.read(name))
}

#[test]
fn nothing_is_half_where_memory_is_refused() {
    let documents = Numbers(5).documents(3000, 200);
    let folder = Folder::new().file("in.jsonl", lines_of(&documents)).file("old.jsonl", jsonl(&[("old", HARBOUR)]));
    let clean = "clean -q --force --threads 2 --id-field id in.jsonl -o out.jsonl";
    let fingerprint = "fingerprint -q --force --threads 2 --id-field id in.jsonl -o out.fp";
    let add = "index add -q --skip --threads 2 --id-field id letters in.jsonl";
    folder.dedup(clean).quietly(0);
    folder.dedup(fingerprint).quietly(0);
    let new = outputs(&folder);
    folder.dedup("clean -q --force --id-field id old.jsonl -o out.jsonl").quietly(0);
    folder.dedup("fingerprint -q --force --id-field id old.jsonl -o out.fp").quietly(0);
    let old = outputs(&folder);
    folder.dedup("index create -q letters").quietly(0);
    folder.dedup("index add -q --id-field id letters old.jsonl").quietly(0);
    let mut failures = 0;
    for mib in SIZES {
        let done = [clean, fingerprint, add].map(|line| succeeds(&folder, line, mib));
        failures += done.iter().filter(|done| !**done).count();
        let found = outputs(&folder);
        let expected = |at: usize, is_done: bool| if is_done { vec![&new[at]] } else { vec![&old[at], &new[at]] };
        for (at, is_done) in [(0, done[0]), (1, done[0]), (2, done[1])] {
            assert!(expected(at, is_done).contains(&&found[at]), "output {at} at {mib} MiB");
        }
        folder.dedup("verify out.fp").code_is(0);
        folder.dedup("index verify letters").code_is(0);
        let listed = folder.dedup("index list letters").quietly(0).lines().count();
        assert!(if done[2] { listed == 3001 } else { [1, 3001].contains(&listed) }, "{listed} at {mib} MiB");
    }
    assert!((3..3 * SIZES.len()).contains(&failures), "{failures}: some runs fail and some succeed");
}
