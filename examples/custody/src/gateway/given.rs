//! Orders to sign that were given, the shares that came back, and what comes of them.

use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::frost::ed25519;
use quorate::runner::Time;
use quorate_cggmp::{AggregateError, Derived, MessageDigest, PresignatureInfo, Secp256k1};

use super::key::{Key, Public};
use crate::request::{Request, RequestKey};
use crate::wire::{Material, Message, SignOrder};

/// An order that was given.
pub(super) struct Given {
    pub(super) request: RequestKey,
    /// The order as it is sent.
    pub(super) bytes: Vec<u8>,
    pub(super) signers: Vec<PartyId>,
    /// The signers that have not answered.
    pub(super) owing: BTreeSet<PartyId>,
    /// Whether one of them has refused it, so that it comes to nothing.
    pub(super) refused: bool,
    pub(super) work: Work,
    /// When it was given first, and when it is given again.
    pub(super) first: Time,
    pub(super) again: (Time, Time),
    /// The nonces that it spends, by signer: the numbers of the orders that they were made for.
    pub(super) numbers: Vec<(PartyId, u64)>,
}

/// The shares so far.
#[allow(clippy::large_enum_variant, reason = "both are large")]
pub(super) enum Work {
    Ecdsa {
        info: PresignatureInfo<Secp256k1>,
        child: Derived<Secp256k1>,
        shares: BTreeMap<PartyId, Vec<u8>>,
    },
    Ed25519(Option<ed25519::SigningSession>),
}

/// What has come of a share.
pub(super) enum Came {
    /// Others are missing.
    Waiting,
    /// All are there; the session is to be finished with others.
    Complete,
    /// The signature.
    Signed(Vec<u8>),
    /// There is no signature.
    Failed(Failed),
}

/// Why the shares of an order give no signature.
#[derive(Default)]
pub(super) struct Failed {
    /// The reason, if it names no signer.
    pub why: Option<String>,
    /// Signers whose shares are proved wrong, with the proof's finding.
    pub cheaters: Vec<(PartyId, String)>,
    /// Signers whose shares are missing or for something else. Nothing is proved of them: another gateway, a restored session
    /// or another release gives the same.
    pub unfit: Vec<(PartyId, String)>,
}

impl Work {
    /// What is needed to put the shares of an order together.
    pub(super) fn ecdsa(
        key: &Key,
        request: &Request,
        info: PresignatureInfo<Secp256k1>,
    ) -> Option<Self> {
        let Public::Ecdsa(public) = &key.public else { return None };
        let child = public.derivation(&request.path).ok()?;
        Some(Self::Ecdsa { info, child, shares: BTreeMap::new() })
    }

    pub(super) fn ed25519(
        key: &Key,
        request: &Request,
        commitments: &[ed25519::Commitments],
    ) -> Option<Self> {
        let Public::Ed25519(coordinator) = &key.public else { return None };
        let sent = commitments.iter().map(|one| (one.id(), one.to_bytes()));
        Some(Self::Ed25519(Some(coordinator.start(sent, &request.message).ok()?)))
    }

    /// Takes a share in.
    pub(super) fn receive(&mut self, request: &Request, from: PartyId, share: Vec<u8>) -> Came {
        match self {
            Self::Ecdsa { info, child, shares } => {
                shares.entry(from).or_insert(share);
                if shares.len() < info.signers().len() {
                    return Came::Waiting;
                }
                let all = shares.iter().map(|(id, share)| (*id, share));
                combined(info.aggregate(
                    child,
                    MessageDigest::sha256(request.message.as_slice()),
                    all,
                ))
            }
            Self::Ed25519(Some(session)) => match session.receive(from, &share) {
                Err(why) => {
                    let named = vec![(from, why.to_string())];
                    let (cheaters, unfit) =
                        if why.is_senders_fault() { (named, vec![]) } else { (vec![], named) };
                    Came::Failed(Failed { cheaters, unfit, ..Failed::default() })
                }
                Ok(()) if session.waiting_for().next().is_none() => Came::Complete,
                Ok(()) => Came::Waiting,
            },
            Self::Ed25519(None) => Came::Waiting,
        }
    }
}

