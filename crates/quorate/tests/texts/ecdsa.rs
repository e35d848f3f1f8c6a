//! Threshold ECDSA: stored forms, keys, signatures, lists of presignatures, evidence.

use quorate::ecdsa::{
    AggregateError, ClaimError, DecodeError, DeriveError, InsertError, IntersectError,
    InvalidSignature, ListFault, ListMismatch, Mismatch, NotShown, NumberError, ShareFault,
    ShareMismatch, ShareRejected, SignersError, keys::DecodeError as Stored,
};
use quorate::session::container::ContainerError;
use quorate::session::stock::RangesError;

use crate::{Texts, party};

const HOME: &str = "cggmp";
/// Of another release.
const OTHER: DecodeError =
    DecodeError::Container(ContainerError::NewerVersion { expected: 1, got: 2 });

pub(crate) fn forms(texts: &mut Texts) {
    texts.put(
        HOME,
        [
            DecodeError::Truncated,
            DecodeError::TrailingBytes,
            DecodeError::TooLong,
            DecodeError::Container(ContainerError::Damaged),
            DecodeError::OtherProofs { expected: 1, found: 2 },
            DecodeError::BadIdentifier(0),
            DecodeError::BadIdentifier(9),
            DecodeError::BadOrder,
            DecodeError::BadIndex(1024),
            DecodeError::Ranges(RangesError::Backwards { first: 5, last: 0 }),
            DecodeError::BadParties { got: 129 },
            DecodeError::Key(Stored::BadState(7)),
            DecodeError::Mismatch(Mismatch::WrongEpoch { expected: 4, got: 3 }),
            DecodeError::BadPoint,
            DecodeError::BadScalar,
            DecodeError::HighS,
            DecodeError::BadRecoveryId(9),
            DecodeError::BadDer("(what was expected)"),
            DecodeError::BadFlag(7),
            DecodeError::BadPem("(what was expected)"),
            DecodeError::Numbers(NumberError::NotBlum),
            DecodeError::Inconsistent("(which)"),
            DecodeError::NotTheSenders { sender: party(7), named: party(9) },
        ],
    );
}

pub(crate) fn keys(texts: &mut Texts) {
    texts.put(
        HOME,
        [
            SignersError::TooFew { got: 1, need: 2 },
            SignersError::Unknown(party(7)),
            SignersError::NotASigner,
            SignersError::Inconsistent,
        ],
    );
    texts.put(HOME, [InvalidSignature]);
}

pub(crate) fn partial_signatures(texts: &mut Texts) {
    let faults = [ShareFault::Malformed(DecodeError::Truncated), ShareFault::Equation];
    let mismatches = [
        ShareMismatch::OtherFormat(OTHER),
        ShareMismatch::OtherPresignature,
        ShareMismatch::OtherPoints,
        ShareMismatch::OtherKey,
        ShareMismatch::OtherMessage,
    ];
    texts.put(HOME, faults);
    texts.put(HOME, mismatches);
    texts.put(
        HOME,
        [
            ShareRejected::NotASigner,
            ShareRejected::Fault(faults[1]),
            ShareRejected::Mismatch(mismatches[3]),
            ShareRejected::NotAChild,
            ShareRejected::NoNonce,
        ],
    );
    texts.put(
        HOME,
        [
            AggregateError::Missing(vec![party(7), party(9)]),
            AggregateError::Unexpected(party(7)),
            AggregateError::Cheaters(vec![(party(7), faults[1])]),
            AggregateError::Mismatch(vec![(party(7), mismatches[3])]),
            AggregateError::NotAChild,
            AggregateError::NoNonce,
            AggregateError::Inconsistent,
        ],
    );
    texts.put(
        HOME,
        [
            ClaimError::Unknown,
            ClaimError::OtherParty,
            ClaimError::Unconfirmed,
            ClaimError::Mismatch(Mismatch::WrongEpoch { expected: 4, got: 3 }),
            ClaimError::NoChild(DeriveError::NoSuchChild(9)),
            ClaimError::ZeroDigest,
            ClaimError::NoNonce,
            ClaimError::OtherReceipt,
        ],
    );
}

pub(crate) fn inventories(texts: &mut Texts) {
    texts.put(HOME, [InsertError::OtherParty(party(7)), InsertError::SecondOfItsName]);
    let lists = [ListFault::Malformed(DecodeError::BadOrder)];
    let others = [ListMismatch::OtherFormat(OTHER), ListMismatch::OtherSigners];
    texts.put(HOME, lists);
    texts.put(HOME, others);
    texts.put(
        HOME,
        [
            IntersectError::NotASigner,
            IntersectError::Missing(vec![party(7)]),
            IntersectError::Unexpected(party(7)),
            IntersectError::Duplicate(party(7)),
            IntersectError::Cheaters(vec![(party(7), lists[0])]),
            IntersectError::Mismatch(vec![(party(7), others[1])]),
        ],
    );
    texts.put(
        HOME,
        [
            NotShown::OtherRun,
            NotShown::TooLarge,
            NotShown::Incomplete,
            NotShown::InOrder,
            NotShown::Unclear,
        ],
    );
}
