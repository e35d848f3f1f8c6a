//! Parcels that wait together go into as few envelopes as hold them.

use std::collections::BTreeMap;

use super::super::{Parcel, Peer, Route};
use crate::envelope::{MOST, ROOM, room};

/// What goes into one envelope.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Packed {
    pub(super) to: Peer,
    pub(super) route: Route,
    pub(super) messages: Vec<Vec<u8>>,
    /// The parcels that end here.
    pub(super) parcels: u64,
}

/// Packs parcels, in their order for each queue. Gives besides those that fit into no envelope.
pub(super) fn pack(parcels: Vec<Parcel>) -> (Vec<Packed>, Vec<Parcel>) {
    let (mut full, mut never) = (Vec::new(), Vec::new());
    let mut open: BTreeMap<(Peer, Route), (usize, Packed)> = BTreeMap::new();
    for parcel in parcels {
        let size =
            parcel.messages.iter().fold(0, |size: usize, one| size.saturating_add(room(one)));
        let count = parcel.messages.len();
        if size > ROOM || count > MOST || count == 0 {
            never.push(parcel);
            continue;
        }
        let (to, route) = (parcel.to, parcel.route);
        let empty = || (0, Packed { to, route, messages: Vec::new(), parcels: 0 });
        let (used, packed) = open.entry((to, route)).or_insert_with(empty);
        let too_long = used.saturating_add(size) > ROOM;
        if too_long || packed.messages.len().saturating_add(count) > MOST {
            let (_, fresh) = empty();
            full.push(core::mem::replace(packed, fresh));
            *used = 0;
        }
        *used = used.saturating_add(size);
        packed.messages.extend(parcel.messages);
        packed.parcels = packed.parcels.saturating_add(1);
    }
    full.extend(open.into_values().map(|(_, packed)| packed));
    (full, never)
}

#[cfg(test)]
mod tests {
    use super::super::super::Kind;
    use super::*;

    fn parcel(shard: u8, messages: &[usize]) -> Parcel {
        let route = Route { kind: Kind::Answer, shard };
        let messages = messages.iter().map(|length| vec![0; *length]).collect();
        Parcel { to: Peer::Gateway(1), route, messages }
    }

    fn shape(packed: &[Packed]) -> Vec<(u8, Vec<usize>, u64)> {
        let lengths = |one: &Packed| one.messages.iter().map(Vec::len).collect();
        packed.iter().map(|one| (one.route.shard, lengths(one), one.parcels)).collect()
    }

    #[test]
    fn parcels_for_one_queue_share_an_envelope() {
        let (packed, never) =
            pack(vec![parcel(0, &[1, 2]), parcel(1, &[9]), parcel(0, &[3]), parcel(0, &[])]);
        assert_eq!(shape(&packed), [(0, vec![1, 2, 3], 2), (1, vec![9], 1)]);
        assert_eq!(never.len(), 1);
    }

    #[test]
    fn what_does_not_fit_begins_another_and_what_never_fits_is_given_back() {
        let half = ROOM >> 1;
        let all = [half, half, 1, ROOM - 4, ROOM - 3].map(|length| parcel(0, &[length]));
        let (packed, never) = pack(all.to_vec());
        assert_eq!(
            shape(&packed),
            [(0, vec![half], 1), (0, vec![half, 1], 2), (0, vec![ROOM - 4], 1)]
        );
        assert_eq!(never.len(), 1);
        let many = |count| Parcel { messages: vec![vec![]; count], ..parcel(0, &[]) };
        let (packed, never) = pack(vec![many(MOST), many(1), many(MOST + 1)]);
        let counts: Vec<_> = packed.iter().map(|one| one.messages.len()).collect();
        assert_eq!((counts, never.len()), (vec![MOST, 1], 1));
    }
}
