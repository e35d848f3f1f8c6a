//! Child keys, as whoever has a certificate derives them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use custody_core::{Child, DerivationPath, MerkleRoot, Reason, Root, Scheme};

fn root(point: &str) -> Root {
    let digits: Vec<u8> =
        point.chars().map(|digit| digit.to_digit(16).unwrap().try_into().unwrap()).collect();
    let point = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    Root { point, chain_code: [7; 32] }
}

/// The generators.
fn roots() -> Vec<(Scheme, Root)> {
    let secp256k1 = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    let p256 = "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296";
    let ed25519 = "5866666666666666666666666666666666666666666666666666666666666666";
    vec![
        (Scheme::EcdsaSecp256k1, root(secp256k1)),
        (Scheme::EcdsaP256, root(p256)),
        (Scheme::Ed25519, root(ed25519)),
        (Scheme::Taproot, root(secp256k1)),
    ]
}

#[test]
fn each_path_leads_to_another_key_and_m_to_the_key_itself() {
    for (scheme, root) in roots() {
        let keys = ["m", "m/0", "m/1", "m/0/1", "m/1/0"].map(|path| {
            let path: DerivationPath = path.parse().unwrap();
            root.public_key(scheme, &path.into()).unwrap()
        });
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), 5, "{scheme}");
        // Of Taproot the key itself is an output key already.
        assert_eq!(keys[0] == root.point, scheme != Scheme::Taproot, "{scheme}");
        let length = if scheme == Scheme::Taproot { 32 } else { root.point.len() };
        assert!(keys.iter().all(|key| key.len() == length), "{scheme}");
    }
}

#[test]
fn root_in_json_is_base64_and_another_length_is_refused() {
    let (_, root) = roots().remove(2);
    let json = serde_json::to_string(&root).unwrap();
    assert_eq!(serde_json::from_str::<Root>(&json).unwrap(), root);
    assert!(
        json.contains(r#""chain_code":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=""#),
        "{json}"
    );
    assert!(serde_json::from_str::<Root>(&json.replace("BwcHBwcH", "BwcH")).is_err());
}

#[test]
fn bytes_that_are_no_point_have_no_children() {
    let root = Root { point: vec![9; 33], chain_code: [7; 32] };
    for scheme in Scheme::ALL {
        let path: DerivationPath = "m/0".parse().unwrap();
        let refused = root.public_key(scheme, &path.into()).unwrap_err();
        assert_eq!(refused.reason, Reason::WrongPath, "{scheme}");
    }
}

#[test]
fn scripts_lead_to_another_output_of_taproot_and_other_schemes_refuse_them() {
    let at = |merkle_root| Child { path: "m/0/7".parse().unwrap(), merkle_root };
    let children = [None, Some([1; 32]), Some([2; 32])].map(|root| at(root.map(MerkleRoot)));
    for (scheme, root) in roots() {
        if scheme == Scheme::Taproot {
            let keys = children.each_ref().map(|child| root.public_key(scheme, child).unwrap());
            assert_eq!(std::collections::BTreeSet::from(keys).len(), 3);
            continue;
        }
        assert!(root.public_key(scheme, &children[0]).is_ok());
        let refused = root.public_key(scheme, &children[1]).unwrap_err();
        assert_eq!(refused.reason, Reason::Unsupported, "{scheme}");
        assert!(refused.detail.contains("commit to no scripts"), "{}", refused.detail);
    }
}

#[test]
fn text_of_a_merkle_root_has_one_spelling() {
    let root = MerkleRoot([0xab; 32]);
    let text = "ab".repeat(32);
    assert_eq!((root.to_string(), text.parse()), (text.clone(), Ok(root)));
    for other in
        ["", "ab", &text[1..], &format!("{text}ab"), &format!("0x{text}"), &text.to_uppercase()]
    {
        assert!(other.parse::<MerkleRoot>().is_err(), "{other}");
    }
}
