//! Addresses of the web, and of files in data sets on Hugging Face.

use std::env;
use std::io;

use url::Url;

/// The server of data sets, unless `HF_ENDPOINT` names another.
const ENDPOINT: &str = "https://huggingface.co";

/// A file or folder of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DataSet {
    /// The owner and the name.
    pub(super) name: [String; 2],
    pub(super) revision: String,
    /// The path; empty for the whole data set.
    pub(super) path: String,
}

impl DataSet {
    /// The data set of an address `hf://datasets/OWNER/NAME[@REVISION]/PATH`.
    pub(super) fn of(address: &str) -> io::Result<Self> {
        let form = || io::Error::other("is no address of a data set; it has the form hf://datasets/OWNER/NAME/PATH");
        let rest = address.strip_prefix("hf://datasets/").ok_or_else(form)?;
        let (owner, rest) = rest.split_once('/').ok_or_else(form)?;
        let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (name, revision, path) = match name.split_once('@') {
            None => (name, "main".to_owned(), path),
            // References of two parts, such as that of the tables that the server makes: refs/convert/parquet.
            Some((name, "refs")) => {
                let mut parts = path.splitn(3, '/');
                let (Some(kind), Some(reference)) = (parts.next(), parts.next()) else { return Err(form()) };
                (name, format!("refs/{kind}/{reference}"), parts.next().unwrap_or_default())
            }
            Some((name, revision)) => (name, revision.replace("%2F", "/"), path),
        };
        if [owner, name, &revision].iter().any(|part| part.is_empty()) {
            return Err(form());
        }
        Ok(Self { name: [owner, name].map(str::to_owned), revision, path: path.to_owned() })
    }

    /// The address of the file.
    pub(super) fn file(&self) -> io::Result<Url> {
        let mut url = endpoint()?;
        let [owner, name] = &self.name;
        extend(&mut url, ["datasets", owner, name, "resolve", &self.revision], &self.path)?;
        Ok(url)
    }

    /// The address of the list of all files below the path.
    pub(super) fn tree(&self) -> io::Result<Url> {
        let mut url = endpoint()?;
        let [owner, name] = &self.name;
        extend(&mut url, ["api", "datasets", owner, name], "")?;
        extend(&mut url, ["tree", &self.revision], self.path.trim_end_matches('/'))?;
        url.set_query(Some("recursive=true"));
        Ok(url)
    }
}

/// The server of data sets.
fn endpoint() -> io::Result<Url> {
    let named = env::var("HF_ENDPOINT").ok().filter(|named| !named.is_empty());
    let named = named.as_deref().unwrap_or(ENDPOINT);
    Url::parse(named).map_err(|error| io::Error::other(format!("HF_ENDPOINT is no address ({error})")))
}

/// Adds segments, in which slashes are no separators, and a path, in which they are.
fn extend<const N: usize>(url: &mut Url, segments: [&str; N], path: &str) -> io::Result<()> {
    let mut parts = url.path_segments_mut().map_err(|()| io::Error::other("HF_ENDPOINT is no address of the web"))?;
    parts.pop_if_empty().extend(segments).extend(path.split('/').filter(|part| !part.is_empty()));
    Ok(())
}

/// An address of the web.
///
/// # Errors
///
/// If it is none, or has a password, which ids and messages would repeat.
pub(super) fn web(address: &str) -> io::Result<Url> {
    let url = Url::parse(address).map_err(|error| io::Error::other(format!("is no address of the web ({error})")))?;
    if url.password().is_some() || !url.username().is_empty() {
        return Err(io::Error::other(
            "has a password in it, which ids and messages would show; download the file first",
        ));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_sets_have_owners_revisions_and_paths() {
        for (address, expected) in [
            ("hf://datasets/a/b", ["a", "b", "main", ""]),
            ("hf://datasets/a/b/", ["a", "b", "main", ""]),
            ("hf://datasets/a/b/data/x.parquet", ["a", "b", "main", "data/x.parquet"]),
            ("hf://datasets/a/b@v1.0/x.jsonl", ["a", "b", "v1.0", "x.jsonl"]),
            ("hf://datasets/a/b@refs/convert/parquet/x/0.parquet", ["a", "b", "refs/convert/parquet", "x/0.parquet"]),
            ("hf://datasets/a/b@refs%2Fpr%2F1/x", ["a", "b", "refs/pr/1", "x"]),
        ] {
            let [owner, name, revision, path] = expected.map(str::to_owned);
            assert_eq!(DataSet::of(address).unwrap(), DataSet { name: [owner, name], revision, path }, "{address}");
        }
        for address in ["hf://a/b", "hf://datasets/a", "hf://datasets//b/c", "hf://datasets/a/b@/c", "hf://models/a/b"]
        {
            assert!(DataSet::of(address).is_err(), "{address}");
        }
        let set = DataSet::of("hf://datasets/a/b@refs/pr/1/d e/x#1.jsonl").unwrap();
        let [file, tree] = [set.file().unwrap(), set.tree().unwrap()];
        assert_eq!(file.path(), "/datasets/a/b/resolve/refs%2Fpr%2F1/d%20e/x%231.jsonl");
        assert_eq!(tree.path(), "/api/datasets/a/b/tree/refs%2Fpr%2F1/d%20e/x%231.jsonl");
    }

    #[test]
    fn passwords_are_not_shown() {
        assert!(web("https://example.org/a.jsonl?b").is_ok());
        assert!(web("https://me:secret@example.org/a").is_err() && web("https://").is_err());
    }
}
