//! Types of other crates in the formats of `serde`.

/// A party: its number.
pub(crate) mod party {
    use quorate::PartyId;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(party: &PartyId, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u16(party.get())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PartyId, D::Error> {
        let number = u16::deserialize(from)?;
        PartyId::new(number).ok_or_else(|| de::Error::custom("parties are numbered from 1"))
    }
}

/// Parties: their numbers.
pub(crate) mod parties {
    use quorate::PartyId;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(parties: &[PartyId], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(parties.iter().map(|party| party.get()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<PartyId>, D::Error> {
        let numbers = Vec::<u16>::deserialize(from)?.into_iter().map(PartyId::new);
        let parties = numbers.collect::<Option<_>>();
        parties.ok_or_else(|| de::Error::custom("parties are numbered from 1"))
    }
}

/// Kinds of purposes: their names.
pub(crate) mod kinds {
    use quorate_purpose::Kind;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(kinds: &[Kind], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(kinds.iter().map(|kind| kind.name()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Kind>, D::Error> {
        let kind = |name: String| {
            name.parse::<Kind>().map_err(|_| de::Error::custom("there is no such kind of purpose"))
        };
        Vec::<String>::deserialize(from)?.into_iter().map(kind).collect()
    }
}

/// Bytes: base64 with padding in JSON.
pub(crate) mod base64 {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return to.serialize_str(&STANDARD.encode(bytes));
        }
        bytes.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        if !from.is_human_readable() {
            return Vec::deserialize(from);
        }
        let bytes = STANDARD.decode(String::deserialize(from)?);
        bytes.map_err(|why| de::Error::custom(format_args!("expected base64 with padding: {why}")))
    }
}

/// Bytes of a fixed length: base64 with padding in JSON.
pub(crate) mod base64_array {
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return super::base64::serialize(bytes, to);
        }
        bytes.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        if !from.is_human_readable() {
            return <[u8; 32]>::deserialize(from);
        }
        let bytes = super::base64::deserialize(from)?;
        bytes.try_into().map_err(|_| de::Error::custom("expected 32 bytes"))
    }
}

/// Bytes that may be absent, in JSON alone.
pub(crate) mod base64_or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Bytes(#[serde(with = "super::base64")] Vec<u8>);

    pub(crate) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        bytes.clone().map(Bytes).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        Ok(Option::<Bytes>::deserialize(from)?.map(|Bytes(bytes)| bytes))
    }
}

/// A path to a child key: its text, in the one spelling.
pub(crate) mod path {
    use quorate_keys::derive::DerivationPath;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn parse(text: &str) -> Result<DerivationPath, &'static str> {
        let path: Option<DerivationPath> = text.parse().ok();
        path.filter(|path| path.to_string() == text)
            .ok_or("path: expected m and indices below 2147483648, such as m/0/5")
    }

    pub(crate) fn serialize<S: Serializer>(
        path: &DerivationPath,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(path)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<DerivationPath, D::Error> {
        parse(&String::deserialize(from)?).map_err(de::Error::custom)
    }
}

/// Labels: a name that stands twice is refused.
pub(crate) mod labels {
    use core::fmt;
    use std::collections::BTreeMap;

    use serde::{Deserializer, de};

    struct Labels;

    impl<'de> de::Visitor<'de> for Labels {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("labels, each name once")
        }

        fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut labels = BTreeMap::new();
            while let Some((name, value)) = map.next_entry()? {
                if labels.insert(name, value).is_some() {
                    return Err(de::Error::custom("a label stands twice"));
                }
            }
            Ok(labels)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<String, String>, D::Error> {
        from.deserialize_map(Labels)
    }
}

/// The id of a directory: its 40 bytes, which is its text in JSON.
pub(crate) mod directory_id {
    use quorate_envelope::DirectoryId;
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(id: &DirectoryId, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return to.collect_str(id);
        }
        id.to_bytes().as_slice().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<DirectoryId, D::Error> {
        if from.is_human_readable() {
            return String::deserialize(from)?.parse().map_err(de::Error::custom);
        }
        DirectoryId::from_bytes(&Vec::<u8>::deserialize(from)?).map_err(de::Error::custom)
    }
}

/// A signature of 64 bytes.
pub(crate) mod signature {
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8; 64], to: S) -> Result<S::Ok, S::Error> {
        bytes.as_slice().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 64], D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        bytes.try_into().map_err(|_| de::Error::custom("a signature has 64 bytes"))
    }
}
