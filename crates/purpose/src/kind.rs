//! The kinds of purposes, by code and by name.

use core::fmt;
use core::str::FromStr;

/// A kind of purpose: what a key may be bound to, and the first thing that a policy looks at.
///
/// A name that [`Display`](fmt::Display) gives is parsed back by [`FromStr`]. Names and codes never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes with no structure that this crate knows. [Opaque](Self::is_opaque).
    OpaqueMessage,
    /// A digest of something that nobody shows. [Opaque](Self::is_opaque).
    OpaqueDigest,
    /// A transaction of an EVM chain.
    EvmTransaction,
    /// Typed data (EIP-712).
    Eip712,
    /// A vote of a CometBFT validator.
    CometVote,
    /// A proposal of a CometBFT validator.
    CometProposal,
    /// The extension of a CometBFT precommit.
    CometVoteExtension,
    /// The handshake of a TLS 1.3 server or client.
    Tls13CertificateVerify,
    /// A signature of a file or commit by an SSH key.
    SshSignature,
    /// A login with an SSH key.
    SshUserAuth,
    /// A JSON Web Token.
    JwtClaims,
    /// The signature of one input of a Bitcoin transaction.
    BitcoinSpend,
    /// A certificate that an authority signs.
    X509Certificate,
    /// A list of revoked certificates.
    X509Crl,
    /// The delegation of an account to a contract (EIP-7702).
    EvmAuthorization,
    /// A transaction that carries delegations (EIP-7702).
    EvmSetCode,
    /// A transaction that carries blobs (EIP-4844).
    EvmBlobs,
    /// A message that a person signs with an account of an EVM chain (EIP-191).
    EvmMessage,
}

impl Kind {
    /// Every kind, in the order of their codes.
    pub const ALL: [Self; 18] = [
        Self::OpaqueMessage,
        Self::OpaqueDigest,
        Self::EvmTransaction,
        Self::Eip712,
        Self::CometVote,
        Self::CometProposal,
        Self::CometVoteExtension,
        Self::Tls13CertificateVerify,
        Self::SshSignature,
        Self::SshUserAuth,
        Self::JwtClaims,
        Self::BitcoinSpend,
        Self::X509Certificate,
        Self::X509Crl,
        Self::EvmAuthorization,
        Self::EvmSetCode,
        Self::EvmBlobs,
        Self::EvmMessage,
    ];

    /// The code in the canonical form.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::OpaqueMessage => 1,
            Self::OpaqueDigest => 2,
            Self::EvmTransaction => 3,
            Self::Eip712 => 4,
            Self::CometVote => 5,
            Self::CometProposal => 6,
            Self::CometVoteExtension => 7,
            Self::Tls13CertificateVerify => 8,
            Self::SshSignature => 11,
            Self::SshUserAuth => 12,
            Self::JwtClaims => 13,
            Self::BitcoinSpend => 14,
            Self::X509Certificate => 15,
            Self::X509Crl => 16,
            Self::EvmAuthorization => 17,
            Self::EvmSetCode => 18,
            Self::EvmBlobs => 19,
            Self::EvmMessage => 20,
        }
    }

    /// The kind of a code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The name in facts, policies and the binding of a key.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpaqueMessage => "opaque-message",
            Self::OpaqueDigest => "opaque-digest",
            Self::EvmTransaction => "evm-transaction",
            Self::Eip712 => "eip712",
            Self::CometVote => "cometbft-vote",
            Self::CometProposal => "cometbft-proposal",
            Self::CometVoteExtension => "cometbft-vote-extension",
            Self::Tls13CertificateVerify => "tls13-certificate-verify",
            Self::SshSignature => "ssh-signature",
            Self::SshUserAuth => "ssh-user-auth",
            Self::JwtClaims => "jwt-claims",
            Self::BitcoinSpend => "bitcoin-spend",
            Self::X509Certificate => "x509-certificate",
            Self::X509Crl => "x509-crl",
            Self::EvmAuthorization => "evm-authorization",
            Self::EvmSetCode => "evm-set-code",
            Self::EvmBlobs => "evm-blobs",
            Self::EvmMessage => "evm-message",
        }
    }

    /// Returns whether the content says nothing about itself.
    ///
    /// Opaque bytes and digests can be a signed form of any other kind: a transaction, a vote, a login. A policy that allows
    /// an opaque kind allows all the others for that key, without their facts and watermarks. No default rule should.
    #[must_use]
    pub const fn is_opaque(self) -> bool {
        matches!(self, Self::OpaqueMessage | Self::OpaqueDigest)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No kind of purpose has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no kind of purpose has this name")
    }
}

impl core::error::Error for UnknownKind {}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownKind)
    }
}
