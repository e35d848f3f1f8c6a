//! The crates `cggmp24` and `cggmp21`, both over GMP.

use quorate_benches::ecdsa::{EcdsaCurve, EcdsaFixture, EcdsaLibrary, Level, Setup};

/// The common part of the fixtures of both crates.
macro_rules! fixture {
    ($krate:ident) => {
        use core::marker::PhantomData;

        use quorate_benches::MESSAGE;
        use quorate_benches::ecdsa::{EcdsaFixture, EcdsaStep, Ledger, Setup};
        use sha2::Sha256;
        use $krate::generic_ec::coords::{AlwaysHasAffineX, HasAffineX};
        use $krate::generic_ec::{Curve, NonZero, Point};
        use $krate::key_share::AuxInfo;
        use $krate::security_level::SecurityLevel;
        use $krate::{ExecutionId, IncompleteKeyShare, KeyShare, PregeneratedPrimes};

        use crate::OldRng;
        use crate::ecdsa::machines;

        /// The parties, with what they have made so far.
        pub(super) struct Parties<E: Curve, L: SecurityLevel> {
            setup: Setup,
            /// Counts the runs: each has an id and randomness of its own.
            count: u8,
            primes: Vec<PregeneratedPrimes<L>>,
            keys: Vec<IncompleteKeyShare<E>>,
            aux: Vec<AuxInfo<L>>,
            shares: Vec<KeyShare<E, L>>,
            presignatures: Vec<Presigned<E>>,
            level: PhantomData<L>,
        }

        impl<E, L> Parties<E, L>
        where
            E: Curve,
            L: SecurityLevel,
            Point<E>: HasAffineX<E>,
            NonZero<Point<E>>: AlwaysHasAffineX<E>,
        {
            pub(super) fn boxed(setup: Setup) -> Box<dyn EcdsaFixture>
            where
                E: 'static,
                L: 'static,
            {
                Box::new(Self {
                    setup,
                    count: 0,
                    primes: Vec::new(),
                    keys: Vec::new(),
                    aux: Vec::new(),
                    shares: Vec::new(),
                    presignatures: Vec::new(),
                    level: PhantomData,
                })
            }

            /// Randomness of `parties` parties for one run.
            fn generators(&mut self, parties: u16) -> Vec<OldRng> {
                self.count = self.count.wrapping_add(1);
                let seed = |party: u16| self.count ^ u8::try_from(party << 3 & 0xf8).unwrap_or(0);
                (0..parties).map(|party| OldRng::new(seed(party))).collect()
            }

            fn keygen(&mut self, ledger: &mut Ledger) {
                let Setup { t, n, .. } = self.setup;
                let mut rngs = self.generators(n);
                let id = [self.count];
                let machines = (0..n).zip(&mut rngs).map(|(i, rng)| {
                    let keygen = $krate::keygen::<E>(ExecutionId::new(&id), i, n);
                    keygen.set_threshold(t).hd_wallet(false).into_state_machine(rng)
                });
                let keys = machines::run(machines.collect(), ledger);
                self.keys = keys.into_iter().map(|key| key.expect("honest parties")).collect();
                self.shares.clear();
            }

            fn aux_info(&mut self, ledger: &mut Ledger, search: bool) {
                let n = self.setup.n;
                let mut rngs = self.generators(n);
                let id = [self.count];
                let mut primes = self.primes.clone();
                if search {
                    let found = rngs.iter_mut().enumerate().map(|(party, rng)| {
                        ledger.work(0, party, || PregeneratedPrimes::generate(rng))
                    });
                    primes = found.collect();
                }
                let machines = (0..n).zip(&mut rngs).zip(primes).map(|((i, rng), primes)| {
                    let id = ExecutionId::new(&id);
                    $krate::aux_info_gen(id, i, n, primes).into_state_machine(rng)
                });
                let aux = machines::run(machines.collect(), ledger);
                self.aux = aux.into_iter().map(|aux| aux.expect("honest parties")).collect();
                self.shares.clear();
            }

            fn presign(&mut self, ledger: &mut Ledger) {
                let t = self.setup.t;
                let mut rngs = self.generators(t);
                let id = [self.count];
                let signers: Vec<u16> = (0..t).collect();
                let machines = (0..t).zip(&mut rngs).zip(&self.shares).map(|((i, rng), share)| {
                    $krate::signing(ExecutionId::new(&id), i, &signers, share)
                        .generate_presignature_sync(rng)
                });
                let made = machines::run(machines.collect(), ledger);
                self.presignatures =
                    made.into_iter().map(|one| one.expect("honest parties")).collect();
            }

            fn sign_interactive(&mut self, ledger: &mut Ledger) {
                let t = self.setup.t;
                let mut rngs = self.generators(t);
                let id = [self.count];
                let signers: Vec<u16> = (0..t).collect();
                let message = $krate::DataToSign::digest::<Sha256>(MESSAGE);
                let machines = (0..t).zip(&mut rngs).zip(&self.shares).map(|((i, rng), share)| {
                    $krate::signing(ExecutionId::new(&id), i, &signers, share)
                        .sign_sync(rng, data(&message))
                });
                let signatures = machines::run(machines.collect(), ledger);
                for signature in signatures {
                    let key = self.shares[0].core.shared_public_key;
                    let signature = signature.expect("honest parties");
                    signature.verify(&key, &message).expect("a valid signature");
                }
            }

            fn need_primes(&mut self) {
                if self.primes.is_empty() {
                    self.primes = primes(self.setup);
                }
            }

            fn need_shares(&mut self) {
                if !self.shares.is_empty() {
                    return;
                }
                if self.keys.is_empty() {
                    self.keygen(&mut Ledger::timing());
                }
                if self.aux.is_empty() {
                    self.need_primes();
                    self.aux_info(&mut Ledger::timing(), false);
                }
                let parts = self.keys.iter().cloned().zip(self.aux.iter().cloned());
                let share = |parts| KeyShare::from_parts(parts).expect("parts that fit");
                self.shares = parts.map(share).collect();
            }
        }

        impl<E, L> EcdsaFixture for Parties<E, L>
        where
            E: Curve,
            L: SecurityLevel,
            Point<E>: HasAffineX<E>,
            NonZero<Point<E>>: AlwaysHasAffineX<E>,
        {
            fn has(&self, step: EcdsaStep) -> bool {
                !matches!(
                    step,
                    EcdsaStep::AuxInfoOpen
                        | EcdsaStep::Refresh
                        | EcdsaStep::Reshare
                        | EcdsaStep::Repair
                )
            }

            fn prepare(&mut self, step: EcdsaStep) {
                match step {
                    EcdsaStep::AuxInfoGivenPrimes => self.need_primes(),
                    EcdsaStep::Presign | EcdsaStep::PresignMany | EcdsaStep::SignInteractive => {
                        self.need_shares()
                    }
                    EcdsaStep::Sign => {
                        self.need_shares();
                        if self.presignatures.is_empty() {
                            self.presign(&mut Ledger::timing());
                        }
                    }
                    _ => {}
                }
            }

            fn run(&mut self, step: EcdsaStep, ledger: &mut Ledger) {
                match step {
                    EcdsaStep::Keygen => self.keygen(ledger),
                    EcdsaStep::AuxInfo => self.aux_info(ledger, true),
                    EcdsaStep::AuxInfoGivenPrimes => self.aux_info(ledger, false),
                    EcdsaStep::Presign | EcdsaStep::PresignMany => {
                        self.presign(ledger);
                    }
                    // The same presignatures again and again: nothing here is worth protecting.
                    EcdsaStep::Sign => sign(&self.presignatures, &self.shares, ledger),
                    EcdsaStep::SignInteractive => self.sign_interactive(ledger),
                    _ => {}
                }
            }
        }
    };
}
mod primes;
mod v21;
mod v24;

