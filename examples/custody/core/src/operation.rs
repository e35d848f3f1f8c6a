//! Operations: read from the method, the path, the query and the body of its request.

mod body;
mod target;

use core::fmt::Display;
use core::str::FromStr;

use quorate::PartyId;

pub use body::{Approve, Replenish, Reshare, ScheduleDeletion, Sign};
pub(crate) use target::Target;

use crate::caller::{Caller, Role};
use crate::children::Child;
use crate::fields;
use crate::id::{KeyId, RequestId};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::spec::KeySpec;
use body::{empty, json};

/// An operation that a caller asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operation {
    /// Makes a key: `POST /v1/keys`.
    CreateKey(KeySpec),
    /// Signs: `POST /v1/keys/{key}/sign`.
    Sign(KeyId, Sign),
    /// Makes new shares for the same members: `POST /v1/keys/{key}/refresh`.
    Refresh(KeyId),
    /// Moves the key to other members: `POST /v1/keys/{key}/reshare`.
    Reshare(KeyId, Reshare),
    /// Stops signing with the key: `POST /v1/keys/{key}/disable`.
    Disable(KeyId),
    /// Ends that: `POST /v1/keys/{key}/enable`.
    Enable(KeyId),
    /// Stops signing with the key, and deletes it later: `POST /v1/keys/{key}/schedule-deletion`.
    ScheduleDeletion(KeyId, ScheduleDeletion),
    /// Keeps a key that was to be deleted. It stays disabled: `POST /v1/keys/{key}/cancel-deletion`.
    CancelDeletion(KeyId),
    /// Makes presignatures or nonces ahead: `POST /v1/keys/{key}/replenish`.
    Replenish(KeyId, Replenish),
    /// Approves a request: `POST /v1/requests/{request}/approve`.
    Approve(RequestId, Approve),
    /// Cancels a request that has no result yet: `POST /v1/requests/{request}/cancel`.
    Cancel(RequestId),
    /// Reads, and changes nothing.
    Read(Read),
}

/// A read: it changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Read {
    /// Lists keys: `GET /v1/keys`.
    Keys(Page<KeyId>),
    /// Describes a key, and a child of it if the query has a path or a Merkle root: `GET /v1/keys/{key}?path=&merkle_root=`.
    Key(KeyId, Option<Child>),
    /// Lists requests without a result: `GET /v1/requests`.
    Requests(Page<RequestId>),
    /// Describes a request: `GET /v1/requests/{request}?wait=`.
    Request(RequestId),
    /// Exports the log of a node's decisions: `GET /v1/audit/{node}`.
    Audit(PartyId, Page<u64>),
}

/// A part of a list: `?after=&limit=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page<T> {
    /// The last entry of the part before.
    pub after: Option<T>,
    /// The most entries, from 1 to 1000.
    pub limit: u16,
}

impl Operation {
    /// Reads method, target and body.
    pub(crate) fn parse(method: &str, target: &Target, body: &[u8]) -> Result<Self, Refusal> {
        let segments: Vec<_> = target.segments().collect();
        match (method, segments.as_slice()) {
            ("GET", segments) => {
                empty(body).and_then(|()| Read::parse(segments, target)).map(Self::Read)
            }
            ("POST", segments) => {
                target.check_names(&["wait"]).and_then(|()| Self::parse_post(segments, body))
            }
            _ => Err(unknown()),
        }
    }

    fn parse_post(segments: &[&str], body: &[u8]) -> Result<Self, Refusal> {
        match segments {
            ["v1", "keys"] => {
                let spec: KeySpec = json(body)?;
                spec.check().map_err(|why| Refusal::new(Reason::Limit, why))?;
                Ok(Self::CreateKey(spec))
            }
            ["v1", "keys", key, action] => Self::parse_key(parse(key)?, action, body),
            ["v1", "requests", request, "approve"] => {
                Ok(Self::Approve(parse(request)?, json(body)?))
            }
            ["v1", "requests", request, "cancel"] => {
                empty(body).and_then(|()| parse(request)).map(Self::Cancel)
            }
            _ => Err(unknown()),
        }
    }

    fn parse_key(key: KeyId, action: &str, body: &[u8]) -> Result<Self, Refusal> {
        match action {
            "sign" => Ok(Self::Sign(key, json::<Sign>(body)?.check()?)),
            "reshare" => Ok(Self::Reshare(key, json::<Reshare>(body)?.check()?)),
            "schedule-deletion" => Ok(Self::ScheduleDeletion(key, json(body)?)),
            "replenish" => Ok(Self::Replenish(key, json(body)?)),
            "refresh" => empty(body).map(|()| Self::Refresh(key)),
            "disable" => empty(body).map(|()| Self::Disable(key)),
            "enable" => empty(body).map(|()| Self::Enable(key)),
            "cancel-deletion" => empty(body).map(|()| Self::CancelDeletion(key)),
            _ => Err(unknown()),
        }
    }

