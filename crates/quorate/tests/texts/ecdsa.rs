//! Threshold ECDSA: stored forms, keys, signatures, lists of presignatures, evidence.

use quorate::ecdsa::{
    ClaimError, CombineError, DecodeError, DeriveError, InsertError, IntersectError,
    InvalidSignature, ListFault, ListMismatch, Mismatch, NotShown, NumberError, PartialError,
    PartialFault, PartialMismatch, SignersError, keys::DecodeError as Stored,
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
    let faults = [
        PartialFault::Malformed(DecodeError::Truncated),
        PartialFault::InAnothersName(party(7)),
        PartialFault::Equation,
    ];
    let mismatches = [
        PartialMismatch::OtherFormat(OTHER),
        PartialMismatch::OtherPresignature,
        PartialMismatch::OtherPoints,
        PartialMismatch::OtherKey,
        PartialMismatch::OtherMessage,
    ];
    texts.put(HOME, faults);
    texts.put(HOME, mismatches);
    texts.put(
        HOME,
        [
            PartialError::NotASigner,
            PartialError::Fault(faults[2]),
            PartialError::Mismatch(mismatches[3]),
            PartialError::NotAChild,
            PartialError::NoNonce,
        ],
    );
    texts.put(
        HOME,
        [
            CombineError::Missing(vec![party(7), party(9)]),
            CombineError::Unexpected(party(7)),
            CombineError::Cheaters(vec![(party(7), faults[2])]),
            CombineError::Mismatch(vec![(party(7), mismatches[3])]),
            CombineError::NotAChild,
            CombineError::NoNonce,
            CombineError::Inconsistent,
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
            ClaimError::NoNonce,
            ClaimError::OtherReceipt,
        ],
    );
}

pub(crate) fn inventories(texts: &mut Texts) {
    texts.put(HOME, [InsertError::OtherParty(party(7)), InsertError::SecondOfItsName]);
    let lists = [ListFault::Malformed(DecodeError::BadOrder), ListFault::InAnothersName(party(7))];
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
