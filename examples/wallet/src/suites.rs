//! The suites under the names that the command line knows.

use core::fmt;
use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate::frost::generic::keys::Family;
use quorate::frost::generic::{Ciphersuite, Frost};
use quorate_cggmp::{Ecdsa, P256, Secp256k1};

use super::ecdsa::{self, EcdsaSuite};
use super::home::Home;
use super::making::New;
use super::{commands, demo};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

/// A suite, with its names.
pub trait WalletSuite: Ciphersuite {
    /// Its name on the command line.
    const NAME: &'static str;
    /// Its name in a sentence.
    const TITLE: &'static str;
}

macro_rules! wallet_suites {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $(impl WalletSuite for $suite {
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
        })*

        /// All suites: those of FROST, then those of ECDSA.
        pub static SUITES: &[Suite] = &[
            $(Suite::frost::<$suite>(),)*
            Suite::ecdsa::<Secp256k1>(),
            Suite::ecdsa::<P256>(),
        ];
    };
}

quorate::for_each_frost_suite!(wallet_suites);

type Demo = fn(&Path, &[u8], &New, &mut Out) -> Result<(), Failure>;
type Keygen = fn(&New, &mut Out) -> Result<(), Failure>;
type Presign = fn(&Home, &[PartyId], u16, &mut Out) -> Result<(), Failure>;
type Sign = fn(&Home, &[PartyId], &Path, Option<PathBuf>, &mut Out) -> Result<(), Failure>;
type Refresh = fn(&Home, &mut Out) -> Result<(), Failure>;
type Verify = fn(&Path, &Path, &Path, &mut Out) -> Result<(), Failure>;

/// A suite as a value, chosen at run time: its names and what can be done with it.
#[derive(Clone, Copy)]
pub struct Suite {
    /// Its name on the command line.
    pub name: &'static str,
    /// The byte that stands for it in `public.key`.
    pub family: u8,
    pub(crate) demo: Demo,
    pub(crate) keygen: Keygen,
    pub(crate) sign: Sign,
    pub(crate) verify: Verify,
    pub(crate) presign: Option<Presign>,
    pub(crate) refresh: Option<Refresh>,
}

impl Suite {
    const fn frost<S: WalletSuite>() -> Self {
        Self {
            name: S::NAME,
            family: <Frost<S> as Family>::CODE,
            demo: demo::suite::<S>,
            keygen: commands::keygen::<S>,
            sign: commands::sign::<S>,
            verify: commands::verify::<S>,
            presign: None,
            refresh: Some(commands::refresh::<S>),
        }
    }

    const fn ecdsa<C: EcdsaSuite>() -> Self {
        Self {
            name: C::SUITE,
            family: <Ecdsa<C> as Family>::CODE,
            demo: ecdsa::demo::suite::<C>,
            keygen: ecdsa::commands::keygen::<C>,
            sign: ecdsa::commands::sign::<C>,
            verify: ecdsa::commands::verify::<C>,
            presign: Some(ecdsa::commands::presign::<C>),
            refresh: None,
        }
    }

    pub(crate) fn presign(&self) -> Result<Presign, Failure> {
        let none = || Failure::new(format!("{} has no presignatures here; just sign", self.name));
        self.presign.ok_or_else(none)
    }

    pub(crate) fn refresh(&self) -> Result<Refresh, Failure> {
        let none =
            || Failure::new(format!("{} has no refresh; the suites of FROST have", self.name));
        self.refresh.ok_or_else(none)
    }

    /// The suite with this name.
    ///
    /// # Errors
    /// A [`Failure`] that lists the names there are.
    pub fn named(name: &str) -> Result<Self, Failure> {
        let found = SUITES.iter().find(|suite| suite.name == name);
        found.copied().ok_or_else(|| {
            let names: Vec<_> = SUITES.iter().map(|suite| suite.name).collect();
            Failure::new(format!("there is no suite {name:?}; there are {}", names.join(", ")))
        })
    }
}

impl fmt::Debug for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Suite({})", self.name)
    }
}
