//! Objects: the two halves of each key.

use std::collections::BTreeMap;

use cryptoki_sys::*;
use sockets_pkcs11_wire::KeyInfo;

use crate::rv::{Result, Rv};

/// The most keys that are remembered. Handles of keys that the token has no more are never given again.
const MOST: usize = 1 << 16;

/// The half of a key that an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Half {
    Public,
    Private,
}

/// An object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    pub(crate) half: Half,
    pub(crate) key: &'a KeyInfo,
}

/// A key that the token has, or had.
#[derive(Debug)]
struct Known {
    key: KeyInfo,
    is_there: bool,
}

/// The objects of the token. A key keeps its handles for the life of the process.
#[derive(Default, Debug)]
pub(crate) struct Objects {
    keys: Vec<Known>,
    places: BTreeMap<[u8; 32], usize>,
}

impl Objects {
    /// Takes the keys that the token has now.
    pub(crate) fn replace(&mut self, keys: Vec<KeyInfo>) -> Result<()> {
        for known in &mut self.keys {
            known.is_there = false;
        }
        keys.into_iter().try_for_each(|key| self.add(key).map(drop))
    }

    /// Takes a key, and gives its place.
    pub(crate) fn add(&mut self, key: KeyInfo) -> Result<usize> {
        let place = *self.places.entry(key.id).or_insert(self.keys.len());
        match self.keys.get_mut(place) {
            Some(known) => *known = Known { key, is_there: true },
            None if place >= MOST => {
                self.places.remove(&key.id);
                return Err(Rv(CKR_DEVICE_MEMORY));
            }
            None => self.keys.push(Known { key, is_there: true }),
        }
        Ok(place)
    }

    /// The handle of an object: odd for public keys, even for private ones.
    pub(crate) fn handle(place: usize, half: Half) -> CK_OBJECT_HANDLE {
        let first = CK_OBJECT_HANDLE::try_from(place).unwrap_or(0) << 1;
        first.saturating_add(if half == Half::Public { 1 } else { 2 })
    }

    /// The object of a handle.
    pub(crate) fn get(&self, handle: CK_OBJECT_HANDLE) -> Option<Object<'_>> {
        let before = handle.checked_sub(1)?;
        let half = if before & 1 == 0 { Half::Public } else { Half::Private };
        let known = self.keys.get(usize::try_from(before >> 1).ok()?)?;
        known.is_there.then_some(Object { half, key: &known.key })
    }

    /// The objects that the token has now, with their handles.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CK_OBJECT_HANDLE, Object<'_>)> {
        let there = self.keys.iter().enumerate().filter(|(_, known)| known.is_there);
        there.flat_map(|(place, known)| {
            [Half::Public, Half::Private]
                .map(|half| (Self::handle(place, half), Object { half, key: &known.key }))
        })
    }
}
