//! An index with concurrent readers and writers, and changes that cannot be finished.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folder::{Answer, DEDUP, Folder, run};
use crate::letters::{FOUND, ids, info, letters, letters_with, refused};
use crate::moments::wait_for;
use crate::texts::{HARBOUR, Numbers, lines_of};

#[cfg(unix)]
#[test]
fn an_index_can_be_queried_with_read_permission_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = letters();
    let index = folder.path().join("letters");
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for name in folder.files("letters").keys() {
        mode(&index.join(name), 0o444);
    }
    mode(&index, 0o555);
    let before = folder.files("letters");
    let nobody = |line: &str| run(&mut folder.command_of_nobody(&format!("index {line}")), b"");
    assert_eq!(nobody("query -q letters edited.txt").quietly(0), FOUND);
    assert_eq!(nobody("list letters").quietly(0).lines().count(), 3);
    nobody("verify letters").code_is(0);
    nobody("info letters").quietly(0);
    for line in ["add -q letters edited.txt", "remove -q letters bees", "compact -q letters", "clear -q letters"] {
        refused(&nobody(line), "letters/lock", "no permission to write it");
    }
    assert!(folder.files("letters") == before);
    mode(&index, 0o755);
}

#[test]
fn writers_take_turns_and_readers_do_not_wait() {
    let folder = letters();
    let lock = File::options().write(true).open(folder.path().join("letters/lock")).unwrap();
    lock.lock().unwrap();
    for line in ["add -q letters edited.txt", "remove -q letters bees", "compact -q letters", "clear -q letters"] {
        let answer = folder.dedup(&format!("index {line}"));
        refused(&answer, "letters", "another run is changing the index; wait for it to end");
    }
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), FOUND);
    folder.dedup("index verify letters").code_is(0);
    // Closing the file is not enough: a child that another test starts meanwhile would hold it open.
    lock.unlock().unwrap();
    folder.dedup("index add -q letters edited.txt").quietly(0);
}

/// Queries run while another process changes the index continuously.
#[cfg(unix)]
#[test]
fn a_reader_never_sees_an_unfinished_change() {
    let folder = letters().file("go", "");
    let script = "i=0
    while [ -e go ]; do
        i=$((i+1))
        printf '{\"id\":\"n%s\",\"text\":\"Nothing of interest here, number %s of a few\"}\\n' $i $i > next.jsonl
        \"$0\" index add -q --id-field id letters next.jsonl || exit 1
        \"$0\" index remove -q letters n$i || exit 1
        \"$0\" index compact -q letters || exit 1
    done";
    let mut writer = Command::new("sh");
    writer.args(["-c", script, DEDUP]).current_dir(folder.path()).stdin(Stdio::null());
    let mut writer = writer.spawn().unwrap();
    // The writer continues until both have had many turns.
    let (mut queries, mut changes) = (0, 0);
    while queries < 12 || changes < 36 {
        assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), FOUND);
        let listed = ids(&folder, "letters");
        assert!((3..=4).contains(&listed.len()), "{listed:?}");
        queries += 1;
        changes = info(&folder, "generation").as_u64().unwrap();
        assert_eq!(writer.try_wait().unwrap(), None, "it writes until it is told to end");
    }
    fs::remove_file(folder.path().join("go")).unwrap();
    assert!(writer.wait().unwrap().success());
}

/// The message about a file that would exceed the limit.
#[cfg(unix)]
const TOO_LONG: &str = "exceeds the file size limit; raise the limit";

/// Runs a command with a limit on file sizes, in blocks of 512 bytes, as on a full disk.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: usize, line: &str) -> Answer {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {line}");
    run(Command::new("sh").args(["-c", &script, DEDUP]).current_dir(folder.path()), b"")
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_index_as_it_was() {
    let mut numbers = Numbers(3);
    let folder = letters().file("many.jsonl", lines_of(&numbers.documents(400, 60)));
    let before = ids(&folder, "letters");
    for blocks in [0, 1, 8, 64, 200] {
        let answer = limited(&folder, blocks, "index add -q --id-field id letters many.jsonl");
        answer.fails_saying(TOO_LONG);
        assert_eq!(ids(&folder, "letters"), before, "{blocks}");
        folder.dedup("index verify letters").code_is(0);
    }
    let before = folder.files("letters");
    for line in ["index remove -q letters bees", "index clear -q letters"] {
        limited(&folder, 0, line).fails_saying(TOO_LONG);
        let mut after = folder.files("letters");
        after.remove("manifest.new");
        after.retain(|name, _| before.contains_key(name));
        assert_eq!(after["manifest"], before["manifest"]);
        assert_eq!(ids(&folder, "letters").len(), 3);
    }
    folder.dedup("index add -q --id-field id letters many.jsonl").quietly(0);
    assert_eq!(ids(&folder, "letters").len(), 403);
    limited(&folder, 64, "index compact -q letters").code_is(2);
    assert_eq!(ids(&folder, "letters").len(), 403);
    folder.dedup("index compact -q letters").quietly(0);
    folder.dedup("index verify letters").code_is(0);
    let left: Vec<String> = folder.files("letters").into_keys().filter(|name| name.contains("partial")).collect();
    assert_eq!(left, [""; 0]);
}

