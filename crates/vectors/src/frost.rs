//! The vectors of one suite of FROST for one group.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::frost::generic::{
    Ciphersuite, Dkg, DkgOutput, DkgParams, Frost, KeySuite, NonceBatch, PublicKeyPackage,
    ShareExchange, ShareExchangeParams, Signature, SignatureShare, SigningPackage,
};
use quorate::session::{SealKey, SpentInMemory};
use quorate::{Parties, PartyId};

use crate::json::{Json, object};
use crate::keys::{GENERATION, Group, repair, reshare, stored};
use crate::record::{Detail, Outcome, own};
use crate::run::{Script, Trace};
use crate::seeds::{SEED, Seeds, generator};
use crate::shapes::Shape;
use crate::terms::{Item, Terms, package};

/// The message that is signed.
pub(crate) const MESSAGE: &[u8] = b"quorate test vector";
/// The key under which batches of nonces are sealed.
const SEAL_KEY: [u8; 32] = [4; 32];
/// The number of pairs in a batch.
const PAIRS: usize = 1;

/// The file of a suite and a group.
pub(crate) fn file<S: Ciphersuite>(shape: Shape, seeds: &Seeds<'_>) -> Json {
    let trace = generation::<S>(GENERATION, shape, seeds).honest();
    let mut ceremonies = vec![trace.json(Detail::Full, generated)];
    let group = group(trace);
    let (jsons, signed) = sign("", seeds, &group, &shape.signers());
    ceremonies.extend(jsons);
    ceremonies.push(exchange(seeds, &signed).honest().json(Detail::Full, exchanged));
    let to = (shape.first(), shape.committee());
    let (json, refreshed) = reshare("refresh", seeds, &group, to);
    ceremonies.push(json);
    if let Some(parts) = shape.repair() {
        ceremonies.push(repair("repair", seeds, &refreshed, parts));
    }
    let to = (shape.first(), shape.next());
    let threshold = usize::from(to.1.threshold());
    let (json, moved) = reshare("resharing", seeds, &refreshed, to);
    ceremonies.push(json);
    let signers = Parties::new(moved.shares.keys().rev().take(threshold).copied());
    let signers = signers.expect("signers");
    ceremonies.extend(sign(" after the resharing", seeds, &moved, &signers).0);
    object! {
        "scheme": "FROST",
        "suite": S::CONTEXT,
        "n": shape.all.len(),
        "t": shape.threshold,
        "detail": "full",
        "ceremonies": ceremonies,
    }
}

/// A key generation.
pub(crate) fn generation<S: KeySuite>(
    ceremony: &str,
    shape: Shape,
    seeds: &Seeds<'_>,
) -> Script<Dkg<S>> {
    let suite = Item::Text("suite", S::CONTEXT.to_owned());
    let bound = vec![suite, Item::Number("threshold", shape.threshold.into())];
    let terms = Terms::new(ceremony, seeds, shape.parties(), bound);
    Script::new(terms, seeds, |_| (DkgParams::new(shape.threshold), object! {}))
}

/// The members for the result of a key generation.
pub(crate) fn generated<S: KeySuite>(one: &DkgOutput<S>) -> Outcome {
    stored::<Frost<S>>(&one.public, Some(&one.share))
}

/// The key that a run has made.
pub(crate) fn group<S: KeySuite>(trace: Trace<DkgOutput<S>>) -> Group<Frost<S>> {
    Group::of(trace.into_results().map(|(party, one)| (party, one.public, Some(one.share))))
}

/// The package and the shares of a signature.
pub(crate) struct Signed<S: Ciphersuite> {
    /// The public side of the key.
    pub(crate) public: PublicKeyPackage<S>,
    /// The signing package.
    pub(crate) package: SigningPackage<S>,
    /// The shares of the signature.
    pub(crate) shares: BTreeMap<PartyId, SignatureShare<S>>,
}

