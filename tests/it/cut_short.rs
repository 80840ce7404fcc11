//! A file that another program cuts short while it is mapped is named.

use std::fs::{self, OpenOptions};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::folder::Folder;
use crate::texts::{BEES, HARBOUR};

#[test]
fn a_file_cut_short_while_it_is_read_is_named() {
    let text = format!("{HARBOUR} {BEES} ").repeat(20_000);
    let folder = Folder::new().file("in/large.txt", &text);
    let path = folder.path().join("in/large.txt");
    let mut named = 0;
    // The file is cut at various moments, some of which are too early or too late for the map.
    for _ in 0..200 {
        fs::write(&path, &text).unwrap();
        let over = AtomicBool::new(false);
        let answer = thread::scope(|scope| {
            let run = folder
                .command("fingerprint -q --force in -o in.fp")
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let maps = format!("/proc/{}/maps", run.id());
            let over = &over;
            let path = &path;
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    if fs::read_to_string(&maps).is_ok_and(|maps| maps.contains("large.txt")) {
                        return OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
                    }
                }
            });
            let answer = run.wait_with_output().unwrap();
            over.store(true, Ordering::Relaxed);
            answer
        });
        let said = String::from_utf8(answer.stderr).unwrap();
        assert!(answer.status.code().is_some_and(|code| code == 0 || code == 2), "{:?}: {said}", answer.status);
        if said.contains("large.txt: was cut short by another program while it was read") {
            assert_eq!(answer.status.code(), Some(2));
            named += 1;
            if named == 3 {
                break;
            }
        }
    }
    assert!(named > 0, "no run was caught while it read");
}
