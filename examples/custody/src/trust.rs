//! The keys that a requester believes in, and the reasons. A gateway is not believed: its operator could show another key.
//!
//! - **With a directory**, a key is believed once enough nodes of it have signed a [statement](crate::statement) of this public
//!   key and chain code: as many as the deployment's threshold, or the key's own threshold if that is higher. Fewer nodes than
//!   the threshold lie, as everywhere in this service, so one of them is honest, and an honest node states only keys that it
//!   holds. All nodes are not asked for: one that is down would then stop every requester. The threshold is the requester's own
//!   setting, since one in a statement could be the liar's.
//! - **Without a directory**, the requester has to know the name of the key. The name is a hash of scheme and public key, so no
//!   other key has it. It says nothing of the chain code: child keys are refused.
//!
//! Child keys are derived here, from the public key and chain code that were verified.

use core::fmt;
use core::time::Duration;
use std::collections::BTreeSet;

use quorate::PartyId;
use quorate_cggmp::{DerivationPath, PublicKeyPackage, Secp256k1};
use quorate_examples::failure::Failure;

use crate::bus::Peer;
use crate::caller::Signer;
use crate::deployment::Deployment;
use crate::directory::Directory;
use crate::http::form::{hex, unhex};
use crate::http::keys::KeyForm;
use crate::request::{KeyId, Scheme};
use crate::statement::{SignedStatement, Statement};

/// Nodes state a new key within seconds: a requester waits this long for their statements.
const PATIENCE: Duration = Duration::from_secs(10);

/// The information that a requester compares keys with.
#[derive(Clone, Debug)]
pub struct Trust {
    anchor: Anchor,
    /// The name of the key that is meant, if the requester knows one.
    name: Option<KeyId>,
    patience: Duration,
}

#[derive(Clone, Debug)]
enum Anchor {
    /// Statements of at least this number of nodes of the directory.
    Directory(Directory, u16),
    /// The name alone.
    Name,
}

/// A reason why a key is believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// These nodes of the directory state its public key and chain code.
    Nodes(Vec<PartyId>),
    /// The key has the name that the requester was told.
    Name,
}

/// A key that the requester believes in.
#[derive(Clone, Debug)]
pub struct KnownKey {
    /// The key.
    pub key: Statement,
    /// The reason why it is believed.
    pub proof: Proof,
    /// The faults of other nodes' statements, node by node.
    pub doubts: Vec<String>,
    info: Option<PublicKeyPackage<Secp256k1>>,
}

/// A reason why a key is not believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The gateway shows something that is no key.
    Damaged,
    /// The gateway shows a key under the name of another one.
    Name {
        /// The name that the gateway gives.
        shown: KeyId,
        /// The name that follows from the key.
        got: KeyId,
    },
    /// The key is not the one that is meant.
    Other {
        /// The name that the requester was told.
        expected: KeyId,
        /// The key's name.
        got: KeyId,
    },
    /// Too few nodes state the key.
    TooFew {
        /// The key.
        key: KeyId,
        /// The nodes of the directory that state it.
        stated: usize,
        /// How many have to.
        need: usize,
        /// The faults of the other statements, node by node.
        differ: Vec<String>,
    },
    /// The key has no such child.
    NoChild(DerivationPath),
    /// The key was verified by its name alone, which does not cover the chain code that child keys depend on.
    ChildByName,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("the gateway shows something that is no key"),
            Self::Name { shown, got } => write!(
                f,
                "the gateway shows another key under the name {}: the name of its public key is {}",
                hex(&shown.0),
                hex(&got.0)
            ),
            Self::Other { expected, got } => {
                write!(f, "expected the key {}, got the key {}", hex(&expected.0), hex(&got.0))
            }
            Self::TooFew { key, stated, need, differ } => {
                let key = hex(&key.0);
                write!(f, "{stated} nodes of the directory state the key {key}, {need} have to")?;
                differ.iter().try_for_each(|what| write!(f, "; {what}"))
            }
            Self::NoChild(path) => write!(f, "the key has no child {path}"),
            Self::ChildByName => f.write_str(
                "the name of a key does not cover its chain code: a child key needs the directory",
            ),
        }
    }
}

impl core::error::Error for Doubt {}

impl Trust {
    /// Statements of at least this number of nodes of the directory.
    #[must_use]
    pub const fn directory(directory: Directory, threshold: u16) -> Self {
        let anchor = Anchor::Directory(directory, threshold);
        Self { anchor, name: None, patience: PATIENCE }
    }

    /// The name of the key, which the requester was told by somebody other than the gateway.
    #[must_use]
    pub const fn name(name: KeyId) -> Self {
        Self { anchor: Anchor::Name, name: Some(name), patience: PATIENCE }
    }

    /// Trusts the key of this name alone.
    #[must_use]
    pub fn only(self, name: Option<KeyId>) -> Self {
        Self { name: name.or(self.name), ..self }
    }

