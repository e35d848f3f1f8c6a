//! The vectors of BIP-32 and SLIP-10, and those of the additive derivation.

use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1};
use quorate_keys::derive::{
    Derivable, DerivationPath, DeriveError, Derived, ExtendedKey, Network, XpubError,
};
use quorate_testkit::{hex, unhex};

use super::{groups, last, path};

/// Checks that every key of a chain is its parent's child, as far as public values show it.
fn chain<C: Derivable>(links: &[(&str, ExtendedKey<C>)]) -> usize {
    let mut derived = 0;
    assert!(links[0].1.depth() == 0 && links[0].0 == "m");
    for pair in links.windows(2) {
        let (parent, (chain, child)) = (pair[0].1, pair[1]);
        let (index, hardened) = last(chain);
        assert_eq!(child.depth(), parent.depth() + 1);
        assert_eq!(child.parent_fingerprint(), parent.fingerprint());
        assert_eq!(child.child_number(), if hardened { index + (1 << 31) } else { index });
        if !hardened {
            let step = DerivationPath::new([index]).unwrap();
            assert_eq!(parent.derive(&step).unwrap(), child, "{chain}");
            let by = parent.derivation(&step).unwrap();
            assert!(*parent.key() + C::mul_base(&by.tweak) == *child.key());
            assert!((by.key, by.chain_code) == (*child.key(), *child.chain_code()));
            derived += 1;
        }
    }
    derived
}

#[test]
fn bip32() {
    let groups = groups(include_str!("data/bip32.txt"));
    let mut derived = 0;
    for group in &groups {
        let read = |line: &Vec<&'static str>| {
            let key = ExtendedKey::from_xpub(line[1], Network::Main).unwrap();
            assert_eq!(key.to_xpub(Network::Main), line[1]);
            (line[0], key)
        };
        derived += chain(&group.iter().map(read).collect::<Vec<_>>());
    }
    assert_eq!((groups.len(), derived), (4, 6));
    // Two levels at once.
    let [above, below] = [&groups[0][3], &groups[0][5]]
        .map(|line| ExtendedKey::<Secp256k1>::from_xpub(line[1], Network::Main).unwrap());
    assert_eq!(above.derive(&path("m/2/1000000000")).unwrap(), below);
    assert_eq!(above.derive(&path("m")).unwrap(), above);
}

/// Test vector 5.
#[test]
fn bip32_invalid_keys() {
    let lines = groups(include_str!("data/bip32_invalid.txt")).concat();
    assert_eq!(lines.len(), 16);
    for line in lines {
        let (text, why) = (line[0], line[1..].join(" "));
        let expected = match why.as_str() {
            _ if text.starts_with("xprv") => XpubError::Private,
            "unknown extended key version" => XpubError::Version([1; 4]),
            _ if why.starts_with("zero depth") => XpubError::MasterWithParent,
            _ => XpubError::BadPoint,
        };
        for network in [Network::Main, Network::Test] {
            let found = ExtendedKey::from_xpub(text, network).unwrap_err();
            let other = XpubError::WrongNetwork { expected: network, found: Network::Main };
            let is_public = text.starts_with("xpub");
            assert_eq!(found, if is_public && network != Network::Main { other } else { expected });
        }
    }
}

#[test]
fn slip10_p256() {
    let groups = groups(include_str!("data/slip10_p256.txt"));
    let mut derived = 0;
    for group in &groups {
        let read = |line: &Vec<&'static str>| {
            let number = line[0].rsplit_once('/').map_or(0, |_| {
                let (index, hardened) = last(line[0]);
                if hardened { index + (1 << 31) } else { index }
            });
            let key = P256::decode_point(&unhex(line[3])).unwrap();
            let fingerprint = unhex(line[1]).try_into().unwrap();
            let depth = line[0].matches('/').count().try_into().unwrap();
            let code = unhex(line[2]).try_into().unwrap();
            (line[0], ExtendedKey::<P256>::new(depth, fingerprint, number, code, key).unwrap())
        };
        derived += chain(&group.iter().map(read).collect::<Vec<_>>());
    }
    // m/28578'/33941 is the one that is hashed again.
    assert_eq!((groups.len(), derived), (4, 7));
}

