//! The signature base (RFC 9421, section 2.5).

use super::SignedHead;
use super::input::{Component, SignatureInput};
use crate::operation::Target;

/// The bytes that the caller signed: a line for each component, and the parameters as the header spells them.
///
/// No value contains a line break: method, target and headers were checked before.
pub(super) fn signature_base(
    head: &SignedHead,
    target: &Target,
    input: &SignatureInput<'_>,
) -> String {
    let mut base = String::with_capacity(1024);
    for component in &input.covered {
        let value = match component {
            Component::Method => &head.method,
            Component::Path => target.path(),
            Component::Query => target.query().unwrap_or("?"),
            Component::ContentDigest => &head.content_digest,
        };
        [component.quoted(), ": ", value, "\n"].into_iter().for_each(|part| base.push_str(part));
    }
    base.push_str("\"@signature-params\": ");
    base.push_str(input.parameters);
    base
}
