//! Keys for tests, from primes that stand here for everybody to read: nothing that they protect is secret. Never to be
//! used outside tests.
//!
//! There is enough for three parties at each level; a party's `N` comes from two primes that are 3 modulo 4, its `N̂`
//! from two safe ones.

use alloc::vec::Vec;

use quorate_bignum::{Engine, SecretNatural};
use rand_core::CryptoRng;

use crate::{DecryptionKey, Error, Level, PedersenTrapdoor};

/// How many parties there are keys for.
pub const PARTIES: usize = 3;

/// The two primes, 3 modulo 4, of the Paillier modulus of party `index`, counted from zero and modulo [`PARTIES`].
#[must_use]
pub fn paillier_primes(level: Level, index: usize) -> [SecretNatural; 2] {
    pair(
        level,
        match level {
            Level::Bits128 => &BLUM_1536,
            Level::Bits112 => &BLUM_1024,
        },
        index,
    )
}

/// The two safe primes of the ring-Pedersen modulus of party `index`, counted from zero and modulo [`PARTIES`].
#[must_use]
pub fn pedersen_primes(level: Level, index: usize) -> [SecretNatural; 2] {
    pair(
        level,
        match level {
            Level::Bits128 => &SAFE_1536,
            Level::Bits112 => &SAFE_1024,
        },
        index,
    )
}

/// The Paillier key of a party.
///
/// # Errors
/// None.
pub fn decryption_key(engine: &Engine, level: Level, index: usize) -> Result<DecryptionKey, Error> {
    let [p, q] = paillier_primes(level, index);
    DecryptionKey::from_primes(engine, level, &p, &q)
}

