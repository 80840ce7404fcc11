//! The sites of documents: the hosts of their addresses, as numbers.

use std::collections::HashMap;

use url::Url;

/// The sites seen so far.
#[derive(Debug, Default)]
pub struct Sites {
    numbers: HashMap<String, u32>,
    /// Number of documents without an address.
    without: u64,
}

impl Sites {
    /// The number of the site of the next document, from 1; 0 if it has no address.
    pub fn number(&mut self, address: Option<&str>) -> u32 {
        let Some(host) = address.and_then(host) else {
            self.without += 1;
            return 0;
        };
        let next = self.numbers.len() as u32 + 1;
        *self.numbers.entry(host).or_insert(next)
    }

    /// Number of sites.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// True if no document has an address.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Number of documents without an address.
    pub fn without(&self) -> u64 {
        self.without
    }
}

/// The host of an address, which may lack its scheme.
pub fn host(address: &str) -> Option<String> {
    let address = address.trim();
    let url =
        Url::parse(address).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("http://{address}")).ok())?;
    let host = url.host_str()?.trim_end_matches('.');
    Some(host.to_owned()).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_with_and_without_a_scheme() {
        for (address, expected) in [
            ("https://www.Example.org:8080/a/b?c#d", Some("www.example.org")),
            (" http://user@example.org. ", Some("example.org")),
            ("example.org/page", Some("example.org")),
            ("localhost:80/page", Some("localhost")),
            ("https://bücher.example/", Some("xn--bcher-kva.example")),
            ("http://[::1]/", Some("[::1]")),
            ("not an address", None),
            ("", None),
        ] {
            assert_eq!(host(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn sites_are_numbered_as_they_come() {
        let mut sites = Sites::default();
        let numbers = ["http://a/1", "http://b/", "http://a/2"].map(|address| sites.number(Some(address)));
        assert_eq!((numbers, sites.number(None), sites.len(), sites.without()), ([1, 2, 1], 0, 2, 1));
    }
}
