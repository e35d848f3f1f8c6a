//! A family, a key in it, and what belongs to the key.

use core::marker::PhantomData;
use std::sync::OnceLock;

use quorate_curve::{Curve, Ed25519, P256, Secp256k1};
use quorate_keys::session::wire::Reader;
use quorate_keys::session::{Parties, PartyId, Protocol, Session, SessionId, To};
use quorate_keys::{
    Backup, BackupKey, Committee, Family, HealthChallenge, KeyTypes, Repair, RepairParams,
    RepairPlan, Reshare, ReshareParams, ResharePlan, Secret, SecretShare, ShareState, SharedKey,
};
use quorate_sharing::Polynomial;
use quorate_testkit::lockstep::{honest, start_seeded};

use crate::fixture::{id, rng};

/// The family of a curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Of<C>(PhantomData<C>);

impl<C: Curve> Family for Of<C> {
    type Curve = C;
    type Extra = [u8; 32];

    const NAME: &'static str = C::NAME;
    const CODE: u8 = 200;
    const MAX_PARTIES: usize = 100;

    fn put_extra(extra: &[u8; 32], bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(extra);
    }

    fn read_extra(reader: &mut Reader<'_>) -> Option<[u8; 32]> {
        reader.array().ok()
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

/// Frames by sender.
pub(crate) type Frames = Vec<(PartyId, Vec<u8>)>;

/// A key of parties 1, 2 and 3, two of which use it.
pub(crate) struct Fixture<C: Curve> {
    pub(crate) public: SharedKey<Of<C>>,
    pub(crate) shares: Vec<SecretShare<Of<C>>>,
    pub(crate) offline: BackupKey<Of<C>>,
    /// Of party 1.
    pub(crate) backup: Backup<Of<C>>,
    pub(crate) asked: HealthChallenge,
    /// One form of each kind.
    pub(crate) forms: Vec<Vec<u8>>,
    pub(crate) plan: ResharePlan<Of<C>>,
    /// A refresh by parties 1 and 2.
    pub(crate) refresh: Run,
    /// The repair of the share of party 3 by the others.
    pub(crate) repair_plan: RepairPlan<Of<C>>,
    pub(crate) repair: Run,
}

/// A run without incident.
pub(crate) struct Run {
    pub(crate) context: [u8; 32],
    pub(crate) frames: Frames,
}

/// The session of the runs.
pub(crate) const SID: SessionId = SessionId::new([3; 32]);

/// A curve with its fixture.
pub(crate) trait Life: Curve {
    fn life() -> &'static Fixture<Self>;
}

macro_rules! lives {
    ($($curve:ty)*) => {
        $(impl Life for $curve {
            fn life() -> &'static Fixture<Self> {
                static LIFE: OnceLock<Fixture<$curve>> = OnceLock::new();
                LIFE.get_or_init(Fixture::new)
            }
        })*
    };
}

lives!(Ed25519 Secp256k1 P256);

impl<C: Curve> Fixture<C> {
    fn new() -> Self {
        let f = Polynomial::<C>::random(2, &mut rng(60)).expect("a generator that works");
        let parties = Parties::numbered(3).expect("three");
        let committee = Committee::new(parties.clone(), 2).expect("two of three");
        let public = SharedKey::new(committee.clone(), 0, f.commit(), [9; 32]).expect("a key");
        let share = |party| {
            let secret = Secret::new(f.evaluate(party));
            SecretShare::new(party, &public, secret, ShareState::Ready).expect("a share of it")
        };
        let shares: Vec<SecretShare<Of<C>>> = parties.iter().map(share).collect();
        let offline = BackupKey::generate(&mut rng(61)).expect("a generator that works");
        let backup = Backup::seal(&shares[0], &public, offline.recipient(), b"", &mut rng(62));
        let backup = backup.expect("a share of it");
        let asked = HealthChallenge::from_bytes([5; 32]);
        let drill = offline.drill(&backup, &public, &asked, &mut rng(63)).expect("its key");
        let forms = vec![
            public.to_bytes(),
            shares[0].to_bytes().to_vec(),
            backup.to_bytes(),
            offline.to_bytes().to_vec(),
            offline.recipient().to_bytes(),
            shares[0].prove_health(&asked, &mut rng(64)).to_bytes(),
            drill.to_bytes(),
        ];
        let dealers = Parties::new([id(1), id(2)]).expect("two");
        let plan = ResharePlan::new(&public, dealers.clone(), committee).expect("a plan");
        let of = |me: PartyId| shares.iter().find(|share| share.id() == me).expect("its share");
        let refresh = recorded::<Reshare<Of<C>>>(&plan.parties(), |me| {
            let dealer = plan.dealers().contains(me);
            let part = || ReshareParams::dealer(&plan, of(me));
            if dealer { part() } else { ReshareParams::member(&plan, me) }.expect("its part")
        });
        let repair_plan = RepairPlan::new(&public, dealers, id(3)).expect("a plan");
        let repair = recorded::<Repair<Of<C>>>(&repair_plan.parties(), |me| match me {
            me if me == id(3) => RepairParams::target(&repair_plan),
            me => RepairParams::helper(&repair_plan, of(me)).expect("a helper"),
        });
        Self { public, shares, offline, backup, asked, forms, plan, refresh, repair_plan, repair }
    }

    /// The share that the forms are about.
    pub(crate) fn share(&self) -> &SecretShare<Of<C>> {
        &self.shares[0]
    }
}

/// The context and all frames of a run without incident.
fn recorded<P: Protocol>(all: &Parties, part: impl Fn(PartyId) -> P::Params) -> Run {
    let start = |me| {
        let [_, seed] = PartyId::get(me).to_be_bytes();
        start_seeded::<P>(SID, me, all, part(me), 70 + seed)
    };
    let context = Session::<P>::context_of(SID, all, &part(id(1)));
    let mut frames = Frames::new();
    drop(honest(all.iter().map(start).collect(), |mail| {
        for one in mail {
            for message in &one.outgoing {
                assert_eq!(message.to, To::Everyone);
                frames.push((one.from, message.bytes.clone()));
            }
        }
    }));
    Run { context, frames }
}
