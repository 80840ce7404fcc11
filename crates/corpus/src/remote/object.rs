//! Objects of S3, Google Cloud Storage and Azure, through the crate `object_store`.
//!
//! Credentials, regions and endpoints are those of its environment variables (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, …).

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt, RetryConfig};

use super::place::{About, Answer, CHANGED, Refused};

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
    pub(super) fn of(scheme: &'static str, address: &str) -> io::Result<Self> {
        let (_, rest) = address.split_once("://").unwrap_or_default();
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(io::Error::other(format!("names no bucket; an address is {scheme}://BUCKET/KEY")));
        }
        let path = Path::parse(key).map_err(|error| io::Error::other(format!("is no key of an object: {error}")))?;
        let store = store(scheme, bucket).map_err(|error| io::Error::other(in_words(&error)))?;
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
        listed.try_collect().await.map_err(|error| in_words(&error))
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

/// The client of a bucket, of which there is one.
fn store(scheme: &'static str, bucket: &str) -> Result<Arc<dyn ObjectStore>, Error> {
    type Stores = HashMap<(&'static str, String), Arc<dyn ObjectStore>>;
    static STORES: LazyLock<Mutex<Stores>> = LazyLock::new(Mutex::default);
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (scheme, bucket.to_owned());
    if let Some(store) = stores.get(&key) {
        return Ok(Arc::clone(store));
    }
    let retries = RetryConfig { max_retries: 4, retry_timeout: Duration::from_mins(1), ..RetryConfig::default() };
    let store: Arc<dyn ObjectStore> = match scheme {
        "gs" => Arc::new(GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket).with_retry(retries).build()?),
        "az" => Arc::new(MicrosoftAzureBuilder::from_env().with_container_name(bucket).with_retry(retries).build()?),
        _ => Arc::new(AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retries).build()?),
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
