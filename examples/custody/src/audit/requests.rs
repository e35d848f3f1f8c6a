//! Requests, by the gateway: how each ended, when, and whether others verify its signature.

use std::collections::BTreeMap;

use quorate::frost::ed25519;
use quorate::runner::Time;
use quorate_cggmp::{DerivationPath, PublicKeyPackage, Secp256k1, Signature};
use quorate_examples::failure::Failure;
use quorate_examples::verifiers;

use super::claims::short;
use super::{Bounds, Check, Places, open};
use crate::request::{Scheme, SignedRequest};
use crate::sql::{Db, Row, Sql};

pub(super) const ENDS: &str = "every accepted request ended, signed or with a reason, in time";
pub(super) const VERIFIES: &str = "every signature is of its request, by other verifiers";

/// The public side of a key.
#[allow(clippy::large_enum_variant, reason = "there are few")]
enum Public {
    Ecdsa(PublicKeyPackage<Secp256k1>),
    Ed25519(ed25519::PublicKeyPackage),
}

struct Request {
    key: [u8; 16],
    digest: [u8; 32],
    signed: SignedRequest,
    state: i64,
    result: Vec<u8>,
    public: Vec<u8>,
    why: String,
    ended: Option<Time>,
}

pub(super) fn check(places: &Places, bounds: &Bounds) -> Result<Vec<Check>, Failure> {
    let (mut ends, mut verifies) = (Check::new(ENDS), Check::new(VERIFIES));
    let mut db = open(&places.gateway)?;
    let keys = keys(&mut db)?;
    let sql = "SELECT key, digest, signed, state, result, public, why, ended FROM requests";
    for row in db.query(sql, &[])? {
        let request = read(row)?;
        ends.looked();
        if let Some(finding) = ended(&request, bounds) {
            ends.found(format!("request {}: {finding}", short(&request.key)));
        }
        if request.state == SIGNED {
            verifies.looked();
            if let Some(finding) = wrong(&request, &keys) {
                verifies.found(format!("request {}: {finding}", short(&request.key)));
            }
        }
    }
    Ok(vec![ends, verifies])
}

/// The states of a request that has ended: signed, refused, and refused with a share out perhaps.
const SIGNED: i64 = 2;
const REFUSED: [i64; 2] = [3, 4];

fn ended(request: &Request, bounds: &Bounds) -> Option<String> {
    let deadline = request.signed.request.deadline;
    let latest = deadline.saturating_add(bounds.slack);
    if !REFUSED.contains(&request.state) && request.state != SIGNED {
        let late = latest < bounds.now;
        return late.then(|| {
            format!("open, {} ms after its deadline", bounds.now.saturating_sub(deadline))
        });
    }
    if REFUSED.contains(&request.state) && request.why.trim().is_empty() {
        return Some("refused without a reason".to_owned());
    }
    match request.ended {
        None => Some("ended, and nobody knows when".to_owned()),
        Some(ended) if ended > latest => {
            Some(format!("ended {} ms after its deadline", ended.saturating_sub(deadline)))
        }
        Some(_) => None,
    }
}

fn wrong(one: &Request, keys: &BTreeMap<[u8; 16], Public>) -> Option<String> {
    let request = &one.signed.request;
    if request.key.0 != one.key || request.digest() != one.digest {
        return Some("another request than the one that was accepted".to_owned());
    }
    if !one.signed.verifies() {
        return Some("its requester has not signed it".to_owned());
    }
    let key = keys.get(&request.key_id.0).and_then(|key| public_key(key, &request.path));
    if key.as_ref() != Some(&one.public) {
        return Some("signed by another key than was asked for".to_owned());
    }
    let good = match request.scheme {
        Scheme::Ed25519 => verifiers::ed25519(&one.public, &request.message, &one.result),
        Scheme::Ecdsa => <&[u8; 65]>::try_from(one.result.as_slice()).is_ok_and(|bytes| {
            Signature::<Secp256k1>::from_recoverable(bytes).is_ok_and(|one_of| {
                let compact = one_of.to_compact();
                verifiers::ecdsa_secp256k1(&one.public, &request.message, &compact)
            })
        }),
    };
    (!good).then(|| "the signature does not verify".to_owned())
}

fn public_key(key: &Public, path: &DerivationPath) -> Option<Vec<u8>> {
    match key {
        Public::Ecdsa(info) => Some(info.derivation(path).ok()?.key.as_bytes().to_vec()),
        Public::Ed25519(public) => {
            path.indices().is_empty().then(|| public.verifying_key().as_bytes().to_vec())
        }
    }
}

fn keys(db: &mut Db) -> Result<BTreeMap<[u8; 16], Public>, Failure> {
    let mut keys = BTreeMap::new();
    for mut row in db.query("SELECT id, scheme, public FROM keys", &[])? {
        let (id, bytes) = (row.array(0)?, row.bytes(2)?);
        let public = match Scheme::from_code(row.number(1)?) {
            Some(Scheme::Ecdsa) => Public::Ecdsa(PublicKeyPackage::from_bytes(&bytes)?),
            Some(Scheme::Ed25519) => {
                Public::Ed25519(ed25519::PublicKeyPackage::from_bytes(&bytes)?)
            }
            None => return Err(Failure::new("a key of an unknown scheme")),
        };
        keys.insert(id, public);
    }
    Ok(keys)
}

fn read(mut row: Row) -> Result<Request, Failure> {
    let signed = SignedRequest::from_bytes(&row.bytes(2)?);
    Ok(Request {
        key: row.array(0)?,
        digest: row.array(1)?,
        signed: signed.ok_or_else(|| Failure::new("a request of the gateway is damaged"))?,
        state: row.int(3)?,
        result: row.bytes_if(4)?.unwrap_or_default(),
        public: row.bytes_if(5)?.unwrap_or_default(),
        why: row.text_if(6)?.unwrap_or_default(),
        ended: row.number_if(7)?,
    })
}
