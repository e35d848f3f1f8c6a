//! The whole key in one place: dealt, and put together again.

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_keys::session::wire::Reader;
use quorate_keys::single_point_of_failure::{ExportError, ImportError, export, import};
use quorate_keys::{
    CommitteeError, DecodeError, Family, KeyTypes, Mismatch, PointBytes, SecretShare, SharedKey,
};

use crate::group::{Key, Of, committee, copy, id, rng};
use crate::stored::altered;

fn dealt_and_put_together<C: Curve>() {
    let x = C::Scalar::from(123_456_789);
    for (numbers, t) in [(&[1, 2][..], 2), (&[3, 9, 400, 65_535], 3)] {
        let imported =
            import::<Of<C>>(Secret::new(x), committee(numbers, t), [4; 32], &mut rng(1)).unwrap();
        let public = &imported.public;
        assert!(*public.key() == C::mul_base(&x));
        assert_eq!((public.epoch(), *public.extra()), (0, [4; 32]));
        for (share, number) in imported.shares.iter().zip(numbers) {
            share.check_belongs_to(public).unwrap();
            assert_eq!(share.id(), id(*number));
        }
        for from in 0..=imported.shares.len() - usize::from(t) {
            let key = export(public, &imported.shares[from..]).unwrap();
            assert!(*key.expose() == x);
        }
    }
    // Of a key that was never whole, after a resharing.
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3).reshared(&[1, 3], &[2, 4, 5], 3, 4);
    let shares: Vec<_> = key.shares.values().map(copy).collect();
    assert!(*export(&key.public, &shares).unwrap().expose() == key.x);
}

fn what_does_not_belong_together_is_named<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let with =
        |shares: Vec<SecretShare<Of<C>>>| export(&key.public, &shares).map(drop).unwrap_err();
    let of = |party: u16| copy(&key.shares[&party]);
    assert_eq!(with(vec![]), ExportError::TooFew { need: 2, got: 0 });
    assert_eq!(with(vec![of(2)]), ExportError::TooFew { need: 2, got: 1 });
    assert_eq!(with(vec![of(2), of(2)]), ExportError::Duplicate(id(2)));
    let next = key.reshared(&[1, 2], &[1, 2, 3], 2, 5);
    let why = Mismatch::WrongEpoch { expected: 0, got: 1 };
    let mixed = with(vec![of(1), copy(&next.shares[&2])]);
    assert_eq!(mixed, ExportError::Mismatch { party: id(2), why });
    let other = Key::<C>::dealt(&[1, 2, 3], 2, 4);
    let why = Mismatch::WrongKey;
    let mixed = with(vec![copy(&other.shares[&1]), of(2)]);
    assert_eq!(mixed, ExportError::Mismatch { party: id(1), why });
    // In the name of another party, and in that of a stranger.
    for name in [3, 9] {
        let renamed = altered::<C>(&of(2).to_bytes(), 0, &[0, name]);
        let renamed = SecretShare::from_bytes(&renamed).unwrap();
        let why = Mismatch::WrongPackage { epoch: 0 };
        let party = id(name.into());
        assert_eq!(with(vec![of(1), renamed]), ExportError::Mismatch { party, why });
    }
}

every_curve! { dealt_and_put_together what_does_not_belong_together_is_named }

#[test]
fn keys_and_committees_that_do_not_fit_are_refused() {
    let import = |x: u64, numbers: &[u16]| {
        let x = Secret::new(<Secp256k1 as Curve>::Scalar::from(x));
        import::<Of<Secp256k1>>(x, committee(numbers, 2), [0; 32], &mut rng(1)).map(drop)
    };
    assert_eq!(import(0, &[1, 2]), Err(ImportError::ZeroKey));
    let many: Vec<u16> = (1..=101).collect();
    let why = DecodeError::Committee(CommitteeError::TooMany { most: 100, got: 101 });
    assert_eq!(import(1, &many), Err(ImportError::Refused(why)));
}

/// A family whose keys have an even y-coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Even;

impl Family for Even {
    type Curve = Secp256k1;
    type Extra = ();

    const NAME: &'static str = "even keys";
    const CODE: u8 = 201;

    fn put_extra((): &(), _: &mut Vec<u8>) {}

    fn read_extra(_: &mut Reader<'_>) -> Option<()> {
        Some(())
    }

    fn accepts(key: &PointBytes<Self>) -> bool {
        key.as_ref()[0] == 2
    }
}

impl KeyTypes for Even {
    type Public = SharedKey<Self>;
    type Share = SecretShare<Self>;

    fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
        shared
    }

    fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
        share
    }
}

/// Of x and −x, the one that the family has.
#[test]
fn a_family_with_even_keys_gets_one() {
    let mut negated = 0;
    for number in 1..20u64 {
        let x = <Secp256k1 as Curve>::Scalar::from(number);
        let imported =
            import::<Even>(Secret::new(x), committee(&[1, 2], 2), (), &mut rng(1)).unwrap();
        assert_eq!(Secp256k1::encode_point(imported.public.key()).as_ref()[0], 2);
        let found = export(&imported.public, &imported.shares).unwrap();
        assert!(*found.expose() == x || *found.expose() == -x);
        negated += u32::from(*found.expose() == -x);
    }
    assert!((1..19).contains(&negated));
}
