//! The checks of the fuzz targets, as plain functions: the targets in `fuzz_targets` hand them their
//! input, the tests run them over the corpus, and `examples/seeds.rs` makes the corpus's seeds.
//!
//! The first byte of every input chooses the suite, where there is one. A function panics if a
//! property is violated; it returns whether the input got as far as a valid one does, so that the
//! tests can tell that the seeds still are valid.

mod bignum;
mod decoders;
mod derivation;
mod dkg;
mod ecdsa;
mod envelope;
mod ethereum;
mod fixture;
mod generation;
mod input;
mod kubernetes;
mod lifecycle;
mod migrate;
mod mldsa;
mod pkcs11;
mod prf;
mod privval;
mod purpose;
pub mod seeds;
mod sessions;
mod signing;
mod zk;

use fixture::{Fixture, Suite};
use quorate::frost::ed448::Ed448Shake256;
use quorate_cggmp::{P256, Secp256k1};
use quorate_frost::KeySuite as _;

/// How many first bytes choose each suite: Ed448 costs several times what the others do.
macro_rules! weights {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        &[$(if <$suite>::CODE == Ed448Shake256::CODE { 1 } else { 3 }),*]
    };
}

const WEIGHTS: &[u8] = quorate::for_each_frost_suite!(weights);
const SUITES: usize = WEIGHTS.len();

/// First bytes of inputs that choose each of the suites, in the order of the registry.
pub const SELECTORS: [u8; SUITES] = {
    let (mut first, mut place) = ([0; SUITES], 1);
    while place < SUITES {
        first[place] = first[place - 1] + WEIGHTS[place - 1];
        place += 1;
    }
    first
};
/// First bytes of inputs that choose secp256k1 and P-256.
pub const CURVES: [u8; 2] = [0, 3];

/// The place of the suite that a byte chooses.
fn chosen(selector: u8) -> usize {
    let end = SELECTORS[SUITES - 1] + WEIGHTS[SUITES - 1];
    SELECTORS.iter().rposition(|first| *first <= selector % end).expect("the first is zero")
}

/// Calls a function of the suite that a byte chooses.
macro_rules! by_suite {
    (
        $selector:expr, $at:ident::$function:ident, $argument:expr;
        $($module:ident: $suite:ty, $name:literal, $title:literal;)*
    ) => {
        [$($at::$function::<$suite>),*][chosen($selector)]($argument)
    };
}

/// Calls a function of the curve that a byte chooses. P-256 is the slower one.
macro_rules! by_curve {
    ($selector:expr, $($function:ident)::+, $argument:expr) => {
        match $selector % 4 {
            0..=2 => $($function)::+::<Secp256k1>($argument),
            _ => $($function)::+::<P256>($argument),
        }
    };
}

