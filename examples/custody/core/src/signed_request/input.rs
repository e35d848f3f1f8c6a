//! `Signature-Input`, `Signature` and `Content-Digest`, each in its one accepted spelling.
//!
//! They are structured fields (RFC 9651). What is accepted here is the part of that grammar which has no two spellings.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::SignedHead;
use crate::reason::Reason;
use crate::refusal::Refusal;

/// The beginning of the `tag` of every signature. The cluster follows behind a colon.
const TAG: &str = "quorate-custody";

/// The `tag` of signatures for a cluster.
pub(crate) fn tag(cluster: Option<&str>) -> String {
    cluster.map_or_else(|| TAG.to_owned(), |cluster| format!("{TAG}:{cluster}"))
}

/// A component that signatures cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Component {
    Method,
    Path,
    Query,
    ContentDigest,
}

impl Component {
    const ALL: [Self; 4] = [Self::Method, Self::Path, Self::Query, Self::ContentDigest];

    /// The name, in quotes as in the header.
    pub(super) const fn quoted(self) -> &'static str {
        match self {
            Self::Method => "\"@method\"",
            Self::Path => "\"@path\"",
            Self::Query => "\"@query\"",
            Self::ContentDigest => "\"content-digest\"",
        }
    }
}

/// `Signature-Input` of one signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SignatureInput<'a> {
    pub(super) label: &'a str,
    pub(super) covered: Vec<Component>,
    /// The list of components with its parameters, as the header spells it.
    pub(super) parameters: &'a str,
    pub(super) created: u64,
    pub(super) expires: u64,
    pub(super) nonce: &'a str,
    pub(super) key_id: &'a str,
    pub(super) algorithm: Option<&'a str>,
    /// The cluster that the request is for.
    pub(super) cluster: Option<&'a str>,
}

impl<'a> SignatureInput<'a> {
    /// Parses the header.
    pub(super) fn parse(header: &'a str) -> Result<Self, Refusal> {
        let expected = "Signature-Input: expected LABEL=(\"@method\" \"@path\" \"content-digest\");created=…;expires=…;\
                        nonce=\"…\";keyid=\"…\";tag=\"quorate-custody:CLUSTER\", with \"@query\" if there is one, in any order, \
                        and nothing else but alg";
        Self::read(header).ok_or_else(|| Refusal::malformed(expected))
    }

    fn read(header: &'a str) -> Option<Self> {
        let (label, parameters) = header.split_once('=')?;
        let (components, rest) = parameters.strip_prefix('(')?.split_once(')')?;
        let mut covered = Vec::new();
        for name in components.split(' ') {
            let component = Component::ALL.into_iter().find(|component| component.quoted() == name);
            covered.push(component.filter(|component| !covered.contains(component))?);
        }
        let mut values = BTreeMap::new();
        for parameter in rest.strip_prefix(';')?.split(';') {
            let (name, value) = parameter.split_once('=')?;
            if values.insert(name, value).is_some() {
                return None;
            }
        }
        let tag = text(values.remove("tag")?)?.strip_prefix(TAG)?;
        let cluster = if tag.is_empty() { None } else { Some(tag.strip_prefix(':')?) };
        let input = Self {
            cluster,
            label: Some(label).filter(|label| is_label(label))?,
            covered,
            parameters,
            created: seconds(values.remove("created")?)?,
            expires: seconds(values.remove("expires")?)?,
            nonce: text(values.remove("nonce")?)?,
            key_id: text(values.remove("keyid")?)?,
            algorithm: values.remove("alg").map(|value| text(value).ok_or(())).transpose().ok()?,
        };
        values.is_empty().then_some(input)
    }

    /// Checks that every component is covered, `@query` exactly if the target has a query, and the length of the nonce.
    pub(super) fn check(&self, has_query: bool) -> Result<(), Refusal> {
        for component in Component::ALL {
            let expected = has_query || component != Component::Query;
            if self.covered.contains(&component) != expected {
                let (not, name) = (if expected { "" } else { "not " }, component.quoted());
                let detail = format_args!(
                    "expected a signature that does {not}cover {name} of this request"
                );
                return Err(Refusal::new(Reason::BadSignature, detail));
            }
        }
        let (least, most) = (SignedHead::MIN_NONCE, SignedHead::MAX_NONCE);
        if !(least..=most).contains(&self.nonce.len()) {
            return Err(Refusal::malformed(format_args!(
                "nonce: expected {least} to {most} characters"
            )));
        }
        Ok(())
    }

    /// Checks that the request is for this cluster.
    pub(super) fn check_cluster(&self, expected: Option<&str>) -> Result<(), Refusal> {
        if self.cluster == expected {
            return Ok(());
        }
        let (expected, got) = (tag(expected), tag(self.cluster));
        let detail = format_args!(
            "expected a signature for this cluster, tag=\"{expected}\", got tag=\"{got}\""
        );
        Err(Refusal::new(Reason::BadSignature, detail))
    }

    /// Checks the times against `now`, in seconds since 1970.
    pub(super) fn check_time(&self, now: u64) -> Result<(), Refusal> {
        let Self { created, expires, .. } = self;
        if *created > now.saturating_add(SignedHead::MAX_SKEW) {
            return Err(Refusal::new(
                Reason::NotYet,
                format_args!("created={created} is in the future; it is {now}"),
            ));
        }
        if *expires <= now || expires <= created {
            return Err(Refusal::new(
                Reason::Expired,
                format_args!("expires={expires} is past; it is {now}: sign it again"),
            ));
        }
        let (lifetime, most) = (expires.saturating_sub(*created), SignedHead::MAX_LIFETIME);
        if lifetime > most {
            let detail =
                format_args!("expected at most {most} s from created to expires, got {lifetime}");
            return Err(Refusal::new(Reason::Limit, detail));
        }
        Ok(())
    }
}

/// Returns whether this is a key of a dictionary.
fn is_label(label: &str) -> bool {
    let fits = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.');
    label.starts_with(|first: char| first.is_ascii_lowercase()) && label.bytes().all(fits)
}

/// An integer of RFC 9651, not negative.
fn seconds(value: &str) -> Option<u64> {
    let seconds: u64 = value.parse().ok()?;
    (seconds < 1_000_000_000_000_000 && seconds.to_string() == value).then_some(seconds)
}

/// A string of letters, digits and characters that need no escape.
fn text(value: &str) -> Option<&str> {
    let text = value.strip_prefix('"')?.strip_suffix('"')?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=:".contains(&byte);
    text.bytes().all(fits).then_some(text)
}

/// Reads the digest of `Content-Digest`.
pub(super) fn read_digest(header: &str) -> Result<[u8; 32], Refusal> {
    read_bytes("sha-256", header).ok_or_else(|| {
        Refusal::malformed("Content-Digest: expected sha-256=:BASE64: and nothing else")
    })
}

/// Reads the signature of `Signature`.
pub(super) fn read_signature(header: &str, label: &str) -> Result<[u8; 64], Refusal> {
    let expected = "Signature: expected LABEL=:BASE64: of 64 bytes, with the label of Signature-Input, and nothing else";
    read_bytes(label, header).ok_or_else(|| Refusal::malformed(expected))
}

fn read_bytes<const N: usize>(key: &str, header: &str) -> Option<[u8; N]> {
    let base64 = header.strip_prefix(key)?.strip_prefix("=:")?.strip_suffix(':')?;
    STANDARD.decode(base64).ok()?.try_into().ok()
}

/// Writes a dictionary of one byte sequence.
pub(super) fn write_bytes(key: &str, bytes: &[u8]) -> String {
    format!("{key}=:{}:", STANDARD.encode(bytes))
}
