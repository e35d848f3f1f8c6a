//! Descendants of FROST keys sign: verified by who knows the extended key alone, and by other libraries.

use quorate::Parties;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::keys::derive::{
    DerivationPath, DeriveError, ExtendedKey, Network, TaprootKey,
};
use quorate::frost::generic::{
    Dealing, Mismatch, ParentSuite, RootSuite, SignError, SigningPackage, TweakError,
};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, TaprootInternal, XOnly};
use quorate_testkit::unhex;

use crate::data::hex;
use crate::group::{Group, rng, sign};
use crate::outside::{self, Outside};

fn path(text: &str) -> DerivationPath {
    text.parse().unwrap()
}

fn descendants_sign<S: ParentSuite + Outside>() {
    let parties = Parties::numbered(3).unwrap();
    let group = Group::<S>::dealt(2, &parties, &mut rng(1));
    let root = group.public.extended_key([7; 32]);
    let path = path("m/0/7");
    let derive =
        |share: &_| quorate::frost::generic::KeyShare::derive(share, &group.public, &root, &path);
    let child = Group {
        shares: group.shares.iter().map(derive).collect::<Result<_, _>>().unwrap(),
        public: group.public.derive(&root, &path).unwrap(),
    };
    // For code that is generic over the suite it is the same key, with the chain code that follows from the root.
    let own = group.public.extended_key(group.public.public_chain_code());
    let expected = group.public.derive(&own, &path).unwrap();
    assert_eq!(
        S::descendant_output(group.public.shared(), &path, None).unwrap().key(),
        expected.shared()
    );
    assert_eq!(group.public.descendant(&path).unwrap(), expected);
    let scripts = Some([7; 32]);
    let refused = group.public.descendant_output(&path, scripts).unwrap_err();
    assert_eq!(refused, DeriveError::NoScripts);
    let refused = group.shares[0].descendant_output(&group.public, &path, scripts).unwrap_err();
    assert_eq!(refused, TweakError::Derive(DeriveError::NoScripts));
    // Who watches has the extended key, and nothing of the group.
    let watched = S::Curve::encode_point(root.derive(&path).unwrap().key());
    assert_eq!(child.public.verifying_key().as_bytes().as_ref(), watched.as_ref());
    let ids = child.ids();
    for signers in [[ids[0], ids[1]], [ids[0], ids[2]], [ids[1], ids[2]]] {
        let signature = sign(&child, &signers, b"child", &mut rng(2)).to_bytes();
        assert!(S::holds(watched.as_ref(), b"child", signature.as_ref()));
        let parent = group.public.verifying_key().as_bytes().as_ref();
        assert!(!S::holds(parent, b"child", signature.as_ref()));
    }

    // Nothing of the parent is taken for the child's, and the other way round.
    let (mut nonces, commitments): (Vec<_>, Vec<_>) =
        child.shares.iter().map(|share| share.commit(&mut rng(3))).unzip();
    let package = SigningPackage::new(&child.public, commitments, b"child").unwrap();
    let refused = group.shares[0].sign(&package, nonces.remove(0)).unwrap_err();
    assert!(matches!(refused, SignError::Mismatch(Mismatch::WrongKey)), "{refused:?}");
    let refused = child.shares[0].derive(&group.public, &root, &path).unwrap_err();
    assert_eq!(refused, TweakError::Mismatch(Mismatch::WrongKey));
    let other = Group::<S>::dealt(2, &parties, &mut rng(4));
    let refused = other.shares[0].derive(&other.public, &root, &path).unwrap_err();
    assert_eq!(refused, TweakError::Derive(DeriveError::OtherKey));
    assert_ne!(group.public.public_chain_code(), other.public.public_chain_code());
}

/// A test for every suite. Taproot's keys have descendants of another suite, which are below.
macro_rules! descendants {
    (of secp256k1_tr $suite:ty) => {};
    (of $module:ident $suite:ty) => {
        mod $module {
            #[test]
            fn descendants_sign() {
                super::descendants_sign::<$suite>();
            }
        }
    };
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $(descendants!(of $module $suite);)*
    };
}

quorate::for_each_frost_suite!(descendants);

/// The outputs at a path of an internal key.
fn outputs(
    group: &Group<TaprootInternal>,
    root: &ExtendedKey<quorate::frost::generic::curve::Secp256k1>,
    path: &DerivationPath,
    merkle_root: Option<[u8; 32]>,
) -> Group<Secp256k1Taproot> {
    let derive = |share: &quorate::frost::generic::KeyShare<TaprootInternal>| {
        share.derive_output(&group.public, root, path, merkle_root).unwrap()
    };
    let public = group.public.derive_output(root, path, merkle_root).unwrap();
    Group { shares: group.shares.iter().map(derive).collect(), public }
}

/// The account of BIP-86's vectors as a threshold key: its shares sign for the output keys of the vectors.
#[test]
fn bip86_outputs_sign() {
    let account = "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ";
    let account = ExtendedKey::from_xpub(account, Network::Main).unwrap();
    let secret = unhex("9043214d33a3c162a9a825d26b2a1c381455a72306ed17857f55ea65b7dd20da");
    let parties = Parties::numbered(3).unwrap();
    let group = Group::of(Dealing::import(&secret, 2, &parties, &mut rng(5)).unwrap());
    for (at, expected) in [
        ("m/0/0", "a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c"),
        ("m/0/1", "a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb"),
        ("m/1/0", "882d74e5d0572d5a816cef0041a96b6c1de832f6f9676d9605c44d5e9a97d3dc"),
    ] {
        let output = outputs(&group, &account, &path(at), None);
        assert_eq!(hex(&output.public.x_only()), expected);
        let signature = sign(&output, &output.ids()[1..], b"spent", &mut rng(6)).to_bytes();
        assert_eq!(outside::bip340(&unhex(expected), b"spent", &signature), (true, true));
    }
}

/// A key that the parties made, with and without scripts, watched by its extended key.
#[test]
fn taproot_outputs_sign() {
    let parties = Parties::numbered(3).unwrap();
    let params = quorate::frost::generic::DkgParams::new(2);
    let group = Group::<TaprootInternal>::generated(params, &parties, 7);
    let root = group.public.extended_key(group.public.public_chain_code());
    let text = root.to_xpub(Network::Test);
    let watched = ExtendedKey::from_xpub(&text, Network::Test).unwrap();
    for index in 0..4 {
        let path = path(&format!("m/1/{index}"));
        let scripts = (index % 2 == 1).then_some([index; 32]);
        let expected =
            TaprootKey::new(&watched.derivation(&path).unwrap(), scripts.as_ref()).unwrap();
        let output = outputs(&group, &root, &path, scripts);
        assert_eq!(output.public.x_only(), *expected.output());
        let signature = sign(&output, &output.ids()[..2], b"spent", &mut rng(8)).to_bytes();
        assert_eq!(outside::bip340(expected.output(), b"spent", &signature), (true, true));
        // For code that is generic over the suite, the descendants are the same outputs.
        let plain = outputs(&group, &root, &path, None).public;
        let descendant =
            TaprootInternal::descendant_output(group.public.shared(), &path, None).unwrap();
        assert_eq!(descendant.key(), plain.shared());
        let descendant = group.public.descendant_output(&path, scripts).unwrap();
        assert_eq!((descendant == plain, &descendant), (scripts.is_none(), &output.public));
        for (share, of_output) in group.shares.iter().zip(&output.shares) {
            let share = share.descendant_output(&group.public, &path, scripts).unwrap();
            assert_eq!(share.to_bytes(), of_output.to_bytes());
        }
    }
}
