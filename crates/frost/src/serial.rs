//! `serde` for the public types, by their own strict forms: bytes in binary formats, lower-case
//! hexadecimal in formats for people. Secrets have no `Serialize`: see
//! [`KeyShare::to_bytes`](crate::KeyShare::to_bytes) and
//! [`NonceBatch::seal`](crate::NonceBatch::seal). The messages of signers have none either, because
//! their decoders take the sender: [`Commitments::from_bytes`](crate::Commitments::from_bytes),
//! [`SignatureShare::from_bytes`](crate::SignatureShare::from_bytes).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::suite::{Ciphersuite, KeySuite};
use crate::{DecodeError, PublicKeyPackage, Signature, SigningPackage, VerifyingKey};

/// A type with a strict form of its own.
trait Form: Sized {
    const NAME: &'static str;
    fn to_form(&self) -> Vec<u8>;
    fn from_form(bytes: &[u8]) -> Result<Self, DecodeError>;
}

macro_rules! serial {
    ($($type:ident $suite:ident $name:literal),*) => {$(
        impl<S: $suite> Form for $type<S> {
            const NAME: &'static str = $name;
            fn to_form(&self) -> Vec<u8> {
                AsRef::<[u8]>::as_ref(&self.to_bytes()).to_vec()
            }
            fn from_form(bytes: &[u8]) -> Result<Self, DecodeError> {
                Self::from_bytes(bytes)
            }
        }

        impl<S: $suite> Serialize for $type<S> {
            fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
                serialize(self, serializer)
            }
        }

        impl<'de, S: $suite> Deserialize<'de> for $type<S> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize(deserializer)
            }
        }
    )*};
}

serial!(
    PublicKeyPackage KeySuite "a public key package",
    Signature Ciphersuite "a signature",
    SigningPackage Ciphersuite "a signing package",
    VerifyingKey KeySuite "a group's public key"
);

fn serialize<F: Form, T: Serializer>(value: &F, serializer: T) -> Result<T::Ok, T::Error> {
    let bytes = value.to_form();
    if serializer.is_human_readable() {
        serializer.collect_str(&Hex(&bytes))
    } else {
        serializer.serialize_bytes(&bytes)
    }
}

fn deserialize<'de, F: Form, D: Deserializer<'de>>(deserializer: D) -> Result<F, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(FormVisitor(PhantomData))
    } else {
        deserializer.deserialize_bytes(FormVisitor(PhantomData))
    }
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::signature::hex(f, self.0)
    }
}

struct FormVisitor<F>(PhantomData<F>);

impl<'de, F: Form> Visitor<'de> for FormVisitor<F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::NAME)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<F, E> {
        F::from_form(bytes).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<F, E> {
        let bytes = unhex(text).ok_or_else(|| E::custom("not lower-case hexadecimal"))?;
        F::from_form(&bytes).map_err(E::custom)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<F, E> {
        self.visit_str(&text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<F, A::Error> {
        // No capacity is reserved, because a peer chose the length that the format announces.
        let mut bytes = Vec::new();
        while let Some(byte) = sequence.next_element()? {
            bytes.push(byte);
        }
        F::from_form(&bytes).map_err(A::Error::custom)
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?)).collect()
}
