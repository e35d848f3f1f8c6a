//! The draft's values since version 0.8.0, where b hashes the number of signers: those of its group "2of3", for the keys,
//! nonces and messages of the files in `tests/bip445`, which are the same.

use super::*;

/// The group "2of3" of a file, and its test of this place.
fn case(file: &Value, at: usize) -> (&Value, &Value) {
    let group = &file["test_groups"][0];
    assert_eq!(group["tg_id"], "2of3");
    (group, &group["valid_tests"][at])
}

/// The session of a test, as any party makes it.
fn session(group: &Value, test: &Value, tweaks: &[Tweak]) -> Session {
    let signers = signers(group, test).unwrap();
    let sum = AggregateNonce::from_bytes(&array(&test["aggnonce"])).unwrap();
    Session::new(&signers, &sum, tweaks, &bytes(&test["msg"])).unwrap()
}

fn signs(group: &Value, test: &Value, tweaks: &[Tweak], expected: &str) {
    let session = session(group, test, tweaks);
    let share = share(group, test);
    let psig = session.sign_with(&share, id(&test["my_id"]), nonce(group, test)).unwrap();
    assert_eq!(psig.as_slice(), unhex(expected), "test {}", test["tc_id"]);
}

#[test]
fn sign() {
    let file = file(include_str!("../../../tests/bip445/sign_verify_vectors.json"));
    let expected = [
        "93DDE8C9CEE714EB5BDF2BE00FEC3327F9CF386D3AC672F0DA734FFC08E7A041",
        "93DDE8C9CEE714EB5BDF2BE00FEC3327F9CF386D3AC672F0DA734FFC08E7A041",
        "2551E5EB416900877F817CACA417F517980E62015A24995D4B43F4FCCD08785A",
        "09955F6B6CF09ED383F33C1BFCFE059E79E9D26FECC0095F4A31F22E7ED242AE",
        "70E450AF543413AD3F1C3595B843EC8D7A9ED4693C86756DEEF7EB1D0461F7C1",
        "9019CFAC70EFADC7891B158B77C0C80EBBF4F88468F1670BB1B74627BE68E9B5",
        "301C26EC3635BCD8359BFF82312E378583D6A470BD091EC3E9CC4A56CB50BB81",
    ];
    for (at, expected) in expected.into_iter().enumerate() {
        let (group, test) = case(&file, at);
        signs(group, test, &[], expected);
    }
}

#[test]
fn tweak() {
    let file = file(include_str!("../../../tests/bip445/tweak_vectors.json"));
    let expected = [
        "93DDE8C9CEE714EB5BDF2BE00FEC3327F9CF386D3AC672F0DA734FFC08E7A041",
        "B83A0D33121B5A858BDCA6750ED20C34B490BAF26DC874B0889F19862B8DC938",
        "B83A0D33121B5A858BDCA6750ED20C34B490BAF26DC874B0889F19862B8DC938",
        "F86C0A3FA8F291C80936F37D3B3A5D3F6992A8BF4CF030E050E4BAD4A156B0B5",
        "5606CC527316C8A7FF47F31AB6064EC68D73124E9DC8918A71D990BDAB05F00E",
        "7245548343E870FD5BA3B73005DDE3992C41112FDC59F008AD58F453A3A46A11",
        "5AC0E510FB37F02BAD7A04D1E0BA0827DF6460DEE7AA6CAB5DD282913D064965",
    ];
    for (at, expected) in expected.into_iter().enumerate() {
        let (group, test) = case(&file, at);
        let tweaks = tweaks(&chosen(group, "tweaks", test, "tweak_indices"), &test["is_xonly"]);
        signs(group, test, &tweaks, expected);
    }
}

#[test]
fn det_sign() {
    let file = file(include_str!("../../../tests/bip445/det_sign_vectors.json"));
    let expected = [
        "1DCA363729446042E49E5DA9A9B26DA508644EF68C7EFA6EE5EC7F73EF8E2B8B",
        "1DCA363729446042E49E5DA9A9B26DA508644EF68C7EFA6EE5EC7F73EF8E2B8B",
        "EF6B846565DB50172270EB9389E0F7713D9400902DEE1BB5E3F2ADF77BAA2096",
        "EA75E38854F3E8F69C40FD0CDCDE24ACCEF11C5E27A2A66908C66FBEF5D1DC52",
        "DF26C96F3CC78E69274C9652FBC48D58284EAF01D48CA0B2CFE726DB60F35173",
        "2CD6D339FB15DA4CA9EA89821A5CB8304621CE1F73D5502C87C133F7C375B769",
        "41C19A9FA44D67B188BFA404D04CF65D1B80DB93676C8C007FBE818A7A5E9A4C",
        "BD75149FECFCAC40B8C8563398304FEE8F6D959C173F0EAFE5D262A5AF4BD178",
        "0E7AF7CE38CE61C9867DCAE487DDAC3F7F511B2B735BA60E73D2FC080370EB19",
    ];
    for (at, expected) in expected.into_iter().enumerate() {
        let (group, test) = case(&file, at);
        let (public, psig) = sign_alone(group, test, true).unwrap();
        assert_eq!(public.as_slice(), bytes(&test["expected"][0]), "the nonces are the same");
        assert_eq!(psig.as_slice(), unhex(expected), "test {}", test["tc_id"]);
    }
}

#[test]
fn sig_agg() {
    let file = file(include_str!("../../../tests/bip445/sig_agg_vectors.json"));
    let expected = [
        (
            0,
            "93DDE8C9CEE714EB5BDF2BE00FEC3327F9CF386D3AC672F0DA734FFC08E7A041\
             4368B9CD58815001630403FA8F6319CFD4849E95F13379FA431A288FD230E872",
            "74B202858D1B9B1113A5615E20CDB41CD6CAEE2DC125EB32AEA1A7C189621C12\
             D746A297276864ECBEE32FDA9F4F4CF7CE53D7032BF9ECEB1D8D788BDB1888B3",
        ),
        (
            2,
            "CC60DFBCAEE58593EF5A58C757621FE8E6644925945B973527268D6493C1CB0E\
             6BF7AC278EA83796031547BAA813C4FBF2D7B25B70EC59DD46ECB82C9104A5B0",
            "E2308F92DE70BC5F612D329F69F141BF4E886797B25539FCBDF39096B53E0F08\
             1093777BBF7DAF39BD06D299CB3860D43F647FC3A36507E2A57061D031F5696E",
        ),
        (
            3,
            "0187D09300F20F940B837AA93AB9F4863821C044627931F402D4ACDA618C0E15\
             09955F6B6CF09ED383F33C1BFCFE059E79E9D26FECC0095F4A31F22E7ED242AE\
             012450173674FA82C0048E8DA589C450E742469CD2C81AAACE071297D9F1072C",
            "0128035A92709B871A9E7CD6871E52B475114EE189D5E56AC5B9E6EE86127469\
             0C418015A457A8EA4F7B4552DD41BE75994DD951220155FE1B0DB1A0BA4F57EF",
        ),
    ];
    for (at, psigs, expected) in expected {
        let (group, test) = case(&file, at);
        let tweaks = tweaks(&chosen(group, "tweaks", test, "tweak_indices"), &test["is_xonly"]);
        let psigs: Vec<SignatureShare> =
            unhex(psigs).chunks(32).map(|one| one.try_into().unwrap()).collect();
        let signature = session(group, test, &tweaks).aggregate(&psigs).unwrap();
        assert_eq!(signature.as_slice(), unhex(expected), "test {}", test["tc_id"]);
    }
}
