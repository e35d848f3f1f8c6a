//! The callers of a cluster, as its configuration lists them.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::caller::{Caller, CallerKey};
use crate::signed_request::tag;

/// The callers of a cluster.
///
/// Nodes and gateways read them from JSON, each for itself:
///
/// ```
/// # use custody_core::Callers;
/// let json = r#"{ "callers": [ {
///     "name": "payments",
///     "roles": ["request"],
///     "keys": ["-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----"]
/// } ] }"#;
/// let callers = Callers::from_json(json.as_bytes())?;
/// assert_eq!(callers.iter().next().unwrap().name, "payments");
/// # Ok::<(), custody_core::CallersError>(())
/// ```
///
/// Signatures name the cluster, so a gateway of one cannot repeat a request at another: see [`of_cluster`](Self::of_cluster).
///
/// To replace a key, add the new one beside the old one everywhere, move the caller to it, and remove the old one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Callers {
    list: Vec<Caller>,
    /// The place in the list, and the key, by the key's id.
    keys: BTreeMap<String, (usize, CallerKey)>,
    /// The cluster that requests have to name.
    cluster: Option<String>,
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    callers: Vec<Caller>,
}

/// The first reason why a list of callers is refused: what was expected, what came, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CallersError(String);

impl Callers {
    /// The most callers.
    pub const MAX: usize = 4096;
    /// The most keys of a caller.
    pub const MAX_KEYS: usize = 2;

    /// Checks a list of callers.
    ///
    /// # Errors
    /// A [`CallersError`].
    pub fn new(list: Vec<Caller>) -> Result<Self, CallersError> {
        if list.len() > Self::MAX {
            return refuse(format_args!(
                "expected at most {} callers, got {}",
                Self::MAX,
                list.len()
            ));
        }
        let mut names = BTreeSet::new();
        let mut keys = BTreeMap::new();
        for (place, caller) in list.iter().enumerate() {
            check(caller)?;
            if !names.insert(&caller.name) {
                return refuse(format_args!(
                    "two callers have the name {}: rename one",
                    caller.name
                ));
            }
            for key in &caller.keys {
                if let Some((before, _)) = keys.insert(key.id(), (place, key.clone())) {
                    let owner = list.get(before).map_or("", |owner| owner.name.as_str());
                    return refuse(format_args!(
                        "{} cannot have the key {}: it is in the list for {owner} already",
                        caller.name,
                        key.id()
                    ));
                }
            }
        }
        Ok(Self { list, keys, cluster: None })
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// A [`CallersError`].
    pub fn from_json(json: &[u8]) -> Result<Self, CallersError> {
        let form: Form = serde_json::from_slice(json)
            .map_err(|why| CallersError(format!("the callers are no such JSON: {why}")))?;
        Self::new(form.callers)
    }

    /// The JSON form, for people to read and edit.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&Form { callers: self.list.clone() }).unwrap_or_default()
    }

    /// The callers of the cluster with this name: no request for another one verifies, nor one that names none. Nodes and gateways
    /// take the name of their directory.
    #[must_use]
    pub fn of_cluster(self, name: &str) -> Self {
        Self { cluster: Some(name.to_owned()), ..self }
    }

    /// The cluster that requests have to name.
    pub(crate) fn cluster(&self) -> Option<&str> {
        self.cluster.as_deref()
    }

    /// The `tag` that signatures have to have.
    #[must_use]
    pub fn tag(&self) -> String {
        tag(self.cluster())
    }

    /// Lists the callers as the configuration does.
    pub fn iter(&self) -> impl Iterator<Item = &Caller> {
        self.list.iter()
    }

    /// The caller with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Caller> {
        self.list.iter().find(|caller| caller.name == name)
    }

    /// The key with this id, and the caller that has it.
    #[must_use]
    pub fn key(&self, id: &str) -> Option<(&Caller, &CallerKey)> {
        let (place, key) = self.keys.get(id)?;
        Some((self.list.get(*place)?, key))
    }
}

fn check(Caller { name, roles, keys }: &Caller) -> Result<(), CallersError> {
    let fits = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
    if !(1..=64).contains(&name.len()) || !name.bytes().all(fits) {
        return refuse(format_args!(
            "expected a name of 1 to 64 characters of a to z, 0 to 9, '.', '-' and '_', got {name:.64?}"
        ));
    }
    let once: BTreeSet<_> = roles.iter().collect();
    if once.is_empty() || once.len() < roles.len() {
        return refuse(format_args!(
            "expected one role or more of {name}, each once: request, approve, administer"
        ));
    }
    if !(1..=Callers::MAX_KEYS).contains(&keys.len()) {
        return refuse(format_args!(
            "expected one key of {name}, or two while one replaces the other, got {}",
            keys.len()
        ));
    }
    Ok(())
}

fn refuse<T>(why: impl fmt::Display) -> Result<T, CallersError> {
    Err(CallersError(why.to_string()))
}