    /// Waits this long for statements that are missing.
    #[must_use]
    pub fn waiting(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The directory of a deployment's folder, or the name alone if the folder has none.
    ///
    /// # Errors
    /// A [`Failure`] if the directory cannot be read, or there is neither directory nor name.
    pub fn of(deployment: &Deployment, name: Option<KeyId>) -> Result<Self, Failure> {
        let path = deployment.path("directory.json");
        match name {
            Some(name) if !path.exists() => Ok(Self::name(name)),
            None if !path.exists() => {
                let why = "without it a key can be verified by its name alone: give it with --key";
                Err(Failure::usage(format!("there is no {}: {why}", path.display())))
            }
            name => {
                let directory = Directory::read(&path)?;
                Ok(Self::directory(directory, deployment.choice().threshold).only(name))
            }
        }
    }

    /// The time to wait for statements that are missing.
    #[must_use]
    pub const fn patience(&self) -> Duration {
        self.patience
    }

    /// Says whether this may be the key that is meant, by the name that the gateway gives.
    #[must_use]
    pub fn means(&self, shown: KeyId) -> bool {
        self.name.is_none_or(|name| name == shown)
    }

    /// Verifies what a gateway shows of a key.
    ///
    /// # Errors
    /// The [`Doubt`].
    pub fn believe(&self, shown: &KeyForm) -> Result<KnownKey, Doubt> {
        let (name, scheme) = shown.named().ok_or(Doubt::Damaged)?;
        let public = unhex(&shown.public).ok_or(Doubt::Damaged)?;
        let key = Statement::read(scheme, &public).ok_or(Doubt::Damaged)?;
        if key.key != name {
            return Err(Doubt::Name { shown: name, got: key.key });
        }
        if let Some(expected) = self.name.filter(|expected| *expected != key.key) {
            return Err(Doubt::Other { expected, got: key.key });
        }
        let info = match scheme {
            Scheme::Ecdsa => {
                Some(PublicKeyPackage::from_bytes(&public).map_err(|_| Doubt::Damaged)?)
            }
            Scheme::Ed25519 => None,
        };
        let (proof, doubts) = match &self.anchor {
            Anchor::Name => (Proof::Name, Vec::new()),
            Anchor::Directory(directory, threshold) => {
                let stated: Option<Vec<_>> = shown.stated.iter().map(|one| one.read()).collect();
                let stated = stated.ok_or(Doubt::Damaged)?;
                let (nodes, differ) = agreeing(directory, &key, &stated);
                let need = usize::from(key.threshold.max(*threshold));
                if nodes.len() < need {
                    let (key, stated) = (key.key, nodes.len());
                    return Err(Doubt::TooFew { key, stated, need, differ });
                }
                (Proof::Nodes(nodes.into_iter().collect()), differ)
            }
        };
        Ok(KnownKey { key, proof, doubts, info })
    }
}

/// The nodes of the directory that state this key, and the faults of the others' statements.
fn agreeing(
    directory: &Directory,
    key: &Statement,
    stated: &[(PartyId, SignedStatement)],
) -> (BTreeSet<PartyId>, Vec<String>) {
    let (mut nodes, mut differ) = (BTreeSet::new(), Vec::new());
    for (node, signed) in stated {
        let public = directory.peer(Peer::Node(*node));
        let difference = match public {
            None => Some("is not in the directory".to_owned()),
            Some(public) if !signed.verifies(*node, &public.verifying) => Some(
                "has not signed the statement under its name with its key of the directory"
                    .to_owned(),
            ),
            Some(_) => difference(key, &signed.statement),
        };
        match difference {
            None => drop(nodes.insert(*node)),
            Some(what) => differ.push(format!("node {node} {what}")),
        }
    }
    (nodes, differ)
}

/// The difference between a statement and the gateway's key. A statement of another epoch can be of the same key.
fn difference(shown: &Statement, stated: &Statement) -> Option<String> {
    let differs = |what: &str, stated: &str, shown: &str| {
        Some(format!("states the {what} {stated}, the gateway shows {shown}"))
    };
    if stated.scheme != shown.scheme {
        return differs("scheme", stated.scheme.name(), shown.scheme.name());
    }
    if stated.public_key != shown.public_key {
        return differs("public key", &hex(&stated.public_key), &hex(&shown.public_key));
    }
    if stated.key != shown.key {
        return differs("name", &hex(&stated.key.0), &hex(&shown.key.0));
    }
    if stated.chain_code != shown.chain_code {
        let text = |code: &Option<[u8; 32]>| code.map_or_else(|| "none".to_owned(), |c| hex(&c));
        return differs("chain code", &text(&stated.chain_code), &text(&shown.chain_code));
    }
    let same = (&stated.committee, stated.threshold) == (&shown.committee, shown.threshold);
    if stated.epoch == shown.epoch && !same {
        let text = |one: &Statement| {
            let nodes: Vec<String> = one.committee.iter().map(|node| node.to_string()).collect();
            format!("{} of nodes {}", one.threshold, nodes.join(", "))
        };
        return differs("committee", &text(stated), &text(shown));
    }
    None
}

impl KnownKey {
    /// The key at the end of a path, as the requester derives it.
    ///
    /// # Errors
    /// [`Doubt::NoChild`] if there is none, [`Doubt::ChildByName`] for a child of a key that was verified by its name alone.
    pub fn signer(&self, path: &DerivationPath) -> Result<Signer, Doubt> {
        let (key_id, scheme) = (self.key.key, self.key.scheme);
        let public_key = if path.indices().is_empty() {
            self.key.public_key.clone()
        } else {
            let none = || Doubt::NoChild(path.clone());
            let info = self.info.as_ref().ok_or_else(none)?;
            if self.proof == Proof::Name {
                return Err(Doubt::ChildByName);
            }
            info.derivation(path).map_err(|_| none())?.key.as_bytes().to_vec()
        };
        Ok(Signer { key_id, scheme, path: path.clone(), public_key })
    }

    /// The reason why it is believed, in words.
    #[must_use]
    pub fn verified_by(&self) -> String {
        match &self.proof {
            Proof::Nodes(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(PartyId::to_string).collect();
                format!("statements of nodes {} of the directory", nodes.join(", "))
            }
            Proof::Name => "its name alone, without a directory".to_owned(),
        }
    }
}
