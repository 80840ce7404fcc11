//! `dedup apply PLAN`

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use nearcopy::durable::lock;

use super::Ending;
use super::corpus::MessageArgs;
use super::output::to_stdout;
use super::progress::Progress;
use super::signals::stop_on_ctrl_c;
use crate::error::is_interruption;
use crate::jobs::apply::{Applied, Checks, How, apply, read, read_undo, undo};
use crate::jobs::audit::Step;
use crate::report::{counted, shown};

/// Move the files of a plan away, or undo that
///
/// The plan is that of `dedup audit --plan`, without the lines that a reader took out. Before a file is moved, the
/// digests of it and of the file that stays for it are compared with those of the plan. A file stays if either has changed
/// or is gone, or if it has several names or is open in another program, as far as the system tells. Nothing is deleted.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup apply plan.jsonl --move-to aside
  dedup apply --undo aside/undo.jsonl
  dedup apply plan.jsonl --dry-run
  dedup apply plan.jsonl --print0
  dedup apply equal.jsonl --link undo.jsonl

Exit status: 0 all was done, 1 there was nothing to do, 2 something failed or a file stayed.")]
pub(super) struct Args {
    /// A plan of `dedup audit --plan`
    #[arg(required_unless_present = "undo")]
    plan: Option<PathBuf>,
    /// Move the files below FOLDER, each under its own path, and write FOLDER/undo.jsonl
    ///
    /// FOLDER may not lie in a folder that was audited, unless it is hidden, as the next audit would find the files again.
    #[arg(long, value_name = "FOLDER")]
    move_to: Option<PathBuf>,
    /// Replace files by hard links to the equal ones that stay, and write the undo file UNDO
    ///
    /// Only files with the same bytes are replaced.
    #[arg(long, value_name = "UNDO", conflicts_with = "move_to")]
    link: Option<PathBuf>,
    /// Move nothing; say which files would stay, and why
    ///
    /// With --link these are also the files whose bytes, owner or permissions are others than those of the file that stays.
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Write the names of the files that may go, each with a zero byte behind it, and move nothing
    #[arg(long, conflicts_with_all = ["move_to", "link", "dry_run"])]
    print0: bool,
    /// Move the files of an undo file back
    ///
    /// What was moved is looked for beside the undo file too, if its folder has another name now.
    #[arg(long, value_name = "UNDO", conflicts_with_all = ["plan", "move_to", "link", "print0", "dry_run"])]
    undo: Option<PathBuf>,
    #[command(flatten)]
    telling: MessageArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let progress = args.telling.progress(None)?;
    let ending = match (&args.undo, &args.plan) {
        (Some(path), _) => {
            let _lock = hold(path)?;
            let moves = read_undo(path)?;
            stop_on_ctrl_c();
            undo(path, &moves, &progress)
        }
        (None, Some(plan)) => return of_plan(args, plan, &progress),
        (None, None) => return Err("name a plan, or an undo file by --undo".into()),
    };
    progress.clear();
    // Nothing else lists what does not come back.
    ended(ending, ("put back", usize::MAX), &progress)
}

/// Keeps other runs from a plan or an undo file as long as it is open.
fn hold(path: &Path) -> Result<File, Box<dyn Error>> {
    let name = nearcopy_corpus::source::name(path);
    let file = File::open(path).map_err(|error| format!("{name}: {}", nearcopy::error::reason(&error)))?;
    // Where there are no locks, two runs at once move each file once all the same.
    if matches!(lock::attempt_unnoted(&file), Ok(lock::Attempt::Busy)) {
        return Err(format!("{name}: another run of `dedup apply` works on it; wait for its end").into());
    }
    Ok(file)
}

fn of_plan(args: &Args, plan: &Path, progress: &Progress) -> Result<Ending, Box<dyn Error>> {
    let _lock = hold(plan)?;
    let steps = read(plan)?;
    if let Some(folder) = args.move_to.as_deref().filter(|folder| folder.is_file()) {
        return Err(
            format!("{}: is a file; name a folder for what is moved", nearcopy_corpus::source::name(folder)).into()
        );
    }
    let how = args.move_to.clone().map(How::Move).or_else(|| args.link.clone().map(How::Link));
    if args.dry_run || args.print0 {
        return preview(args, how, &steps, progress);
    }
    let Some(how) = how else {
        let message =
            "say what to do with the files: --move-to FOLDER, --link UNDO, --dry-run, or --print0 to list them";
        return Err(message.into());
    };
    stop_on_ctrl_c();
    let applied = apply(&steps, &how, progress);
    progress.clear();
    ended(applied, (if args.link.is_some() { "linked" } else { "moved" }, TOLD), progress)
}

/// Number of files that stay that are named, unless all are asked for.
const TOLD: usize = 20;

/// Checks each step as `apply` would.
fn preview(args: &Args, how: Option<How>, steps: &[Step], progress: &Progress) -> Result<Ending, Box<dyn Error>> {
    let checks = Checks::new(steps, how);
    let mut applied = Applied::default();
    to_stdout(|out| {
        for step in steps {
            if let Some(reason) = checks.reason(step) {
                applied.stayed.push((step.file.clone(), reason));
                continue;
            }
            applied.done += 1;
            applied.bytes += step.bytes;
            if args.print0 {
                out.write_all(&nearcopy::error::unshown(&step.file))?;
                out.write_all(b"\0")?;
            }
        }
        Ok(())
    })?;
    let done = if args.link.is_some() { "would be linked" } else { "would be moved" };
    let told = if args.dry_run { usize::MAX } else { TOLD };
    Ok(tell(&applied, (args.dry_run.then_some(done), told), progress))
}

fn ended(
    applied: crate::Result<Applied>,
    (what, told): (&str, usize),
    progress: &Progress,
) -> Result<Ending, Box<dyn Error>> {
    match applied {
        Ok(applied) => Ok(tell(&applied, (Some(what), told), progress)),
        Err(error) if is_interruption(&error) => {
            Err("stopped; the undo file lists what was done until then. To go on, name another folder or undo file"
                .into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Says what was done, and which files stay: the first `told` of them by their names.
fn tell(applied: &Applied, (what, told): (Option<&str>, usize), progress: &Progress) -> Ending {
    for (file, reason) in applied.stayed.iter().take(told) {
        super::output::talk(&format!("{}: stays: {}", shown(file), shown(reason)));
    }
    if let Some(more) = applied.stayed.len().checked_sub(told).filter(|&more| more > 0) {
        let (files, stay) = (counted(more as u64, "more file"), if more == 1 { "stays" } else { "stay" });
        super::output::talk(&format!("{files} {stay}; --dry-run names every file that stays, with the reason"));
    }
    if let Some(what) = what {
        let bytes = crate::report::bytes(applied.bytes);
        progress.say(&format!("{} {what} ({bytes})", counted(applied.done, "file")));
    }
    if let Some(undo) = applied.undo.as_ref().filter(|_| applied.done > 0) {
        progress.say(&format!("`dedup apply --undo {}` undoes it", undo.display()));
    }
    match (applied.stayed.is_empty(), applied.done) {
        (false, _) => Ending::Incomplete,
        (true, 0) => Ending::NotFound,
        (true, _) => Ending::Found,
    }
}
