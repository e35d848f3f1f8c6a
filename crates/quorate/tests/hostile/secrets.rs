//! Types with secrets may not be copied, compared, serialised, printed.

use core::any::type_name;
use core::fmt::Debug;

use quorate::frost::ed25519::{
    Claim, Dealing, DealtShare, Dkg, DkgOutput, Ed25519Sha512, KeyShare, NonceBatch, Nonces,
    RoastSigner, SigningPackage,
};
use quorate::frost::generic::curve::{Ed25519, Secret};
use quorate::frost::generic::dkg::parts::part1;
use quorate::frost::generic::{
    RandomizerSeed, ReceiptError, Repair, RepairParams, Repaired, Reshare, ReshareParams, Reshared,
    Scalar, SecretShare,
};
use quorate::session::keyring::Keyring;
use quorate::session::{SealKey, SpendReceipt, Step};
use quorate::{Progress, Session, SessionId};

use super::cheat::scalar_bytes;
use super::harness::Hostile;
use super::harness::{Key, id, parties, release, rng, seal_key};
use super::reference::{nonces, secret};

/// Fails to compile if the type implements the trait: then the method is ambiguous.
macro_rules! never {
    ($trait:path: $($type:ty),* $(,)?) => {
        const _: () = {
            trait Ambiguous<Choice> {
                const FINE: () = ();
            }
            impl<T: ?Sized> Ambiguous<()> for T {}
            #[allow(dead_code, reason = "the second choice, for types that have the trait")]
            struct Has;
            impl<T: ?Sized + $trait> Ambiguous<Has> for T {}
            $(let () = <$type as Ambiguous<_>>::FINE;)*
        };
    };
}

/// Every public type that holds a secret: none may implement these traits.
macro_rules! secrets_never {
    ($($trait:path),* $(,)?) => {$(
        never!($trait:
            KeyShare, DealtShare, Dealing, DkgOutput,
            Nonces, NonceBatch, RoastSigner, Claim,
            RandomizerSeed, RepairParams<Ed25519Sha512>, Repaired<Ed25519Sha512>,
            ReshareParams<Ed25519Sha512>, Reshared<Ed25519Sha512>,
            SecretShare<quorate::frost::generic::Frost<Ed25519Sha512>>,
            <quorate::frost::generic::Dkg<Ed25519Sha512> as quorate::session::Protocol>::State,
            Secret<Scalar<Ed25519Sha512>>, Secret<Vec<Scalar<Ed25519Sha512>>>,
            SealKey, Keyring,
            Session<Dkg>, Step<Dkg>, Progress<Dkg>,
            Session<Repair<Ed25519Sha512>>, Session<Reshare<Ed25519Sha512>>,
        );
    )*};
}

secrets_never!(Clone, Copy, PartialEq, Default, serde::Serialize, serde::de::DeserializeOwned);
never!(AsRef<[u8]>: KeyShare, Nonces, NonceBatch, RoastSigner, Claim, SealKey);

/// The answer of a method that the type does not have itself.
struct Absent;

trait Fallback {
    fn to_bytes(&self) -> Absent {
        Absent
    }

    fn seal(&self) -> Absent {
        Absent
    }

    fn encode(&self) -> Absent {
        Absent
    }
}

impl Fallback for Nonces {}
impl Fallback for Claim {}

/// Nonces have no stored form: a batch of them has, and only sealed.
#[test]
fn fr_02_nonces_cannot_be_stored() {
    let key = Key::<Ed25519Sha512>::new(1);
    let (nonces, _) = key.share(1).commit(&mut rng(1));
    let Absent = nonces.to_bytes();
    let Absent = nonces.seal();
    let Absent = nonces.encode();
    let (mut batches, sent) = key.commit(&[1, 5], 1);
    let package = SigningPackage::new(&key.public, sent, b"m").unwrap();
    let batch = &mut batches[0];
    let claim = batch.claim_for(key.share(1), &package).unwrap();
    let Absent = claim.to_bytes();
    let Absent = claim.seal();
    assert!(batch.is_empty() && batch.claim_for(key.share(1), &package).is_err());
    // Spent by value, and spent even where signing is refused.
    let _: fn(&KeyShare, &SigningPackage, Nonces) -> Result<_, _> = KeyShare::sign;
    let _: fn(Claim, SpendReceipt) -> Result<Nonces, ReceiptError> = Claim::release;
}

