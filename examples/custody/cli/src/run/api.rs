//! The gateway as the service behind the HTTP interface.

use std::sync::Arc;

use custody_core::{
    Callers, DerivationPath, KeyDescription, KeyId, KeyList, Page, PartyId, RequestDescription,
    RequestId, RequestList, SignedRequest, Verified,
};
use custody_gateway::Gateway;
use custody_http::{Reply, Service};

/// The gateway behind the interface.
#[derive(Debug)]
pub(super) struct Api(pub(super) Gateway);

impl Service for Api {
    fn callers(&self) -> Arc<Callers> {
        self.0.callers()
    }

    fn now(&self) -> u64 {
        self.0.now()
    }

    fn submit(&self, request: SignedRequest, verified: Verified) -> Reply<'_, RequestDescription> {
        Box::pin(self.0.submit(request, verified))
    }

    fn keys(&self, page: Page<KeyId>) -> Reply<'_, KeyList> {
        Box::pin(self.0.keys(page))
    }

    fn key(&self, key: KeyId, path: Option<DerivationPath>) -> Reply<'_, KeyDescription> {
        Box::pin(self.0.key(key, path))
    }

    fn requests(&self, page: Page<RequestId>) -> Reply<'_, RequestList> {
        Box::pin(self.0.requests(page))
    }

    fn request(&self, request: RequestId, wait: u16) -> Reply<'_, RequestDescription> {
        Box::pin(self.0.request(request, wait))
    }

    fn audit(&self, node: PartyId, request: SignedRequest) -> Reply<'_, Vec<String>> {
        Box::pin(self.0.audit(node, request))
    }
}
