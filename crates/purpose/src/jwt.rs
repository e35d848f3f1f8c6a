//! JSON Web Tokens.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::body::Body;
use crate::error::Malformed;
use crate::facts::{Facts, Value};
use crate::integer::Integer;
use crate::json::{Json, Object, pointer};
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::time::Time;
use crate::wire::{Reader, check_length, check_names, short_block, text};

/// The prefix of the names of claims.
const CLAIM: &str = "claim";
/// The claims that are times (RFC 7519).
const TIMES: [&str; 3] = ["exp", "iat", "nbf"];
/// The integers that every reader of JSON has exactly (RFC 7493, 2.2).
const EXACT: core::ops::RangeInclusive<i64> = -((1 << 53) - 1)..=(1 << 53) - 1;

/// A JSON Web Token (RFC 7519) to be signed: the claims, and what of the header is not fixed by the key.
///
/// The body is `typ` and `kid` of the header, each behind a length of one byte and empty if absent, and the claims as they
/// are signed. The header's `alg` is the key's: ES256, ES256K or EdDSA.
///
/// Facts: `typ`, `kid`, and one for each claim, `claim/` and its path: `claim/sub`, `claim/kubernetes.io/namespace`. The path is a
/// JSON pointer: a `/` in a name is `~1`, a `~` is `~0`. A list of plain values is one fact; in other lists each value has its
/// number in the path. An empty object is an empty list. `exp`, `iat` and `nbf` are times.
///
/// Claims that two readers of JSON may read differently are refused: numbers that are no integers or beyond 2⁵³ − 1, `null`, a
/// name that stands twice, also in other cases of its letters, and the character U+0000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JwtClaims {
    typ: String,
    kid: String,
    /// JSON of an object, as it is signed.
    claims: String,
}

impl JwtClaims {
    /// Claims in JSON, with the `kid` and `typ` of the header; empty ones are left out.
    ///
    /// # Errors
    /// If the claims are not a JSON object with the values that this crate takes, or `kid` or `typ` is longer than 128 bytes
    /// or has characters that JSON escapes.
    pub fn new(
        claims: impl Into<String>,
        kid: impl Into<String>,
        typ: impl Into<String>,
    ) -> Result<Self, Malformed> {
        let new = Self { typ: typ.into(), kid: kid.into(), claims: claims.into() };
        let length = new.claims.len() + new.typ.len() + new.kid.len();
        check_length(length.saturating_add(2))?;
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        if [&new.typ, &new.kid].iter().any(|text| text.len() > 128 || !text.bytes().all(is_plain)) {
            return Err(Malformed("typ or kid is too long, or has other characters"));
        }
        let mut names = 0_usize;
        each(&Json::parse(&new.claims)?, CLAIM.len(), &mut |_, length| {
            names = names.saturating_add(length);
        })?;
        check_names(names, length)?;
        Ok(new)
    }

    /// The claims, in JSON, as they are signed.
    #[must_use]
    pub fn claims(&self) -> &str {
        &self.claims
    }

    /// The header in JSON for a key, if keys of this kind sign tokens.
    #[must_use]
    pub fn header(&self, key: KeyKind) -> Option<String> {
        let alg = match key {
            KeyKind::EcdsaP256 => "ES256",
            KeyKind::EcdsaSecp256k1 => "ES256K",
            KeyKind::Ed25519 | KeyKind::Ed448 => "EdDSA",
            KeyKind::Bip340 | KeyKind::MlDsa => return None,
        };
        let mut header = format!("{{\"alg\":\"{alg}\"");
        for (name, value) in [("kid", &self.kid), ("typ", &self.typ)] {
            if !value.is_empty() {
                header.push_str(&format!(",\"{name}\":\"{value}\""));
            }
        }
        header.push('}');
        Some(header)
    }

    /// The signing input (RFC 7515): header and claims in base64url, with a dot between.
    #[must_use]
    pub fn signing_input(&self, key: KeyKind) -> Option<String> {
        let mut input = base64url(self.header(key)?.as_bytes());
        input.push('.');
        input.push_str(&base64url(self.claims.as_bytes()));
        Some(input)
    }
}

/// Base64 with the alphabet of URLs, without padding.
fn base64url(bytes: &[u8]) -> String {
    let digit = |value: u8| match value & 63 {
        value @ 0..=25 => value.saturating_add(b'A'),
        value @ 26..=51 => value.saturating_add(b'a' - 26),
        value @ 52..=61 => value.saturating_sub(52).saturating_add(b'0'),
        62 => b'-',
        _ => b'_',
    };
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group.split_at_mut(chunk.len()).0.copy_from_slice(chunk);
        let [first, second, third] = group;
        let digits =
            [first >> 2, (first << 4) | (second >> 4), (second << 2) | (third >> 6), third];
        let digits = digits.into_iter().take(chunk.len() + 1);
        text.extend(digits.map(|value| char::from(digit(value))));
    }
    text
}

