//! FROST: keys, signing packages, signatures.

use quorate::frost::generic::{
    AcceptError, AggregateError, BatchError, ClaimError, DealError, DecodeError, InvalidSignature,
    Mismatch, PackageError, ReceiptError, ShareRejected, SignError, TweakError,
};

use quorate::frost::generic::keys::derive::DeriveError;
use quorate::frost::generic::roast::{AnswerRejected, Refused, SignerFault};
use quorate::session::RecordError;
use quorate::session::container::ContainerError;
use quorate::session::stock::RangesError;

use crate::{Texts, party};

const HOME: &str = "frost";

pub(crate) fn mismatches() -> [Mismatch; 3] {
    [
        Mismatch::WrongKey,
        Mismatch::WrongEpoch { expected: 1, got: 0 },
        Mismatch::WrongPackage { epoch: 1 },
    ]
}

pub(crate) fn keys(texts: &mut Texts) {
    texts.put(
        HOME,
        [
            DecodeError::Truncated,
            DecodeError::TrailingBytes,
            DecodeError::BadIdentifier(0),
            DecodeError::BadIdentifier(9),
            DecodeError::BadOrder,
            DecodeError::Ranges(RangesError::Backwards { first: 5, last: 0 }),
            DecodeError::BadPoint,
            DecodeError::BadScalar,
            DecodeError::BadParties { got: 0 },
            DecodeError::BadParties { got: 1 },
            DecodeError::BadThreshold { threshold: 4, parties: 3 },
            DecodeError::TooLarge { most: 1 << 24, got: 1 << 25 },
            DecodeError::NoSigners,
            DecodeError::WrongLength { expected: 32, got: 33 },
            DecodeError::WrongCount { expected: 3, got: 2 },
            DecodeError::BadState(3),
            DecodeError::Container(ContainerError::Damaged),
            DecodeError::Mismatch(mismatches()[1]),
            DecodeError::Inconsistent("(which)"),
            DecodeError::NotTheSenders { sender: party(7), named: party(9) },
        ],
    );
    texts.put(
        HOME,
        [
            DealError::BadThreshold { threshold: 4, parties: 3 },
            DealError::TooLarge { most: 1 << 24, got: 1 << 25 },
            DealError::BadKey,
            DealError::Randomness,
            DealError::ZeroShare,
        ],
    );
    texts.put(
        HOME,
        [
            AcceptError::WrongThreshold { expected: 2, got: 3 },
            AcceptError::OtherPackage,
            AcceptError::InvalidShare,
        ],
    );
    let derive = TweakError::Derive(DeriveError::OtherKey);
    texts.put(HOME, [TweakError::Degenerate, TweakError::Mismatch(mismatches()[0]), derive]);
}

pub(crate) fn packages(texts: &mut Texts) {
    let why = mismatches()[1];
    texts.put(
        HOME,
        [
            PackageError::Malformed(vec![(party(7), DecodeError::Truncated)]),
            PackageError::Mismatch { party: party(7), why },
            PackageError::Empty,
            PackageError::DuplicateParty(party(7)),
            PackageError::UnknownParty(party(7)),
            PackageError::TooFewSigners { got: 1, need: 2 },
            PackageError::MessageTooLong,
            PackageError::IdentityCommitment,
        ],
    );
    texts.put(
        HOME,
        [
            SignError::NotASigner,
            SignError::CommitmentMismatch,
            SignError::Mismatch(why),
            SignError::OtherPackage,
            SignError::Unconfirmed,
            SignError::TooFewSigners { got: 2, need: 3 },
            SignError::UnknownParty(party(7)),
            SignError::IdentityCommitment,
            SignError::Tweak,
        ],
    );
    texts.put(HOME, [ClaimError::NoNonces, ClaimError::Sign(SignError::Mismatch(why))]);
    texts.put(HOME, [ReceiptError]);
}

pub(crate) fn signatures(texts: &mut Texts) {
    let why = mismatches()[1];
    texts.put(
        HOME,
        [
            AggregateError::Mismatch { party: None, why },
            AggregateError::Mismatch { party: Some(party(7)), why },
            AggregateError::OtherPackage(party(7)),
            AggregateError::UnknownParty(party(7)),
            AggregateError::TooFewSigners { got: 1, need: 2 },
            AggregateError::MissingShares(vec![party(7), party(9)]),
            AggregateError::UnexpectedShare(party(7)),
            AggregateError::DuplicateShare(party(7)),
            AggregateError::IdentityCommitment,
            AggregateError::Cheaters(vec![party(7)]),
            AggregateError::Cheaters(vec![party(7), party(9)]),
        ],
    );
    texts.put(
        HOME,
        [
            ShareRejected::Malformed(DecodeError::BadScalar),
            ShareRejected::Conflicting,
            ShareRejected::NotASigner,
            ShareRejected::Mismatch(why),
            ShareRejected::OtherPackage,
        ],
    );
    texts.put(HOME, [InvalidSignature]);
    texts.put(HOME, [BatchError { invalid: vec![3] }, BatchError { invalid: vec![3, 40] }]);
}

pub(crate) fn roast(texts: &mut Texts) {
    let faults = [
        SignerFault::Malformed(DecodeError::BadPoint),
        SignerFault::Unsolicited { got: 0, expected: 0 },
        SignerFault::Unsolicited { got: 0, expected: 2 },
        SignerFault::Unsolicited { got: 3, expected: 0 },
        SignerFault::Unsolicited { got: 3, expected: 2 },
        SignerFault::OtherPackage { session: 2 },
        SignerFault::WrongShare { session: 2 },
    ];
    texts.put(HOME, faults);
    texts.put(
        HOME,
        [
            AnswerRejected::Marked(faults[6]),
            AnswerRejected::MarkedBefore(faults[6]),
            AnswerRejected::Duplicate,
            AnswerRejected::AnotherFormat(DecodeError::Container(ContainerError::NotAContainer)),
            AnswerRejected::OtherRun,
            AnswerRejected::Mismatch(mismatches()[1]),
            AnswerRejected::UnknownParty(party(7)),
            AnswerRejected::Over,
            AnswerRejected::Internal,
        ],
    );
    texts.put(
        HOME,
        [
            Refused::Malformed(DecodeError::NoSigners),
            Refused::OtherRun,
            Refused::OtherMessage,
            Refused::NotNext { got: 1, answered: 2 },
            Refused::TooManySessions { got: 4, most: 3 },
            Refused::NoNonces,
            Refused::Sign(SignError::NotASigner),
            Refused::Record(RecordError::Table("(the table's)")),
        ],
    );
}
