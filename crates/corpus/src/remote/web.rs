//! Files on the web, and those of data sets on Hugging Face.
//!
//! A data set is a folder; other addresses of the web are files, as a server does not list them. `HF_TOKEN` opens private
//! data sets. It is sent to their server alone, not to those that it redirects to.

use std::env;
use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{
    CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_MATCH, LAST_MODIFIED, LINK, RANGE,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use serde::Deserialize;

use super::place::{About, Answer, CHANGED, Refused};
use super::tries::repeated;
use super::web_address::{DataSet, web};

/// The longest time without a byte after which a connection counts as broken.
const SILENCE: Duration = Duration::from_mins(1);
/// The longest time for a connection to be made.
const CONNECT: Duration = Duration::from_secs(20);
/// Greatest number of pages of a list.
const MAX_PAGES: usize = 10_000;

/// A file on the web.
#[derive(Debug, Clone)]
pub(super) struct Page {
    url: Url,
    /// Present for a file or folder of a data set.
    set: Option<DataSet>,
}

/// An entry of a list.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
}

impl Page {
    pub(super) fn of(address: &str) -> io::Result<Self> {
        let set = if address.starts_with("hf:") { Some(DataSet::of(address)?) } else { None };
        let url = set.as_ref().map_or_else(|| web(address), DataSet::file)?;
        Ok(Self { url, set })
    }

    fn request(&self, method: Method, url: Url, follows: bool) -> Result<RequestBuilder, Refused> {
        let request = client(follows)?.request(method, url);
        let token = env::var("HF_TOKEN").ok().filter(|token| self.set.is_some() && !token.trim().is_empty());
        Ok(match token {
            Some(token) => request.bearer_auth(token.trim()),
            None => request,
        })
    }

    pub(super) async fn open(&self, from: u64, tag: Option<&str>) -> Result<Answer, Refused> {
        let mut request = self.request(Method::GET, self.url.clone(), true)?;
        if from > 0 {
            request = request.header(RANGE, format!("bytes={from}-"));
        }
        // A weak tag never matches.
        if let Some(tag) = tag.filter(|tag| !tag.starts_with("W/")) {
            request = request.header(IF_MATCH, tag);
        }
        let answer = self.answer(request).await?;
        let headers = answer.headers();
        let is_part = answer.status() == StatusCode::PARTIAL_CONTENT;
        let (start, size) = if is_part {
            let (start, size) = text(headers, &CONTENT_RANGE).and_then(part).unwrap_or_default();
            if start != from {
                return Err(Refused::Final("the server sent another part of it than the one asked for".into()));
            }
            (start, size)
        } else {
            (0, text(headers, &CONTENT_LENGTH).and_then(|size| size.parse().ok()))
        };
        let modified = text(headers, &LAST_MODIFIED).and_then(nearcopy_extract::mail_date).unwrap_or(0);
        let about = About { size, modified, tag: text(headers, &ETAG).map(str::to_owned) };
        let blocks = answer.bytes_stream().map(|block| block.map_err(|error| in_words(&error)));
        Ok(Answer { about, start, blocks: Box::pin(blocks) })
    }

    /// The answer of a server that has what it was asked for.
    async fn answer(&self, request: RequestBuilder) -> Result<Response, Refused> {
        let answer = sent(request).await?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        Err(match status {
            StatusCode::PRECONDITION_FAILED => Refused::Final(CHANGED.into()),
            StatusCode::RANGE_NOT_SATISFIABLE => {
                Refused::Behind(text(answer.headers(), &CONTENT_RANGE).and_then(whole))
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                Refused::Final(format!("the server has no such file ({status}); check the address"))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let remedy = if self.set.is_some() { "; set HF_TOKEN to a token that may read it" } else { "" };
                Refused::Final(format!("the server denies access ({status}){remedy}"))
            }
            _ => Refused::Final(format!("the server answers {status}")),
        })
    }

    pub(super) async fn is_folder(&self) -> Result<bool, String> {
        let Some(set) = &self.set else {
            return if self.url.path().ends_with('/') && self.url.path().len() > 1 && self.url.query().is_none() {
                Err("a server of the web lists no files; name each file".into())
            } else {
                Ok(false)
            };
        };
        if set.path.is_empty() || set.path.ends_with('/') {
            return Ok(true);
        }
        let head = async || sent(self.request(Method::HEAD, self.url.clone(), false)?).await;
        // Opening what is neither reports the error.
        let is_file = repeated(head).await?.status() != StatusCode::NOT_FOUND;
        Ok(!is_file && self.list().await.is_ok_and(|files| !files.is_empty()))
    }

