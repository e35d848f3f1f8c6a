//! The fixture that every input of a curve starts from: a 2-of-3 key and presignatures of several sets of
//! signers, made once from fixed seeds.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, DerivationPath, Derived, Ecdsa, EcdsaCurve, KeyShare, Keygen, KeygenParams,
    MessageDigest, P256, Presign, PresignMany, PresignManyParams, PresignParams, Presignature,
    PresignatureInfo, PublicKeyPackage, Secp256k1, Signature, SignatureShare,
};
use quorate_frost::keys::Family as _;
use quorate_frost::session::container::{HEADER, Kind, Label, NO_CURVE};
use quorate_frost::session::{Parties, PartyId, SessionId, SpentInMemory};
use quorate_paillier::Level;
use quorate_testkit::fixtures;

use crate::fixture::{MESSAGE, THRESHOLD, id, parties, rng};
use crate::generation::{Generation, Run, record};

/// The code is the same at every level, and a run at this one takes milliseconds.
pub(crate) const LEVEL: Level = Level::Toy;

/// The signers of a presignature, and whether their shares are of a derived key.
const SIGNERS: [(&[u16], bool); 5] =
    [(&[1, 2], false), (&[1, 2], false), (&[2, 3], false), (&[1, 2, 3], false), (&[1, 3], true)];

/// A curve, with another implementation of it.
pub(crate) trait Suite: EcdsaCurve {
    fn fixture() -> &'static Fixture<Self>;
    /// A run of all three.
    fn presigning() -> &'static Run<Presign<Self>>;
    /// A run of all three, for several presignatures.
    fn presigning_many() -> &'static Run<PresignMany<Self>>;
    /// Returns whether another implementation takes these bytes for a key.
    fn is_key(key: &[u8]) -> bool;
    /// Returns whether another implementation verifies r ‖ s, however large s is.
    fn verifies(key: &[u8], digest: &[u8; 32], signature: &[u8]) -> bool;
    /// r ‖ s of what another implementation takes for a signature in DER.
    fn compact_of_der(der: &[u8]) -> Option<[u8; 64]>;
    /// Returns whether points add up to a point, or to the generator, by another implementation.
    fn sums_up(points: &[&[u8]], sum: Option<&[u8]>) -> bool;
    /// The key that another implementation recovers.
    fn recovers(digest: &[u8; 32], signature: &[u8], recovery: u8) -> Option<[u8; 33]>;
}

pub(crate) struct Fixture<C: Suite> {
    pub(crate) keygen: Run<Keygen<C>>,
    pub(crate) shares: Vec<Arc<KeyShare<C>>>,
    /// Of a key derived from the first.
    pub(crate) children: Vec<Arc<KeyShare<C>>>,
    pub(crate) presignatures: Vec<Made<C>>,
    /// Of the first presignature, by its two signers.
    pub(crate) signature_shares: Vec<SignatureShare<C>>,
    pub(crate) signature: Signature<C>,
}

/// A message, and the path to the key that signs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) path: &'static [u32],
    pub(crate) message: &'static [u8],
}

/// The message of the fixture, under the key itself.
pub(crate) const ORDER: Order = Order { path: &[], message: MESSAGE };

impl Order {
    pub(crate) fn path(self) -> DerivationPath {
        DerivationPath::new(self.path.iter().copied()).expect("not hardened")
    }
}

/// A presignature, as stored by each of its signers.
pub(crate) struct Made<C: EcdsaCurve> {
    pub(crate) info: PresignatureInfo<C>,
    pub(crate) stored: BTreeMap<PartyId, Vec<u8>>,
    /// The shares that it was made with, of all parties of the key.
    pub(crate) shares: Vec<Arc<KeyShare<C>>>,
}

impl<C: Suite> Fixture<C> {
    pub(crate) fn new() -> Self {
        let (keygen, shares) = Run::new();
        let path = DerivationPath::new([7]).expect("not hardened");
        let child = |share: &KeyShare<C>| Arc::new(share.derive(&path).expect("a child"));
        let children: Vec<_> = shares.iter().map(child).collect();
        let shares: Vec<_> = shares.into_iter().map(Arc::new).collect();
        let make = |(number, (signers, derived)): (u8, &(&[u16], bool))| {
            Made::new(number, signers, if *derived { &children } else { &shares })
        };
        let presignatures: Vec<_> = (20..).zip(&SIGNERS).map(make).collect();
        let first: &Made<C> = &presignatures[0];
        let signature_shares: Vec<_> =
            first.stored.keys().map(|party| first.owed(*party, ORDER)).collect();
        let sent = signature_shares.iter().map(|share| (share.id(), share.to_bytes()));
        let signature = first
            .info
            .aggregate(&first.child(ORDER), MessageDigest::sha256(MESSAGE), sent)
            .expect("honest signers");
        Self { keygen, shares, children, presignatures, signature_shares, signature }
    }
}

