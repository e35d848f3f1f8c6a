//! The service behind the interface.

use core::pin::Pin;
use std::sync::Arc;

use crate::{
    Callers, Child, KeyDescription, KeyId, KeyList, Page, PartyId, Refusal, RequestDescription,
    RequestId, RequestList, SignedRequest, Verified,
};

/// The reply of the service, later.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, Refusal>> + Send + 'a>>;

/// The service behind the interface: a gateway.
///
/// The interface has verified the signature of every caller, and that the caller has a role for the operation.
pub trait Service: Send + Sync + 'static {
    /// The callers of the cluster, as the configuration lists them now.
    fn callers(&self) -> Arc<Callers>;

    /// The time, in seconds since 1970.
    fn now(&self) -> u64;

    /// Takes an operation that is no read, and waits for its result for [`Verified::wait`] seconds.
    ///
    /// A repeated request gets the description of the first. A nonce of two requests is refused with `request-conflict`.
    fn submit(&self, request: SignedRequest, verified: Verified) -> Reply<'_, RequestDescription>;

    /// Lists keys.
    fn keys(&self, page: Page<KeyId>) -> Reply<'_, KeyList>;

    /// Describes a key, and a child of it.
    fn key(&self, key: KeyId, child: Option<Child>) -> Reply<'_, KeyDescription>;

    /// Lists requests without a result.
    fn requests(&self, page: Page<RequestId>) -> Reply<'_, RequestList>;

    /// Describes a request, and waits for its result for this number of seconds.
    fn request(&self, request: RequestId, wait: u16) -> Reply<'_, RequestDescription>;

    /// Exports entries of a node's log of decisions, a line of JSON each. The node verifies the request itself.
    fn audit(&self, node: PartyId, request: SignedRequest) -> Reply<'_, Vec<String>>;
}
