//! The facts of each action, with their types: the source of the schema.

use quorate_purpose::Kind;

use crate::action::Action;

/// The type of a fact in policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// `Bool`.
    Flag,
    /// `Long`: an integer of which no sensible value is beyond 63 bits. A request in which it is beyond is refused.
    Long,
    /// `String` in decimal: an integer of up to 256 bits. A policy compares it through `context.holds`.
    Wide,
    /// `Long`: seconds since the beginning of 1970.
    Time,
    /// `String`.
    Text,
    /// `String`: `0x` and lower-case hex digits.
    Hex,
    /// `Set<Long>`.
    Longs,
    /// `Set<String>` in decimal.
    Wides,
    /// `Set<String>`.
    Texts,
    /// `Set<String>` in hex.
    Hexes,
}

impl Type {
    const ALL: [(&str, Self); 10] = [
        ("flag", Self::Flag),
        ("long", Self::Long),
        ("wide", Self::Wide),
        ("time", Self::Time),
        ("text", Self::Text),
        ("hex", Self::Hex),
        ("longs", Self::Longs),
        ("wides", Self::Wides),
        ("texts", Self::Texts),
        ("hexes", Self::Hexes),
    ];

    /// The type of Cedar.
    pub(crate) const fn cedar(self) -> &'static str {
        match self {
            Self::Flag => "Bool",
            Self::Long | Self::Time => "Long",
            Self::Wide | Self::Text | Self::Hex => "String",
            Self::Longs => "Set<Long>",
            Self::Wides | Self::Texts | Self::Hexes => "Set<String>",
        }
    }

    /// The type of a list's elements.
    pub(crate) const fn element(self) -> Option<Self> {
        match self {
            Self::Longs => Some(Self::Long),
            Self::Wides => Some(Self::Wide),
            Self::Texts => Some(Self::Text),
            Self::Hexes => Some(Self::Hex),
            _ => None,
        }
    }

    /// Returns whether `context.holds` compares facts of this type.
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Long | Self::Wide | Self::Time)
    }
}

/// A fact that every policy can name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) of: Type,
    /// True if some contents do not have it.
    pub(crate) is_optional: bool,
}

const CALL: &str = "chain wide, nonce long, type long, to hex?, value wide, gas_limit long, max_fee long, \
    max_priority_fee long?, data hex, data_length long, selector hex?, access_list_length long, argument_0 hex?, \
    argument_1 hex?, argument_2 hex?, argument_3 hex?, argument_4 hex?, argument_5 hex?, argument_6 hex?, argument_7 hex?";
const PLACE: &str = "chain text, height long, round long";

/// The facts of a kind: name and type, with a `?` if some contents do not have it. A kind that is not here has none.
const fn facts_of(kind: Kind) -> [&'static str; 2] {
    match kind {
        Kind::OpaqueMessage => ["bytes hex, hash text", ""],
        Kind::OpaqueDigest => ["digest hex, hash text", ""],
        Kind::EvmTransaction => [CALL, "contract_creation flag"],
        Kind::EvmBlobs => [CALL, "max_blob_fee long, blobs long, blob_hashes hexes"],
        Kind::EvmSetCode => [
            CALL,
            "delegations long, every_chain flag, delegates hexes, delegation_chains wides, delegation_nonces longs",
        ],
        Kind::EvmMessage => ["message hex, length long, text text?", ""],
        Kind::EvmAuthorization => {
            ["every_chain flag, chain wide?, delegate hex, revokes flag, nonce long", ""]
        }
        Kind::Eip712 => [
            "primary_type text, chain wide?, verifying_contract hex?, domain_name text?, domain_version text?, salt hex?",
            "",
        ],
        Kind::CometVote => [PLACE, "step text, time time, block hex?"],
        Kind::CometProposal => [PLACE, "step text, time time, block hex, pol_round long?"],
        Kind::CometVoteExtension => [PLACE, "extension hex"],
        Kind::Tls13CertificateVerify => ["role text, transcript_hash hex", ""],
        Kind::SshSignature => ["namespace text, hash text, digest hex", ""],
        Kind::SshUserAuth => [
            "session_id hex, user text, service text, algorithm text, public_key hex, host_key hex?",
            "",
        ],
        Kind::JwtClaims => ["kid text?, typ text?", ""],
        Kind::BitcoinSpend => [
            "path text, sighash text, input long, outpoint text, amount long, script hex, output_key hex?, key_hash hex?, \
             script_hash hex?, witness_script hex?, leaf_hash hex?, version long, locktime long, locktime_enforced flag, \
             replaceable flag, output_total long, input_total long?, fee long?",
            "outpoints texts, sequences longs, output_amounts longs, output_scripts hexes, output_types texts, \
             input_amounts longs?, input_scripts hexes?",
        ],
        Kind::X509Certificate => [
            "signature_algorithm text, serial hex, issuer text, issuer_der hex, subject text, subject_der hex, \
             self_issued flag, not_before time, not_after time, lifetime long, public_key hex, key_algorithm text, \
             rsa_bits long?, spki hex, ca flag, path_length long?",
            "common_names texts?, key_usage texts?, extended_key_usage texts?, dns_names texts?, emails texts?, uris texts?, \
             ip_addresses hexes?, extensions texts?, critical_extensions texts?",
        ],
        Kind::X509Crl => [
            "signature_algorithm text, issuer text, issuer_der hex, this_update time, next_update time, lifetime long, \
             crl_number wide, revoked long, revoked_serials hexes?, extensions texts?",
            "",
        ],
        _ => ["", ""],
    }
}

/// The facts of an action that have fixed names.
pub(crate) fn facts(action: Action) -> impl Iterator<Item = Fact> {
    let lists = match action {
        Action::Sign(kind) => facts_of(kind),
        Action::CreateKey { .. } | Action::Reshare { .. } => ["threshold long, members long", ""],
        Action::Replenish { .. } => ["count long", ""],
        _ => ["", ""],
    };
    lists.into_iter().flat_map(|list| list.split(',')).filter_map(fact)
}

fn fact(text: &'static str) -> Option<Fact> {
    let (name, of) = text.trim().split_once(' ')?;
    let (of, is_optional) = of.strip_suffix('?').map_or((of, false), |of| (of, true));
    let (_, of) = Type::ALL.into_iter().find(|(known, _)| *known == of)?;
    Some(Fact { name, of, is_optional })
}

/// The prefix of the facts whose names the requester chooses, for the kinds that have some.
pub(crate) const fn open_prefix(action: Action) -> Option<&'static str> {
    match action {
        Action::Sign(Kind::Eip712) => Some("message."),
        Action::Sign(Kind::JwtClaims) => Some("claim/"),
        Action::Sign(Kind::X509Certificate) => Some("extension/"),
        _ => None,
    }
}

/// Every action: each kind of signature, then the others.
pub(crate) fn actions() -> impl Iterator<Item = Action> {
    Kind::ALL.into_iter().map(Action::Sign).chain(Action::CHANGES)
}