/// Nonces, and a signature by a coordinator. `when` ends the names of both ceremonies.
pub(crate) fn sign<S: Ciphersuite>(
    when: &str,
    seeds: &Seeds<'_>,
    group: &Group<Frost<S>>,
    signers: &Parties,
) -> ([Json; 2], Signed<S>) {
    let (nonces, mut batches) = nonces(&format!("nonces{when}"), seeds, group, signers);
    let commitments = batches.values().map(|batch| batch.commitments().next().expect("a pair"));
    let package = SigningPackage::new(&group.public, commitments, MESSAGE).expect("a package");
    let (mut shares, mut players) = (BTreeMap::new(), Vec::new());
    for (party, batch) in &mut batches {
        let claim = batch.claim_for(&group.shares[party], &package).expect("its own pair");
        let record = claim.record();
        let receipt = record.store(&mut SpentInMemory::new()).expect("unspent");
        let (name, digest) = (Json::hex(record.id), Json::hex(record.digest));
        let nonces = claim.release(receipt).expect("its own receipt");
        let share = group.shares[party].sign(&package, nonces).expect("a share");
        players.push(object! {
            "party": party.get(),
            "spent_name": name,
            "spent_digest": digest,
            "signature_share": Json::hex(share.to_bytes()),
        });
        shares.insert(*party, share);
    }
    let all: Vec<_> = shares.values().cloned().collect();
    let signature = group.public.aggregate(&package, &all).expect("a signature");
    let signing = object! {
        "ceremony": format!("signing{when}"),
        "kind": "call",
        "public": Json::hex(group.public.to_bytes()),
        "message": MESSAGE,
        "signing_package": Json::hex(package.to_bytes()),
        "signing_package_digest": Json::hex(package.digest(None)),
        "players": players,
        "signature": signature.to_bytes().as_ref(),
        "checks": checks(&group.public, &signature),
    };
    ([nonces, signing], Signed { public: group.public.clone(), package, shares })
}

/// The outcome of verification, for the message and for another one.
fn checks<S: Ciphersuite>(public: &PublicKeyPackage<S>, signature: &Signature<S>) -> Json {
    let key = public.verifying_key();
    let check = |message: &[u8]| {
        let valid = key.verify(message, signature).is_ok();
        object! { "key": key.as_bytes().as_ref(), "message": message, "valid": valid }
    };
    Json::list([check(MESSAGE), check(b"another message")])
}

/// A batch of each signer.
fn nonces<S: Ciphersuite>(
    ceremony: &str,
    seeds: &Seeds<'_>,
    group: &Group<Frost<S>>,
    signers: &Parties,
) -> (Json, BTreeMap<PartyId, NonceBatch<S>>) {
    let (mut batches, mut players) = (BTreeMap::new(), Vec::new());
    for party in signers.iter() {
        let (seed, share) = (seeds.of(ceremony, party, SEED), &group.shares[&party]);
        let batch = share.precompute(PAIRS, &mut generator(seed));
        let pairs = batch.commitments().map(|pair| Json::hex(pair.to_bytes()));
        let ids = batch.ids().map(|id| Json::hex(id.0));
        players.push(object! {
            "party": party.get(),
            "call_seed": Json::hex(seed),
            "share": Json::hex(share.to_bytes()),
            "pairs": PAIRS,
            "commitments": Json::list(pairs),
            "nonce_ids": Json::list(ids),
            "published_nonces": Json::hex(batch.publish().to_bytes()),
            "seal_key": Json::hex(SEAL_KEY),
            "batch": Json::hex(batch.seal(&SealKey::new(SEAL_KEY))),
        });
        batches.insert(party, batch);
    }
    (object! { "ceremony": ceremony, "kind": "call", "players": players }, batches)
}

/// An exchange of shares, for a signature without a coordinator.
pub(crate) fn exchange<S: Ciphersuite>(
    seeds: &Seeds<'_>,
    signed: &Signed<S>,
) -> Script<ShareExchange<S>> {
    let (public, package) = (Arc::new(signed.public.clone()), Arc::new(signed.package.clone()));
    let mut bound = vec![Item::Text("suite", S::CONTEXT.to_owned())];
    bound.extend(self::package(S::CONTEXT, package.package_id()));
    bound.push(Item::Bytes("signing package", package.digest(None).to_vec()));
    let parties = Parties::new(package.signers().iter().copied()).expect("signers");
    let common = object! {
        "public": Json::hex(public.to_bytes()),
        "signing_package": Json::hex(package.to_bytes()),
    };
    let terms = Terms::new("share exchange", seeds, parties, bound).with(common);
    Script::new(terms, seeds, |party| {
        let share = &signed.shares[&party];
        let params = ShareExchangeParams::new(Arc::clone(&public), Arc::clone(&package), *share);
        (params, object! { "signature_share": Json::hex(share.to_bytes()) })
    })
}

/// The members for the result of an exchange.
pub(crate) fn exchanged<S: Ciphersuite>(signature: &Signature<S>) -> Outcome {
    own(object! { "signature": signature.to_bytes().as_ref() })
}
