//! Signing by Quorate.

use std::rc::Rc;

use quorate::Parties;
use quorate::frost::generic::{
    AggregateError, Ciphersuite, Commitments, Coordinator, Dealing, DealtShare, KeyShare, Nonces,
    Signature, SignatureShare, SigningPackage, SigningSession, VerifyingKey, verify_batch,
};

use super::Dealt;
use crate::{MESSAGE, Routine, generator};

/// One signing run of the first t parties.
pub(super) struct Signing<S: Ciphersuite> {
    package: SigningPackage<S>,
    encoded: Vec<u8>,
    shares: Vec<SignatureShare<S>>,
    signature: Signature<S>,
}

/// Draws the first signer's nonces. They cannot be kept or copied for a second iteration, so every iteration
/// draws the same ones again, outside the measured time.
fn first_nonces<S: Ciphersuite>(dealt: &Dealt<S>) -> (Nonces<S>, Commitments<S>) {
    dealt.signers[0].commit(&mut generator(5))
}

impl<S: Ciphersuite> Signing<S> {
    pub(super) fn new(dealt: &Dealt<S>) -> Self {
        let mut rng = generator(6);
        let others = dealt.signers.iter().skip(1).map(|signer| signer.commit(&mut rng));
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            core::iter::once(first_nonces(dealt)).chain(others).unzip();
        let encoded =
            SigningPackage::new(&dealt.public, commitments, MESSAGE).expect("valid commitments");
        let encoded = encoded.to_bytes();
        // What signers and coordinator work on has come off the wire.
        let package = SigningPackage::from_bytes(&encoded).expect("valid bytes");
        let sign = |(signer, nonces): (&KeyShare<S>, Nonces<S>)| {
            signer.sign(&package, nonces).expect("a signer")
        };
        let shares: Vec<_> = dealt.signers.iter().zip(nonces).map(sign).collect();
        let signature = dealt.public.aggregate(&package, &shares).expect("valid shares");
        Self { package, encoded, shares, signature }
    }

    pub(super) fn round2<'a>(&'a self, dealt: &'a Dealt<S>) -> Routine<'a> {
        Routine::consume(
            || first_nonces(dealt).0,
            |nonces| dealt.signers[0].sign(&self.package, nonces).expect("a valid package"),
        )
    }

    pub(super) fn aggregate<'a>(&'a self, dealt: &'a Dealt<S>) -> Routine<'a> {
        Routine::repeat(|| {
            dealt.public.aggregate(&self.package, &self.shares).expect("valid shares")
        })
    }

    /// A session that has received all shares.
    fn session(&self, coordinator: &Coordinator<S>) -> SigningSession<S> {
        let signers = self.package.signers().iter();
        let commitments =
            signers.map(|id| (*id, self.package.commitments_of(*id).expect("a signer").to_bytes()));
        let mut session = coordinator.start(commitments, MESSAGE).expect("valid commitments");
        for share in &self.shares {
            session.receive(share.id(), &share.to_bytes()).expect("a signer's first share");
        }
        session
    }

    pub(super) fn aggregate_session<'a>(&'a self, dealt: &'a Dealt<S>) -> Routine<'a> {
        let coordinator = Rc::new(Coordinator::new(dealt.public.clone()));
        let starter = Rc::clone(&coordinator);
        Routine::consume(
            move || self.session(&starter),
            move |session| coordinator.aggregate(session).expect("valid shares"),
        )
    }

    pub(super) fn aggregate_each_share<'a>(&'a self, dealt: &'a Dealt<S>) -> Routine<'a> {
        let coordinator = Rc::new(Coordinator::new(dealt.public.clone()));
        let starter = Rc::clone(&coordinator);
        Routine::consume(
            move || self.session(&starter),
            move |session| {
                for share in &self.shares {
                    coordinator.verify_share(&session, share.id()).expect("a valid share");
                }
                coordinator.aggregate(session).expect("valid shares")
            },
        )
    }

    /// The shares at these places (counted from zero) are wrong: each is its left neighbour's.
    pub(super) fn aggregate_bad<'a>(&'a self, dealt: &'a Dealt<S>, bad: &[usize]) -> Routine<'a> {
        let mut shares = self.shares.clone();
        for &place in bad {
            let neighbour = self.shares[place - 1].scalar();
            let id = shares[place].id();
            shares[place] = SignatureShare::from_parts(id, &self.package, neighbour.as_ref())
                .expect("a scalar");
        }
        let bad = bad.len();
        Routine::repeat(move || match dealt.public.aggregate(&self.package, &shares) {
            Err(AggregateError::Cheaters(cheaters)) => assert_eq!(cheaters.len(), bad),
            _ => panic!("the wrong shares went unnoticed"),
        })
    }

    pub(super) fn verify<'a>(&'a self, dealt: &'a Dealt<S>) -> Routine<'a> {
        let key = dealt.public.verifying_key();
        Routine::repeat(|| key.verify(MESSAGE, &self.signature).expect("a valid signature"))
    }

    pub(super) fn encode(&self) -> Routine<'_> {
        Routine::repeat(|| self.package.to_bytes())
    }

    pub(super) fn decode(&self) -> Routine<'_> {
        Routine::repeat(|| SigningPackage::<S>::from_bytes(&self.encoded).expect("valid bytes"))
    }
}

pub(super) fn round1<S: Ciphersuite>(dealt: &Dealt<S>) -> Routine<'_> {
    let mut rng = generator(7);
    Routine::repeat(move || dealt.signers[0].commit(&mut rng))
}

/// 64 signatures under 64 keys.
pub(super) struct Batch<S: Ciphersuite>(Vec<(VerifyingKey<S>, Signature<S>)>);

impl<S: Ciphersuite> Batch<S> {
    pub(super) fn new() -> Self {
        let parties = Parties::numbered(2).expect("two parties");
        let mut rng = generator(8);
        let mut signed = || {
            let dealing = Dealing::<S>::new(2, &parties, &mut rng).expect("a valid size");
            let public = dealing.public;
            let accept = |share: DealtShare<S>| share.accept(2, &public).expect("an honest dealer");
            let signers = dealing.shares.into_iter().map(accept).collect();
            let dealt = Dealt { signers, public };
            let signing = Signing::new(&dealt);
            (*dealt.public.verifying_key(), signing.signature)
        };
        Self((0..64).map(|_| signed()).collect())
    }

    /// From keys and signatures, hashing included.
    pub(super) fn verify(&self) -> Routine<'_> {
        Routine::repeat(|| {
            let items: Vec<_> =
                self.0.iter().map(|(key, signature)| (key, MESSAGE, signature)).collect();
            verify_batch(&items).expect("valid signatures");
        })
    }
}
