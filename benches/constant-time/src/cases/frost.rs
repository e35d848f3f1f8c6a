//! FROST: opening a stored share, shifting it to a child key, nonces, a share of a signature.

use super::{Case, Run};
use crate::memory::{hide, show};
use crate::random::{self, Secrets};
use quorate_curve::Curve;
use quorate_frost::session::Parties;
use quorate_frost::{
    Ciphersuite, Dealing, Frost, KeyShare, KeySuite, PublicKeyPackage, Scalar, SigningPackage,
};

macro_rules! cases {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        pub(super) const ALL: &[Case] = &[$((concat!("FROST, ", $title), share::<$suite>)),*];
    };
}

quorate::for_each_frost_suite!(cases);

/// A share whose secret is marked, imported.
pub(super) fn marked<S: KeySuite>(
    share: &KeyShare<S>,
    public: &PublicKeyPackage<S>,
) -> KeyShare<S> {
    let secret = S::Curve::encode_scalar(share.secret_share().secret().expose());
    hide(secret.as_ref());
    KeyShare::import(share.id(), secret.as_ref(), public).expect("its own secret")
}

/// A marked share, shifted as derivation shifts it. What comes out is checked against the shifted key.
fn shifted<S: Ciphersuite>(share: &KeyShare<S>, public: &PublicKeyPackage<S>) {
    let by = public.shared().shift::<Frost<S>>(&Scalar::<S>::from(7), ()).expect("a key");
    let child = share.secret_share().shift(&by).expect("a share of it");
    assert!(child.verifying_share() != share.verifying_share());
}

fn share<S: Ciphersuite>(_: &Run) {
    let parties = Parties::numbered(2).expect("two");
    let dealing = Dealing::<S>::new(2, &parties, &mut random::public(20)).expect("two of two");
    let (group, mut shares) = (dealing.public, dealing.shares.into_iter());
    let mut next = || shares.next().expect("two").accept(2, &group).expect("dealt honestly");
    let (mine, other) = (next(), next());
    let mine = marked(&mine, &group);
    shifted(&mine, &group);
    let (nonces, commitments) = mine.commit(&mut Secrets::new(21));
    let sent = commitments.to_bytes();
    show(&sent);
    let commitments = quorate_frost::Commitments::from_bytes(mine.id(), &sent);
    let commitments = commitments.expect("sent just now");
    let (other_nonces, other_commitments) = other.commit(&mut random::public(22));
    let all = [commitments, other_commitments];
    let package = SigningPackage::new(&group, all, b"watched").expect("two");
    let signed = mine.sign(&package, nonces).expect("a package that fits");
    let sent = signed.to_bytes();
    show(&sent);
    let signed = quorate_frost::SignatureShare::from_bytes(mine.id(), &sent);
    let signed = signed.expect("sent just now");
    let others = other.sign(&package, other_nonces).expect("a package that fits");
    let signature = group.aggregate(&package, &[signed, others]).expect("two good shares");
    group.verifying_key().verify(b"watched", &signature).expect("verifies");
}