/// Our own vectors. A change of them is another version.
#[test]
fn additive() {
    fn child<C: Derivable>() -> String {
        let root = ExtendedKey::<C>::root(C::generator(), [7; 32]).unwrap();
        let child = root.derivation(&path("m/0/2147483647")).unwrap();
        assert!(C::mul_base(&(C::Scalar::from(1) + child.tweak)) == child.key);
        let stepwise = root.derive(&path("m/0")).unwrap().derive(&path("m/2147483647")).unwrap();
        assert!((*stepwise.key(), *stepwise.chain_code()) == (child.key, child.chain_code));
        // The chain code, the index and the key matter.
        let other = |key, code: [u8; 32], index: u32| {
            let path = DerivationPath::new([index]).unwrap();
            let derived = Derived::<C>::at(&key, &code, &path).unwrap();
            hex(C::encode_scalar(&derived.tweak).as_ref()) + &hex(&derived.chain_code)
        };
        let (g, twice) = (C::generator(), C::double(&C::generator()));
        let all = [other(g, [7; 32], 0), other(g, [8; 32], 0), other(g, [7; 32], 1)];
        let all: std::collections::BTreeSet<_> =
            all.into_iter().chain([other(twice, [7; 32], 0)]).collect();
        assert_eq!(all.len(), 4);
        format!("{} {}", hex(C::encode_point(&child.key).as_ref()), hex(&child.chain_code))
    }
    let found = [child::<Ed25519>(), child::<Ristretto255>(), child::<Ed448>()].join("\n");
    assert_eq!(found, include_str!("data/additive.txt").trim_end());
}

/// The definition in the documentation, with the transcript's encoding written out.
#[test]
fn additive_by_hand() {
    use sha2::{Digest, Sha512};
    let sized = |bytes: &[u8]| [&(bytes.len() as u64).to_be_bytes(), bytes].concat();
    let item =
        |label: &str, bytes: &[u8]| [&[1][..], &sized(label.as_bytes()), &sized(bytes)].concat();
    let number = |label: &str, number: u64| {
        [&[2][..], &sized(label.as_bytes()), &number.to_be_bytes()].concat()
    };
    let hash = |part| {
        let parts = [
            sized(b"quorate v1"),
            sized(b"quorate-keys additive derivation v1"),
            item("curve", b"Ed25519"),
            item("chain code", &[7; 32]),
            item("key", Ed25519::encode_point(&Ed25519::generator()).as_ref()),
            number("index", 5),
            number("part", part),
        ];
        Sha512::digest(parts.concat())
    };
    let child = Derived::<Ed25519>::at(&Ed25519::generator(), &[7; 32], &path("m/5")).unwrap();
    assert_eq!(child.chain_code[..], hash(0)[..32]);
    let wide = curve25519_dalek::Scalar::from_bytes_mod_order_wide;
    let (low, high) = (wide(&hash(1).into()), wide(&hash(2).into()));
    let two_to_512 = wide(&[0xff; 64]) + curve25519_dalek::Scalar::ONE;
    let expected = low + two_to_512 * high;
    assert_eq!(Ed25519::encode_scalar(&child.tweak), expected.to_bytes());
}

#[test]
fn a_tree_ends_at_depth_255() {
    let key = Secp256k1::generator();
    let deep = ExtendedKey::<Secp256k1>::new(254, [1; 4], 7, [2; 32], key).unwrap();
    let last = deep.derive(&path("m/3")).unwrap();
    assert_eq!((last.depth(), last.child_number()), (255, 3));
    assert_eq!(last.derive(&path("m/0")).unwrap_err(), DeriveError::TooDeep);
    assert_eq!(deep.derive(&path("m/0/0")).unwrap_err(), DeriveError::TooDeep);
    assert_eq!(deep.derivation(&path("m/0/0")).unwrap_err(), DeriveError::TooDeep);
    let identity = ExtendedKey::<Secp256k1>::root(Secp256k1::identity(), [0; 32]);
    assert_eq!(identity.unwrap_err(), DeriveError::Identity);
    let identity = Derived::<P256>::at(&P256::identity(), &[0; 32], &path("m/0"));
    assert_eq!(identity.unwrap_err(), DeriveError::Identity);
}

#[test]
fn paths() {
    let parse = |text: &str| text.parse::<DerivationPath>();
    assert_eq!(parse("m").unwrap(), DerivationPath::default());
    assert_eq!(parse("m/0/2147483647").unwrap().indices(), [0, 2_147_483_647]);
    assert_eq!(parse("m/00/7").unwrap().to_string(), "m/0/7");
    for hardened in ["m/0'", "m/44h/0", "m/1/2H", "m/2147483648", "m/4294967295"] {
        assert_eq!(parse(hardened).unwrap_err(), DeriveError::Hardened, "{hardened}");
    }
    for bad in ["", "0", "/0", "m/", "m//1", "M/0", "m/+1", "m/-1", "m/ 1", "m/x", "m/4294967296"] {
        assert_eq!(parse(bad).unwrap_err(), DeriveError::BadPath, "{bad}");
    }
    assert!(DerivationPath::new([7; 255]).is_ok());
    assert_eq!(DerivationPath::new([7; 256]).unwrap_err(), DeriveError::TooDeep);
    assert_eq!(parse(&format!("m{}", "/1".repeat(256))).unwrap_err(), DeriveError::TooDeep);
    assert_eq!(DerivationPath::new([1 << 31]).unwrap_err(), DeriveError::Hardened);
}