/// Defines the targets, by suite and by curve: the name of each, and the function that checks an
/// input.
macro_rules! targets {
    (
        { $($(#[$doc:meta])* $name:ident: $module:ident;)* }
        { $($(#[$ecdsa_doc:meta])* $ecdsa:ident: $ecdsa_module:ident;)* }
    ) => {
        $($(#[$doc])*
        pub fn $name(data: &[u8]) -> bool {
            let Some((first, rest)) = data.split_first() else { return false };
            quorate::for_each_frost_suite!(by_suite, *first, $module::$name, rest;)
        })*

        $($(#[$ecdsa_doc])*
        pub fn $ecdsa(data: &[u8]) -> bool {
            let Some((first, rest)) = data.split_first() else { return false };
            by_curve!(first, ecdsa::$ecdsa_module::$ecdsa, rest)
        })*

        /// A target by name.
        pub type Target = (&'static str, fn(&[u8]) -> bool);

        /// The targets.
        pub const TARGETS: &[Target] = &[
            ("bignum_engines", bignum_engines),
            ("bignum_numbers", bignum_numbers),
            ("zk_claim", zk_claim),
            ("derivation", derivation),
            ("envelope_answer", envelope_answer),
            ("envelope_directory", envelope_directory),
            ("envelope_open", envelope_open),
            ("ethereum", ethereum),
            ("kubernetes", kubernetes),
            ("pkcs11_wire", pkcs11_wire),
            ("purpose", purpose),
            ("prf_messages", prf_messages),
            ("prf_operations", prf_operations),
            ("privval", privval),
            ("ecdsa_aux_info", ecdsa_aux_info),
            ("ecdsa_evidence", ecdsa_evidence),
            ("life_stored", life_stored),
            ("life_evidence", life_evidence),
            ("repair_evidence", repair_evidence),
            ("mldsa_signature", mldsa_signature),
            ("mldsa_stored", mldsa_stored),
            ("mldsa_sign", mldsa_sign),
            ("mldsa_dkg", mldsa_dkg),
            ("mldsa_evidence", mldsa_evidence),
            $((stringify!($name), $name),)*
            $((stringify!($ecdsa), $ecdsa),)*
        ];
    };
}

/// Engines agree on any products, with one another and with another library.
pub fn bignum_engines(data: &[u8]) -> bool {
    bignum::engines::check(data)
}

/// Decoders and arithmetic of big numbers agree with another library.
pub fn bignum_numbers(data: &[u8]) -> bool {
    bignum::numbers::check(data)
}

/// Of all proofs about an honest statement, only the honest one is accepted.
pub fn zk_claim(data: &[u8]) -> bool {
    zk::check(data)
}

/// Texts of extended keys and of paths are read strictly, and what is accepted has children.
pub fn derivation(data: &[u8]) -> bool {
    derivation::check(data)
}

/// Envelopes, signed or not, open for what their sender has said, and lists have one encoding.
pub fn envelope_open(data: &[u8]) -> bool {
    envelope::open(data)
}

/// Directories and rotations are read strictly, and none but the honest ones are trusted.
pub fn envelope_directory(data: &[u8]) -> bool {
    envelope::directory(data)
}

/// An answer is fresh if its challenge was issued to its sender for its kind, and once.
pub fn envelope_answer(data: &[u8]) -> bool {
    envelope::answer(data)
}

/// Messages of the threshold PRF: strict, and what is taken has the output of the key.
pub fn prf_messages(data: &[u8]) -> bool {
    prf::messages(data)
}

/// A message of the threshold PRF that was altered: it is refused, and its sender or nobody is named.
pub fn prf_operations(data: &[u8]) -> bool {
    prf::operations(data)
}

/// Requests for signatures of Ethereum: what is read of a transaction is what is signed.
pub fn ethereum(data: &[u8]) -> bool {
    ethereum::check(data)
}

/// Requests for tokens of Kubernetes: what is signed ends in the claims that were asked for.
pub fn kubernetes(data: &[u8]) -> bool {
    kubernetes::check(data)
}

/// Messages of the PKCS#11 module and its daemon are read strictly, and have one form.
pub fn pkcs11_wire(data: &[u8]) -> bool {
    pkcs11::check(data)
}

/// Messages of a validator's nodes and of their handshakes: what is read is written, and read again as the same.
pub fn privval(data: &[u8]) -> bool {
    privval::check(data)
}

/// Purposes are read strictly, and what is read has facts and messages.
pub fn purpose(data: &[u8]) -> bool {
    purpose::check(data)
}

/// `AuxInfo::from_bytes` and `AuxPublic::from_bytes` are strict, and what is accepted can be used.
pub fn ecdsa_aux_info(data: &[u8]) -> bool {
    ecdsa::aux_info::check(data)
}

/// `Evidence::from_bytes` is strict, and evidence shows the fault of a guilty party only.
pub fn ecdsa_evidence(data: &[u8]) -> bool {
    ecdsa::evidence::check(data)
}

/// Keys, shares and backups are read strictly, and none but the honest ones are of use.
pub fn life_stored(data: &[u8]) -> bool {
    lifecycle::stored(data)
}

/// Evidence of a resharing convicts nobody whose frames are as they were sent.
pub fn life_evidence(data: &[u8]) -> bool {
    lifecycle::evidence(data)
}

/// Evidence of a repair convicts nobody whose frames are as they were sent.
pub fn repair_evidence(data: &[u8]) -> bool {
    lifecycle::repair_evidence(data)
}

/// Signatures and keys of FIPS 204: two other implementations find the same.
pub fn mldsa_signature(data: &[u8]) -> bool {
    mldsa::signatures::check(data)
}

/// Shares and public packages of ML-DSA are read strictly.
pub fn mldsa_stored(data: &[u8]) -> bool {
    mldsa::stored::check(data)
}

/// A party that is given altered frames of an attempt names their senders alone, with evidence.
pub fn mldsa_sign(data: &[u8]) -> bool {
    mldsa::rounds::sign(data)
}

/// A party that is given altered frames of a key generation for ML-DSA names their senders alone.
pub fn mldsa_dkg(data: &[u8]) -> bool {
    mldsa::rounds::dkg(data)
}

/// Evidence of an attempt convicts nobody whose frames are as they were sent.
pub fn mldsa_evidence(data: &[u8]) -> bool {
    mldsa::evidence::check(data)
}

targets! {{
    /// `KeyShare::from_bytes` is strict, and a share that is accepted can sign.
    key_share: decoders;
    /// `PublicKeyPackage::from_bytes` is strict.
    public_key_package: decoders;
    /// `DealtShare::from_bytes` is strict, and `accept` gives a share that can be stored.
    dealt_share: decoders;
    /// `Commitments::from_bytes` is strict.
    commitments: decoders;
    /// `PublishedNonces::from_bytes` is strict.
    published_nonces: decoders;
    /// `SigningPackage::from_bytes` is strict, and signers and coordinator survive any package.
    signing_package: decoders;
    /// `SignatureShare::from_bytes` is strict, and no share but the right one verifies.
    signature_share: decoders;
    /// `Signature::from_bytes` is strict, and no signature but the right one verifies.
    signature: decoders;
    /// `VerifyingKey::from_bytes` is strict, and a signature verifies under its own key only.
    verifying_key: decoders;
    /// `NonceBatch::open` is strict, whatever was sealed.
    nonce_batch: decoders;
    /// The announcement of the key generation is read strictly, and no proof but the right one
    /// verifies.
    dkg_announcement: decoders;
    /// Frames that are rejected change nothing; those that are not are blamed on their sender.
    session_frame: sessions;
    /// `Session::open` of altered or forged seals neither panics nor takes a seal that it didn't
    /// make.
    sealed_session: sessions;
    /// Key packages of the frost-* crates are read strictly, and what is taken can be stored.
    migrate_frost: migrate;
    /// Three parties of a key generation, their transport and their storage.
    dkg_operations: dkg;
    /// Three signers and a coordinator.
    signing_operations: signing;
} {
    /// Keys, public and secret, and paths to derived ones are read strictly and can be used.
    ecdsa_key: keys;
    /// Presignatures, alone or many, sealed or not, are read strictly and can be spent once.
    ecdsa_presignature: presignatures;
    /// Signatures and shares of them are read strictly, and only the right ones verify; another
    /// implementation agrees.
    ecdsa_signature: signatures;
    /// Key shares of cggmp24 are read strictly, and what is taken can be stored.
    migrate_ecdsa: migrate;
    /// The key generation's parties, frames and seals.
    ecdsa_session: sessions;
    /// Presigning among three parties: what one of them is sent, and what it has stored.
    ecdsa_presign: presigning;
    /// Three signers with presignatures, and the party that aggregates their shares.
    ecdsa_operations: operations;
}}

/// Gives each suite its fixture.
macro_rules! fixtures {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $(impl Suite for $suite {
            fn fixture() -> &'static Fixture<Self> {
                static FIXTURE: std::sync::OnceLock<Fixture<$suite>> = std::sync::OnceLock::new();
                FIXTURE.get_or_init(Fixture::new)
            }
        })*
    };
}

quorate::for_each_frost_suite!(fixtures);
