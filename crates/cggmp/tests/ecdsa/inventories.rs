//! Inventories of presignatures, and the lists that signers send each other.

use quorate_cggmp::{
    AggregateError, ClaimError, DecodeError, InsertError, IntersectError, ListFault, ListMismatch,
    MessageDigest, Mismatch, PresignatureId, Presignatures, Secp256k1, ShareMismatch,
};
use quorate_session::container::{ContainerError, HEADER};
use quorate_session::stock::{Counters, RangesError, WaterMarks};
use quorate_session::{Continuity, PartyId, RecordError, SealKey, SpentInMemory};

use crate::support::*;

type C = Secp256k1;

/// The inventories of these signers after three runs.
fn inventories(
    group: &Group<C>,
    sessions: core::ops::Range<u8>,
    numbers: &[u16],
) -> Vec<Presignatures<C>> {
    let mut held: Vec<_> = numbers.iter().map(|number| Presignatures::new(id(*number))).collect();
    for session in sessions {
        for (one, inventory) in group.presign(session, numbers).into_iter().zip(&mut held) {
            inventory.insert(one).unwrap();
        }
    }
    held
}

#[test]
fn what_is_left_and_what_all_hold() {
    let group = Group::<C>::new(2);
    let signers = parties([2, 7]);
    let mut held = inventories(&group, 44..47, &[2, 7]);
    let keys = [group.key_of(id(2)), group.key_of(id(7))];
    let ids: Vec<_> = held[0].ids().collect();
    assert_eq!((held[0].len(), ids.is_sorted()), (3, true));
    // The second has its claim for one.
    held[1].claim(&ids[1], keys[1], &no_path(), MessageDigest::sha256(b"message")).unwrap();
    let unknown =
        held[1].claim(&ids[1], keys[1], &no_path(), MessageDigest::sha256(b"message")).map(|_| ());
    assert_eq!(unknown, Err(ClaimError::Unknown));
    let common = held[0].intersect(&signers, [(id(7), held[1].list(&signers))]).unwrap();
    assert_eq!((common.len(), common.is_empty()), (2, false));
    assert!(common.iter().eq([ids[0], ids[2]]));
    let theirs = held[1].intersect(&signers, [(id(2), held[0].list(&signers))]);
    assert_eq!(theirs, Ok(common.clone()));
    // Presignatures of other signers are counted apart.
    let three = parties(NUMBERS);
    let empty = Presignatures::<C>::new(id(40)).list(&three);
    let none = held[0].intersect(&three, [(id(7), held[1].list(&three)), (id(40), empty)]);
    assert!(none.unwrap().is_empty());
    let common: Vec<_> = common.iter().collect();
    // Refused, it stays.
    let child = keys[0].derive(&"m/0".parse().unwrap()).unwrap();
    assert_eq!(
        held[0].claim(&ids[0], &child, &no_path(), MessageDigest::sha256(b"message")).map(|_| ()),
        Err(ClaimError::Mismatch(Mismatch::WrongKey))
    );
    let seal = SealKey::new([9; 32]);
    let open = |one: &Presignatures<C>| {
        Presignatures::open(&one.seal(&seal), &seal, Continuity::StayedUp).unwrap()
    };
    let mut held: Vec<_> = held.iter().map(open).collect();
    let (sealed, other) = (held[0].seal(&seal), SealKey::new([8; 32]));
    assert!(Presignatures::<C>::open(&sealed, &other, Continuity::StayedUp).is_err());
    assert_eq!(held[0].ids().collect::<Vec<_>>(), ids);
    let info = held[0].info(&common[0]).unwrap().clone();
    let shares = held.iter_mut().zip(keys).map(|(one, key)| {
        let share = release(
            one.claim(&common[0], key, &no_path(), MessageDigest::sha256(b"message")).unwrap(),
        );
        (share.id(), share.to_bytes())
    });
    let signature = info
        .aggregate(&group.itself(), MessageDigest::sha256(b"message"), shares.collect::<Vec<_>>())
        .unwrap();
    keys[0].verifying_key().verify(b"message", &signature).unwrap();
    let marks = WaterMarks { low: 3, high: 10 };
    let to_make = |one: &Presignatures<C>| one.to_make(marks, keys[0].public(), &signers);
    assert_eq!((held[0].left(keys[0].public(), &signers), to_make(&held[0])), (2, 8));
    assert_eq!(
        (held[0].left(child.public(), &signers), held[0].left(keys[0].public(), &three)),
        (0, 0)
    );
    assert_eq!(held[0].keep_only(keys[0].public()), 0);
    assert_eq!((held[0].len(), held[0].left(keys[0].public(), &signers)), (2, 2));
    assert_eq!(held[0].keep_only(child.public()), 2);
    assert!(held[0].is_empty() && !held[1].is_empty());
    assert_eq!(to_make(&held[0]), 10);
    // The counters were stored and restored in between.
    let expected = Counters { made: 3, claimed: 1, expired: 2, refused: 1 };
    assert_eq!(held[0].counters(), expected);
    assert_eq!(held[1].counters(), Counters { made: 3, claimed: 2, expired: 0, refused: 1 });
}