impl<C: EcdsaCurve> Made<C> {
    fn new(number: u8, signers: &[u16], shares: &[Arc<KeyShare<C>>]) -> Self {
        let signers = Parties::new(signers.iter().map(|signer| id(*signer))).expect("two at least");
        let sid = SessionId::new([number; 32]);
        let record = record::<Presign<C>>(sid, &signers, |me| presigning(me, shares), |_| {});
        let open = |result: Result<Presignature<C>, _>| result.expect("nobody cheats");
        let made: Vec<_> = record.results.into_values().map(open).collect();
        let info = made[0].info().clone();
        let stored = made.iter().map(|one| (one.party_id(), one.to_bytes().to_vec())).collect();
        Self { info, stored, shares: shares.to_vec() }
    }

    /// The share of the key that a party has.
    pub(crate) fn share(&self, party: PartyId) -> &KeyShare<C> {
        self.shares.iter().find(|share| share.id() == party).expect("a party")
    }

    /// A signer's part, as often as it is asked for.
    pub(crate) fn part(&self, party: PartyId) -> Option<Presignature<C>> {
        let stored = self.stored.get(&party)?;
        Some(Presignature::from_bytes(stored).expect("just stored"))
    }

    /// The key that signs an order.
    pub(crate) fn child(&self, order: Order) -> Derived<C> {
        self.shares[0].public().derivation(&order.path()).expect("the chance is nil")
    }

    /// A signer's share for an order.
    pub(crate) fn owed(&self, party: PartyId, order: Order) -> SignatureShare<C> {
        let part = self.part(party).expect("a signer");
        let claim =
            part.claim(self.share(party), &order.path(), MessageDigest::sha256(order.message));
        let claim = claim.expect("the share of its signer");
        let receipt = claim.record().store(&mut SpentInMemory::new()).expect("unspent");
        claim.release(receipt).expect("its own receipt")
    }
}

pub(crate) fn presigning<C: EcdsaCurve>(
    me: PartyId,
    shares: &[Arc<KeyShare<C>>],
) -> PresignParams<C> {
    let place = parties().position(me).expect("a party");
    PresignParams::new(Arc::clone(&shares[place]), Arc::clone(&aux()[place]))
}

pub(crate) fn engine() -> Engine {
    Engine::detect()
}

/// The auxiliary information of all parties. The proofs are not in the stored form, so they need not be
/// made.
pub(crate) fn aux() -> &'static [Arc<AuxInfo>] {
    static AUX: OnceLock<Vec<Arc<AuxInfo>>> = OnceLock::new();
    AUX.get_or_init(|| {
        let stored = [0, 1, 2].map(stored_aux);
        stored
            .iter()
            .map(|bytes| AuxInfo::from_bytes(LEVEL, bytes).expect("proper moduli"))
            .map(Arc::new)
            .collect()
    })
}

/// Version of the set of proofs ‖ confirmed ‖ party ‖ parties ‖ rid ‖ for each N ‖ N̂ ‖ s ‖ t ‖ twice length and
/// own secrets.
fn stored_aux(place: usize) -> Vec<u8> {
    let engine = engine();
    let mut rng = rng(150);
    let keys = [0, 1, 2].map(|index| fixtures::decryption_key(&engine, LEVEL, index));
    let keys = keys.map(|key| key.expect("a fixture"));
    let setups =
        [0, 1, 2].map(|index| fixtures::pedersen_trapdoor(&engine, LEVEL, index, &mut rng));
    let setups = setups.map(|setup| setup.expect("a fixture"));
    let own = id(u16::try_from(place).expect("small") + 1);
    let kind = Kind { code: AUX_INFO, name: "", version: 1 };
    let label = Label { kind, curve: NO_CURVE, family: FAMILY, family_code: LEVEL_CODE };
    let mut bytes = label.start(0).to_vec();
    bytes.extend([1, 1]);
    bytes.extend(own.get().to_be_bytes());
    bytes.extend(3u16.to_be_bytes());
    parties().iter().for_each(|party| bytes.extend(party.get().to_be_bytes()));
    bytes.extend([8; 32]);
    for (key, setup) in keys.iter().zip(&setups) {
        bytes.extend(key.encryption_key().to_bytes());
        bytes.extend(setup.pedersen().to_bytes());
    }
    for secret in [keys[place].to_secret_bytes(), setups[place].to_secret_bytes()] {
        bytes.extend(u32::try_from(secret.len()).expect("short").to_be_bytes());
        bytes.extend_from_slice(&secret);
    }
    ended(bytes)
}

const AUX_INFO: u8 = 35;
const LEVEL_CODE: u8 = 0x80 | LEVEL.code();
/// The family of what has moduli of [`LEVEL`].
const FAMILY: &str = "moduli of another length";
/// Bytes of the digest that stored forms end with.
pub(crate) const DIGEST: usize = 32;

/// A stored form from all of it but the digest; its length is made to fit as well.
pub(crate) fn ended(mut bytes: Vec<u8>) -> Vec<u8> {
    let kind = Kind { code: 0, name: "", version: 1 };
    let family = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let none = |family| Label { kind, curve: NO_CURVE, family, family_code: 0 };
    let label = match family(HEADER - 5) {
        36 => Ecdsa::<P256>::label(kind),
        37 => Ecdsa::<Secp256k1>::label(kind),
        0 => none("quorate-cggmp"),
        _ => none(FAMILY),
    };
    label.end(&mut bytes);
    bytes
}

