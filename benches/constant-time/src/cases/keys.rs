//! The life of a key: a share's health, backups, a resharing, a whole key dealt and put together.

use core::marker::PhantomData;

use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1, random_nonzero_scalar};
use quorate_keys::session::wire::Reader;
use quorate_keys::session::{Parties, Session, SessionId};
use quorate_keys::single_point_of_failure::{export, import};
use quorate_keys::{
    Backup, BackupKey, Committee, Drill, Family, HealthChallenge, KeyTypes, Reshare, ReshareParams,
    ResharePlan, Reshared, Secret, SecretShare, ShareHealth, ShareState, SharedKey,
};
use quorate_sharing::Polynomial;
use quorate_testkit::lockstep::honest;

use super::{Case, Run};
use crate::memory::{hide, show, show_value};
use crate::random::{self, Secrets};

pub(super) const ALL: &[Case] = &[
    ("keys, secp256k1", every::<Secp256k1>),
    ("keys, Ed25519", every::<Ed25519>),
    ("keys, P-256", every::<P256>),
    ("keys, ristretto255", every::<Ristretto255>),
    ("keys, Ed448", every::<Ed448>),
];

pub(super) const TWO: &[Case] =
    &[("keys, secp256k1", every::<Secp256k1>), ("keys, Ed25519", every::<Ed25519>)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Of<C>(PhantomData<C>);

impl<C: Curve> Family for Of<C> {
    type Curve = C;
    type Extra = ();

    const NAME: &'static str = C::NAME;
    const CODE: u8 = 200;

    fn put_extra((): &(), _: &mut Vec<u8>) {}

    fn read_extra(_: &mut Reader<'_>) -> Option<()> {
        Some(())
    }
}

impl<C: Curve> KeyTypes for Of<C> {
    type Public = SharedKey<Self>;
    type Share = SecretShare<Self>;

    fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
        shared
    }

    fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
        share
    }
}

/// A key of two parties, and its shares with their secrets marked.
struct Key<C: Curve> {
    public: SharedKey<Of<C>>,
    shares: Vec<SecretShare<Of<C>>>,
}

fn marked<C: Curve>(scalar: &C::Scalar) -> Secret<C::Scalar> {
    let encoded = C::encode_scalar(scalar);
    hide(encoded.as_ref());
    Secret::new(C::decode_scalar(encoded.as_ref()).expect("below the order"))
}

impl<C: Curve> Key<C> {
    fn new() -> Self {
        let f = Polynomial::<C>::random(2, &mut random::public(50)).expect("random");
        let parties = Parties::numbered(2).expect("two");
        let committee = Committee::new(parties.clone(), 2).expect("two of two");
        let public = SharedKey::new(committee, 0, f.commit(), ()).expect("a key");
        let share = |party| {
            let secret = marked::<C>(&f.evaluate(party));
            SecretShare::new(party, &public, secret, ShareState::Ready).expect("its share")
        };
        let shares = parties.iter().map(share).collect();
        Self { public, shares }
    }
}

fn every<C: Curve>(_: &Run) {
    let key = Key::<C>::new();
    backup(&key);
    whole(&key);
    reshare(&key);
}

fn backup<C: Curve>(Key { public, shares }: &Key<C>) {
    let share = &shares[0];
    let asked = HealthChallenge::from_bytes([1; 32]);
    let sent = share.prove_health(&asked, &mut Secrets::new(51)).to_bytes();
    show(&sent);
    let health = ShareHealth::<Of<C>>::from_bytes(&sent).expect("sent just now");
    health.verify(public, share.id(), &asked).expect("its share");
    let offline = BackupKey::<Of<C>>::generate(&mut Secrets::new(52)).expect("random");
    let recipient = offline.recipient();
    let sealed = Backup::seal(share, public, recipient, b"watched", &mut Secrets::new(53));
    let sent = sealed.expect("its share").to_bytes();
    show(&sent);
    let backup = Backup::<Of<C>>::from_bytes(&sent).expect("sealed just now");
    backup.verify(public, recipient).expect("sealed honestly");
    let drill = offline.drill(&backup, public, &asked, &mut Secrets::new(54));
    let sent = drill.expect("its key").to_bytes();
    show(&sent);
    let drill = Drill::<Of<C>>::from_bytes(&sent).expect("sent just now");
    drill.verify(&backup, public, &asked).expect("it opens");
}

fn whole<C: Curve>(Key { public, shares }: &Key<C>) {
    let mut key = *export(public, shares).expect("both shares").expose();
    show_value(&mut key);
    assert!(C::mul_base(&key) == *public.key());
    let scalar = random_nonzero_scalar::<C>(&mut random::public(55)).expect("random");
    let committee = public.committee().clone();
    let dealt = import::<Of<C>>(marked::<C>(&scalar), committee, (), &mut random::public(56));
    let sent = dealt.expect("a key").public.to_bytes();
    show(&sent);
    let dealt = SharedKey::<Of<C>>::from_bytes(&sent).expect("dealt just now");
    assert!(*dealt.key() == C::mul_base(&scalar));
}

/// A refresh by both: dealing, receiving, confirming.
fn reshare<C: Curve>(Key { public, shares }: &Key<C>) {
    let parties = public.parties().clone();
    let plan = ResharePlan::new(public, parties.clone(), public.committee().clone());
    let plan = plan.expect("all deal");
    let start = |share: &SecretShare<Of<C>>| {
        let part = ReshareParams::dealer(&plan, share).expect("a dealer");
        let seed = u8::try_from(share.id().get()).expect("two");
        let sid = SessionId::new([4; 32]);
        let rng = &mut Secrets::new(57 + seed);
        Session::<Reshare<Of<C>>>::start(sid, share.id(), &parties, part, rng).expect("a run")
    };
    let ended = honest(shares.iter().map(start).collect(), |mail| {
        mail.iter().flat_map(|one| &one.outgoing).for_each(|message| show(&message.bytes));
    });
    let whole =
        |output: &Reshared<Of<C>>| output.public.key() == public.key() && output.share.is_some();
    assert!(ended.len() == 2 && ended.iter().all(whole));
}
