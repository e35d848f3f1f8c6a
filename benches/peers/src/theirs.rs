//! The frost-* 3.0 crates as a library under measurement.

mod dkg;
mod lifecycle;
mod rng;
mod signing;

use core::cell::OnceCell;
use std::collections::BTreeMap;

use frost_core::keys::{IdentifierList, KeyPackage, PublicKeyPackage, generate_with_dealer};
use frost_core::{Ciphersuite, Identifier};
use quorate_benches::{Fixture, Library, Operation, Routine, Size, Suite};

pub use rng::OldRng;

/// frost-core 3.0 and its suites.
pub struct Frost;

impl Library for Frost {
    fn name(&self) -> &'static str {
        "frost-3.0"
    }

    fn fixture(&self, suite: Suite, size: Size) -> Option<Box<dyn Fixture>> {
        Some(match suite.name() {
            "ed25519" => State::<frost_ed25519::Ed25519Sha512>::boxed(size),
            "ristretto255" => State::<frost_ristretto255::Ristretto255Sha512>::boxed(size),
            "ed448" => State::<frost_ed448::Ed448Shake256>::boxed(size),
            "p256" => State::<frost_p256::P256Sha256>::boxed(size),
            "secp256k1" => State::<frost_secp256k1::Secp256K1Sha256>::boxed(size),
            "secp256k1-tr" => State::<frost_secp256k1_tr::Secp256K1Sha256TR>::boxed(size),
            _ => return None,
        })
    }
}

/// The key that a dealer dealt, as far as signing needs it.
struct Dealt<C: Ciphersuite> {
    public: PublicKeyPackage<C>,
    /// The packages of the signers only: the dealing of 1000 shares fills 100 MB.
    signers: BTreeMap<Identifier<C>, KeyPackage<C>>,
}

struct State<C: Ciphersuite> {
    size: Size,
    dealt: OnceCell<Dealt<C>>,
    signing: OnceCell<signing::Signing<C>>,
    batch: OnceCell<signing::Batch<C>>,
    dkg: OnceCell<dkg::Dkg<C>>,
    life: OnceCell<lifecycle::Life<C>>,
}

impl<C: Ciphersuite> State<C> {
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

    fn dealt(&self) -> &Dealt<C> {
        self.dealt.get_or_init(|| {
            let Size { t, n } = self.size;
            let (shares, public) =
                generate_with_dealer::<C, _>(n, t, IdentifierList::Default, &mut OldRng::new(1))
                    .expect("a valid size");
            // Not `KeyPackage::try_from`, which checks every share with t multiplications.
            let signers = shares.iter().take(t.into()).map(|(id, share)| {
                let public_share = public.verifying_shares()[id];
                (
                    *id,
                    KeyPackage::new(
                        *id,
                        *share.signing_share(),
                        public_share,
                        *public.verifying_key(),
                        t,
                    ),
                )
            });
            Dealt { signers: signers.collect(), public }
        })
    }

    fn signing(&self) -> &signing::Signing<C> {
        self.signing.get_or_init(|| signing::Signing::new(self.dealt()))
    }

    fn dealer_keygen(&self) -> Routine<'_> {
        let Size { t, n } = self.size;
        let mut rng = OldRng::new(2);
        Routine::repeat(move || {
            generate_with_dealer::<C, _>(n, t, IdentifierList::Default, &mut rng)
                .expect("a valid size")
        })
    }

    fn life(&self) -> &lifecycle::Life<C> {
        self.life.get_or_init(|| lifecycle::Life::new(self.size))
    }

    fn dkg(&self) -> &dkg::Dkg<C> {
        self.dkg.get_or_init(|| dkg::Dkg::new(self.size))
    }
}

impl<C: Ciphersuite> Fixture for State<C> {
    fn routine(&self, step: Operation) -> Routine<'_> {
        match step {
            Operation::DealerKeygen => self.dealer_keygen(),
            Operation::DkgPart1 => dkg::part1::<C>(self.size),
            Operation::DkgPart2 => self.dkg().part2(),
            Operation::DkgPart3 => self.dkg().part3(),
            Operation::Refresh | Operation::Reshare => self.life().refresh(),
            Operation::Repair => self.life().repair(),
            Operation::Round1 => signing::round1(self.dealt()),
            Operation::Round2 => self.signing().round2(),
            Operation::Aggregate | Operation::AggregateSession | Operation::AggregateEachShare => {
                self.signing().aggregate()
            }
            Operation::AggregateOneBad => {
                self.signing().aggregate_bad(quorate_benches::one_bad(self.size))
            }
            Operation::AggregateHalfBad => {
                self.signing().aggregate_bad(quorate_benches::half_bad(self.size))
            }
            Operation::Verify => self.signing().verify(),
            Operation::BatchVerify64 => self.batch.get_or_init(signing::Batch::new).verify(),
            Operation::EncodePackage => self.signing().encode(),
            Operation::DecodePackage => self.signing().decode(),
        }
    }
}
