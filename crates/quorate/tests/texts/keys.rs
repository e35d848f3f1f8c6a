//! The life of a key: plans, and stored forms.

use quorate::frost::generic::keys::agreement::{OpenError, Refused, StatementError};
use quorate::frost::generic::keys::derive::{DeriveError, Network, XpubError};
use quorate::frost::generic::keys::migrate::MigrateError;
use quorate::frost::generic::keys::single_point_of_failure::{ExportError, ImportError};
use quorate::frost::generic::keys::{
    BackupError, CommitteeError, DecodeError, HealthError, PackageId, PlanError,
};

use quorate::session::container::ContainerError;
use quorate::session::wire::ReadError;

use super::frost::mismatches;
use crate::{Texts, party};

const HOME: &str = "keys";

pub(crate) fn all(texts: &mut Texts) {
    agreement(texts);
    let committee = CommitteeError::Threshold { threshold: 4, parties: 3 };
    let too_many = CommitteeError::TooMany { most: 128, got: 129 };
    texts
        .put(HOME, [committee, too_many, CommitteeError::TooLarge { most: 1 << 24, got: 1 << 25 }]);
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
            DeriveError::NoScripts,
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

/// Forms that are shown or kept outside the parties: answers and backups, imports and exports, other libraries' files.
pub(crate) fn outside(texts: &mut Texts) {
    let [_, why, ..] = mismatches();
    let (expected, got) = (party(7), party(9));
    texts.put(
        HOME,
        [
            HealthError::OtherChallenge,
            HealthError::OtherParty { expected, got },
            HealthError::NotAHolder(party(7)),
            HealthError::Mismatch(why),
            HealthError::OtherBackup,
            HealthError::Invalid,
        ],
    );
    texts.put(
        HOME,
        [
            BackupError::Mismatch(why),
            BackupError::NotAHolder(party(7)),
            BackupError::WrongRecipient,
            BackupError::Unconfirmed,
            BackupError::LabelTooLong { most: 255, got: 256 },
            BackupError::Invalid,
            BackupError::Empty,
            BackupError::Randomness,
        ],
    );
    let refused = ImportError::Refused(DecodeError::BadPoint);
    texts.put(HOME, [ImportError::ZeroKey, refused, ImportError::Randomness]);
    texts.put(
        HOME,
        [
            ExportError::TooFew { need: 3, got: 2 },
            ExportError::Duplicate(party(7)),
            ExportError::Mismatch { party: party(7), why },
            ExportError::NotTheKey,
        ],
    );
    migrations(texts);
}

/// Other libraries' files.
fn migrations(texts: &mut Texts) {
    texts.put(
        HOME,
        [
            MigrateError::Truncated,
            MigrateError::TrailingBytes,
            MigrateError::Syntax { at: 9 },
            MigrateError::UnknownField { at: 9 },
            MigrateError::RepeatedField("(field)"),
            MigrateError::MissingField("(field)"),
            MigrateError::UnknownVersion(1),
            MigrateError::WrongSuite { expected: "FROST-ED25519-SHA512-v1" },
            MigrateError::BadNumber("(field)"),
            MigrateError::BadScalar("(field)"),
            MigrateError::BadPoint("(field)"),
            MigrateError::BadChainCode,
            MigrateError::BadIdentifier,
            MigrateError::RepeatedParty(party(7)),
            MigrateError::Count { shares: 3, places: 2 },
            MigrateError::NoSuchIndex(3),
            MigrateError::NoThreshold,
            MigrateError::Threshold { public: 2, other: 3 },
            MigrateError::Committee(CommitteeError::Threshold { threshold: 4, parties: 3 }),
            MigrateError::WrongShares,
            MigrateError::NotAHolder(party(7)),
            MigrateError::OtherKey,
            MigrateError::OtherShare,
            MigrateError::WrongSecret,
        ],
    );
}

fn agreement(texts: &mut Texts) {
    let attempt = PackageId::invented([7; 32], 3, [9; 32]);
    texts.put(
        HOME,
        [
            StatementError::Malformed(DecodeError::Body(ReadError::Truncated)),
            StatementError::WrongStage { expected: 1, got: 2 },
            StatementError::TooLong { most: 8192, got: 9000 },
            StatementError::OtherAttempt(mismatches()[1]),
            StatementError::NotAMember(party(7)),
            StatementError::BadSignature(party(7)),
        ],
    );
    texts.put(
        HOME,
        [
            Refused::NotStored,
            Refused::WrongKey,
            Refused::OtherParty { expected: party(1), got: party(2) },
            Refused::NotHeld(attempt),
            Refused::OtherCommittee(attempt),
            Refused::Voted { epoch: 3, vote: attempt },
            Refused::Over { epoch: 3, latest: 4 },
            Refused::Barred { floor: Some(4) },
            Refused::TooManyAttempts { most: 8, epoch: 3 },
            Refused::TooFarAhead { most: 65_540, got: 70_000 },
            Refused::UnknownCommittee(attempt),
            Refused::InUse(attempt),
        ],
    );
    texts.put(
        HOME,
        [
            OpenError::NotEmpty,
            OpenError::WrongKey,
            OpenError::OtherParty { expected: party(1), got: party(2) },
            OpenError::TwoVotes { epoch: 3 },
        ],
    );
}
