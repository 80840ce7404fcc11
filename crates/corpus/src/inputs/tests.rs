use std::fs;

use super::*;

fn found(folder: &Path, selection: Selection) -> Vec<String> {
    let inputs = Inputs::new(vec![folder.to_owned()], selection).unwrap();
    let name = |path: PathBuf| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
    inputs.map(|found| found.map_or_else(|problem| problem.to_string(), name)).collect()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("b/c")).unwrap();
    for name in ["z.txt", "a.html", "b/2.txt", "b/10.txt", "b/c/deep.md", ".hidden", "b/left.txt"] {
        fs::write(folder.path().join(name), name).unwrap();
    }
    fs::write(folder.path().join("b/.ignore"), "left.txt\n").unwrap();
    fs::write(folder.path().join(".gitignore"), "*.tmp\n").unwrap();
    fs::write(folder.path().join("b/c/built.tmp"), "").unwrap();
    folder
}

#[test]
fn folders_are_walked_in_the_order_of_names() {
    let folder = folder();
    let names = found(folder.path(), Selection::default());
    assert_eq!(names, ["a.html", "b/10.txt", "b/2.txt", "b/c/deep.md", "z.txt"]);
}

#[test]
fn litter_is_never_read_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for within in ["__MACOSX", "_delta_log"] {
        fs::create_dir_all(folder.path().join(within)).unwrap();
    }
    let litter = ["Thumbs.db", "desktop.ini", ".DS_Store", "~$essay.docx", "__MACOSX/essay.docx", "._essay.docx"];
    let of_tables = ["_SUCCESS", "_delta_log/0.json", "_committed_17"];
    for name in litter.into_iter().chain(of_tables).chain(["_essay.docx", "essay.docx", "~essay.docx"]) {
        fs::write(folder.path().join(name), name).unwrap();
    }
    let all = Selection { hidden: true, ..Selection::default() };
    assert_eq!(found(folder.path(), all), ["_essay.docx", "essay.docx", "~essay.docx"]);
    // A file that is named is read.
    assert_eq!(found(&folder.path().join("Thumbs.db"), Selection::default()).len(), 1);
}

#[test]
fn what_is_left_out_can_be_asked_for() {
    let folder = folder();
    let with = |change: fn(&mut Selection)| {
        let mut selection = Selection::default();
        change(&mut selection);
        found(folder.path(), selection)
    };
    assert!(with(|selection| selection.hidden = true).contains(&".hidden".to_owned()));
    assert!(with(|selection| selection.no_ignore = true).contains(&"b/left.txt".to_owned()));
    assert!(with(|selection| selection.no_ignore = true).contains(&"b/c/built.tmp".to_owned()));
    assert_eq!(
        with(|selection| selection.globs = vec!["*.txt".into(), "!z*".into()]),
        ["b/10.txt", "b/2.txt", "b/left.txt"]
    );
    assert_eq!(with(|selection| selection.types = vec!["html".into()]), ["a.html"]);
    let wrong = Selection { types: vec!["nothing".into()], ..Selection::default() };
    assert!(Inputs::new(Vec::new(), wrong).err().unwrap().to_string().contains("nothing"));
}

#[test]
fn a_folder_without_files_is_nothing_or_a_problem() {
    let folder = folder();
    std::fs::create_dir_all(folder.path().join("empty/deep")).unwrap();
    let found = |expect_files| -> Vec<String> {
        let named = ["empty", "b/c", "empty/deep"].map(|name| folder.path().join(name));
        let inputs = Inputs::new(named.to_vec(), Selection { expect_files, ..Selection::default() }).unwrap();
        inputs.map(|found| found.map_or_else(|problem| problem.to_string(), |path| source::name(&path))).collect()
    };
    assert_eq!(found(false).len(), 1);
    let found = found(true);
    assert!(found[0].ends_with("left out by --glob, --type or an .ignore file"), "{found:?}");
    assert!(found[1].ends_with("deep.md") && found[2].contains("empty/deep: holds no file to read"), "{found:?}");
}

#[test]
fn what_is_not_there_yet_is_resolved_too() {
    let folder = folder();
    let place = folder.path().canonicalize().unwrap();
    assert_eq!(resolved(&folder.path().join("b/../b/none/of/these")), place.join("b/none/of/these"));
    assert_eq!(resolved(Path::new("none/of/these")), std::env::current_dir().unwrap().join("none/of/these"));
}

#[cfg(unix)]
#[test]
fn hard_links_are_read_once_if_asked_for() {
    let folder = folder();
    fs::hard_link(folder.path().join("b/2.txt"), folder.path().join("y.txt")).unwrap();
    assert_eq!(found(folder.path(), Selection::default()).len(), 6);
    let once = Selection { one_name: true, ..Selection::default() };
    let mut inputs = Inputs::new(vec![folder.path().to_owned()], once).unwrap();
    assert_eq!(inputs.by_ref().flatten().filter(|path| path.ends_with("2.txt")).count(), 1);
    assert_eq!((inputs.by_ref().count(), inputs.hard_links_left_out()), (0, 1));
}

#[cfg(unix)]
#[test]
fn links_are_counted_and_circles_named() {
    let folder = folder();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("b/circle")).unwrap();
    let mut inputs = Inputs::new(vec![folder.path().to_owned()], Selection::default()).unwrap();
    assert_eq!(inputs.by_ref().flatten().count(), 5);
    assert_eq!(inputs.links_left_out(), 1);
    let names = found(folder.path(), Selection { follow: true, ..Selection::default() });
    let circles: Vec<_> = names.iter().filter(|name| name.contains("b/circle: is a symbolic link to")).collect();
    assert_eq!(circles.len(), 1, "{names:?}");
}