/// If only the merge after an addition fails, the addition counts: code 0 says that the documents are in the index.
#[cfg(unix)]
#[test]
fn the_exit_code_says_if_an_addition_without_its_merge_was_made() {
    let mut numbers = Numbers(4);
    let mut folder = Folder::new();
    folder.dedup("index create letters --language und").quietly(0);
    for part in 0..4 {
        let mut documents = numbers.documents(20, 60);
        for (id, _) in &mut documents {
            *id = format!("{part}-{id}");
        }
        folder = folder.file(&format!("{part}.jsonl"), lines_of(&documents));
    }
    for part in 0..3 {
        folder.dedup(&format!("index add -q --id-field id letters {part}.jsonl")).quietly(0);
    }
    let size = folder.files("letters").into_values().map(|bytes| bytes.len()).max().unwrap();
    let answer = limited(&folder, size * 2 / 512, "index add -q --id-field id letters 3.jsonl");
    let documents = ids(&folder, "letters").len();
    assert_eq!(documents, if answer.code == 0 { 80 } else { 60 }, "{answer:?}");
    // The next change merges them.
    folder.dedup("index remove -q letters 0-d00000").quietly(0);
    folder.dedup("index verify letters").code_is(0);
    assert_eq!(
        (info(&folder, "segments").as_array().unwrap().len(), ids(&folder, "letters").len()),
        (1, documents - 1)
    );
}

#[cfg(unix)]
#[test]
fn a_cleared_index_has_nothing_of_its_texts() {
    let folder =
        letters_with("--passages").file("secret.txt", format!("The secret of the mill. {HARBOUR}").repeat(400));
    limited(&folder, 64, "index add -q letters secret.txt").fails_saying(TOO_LONG);
    folder.dedup("index clear -q letters").quietly(0);
    for (name, bytes) in folder.files("letters") {
        assert!(!bytes.windows(10).any(|part| part == b"The secret" || part == b"The harbou"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_addition_leaves_the_index_as_it_was() {
    let folder = letters();
    let mut run = folder.command("index add -q --input lines letters -");
    let mut run = run.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.path().join("letters/unfinished.partial"), &mut run);
    // Another run that would change the index meanwhile is refused.
    refused(&folder.dedup("index remove -q letters bees"), "letters", "another run is changing the index");
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let mut stderr = BufReader::new(run.stderr.take().unwrap());
    let mut told = String::new();
    stderr.read_line(&mut told).unwrap();
    assert_eq!(told, "dedup: stopping; press Ctrl-C again to stop at once\n");
    // The input stays open until the run ends, so that the run cannot end by reaching the end of its input.
    let stdin = run.stdin.take();
    told.clear();
    stderr.read_to_string(&mut told).unwrap();
    assert!(told.starts_with("dedup: stopped; letters is unchanged") && told.lines().count() == 1, "{told}");
    assert_eq!(run.wait().unwrap().code(), Some(2));
    drop(stdin);
    assert_eq!(ids(&folder, "letters").len(), 3);
    folder.dedup("index add -q letters edited.txt").quietly(0);
    assert_eq!(ids(&folder, "letters").len(), 4);
}

/// Documents that were written as added and were not added after all would make the same command refuse its output.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_list_of_documents_that_were_not_added() {
    let mut numbers = Numbers(3);
    let folder = letters().file("many.jsonl", lines_of(&numbers.documents(400, 60)));
    let line = "index add -q --unique --id-field id letters many.jsonl -o new.jsonl";
    let mut failed = 0;
    for blocks in (100..4000).step_by(60) {
        let answer = limited(&folder, blocks, line);
        if answer.code == 0 {
            break;
        }
        assert!(answer.code == 2 && answer.stderr.contains(TOO_LONG), "{}", answer.stderr);
        assert_eq!(folder.names().into_iter().filter(|name| name.starts_with("new.")).collect::<Vec<_>>(), [""; 0]);
        failed += 1;
    }
    assert!(failed > 0 && folder.path().join("new.jsonl").exists(), "{failed}");
}
