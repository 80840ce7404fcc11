//! Objects of S3, Google Cloud Storage and Azure, through the crate `object_store`.
//!
//! Credentials, regions and endpoints are those of its environment variables (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, …).

use std::collections::HashMap;
use std::env;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{ClientConfigKey, Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt, RetryConfig};

use super::place::{About, Answer, CHANGED, Refused};

/// The longest time in seconds without a byte of an answer, after which a connection counts as broken. While a part of a
/// file is sent no byte comes back, so a client that writes waits longer.
const SILENCE: [u64; 2] = [30, 600];
/// No limit for a request as a whole, which may transfer any number of bytes; the client has one of 30 seconds.
const NO_LIMIT: &str = "1000 days";

/// The longest part of a server's message that is shown, in characters.
const SHOWN: usize = 200;

/// An object of a bucket, or a prefix.
#[derive(Clone)]
pub(super) struct Object {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) path: Path,
    /// True if the address ends with a slash or names a bucket alone.
    names_folder: bool,
}

impl Object {
    /// The object of an address, which is read or written.
    pub(super) fn of(scheme: &'static str, address: &str, is_written: bool) -> io::Result<Self> {
        let (_, rest) = address.split_once("://").unwrap_or_default();
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(io::Error::other(format!("names no bucket; an address is {scheme}://BUCKET/KEY")));
        }
        let path = Path::parse(key).map_err(|error| io::Error::other(format!("is no key of an object: {error}")))?;
        let store = store(scheme, bucket, is_written).map_err(|error| io::Error::other(in_words(&error)))?;
        Ok(Self { store, path, names_folder: key.is_empty() || key.ends_with('/') })
    }

    pub(super) async fn open(&self, from: u64, tag: Option<&str>) -> Result<Answer, Refused> {
        let range = (from > 0).then_some(GetRange::Offset(from));
        let options = GetOptions { range, if_match: tag.map(str::to_owned), ..GetOptions::default() };
        let found = self.store.get_opts(&self.path, options).await.map_err(|error| match error {
            Error::Precondition { .. } => Refused::Final(CHANGED.into()),
            error => Refused::Final(in_words(&error)),
        })?;
        let about = About {
            size: Some(found.meta.size),
            modified: found.meta.last_modified.timestamp(),
            tag: found.meta.e_tag.clone().or_else(|| found.meta.version.clone()),
        };
        let start = found.range.start;
        let blocks = Box::pin(found.into_stream().map(|block| block.map_err(|error| in_words(&error))));
        Ok(Answer { about, start, blocks })
    }

    pub(super) async fn is_folder(&self) -> Result<bool, String> {
        if self.names_folder {
            return Ok(true);
        }
        match self.store.head(&self.path).await {
            // Opening what is neither reports the error.
            Err(Error::NotFound { .. }) => {
                let first = self.store.list(Some(&self.path)).try_next().await;
                Ok(first.map_err(|error| in_words(&error))?.is_some())
            }
            // `HEAD` may be forbidden where `GET` is allowed.
            Ok(_) | Err(_) => Ok(false),
        }
    }

    /// The paths below this prefix, with sizes.
    pub(super) async fn list(&self) -> Result<Vec<(String, u64)>, String> {
        let prefix = (!self.path.as_ref().is_empty()).then_some(&self.path);
        let inside = |path: &Path| {
            let path = path.as_ref().strip_prefix(self.path.as_ref()).unwrap_or(path.as_ref());
            path.trim_start_matches('/').to_owned()
        };
        let listed = self.store.list(prefix).map_ok(|found| (inside(&found.location), found.size));
        let listed: Vec<(String, u64)> = listed.try_collect().await.map_err(|error| in_words(&error))?;
        Ok(listed.into_iter().filter(|(inside, size)| *size > 0 || !is_marker(inside)).collect())
    }

    /// True if there is such an object.
    pub(super) async fn exists(&self) -> Result<bool, String> {
        match self.store.head(&self.path).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(in_words(&error)),
        }
    }
}

