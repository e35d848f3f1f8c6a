//! Signing by frost-core.

use std::collections::BTreeMap;

use frost_core::keys::{KeyPackage, PublicKeyPackage};
use frost_core::round1::{self, SigningNonces};
use frost_core::round2::{self, SignatureShare};
use frost_core::{
    CheaterDetection, Ciphersuite, Error, Identifier, Signature, SigningKey, SigningPackage,
    VerifyingKey, batch,
};
use quorate_benches::{MESSAGE, Routine};

use super::{Dealt, OldRng};

type Shares<C> = BTreeMap<Identifier<C>, SignatureShare<C>>;

/// One signing run of the first t parties.
pub(super) struct Signing<C: Ciphersuite> {
    signer: KeyPackage<C>,
    nonces: SigningNonces<C>,
    public: PublicKeyPackage<C>,
    package: SigningPackage<C>,
    encoded: Vec<u8>,
    shares: Shares<C>,
    signature: Signature<C>,
}

impl<C: Ciphersuite> Signing<C> {
    pub(super) fn new(dealt: &Dealt<C>) -> Self {
        let mut rng = OldRng::new(5);
        let (mut nonces, mut commitments) = (BTreeMap::new(), BTreeMap::new());
        for (id, key) in &dealt.signers {
            let (secret, public) = round1::commit(key.signing_share(), &mut rng);
            nonces.insert(*id, secret);
            commitments.insert(*id, public);
        }
        let encoded =
            SigningPackage::new(commitments, MESSAGE).serialize().expect("valid commitments");
        // What signers and coordinator work on has come off the wire.
        let package = SigningPackage::deserialize(&encoded).expect("valid bytes");
        let shares = shares(dealt, &package, &nonces);
        let signature =
            frost_core::aggregate(&package, &shares, &dealt.public).expect("valid shares");
        let (id, signer) = dealt.signers.first_key_value().expect("two signers or more");
        Self {
            signer: signer.clone(),
            nonces: nonces[id].clone(),
            public: dealt.public.clone(),
            package,
            encoded,
            shares,
            signature,
        }
    }

    pub(super) fn round2(&self) -> Routine<'_> {
        // Quorate takes nonces by value; the drop of the clone stands for the drop that a user pays here too.
        Routine::consume(
            || self.nonces.clone(),
            |nonces| round2::sign(&self.package, &nonces, &self.signer).expect("a valid package"),
        )
    }

    pub(super) fn aggregate(&self) -> Routine<'_> {
        Routine::repeat(|| {
            frost_core::aggregate(&self.package, &self.shares, &self.public).expect("valid shares")
        })
    }

    /// The shares at these places (counted from zero) are wrong: each is its left neighbour's.
    pub(super) fn aggregate_bad(&self, bad: Vec<usize>) -> Routine<'_> {
        let good: Vec<_> = self.shares.iter().collect();
        let mut shares = self.shares.clone();
        for &place in &bad {
            shares.insert(*good[place].0, *good[place - 1].1);
        }
        Routine::repeat(move || {
            let all = CheaterDetection::AllCheaters;
            match frost_core::aggregate_custom(&self.package, &shares, &self.public, all) {
                Err(Error::InvalidSignatureShare { culprits }) => {
                    assert_eq!(culprits.len(), bad.len())
                }
                _ => panic!("the wrong shares went unnoticed"),
            }
        })
    }

    pub(super) fn verify(&self) -> Routine<'_> {
        let key = self.public.verifying_key();
        Routine::repeat(|| key.verify(MESSAGE, &self.signature).expect("a valid signature"))
    }

    pub(super) fn encode(&self) -> Routine<'_> {
        Routine::repeat(|| self.package.serialize().expect("valid commitments"))
    }

    pub(super) fn decode(&self) -> Routine<'_> {
        Routine::repeat(|| SigningPackage::<C>::deserialize(&self.encoded).expect("valid bytes"))
    }
}

