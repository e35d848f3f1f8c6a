//! Types that nodes, gateways and clients of the signing service share: ids, certificates, requests, orders and answers.
//!
//! The crate has no input or output, no clock and no runtime.

mod accusation;
mod answer;
mod api;
mod caller;
mod callers;
mod certificate;
mod children;
mod fields;
mod id;
mod operation;
mod order;
mod peer;
mod reason;
mod refusal;
mod scheme;
mod service;
mod signed_request;
mod spec;
mod versions;
mod wire;

pub use accusation::Accusation;
pub use answer::{Answer, AnswerMessage, EarlierAttempt, KeyInfo, KeyState, NodeStatus, Stock};
pub use api::{
    ChildDescription, KeyCondition, KeyDescription, KeyList, Problem, RequestDescription,
    RequestList, RequestState, SignatureDescription,
};
pub use caller::{Caller, CallerKey, NotACallerKey, Role};
pub use callers::{Callers, CallersError};
pub use certificate::{Certificate, CertificateError, Endorsement, SignedCertificate};
pub use children::{Child, Derivations, MerkleRoot, Root};
pub use id::{KeyId, NotAnId, RequestDigest, RequestId};
pub use operation::{Approve, Operation, Page, Read, Replenish, Reshare, ScheduleDeletion, Sign};
pub use order::{Material, Order, OrderMessage};
pub use peer::{Heartbeat, LedgerHead, PACKET_KIND, Witness};
pub use reason::Reason;
pub use refusal::Refusal;
pub use scheme::{Scheme, UnknownScheme};
pub use service::{Reply, Service};
pub use signed_request::{
    Parameters, SignedHead, SignedRequest, UnsignedRequest, Verified, VerifiedHead,
};
pub use spec::{KeySpec, SpecError};
pub use versions::Versions;
pub use wire::{MAX_BATCH, OLDEST, VERSION, WireError, batches, version_of};

#[doc(no_inline)]
pub use quorate::PartyId;
#[doc(no_inline)]
pub use quorate_keys::derive::DerivationPath;