fn combined(result: Result<quorate_cggmp::Signature<Secp256k1>, AggregateError>) -> Came {
    let error = match result {
        Ok(signature) => match signature.to_recoverable() {
            Some(bytes) => return Came::Signed(bytes.to_vec()),
            None => return Came::Failed(Failed::default()),
        },
        Err(error) => error,
    };
    let mut failed = Failed::default();
    match error {
        AggregateError::Cheaters(wrong) => {
            failed.cheaters = wrong.into_iter().map(|(id, why)| (id, why.to_string())).collect();
        }
        AggregateError::Mismatch(wrong) => {
            failed.unfit = wrong.into_iter().map(|(id, why)| (id, why.to_string())).collect();
        }
        AggregateError::Missing(ids) => {
            let why = || "its share is for something else".to_owned();
            failed.unfit = ids.into_iter().map(|id| (id, why())).collect();
        }
        other => failed.why = Some(other.to_string()),
    }
    Came::Failed(failed)
}

impl Given {
    /// An order that is given now.
    pub(super) fn new(
        order: &SignOrder,
        (signers, numbers): (Vec<PartyId>, Vec<(PartyId, u64)>),
        work: Work,
        (now, again): (Time, Time),
    ) -> Self {
        let (request, bytes) = (order.request.request.key, order.to_bytes());
        let owing = signers.iter().copied().collect();
        let again = (now.saturating_add(again), again);
        let refused = false;
        Self { request, bytes, signers, owing, refused, work, first: now, again, numbers }
    }

    /// The order.
    pub(super) fn order(bytes: &[u8]) -> Option<SignOrder> {
        match Message::from_bytes(bytes) {
            Ok(Message::Sign(order)) => Some(*order),
            _ => None,
        }
    }
}

/// What is stored beside an order, so that its shares can be put together later: the public side of the presignature, or
/// the numbers of the orders that the nonces were made for.
pub(super) fn material(work: &Work, numbers: &[(PartyId, u64)]) -> Vec<u8> {
    match work {
        Work::Ecdsa { info, .. } => info.to_bytes(),
        Work::Ed25519(_) => {
            let each = numbers.iter().flat_map(|(_, number)| number.to_be_bytes());
            each.collect()
        }
    }
}

/// Takes up an order that was given in another life.
pub(super) fn reopen(
    key: &Key,
    order: &SignOrder,
    material: &[u8],
    (now, again): (Time, Time),
) -> Option<Given> {
    let request = &order.request.request;
    let (signers, numbers, work) = match (&order.material, &key.public) {
        (Material::Presignature(_), Public::Ecdsa(public)) => {
            let info = PresignatureInfo::from_bytes(material).ok()?;
            info.check_belongs_to(public).ok()?;
            let signers = info.signers().iter().collect();
            (signers, Vec::new(), Work::ecdsa(key, request, info)?)
        }
        (Material::Commitments(list), Public::Ed25519(coordinator)) => {
            let package = coordinator.public().package_id();
            let read = |(id, bytes): &(PartyId, [u8; 64])| {
                let (hiding, binding) = bytes.split_at_checked(32)?;
                ed25519::Commitments::from_parts(*id, package, hiding, binding).ok()
            };
            let all = list.iter().map(read).collect::<Option<Vec<_>>>()?;
            let signers: Vec<PartyId> = list.iter().map(|(id, _)| *id).collect();
            let numbers = material.as_chunks().0.iter().map(|bytes| u64::from_be_bytes(*bytes));
            let numbers = signers.iter().copied().zip(numbers).collect();
            (signers, numbers, Work::ed25519(key, request, &all)?)
        }
        _ => return None,
    };
    Some(Given::new(order, (signers, numbers), work, (now, again)))
}
