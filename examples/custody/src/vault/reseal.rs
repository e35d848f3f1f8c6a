//! What a vault has sealed, to be sealed under another key.

use quorate::frost::ed25519;
use quorate::session::Continuity;
use quorate_cggmp::{Presignature, Secp256k1};
use quorate_examples::failure::Failure;

use super::{AUX, AUX_UNCONFIRMED, PRIMES, SHARE};
use crate::sql::Type;
use crate::store::Table;

/// The columns that a vault has sealed.
pub(crate) static TABLES: [Table; 4] = [
    Table {
        name: "secrets for auxiliary information",
        count: "SELECT count(*) FROM secrets WHERE substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, name FROM secrets WHERE substr(sealed, 1, 16) <> $1
            ORDER BY name LIMIT $2 OFFSET $3",
        put: "UPDATE secrets SET sealed = $1 WHERE sealed = $2 AND name = $3",
        named: &[Type::Text],
        again: |named, sealed, from, to| {
            let name = named.first().map_or("", |name| name.text());
            let purpose = [PRIMES, AUX, AUX_UNCONFIRMED].into_iter().find(|one| *one == name);
            let purpose = purpose.ok_or_else(|| Failure::new("a secret of no known name"))?;
            Ok(to.seal_bytes(purpose, &from.open_bytes(purpose, sealed)?))
        },
        posted: false,
    },
    Table {
        name: "shares of keys",
        count: "SELECT count(*) FROM keys WHERE substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, id, package FROM keys WHERE substr(sealed, 1, 16) <> $1
            ORDER BY id, package LIMIT $2 OFFSET $3",
        put: "UPDATE keys SET sealed = $1 WHERE sealed = $2 AND id = $3 AND package = $4",
        named: &[Type::Bytes, Type::Bytes],
        again: |_, sealed, from, to| Ok(to.seal_bytes(SHARE, &from.open_bytes(SHARE, sealed)?)),
        posted: false,
    },
    Table {
        name: "presignatures",
        count: "SELECT count(*) FROM presignatures WHERE substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, name FROM presignatures WHERE substr(sealed, 1, 16) <> $1
            ORDER BY name LIMIT $2 OFFSET $3",
        put: "UPDATE presignatures SET sealed = $1 WHERE sealed = $2 AND name = $3",
        named: &[Type::Bytes],
        again: |_, sealed, from, to| Ok(Presignature::<Secp256k1>::open(sealed, from)?.seal(to)),
        posted: false,
    },
    Table {
        name: "lists of nonces",
        count: "SELECT count(*) FROM nonces WHERE substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, key_id, number FROM nonces WHERE substr(sealed, 1, 16) <> $1
            ORDER BY key_id, number LIMIT $2 OFFSET $3",
        put: "UPDATE nonces SET sealed = $1 WHERE sealed = $2 AND key_id = $3 AND number = $4",
        named: &[Type::Bytes, Type::Int],
        again: |_, sealed, from, to| {
            Ok(ed25519::NonceBatch::open(sealed, from, Continuity::StayedUp)?.seal(to))
        },
        posted: false,
    },
];
