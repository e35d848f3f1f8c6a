//! Keys as JSON, with what the nodes state of them: the answer to `GET /v1/keys`.

use quorate::{Parties, PartyId};
use serde::{Deserialize, Serialize};

use super::form::{hex, unhex};
use crate::gateway::ask::KeyView;
use crate::request::{KeyId, Scheme};
use crate::statement::{SignedStatement, Statement};

/// The keys of a gateway.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyList {
    /// The keys.
    pub keys: Vec<KeyForm>,
}

/// A key, as a gateway shows it. Nothing of it is verified.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct KeyForm {
    /// The name of the key, 16 bytes.
    pub id: String,
    /// `ecdsa` or `ed25519`.
    pub scheme: String,
    /// The public side of the key: public key, chain code, nodes and their public shares.
    pub public: String,
    /// The nodes' statements of the key.
    pub stated: Vec<StatementForm>,
}

/// A statement of a node, of the key that it stands under.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct StatementForm {
    /// The node.
    pub node: u16,
    /// The name of the key, 16 bytes.
    pub key_id: String,
    /// `ecdsa` or `ed25519`.
    pub scheme: String,
    /// The public key.
    pub public_key: String,
    /// The chain code, 32 bytes, if the key has children.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain_code: Option<String>,
    /// The epoch of the shares.
    pub epoch: u32,
    /// How many nodes sign.
    pub threshold: u16,
    /// The nodes that hold shares.
    pub nodes: Vec<u16>,
    /// The node's signature, 64 bytes.
    pub signature: String,
}

impl KeyForm {
    /// The form of a key.
    #[must_use]
    pub fn new(key: &KeyView) -> Self {
        Self {
            id: hex(&key.id.0),
            scheme: key.scheme.name().to_owned(),
            public: hex(&key.public),
            stated: key.stated.iter().map(StatementForm::new).collect(),
        }
    }

    /// The name and scheme that the gateway gives the key; nothing if one of them is none.
    #[must_use]
    pub fn named(&self) -> Option<(KeyId, Scheme)> {
        Some((KeyId(array(&self.id)?), scheme(&self.scheme)?))
    }
}

impl StatementForm {
    fn new((node, signed): &(PartyId, SignedStatement)) -> Self {
        let SignedStatement { statement, signature } = signed;
        Self {
            node: node.get(),
            key_id: hex(&statement.key.0),
            scheme: statement.scheme.name().to_owned(),
            public_key: hex(&statement.public_key),
            chain_code: statement.chain_code.as_ref().map(|code| hex(code)),
            epoch: statement.epoch,
            threshold: statement.threshold,
            nodes: statement.committee.iter().map(PartyId::get).collect(),
            signature: hex(signature),
        }
    }

    /// The node and its statement; nothing if a field is damaged. Nothing is verified yet.
    #[must_use]
    pub fn read(&self) -> Option<(PartyId, SignedStatement)> {
        let nodes: Option<Vec<PartyId>> = self.nodes.iter().copied().map(PartyId::new).collect();
        let chain_code = match &self.chain_code {
            Some(code) => Some(array(code)?),
            None => None,
        };
        let statement = Statement {
            key: KeyId(array(&self.key_id)?),
            scheme: scheme(&self.scheme)?,
            public_key: unhex(&self.public_key)?,
            chain_code,
            epoch: self.epoch,
            threshold: self.threshold,
            committee: Parties::new(nodes?).ok()?,
        };
        let signed = SignedStatement { statement, signature: array(&self.signature)? };
        Some((PartyId::new(self.node)?, signed))
    }
}

fn scheme(name: &str) -> Option<Scheme> {
    Scheme::ALL.into_iter().find(|scheme| scheme.name() == name)
}

fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    unhex(text)?.try_into().ok()
}
