//! The measurements behind `docs/` and the corpora for them: one program with a subcommand for each, `cargo run
//! --release --features cli --example eval -- NAME ARGUMENT...`. The scripts beside this folder build and call
//! it.

mod ablation;
mod find;
mod generate;
mod guides;
mod hamming;
mod index;
mod jaccard;
mod labelled;
mod languages;
mod office;
mod page;
mod pairs;
mod screen;
mod sets;
mod texts;

use std::error::Error;
use std::iter;

/// Runs one measurement with its own arguments.
type Run = fn(&[String]) -> Result<(), Box<dyn Error>>;

/// The measurements by name.
const MEASUREMENTS: [(&str, Run); 12] = [
    ("ablation", ablation::run),
    ("find", find::run),
    ("generate", generate::run),
    ("guides", guides::run),
    ("hamming", hamming::run),
    ("index", index::run),
    ("jaccard", jaccard::run),
    ("languages", languages::run),
    ("office", office::run),
    ("page", page::run),
    ("pairs", pairs::run),
    ("screen", screen::run),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let args: Vec<String> = args.collect();
    let Some((_, run)) = MEASUREMENTS.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = MEASUREMENTS.iter().map(|(name, _)| *name).collect();
        return Err(format!("usage: eval NAME ARGUMENT..., where NAME is one of {}", names.join(", ")).into());
    };
    run(&args)
}

/// The arguments of a measurement behind its name, as clap expects them.
fn named<'a>(name: &str, args: &'a [String]) -> impl Iterator<Item = String> + use<'a> {
    iter::once(format!("eval {name}")).chain(args.iter().cloned())
}
