//! Orders to sign, with everything that the node reads for them.

use std::rc::Rc;

use custody_core::{Child, KeyId, Reason, Refusal, Sign};
use custody_policy::Action;
use quorate_purpose::{Facts, KeyKind, Message, Purpose};
use quorate_store::AnyStore;

use super::SignOrder;
use crate::decide::Question;
use crate::held::{Held, Spends};
use crate::request::Asked;
use crate::rows::{MaterialRow, decode, internal, name, space};
use crate::vault::{Key, Vault, package_name};

/// The content that a request asks to be signed.
pub(super) struct Content {
    pub(super) purpose: Purpose,
    pub(super) facts: Facts,
    pub(super) message: Message,
    /// The child that is to sign.
    pub(super) child: Child,
    /// Its path as policies see it, unless it is that of the key itself.
    path: Option<String>,
    /// The number of attempts that a signature takes on average.
    pub(super) tries: usize,
}

/// An order, decoded and checked.
pub(super) struct Ready {
    pub(super) content: Content,
    /// The material that it spends.
    pub(super) spends: Spends,
    /// The material, if the node has it.
    pub(super) made: Option<OnHand>,
}

/// A presignature or a pair of nonces that the node has.
pub(super) struct OnHand {
    /// The name of its row.
    pub(super) row: Vec<u8>,
    pub(super) sealed: Vec<u8>,
    /// The share of the key that it belongs to.
    pub(super) held: Rc<dyn Held>,
}

impl Content {
    /// Decodes a request, and checks what no policy has to decide.
    pub(super) fn of(key: &Key, sign: &Sign) -> Result<Self, Refusal> {
        let purpose = Purpose::from_bytes(&sign.purpose)
            .map_err(|why| Refusal::new(Reason::Malformed, why))?;
        let (kind, scheme) = (purpose.kind(), key.spec().scheme);
        if !key.spec().allows(kind) {
            return Err(Refusal::new(
                Reason::WrongPurpose,
                format_args!("the key does not sign purposes of the kind {kind}"),
            ));
        }
        if !sign.context.is_empty() && scheme.key_kind() != KeyKind::MlDsa {
            let detail = format_args!("keys of {scheme} sign under no context");
            return Err(Refusal::new(Reason::Unsupported, detail));
        }
        let child = sign.child();
        child.check_scheme(scheme)?;
        let message = purpose
            .message(scheme.key_kind())
            .map_err(|why| Refusal::new(Reason::WrongPurpose, why))?;
        // An output with scripts is not the key itself, even at `m`.
        let path = (child != Child::default()).then(|| child.path.to_string());
        let tries = usize::try_from(scheme.tries()).unwrap_or(1);
        Ok(Self { facts: purpose.facts(), purpose, message, child, path, tries })
    }

    /// The question for the policy.
    pub(super) fn question<'a>(
        &'a self,
        key: (&KeyId, &'a Key),
        (asked, sign): (&'a Asked, &'a Sign),
        now: u64,
    ) -> Question<'a> {
        Question {
            asked,
            action: Action::Sign(self.purpose.kind()),
            key: *key.0.as_bytes(),
            counters: *key.0.as_bytes(),
            spec: Some(key.1.spec()),
            facts: &self.facts,
            child: self.path.as_deref(),
            merkle_root: self.child.merkle_root,
            on_behalf: sign.on_behalf.as_deref(),
            signature_context: &sign.context,
            now,
        }
    }
}

/// Reads what an order needs.
pub(super) fn prepare(
    store: &mut AnyStore,
    vault: &Vault,
    order: &SignOrder,
) -> Result<Ready, Refusal> {
    let key = vault.key(&order.key)?;
    let content = Content::of(key, &order.sign)?;
    let spends = key.signing()?.read(&order.material, &content.message)?;
    let made = find(store, key, &order.key, &spends.name)?;
    Ok(Ready { content, spends, made })
}

/// Reads the material of this name, of whatever share that may sign.
fn find(
    store: &mut AnyStore,
    key: &Key,
    id: &KeyId,
    material: &[u8; 32],
) -> Result<Option<OnHand>, Refusal> {
    for held in key.shares.iter().rev().filter(|held| key.may_sign(held)) {
        let row = name(&[&package_name(id, &held.package_id()), material]);
        let content = store.read_records(|rows| rows.get(space::MATERIAL, &row));
        if let Some(content) = content.map_err(internal)? {
            let sealed = decode::<MaterialRow>(&content)?.sealed;
            return Ok(Some(OnHand { row, sealed, held: Rc::clone(held) }));
        }
    }
    Ok(None)
}
