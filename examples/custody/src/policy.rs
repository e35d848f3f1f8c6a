//! What a node signs. Every signer asks its own policy before it claims anything; what no rule allows is refused.

use std::collections::BTreeMap;
use std::path::Path;

use quorate_cggmp::{PresignManyParams, Secp256k1};
use quorate_examples::failure::Failure;
use serde::Deserialize;

use crate::request::{KeyId, Request};

/// A node's policy. A real one would look at accounts and limits, and ask somebody.
pub trait Policy: Send {
    /// Whether this requester may have this signed. The requester's signature has been verified.
    ///
    /// # Errors
    /// The reason why not, which the requester is told.
    fn allows(&self, requester: &[u8; 32], request: &Request) -> Result<(), String>;

    /// Whether a key may go to this committee and threshold, the present ones apart, which always may.
    ///
    /// # Errors
    /// The reason why not.
    fn allows_committee(
        &self,
        _key: KeyId,
        _committee: &[u16],
        _threshold: u16,
    ) -> Result<(), String> {
        Err("the policy of the node allows no other committee".to_owned())
    }

    /// Whether a gateway may order this number of presignatures in one run.
    ///
    /// # Errors
    /// The reason why not.
    fn allows_presigning(&self, count: u16) -> Result<(), String> {
        at_most(MOST_PRESIGNATURES, count)
    }
}

/// The most presignatures of one order. A policy can set a lower bound.
pub const MOST_PRESIGNATURES: u16 = PresignManyParams::<Secp256k1>::DEFAULT_MOST;

fn at_most(most: u16, count: u16) -> Result<(), String> {
    if count <= most {
        return Ok(());
    }
    Err(format!("the policy of the node allows {most} presignatures in an order, got {count}"))
}

/// The policy that allows nothing.
pub struct Deny;

impl Policy for Deny {
    fn allows(&self, _: &[u8; 32], _: &Request) -> Result<(), String> {
        Err("the policy of the node allows nothing".to_owned())
    }
}

/// What one requester may have signed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The requester's Ed25519 key, in hexadecimal digits.
    pub requester: String,
    /// The schemes, by name: all unless given.
    #[serde(default)]
    pub schemes: Option<Vec<String>>,
    /// How a message has to begin.
    #[serde(default)]
    pub prefix: String,
    /// How it has to end.
    #[serde(default)]
    pub suffix: String,
    /// What is allowed, in words, for the reason of a refusal.
    #[serde(default)]
    pub name: Option<String>,
}

/// A committee that a key may go to.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitteeRule {
    /// Its parties, ascending.
    pub parties: Vec<u16>,
    /// Its threshold.
    pub threshold: u16,
}

/// A policy of rules: what none of them allows is refused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The rules for signing.
    #[serde(default)]
    pub sign: Vec<Rule>,
    /// The committees that keys may go to.
    #[serde(default)]
    pub committees: Vec<CommitteeRule>,
    /// The most presignatures of one order: [`MOST_PRESIGNATURES`] unless given.
    #[serde(default)]
    pub presignatures_per_order: Option<u16>,
}

impl Rules {
    /// Reads a file of JSON.
    ///
    /// # Errors
    /// A [`Failure`] if there is none, or something in it is no rule.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(Failure::file("read", path))?;
        let rules: Self = serde_json::from_str(&text)
            .map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
        if let Some(rule) = rules.sign.iter().find(|rule| unhex(&rule.requester).is_none()) {
            let text = format!("{}: {:?} is no key of 64 digits", path.display(), rule.requester);
            return Err(Failure::new(text));
        }
        if let Some(count) = rules.presignatures_per_order.filter(|got| *got > MOST_PRESIGNATURES) {
            let name = path.display();
            let text = format!(
                "{name}: presignatures_per_order: expected {MOST_PRESIGNATURES} or fewer, got {count}"
            );
            return Err(Failure::new(text));
        }
        Ok(rules)
    }

    /// Rules under which these requesters may have payments to Alice signed.
    #[must_use]
    pub fn payments(requesters: &[[u8; 32]]) -> Self {
        let rule = |requester: &[u8; 32]| Rule {
            requester: quorate_examples::files::hex(requester),
            schemes: None,
            prefix: "pay ".to_owned(),
            suffix: " to Alice".to_owned(),
            name: Some("payments to Alice".to_owned()),
        };
        Self { sign: requesters.iter().map(rule).collect(), ..Self::default() }
    }

    /// The requesters that the rules name.
    pub fn requesters(&self) -> impl Iterator<Item = [u8; 32]> + '_ {
        self.sign.iter().filter_map(|rule| unhex(&rule.requester))
    }
}

impl Rule {
    fn covers(&self, request: &Request) -> bool {
        let message = &request.message;
        let named = |names: &Vec<String>| names.iter().any(|name| name == request.scheme.name());
        let room = self.prefix.len().saturating_add(self.suffix.len());
        self.schemes.as_ref().is_none_or(named)
            && message.len() >= room
            && message.starts_with(self.prefix.as_bytes())
            && message.ends_with(self.suffix.as_bytes())
    }
}

impl Policy for Rules {
    fn allows(&self, requester: &[u8; 32], request: &Request) -> Result<(), String> {
        let mut names: BTreeMap<&str, ()> = BTreeMap::new();
        for rule in self.sign.iter().filter(|rule| unhex(&rule.requester) == Some(*requester)) {
            if rule.covers(request) {
                return Ok(());
            }
            names.insert(rule.name.as_deref().unwrap_or("other messages"), ());
        }
        if names.is_empty() {
            return Err("the policy of the node allows this requester nothing".to_owned());
        }
        let names: Vec<&str> = names.into_keys().collect();
        Err(format!("the policy of the node allows {} only", names.join(", ")))
    }

    fn allows_committee(&self, _: KeyId, committee: &[u16], threshold: u16) -> Result<(), String> {
        let is = |rule: &CommitteeRule| rule.parties == committee && rule.threshold == threshold;
        if self.committees.iter().any(is) {
            return Ok(());
        }
        Err("the policy of the node allows no such committee".to_owned())
    }

    fn allows_presigning(&self, count: u16) -> Result<(), String> {
        at_most(self.presignatures_per_order.unwrap_or(MOST_PRESIGNATURES), count)
    }
}

/// 32 bytes of hexadecimal digits.
#[must_use]
pub fn unhex(digits: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let pair = |pair: &[u8; 2]| {
        let text = core::str::from_utf8(pair).ok()?;
        let plain = pair.iter().all(u8::is_ascii_hexdigit);
        u8::from_str_radix(text, 16).ok().filter(|_| plain)
    };
    let bytes = pairs.iter().map(pair).collect::<Option<Vec<u8>>>()?;
    bytes.try_into().ok().filter(|_| rest.is_empty())
}