#[test]
fn of_one_party() {
    let group = Group::<C>::new(2);
    let mut made = group.presign(47, &[2, 7]);
    let mut held = Presignatures::new(id(2));
    assert_eq!(held.insert(made.remove(1)), Err(InsertError::OtherParty(id(7))));
    held.insert(made.remove(0)).unwrap();
    // The same again is here already.
    held.insert(group.presign(47, &[2, 7]).remove(0)).unwrap();
    assert_eq!(held.len(), 1);
}

/// A stored inventory that is restored has the presignatures that were claimed meanwhile, and the table refuses them.
#[test]
fn a_restored_inventory_spends_nothing_twice() {
    let group = Group::<C>::new(2);
    let (key, seal) = (group.key_of(id(2)), SealKey::new([9; 32]));
    let mut held = inventories(&group, 45..47, &[2, 7]).remove(0);
    let (before, mut table) = (held.seal(&seal), SpentInMemory::new());
    let names: Vec<_> = held.ids().collect();
    for name in &names {
        let claim = held.claim(name, key, &no_path(), MessageDigest::sha256(b"first")).unwrap();
        assert_eq!(claim.record().id, name.name());
        assert_eq!(*claim.record().store(&mut table).unwrap().record(), claim.record());
    }
    let mut restored = Presignatures::<C>::open(&before, &seal, Continuity::StayedUp).unwrap();
    assert!(restored.ids().eq(names.iter().copied()));
    for name in &names {
        let again =
            restored.claim(name, key, &no_path(), MessageDigest::sha256(b"second")).unwrap();
        let refused = again.record().store(&mut table).unwrap_err();
        assert!(matches!(refused, RecordError::Spent { id, .. } if id == name.name()));
    }
}

