//! Quorate as a library under measurement.

mod dkg;
mod lifecycle;
mod signing;

use core::cell::OnceCell;

use quorate::Parties;
use quorate::frost::generic::{Ciphersuite, Dealing, DealtShare, KeyShare, PublicKeyPackage};

use crate::{Fixture, Library, Operation, Routine, Size, Suite, generator, half_bad, one_bad};

/// This workspace's FROST.
pub struct Quorate;

macro_rules! fixture {
    ($chosen:ident, $size:ident; $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        match $chosen.name() {
            $($name => Some(State::<$suite>::boxed($size)),)*
            _ => None,
        }
    };
}

impl Library for Quorate {
    fn name(&self) -> &'static str {
        "quorate"
    }

    fn fixture(&self, suite: Suite, size: Size) -> Option<Box<dyn Fixture>> {
        quorate::for_each_frost_suite!(fixture, suite, size;)
    }
}

/// The key that a dealer dealt, as far as signing needs it.
struct Dealt<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
    signers: Vec<KeyShare<S>>,
}

/// The steps of a suite, which need not be one of the registry.
pub(crate) fn fixture<S: Ciphersuite>(size: Size) -> Box<dyn Fixture> {
    State::<S>::boxed(size)
}

struct State<S: Ciphersuite> {
    size: Size,
    dealt: OnceCell<Dealt<S>>,
    signing: OnceCell<signing::Signing<S>>,
    batch: OnceCell<signing::Batch<S>>,
    dkg: OnceCell<dkg::Dkg<S>>,
    life: OnceCell<lifecycle::Life<S>>,
}

impl<S: Ciphersuite> State<S> {
    fn boxed(size: Size) -> Box<dyn Fixture> {
        Box::new(Self {
            size,
            dealt: OnceCell::new(),
            signing: OnceCell::new(),
            batch: OnceCell::new(),
            dkg: OnceCell::new(),
            life: OnceCell::new(),
        })
    }

    fn dealt(&self) -> &Dealt<S> {
        self.dealt.get_or_init(|| {
            let parties = Parties::numbered(self.size.n).expect("a valid size");
            let dealing =
                Dealing::new(self.size.t, &parties, &mut generator(1)).expect("a valid size");
            let public = dealing.public;
            let signers = dealing.shares.into_iter().take(self.size.t.into());
            let accept = |share: DealtShare<S>| {
                share.accept(self.size.t, &public).expect("an honest dealer")
            };
            let signers = signers.map(accept).collect();
            Dealt { public, signers }
        })
    }

    fn dealer_keygen(&self) -> Routine<'_> {
        let parties = Parties::numbered(self.size.n).expect("a valid size");
        let mut rng = generator(2);
        Routine::repeat(move || {
            Dealing::<S>::new(self.size.t, &parties, &mut rng).expect("a valid size")
        })
    }

    fn signing(&self) -> &signing::Signing<S> {
        self.signing.get_or_init(|| signing::Signing::new(self.dealt()))
    }

    fn life(&self) -> &lifecycle::Life<S> {
        self.life.get_or_init(|| lifecycle::Life::new(self.size))
    }

    fn dkg(&self) -> &dkg::Dkg<S> {
        self.dkg.get_or_init(|| dkg::Dkg::new(self.size))
    }
}

impl<S: Ciphersuite> Fixture for State<S> {
    fn routine(&self, step: Operation) -> Routine<'_> {
        match step {
            Operation::DealerKeygen => self.dealer_keygen(),
            Operation::DkgPart1 => dkg::part1::<S>(self.size),
            Operation::DkgPart2 => self.dkg().part2(),
            Operation::DkgPart3 => self.dkg().part3(),
            Operation::Refresh => self.life().refresh(),
            Operation::Reshare => self.life().reshare(),
            Operation::Repair => self.life().repair(),
            Operation::Round1 => signing::round1(self.dealt()),
            Operation::Round2 => self.signing().round2(self.dealt()),
            Operation::Aggregate => self.signing().aggregate(self.dealt()),
            Operation::AggregateSession => self.signing().aggregate_session(self.dealt()),
            Operation::AggregateEachShare => self.signing().aggregate_each_share(self.dealt()),
            Operation::AggregateOneBad => {
                self.signing().aggregate_bad(self.dealt(), &one_bad(self.size))
            }
            Operation::AggregateHalfBad => {
                self.signing().aggregate_bad(self.dealt(), &half_bad(self.size))
            }
            Operation::Verify => self.signing().verify(self.dealt()),
            Operation::BatchVerify64 => self.batch.get_or_init(signing::Batch::new).verify(),
            Operation::EncodePackage => self.signing().encode(),
            Operation::DecodePackage => self.signing().decode(),
        }
    }
}
