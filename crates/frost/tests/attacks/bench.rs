//! Suites, a key, and the messages of a signature.

use chacha20::ChaCha20Rng;
use quorate_curve::{Curve, Ed448, Ed25519, Ristretto255, Secp256k1};
use quorate_frost::hash::{WideSha512, WideShake256, XmdSha256};
use quorate_frost::keys::Family as _;
use quorate_frost::session::container::Kind;
use quorate_frost::session::{Continuity, Parties, PartyId, SpentInMemory};
use quorate_frost::{
    Ciphersuite, Claim, Commitments, Coordinator, Dealing, DealtShare, Frost, KeyShare, KeySuite,
    NonceBatch, Nonces, ParentSuite, PointBytes, PublicKeyPackage, Scalar, ScalarBytes,
    SignatureShare, SigningPackage, SigningSession,
};

pub const MESSAGE: &[u8] = b"message";

macro_rules! suites {
    ($($suite:ident: $curve:ty, $hash:ty, $name:literal, $code:literal, $even:literal;)*) => {
        $(#[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $suite;

        impl KeySuite for $suite {
            type Curve = $curve;
            type Hash = $hash;

            const CONTEXT: &'static str = $name;
            const CODE: u8 = $code;
            const EVEN_Y: bool = $even;
        }

        impl Ciphersuite for $suite {
            type SignatureBytes = PointBytes<Self>;

            fn encode_signature(r: &PointBytes<Self>, _: &ScalarBytes<Self>) -> PointBytes<Self> {
                *r
            }
        })*
    };
}

suites! {
    Cheap: Ristretto255, WideSha512, "attacked: ristretto255", 210, false;
    Edwards: Ed25519, WideSha512, "attacked: Ed25519", 211, false;
    Large: Ed448, WideShake256, "attacked: Ed448", 212, false;
    Even: Secp256k1, XmdSha256, "attacked: even keys", 213, true;
}

impl ParentSuite for Edwards {}

/// Calls a function that is generic over the suite for each suite.
#[macro_export]
macro_rules! for_suites {
    ($function:ident) => {{
        use $crate::attacks::bench::{Cheap, Edwards, Even, Large};
        $function::<Cheap>();
        $function::<Edwards>();
        $function::<Large>();
        $function::<Even>();
    }};
}

pub fn rng(seed: u8) -> ChaCha20Rng {
    quorate_testkit::rng(seed)
}

pub fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// A key of which any two sign.
pub struct Key<S: Ciphersuite> {
    pub public: PublicKeyPackage<S>,
    pub shares: Vec<KeyShare<S>>,
}

/// A package, and the honest shares of its signers.
pub struct Signed<S: Ciphersuite> {
    pub package: SigningPackage<S>,
    pub sent: Vec<Commitments<S>>,
    pub shares: Vec<SignatureShare<S>>,
}

impl<S: Ciphersuite> Key<S> {
    pub fn new(parties: u16, seed: u8) -> Self {
        let all = Parties::numbered(parties).unwrap();
        let Dealing { shares, public } = Dealing::new(2, &all, &mut rng(seed)).unwrap();
        let accept = |share: DealtShare<S>| share.accept(2, &public).unwrap();
        Self { shares: shares.into_iter().map(accept).collect(), public }
    }

    /// The key with its shares at another epoch.
    pub fn at_epoch(&self, epoch: u32) -> Self {
        let parties = self.public.parties().clone();
        let verifying: Vec<_> =
            parties.iter().map(|id| self.public.verifying_share(id).unwrap()).collect();
        let key = self.public.verifying_key().as_bytes();
        let public =
            PublicKeyPackage::from_parts(2, epoch, parties, key.as_ref(), &verifying).unwrap();
        let import = |share: &KeyShare<S>| {
            let secret = S::Curve::encode_scalar(share.secret_share().secret().expose());
            let mut share = KeyShare::import(share.id(), secret.as_ref(), &public).unwrap();
            share.confirm();
            share
        };
        Self { shares: self.shares.iter().map(import).collect(), public }
    }

    /// A package that all parties have signed.
    pub fn sign(&self, message: &[u8], seed: u8) -> Signed<S> {
        let mut rng = rng(seed);
        let (nonces, sent): (Vec<_>, Vec<_>) =
            self.shares.iter().map(|share| share.commit(&mut rng)).unzip();
        let package = SigningPackage::new(&self.public, sent.clone(), message).unwrap();
        let sign = |(share, nonces): (&KeyShare<S>, _)| share.sign(&package, nonces).unwrap();
        let shares = self.shares.iter().zip(nonces).map(sign).collect();
        Signed { package, sent, shares }
    }
}

impl<S: Ciphersuite> Signed<S> {
    /// A session of a coordinator, to which all have sent these shares.
    pub fn session(
        &self,
        coordinator: &Coordinator<S>,
        shares: &[SignatureShare<S>],
    ) -> SigningSession<S> {
        let sent = self.sent.iter().map(|one| (one.id(), one.to_bytes()));
        let mut session = coordinator.start(sent, self.package.message()).unwrap();
        for share in shares {
            session.receive(share.id(), &share.to_bytes()).unwrap();
        }
        session
    }

    /// The shares, each with an error.
    pub fn wrong(&self, errors: &[Scalar<S>]) -> Vec<SignatureShare<S>> {
        let errors = self.shares.iter().zip(errors);
        errors.map(|(share, error)| plus(share, &self.package, *error)).collect()
    }
}

pub fn plus<S: Ciphersuite>(
    share: &SignatureShare<S>,
    package: &SigningPackage<S>,
    error: Scalar<S>,
) -> SignatureShare<S> {
    let z = S::Curve::decode_scalar(share.scalar().as_ref()).unwrap() + error;
    let z = S::Curve::encode_scalar(&z);
    SignatureShare::from_parts(share.id(), package, z.as_ref()).unwrap()
}

/// The nonces of a claim, recorded in a table of its own.
pub fn release<S: Ciphersuite>(claim: Claim<S>) -> Nonces<S> {
    let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
    claim.release(receipt).unwrap()
}

/// A batch that was stored and opened.
pub fn reopened<S: Ciphersuite>(batch: &NonceBatch<S>) -> NonceBatch<S> {
    let key = quorate_testkit::lockstep::seal_key();
    NonceBatch::open(&batch.seal(&key), &key, Continuity::StayedUp).unwrap()
}

/// A package of these commitments, by a coordinator that checks nothing.
pub fn forged<S: Ciphersuite>(list: &[Commitments<S>]) -> SigningPackage<S> {
    let label = Frost::<S>::label(Kind { code: 5, name: "", version: 1 });
    let mut form = label.start(0).to_vec();
    list[0].package_id().put(&mut form);
    form.extend(u16::try_from(list.len()).unwrap().to_be_bytes());
    for one in list {
        form.extend(one.id().get().to_be_bytes());
        form.extend([one.hiding().as_ref(), one.binding().as_ref()].concat());
    }
    form.extend(u32::try_from(MESSAGE.len()).unwrap().to_be_bytes());
    form.extend(MESSAGE);
    label.end(&mut form);
    SigningPackage::from_bytes(&form).unwrap()
}

/// A form with the first `from` in it replaced, and its digest made to fit again.
pub fn replaced<S: KeySuite>(form: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = form.windows(from.len()).position(|part| part == from).unwrap();
    Frost::<S>::label(Kind { code: 0, name: "", version: 1 })
        .altered(form, |bytes| bytes[at..at + from.len()].copy_from_slice(to))
}