/// A snapshot that restores inventory and table together cannot be noticed, so the caller has to know.
#[test]
fn an_inventory_of_unknown_continuity_has_nothing_left() {
    let group = crate::many::group::<C>();
    let seal = SealKey::new([9; 32]);
    let mut held = Presignatures::new(id(2));
    let made = group.presign_many(53, &NUMBERS, 3).remove(0);
    made.into_iter().for_each(|one| held.insert(one).unwrap());
    let names: Vec<_> = held.ids().collect();
    drop(
        held.claim(&names[0], group.key_of(id(2)), &no_path(), MessageDigest::sha256(b"message"))
            .unwrap(),
    );
    let sealed = held.seal(&seal);
    // One that another signer has lost is dropped, and does not come back.
    let mut fewer = Presignatures::<C>::open(&sealed, &seal, Continuity::StayedUp).unwrap();
    assert_eq!(fewer.retain(|info| info.id() != names[1]), 1);
    assert_eq!(fewer.ids().collect::<Vec<_>>(), [names[2]]);
    assert_eq!(fewer.left(group.keys[0].public(), &parties(NUMBERS)), 1);
    assert_eq!(fewer.counters(), Counters { made: 3, claimed: 1, expired: 1, refused: 0 });
    let again = Presignatures::<C>::open(&fewer.seal(&seal), &seal, Continuity::Peers).unwrap();
    assert_eq!((again.len(), again.dropped()), (1, 0));
    for known in [Continuity::StayedUp, Continuity::Peers] {
        let opened = Presignatures::<C>::open(&sealed, &seal, known).unwrap();
        assert_eq!((opened.len(), opened.dropped()), (2, 0));
    }
    // Beside a new store lies a stock whose table of what was spent is lost.
    let beside = Presignatures::<C>::open(&sealed, &seal, Continuity::NewStore).unwrap();
    assert_eq!((beside.len(), beside.dropped()), (0, 2));
    let mut opened = Presignatures::<C>::open(&sealed, &seal, Continuity::Unknown).unwrap();
    assert_eq!((opened.len(), opened.dropped()), (0, 2));
    assert_eq!(opened.left(group.keys[0].public(), &parties(NUMBERS)), 0);
    assert_eq!(opened.counters(), Counters { made: 3, claimed: 1, expired: 2, refused: 0 });
    for name in &names {
        let refused = opened
            .claim(name, group.key_of(id(2)), &no_path(), MessageDigest::sha256(b"message"))
            .map(drop);
        assert_eq!(refused, Err(ClaimError::Unknown));
    }
    // Stored in this state, they are gone for ever.
    let again = Presignatures::<C>::open(&opened.seal(&seal), &seal, Continuity::Peers).unwrap();
    assert_eq!((again.len(), again.dropped(), again.counters().expired), (0, 0, 2));
}

/// A list with a byte changed, and a digest that fits.
fn altered(list: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = list.to_vec();
    bytes[at] ^= 1;
    crate::aux_info::resealed(&bytes)
}

#[test]
fn a_list_of_every_signer_from_its_sender() {
    let group = Group::<C>::new(3);
    let all = parties(NUMBERS);
    let held = inventories(&group, 48..50, &NUMBERS);
    let [_, second, third] = [0, 1, 2].map(|place| (id(NUMBERS[place]), held[place].list(&all)));
    let intersect = |lists: &[(PartyId, Vec<u8>)]| held[0].intersect(&all, lists.iter().cloned());
    let refused = |lists: &[(PartyId, Vec<u8>)]| intersect(lists).unwrap_err();
    let intersect =
        |lists: &[(PartyId, Vec<u8>)]| intersect(lists).map(|held| held.iter().collect());
    let ids: Vec<_> = held[0].ids().collect();
    let good = [second.clone(), third.clone()];
    assert_eq!(intersect(&good), Ok(ids.clone()));
    assert_eq!(intersect(&[&good[..], &good[..]].concat()), Ok(ids.clone()));
    assert_eq!(refused(&[]), IntersectError::Missing(vec![id(7), id(40)]));
    assert_eq!(refused(&good[..1]), IntersectError::Missing(vec![id(40)]));
    assert_eq!(refused(&[(id(2), held[0].list(&all))]), IntersectError::Unexpected(id(2)));
    assert_eq!(refused(&[(id(3), second.1.clone())]), IntersectError::Unexpected(id(3)));
    let shorter = Presignatures::<C>::new(id(7)).list(&all);
    let two = [second.clone(), (id(7), shorter), third.clone()];
    assert_eq!(refused(&two), IntersectError::Duplicate(id(7)));
    let forged = [second.clone(), (id(40), second.1.clone())];
    let fault = ListFault::Malformed(DecodeError::NotTheSenders { sender: id(40), named: id(7) });
    assert_eq!(refused(&forged), IntersectError::Cheaters(vec![(id(40), fault)]));
    assert_eq!(refused(&forged).culprits().collect::<Vec<_>>(), [id(40)]);
    let few = held[2].list(&parties([2, 40]));
    let other = IntersectError::Mismatch(vec![(id(40), ListMismatch::OtherSigners)]);
    assert_eq!(refused(&[second.clone(), (id(40), few)]), other);
    let short = crate::aux_info::resealed(&third.1[..third.1.len() - 1]);
    let fault = ListFault::Malformed(DecodeError::Ranges(RangesError::Truncated));
    let malformed = IntersectError::Cheaters(vec![(id(40), fault)]);
    assert_eq!(refused(&[second.clone(), (id(40), short)]), malformed);
    let curve = ContainerError::WrongCurve { expected: "secp256k1", got: 4 };
    let curve = ListMismatch::OtherFormat(DecodeError::Container(curve));
    let curve = IntersectError::Mismatch(vec![(id(40), curve)]);
    assert_eq!(refused(&[second.clone(), (id(40), altered(&third.1, 6))]), curve);
    assert_eq!(
        Presignatures::<C>::new(id(3)).intersect(&all, good),
        Err(IntersectError::NotASigner)
    );
    // Of one name with other points: not the same. Header, party 2, signers 8, name 32, digest.
    let points = altered(&third.1, HEADER + 2 + 8 + 32);
    assert_eq!(intersect(&[second, (id(40), points)]), Ok(vec![ids[1]]));
}