    /// A page of a list, and the value of the header that names the next.
    async fn page(&self, url: &Url) -> Result<(Vec<Entry>, Url, Option<String>), Refused> {
        let answer = self.answer(self.request(Method::GET, url.clone(), true)?).await?;
        let (from, link) = (answer.url().clone(), text(answer.headers(), &LINK).map(str::to_owned));
        let bytes = answer.bytes().await.map_err(|error| Refused::Passing(in_words(&error)))?;
        let entries = serde_json::from_slice(&bytes);
        let entries = entries.map_err(|error| Refused::Final(format!("the server sent no list of files ({error})")))?;
        Ok((entries, from, link))
    }

    /// The paths below this folder of a data set, with sizes.
    pub(super) async fn list(&self) -> Result<Vec<(String, u64)>, String> {
        let Some(set) = &self.set else { return Err("a server of the web lists no files; name each file".into()) };
        let prefix = set.path.trim_matches('/');
        let mut next = Some(set.tree().map_err(|error| error.to_string())?);
        let mut files = Vec::new();
        for _ in 0..MAX_PAGES {
            let Some(url) = next.take() else { break };
            let (page, from, link) = repeated(async || self.page(&url).await).await?;
            // The token is sent with the request for the next page, which must be to the same server.
            let further = link.as_deref().and_then(next_page).and_then(|link| url.join(link).ok());
            if further.as_ref().is_some_and(|further| further.origin() != from.origin()) {
                return Err("the list of its files goes on on another server; check HF_ENDPOINT".into());
            }
            next = further;
            let found = page.into_iter().filter(|entry| entry.kind == "file");
            files.extend(found.filter_map(|entry| {
                let inside = entry.path.strip_prefix(prefix)?;
                let inside = if prefix.is_empty() { inside } else { inside.strip_prefix('/')? };
                Some((inside.to_owned(), entry.size))
            }));
        }
        if next.is_some() {
            return Err(format!("has more files than {MAX_PAGES} lists name; name a folder in it"));
        }
        let is_odd = |inside: &&(String, u64)| inside.0.split('/').any(|part| ["", ".", ".."].contains(&part));
        match files.iter().find(is_odd) {
            Some((odd, _)) => Err(format!("lists a file {odd:?}, which is no path below it")),
            None => Ok(files),
        }
    }
}

/// The answer of a server, unless another try may bring another one.
async fn sent(request: RequestBuilder) -> Result<Response, Refused> {
    let answer = request.send().await.map_err(|error| {
        let said = in_words(&error);
        if error.is_builder() || error.is_redirect() { Refused::Final(said) } else { Refused::Passing(said) }
    })?;
    let status = answer.status();
    let is_passing =
        status.is_server_error() || [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS].contains(&status);
    if is_passing { Err(Refused::Passing(format!("the server answers {status}"))) } else { Ok(answer) }
}

/// The client, one that follows redirections or one that does not.
fn client(follows: bool) -> Result<&'static Client, Refused> {
    static CLIENTS: [OnceLock<Result<Client, String>>; 2] = [OnceLock::new(), OnceLock::new()];
    let client = CLIENTS[usize::from(follows)].get_or_init(|| {
        Client::builder()
            .user_agent(concat!("nearcopy/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .redirect(if follows { Policy::limited(10) } else { Policy::none() })
            .build()
            .map_err(|error| in_words(&error))
    });
    client.as_ref().map_err(|reason| Refused::Final(reason.clone()))
}

/// The value of a header.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The first byte and the size of the whole, of a header `bytes 5-9/10`.
fn part(header: &str) -> Option<(u64, Option<u64>)> {
    let (range, size) = header.strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-')?.0.parse().ok()?, size.parse().ok()))
}

/// The size of the whole, of a header `bytes */10`.
fn whole(header: &str) -> Option<u64> {
    header.strip_prefix("bytes */")?.parse().ok()
}

/// The address of the next page, of a header `<ADDRESS>; rel="next"`.
fn next_page(header: &str) -> Option<&str> {
    let of = |link: &'_ str| link.contains("rel=\"next\"");
    let link = header.split(',').find(|link| of(link))?;
    link.trim().strip_prefix('<')?.split_once('>').map(|(address, _)| address)
}

/// The innermost reason of an error of the network; those around it repeat the address.
fn in_words(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let what = if error.is_connect() { "no connection to the server" } else { "the connection broke" };
    format!("{what} ({inner})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        assert_eq!(part("bytes 5-9/10"), Some((5, Some(10))));
        assert_eq!(part("bytes 5-9/*"), Some((5, None)));
        assert_eq!(part("bytes */10"), None);
        assert_eq!([whole("bytes */10"), whole("bytes 5-9/10")], [Some(10), None]);
        assert_eq!(next_page("<https://a/b?c=1>; rel=\"next\""), Some("https://a/b?c=1"));
        assert_eq!(next_page("<https://a/b>; rel=\"prev\""), None);
    }
}
