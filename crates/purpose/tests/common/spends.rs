//! Spends of Bitcoin: those of BIP-341's wallet vectors, of BIP-143, and of Bitcoin Core's `feature_taproot.py`.

use quorate_purpose::bitcoin::{Output, Path, SighashType, Spend, Transaction};

use super::hex;

/// BIP-341, `wallet-test-vectors.json`, `keyPathSpending`: the unsigned transaction.
pub const BIP341: &str = "02000000097de20cbff686da83a54981d2b9bab3586f4ca7e48f57f5b55963115f3b334e9c010000000000000000d7b7cab57b1393ace2d064f4d4a2cb8af6def61273e127517d44759b6dafdd990000000000fffffffff8e1f583384333689228c5d28eac13366be082dc57441760d957275419a418420000000000fffffffff0689180aa63b30cb162a73c6d2a38b7eeda2a83ece74310fda0843ad604853b0100000000feffffffaa5202bdf6d8ccd2ee0f0202afbbb7461d9264a25e5bfd3c5a52ee1239e0ba6c0000000000feffffff956149bdc66faa968eb2be2d2faa29718acbfe3941215893a2a3446d32acd050000000000000000000e664b9773b88c09c32cb70a2a3e4da0ced63b7ba3b22f848531bbb1d5d5f4c94010000000000000000e9aa6b8e6c9de67619e6a3924ae25696bb7b694bb677a632a74ef7eadfd4eabf0000000000ffffffffa778eb6a263dc090464cd125c466b5a99667720b1c110468831d058aa1b82af10100000000ffffffff0200ca9a3b000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac807840cb0000000020ac9a87f5594be208f8532db38cff670c450ed2fea8fcdefcc9a663f78bab962b0065cd1d";

/// The script of the leaf in Bitcoin Core's spend.
pub const CORE_SCRIPT: &str =
    "20cc4e1107aea1d170c5ff5b6817e1303010049724fb3caa7941792ea9d29b3e2bacab";

/// The witness script of BIP-143's P2WSH with a signature of all parts.
pub const BIP143_SCRIPT: &str = "56210307b8ae49ac90a048e9b53357a2354b3334e9c8bee813ecb98e99a7e07e8c3ba32103b28f0c28bfab54554ae8c658ac5c3e0ce6e79ad336331f78c428dd43eea8449b21034b8113d703413d57761b8b9781957b8c0ac1dfe69f492580ca4195f50376ba4a21033400f6afecb833092a9a21cfdf1ed1376e58c5d1f47de74683123987e967a8f42103a6d48b1131e94ba04d9737d61acdaa1322008af9602b3b14862c07a1789aac162102d8b661b0b3302ee2f162b09e07a55ad5dfbe673a9f01d9f0c19617681024306b56ae";

pub fn transaction(text: &str) -> Transaction {
    Transaction::from_bytes(&hex(text)).unwrap()
}

pub fn output(amount: u64, script: &str) -> Output {
    Output { amount, script: hex(script) }
}

pub fn double_sha256(bytes: &[u8]) -> [u8; 32] {
    use sha2::{Digest as _, Sha256};
    Sha256::digest(Sha256::digest(bytes)).into()
}

pub fn bip341() -> Transaction {
    transaction(BIP341)
}

/// The outputs that are spent in BIP-341's vectors.
pub fn bip341_spent() -> Vec<Output> {
    [
        (420, "512053a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343"),
        (462, "5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3"),
        (294, "76a914751e76e8199196d454941c45d1b3a323f1433bd688ac"),
        (504, "5120e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e"),
        (630, "512091b64d5324723a985170e4dc5a0f84c041804f2cd12660fa5dec09fc21783605"),
        (378, "00147dd65592d0ab2fe0d0257d571abf032cd9db93dc"),
        (672, "512075169f4001aa68f15bbed28b218df1d0a62cbbcf1188c6665110c293c907b831"),
        (546, "5120712447206d7a5238acc7ff53fbe94a3b64539ad291c7cdbc490b7577e4b17df5"),
        (588, "512077e30a5522dd9f894c3f8b8bd4c4b2cf82ca7da8a3ea6a239655c39c050ab220"),
    ]
    .map(|(amount, script)| output(amount * 1_000_000, script))
    .into()
}

/// The input of BIP-341's vectors with the default type.
pub fn bip341_key() -> Spend {
    Spend::new(bip341(), bip341_spent(), 4, Path::TaprootKey, SighashType::Default).unwrap()
}

pub fn core_key() -> Transaction {
    transaction(
        "0200000002fff49be59befe7566050737910f6ccdc5e749c7f8860ddc140386463d88c5ad0f3000000002cf68eb4a3d67f9d4c079249f7e4f27b8854815cb1ed13842d4fbf395f9e217fd605ee24090100000065235d9203f458520000000000160014b6d48333bb13b4c644e57c43a9a26df3a44b785e58020000000000001976a914eea9461a9e1e3f765d3af3e726162e0229fe3eb688ac58020000000000001976a9143a8869c9f2b5ea1d4ff3aeeb6a8fb2fffb1ad5fe88ac0ad7125c",
    )
}

pub fn core_key_spent() -> Vec<Output> {
    const SCRIPT: &str = "5120f25ad35583ea31998d968871d7de1abd2a52f6fe4178b54ea158274806ff4ece";
    vec![output(0x22_1f59, SCRIPT), output(0x31_fb48, SCRIPT)]
}

pub fn core_script() -> Spend {
    let transaction = transaction(
        "020000000189fc651483f9296b906455dd939813bf086b1bbe7c77635e157c8e14ae29062195010000004445b5c7044561320000000000160014331414dbdada7fb578f700f38fb69995fc9b5ab958020000000000001976a914268db0a8104cc6d8afd91233cc8b3d1ace8ac3ef88ac580200000000000017a914ec00dcb368d6a693e11986d265f659d2f59e8be2875802000000000000160014c715799a49a0bae3956df9c17cb4440a673ac0df6f010000",
    );
    let spent = "512028055142ea437db73382e991861446040b61dd2185c4891d7daf6893d79f7182";
    let path = Path::TaprootScript(hex(CORE_SCRIPT));
    Spend::new(transaction, vec![output(0x34_ec1b, spent)], 0, path, SighashType::All).unwrap()
}

/// BIP-143's native P2WPKH.
pub fn p2wpkh() -> Spend {
    let transaction = transaction(
        "0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000",
    );
    let first = "2103c9f4836b9a4f77fc0d81f7bcb01b7f1b35916864b9476c241ce9fc198bd25432ac";
    let second = "00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1";
    let spent = vec![output(625_000_000, first), output(600_000_000, second)];
    Spend::new(transaction, spent, 1, Path::SegwitKey, SighashType::All).unwrap()
}

/// BIP-143's P2WSH of six keys, without the P2SH around it.
pub fn p2wsh() -> Spend {
    let transaction = transaction(
        "010000000136641869ca081e70f394c6948e8af409e18b619df2ed74aa106c1ca29787b96e0100000000ffffffff0200e9a435000000001976a914389ffce9cd9ae88dcc0631e88a821ffdbe9bfe2688acc0832f05000000001976a9147480a33f950689af511e6e84c138dbbd3c3ee41588ac00000000",
    );
    use sha2::Digest as _;
    let script = hex(BIP143_SCRIPT);
    let program = [&[0, 32], &sha2::Sha256::digest(&script)[..]].concat();
    let spent = vec![Output { amount: 987_654_321, script: program }];
    Spend::new(transaction, spent, 0, Path::SegwitScript(script), SighashType::All).unwrap()
}
