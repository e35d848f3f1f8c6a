//! The suites under the names that the command line knows.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use quorate::PartyId;
use quorate::frost::generic::Frost;
use quorate::frost::secp256k1_tr::TaprootInternal;
use quorate_cggmp::{Ecdsa, P256, Secp256k1};
use quorate_examples::{Failure, Out, Result, failure};
use quorate_paillier::Level;

use super::backup::{self, Opening, Sealing};
use super::change::{self, Wanted};
use super::commands::{self, Signing, Subject, Verifying};
use super::derive::{self, Deriving};
use super::ecdsa::{EcdsaSuite, signing};
use super::family::{KeyFamily, Scheme};
use super::frost::suite_of_keys;
use super::home::Home;
use super::making::{New, Protection};
use super::mldsa::{self, MlDsa};
use super::{demo, hardened, repair};

macro_rules! suites {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        &[
            $(Suite::with_life::<Frost<suite_of_keys!($module $suite)>>(),)*
            Suite::ecdsa::<Secp256k1>(),
            Suite::ecdsa::<P256>(),
            Suite::of::<MlDsa<44>>(),
            Suite::of::<MlDsa<65>>(),
            Suite::of::<MlDsa<87>>(),
        ]
    };
}

/// Every suite: those of FROST, then those of ECDSA, then those of ML-DSA.
pub static SUITES: &[Suite] = quorate::for_each_frost_suite!(suites);

type Presign = fn(&Home, &[PartyId], u16, &mut Out) -> Result;

/// A suite as a value, chosen at run time: its names and its commands.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The suite's name on the command line.
    pub name: &'static str,
    /// The byte that stands for it in `public.key`.
    pub(crate) family: u8,
    pub(crate) demo: fn(&Path, &[u8], &New, &mut Out) -> Result,
    pub(crate) keygen: fn(&New, &mut Out) -> Result,
    pub(crate) sign: fn(&Home, &Signing, &mut Out) -> Result,
    pub(crate) verify: fn(&Path, &Verifying, &mut Out) -> Result,
    pub(crate) presign: Option<Presign>,
    /// The commands after key generation and signing; none for keys that can only sign.
    life: Option<Life>,
}

/// The commands for a key after it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    pub(crate) change: fn(&Home, &Wanted, &mut Out) -> Result,
    pub(crate) repair: fn(&Home, PartyId, &[PartyId], &mut Out) -> Result,
    pub(crate) keygen_hardened: fn(&New, &mut Out) -> Result,
    pub(crate) verify_by: fn(&Verifying, &str, &mut Out) -> Result,
    pub(crate) derive: fn(&Path, &Deriving, &mut Out) -> Result,
    pub(crate) derive_hardened: fn(&Home, &Deriving, &mut Out) -> Result,
    pub(crate) backup_key: fn(&Path, &Protection, &mut Out) -> Result,
    pub(crate) backup: fn(&Home, &Sealing, &mut Out) -> Result,
    pub(crate) drill: fn(&Path, &Opening, &mut Out) -> Result,
    pub(crate) restore: fn(&Home, &Opening, Option<Level>, &mut Out) -> Result,
}

impl Suite {
    const fn of<F: Scheme>() -> Self {
        Self {
            name: F::SUITE,
            family: F::FAMILY,
            demo: demo::suite::<F>,
            keygen: commands::keygen::<F>,
            sign: commands::sign::<F>,
            verify: commands::verify::<F>,
            presign: None,
            life: None,
        }
    }

    const fn with_life<F: KeyFamily>() -> Self {
        let life = Life {
            change: |home, wanted, out| change::change::<F>(home, wanted, |_| {}, out),
            repair: repair::repair::<F>,
            keygen_hardened: hardened::keygen::<F>,
            verify_by: commands::verify_by::<F>,
            derive: derive::derive::<F>,
            derive_hardened: derive::derive_hardened::<F>,
            backup_key: backup::make_key::<F>,
            backup: backup::backup::<F>,
            drill: backup::drill::<F>,
            restore: backup::restore::<F>,
        };
        Self { life: Some(life), ..Self::of::<F>() }
    }

    const fn ecdsa<C: EcdsaSuite>() -> Self {
        Self { presign: Some(signing::presign::<C>), ..Self::with_life::<Ecdsa<C>>() }
    }

    /// The commands for later, one of which the user has named.
    pub(crate) fn life(&self, command: &str) -> Result<Life> {
        self.life.ok_or_else(|| mldsa::refusal(self.name, command))
    }

    /// Refuses a child key or a context where the suite has none.
    pub(crate) fn check(&self, subject: &Subject) -> Result {
        if subject.context.is_some() && self.life.is_some() {
            return Err(Failure::usage("--context is for the suites of ML-DSA"));
        }
        if subject.path.indices().is_empty() { Ok(()) } else { self.life("--path").map(drop) }
    }

    pub(crate) fn presign(&self) -> Result<Presign> {
        let none = || failure!("{} has no presignatures here; just sign", self.name);
        self.presign.ok_or_else(none)
    }
}

impl ValueEnum for Suite {
    fn value_variants<'a>() -> &'a [Self] {
        SUITES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name))
    }
}
