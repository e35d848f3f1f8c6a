//! A signer of Ethereum transactions, typed data and messages, over a committee.
//!
//! Programs that keep their keys elsewhere ask for signatures in one of two ways, and this crate answers both:
//!
//! - **JSON-RPC** at `POST /`, as `ethers` and other libraries ask a node that has accounts: `eth_accounts`,
//!   `eth_signTransaction`, `eth_signTypedData_v4` (also as `eth_signTypedData`), `personal_sign`, `eth_sign`, `eth_chainId` and
//!   `web3_clientVersion`. Requests can come in lists of at most [`MAX_BATCH`].
//! - **REST of web3signer**: `GET /api/v1/eth1/publicKeys`, `POST /api/v1/eth1/sign/{public key or address}`, `GET /upcheck` and
//!   `GET /healthcheck`.
//!
//! Each request has the name and secret of an access key (HTTP Basic). The name is what policies see as `on_behalf`. Requests of web
//! pages are refused, whatever they know.
//!
//! # What is signed
//!
//! Every signer reads what it signs: a transaction with its chain ([`evm`](quorate_purpose::evm), all types from legacy to EIP-7702),
//! typed data (EIP-712), or a message (EIP-191). `eth_sign` signs a message, too, with the prefix of EIP-191: nothing here signs
//! a bare hash. A signature of the answer verifies under the account, and has the lower of the two values of s (EIP-2).
//!
//! The data of web3signer's REST is read in the same way. Data that is none of these is opaque. A key that is bound to
//! `opaque-message` signs it, under a policy that names this kind.
//!
//! # Differences from web3signer and from nodes
//!
//! - The socket sends nothing: `eth_sendTransaction` and the methods of a chain are unknown. Send what `eth_signTransaction` gives.
//! - Fields have to be there, as nobody fills them in: the nonce, the gas and its price. The chain can be that of the socket.
//! - A field that is unknown, or does not belong to the type of the transaction, is refused.
//! - `eth_signTransaction` gives the text of the signed bytes, as web3signer does, not an object.

#[cfg(feature = "serve")]
mod access;
#[cfg(feature = "serve")]
mod account;
mod error;
mod hex;
#[cfg(feature = "serve")]
mod methods;
mod request;
mod rpc;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod signer;
mod transaction;

pub use error::{Error, ErrorKind};
pub use request::TransactionRequest;
pub use rpc::{Call, MAX_BATCH, Requests};
#[cfg(feature = "serve")]
pub use serve::serve;
#[cfg(feature = "serve")]
pub use signer::Signer;
pub use transaction::Prepared;
