//! The key material of all fake nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use custody_core::{Certificate, Child, KeyId, KeySpec, RequestId, Root, Scheme};
use quorate::PartyId;
use quorate::ecdsa::Secp256k1;
use quorate::frost::ed25519;
use quorate_cggmp::Presignature;
use quorate_envelope::DirectoryId;
use quorate_testkit::ecdsa::Group;

use super::{party, rng};

/// The shares of a node.
pub enum Share {
    Ed25519(ed25519::KeyShare),
    Ecdsa(PartyId),
    /// The whole key: what the signers do together is not the gateway's affair.
    MlDsa(Box<MlDsaKey>),
}

pub type MlDsaKey = ml_dsa::SigningKey<ml_dsa::MlDsa65>;

/// A pair of nonces, or a presignature.
pub enum Ready {
    Nonces(ed25519::Nonces, ed25519::Commitments),
    Presignature(Box<Presignature<Secp256k1>>),
}

/// A key, and what each node has of it.
pub struct Held {
    pub certificate: Certificate,
    pub request: RequestId,
    pub shares: BTreeMap<PartyId, Share>,
    pub group: Option<Group<Secp256k1>>,
    pub ready: BTreeMap<PartyId, BTreeMap<[u8; 32], Ready>>,
    /// The presignatures of a run that are for nodes which have not taken them yet.
    runs: BTreeMap<[u8; 32], BTreeMap<PartyId, Vec<Presignature<Secp256k1>>>>,
    sessions: u8,
    pub is_enabled: bool,
    /// The statements of members about new shares.
    pub statements: BTreeMap<PartyId, Vec<Vec<u8>>>,
}

/// A node, a request, and the material that was spent for it.
pub type Place = (PartyId, RequestId, Vec<u8>);

#[derive(Default)]
pub struct Materials {
    pub keys: Mutex<BTreeMap<KeyId, Held>>,
    /// The shares that were given: by node, request and material.
    pub given: Mutex<BTreeMap<Place, Vec<u8>>>,
    /// The nodes with which no attempt of all signers comes to an end.
    pub spoilers: Mutex<BTreeSet<PartyId>>,
}

impl Materials {
    /// Deals a key.
    pub fn make(&self, spec: &KeySpec, request: RequestId, directory: DirectoryId) -> KeyId {
        let held = match spec.scheme {
            Scheme::Ed25519 => ed25519_key(spec, request, directory),
            Scheme::EcdsaSecp256k1 => ecdsa_key(spec, request, directory),
            Scheme::MlDsa65 => mldsa_key(spec, request, directory),
            other => panic!("{other}"),
        };
        let key = held.certificate.key;
        self.keys.lock().unwrap().insert(key, held);
        key
    }

    /// The key that a request has made.
    pub fn made_by(&self, request: RequestId) -> Option<KeyId> {
        let keys = self.keys.lock().unwrap();
        keys.iter().find(|(_, held)| held.request == request).map(|(key, _)| *key)
    }
}

fn certificate(
    spec: &KeySpec,
    directory: DirectoryId,
    root: Root,
    package: Vec<u8>,
) -> Certificate {
    let public_key = root.public_key(spec.scheme, &Child::default()).unwrap();
    Certificate {
        key: KeyId::of(spec.scheme, &public_key),
        spec: spec.clone(),
        public_key,
        package,
        epoch: 0,
        root: Some(root),
        directory,
    }
}

fn held(certificate: Certificate, request: RequestId, shares: BTreeMap<PartyId, Share>) -> Held {
    Held {
        certificate,
        request,
        shares,
        group: None,
        ready: BTreeMap::new(),
        runs: BTreeMap::new(),
        sessions: 10,
        is_enabled: true,
        statements: BTreeMap::new(),
    }
}

fn ed25519_key(spec: &KeySpec, request: RequestId, directory: DirectoryId) -> Held {
    let parties = quorate::Parties::new(spec.members.iter().copied()).unwrap();
    let dealt = ed25519::Dealing::new(spec.threshold, &parties, &mut rng()).unwrap();
    let public = dealt.public;
    let shares = dealt.shares.into_iter().map(|share| {
        let id = share.id();
        (id, Share::Ed25519(share.accept(spec.threshold, &public).unwrap()))
    });
    let point = public.verifying_key().as_bytes().to_vec();
    let root = Root { point, chain_code: public.public_chain_code() };
    held(certificate(spec, directory, root, public.to_bytes()), request, shares.collect())
}

fn ecdsa_key(spec: &KeySpec, request: RequestId, directory: DirectoryId) -> Held {
    let numbers: Vec<u16> = spec.members.iter().map(|party| party.get()).collect();
    let group = Group::<Secp256k1>::of(&numbers, spec.threshold);
    let public = group.keys[0].public();
    let point = public.verifying_key().as_bytes().to_vec();
    let root = Root { point, chain_code: *public.chain_code() };
    let certificate = certificate(spec, directory, root, public.to_bytes());
    let shares = numbers.iter().map(|number| (party(*number), Share::Ecdsa(party(*number))));
    Held { group: Some(group), ..held(certificate, request, shares.collect()) }
}

fn mldsa_key(spec: &KeySpec, request: RequestId, directory: DirectoryId) -> Held {
    let mut seed = ml_dsa::Seed::default();
    getrandom::fill(&mut seed).unwrap();
    let share = |party: &PartyId| (*party, Share::MlDsa(Box::new(MlDsaKey::from_seed(&seed))));
    let public_key = MlDsaKey::from_seed(&seed).expanded_key().verifying_key().encode().to_vec();
    let certificate = Certificate {
        key: KeyId::of(spec.scheme, &public_key),
        spec: spec.clone(),
        public_key,
        package: vec![],
        epoch: 0,
        root: None,
        directory,
    };
    held(certificate, request, spec.members.iter().map(share).collect())
}

impl Held {
    /// Fills a node's nonces up to a number.
    pub fn make_nonces(&mut self, node: PartyId, count: u16) {
        let Share::Ed25519(share) = &self.shares[&node] else { panic!("no nonces") };
        let ready = self.ready.entry(node).or_default();
        while ready.len() < usize::from(count) {
            let (nonces, commitments) = share.commit(&mut rng());
            ready.insert(nonces.id().0, Ready::Nonces(nonces, commitments));
        }
    }

    /// Runs presigning once for all signers, and gives a node its part.
    pub fn presign(&mut self, node: PartyId, run: [u8; 32], signers: &[PartyId], count: u16) {
        if !self.runs.contains_key(&run) {
            let numbers: Vec<u16> = signers.iter().map(|party| party.get()).collect();
            self.sessions += 1;
            let made = self.group.as_ref().unwrap().presign_many(self.sessions, &numbers, count);
            self.runs.insert(run, signers.iter().copied().zip(made).collect());
        }
        let made = self.runs.get_mut(&run).unwrap().remove(&node).unwrap_or_default();
        let ready = self.ready.entry(node).or_default();
        for one in made {
            ready.insert(one.info().id().name(), Ready::Presignature(Box::new(one)));
        }
    }

    /// The public sides of what a node has ready, by ascending name.
    pub fn stock(&self, node: PartyId) -> Vec<Vec<u8>> {
        let public = |ready: &Ready| match ready {
            Ready::Nonces(_, commitments) => commitments.to_bytes(),
            Ready::Presignature(presignature) => presignature.info().to_bytes(),
        };
        self.ready.get(&node).into_iter().flat_map(BTreeMap::values).map(public).collect()
    }
}