pub(crate) use v24::{Short, primes as cggmp24_primes};

/// `cggmp24` 0.7.0-alpha.3 at its own level of 128 bits, and at one that is like it but for 1024-bit primes.
pub struct Cggmp24;

/// `cggmp21` 0.6 at its own level of 128 bits, and at one that is like it but for 1024-bit primes. Its masks are
/// shorter than those of the later revision of the paper.
pub struct Cggmp21;

impl EcdsaLibrary for Cggmp24 {
    fn name(&self) -> String {
        "cggmp24-0.7.0-alpha.3".to_owned()
    }

    fn fixture(&self, setup: Setup) -> Option<Box<dyn EcdsaFixture>> {
        use cggmp24::security_level::SecurityLevel128 as Own;
        use cggmp24::supported_curves::{Secp256k1, Secp256r1};
        use v24::{Parties, Short};
        Some(match (setup.curve, setup.level) {
            (EcdsaCurve::Secp256k1, Level::Bits128) => Parties::<Secp256k1, Own>::boxed(setup),
            (EcdsaCurve::Secp256k1, Level::Bits112) => Parties::<Secp256k1, Short>::boxed(setup),
            (EcdsaCurve::P256, Level::Bits128) => Parties::<Secp256r1, Own>::boxed(setup),
            (EcdsaCurve::P256, Level::Bits112) => Parties::<Secp256r1, Short>::boxed(setup),
        })
    }
}

impl EcdsaLibrary for Cggmp21 {
    fn name(&self) -> String {
        "cggmp21-0.6".to_owned()
    }

    fn fixture(&self, setup: Setup) -> Option<Box<dyn EcdsaFixture>> {
        use cggmp21::security_level::SecurityLevel128 as Own;
        use cggmp21::supported_curves::{Secp256k1, Secp256r1};
        use v21::{Parties, Short};
        Some(match (setup.curve, setup.level) {
            (EcdsaCurve::Secp256k1, Level::Bits128) => Parties::<Secp256k1, Own>::boxed(setup),
            (EcdsaCurve::Secp256k1, Level::Bits112) => Parties::<Secp256k1, Short>::boxed(setup),
            (EcdsaCurve::P256, Level::Bits128) => Parties::<Secp256r1, Own>::boxed(setup),
            (EcdsaCurve::P256, Level::Bits112) => Parties::<Secp256r1, Short>::boxed(setup),
        })
    }
}
