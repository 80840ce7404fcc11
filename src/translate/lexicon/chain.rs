//! Two lexicons that share a language make one between the other two.
//!
//! A word and one of the third language translate each other if a word between translates both. Each such word weighs as
//! the chance that both translations were meant by it, all being equally likely: one with few translations tells more.
//! This is pivoting as in Wu and Wang 2007 ("Pivot language approach for phrase-based statistical machine translation",
//! ACL, section 3), without their corpora.

use super::pairs::Pairs;
use super::{Head, Lexicon};

/// The weight of a word between that has one translation in either language.
const CERTAIN: u64 = 1 << 32;

/// The lexicon from the language that only the first has to the one that only the second has; `None` unless they share
/// one language.
pub fn chain(first: &Lexicon, second: &Lexicon) -> Option<Pairs> {
    let shares = |a: usize, b: usize| {
        let [first, second] = [first.languages, second.languages];
        first[a] == second[b] && first[1 - a] != second[1 - b]
    };
    let [a, b] = [[0, 0], [0, 1], [1, 0], [1, 1]].into_iter().find(|[a, b]| shares(*a, *b))?;
    let mut weighted = Vec::new();
    let (mut of_first, mut of_second) = (first.groups(a).peekable(), second.groups(b).peekable());
    while let (Some((x, _)), Some((y, _))) = (of_first.peek(), of_second.peek()) {
        if x < y {
            of_first.next();
        } else if y < x {
            of_second.next();
        } else if let (Some((_, from)), Some((_, to))) = (of_first.next(), of_second.next()) {
            let weight = CERTAIN / (from.len() * to.len()) as u64;
            weighted.extend(from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to, weight))));
        }
    }
    let languages = [first.languages[1 - a], second.languages[1 - b]].map(|language| language.code().to_owned());
    let between = format!("by way of {}", first.languages[a].name());
    Some(Pairs::new(head([&first.head, &second.head], languages, &between), weighted))
}

/// The origin of both.
fn head([first, second]: [&Head; 2], languages: [String; 2], between: &str) -> Head {
    let sources = first.sources.iter().chain(second.sources.iter().filter(|source| !first.sources.contains(source)));
    let listed = |parts: &[&str]| {
        let mut parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
        parts.dedup();
        parts.join("; ")
    };
    Head {
        languages,
        name: listed(&[between, &first.name, &second.name]),
        licence: listed(&[&first.licence, &second.licence]),
        sources: sources.cloned().collect(),
        entries: first.entries + second.entries,
        recipe: first.recipe.clone(),
    }
}
