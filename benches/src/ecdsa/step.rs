//! Steps, curves, levels and sizes that are measured.

/// A step of threshold ECDSA, run by all parties that take part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcdsaStep {
    /// Distributed key generation by n parties.
    Keygen,
    /// Auxiliary information of n parties, with the search for its primes.
    AuxInfo,
    /// Auxiliary information of n parties, from primes found before.
    AuxInfoGivenPrimes,
    /// Opening the stored auxiliary information of one party, at each of n parties.
    AuxInfoOpen,
    /// A presignature among t signers.
    Presign,
    /// Presignatures among t signers, many in one run: the costs of each of them. A library that makes one at a time
    /// makes one.
    PresignMany,
    /// From a presignature to a verified signature at each of t signers.
    Sign,
    /// A signature among t signers without anything prepared.
    SignInteractive,
    /// New shares for all n parties, dealt by t of them.
    Refresh,
    /// New shares for n parties. The first of t dealers leaves, and a new party takes its place.
    Reshare,
    /// The share of the last of n parties, from t others.
    Repair,
}

impl EcdsaStep {
    /// The steps, in the order in which a user takes them.
    pub const ALL: [Self; 11] = [
        Self::Keygen,
        Self::AuxInfo,
        Self::AuxInfoGivenPrimes,
        Self::AuxInfoOpen,
        Self::Presign,
        Self::PresignMany,
        Self::Sign,
        Self::SignInteractive,
        Self::Refresh,
        Self::Reshare,
        Self::Repair,
    ];

    /// The name on the command line and in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::AuxInfo => "auxinfo",
            Self::AuxInfoGivenPrimes => "auxinfo_given_primes",
            Self::AuxInfoOpen => "auxinfo_open",
            Self::Presign => "presign",
            Self::PresignMany => "presign_many",
            Self::Sign => "sign",
            Self::SignInteractive => "sign_interactive",
            Self::Refresh => "refresh",
            Self::Reshare => "reshare",
            Self::Repair => "repair",
        }
    }

    /// The step of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// Returns whether the step searches for primes. A search takes a random time, so the mean is wanted
    /// instead of its median.
    #[must_use]
    pub fn searches(self) -> bool {
        self == Self::AuxInfo
    }

    /// Runs, unless the command line says otherwise: few of what takes seconds.
    #[must_use]
    pub fn runs(self) -> usize {
        match self {
            Self::Keygen
            | Self::AuxInfoOpen
            | Self::Sign
            | Self::Refresh
            | Self::Reshare
            | Self::Repair => 11,
            Self::AuxInfo => 1,
            Self::AuxInfoGivenPrimes | Self::PresignMany => 3,
            Self::Presign | Self::SignInteractive => 5,
        }
    }
}

/// A security level: what factoring the moduli costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Moduli of 2048 bits.
    Bits112,
    /// Moduli of 3072 bits.
    Bits128,
}

impl Level {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Bits112, Self::Bits128];

    /// The level in bits.
    #[must_use]
    pub fn bits(self) -> u16 {
        match self {
            Self::Bits112 => 112,
            Self::Bits128 => 128,
        }
    }

    /// Bits of a modulus.
    #[must_use]
    pub fn modulus_bits(self) -> u32 {
        match self {
            Self::Bits112 => 2048,
            Self::Bits128 => 3072,
        }
    }
}

/// A curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcdsaCurve {
    /// The curve of Bitcoin and Ethereum.
    Secp256k1,
    /// Also called secp256r1.
    P256,
}

impl EcdsaCurve {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Secp256k1, Self::P256];

    /// The name on the command line and in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Secp256k1 => "secp256k1",
            Self::P256 => "p256",
        }
    }
}

/// One combination of everything but the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The curve.
    pub curve: EcdsaCurve,
    /// The level of the moduli.
    pub level: Level,
    /// Signers needed, and signers in every signing step.
    pub t: u16,
    /// Parties that hold a share.
    pub n: u16,
    /// The presignatures of a run that makes many.
    pub k: u16,
}