/// Asserts that the text contains none of these secrets, in hexadecimal or as a list of numbers.
fn silent<T: Debug>(value: &T, secrets: &[Vec<u8>]) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        for window in secrets.iter().flat_map(|secret| secret.windows(4)) {
            if window.iter().all(|byte| *byte == 0) {
                continue;
            }
            let hex: String = window.iter().map(|byte| format!("{byte:02x}")).collect();
            let list: Vec<_> = window.iter().map(u8::to_string).collect();
            let lower = plain.to_lowercase();
            assert!(!lower.contains(&hex), "{}: {text}", type_name::<T>());
            assert!(!lower.contains(&list.join(",")), "{}: {text}", type_name::<T>());
        }
    }
}

fn prints_nothing<S: Hostile>() {
    let key = Key::<S>::new(1);
    let all = parties([1, 2, 5]);
    let share = scalar_bytes::<S>(&secret(key.share(1)));
    let secrets = [share];
    silent(key.share(1), &secrets);
    silent(&quorate::frost::generic::DealtShare::<S>::from_bytes(&key.dealt[0]).unwrap(), &secrets);
    let dealing = quorate::frost::generic::Dealing::<S>::new(2, &all, &mut rng(1)).unwrap();
    silent(&dealing, &secrets);
    silent(&dealing.shares, &secrets);
    let (mut batches, sent) = key.commit(&[1, 5], 3);
    let package = quorate::frost::generic::SigningPackage::new(&key.public, sent, b"m").unwrap();
    let both = nonces(&batches[0]).map(|one| scalar_bytes::<S>(&one));
    silent(&batches[0], &both);
    let claim = batches[0].claim_for(key.share(1), &package).unwrap();
    silent(&claim, &both);
    let released = release(claim);
    silent(&released, &both);
    assert_eq!(format!("{released:?}"), "Nonces { .. }");
    assert_eq!(format!("{:?}", key.share(1)), "KeyShare { id: 1, state: Ready, .. }");
    silent(key.share(1).secret_share(), &secrets);
    silent(&key.dealer(&key.refresh(), id(1)), &secrets);
    silent(&key.part(&key.repair(&[1, 2], 5), id(1)), &secrets);
    let seed = RandomizerSeed::new::<S>(&mut rng(4));
    silent(&seed, &[seed.as_bytes().to_vec()]);
    assert_eq!(format!("{:?}", seal_key()), "SealKey(..)");
    let wrapped = Secret::new(secret(key.share(1)));
    assert_eq!(format!("{wrapped:?}"), "Secret");
    let (polynomial, _) = part1::<S>(id(1), 2, &[0; 32], &mut rng(5)).unwrap();
    silent(&polynomial, &[scalar_bytes::<S>(polynomial.constant())]);

    // A session, its step with shares on their way, and what comes out.
    let mut outputs = super::dkg::keygen::<S>(1, |one| vec![one]).results;
    let output = outputs.remove(&id(1)).unwrap().unwrap();
    silent(&output, &[scalar_bytes::<S>(&secret(&output.share))]);
    let start = |me: u16| {
        Session::<quorate::frost::generic::Dkg<S>>::start(
            SessionId::new([1; 32]),
            id(me),
            &parties([1, 2]),
            quorate::frost::generic::DkgParams::new(2),
            &mut rng(u64::from(me)),
        )
        .unwrap()
    };
    let (mut one, two) = (start(1), start(2));
    one.session.receive(id(2), &two.outgoing[0].bytes).unwrap();
    let Ok(Progress::Round(step)) = one.session.advance() else { panic!("round 2") };
    let sent = step.outgoing[0].bytes[super::dkg::BODY[1]..].to_vec();
    silent(&step, core::slice::from_ref(&sent));
    silent(&Progress::Round(step), &[sent]);
}

#[test]
fn sc_04_debug_prints_no_secret() {
    quorate_testkit::for_every_suite!(prints_nothing);
    fn wiped<T: quorate::session::zeroize::ZeroizeOnDrop>() {}
    wiped::<Secret<Scalar<Ed25519Sha512>>>();
    wiped::<Secret<Vec<<Ed25519 as quorate::frost::generic::curve::Curve>::Scalar>>>();
}
