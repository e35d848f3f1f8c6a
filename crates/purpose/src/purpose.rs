//! Purposes of all kinds.

use alloc::vec::Vec;

use crate::bitcoin::Spend;
use crate::body::Body;
use crate::comet::{Proposal, Vote, VoteExtension};
use crate::eip712::TypedData;
use crate::error::DecodeError;
use crate::evm::{
    Authorization, BlobTransaction, PersonalMessage, SetCodeTransaction, Transaction,
};
use crate::facts::Facts;
use crate::jwt::JwtClaims;
use crate::kind::Kind;
use crate::message::{KeyKind, Message, WrongKey};
use crate::opaque::{OpaqueDigest, OpaqueMessage};
use crate::ssh::{SshSignature, SshUserAuth};
use crate::tls::Tls13CertificateVerify;
use crate::watermark::Watermark;
use crate::wire::MAX_LENGTH;
use crate::x509::{X509Certificate, X509Crl};

/// The version of the canonical form.
const VERSION: u8 = 1;

/// Defines the enum, and sends each call to the content.
macro_rules! purposes {
    ($($(#[doc = $doc:literal])+ $name:ident($content:ident),)*) => {
        /// A request to a key, in a form that can be judged.
        ///
        /// A requester makes one of the content and sends [`to_bytes`](Self::to_bytes). Each signer reads the bytes and makes
        /// message, facts and watermark itself; it takes none of them from anybody.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Purpose {
            $($(#[doc = $doc])+ $name($content),)*
        }

        $(impl From<$content> for Purpose {
            fn from(content: $content) -> Self {
                Self::$name(content)
            }
        })*

        impl Purpose {
            /// The kind.
            #[must_use]
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$name(_) => <$content>::KIND,)*
                }
            }

            /// Makes the message that a key of this kind signs, from the content.
            ///
            /// # Errors
            /// If keys of this kind do not sign such a content.
            pub fn message(&self, key: KeyKind) -> Result<Message, WrongKey> {
                match self {
                    $(Self::$name(content) => content.message(key),)*
                }
            }

            /// The mark that may only rise, for contents of which two must not contradict each other.
            #[must_use]
            pub fn watermark(&self) -> Option<Watermark> {
                match self {
                    $(Self::$name(content) => content.watermark(),)*
                }
            }

            fn add_facts(&self, facts: &mut Facts) {
                match self {
                    $(Self::$name(content) => content.add_facts(facts),)*
                }
            }

            fn write(&self, to: &mut Vec<u8>) {
                match self {
                    $(Self::$name(content) => content.write(to),)*
                }
            }

            fn read(kind: Kind, body: &[u8]) -> Result<Self, DecodeError> {
                let refused = |malformed| DecodeError::Malformed(kind, malformed);
                $(if kind == <$content>::KIND {
                    return <$content>::read(body).map(Self::$name).map_err(refused);
                })*
                Err(DecodeError::Kind(kind.code()))
            }
        }
    };
}

purposes! {
    /// Bytes without a structure that this crate knows.
    OpaqueMessage(OpaqueMessage),
    /// A digest of something that nobody shows.
    OpaqueDigest(OpaqueDigest),
    /// A transaction of an EVM chain.
    EvmTransaction(Transaction),
    /// Typed data (EIP-712).
    Eip712(TypedData),
    /// A vote of a CometBFT validator.
    CometVote(Vote),
    /// A proposal of a CometBFT validator.
    CometProposal(Proposal),
    /// The extension of a CometBFT precommit.
    CometVoteExtension(VoteExtension),
    /// The handshake of a TLS 1.3 server or client.
    Tls13CertificateVerify(Tls13CertificateVerify),
    /// A signature of a file or commit by an SSH key.
    SshSignature(SshSignature),
    /// A login with an SSH key.
    SshUserAuth(SshUserAuth),
    /// A JSON Web Token.
    JwtClaims(JwtClaims),
    /// The signature of one input of a Bitcoin transaction.
    BitcoinSpend(Spend),
    /// A certificate that an authority signs.
    X509Certificate(X509Certificate),
    /// A list of revoked certificates.
    X509Crl(X509Crl),
    /// The delegation of an account to a contract (EIP-7702).
    EvmAuthorization(Authorization),
    /// A transaction that carries delegations (EIP-7702).
    EvmSetCode(SetCodeTransaction),
    /// A transaction that carries blobs (EIP-4844).
    EvmBlobs(BlobTransaction),
    /// A message that a person signs with an account of an EVM chain (EIP-191).
    EvmMessage(PersonalMessage),
}

impl Purpose {
    /// Reads the canonical form: version 1, the code of the kind, and the body that the content's type describes.
    ///
    /// Each purpose has one form. Memory and time are bounded by a constant times the length.
    ///
    /// # Errors
    /// If it is not that form.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        match bytes {
            [] | [_] => Err(DecodeError::Length),
            _ if bytes.len() > MAX_LENGTH => Err(DecodeError::Length),
            [VERSION, code, body @ ..] => {
                Self::read(Kind::from_code(*code).ok_or(DecodeError::Kind(*code))?, body)
            }
            [version, ..] => Err(DecodeError::Version(*version)),
        }
    }

    /// The canonical form, at most [`MAX_LENGTH`] bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = alloc::vec![VERSION, self.kind().code()];
        self.write(&mut bytes);
        bytes
    }

    /// The facts that a policy may look at.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.add("purpose", self.kind().name());
        self.add_facts(&mut facts);
        facts
    }
}