pub(super) fn round1<C: Ciphersuite>(dealt: &Dealt<C>) -> Routine<'_> {
    let mut rng = OldRng::new(6);
    let (_, signer) = dealt.signers.first_key_value().expect("two signers or more");
    Routine::repeat(move || round1::commit(signer.signing_share(), &mut rng))
}

/// The shares of all signers, from one computation of the group commitment. `round2::sign` would do it once
/// per signer, which takes a minute among 667.
fn shares<C: Ciphersuite>(
    dealt: &Dealt<C>,
    package: &SigningPackage<C>,
    nonces: &BTreeMap<Identifier<C>, SigningNonces<C>>,
) -> Shares<C> {
    let key = effective(dealt, package, nonces).verifying_key().to_owned();
    let factors =
        frost_core::compute_binding_factor_list(package, &key, &[]).expect("valid commitments");
    let commitment =
        frost_core::compute_group_commitment(package, &factors).expect("valid commitments");
    let challenge =
        C::challenge(&commitment.clone().to_element(), &key, MESSAGE).expect("valid points");
    let share = |id: &Identifier<C>, negate: bool| {
        let (_, _, key) =
            C::pre_sign(package, &nonces[id], &dealt.signers[id]).expect("a valid key");
        let factor = factors.get(id).expect("a signer").clone();
        let lambda = frost_core::derive_interpolating_value(id, package).expect("a signer");
        let nonces = if negate { negated(&nonces[id]) } else { nonces[id].clone() };
        C::compute_signature_share(&commitment, &nonces, factor, lambda, &key, challenge)
    };
    // Taproot negates the nonces of all signers or of none; `sign` knows which.
    let (first, signer) = dealt.signers.first_key_value().expect("two signers or more");
    let signed = round2::sign(package, &nonces[first], signer).expect("a valid package");
    let negate = share(first, false) != signed;
    assert!(share(first, negate) == signed, "the short cut gives the share that sign gives");
    dealt.signers.keys().map(|id| (*id, share(id, negate))).collect()
}

/// The first signer's key as `sign` uses it: Taproot may negate it.
fn effective<C: Ciphersuite>(
    dealt: &Dealt<C>,
    package: &SigningPackage<C>,
    nonces: &BTreeMap<Identifier<C>, SigningNonces<C>>,
) -> KeyPackage<C> {
    let (first, signer) = dealt.signers.first_key_value().expect("two signers or more");
    let (_, _, key) = C::pre_sign(package, &nonces[first], signer).expect("a valid key");
    key.into_owned()
}

fn negated<C: Ciphersuite>(nonces: &SigningNonces<C>) -> SigningNonces<C> {
    use frost_core::{Field, Group};
    let zero = <<C::Group as Group>::Field as Field>::zero();
    let [hiding, binding] = [nonces.hiding(), nonces.binding()]
        .map(|nonce| round1::Nonce::from_scalar(zero - (*nonce).to_scalar()));
    SigningNonces::from_nonces(hiding, binding)
}

/// 64 signatures under 64 keys.
pub(super) struct Batch<C: Ciphersuite>(Vec<(VerifyingKey<C>, Signature<C>)>);

impl<C: Ciphersuite> Batch<C> {
    pub(super) fn new() -> Self {
        let mut rng = OldRng::new(7);
        Self(
            (0..64)
                .map(|_| {
                    let key = SigningKey::<C>::new(&mut rng);
                    (VerifyingKey::from(&key), key.sign(&mut rng, MESSAGE))
                })
                .collect(),
        )
    }

    /// From keys and signatures, hashing included, as frost-core's own bench does it.
    pub(super) fn verify(&self) -> Routine<'_> {
        let mut rng = OldRng::new(8);
        Routine::repeat(move || {
            let mut verifier = batch::Verifier::<C>::new();
            for (key, signature) in &self.0 {
                verifier.queue(batch::Item::new(*key, *signature, MESSAGE).expect("valid points"));
            }
            verifier.verify(&mut rng).expect("valid signatures");
        })
    }
}
