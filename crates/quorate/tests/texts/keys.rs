//! The life of a key: plans, and stored forms.

use quorate::frost::generic::keys::derive::{DeriveError, Network, XpubError};
use quorate::frost::generic::keys::{CommitteeError, DecodeError, PlanError};

use quorate::session::container::ContainerError;
use quorate::session::wire::ReadError;

use super::frost::mismatches;
use crate::{Texts, party};

const HOME: &str = "keys";

pub(crate) fn all(texts: &mut Texts) {
    let committee = CommitteeError::Threshold { threshold: 4, parties: 3 };
    texts.put(HOME, [committee, CommitteeError::TooMany { most: 128, got: 129 }]);
    texts.put(HOME, mismatches());
    texts.put(
        HOME,
        [
            PlanError::TooFew { need: 3, got: 2 },
            PlanError::NotAHolder(party(7)),
            PlanError::OtherPart(party(7)),
            PlanError::Committee(committee),
            PlanError::Mismatch(mismatches()[1]),
            PlanError::Unconfirmed,
            PlanError::LastEpoch,
        ],
    );
    texts.put(
        HOME,
        [
            DecodeError::Container(ContainerError::Damaged),
            DecodeError::Body(ReadError::Truncated),
            DecodeError::BadOrder,
            DecodeError::Committee(committee),
            DecodeError::BadPoint,
            DecodeError::BadScalar,
            DecodeError::BadState(3),
            DecodeError::Inconsistent("(which)"),
        ],
    );
    texts.put(
        HOME,
        [
            DeriveError::Hardened,
            DeriveError::BadPath,
            DeriveError::TooDeep,
            DeriveError::NoSuchChild(7),
            DeriveError::Identity,
            DeriveError::OtherKey,
            DeriveError::Committee(committee),
        ],
    );
    let (expected, found) = (Network::Main, Network::Test);
    texts.put(
        HOME,
        [
            XpubError::Private,
            XpubError::Length { expected: 111, got: 110 },
            XpubError::NotBase58,
            XpubError::Checksum,
            XpubError::Version([4, 157, 124, 178]),
            XpubError::WrongNetwork { expected, found },
            XpubError::BadPoint,
            XpubError::MasterWithParent,
        ],
    );
}
