//! The threshold PRF: blinds, queries, shares, joint proofs, hardened children.

use quorate::frost::generic::DecodeError;
use quorate::frost::generic::keys::derive::DeriveError;
use quorate::prf::joint::PackageReadError;
use quorate::prf::oprf::{BlindingError, InvalidProof};
use quorate::prf::vrf::InvalidVrf;
use quorate::prf::{AggregateError, ChildError, EvaluateError, ProveError, QueryError};

use super::frost::mismatches;
use crate::{Texts, party};

const HOME: &str = "prf";

pub(crate) fn clients(texts: &mut Texts) {
    texts.put(
        HOME,
        [
            BlindingError::InputTooLong { got: 65_536 },
            BlindingError::InvalidInput,
            BlindingError::Randomness,
        ],
    );
    texts.put(HOME, [InvalidProof]);
    texts.put(HOME, [InvalidVrf]);
}

pub(crate) fn evaluations(texts: &mut Texts) {
    let long = QueryError::PurposeTooLong { got: 65_536 };
    texts.put(HOME, [QueryError::Elements { got: 0 }, long, QueryError::NoPoint]);
    let [why, ..] = mismatches();
    texts.put(HOME, [EvaluateError::Unconfirmed, EvaluateError::Mismatch(why)]);
    texts.put(
        HOME,
        [
            AggregateError::Cheaters(vec![party(2), party(5)]),
            AggregateError::Mismatch { party: None, why },
            AggregateError::Mismatch { party: Some(party(2)), why },
            AggregateError::OtherQuery(party(2)),
            AggregateError::OtherPackage(party(2)),
            AggregateError::UnknownParty(party(7)),
            AggregateError::DuplicateParty(party(2)),
            AggregateError::MissingShares(vec![party(2), party(5)]),
            AggregateError::TooFewShares { got: 1, need: 2 },
            AggregateError::IdentityCommitment,
        ],
    );
}

pub(crate) fn proofs(texts: &mut Texts) {
    let [why, ..] = mismatches();
    texts.put(
        HOME,
        [
            ProveError::Unconfirmed,
            ProveError::Mismatch(why),
            ProveError::NotAContributor,
            ProveError::OtherContribution,
        ],
    );
    texts.put(
        HOME,
        [
            PackageReadError::Malformed(DecodeError::Truncated),
            PackageReadError::Refused(AggregateError::Cheaters(vec![party(2)])),
        ],
    );
    texts.put(
        HOME,
        [
            ChildError::OtherQuery,
            ChildError::Mismatch(why),
            ChildError::Derive(DeriveError::Identity),
        ],
    );
}