/// A member of the claims that has a fact: where it is, and the value.
struct Member<'a> {
    /// The names from the outermost to this one.
    path: &'a [String],
    value: Value,
}

/// Goes through the members of the claims that have facts, in order, with the length of each one's name.
fn each(
    claims: &Json,
    prefix: usize,
    visit: &mut impl FnMut(&Member<'_>, usize),
) -> Result<(), Malformed> {
    if claims.object().is_none() {
        return Err(Malformed("claims are an object"));
    }
    descend(claims, &mut Vec::new(), prefix, visit)
}

fn descend(
    json: &Json,
    path: &mut Vec<String>,
    length: usize,
    visit: &mut impl FnMut(&Member<'_>, usize),
) -> Result<(), Malformed> {
    let is_time = matches!(&path[..], [name] if TIMES.contains(&name.as_str()));
    if is_time && !matches!(json, Json::Integer(_)) {
        return Err(Malformed("a time of the claims is no number of seconds"));
    }
    let value = match json {
        Json::Object(object) if object.len() == 0 && !path.is_empty() => Value::List(Vec::new()),
        Json::Object(object) => {
            check_names_differ(object)?;
            return object.iter().try_for_each(|(name, json)| {
                step(path, pointer(plain_text(name)?), json, length, visit)
            });
        }
        Json::List(list) => match plain(list)? {
            Some(values) => Value::List(values),
            None => {
                return list.iter().enumerate().try_for_each(|(place, json)| {
                    step(path, format!("{place}"), json, length, visit)
                });
            }
        },
        Json::Integer(seconds) if is_time => Time::from_seconds(exact(seconds)?).into(),
        _ => scalar(json)?,
    };
    visit(&Member { path, value }, length);
    Ok(())
}

/// Goes one level down.
fn step(
    path: &mut Vec<String>,
    name: String,
    json: &Json,
    length: usize,
    visit: &mut impl FnMut(&Member<'_>, usize),
) -> Result<(), Malformed> {
    let length = length + name.len() + 1;
    path.push(name);
    descend(json, path, length, visit)?;
    path.pop();
    Ok(())
}

/// Refuses names that differ in the case of letters alone: some readers take the last of them for all.
fn check_names_differ(object: &Object) -> Result<(), Malformed> {
    let mut seen = BTreeSet::new();
    let fold = |name: &str| -> String {
        name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
    };
    if object.iter().all(|(name, _)| seen.insert(fold(name))) {
        Ok(())
    } else {
        Err(Malformed("two names of claims differ in the case of letters alone"))
    }
}

/// A text without U+0000, at which some readers end it.
fn plain_text(text: &str) -> Result<&str, Malformed> {
    if text.contains('\0') { Err(Malformed("a claim has the character U+0000")) } else { Ok(text) }
}

/// An integer that is not rounded by readers whose numbers are floating.
fn exact(value: &Integer) -> Result<i64, Malformed> {
    let value = value.to_i64().filter(|value| EXACT.contains(value));
    value.ok_or(Malformed("a number of the claims is beyond 53 bits"))
}

fn scalar(json: &Json) -> Result<Value, Malformed> {
    match json {
        Json::Bool(value) => Ok((*value).into()),
        Json::Integer(value) => exact(value).map(Value::from),
        Json::Text(value) => plain_text(value).map(Value::from),
        Json::Null => Err(Malformed("a claim is null")),
        Json::List(_) | Json::Object(_) => Err(Malformed("a claim is not plain")),
    }
}

/// The values of a list, if all are plain.
fn plain(list: &[Json]) -> Result<Option<Vec<Value>>, Malformed> {
    if list.iter().any(|json| matches!(json, Json::List(_) | Json::Object(_))) {
        return Ok(None);
    }
    list.iter().map(scalar).collect::<Result<_, _>>().map(Some)
}

impl Body for JwtClaims {
    const KIND: Kind = Kind::JwtClaims;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(body);
        let (typ, kid) = (text(reader.short_block()?)?, text(reader.short_block()?)?);
        Self::new(text(reader.rest())?, kid, typ)
    }

    fn write(&self, to: &mut Vec<u8>) {
        short_block(to, self.typ.as_bytes());
        short_block(to, self.kid.as_bytes());
        to.extend_from_slice(self.claims.as_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        let bytes = self.signing_input(key)?.into_bytes();
        if key.is_ecdsa() {
            Some(Message::Hashed { hash: Hash::Sha256, bytes })
        } else {
            Some(Message::Raw(bytes))
        }
    }

    fn add_facts(&self, facts: &mut Facts) {
        for (name, value) in [("kid", &self.kid), ("typ", &self.typ)] {
            if !value.is_empty() {
                facts.add(name, value.to_owned());
            }
        }
        let mut add = |member: &Member<'_>, _: usize| {
            facts.add(format!("{CLAIM}/{}", member.path.join("/")), member.value.clone());
        };
        // `new` has read them before.
        if let Ok(claims) = Json::parse(&self.claims) {
            each(&claims, CLAIM.len(), &mut add).unwrap_or_default();
        }
    }
}