    /// Returns whether nothing is changed.
    #[must_use]
    pub const fn is_read(&self) -> bool {
        matches!(self, Self::Read(_))
    }

    /// The name in policies, logs and metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::CreateKey(_) => "create-key",
            Self::Sign(..) => "sign",
            Self::Refresh(_) => "refresh",
            Self::Reshare(..) => "reshare",
            Self::Disable(_) => "disable",
            Self::Enable(_) => "enable",
            Self::ScheduleDeletion(..) => "schedule-deletion",
            Self::CancelDeletion(_) => "cancel-deletion",
            Self::Replenish(..) => "replenish",
            Self::Approve(..) => "approve",
            Self::Cancel(_) => "cancel",
            Self::Read(_) => "read",
        }
    }

    /// The key that it is about, if that exists already.
    #[must_use]
    pub const fn key(&self) -> Option<KeyId> {
        match self {
            Self::Sign(key, _)
            | Self::Refresh(key)
            | Self::Reshare(key, _)
            | Self::Disable(key)
            | Self::Enable(key)
            | Self::ScheduleDeletion(key, _)
            | Self::CancelDeletion(key)
            | Self::Replenish(key, _)
            | Self::Read(Read::Key(key, _)) => Some(*key),
            Self::CreateKey(_) | Self::Approve(..) | Self::Cancel(_) | Self::Read(_) => None,
        }
    }

    /// The roles of which the caller needs one.
    #[must_use]
    pub const fn roles(&self) -> &'static [Role] {
        match self {
            Self::Sign(..) => &[Role::Request],
            Self::Approve(..) => &[Role::Approve],
            Self::Cancel(_) => &[Role::Request, Role::Administer],
            Self::Read(Read::Audit(..) | Read::Requests(_)) => &[Role::Approve, Role::Administer],
            Self::Read(_) => &[Role::Request, Role::Approve, Role::Administer],
            _ => &[Role::Administer],
        }
    }

    pub(crate) fn check_roles(&self, caller: &Caller) -> Result<(), Refusal> {
        let roles = self.roles();
        if caller.roles.iter().any(|role| roles.contains(role)) {
            return Ok(());
        }
        let names: Vec<_> = roles.iter().map(Role::to_string).collect();
        let (name, caller) = (self.name(), &caller.name);
        let detail = format_args!(
            "{name}: expected a caller with the role {}, got {caller}",
            names.join(" or ")
        );
        Err(Refusal::new(Reason::RoleMissing, detail))
    }
}

impl Read {
    fn parse(segments: &[&str], target: &Target) -> Result<Self, Refusal> {
        Ok(match segments {
            ["v1", "keys"] => Self::Keys(Page::parse(target)?),
            ["v1", "keys", key] => {
                target.check_names(&["path", "merkle_root"])?;
                Self::Key(parse(key)?, child(target)?)
            }
            ["v1", "requests"] => Self::Requests(Page::parse(target)?),
            ["v1", "requests", request] => {
                target.check_names(&["wait"])?;
                Self::Request(parse(request)?)
            }
            ["v1", "audit", node] => {
                let number =
                    PartyId::new(parse(node)?).filter(|number| number.to_string() == **node);
                let number =
                    number.ok_or_else(|| Refusal::malformed("expected the number of a node"))?;
                Self::Audit(number, Page::parse(target)?)
            }
            _ => return Err(unknown()),
        })
    }
}

/// Reads the place of a child key. Without a path it is that of the key itself, with the scripts of the Merkle root.
fn child(target: &Target) -> Result<Option<Child>, Refusal> {
    let path = target.value("path").map(fields::path::parse).transpose();
    let path = path.map_err(Refusal::malformed)?;
    let merkle_root = target.value("merkle_root").map(parse).transpose()?;
    let is_given = path.is_some() || merkle_root.is_some();
    Ok(is_given.then(|| Child { path: path.unwrap_or_default(), merkle_root }))
}

impl<T: FromStr<Err: Display>> Page<T> {
    fn parse(target: &Target) -> Result<Self, Refusal> {
        target.check_names(&["after", "limit"])?;
        let after = target.value("after").map(parse).transpose()?;
        Ok(Self { after, limit: target.number("limit", 100, 1..=1000)? })
    }
}

fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|why| Refusal::malformed(format_args!("{text} in the target: {why}")))
}

fn unknown() -> Refusal {
    Refusal::malformed("no operation has this method and path")
}
