//! Requests to sign, in a form that can be judged: the message, facts for a policy, and a watermark.
//!
//! A signer that sees 32 bytes can only trust whoever sends them. This crate gives it a [`Purpose`] instead: a transaction, a
//! validator's vote, a TLS handshake, a token. From its canonical bytes every signer makes three things by itself:
//!
//! - the [`Message`] that is signed, with its hash, as the key's scheme takes it;
//! - the [`Facts`] that a policy looks at: names and typed values;
//! - a [`Watermark`], where two signatures must never contradict each other.
//!
//! # Example
//!
//! A wallet asks for a transaction, and a node of a policy service decides.
//!
//! ```
//! use quorate_purpose::evm::{Fees, Transaction, Unsigned};
//! use quorate_purpose::{Integer, KeyKind, Kind, Purpose};
//!
//! // The requester. A wallet library's own bytes do as well: `Transaction::from_unsigned_bytes`.
//! let transaction = Transaction::new(Unsigned {
//!     chain: 1,
//!     nonce: 9,
//!     fees: Fees::Legacy { gas_price: 20_000_000_000 },
//!     gas_limit: 21_000,
//!     to: Some([0x35; 20]),
//!     value: "1000000000000000000".parse()?, // wei
//!     data: vec![],
//! })?;
//! let request = Purpose::from(transaction).to_bytes(); // signed by the requester, sent to every node
//!
//! // Each node, for itself.
//! let purpose = Purpose::from_bytes(&request)?;
//! let facts = purpose.facts();
//! print!("{facts}"); // chain: 1, contract_creation: false, … to: 0x3535…, value: 1000000000000000000: a line each
//! let limit: Integer = "5000000000000000000".parse()?;
//! let allowed = purpose.kind() == Kind::EvmTransaction
//!     && facts.integer("chain") == Some(&1_u64.into())
//!     && facts.bytes("to") == Some(&[0x35; 20])
//!     && facts.get("selector").is_none() // no call
//!     && facts.integer("value").is_some_and(|value| *value <= limit);
//! assert!(allowed);
//! let digest = purpose.message(KeyKind::EcdsaSecp256k1)?.ecdsa_digest();
//! assert_eq!(digest.unwrap()[..4], [0xda, 0xf5, 0xa7, 0x79]); // what threshold ECDSA signs
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Purposes and facts
//!
//! Every purpose has the fact `purpose`, the name of its [`Kind`]. A fact that the content does not have is absent.
//!
//! | kind | made from | keys | facts | watermark |
//! |---|---|---|---|---|
//! | `evm-transaction` | [`evm::Transaction`]: legacy with EIP-155, EIP-2930, EIP-1559 | ECDSA secp256k1 | `chain`, `nonce`, `type`, `to`, `contract_creation`, `value`, `gas_limit`, `max_fee`, `max_priority_fee`, `data`, `data_length`, `selector`, `access_list_length` | no |
//! | `eip712` | [`TypedData`], from JSON | ECDSA secp256k1 | `primary_type`, `chain`, `verifying_contract`, `domain_name`, `domain_version`, `salt`, `message.` and the path of each field | no |
//! | `cometbft-vote` | [`comet::Vote`] | Ed25519, ECDSA secp256k1 | `chain`, `height`, `round`, `step`, `time`, `block` | yes |
//! | `cometbft-proposal` | [`comet::Proposal`] | as above | `chain`, `height`, `round`, `step`, `time`, `block`, `pol_round` | yes |
//! | `cometbft-vote-extension` | [`comet::VoteExtension`] | as above | `chain`, `height`, `round`, `extension` | no |
//! | `tls13-certificate-verify` | [`Tls13CertificateVerify`] | ECDSA P-256, Ed25519, Ed448 | `role`, `transcript_hash` | no |
//! | `ssh-signature` | [`SshSignature`] | ECDSA P-256, Ed25519, Ed448 | `namespace`, `hash`, `digest` | no |
//! | `ssh-user-auth` | [`SshUserAuth`] | ECDSA P-256, Ed25519, Ed448 | `session_id`, `user`, `service`, `algorithm`, `public_key`, `host_key` | no |
//! | `jwt-claims` | [`JwtClaims`] | ECDSA P-256 and secp256k1, Ed25519, Ed448 | `kid`, `typ`, `claim/` and the path of each claim | no |
//! | `bitcoin-spend` | [`bitcoin::Spend`]: Taproot by key or script (BIP-341), P2WPKH and P2WSH (BIP-143) | BIP-340, ECDSA secp256k1 | `path`, `sighash`, `input`, `outpoint`, `amount`, `script`, `fee`, `output_amounts`, `output_scripts` and [others](bitcoin::Spend) | no |
//! | `x509-certificate` | [`x509::X509Certificate`]: version 3 (RFC 5280) | the key of the `signature_algorithm`: ECDSA, Ed25519, Ed448, ML-DSA | `serial`, `issuer`, `subject`, `not_before`, `not_after`, `lifetime`, `key_algorithm`, `ca`, `key_usage`, `dns_names` and [others](x509::X509Certificate) | no |
//! | `x509-crl` | [`x509::X509Crl`]: version 2, whole lists | as above | `signature_algorithm`, `issuer`, `issuer_der`, `this_update`, `next_update`, `lifetime`, `crl_number`, `revoked`, `revoked_serials`, `extensions` | yes |
//! | `evm-authorization` | [`evm::Authorization`]: delegation of an account (EIP-7702) | ECDSA secp256k1 | `chain` or `every_chain`, `delegate`, `revokes`, `nonce` | no |
//! | `evm-set-code` | [`evm::SetCodeTransaction`]: type 4 (EIP-7702) | ECDSA secp256k1 | as `evm-transaction`, `delegations`, `delegates`, `delegation_chains`, `delegation_nonces`, `every_chain` | no |
//! | `evm-blobs` | [`evm::BlobTransaction`]: type 3 (EIP-4844) | ECDSA secp256k1 | as `evm-transaction`, `max_blob_fee`, `blobs`, `blob_hashes` | no |
//! | `evm-message` | [`evm::PersonalMessage`]: version `0x45` of EIP-191 | ECDSA secp256k1 | `message`, `length`, `text` | no |
//! | `opaque-message` | [`OpaqueMessage`] | all | `bytes`, `hash` | no |
//! | `opaque-digest` | [`OpaqueDigest`] | ECDSA | `digest`, `hash` | no |
//!
//! A content that the standard allows and this crate does not know is refused, never guessed: an EVM transaction without a
//! chain, a signature of Bitcoin that leaves outputs open, an unknown critical extension of a certificate, a domain of
//! EIP-712 with a field of its own, claims with a name that stands twice. Delegations of an account (EIP-7702) are kinds of
//! their own, so that no rule for transactions allows one.
//!
//! # Watermarks
//!
//! A nonce that is used once does not stop a validator from signing two blocks: it takes two nonces. The watermark does. A
//! store reads the last [`Mark`] of the key and slot, calls [`Mark::check_follows`], and writes the new one in the
//! transaction that records the claim, before a share leaves. [`Watermarks`] is the same rule in memory.
//!
//! ```
//! use quorate_purpose::comet::{BlockId, Place, Vote, VoteStep};
//! use quorate_purpose::{Allowed, Purpose, Refused, Time, Watermarks};
//!
//! let at = |seconds, block| {
//!     let place = Place::new("cosmoshub-4", 20_000_000, 0)?;
//!     let vote = Vote::new(VoteStep::Prevote, place, block, Time::from_seconds(seconds))?;
//!     Ok::<_, quorate_purpose::Malformed>(Purpose::from(vote).watermark().unwrap())
//! };
//! let block = BlockId { hash: [1; 32], parts: 1, parts_hash: [2; 32] };
//! let mut marks = Watermarks::new();
//! assert_eq!(marks.admit(&at(1, Some(block))?), Ok(Allowed::Rises));
//! assert_eq!(marks.admit(&at(2, Some(block))?), Ok(Allowed::Again)); // another time stamp
//! assert!(matches!(marks.admit(&at(3, None)?), Err(Refused::Conflicts { .. })));
//! # Ok::<(), quorate_purpose::Malformed>(())
//! ```
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **A rule for an opaque kind**: Opaque bytes can be the signed form of a transaction, a vote or a login. A key whose policy
//!    allows them has no policy. See [`Kind::is_opaque`].
//! 2. **A message from elsewhere**: Facts say nothing about a digest that came with the request. Sign what
//!    [`Purpose::message`] gives.
//! 3. **A rule that holds for an absent fact**: A comparison with a fact that is not there must be false.
//! 4. **A watermark that is restored**, or known to too few signers: Two quorums that do not share a signer with the latest
//!    mark sign two blocks. A signer whose store may be old asks others first: [`Watermarks::learn`].
//! 5. **A height far ahead**: One vote at height 2⁶³ − 1 uses up all heights before it. A policy compares the height with that of
//!    its own node of the chain.
//! 6. **One key for two purposes**: A certificate's key that also serves handshakes makes the web server the authority. Bind
//!    a key to its kinds.
//! 7. **Numbers without a unit**: The same `value` is another amount on another chain.
//!
//! # Bytes from strangers
//!
//! [`Purpose::from_bytes`] never panics. Each purpose has one encoding: what is read is written again as the same bytes.
//! Memory and time are bounded by a constant times the length, which is at most [`MAX_LENGTH`]. Nesting is bounded, and so
//! are the names of facts. The canonical form is in `docs/spec/purposes.md` of the repository. Nothing here is secret: all functions take
//! variable time.
//!
//! The crate is `no_std`, needs `alloc`, and has no features. All decoders are its own: the hashes, `sha2` and `sha3`, are its
//! only dependencies.
#![no_std]
extern crate alloc;

pub mod bitcoin;
mod body;
pub mod comet;
mod eip712;
mod error;
pub mod evm;
mod facts;
mod hex;
mod integer;
mod json;
mod jwt;
mod kind;
mod message;
mod opaque;
mod purpose;
mod ssh;
mod time;
mod tls;
mod watermark;
mod wire;
pub mod x509;

pub use eip712::TypedData;
pub use error::{DecodeError, Malformed};
pub use facts::{Facts, Value};
pub use integer::{Integer, ParseIntegerError};
pub use jwt::JwtClaims;
pub use kind::{Kind, UnknownKind};
pub use message::{Hash, KeyKind, Message, WrongKey};
pub use opaque::{OpaqueDigest, OpaqueMessage};
pub use purpose::Purpose;
pub use ssh::{SshHash, SshSignature, SshUserAuth};
pub use time::Time;
pub use tls::{Tls13CertificateVerify, TlsRole};
pub use watermark::{Allowed, Mark, Order, Refused, Watermark, Watermarks};
pub use wire::MAX_LENGTH;