/// The ring-Pedersen setup of a party.
///
/// # Errors
/// None.
pub fn pedersen_trapdoor(
    engine: &Engine,
    level: Level,
    index: usize,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<PedersenTrapdoor, Error> {
    let [p, q] = pedersen_primes(level, index);
    PedersenTrapdoor::generate(engine, level, &p, &q, rng)
}

fn pair(level: Level, primes: &[&str; 2 * PARTIES], index: usize) -> [SecretNatural; 2] {
    let start = 2 * index.checked_rem(PARTIES).unwrap_or_default();
    [start, start + 1].map(|i| parse(level, primes.get(i).copied().unwrap_or_default()))
}

/// Hexadecimal digits as a number of the level's length.
fn parse(level: Level, hex: &str) -> SecretNatural {
    let digit =
        |&c: &u8| char::from(c).to_digit(16).and_then(|d| u8::try_from(d).ok()).unwrap_or_default();
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    let mut bytes: Vec<u8> =
        pairs.iter().map(|[high, low]| (digit(high) << 4) | digit(low)).collect();
    bytes.truncate(level.prime_bytes());
    SecretNatural::from_be_bytes(&bytes)
}

/// Safe primes of 1536 bits.
#[rustfmt::skip]
const SAFE_1536: [&str; 6] = [
    "ee6e27933bbf418768a9f6341657098a6eb382189e3fbf34c2c09b7efc75297e6b66f6bf59938fcb23f0846c4e8ffe71c0e3212fcea57481\
     59e86d400a5f02766fca21220a75b72621599766b73014377d26bf223bd20a25e985321e26c976b84cbd13dfedbf9dd6503484379526c443\
     7604fd2da15efc999336fe5b9a779fe339c17fb7153374f2dd04ab17eed77fffb12a9e9c199ddcaaaebdcac31ff388ac60656d09408a8222\
     ff50faa9fe49c4a287ea8980a9c2e89102529220dc68a63b",
    "e40e335f6dc16c1639c3d0d5f1d0c2982ee5ae261acb89a6e78ced07f8933903733fbc1c33489f142c8689fa2c1a19fbda816bd9b4d02c98\
     1d308c9d749f567b053cbb65321d28595457a232597648ce5997b0920329d3b13caf01a4a53af1f04feac1de6c21ce7dd02d608cfe5a78ac\
     b1c5dea2ecb0ad32af0fb87342172c8132aa81690b03aabde36b261217a9deaf4f8ba733575358de412e0960641be25681c0ce25e337ef2d\
     2d2abe19bcdad9f673ba2188503d70dfaae4181694b1b86b",
    "c224110eb1b036e8ebbb682971c8a3b3db90e91c743006741bb5f798465d6c415f62037aa53f42bb862b3e3e5435c63359a0550f295d51ac\
     94727bde7d24538da645f5d4109a29b5e71a2a24b6d28f24533d4e5cfc7d50b2c5e7cc582bdbc7970fcfa14d0be2b76beb3d45e7a622dbc0\
     c1d47dbe86ab5dd87ea13692638024556a10574cae23c6f83fdf826c3109477edcc5e376146a33bf67c5594db82a5e8b881d21ac234e6ef8\
     66802787e750def85742face398c72ee55750a2b6f9801b7",
    "c86e8208f64cc611c2bac40cf69da9a14acbffa6d58d40cd569a7f8259162da588f7eabdf72411e28c955976c25693983669e9f35e61586c\
     549a075e9ce5f6b2eacde2917e029ec38f6cf981fd28e7f01eda93ef9f2aacae94f5541a6d175adcf9e5b5cdc8e062a089b68d535f65ac9a\
     8417d49db5872ed58ff09434b01464fbd6bab84d7baefaf77c0707c87656875633de4c170d2fd6b43d635732076883c7e1bfbd8bb59d08d8\
     507e582ec7b23e16876dc1e0a451dc784b5d0fc5e106117b",
    "e193d99526f2da58f9bc69c8ab5648642310fd6668733cbedeaf7af3b9a038f3aa00f32414467a297e3f62f4fb9ebf35b7b61cbbe3ed8fdc\
     38ac7865aa09c45e0cf3f3bffec26d1c7b627645f51672d3c2ef4e948fe67fe7a8386b73d3a37b525b7f824e06348ec063ec8009a2109ec0\
     749a66f0be4cc9996d4f17f60593d47abe8eaceb3ab4cbf77213a0703bdb1be0deb6780c1b58868386259692eb27525b4c068b01387b010d\
     2c5915f088e28592e59b076ee6427c5fbd4ab350d7c015bb",
    "f72447da0d93e6ec57c88a38aa5befa7ac547dc7bd22a1b1c8a772e462380107a5ff2f9dceb1ca76a2f84f877cb16a3544758aa80e93041f\
     f15584391d2d5dfe4261f93b912e1eafd85cdc0dce599021a83df262d0b82e47b40ff2e66ab8221ff4b5be2e886f0df6dc18344eb65b77d0\
     2f80b6a4d96b545860837dc8bcf304346f205c86bab518bf5d7b243721deef939e5643c366956ad06fcd999064fbe9e8a54fa2a249af11b5\
     2eb6d1f60aa544074cbbe3872695c9cdccbb39bf02d5294b",
];

/// Primes of 1536 bits that are 3 modulo 4.
#[rustfmt::skip]
const BLUM_1536: [&str; 6] = [
    "c193c15a2df52047f7567e7ba9f427bb33dcebe7f7d649b21281979981cc850b55530c602a6562d12fcccb768ccbe3df127dfcfb24a4a17f\
     312b62537c9ef2dcb843d699bfe9f3ad11f3cd9a92513454960ca4ce2bc40695a870e421bf0e6630210ef3a77b67c512be3a9d4cc2b1aa54\
     3e41f4cb050f9d5b58a6dd7035fc3c92c25a9940e57a0df7d33ddd38b906195cb2a46556ec473d12f1e8b928d42d2f3a9dab246a79ae1823\
     562a5a8bfdc1a755e1ed9a04ab9dded7aa12607de682bbc3",
    "f3090379f1bfed411b3e361d3b66a187587a4ddfd803e0272436d25ddafddb0a2172fc0f57e9c123cedef0eacc1e1d2adac5b18d9d097ebf\
     a4046c21d8e06e3d1c2abb3166703983722de3c5b42caea9ea332146473cefc0390e852f34acaabd04955d248e404740c57cd13558b4d96e\
     e0d34550f62d7fe7a757e8173da10aa0bbc5068687934b01fa470da1c19f793b133a9652a9fb6540ea9858985d05d17dcd2676b049b5a910\
     ee1be31d925612cf058b963230b56da0237693dbc6ee093b",
    "c613a95af177fa8e638b39c35cd17bb1b86d1e951b3591bd9878e6208c626eb6bc2135e02bf44e85b6e41125752ec07271846931a0a4ce43\
     59763911ff1d4abce7d977a2a5d9040173dc72b8a7ea1fde0f535c075311113d59e21fdf7ae3af836dcb38ad0bbe7b09d4aa30bc4ef03629\
     e7bae2c0eb090946a95000a4625032c209dce8ac7b70204d0b4417e81a79aadcd41532c088e08b431aecd077d13f173035f5afa5dafdcd9c\
     c6980893459487e54d1129418c2df954a5336ef50412ae0f",
    "ece7cfe413c420e2a68e5b7dce9bd2dc2093295e86d2abc987e767041cefb1b844c3c584873f617077ac83be3b50be3cc763688c90e9ce49\
     a021679cd013e1574f6ad3ad6ec42c62121651c018c2b0461d9eff3dbc6c410ef6aac423a519f2d7692e6712e4f01f09abb4b0b1298eb209\
     67a5e6d177c404d020bc16b0fe6a4f6b2379a766d655b1e92b34e9ee4928c2c2eee16be151614f8144d9291a64a0b22a99b6aea74a9586fd\
     22aaa7464b5d18a65ebcb10a7969b1e7c55c9a23da6893b3",
    "fae16fb19d6d28467562ef9653d19ef4dccac225434a545a48fa9296fb3b77ca8fd0e9f0cf78c55e13e8f0de13c0fd4b552ede947142f030\
     b51e0af339075ca90b4817de5bb26ecce6c12325d71fd8a00a0aa8a5d584ed10d4ef4b92c5a4521d3c0ab97fc42cab4c2cd04c6a2f9733e7\
     b2c5e5513cb7fe4ee644f4628ad68a05bc18c1f26340cfebbe61c9dbe0988b5ebf8b88ce4ca16bbcf03a51a40468686b55b07f5395325556\
     0d726d37d87f4c61aeaafaef8d103eb63df43b4fcb2d23c3",
    "f08ec784f09e5b33fc646181e494faad6f78ce989be35596ae1dbace842fa0d7bd4e8db2e6b9943c9dfd348d3a03fa30d12aed434b172bd6\
     5d032a28493df5ca0f6df015f1b0397c0a39f65dff8ff7991d8bb8ecff725f233b9007c3d9912e21225eae2b0b1a3c7fc129de633eb39b0b\
     a3735a5317072f5259ad96d214abb32b1a028ee0cad46ddc07e60646b8a5429ded157bd4bd6f0fe880ec06ac385171e4c3f752eaa1473c35\
     c2687aec7f130c3a6432c51262bcaa6ab547b66b375a5f97",
];

/// Safe primes of 1024 bits.
#[rustfmt::skip]
const SAFE_1024: [&str; 6] = [
    "e6d2e7381c85bc39e7cde510561144aad163f9f14da7f6b9a591affbdc8e5282b5faba98afad00b6ad49d5b6be0b882446de57bb1b7b6860\
     f6a3aa34f1d34854e2be2c94e3cb62ffdcd504cedf4ebc265a0a01ba4e5b550f4ed0277cb09c0ab91de6408b202602fb5429d6b2b27190da\
     be97fe4546ab0c8674c4ad5f35d2c7bf",
    "e7e4e0b0ec85fb1a1b6962acaf767500f36e0c8193d49147b1b8cd0e6bf5c5e70567479e5d01242bc1d3f7056afd4844d016a8aaebbf91a7\
     659e5710459431973d095cf679560830f0ce276caae55172f67722be3eb87c3e1d80f81e7d1edbc7c7befdadf0ffadaf133b4175935f86e8\
     69bc895dd5c759d095fa7f92243ce3cb",
    "ed098f18d149aa14f7f672dcfad1938b62007747ff7a13e23b7bbcf431e53a2305fd154820c6534a327856f2556bb183a4db4c857e0b440d\
     20d03b2cfa472997e049bb908fc628f562b3657f9e63b0a6464533c8aa0ccea346128e0b43e97bae6b39d073d31fa18e1807a28b30bf3271\
     ca192b8df082cdf8b65f3556e75662ab",
    "c20e12ba2481ce3d62304cffa417b1dc30bdaffb8776f6a2004710792a5027cdd230f3df0538a2ee27fc3042ffc7393e197c730afba8e65d\
     6d77683f3cdddfc6d4725485bd0176c768b0213fa587734491a059097d68ecc16382ee0f9fd82fdcd9169aed83233075a87445e240a2a1fe\
     b426d80c218e5a444b2f6432b38ba9bb",
    "e3655b37d922fb26a4837f4ce2c1c4b106eeff71c3fa9419dd233a463981ca13cf8e140063347261b7db0cba3559b0970730e52c696a53ca\
     4cc005a46a39cb75d1c7c4ece86d3ff035f362c97886298978f0661065e3eca2e9a7717440847b305dd2fb0996b27110b96d94e4b7eb4ac6\
     088d4018bfef04280c9f538855e046b3",
    "c00f41d0f5eadf0d6886b2a346950b92a815672a665dc2b2e844cdde50c41e7de34ccdfa653c0e802a4a413161ed33b9f1c5dc7be9dfead9\
     c012a2f5f6835cbaf3d7fcba14917fed3d6cc69567bcbe4736c12329f9db5faa51b9f3d5118a65f10abfa5df491efde41f850e503ace0e92\
     765635c05b5980d6bbed2ffd1d113af7",
];

/// Primes of 1024 bits that are 3 modulo 4.
#[rustfmt::skip]
const BLUM_1024: [&str; 6] = [
    "d7645714b13650e8e5410fd192f711b1187c29ba49dead3f59c453a1717a93f45b54986ee3c1ab5eb3719a8234056c35ae1ab8e0237b0ac2\
     64df66682f534832dd2ff9d498c91858510c1b5d21ce86917773aca26f2b9dfd95389a36aab3677139ade0ce76d0d6bf3da4d56dae074599\
     6e0fb1040a9117ab0c442c06248ca7a7",
    "da78ee2c78486c16a9e0b2b40c481329150c16394436ae304a9b6e22372c8a123724462e8e47d37d417e26f65e28203af68a992b3754036e\
     03157940f905590b3ef1148b4735a9e5e12a7042d8ac9e3a16c3d8167f9f941826d496d4fd81f2aa56183b2dc9f14a6c7cc048da98424bc1\
     633395a3ff43b2fd8928d251ebaecd3f",
    "c89fbcedee53e97ab8986e0faf2a729a403a466f3afba4baa898835f5d9f8a7be2ad216a887f2715e87d2b004b4132300874a10faac1deb0\
     a590a2821af92b484030790ae0b7e9358de5302d46629196927fa0addaa681ed75216452e3dd26da40fccc0bdbe8b52db7531095eedfb60b\
     efc6f468ed23d6da792d6092d447a623",
    "ccc7b53309d5729b87b35520fe889846cba9e63aa4953cb0703920f38612f622eab06e9a0ce234e27465ba1460cba44ed2826b4bf5169c8c\
     b88b1502393527e43c21363d0bf4aff6df8035946b1e094b3951a0d62bdd606fe9e6936c2484c70e0f626cd8b6e888680b9fadc728a94b27\
     549a4c370f9bed9e79e83247177439e7",
    "e8d7664be63d389b7ef1cbc45fef535812a65f106497831a7493cb2f9e6b356a84d8feb696bd57855f2fffbd9e16cb33de92716785b6fd2f\
     9d9cf9e1441d8807399311624ba87e209d18b3210468b88526cdee9d2a574db8e38bb98e6b863588729708fbebaebb410857ca556bccfdcb\
     dd1e3c447321fa1dfda60933d924d21b",
    "cd7707e8fc6e2789c84b128d38841fe94c92cd27a833865493c46cf15057ec6ac50944881056ab4222976200bde87de2d0014d580daec8ce\
     f007e8cc25009df9af61aa573c2bd2ce411c14e8e415fdff9abe6896aa9d63bc7f5ad380cb4f49d84ec7606cb89db6e7a300343a5931ccb0\
     d584d78321cff7a9c463d48c1fe0da77",
];