/// True if an empty object of this name stands for a folder, whatever is in it: the store's client drops the slash at the
/// end of its key.
fn is_marker(inside: &str) -> bool {
    let name = inside.rsplit('/').next().unwrap_or(inside);
    !name.contains('.') || name.ends_with("_$folder$")
}

/// The options of a client, but for those that the environment sets (`AWS_TIMEOUT`, `AWS_READ_TIMEOUT`, …).
fn limits(scheme: &str, is_written: bool) -> Vec<(ClientConfigKey, String)> {
    let prefix = match scheme {
        "gs" => "GOOGLE_",
        "az" => "AZURE_",
        _ => "AWS_",
    };
    let silence = format!("{} seconds", SILENCE[usize::from(is_written)]);
    // As the client reads them: the beginning in capitals, the rest in any letters.
    let is_set = |name: &str| {
        let own = |found: &str| found.strip_prefix(prefix).is_some_and(|rest| rest.eq_ignore_ascii_case(name));
        env::vars_os().any(|(found, _)| found.to_str().is_some_and(own))
    };
    let limits = [(ClientConfigKey::Timeout, NO_LIMIT.to_owned()), (ClientConfigKey::ReadTimeout, silence)];
    limits.into_iter().filter(|(key, _)| !is_set(key.as_ref())).collect()
}

/// The client of a bucket, of which there is one for reading and one for writing.
fn store(scheme: &'static str, bucket: &str, is_written: bool) -> Result<Arc<dyn ObjectStore>, Error> {
    type Stores = HashMap<(&'static str, String, bool), Arc<dyn ObjectStore>>;
    static STORES: LazyLock<Mutex<Stores>> = LazyLock::new(Mutex::default);
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (scheme, bucket.to_owned(), is_written);
    if let Some(store) = stores.get(&key) {
        return Ok(Arc::clone(store));
    }
    // Time for a second try after a silence.
    let retry_timeout = Duration::from_secs(2 * SILENCE[usize::from(is_written)]);
    let retries = RetryConfig { max_retries: 4, retry_timeout, ..RetryConfig::default() };
    let limits = limits(scheme, is_written).into_iter();
    let store: Arc<dyn ObjectStore> = match scheme {
        "gs" => {
            let client = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket).with_retry(retries);
            Arc::new(
                limits.fold(client, |it, (key, value)| it.with_config(GoogleConfigKey::Client(key), value)).build()?,
            )
        }
        "az" => {
            let client = MicrosoftAzureBuilder::from_env().with_container_name(bucket).with_retry(retries);
            Arc::new(
                limits.fold(client, |it, (key, value)| it.with_config(AzureConfigKey::Client(key), value)).build()?,
            )
        }
        _ => {
            let client = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retries);
            Arc::new(
                limits
                    .fold(client, |it, (key, value)| it.with_config(AmazonS3ConfigKey::Client(key), value))
                    .build()?,
            )
        }
    };
    stores.insert(key, Arc::clone(&store));
    Ok(store)
}

/// The reason of a store, with the remedy.
pub(super) fn in_words(error: &Error) -> String {
    match error {
        Error::NotFound { .. } => "no such object; check the bucket and the key".into(),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            "access was denied; check the credentials in the environment, such as AWS_ACCESS_KEY_ID and \
             AWS_SECRET_ACCESS_KEY, and what they permit"
                .into()
        }
        other => {
            // The innermost error says why; those around it repeat the address.
            let mut inner: &dyn std::error::Error = other;
            while let Some(source) = inner.source() {
                inner = source;
            }
            let outer = other.to_string();
            let inner = inner.to_string();
            let said = if outer.contains(&inner) && inner.len() > 8 { inner } else { outer };
            let line = said.lines().next().unwrap_or_default();
            line.chars().take(SHOWN).collect()
        }
    }
}