impl<C: Suite> Generation for Keygen<C> {
    type Public = PublicKeyPackage<C>;

    fn params(_: PartyId) -> KeygenParams<C> {
        KeygenParams::new(THRESHOLD)
    }

    fn run() -> &'static Run<Self> {
        &C::fixture().keygen
    }

    fn public(me: PartyId, share: &KeyShare<C>) -> PublicKeyPackage<C> {
        assert_eq!(share.id(), me);
        share.public().clone()
    }
}

/// Presigning by all three parties, frame by frame.
impl<C: Suite> Generation for Presign<C> {
    type Public = PresignatureInfo<C>;

    /// Round 2 broadcasts digests of products that nobody else looks into unless sums are wrong.
    const LATE: bool = true;

    fn params(me: PartyId) -> PresignParams<C> {
        presigning(me, &C::fixture().shares)
    }

    fn run() -> &'static Run<Self> {
        C::presigning()
    }

    fn public(me: PartyId, presignature: &Presignature<C>) -> PresignatureInfo<C> {
        assert_eq!(presignature.party_id(), me);
        presignature.info().clone()
    }
}

/// Presignatures of a run of [`PresignMany`].
const COUNT: u16 = 2;

/// Presigning of several by all three parties, frame by frame.
impl<C: Suite> Generation for PresignMany<C> {
    type Public = Vec<PresignatureInfo<C>>;

    const LATE: bool = Presign::<C>::LATE;

    fn params(me: PartyId) -> PresignManyParams<C> {
        PresignManyParams::new(presigning(me, &C::fixture().shares), COUNT)
    }

    fn run() -> &'static Run<Self> {
        C::presigning_many()
    }

    fn public(me: PartyId, made: &Vec<Presignature<C>>) -> Vec<PresignatureInfo<C>> {
        assert!(made.len() == usize::from(COUNT) && made.iter().all(|one| one.party_id() == me));
        made.iter().map(|one| one.info().clone()).collect()
    }
}

macro_rules! suite {
    ($curve:ident, $name:ident) => {
        impl Suite for $curve {
            fn fixture() -> &'static Fixture<Self> {
                static FIXTURE: OnceLock<Fixture<$curve>> = OnceLock::new();
                FIXTURE.get_or_init(Fixture::new)
            }

            fn presigning() -> &'static Run<Presign<Self>> {
                static RUN: OnceLock<Run<Presign<$curve>>> = OnceLock::new();
                RUN.get_or_init(|| Run::new().0)
            }

            fn presigning_many() -> &'static Run<PresignMany<Self>> {
                static RUN: OnceLock<Run<PresignMany<$curve>>> = OnceLock::new();
                RUN.get_or_init(|| Run::new().0)
            }

            fn sums_up(points: &[&[u8]], sum: Option<&[u8]>) -> bool {
                use ::$name::elliptic_curve::sec1::FromSec1Point;
                use ::$name::{ProjectivePoint, PublicKey, Sec1Point};
                let read = |bytes: &&[u8]| {
                    let point = Sec1Point::from_bytes(bytes).expect("a point");
                    let key: Option<PublicKey> = PublicKey::from_sec1_point(&point).into();
                    key.expect("on the curve").to_projective()
                };
                let total: ProjectivePoint = points.iter().map(read).sum();
                total == sum.map_or(ProjectivePoint::GENERATOR, |sum| read(&sum))
            }

            fn is_key(key: &[u8]) -> bool {
                ::$name::ecdsa::VerifyingKey::from_sec1_bytes(key).is_ok()
            }

            fn verifies(key: &[u8], digest: &[u8; 32], signature: &[u8]) -> bool {
                use ::$name::ecdsa::signature::hazmat::PrehashVerifier;
                let key = ::$name::ecdsa::VerifyingKey::from_sec1_bytes(key).expect("a key");
                let signature = ::$name::ecdsa::Signature::from_slice(signature);
                let Ok(signature) = signature else { return false };
                // One of the two takes the smaller s only.
                key.verify_prehash(digest, &signature.normalize_s()).is_ok()
            }

            fn compact_of_der(der: &[u8]) -> Option<[u8; 64]> {
                Some(::$name::ecdsa::Signature::from_der(der).ok()?.to_bytes().into())
            }

            fn recovers(digest: &[u8; 32], signature: &[u8], recovery: u8) -> Option<[u8; 33]> {
                use ::$name::ecdsa::{RecoveryId, Signature, VerifyingKey};
                let signature = Signature::from_slice(signature).ok()?;
                let recovery = RecoveryId::from_byte(recovery)?;
                let key = VerifyingKey::recover_from_prehash(digest, &signature, recovery).ok()?;
                key.to_sec1_point(true).as_bytes().try_into().ok()
            }
        }
    };
}

suite!(Secp256k1, k256);
suite!(P256, p256);