/// One corrupt signer sends the two honest ones different lists, so that they take different
/// presignatures: neither names the other.
#[test]
fn two_inventories_of_one_signer() {
    let group = Group::<C>::new(3);
    let all = parties(NUMBERS);
    let mut held = inventories(&group, 53..55, &NUMBERS);
    let mut names: Vec<PresignatureId> = held[2].ids().collect();
    // The corrupt one leaves another name out of each list.
    let lies: Vec<_> = (0..2)
        .map(|left_out| {
            let mut some = Presignatures::<C>::new(id(40));
            for (at, session) in (53..55).enumerate() {
                let one = group.presign(session, &NUMBERS).remove(2);
                let place = names.iter().position(|name| *name == one.id()).unwrap();
                assert!(at < 2);
                if place != left_out {
                    some.insert(one).unwrap();
                }
            }
            (id(40), some.list(&all))
        })
        .collect();
    let lists = [0, 1].map(|place| (id(NUMBERS[place]), held[place].list(&all)));
    let taken = [
        held[0].intersect(&all, [lists[1].clone(), lies[0].clone()]),
        held[1].intersect(&all, [lists[0].clone(), lies[1].clone()]),
    ]
    .map(|held| held.unwrap().iter().next().unwrap());
    names.reverse();
    assert_eq!(taken.to_vec(), names);
    let infos = [0, 1].map(|place: usize| held[place].info(&taken[place]).unwrap().clone());
    let shares: Vec<Sent> = (0..2)
        .map(|place| {
            let key = &group.keys[place];
            let share = release(
                held[place]
                    .claim(&taken[place], key, &no_path(), MessageDigest::sha256(b"message"))
                    .unwrap(),
            );
            (share.id(), share.to_bytes())
        })
        .collect();
    for (place, info) in infos.iter().enumerate() {
        // The corrupt one sends each the share that it waits for.
        let key = &group.keys[2];
        let share = release(
            held[2]
                .claim(&taken[place], key, &no_path(), MessageDigest::sha256(b"message"))
                .unwrap(),
        );
        let corrupt = (id(40), share.to_bytes());
        let error = info.aggregate(
            &group.itself(),
            MessageDigest::sha256(b"message"),
            [shares[0].clone(), shares[1].clone(), corrupt],
        );
        let honest = (id(NUMBERS[1 - place]), ShareMismatch::OtherPresignature);
        let error = error.unwrap_err();
        assert_eq!(error, AggregateError::Mismatch(vec![honest]));
        assert_eq!(error.culprits().count(), 0);
    }
}
