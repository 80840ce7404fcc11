//! Numbers in place of names, so that a report can be shared.

use std::collections::BTreeMap;

use nearcopy::screen::Screening;

/// Replaces the name of every document and author by a number, in an order that reveals nothing of the
/// names. Returns pairs of new and old name. The texts are unchanged, even where they name their author.
pub fn anonymise(screening: &mut Screening) -> Vec<(String, String)> {
    let mut key = Vec::new();
    let mut rename = |what: &str, names: Vec<String>| -> BTreeMap<String, String> {
        let mut names: Vec<([u8; 32], String)> =
            names.into_iter().map(|name| (*blake3::hash(name.as_bytes()).as_bytes(), name)).collect();
        names.sort_unstable();
        names.dedup();
        let width = names.len().to_string().len();
        let numbered = names.into_iter().zip(1..).map(|((_, name), number)| (name, format!("{what}-{number:0width$}")));
        let numbered: BTreeMap<String, String> = numbered.collect();
        key.extend(numbered.iter().map(|(name, number)| (number.clone(), name.clone())));
        numbered
    };
    let documents = rename("document", screening.texts.iter().map(|text| text.id.clone()).collect());
    let unread = rename("unread", screening.unread.iter().map(|unread| unread.name.clone()).collect());
    let aside = rename("aside", screening.set_aside.clone());
    let authors = rename("author", screening.texts.iter().filter_map(|text| text.author.clone()).collect());
    for text in &mut screening.texts {
        text.id.clone_from(&documents[&text.id]);
        text.author = text.author.take().map(|author| authors[&author].clone());
    }
    for name in &mut screening.set_aside {
        name.clone_from(&aside[name]);
    }
    for it in &mut screening.unread {
        it.name.clone_from(&unread[&it.name]);
        it.reason.clear();
    }
    key.sort_unstable();
    key
}
