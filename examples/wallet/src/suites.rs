//! The suites under the names that the command line knows.

use core::fmt::{self, Write};
use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate::frost::generic::keys::Family;
use quorate::frost::generic::{Ciphersuite, Frost, KeySuite, PublicKeyPackage};
use quorate::frost::secp256k1_tr::TaprootInternal;
use quorate::keys::SharedKey;
use quorate::keys::derive::{Derivable, DerivationPath, DeriveError, ExtendedKey, Shifted};
use quorate_cggmp::{Ecdsa, P256, Secp256k1};

use super::ecdsa::{self, EcdsaSuite};
use super::home::Home;
use super::life::Life;
use super::making::New;
use super::mldsa::{self, MlDsa44, MlDsa65, MlDsa87, MldsaSuite};
use super::{commands, demo};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;

/// A suite of FROST for the keys of a wallet, with its names.
pub trait WalletSuite: KeySuite<Curve: Derivable> {
    /// The suite of the keys that sign: those derived from the wallet's.
    type Signs: Ciphersuite + KeySuite<Curve = Self::Curve>;

    /// Its name on the command line.
    const NAME: &'static str;
    /// Its name in a sentence.
    const TITLE: &'static str;

    /// The key at a path below `root`, the extended key of `key`.
    ///
    /// # Errors
    /// [`DeriveError`] if there is none.
    fn child(
        key: &SharedKey<Frost<Self>>,
        root: &ExtendedKey<Self::Curve>,
        path: &DerivationPath,
    ) -> Result<Shifted<Frost<Self>, Frost<Self::Signs>>, DeriveError>;

    /// Lines about a key that signs.
    ///
    /// # Errors
    /// From `out`.
    fn describe_child(key: &PublicKeyPackage<Self::Signs>, out: &mut Out) -> Result<(), Failure>;
}

/// The suite of a wallet's keys: Taproot's are internal keys, whose descendants are output keys (BIP-86).
macro_rules! keys_of {
    (secp256k1_tr $suite:ty) => {
        TaprootInternal
    };
    ($module:ident $suite:ty) => {
        $suite
    };
}

macro_rules! child {
    (secp256k1_tr $key:ident $root:ident $path:ident) => {
        $key.derive_taproot($root, $path, None, ())
    };
    ($module:ident $key:ident $root:ident $path:ident) => {
        $key.derive($root, $path, ())
    };
}

macro_rules! describe {
    (secp256k1_tr $key:ident $out:ident) => {{
        let [_, x @ ..] = $key.verifying_key().as_bytes();
        writeln!($out, "  output key  {}  (BIP-86)", hex(x))?;
        writeln!($out, "  script      5120{}", hex(x))?;
    }};
    ($module:ident $key:ident $out:ident) => {{
        let (_, _) = ($key, $out);
    }};
}

macro_rules! wallet_suites {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $(impl WalletSuite for keys_of!($module $suite) {
            type Signs = $suite;
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;

            fn child(
                key: &SharedKey<Frost<Self>>,
                root: &ExtendedKey<Self::Curve>,
                path: &DerivationPath,
            ) -> Result<Shifted<Frost<Self>, Frost<Self::Signs>>, DeriveError> {
                child!($module key root path)
            }

            fn describe_child(
                key: &PublicKeyPackage<Self::Signs>,
                out: &mut Out,
            ) -> Result<(), Failure> {
                describe!($module key out);
                Ok(())
            }
        })*

        /// All suites: those of FROST, then those of ECDSA, then those of ML-DSA.
        pub static SUITES: &[Suite] = &[
            $(Suite::frost::<keys_of!($module $suite)>(),)*
            Suite::ecdsa::<Secp256k1>(),
            Suite::ecdsa::<P256>(),
            Suite::mldsa::<MlDsa44>(),
            Suite::mldsa::<MlDsa65>(),
            Suite::mldsa::<MlDsa87>(),
        ];
    };
}

quorate::for_each_frost_suite!(wallet_suites);

type Demo = fn(&Path, &[u8], &New, &mut Out) -> Result<(), Failure>;
type Keygen = fn(&New, &mut Out) -> Result<(), Failure>;
type Presign = fn(&Home, &[PartyId], u16, &mut Out) -> Result<(), Failure>;
type Sign = fn(&Home, &Signing, &mut Out) -> Result<(), Failure>;
type Verify = fn(&Path, &Verifying, &mut Out) -> Result<(), Failure>;

/// A signature that the user asks for.
#[derive(Clone, Debug)]
pub struct Signing {
    /// The signers, in ascending order.
    pub signers: Vec<PartyId>,
    /// The key below the wallet's that signs; `m` is the wallet's own.
    pub key: DerivationPath,
    /// The context of ML-DSA.
    pub context: Option<String>,
    /// The file to sign.
    pub file: PathBuf,
    /// Where the signature goes; into the wallet's folder unless given.
    pub signature: Option<PathBuf>,
}

/// A signature that is to be verified.
#[derive(Clone, Debug)]
pub struct Verifying {
    /// The key below the wallet's that has signed.
    pub key: DerivationPath,
    /// The context of ML-DSA.
    pub context: Option<String>,
    /// The file that was signed.
    pub file: PathBuf,
    /// The signature.
    pub signature: PathBuf,
}

impl Signing {
    /// The context's bytes; none unless given.
    pub(crate) fn context(&self) -> &[u8] {
        self.context.as_deref().unwrap_or_default().as_bytes()
    }
}

impl Verifying {
    /// The context's bytes; none unless given.
    pub(crate) fn context(&self) -> &[u8] {
        self.context.as_deref().unwrap_or_default().as_bytes()
    }
}

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
    /// None of keys that have no life but signing.
    life: Option<Life>,
    /// Whether its signatures have a context.
    has_context: bool,
}

impl Suite {
    const fn frost<K: WalletSuite>() -> Self {
        Self {
            name: K::NAME,
            family: <Frost<K> as Family>::CODE,
            demo: demo::suite::<K>,
            keygen: commands::keygen::<K>,
            sign: commands::sign::<K>,
            verify: commands::verify::<K>,
            presign: None,
            life: Some(Life::for_family::<Frost<K>>()),
            has_context: false,
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
            life: Some(Life::for_family::<Ecdsa<C>>()),
            has_context: false,
        }
    }

    const fn mldsa<L: MldsaSuite>() -> Self {
        Self {
            name: L::SUITE,
            family: L::FAMILY,
            demo: mldsa::demo::suite::<L>,
            keygen: mldsa::commands::keygen::<L>,
            sign: mldsa::commands::sign::<L>,
            verify: mldsa::commands::verify::<L>,
            presign: None,
            life: None,
            has_context: true,
        }
    }

    /// The commands for later, one of which the user has named.
    pub(crate) fn life(&self, command: &str) -> Result<&Life, Failure> {
        self.life.as_ref().ok_or_else(|| mldsa::absent::refusal(self.name, command))
    }

    /// Refuses a context where signatures have none.
    pub(crate) fn check_context(&self, context: Option<&String>) -> Result<(), Failure> {
        if context.is_some() && !self.has_context {
            return Err(Failure::usage("--context is for the suites of ML-DSA"));
        }
        Ok(())
    }

    pub(crate) fn presign(&self) -> Result<Presign, Failure> {
        let none = || Failure::new(format!("{} has no presignatures here; just sign", self.name));
        self.presign.ok_or_else(none)
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
