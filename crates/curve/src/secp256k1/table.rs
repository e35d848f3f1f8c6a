//! Multiples of the generator of secp256k1, in affine coordinates. The tests multiply by each of them.

use super::{GFsecp256k1, Secp256k1};

type Affine = crate::msm::Affine<Secp256k1>;

const fn affine([a, b, c, d, e, f, g, h]: [u64; 8]) -> Affine {
    Affine { x: GFsecp256k1::w64le(a, b, c, d), y: GFsecp256k1::w64le(e, f, g, h) }
}

/// 1 to 16 times 1024^i times the generator.
#[rustfmt::skip]
pub(super) static POWERS: [[Affine; 16]; 26] = [
    [
        affine([
            0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac,
            0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465,
        ]),
        affine([
            0xabac09b95c709ee5, 0x5c778e4b8cef3ca7, 0x3045406e95c07cd8, 0xc6047f9441ed7d6d,
            0x236431a950cfe52a, 0xf7f632653266d0e1, 0xa3c58419466ceaee, 0x1ae168fea63dc339,
        ]),
        affine([
            0x8601f113bce036f9, 0xb531c845836f99b0, 0x49344f85f89d5229, 0xf9308a019258c310,
            0x6cb9fd7584b8e672, 0x6500a99934c2231b, 0x0fe337e62a37f356, 0x388f7b0f632de814,
        ]),
        affine([
            0x74fa94abe8c4cd13, 0xcc6c13900ee07584, 0x581e4904930b1404, 0xe493dbf1c10d80f3,
            0xcfe97bdc47739922, 0xd967ae33bfbdfe40, 0x5642e2098ea51448, 0x51ed993ea0d455b7,
        ]),
        affine([
            0xcba8d569b240efe4, 0xe88b84bddc619ab7, 0x55b4a7250a5c5128, 0x2f8bde4d1a072093,
            0xdca87d3aa6ac62d6, 0xf788271bab0d6840, 0xd4dba9dda6c9c426, 0xd8ac222636e5e3d6,
        ]),
        affine([
            0x2f057a1460297556, 0x82f6472f8568a18b, 0x20453a14355235d3, 0xfff97bd5755eeea4,
            0x3c870c36b075f297, 0xde80f0f6518fe4a0, 0xf3be96017f45c560, 0xae12777aacfbb620,
        ]),
        affine([
            0xe92bddedcac4f9bc, 0x3d419b7e0330e39c, 0xa398f365f2ea7a0e, 0x5cbdf0646e5db4ea,
            0xa5082628087264da, 0xa813d0b813fde7b5, 0xa3178d6d861a54db, 0x6aebca40ba255960,
        ]),
        affine([
            0x67784ef3e10a2a01, 0x0a1bdd05e5af888a, 0xaff3843fb70f3c2f, 0x2f01e5e15cca351d,
            0xb5da2cb76cbde904, 0xc2e213d6ba5b7617, 0x293d082a132d13b4, 0x5c4da8a741539949,
        ]),
        affine([
            0xc35f110dfc27ccbe, 0xe09796974c57e714, 0x09ad178a9f559abd, 0xacd484e2f0c7f653,
            0x05cc262ac64f9c37, 0xadd888a4375f8e0f, 0x64380971763b61e9, 0xcc338921b0a7d9fd,
        ]),
        affine([
            0x52a68e2a47e247c7, 0x3442d49b1943c2b7, 0x35477c7b1ae6ae5d, 0xa0434d9e47f3c862,
            0x3cbee53b037368d7, 0x6f794c2ed877a159, 0xa3b6c7e693a24c69, 0x893aba425419bc27,
        ]),
        affine([
            0xbbec17895da008cb, 0x5649980be5c17891, 0x5ef4246b70c65aac, 0x774ae7f858a9411e,
            0x301d74c9c953c61b, 0x372db1e2dff9d6a8, 0x0243dd56d7b7b365, 0xd984a032eb6b5e19,
        ]),
        affine([
            0xc5b0f47070afe85a, 0x687cf4419620095b, 0x15c38f004d734633, 0xd01115d548e7561b,
            0x6b051b13f4062327, 0x79238c5dd9a86d52, 0xa8b64537e17bd815, 0xa9f34ffdc815e0d7,
        ]),
        affine([
            0xdeeddf8f19405aa8, 0xb075fbc6610e58cd, 0xc7d1d205c3748651, 0xf28773c2d975288b,
            0x29b5cb52db03ed81, 0x3a1a06da521fa91f, 0x758212eb65cdaf47, 0x0ab0902e8d880a89,
        ]),
        affine([
            0xe49b241a60e823e4, 0x26aa7b63678949e6, 0xfd64e67f07d38e32, 0x499fdf9e895e719c,
            0xc65f40d403a13f5b, 0x464279c27a3f95bc, 0x90f044e4a7b3d464, 0xcac2f6c4b54e8551,
        ]),
        affine([
            0x44adbcf8e27e080e, 0x31e5946f3c85f79e, 0x5a465ae3095ff411, 0xd7924d4f7d43ea96,
            0xc504dc9ff6a26b58, 0xea40af2bd896d3a5, 0x83842ec228cc6def, 0x581e2872a86c72a6,
        ]),
        affine([
            0xc44ee89e2a6dec0a, 0xb2a31369b87a5ae9, 0x3011aabc21c23e97, 0xe60fce93b59e9ec5,
            0xe1f32cce69616821, 0x1296891e44d23f0b, 0x9db99f34f5793710, 0xf7e3507399e59592,
        ]),
    ],
    [
        affine([
            0xd5b901b2e285131f, 0xaaec6ecdc813b088, 0xd664a18f66ad6240, 0x241febb8e23cbd77,
            0xabb3e66f2750026d, 0xcd50fd0fbd0cb5af, 0xd6c420bd13981df8, 0x513378d9ff94f8d3,
        ]),
        affine([
            0xedcb63069b920471, 0xfc318b85f423de0d, 0xfce4cc2983d8f8d9, 0x5d1bdb4ea172fa79,
            0x70330666f7b83103, 0x79eb1e9996c56e7b, 0x794bb99438a22656, 0x2843826779379e2e,
        ]),
        affine([
            0x47d42ba6e71dabcd, 0x54d3fe4989e5cb4f, 0x6098ae3260b5373f, 0xd49ee4fb6b63f43c,
            0xe66a90cf016603c2, 0x129c509312ff7031, 0xd7c87ea7a61bf356, 0x0531e39209a5490d,
        ]),
        affine([
            0x73fce5b551e5b739, 0xe0b93833fd2222ed, 0x72f99cc6c6fc846d, 0x175e159f728b865a,
            0x6efa6ffee9fed695, 0xacb5955add24345c, 0xa4ef97a51ff71f5e, 0xd3506e0d9e3c79eb,
        ]),
        affine([
            0xab5cec57821c11a3, 0x4b52680815328bcc, 0xf34ba77d7907cf99, 0x933a28ef8434a84f,
            0x00aab3097ba2f6f7, 0xf22eef418f1bdc1e, 0xec84e9f9c67ab5b2, 0xb66ac861b47ebf6d,
        ]),
        affine([
            0x53f30ab90c8c828a, 0x132eb242c96ae41f, 0x0e44a0d817e81c75, 0x5f94851ca4149e75,
            0xbfeb0a3f37344d80, 0x8c66df754fc68b04, 0xe5f0797d8882f35e, 0x26b8c3b8afa1fee8,
        ]),
        affine([
            0x562d488df01b35b4, 0x0d56b1232b53b678, 0x19e59246a8344a18, 0x482b2ff99d355bf7,
            0xb8cee6f48fcf714c, 0xf26d5a439e55adc7, 0xe6c4ff5b67295ccb, 0xc26bfdb81a04923d,
        ]),
        affine([
            0xce78049e46bc47d6, 0x30fdfeb5c6da121b, 0xa5ffbcc8e139c621, 0x423a013f03ff32d7,
            0xd1236e6d8b548a34, 0x720d8ec3524f009e, 0xa1179f7bbaf6b3c7, 0xb91ae00fe1e1d970,
        ]),
        affine([
            0x4a0c188b3e045fd5, 0xbce459231571a20a, 0x36069645ee5d5b2d, 0xc6a05d8ef02744e0,
            0xce6a621c72af8d0a, 0x77bcaddfdc7f77e3, 0x38e7d0695d796c8c, 0x922ea3e024702880,
        ]),
        affine([
            0x3bfedebacb4704ef, 0x4ce9bb1314a491c3, 0xf9bbb16f0d65ddf6, 0xfe5efdb432715fed,
            0xd196a6be1386a00e, 0x75533946edda5683, 0x1506271bdcd5dd3c, 0x1a23c90aa053968b,
        ]),
        affine([
            0x511caf45baf8d18e, 0x9b16a37dbb38fd2f, 0x28c34ab8e87b260a, 0x90e3046ea97a343e,
            0x5d575441ac5cdda4, 0x0e41bd1779daec1f, 0x5555e82ca90d2fcc, 0x3e7aa6d787091545,
        ]),
        affine([
            0x65b7f8f1c5041216, 0x3f7335f6842b836a, 0x128b59efdc2fed52, 0xda75317b21f7acf4,
            0xdaed32986e708572, 0xe9aac07ae77aceda, 0xdf19e21b342d7fc6, 0x73f8a046bf72d5f0,
        ]),
        affine([
            0x49373de629b02181, 0xb3f09a72bed5ba4c, 0x5c94d805aa281889, 0x0865f3395323a33d,
            0xae4f26e575c6526d, 0x09cde196e531cfd0, 0xb255561fb3e87bf7, 0x163a17cc7f2c00fb,
        ]),
        affine([
            0xd65af92be58f6347, 0x2e45ef4737a792a5, 0xa7d3b9d288870969, 0x0ab3b2dec0a8f23a,
            0xa97d927e76a347a0, 0xc2b0fd79a6fa49de, 0xebc819ed1b2b31c8, 0x53b1b536e444a833,
        ]),
        affine([
            0x8d01de40874d40bf, 0x8d5109d4282ceba8, 0xe6485623b613e8df, 0x28561f84a4dc7861,
            0xacaac90d0db2a065, 0x44353a6ec1082944, 0x6d436aa3dbacc76a, 0x4f0d6cc997691022,
        ]),
        affine([
            0x302df6f78416824a, 0x49df662f3b3e2741, 0x08907a7abcd68776, 0x111d6a45ac1fb905,
            0xa9a111d42108e9d0, 0xf070008996daca4c, 0xb90d48dbff065952, 0x0696911c478eaffb,
        ]),
    ],
    [
        affine([
            0x69f79a55dffdf80c, 0x43e4a781a15bcd1b, 0x8c6244b5b7456388, 0x8b4b5f165df3c2be,
            0xb3eff0c65fd4fd36, 0xf9e336546162ee56, 0xb3fbd7813ab0da04, 0x4aad0a6f68d308b4,
        ]),
        affine([
            0xbb3f26714755e4be, 0x71af64ee417c997a, 0x8ce17c7ec83c6110, 0xed0c5ce4e1329171,
            0x63f9fa6ea07bf42f, 0x49d93925763ddab1, 0xbf3dad7f5a7ea680, 0x221a9fc7bc2345bd,
        ]),
        affine([
            0xa0a2a582f55812dd, 0x3d446723552d30e2, 0x0b6abed6c058f78e, 0x7029bd7a92ff352f,
            0x721cc66b1a2d2927, 0x47dae84243b2c73c, 0x7dd6544ae30683ac, 0xb0eefadafde8b3d2,
        ]),
        affine([
            0xd4b6e6c807cec8ab, 0xe53254566e0552ce, 0xb3b15c3f83f1fae8, 0xfaecb013c44ce694,
            0x8981dfd9ab155070, 0x9c32b286b85e2e2e, 0xfc2e02c6ec2fb13d, 0xcc09b5e90e9ecb57,
        ]),
        affine([
            0x49ce5683bd486ed1, 0x5745beba49565b6a, 0x009d4109d8cf7560, 0x9ccfedcaeae65c99,
            0x4f6d59ed75e95d8d, 0x2421675969592aa2, 0xb6122481200b3411, 0x7c2f4d713d6a32cf,
        ]),
        affine([
            0xdcdabff9b181fdc2, 0xdd2f62bb5cc62364, 0x4aa264b818a34e7e, 0xf42c102af47e6e47,
            0x81f00093a485d7fd, 0x4c15502d9a2acf26, 0x78fad05cb86fe22a, 0x57503ab46cfe806c,
        ]),
        affine([
            0xa206b1a75bd0eaca, 0xd0c74576ba2d4ab7, 0x35a8fde33ca4df19, 0xcd9a4b8763414143,
            0x6e6fafb5abff4acc, 0x0127b38eed6f634f, 0x815488ae933ea08b, 0xf0455879a1e8f23e,
        ]),
        affine([
            0x07f64eae9ad1b1f7, 0xb3b2dd824f23cd3e, 0xc8731a0b37cbcafd, 0x09bb8a132dcad2f2,
            0x64130627c3811c80, 0x0f54a840f4752d53, 0xb6f9dd284f863e85, 0x945bb2b2afeee3b9,
        ]),
        affine([
            0xf20953a3c7bc57c6, 0x4903d7a23eb276cb, 0x884f2d2e93d63094, 0xad09882f88ed9bea,
            0xca32c0edae4a0ab8, 0x7b311d373590e2d3, 0xa28186c729dabe5f, 0x7243c08c42fba52b,
        ]),
        affine([
            0x9e2dab644f927dc7, 0x37a7a40d63d418a4, 0xe669ed95366a1423, 0xe260a0cc082ba6bb,
            0xa45f36f446aef35d, 0xedbcc0b4462cb82d, 0xf073cb3d725bf440, 0x37ee6744b0da9d67,
        ]),
        affine([
            0xea830c72aba56302, 0xf506a937af0f1862, 0x1eada2d2a9fad2e0, 0xd9d1290aeb3ca41f,
            0xeaaddafa88291c29, 0x1739aecd9fa74f2a, 0x029715c6726386e4, 0x7eb53113ec2d3eed,
        ]),
        affine([
            0x3866d47deedd7dd6, 0x49376fe265e1968c, 0xca5a7840ee7cfdec, 0x32cfcf6a24c7524b,
            0x25fd44aefe08e330, 0x7a0d8cd20349a08b, 0x6208096a409f561e, 0x21846a34976a7748,
        ]),
        affine([
            0xbacd3704f4d1243a, 0x02b126023f54a5fd, 0x91cd21ac063f5584, 0xbc5079de539d6cef,
            0xf5c95168855db68a, 0x5f7ee4f5b1f47169, 0x8eec72b94dffc8d7, 0x65062a3b3a705cbb,
        ]),
        affine([
            0x696d03fdf6abf83d, 0xb8f94058fb2d0596, 0x3ecbe68f10d22c02, 0x235caadde85ac49f,
            0x7f4ec9e90d33e191, 0x3f0518d6323610ae, 0xee4232a5bc93ad89, 0xdc12f9c745fd47eb,
        ]),
        affine([
            0x08d244e6b74a3f9f, 0xc287a665dc098169, 0x913deaae7db2625a, 0x4d31a77e505fc7e8,
            0x4fcb0241301e0ba7, 0xcbf6fb51b6e00a75, 0x06b18f38c7802753, 0x22241ec96098575b,
        ]),
        affine([
            0xcb6115925232fcda, 0xb700dbffa6c0e77b, 0x6bf771c00bd548c7, 0x723cbaa6e5db996d,
            0x01dc069d9eb39f5f, 0x2660a06537794948, 0xa921137488824d6e, 0x96e867b5595cc498,
        ]),
    ],
    [
        affine([
            0x448d70422ede454c, 0x9cf1d05fefdd08b2, 0xcce10831d9538c47, 0xe1efb9cd05adc63b,
            0xad9fd233a8913797, 0x464e3244a7a2d4c6, 0xb0154c1ffe477123, 0x0ecb4530d8af9be7,
        ]),
        affine([
            0xd33feeb329eb99a4, 0xc7e5419f33d47b18, 0xc5ac235e9af475a8, 0x5318f9b1a2697010,
            0x2c726eeefe91f92d, 0xa41f2b40d1e3ec65, 0x5772d93aebb405e8, 0xf44ccfeb4beda419,
        ]),
        affine([
            0xb9d6ff9ab6fbe7b2, 0x5eadedc1458d65a3, 0xf336bbb1b2a88460, 0x264887669cb441f8,
            0x932a78bc21bc2a34, 0x5638d9816a0eb603, 0x8f2f2dcad02ddf18, 0x9e15dab4b2014498,
        ]),
        affine([
            0xefd7835b39a48db0, 0x9f1215a29b3c03bf, 0x2791d0a09b7bde45, 0x100f44da696e7167,
            0x0fbd5cd62bc65a09, 0xb7ff4a18ff5195ac, 0x2ec8f3300c090666, 0xcdd9e13192a00b77,
        ]),
        affine([
            0x41a8fab6daaea872, 0x489be6d3475293c0, 0x9bcd8cb6ad2b822e, 0x2315c418b4fa88a7,
            0x5f4c32e51ed32c01, 0xa6e4e05abd39c756, 0xc91df58c3052ba56, 0x1e5d5838d46d7035,
        ]),
        affine([
            0x9690d3062b038315, 0x9cacc43369310e6f, 0x1e4680e39794b862, 0xaba5568756771222,
            0xf9a003f9ae25fc0a, 0x3fbfb532d8b63338, 0x63d570f625130d6f, 0xa0e75d87aa365edb,
        ]),
        affine([
            0x15dadf1093991c2a, 0x7bdc9d02d896217f, 0xe2aa93a183a77e41, 0x40f3633fa3fed45e,
            0x57695ec616c193e4, 0xda393b4b42dc540d, 0x6a2b0a4b1861d65f, 0xac4401ab15aa5efb,
        ]),
        affine([
            0x4b05284f1e4df706, 0xd8d9c8f9237d0808, 0xa8415dff2b4c4199, 0x8c0989f2ceb5c771,
            0x736ac5a35d72fa98, 0x60de6bf5156511aa, 0xffd2172cb9dc966c, 0xfb4dbd044f432034,
        ]),
        affine([
            0x31de18acf4b90546, 0x41263f546c1c1d79, 0xa917a4a9a0ccb79d, 0x5a729a17d85e2e8e,
            0xcdce7d9ee8a68700, 0x96fe3bbe4e559d11, 0x5bec0e8d66f32697, 0xb5b8d56945425316,
        ]),
        affine([
            0x7bc075b8c3196adb, 0x6205fe38b48386ea, 0x502fb64c44303d3b, 0x739235491d5f494c,
            0x9d83ec20e2ba8185, 0xe8cb75ddeeb64d5c, 0x13e2375f7f1e11ed, 0x54815ec8b490d139,
        ]),
        affine([
            0xdf6a8ff188ba581c, 0x29e2e6078c322c91, 0xc2342f012e777c62, 0x1f9c1f637072d1cb,
            0x1f950c76486d2c8f, 0x81b806f6fabc4aa4, 0xb29add3030e28c68, 0xb785eb3139b95a96,
        ]),
        affine([
            0x9cb9a13495bc15b4, 0x9275028e465a2ee6, 0xed858ee9ced7ca8d, 0x10e90e2e51eeadc9,
            0x34ebe60958aa258d, 0x4ca5896302bb6a88, 0x4d57a8c616ad1f75, 0xc68a370380d5e042,
        ]),
        affine([
            0xc998ad8d03b82c15, 0x270fb746088be99e, 0xa362eda8f68d5e13, 0x3027ad591a6ff447,
            0x3a89146972a8ec6e, 0x98411c7678ccc17a, 0x200fd2c82e7b8762, 0xbfc7d9e7fe6e98c6,
        ]),
        affine([
            0xf44ade75a7632373, 0xb73457856bbc4425, 0xf7602a8580b4e447, 0xe3033700c01c4619,
            0xe22ae8b017b764a7, 0xed665bbd2c17c84d, 0x207b4d26fdf9d600, 0x9b3b22a02dbced5d,
        ]),
        affine([
            0x5f730bf89681fb59, 0x41872d0809b8ada4, 0x5230d6f92a9bcb17, 0x27c8a5dc5d20721f,
            0x3d4b5781781554f8, 0x98cfb6ec479ac2c6, 0x5cba097b35875635, 0xe0039083aa2a98f2,
        ]),
        affine([
            0xb1e63c33dc47bffd, 0x9c528539bc95bc1b, 0xc4a481743262c025, 0xfb8f153c5e266704,
            0x090a45ddd949b095, 0x1dde1389ac542613, 0x16fa11d9b4bccd53, 0x6ca27a9dc5e06218,
        ]),
    ],
    [
        affine([
            0x2d5e688d9094696d, 0x5cf8b266a41d6af5, 0x0ac2839f143bd7ec, 0xfeea6cae46d55b53,
            0x3155debf18090088, 0x981c8957cc41442d, 0xb06e4e12bf3ecd5c, 0xe57c6b6c97dce1ba,
        ]),
        affine([
            0x0aa4040aee752b08, 0x141ecae0b331a187, 0xc53261af9db2e179, 0x4d000b621adb87e1,
            0x3e72851f48302cea, 0xcb7df5f119c7293a, 0xcb6d825582d972cc, 0x6a0d5b8f18e0d255,
        ]),
        affine([
            0x079361bb48dfd587, 0x5ec4ba38c9b02656, 0x34867aaa2cf5a12d, 0x5084b41bacf4508b,
            0x6e79e97f91470e89, 0x5db6f5606891f560, 0x619aa6c855292747, 0x34a9631a1d980d31,
        ]),
        affine([
            0xf89962fd475c58ef, 0xd657a0403e1f1b77, 0xd6aa262114717128, 0x71f570ca203da05d,
            0xf8649a72d35d420e, 0xf2445d00c3363e7d, 0xd25557345bc95b8d, 0xeb42415b95dc880d,
        ]),
        affine([
            0xd08232617ab34cc6, 0xc80c29767cf30a12, 0x53fb3f1fd18d7128, 0x4f14c03e0642d5ea,
            0x25ec252f987e681f, 0xb9de3cce8e81dd02, 0xc653a70f43a62540, 0x7b53d0a8caa4e894,
        ]),
        affine([
            0x4d05956d6c953fa9, 0x28ab2629f0b8c3db, 0x3a5f485d4bd18c06, 0xa49ed10eaaab9323,
            0x67b2bd2246fb4c72, 0x5ae87534968e181b, 0xe03476c0a0dfddfb, 0xcc72b894660f5398,
        ]),
        affine([
            0x342771011241d90d, 0xe81cf141db2444f8, 0xd41436095eddd363, 0xa74db87e49c79ed1,
            0xf32518b83f7adad4, 0xa9ee509344a0a313, 0x27fdd08a588171c8, 0xf78691cdaf23eef3,
        ]),
        affine([
            0x6048b06043ff8359, 0x46b4821dc65e7651, 0xb7d282b5c21da014, 0xa2b7b3629f7bd253,
            0xa2397fecfe86fec2, 0x10d10835046f3835, 0x57a937a3f71e29c9, 0x693038941695122d,
        ]),
        affine([
            0xa5ecca2231c1ae1f, 0x456e58c68acd40b2, 0x9acdcd44eba35658, 0x6901fa5744baa2cf,
            0x0f833065d22838b0, 0xd79f3ba5e5c77a93, 0x461b5380c29c900d, 0x35de5c882273c212,
        ]),
        affine([
            0x34f0901399f1f366, 0x4a79057a3d0076be, 0xa495f216b4994d90, 0x5d134e5c5da47f7b,
            0xe2b0d3e9c4990f2c, 0xcf02d61620a88b39, 0x2dbe2a4ae3a82b73, 0x03b1ef4d3e084504,
        ]),
        affine([
            0x4b031081b27a4bdb, 0x046a6d0435494cac, 0xa244b643f1bba35d, 0x8d3cd82d1d438127,
            0xc3d34c7ce69a8a2c, 0xd4e3807d370ad296, 0x70cfbf9d0076236e, 0x9bd4256180ee41f4,
        ]),
        affine([
            0x3c096d3fe7a1d916, 0x315b0a395d1f1f3a, 0xbac6158a65dbb070, 0x650ef9acb6d59d0c,
            0x85849ca67068387b, 0x58bb4608a76c26ba, 0x70e9c0b9279b82c5, 0x085d11f21162b118,
        ]),
        affine([
            0x440cd3c6b4ec1d2d, 0xd9099f5c6e7d8f45, 0xafe9d672967b691f, 0xeaf98363d6064739,
            0xfcfe75604c838452, 0xa9f52d5457e84b53, 0x775228a0e6b199aa, 0xe518183a7fe78d22,
        ]),
        affine([
            0xd42c8e808bd98ee1, 0x579df37a908992be, 0xfea7c924a8fba197, 0x1d770ace0ceb2183,
            0xf9fb81791d38ffca, 0x37f61ca40e3d57ec, 0x78963038b6552a86, 0x278f8805f46ef5de,
        ]),
        affine([
            0xbcb35bf7045ae767, 0xc273a9cb9e89771c, 0x66f40e052c06e5d8, 0xfb95bd163aedb634,
            0x1853ea0afbbf0e11, 0xb816f4718a59f134, 0x52004d9d3682275b, 0x664c14d811a8ddbc,
        ]),
        affine([
            0x33fa978bc1ec6cb1, 0xfeed657d808583de, 0xb367be4be6ffca3c, 0xda67a91d91049cdc,
            0x7e9ea8e27a68be1d, 0xdec7adc508f740a1, 0x41f463f7ec9780e5, 0x9bacaa35481642bc,
        ]),
    ],
    [
        affine([
            0xe309d755e315565b, 0xd3a61a83d3c20c6e, 0xca71f5c1b76155d6, 0xf5f0e0437621d439,
            0x678430afdd2ecc82, 0xa5bf61bf3ed7e40a, 0xf62189160df7101a, 0x6b9f4e62be5a052b,
        ]),
        affine([
            0xcbe781d9f5362d33, 0x47cbc92146227642, 0x57a7f36d970ca4e3, 0x8f506f0b6c0b6e9a,
            0x30487d0c87fa243f, 0x48cf925d43bb8eaf, 0x9530c5424f1c3368, 0x469f955d2afa6171,
        ]),
        affine([
            0x13d8d85d849135d3, 0x74203cd012e431fc, 0x65c134294130b16a, 0x05940bc7ef82a85a,
            0xd02d7451962255d2, 0xf1286328c9902391, 0x2f75b0c7aab6687a, 0x90537985eb4fab61,
        ]),
        affine([
            0xeff959f43ad86047, 0x79b53a043a9b8bca, 0x719cca7764ca9067, 0x8e7bcd0bd35983a7,
            0xea10047e8460372a, 0x79e88e2e47fd68b3, 0x940310420ca95145, 0x10b7770b2a3da4b3,
        ]),
        affine([
            0x2711dc4a222722ea, 0x7851e09cfec77e37, 0x701c1df1837ea470, 0x63c6cf52a7ccbf8f,
            0x896a8041aae5651d, 0x0a8a6cc8c3b4301d, 0x8b1cf26cf481ddaf, 0x8293192576348c76,
        ]),
        affine([
            0x0f78ea27b9e68f51, 0xf56e1fcab96b6e1d, 0x74dc0625728d870c, 0xc75545ac9dba6fcb,
            0xd1c4838978cfbbc1, 0x251c9189ca2ddf68, 0x2a758edb2a168bf7, 0x7c803c46a3bc855c,
        ]),
        affine([
            0x7242392c295f5a7c, 0x1167e4e922da0d72, 0xe76c3b6465476ed3, 0x469ec5caed1f85da,
            0xafc8a16ac76ec65c, 0x3afd7707d3c8d4a6, 0xdeaf1c2737e0f5a0, 0x0c7c96d1e83c098c,
        ]),
        affine([
            0x77d2808bf13f0351, 0x3bc15b8d3d0389e7, 0xc350f319996950df, 0x33b35baa195e729d,
            0x2bc503cccb8d7418, 0xaa6560efbc889b70, 0xf9464036248d52bc, 0xa58a0185640abf87,
        ]),
        affine([
            0xb4d4099aa0b4d13e, 0xec16ca26bf916b38, 0xa8ae3bcdf9ca9672, 0xc54eac98851b4d27,
            0xe167244e5d37f3b5, 0x6f568249f7456f01, 0x372c350058907ad3, 0x0be92b62acba5f76,
        ]),
        affine([
            0x92eb1af252f8ac4b, 0x12fec990d8fffc14, 0x75f7bd83e5a415e7, 0xe0f33a138535ed78,
            0x9096107b7da240a8, 0x3c50f994dab2a50c, 0xe0839ba55bc575e6, 0x15e276302791aede,
        ]),
        affine([
            0xd90b90c3ec5ca368, 0x2e08f77a9641bc8c, 0x13706ef5671c5531, 0xe627f922495866ef,
            0x3e15e7aec002aa4e, 0xb575ea2250584e8c, 0x9c36ff0362f2460f, 0x36aa5e83a2a1c1e5,
        ]),
        affine([
            0xffe8879a041ead4b, 0x3a75edfb691b03c1, 0xc714734efafe76be, 0xbfc90c0c8c8f337e,
            0x7452c6f086fedaed, 0xfb468eff32e0ae3e, 0x4dba718dd5042d36, 0x7a9481b1e09cded2,
        ]),
        affine([
            0xac869993784c5615, 0x9969a890b1eee65a, 0x378c4a2b9c918551, 0x6c91b459af59dc5b,
            0x8b84d0fa2bd9cc8e, 0xfd91be6151d59a9e, 0x35bb054f52bdffea, 0x4a3c6d401127ec97,
        ]),
        affine([
            0x97b57ed024376a34, 0xf1f4a0bfb8333475, 0xb26866bbd6c0df04, 0x6488eb0c0b3de9e3,
            0xcaf0aefe2c942607, 0x1bcf25ebebc1dd22, 0x6bc44ea7308d2554, 0xfa96767969bd42ee,
        ]),
        affine([
            0x1abe9078271b265d, 0xd9ae4e1c9b673a77, 0xed1091a919e27d69, 0x309b3c760da04722,
            0x4f4086e7ecb1a1b9, 0xc6555ac238657fb8, 0x79c6250a270a5d40, 0xb427570d4a36bca5,
        ]),
        affine([
            0xd71dc7b24414bb36, 0x56f6e109cad7bca6, 0x5cb83ad2071f7e22, 0x374deeae22c93f95,
            0x7875bea98daf734a, 0x3828d66300e54321, 0x16032c06f806f729, 0x171165b64fcd4f99,
        ]),
    ],
    [
        affine([
            0xc606ed86c3fac3a7, 0x0fddf84a5947fbc9, 0x637c73a4413dfa18, 0x06f9d9b803ecf191,
            0xd86890603a842160, 0x7ea4dd2f5c281002, 0x69b8e2a30e45c4d4, 0x7c80c68e603059ba,
        ]),
        affine([
            0x5c9d22744b7fd72d, 0xda1745e5a7e4da17, 0x1cdc36c284482939, 0xae86eeea252b411c,
            0x2334cb7a4eee38bc, 0x8d9211551472f728, 0x62ab0ace589ff0e9, 0x19e993c9707302f9,
        ]),
        affine([
            0x24ed75e8d21ce204, 0xb2a7258e426763d5, 0xb8374d859ca6f72f, 0x43ca41d162b3c64f,
            0xe525044e934a8f6b, 0x9ab6c7b33ea4a468, 0x1c650f9218dba31f, 0xdcea5a82e37023fa,
        ]),
        affine([
            0x7a1474267c169290, 0x8718be75cf36f2ee, 0xe61d2f8c56dc2c48, 0x2248c9f90bbfff55,
            0x369d8a12883ea257, 0xe163750235da2be2, 0xa506bb55b435ba18, 0xfa0594692d21eed7,
        ]),
        affine([
            0x64fce92cebe6efda, 0x922d4ff3f8728059, 0xb666f723785a506d, 0x9c3e06ef22892bf5,
            0xdf140f32a7aefc7d, 0xd43bc8687b36fdf7, 0x8af0b2d44ce26fd5, 0xa7b709e5e762923d,
        ]),
        affine([
            0x5b3a432014978583, 0xcdd6e9aef061613f, 0x4978419990f92214, 0x30abf89b9cf23137,
            0x446180351dc75777, 0x63120ea23bb584ac, 0xcdf7b4f2d0e1ab80, 0x4b035115477f7498,
        ]),
        affine([
            0x79127ab5c6c88be2, 0xea2c7820d06ee5e2, 0x3bb72759d830775b, 0x5d6f8aa313e20f03,
            0x892e553f0d7ad75d, 0xedab6f8ea6bf92c2, 0xc71aaf33ab08bc20, 0xadc4b18d8d56d4e8,
        ]),
        affine([
            0xfd0dac4bb50964e3, 0xa99f0877dd1c6f76, 0x4ac11b48d94085d0, 0xe11a6e16e05c4407,
            0x767fbf8b0682bfc8, 0x17adc6e138318c6f, 0xe1ad5e2596f0af24, 0x87d6065b87a2d430,
        ]),
        affine([
            0xf289351b92d1b844, 0xc69c0382c173e484, 0xc86b15c3c1388bc5, 0xf57d35c304a60d5f,
            0x464babbd61266837, 0x7006972030915c6a, 0x7904d3f5a9e4634c, 0x707f3d9ea98ef4d9,
        ]),
        affine([
            0x73971647b21f51d3, 0x11f80d462c39fdf8, 0xce8d419b9da10ba8, 0x6a73fb216726a955,
            0x01824dd9a5224b17, 0x2db482468b60b774, 0x7fea7d2949721132, 0x4f3ceefca1edf3c2,
        ]),
        affine([
            0x234d007f3cc7cb09, 0x3bc7eb68a1d1b435, 0xf596e1fee3d87146, 0x13e7607a3a6594a5,
            0x1be75a8a08079160, 0x65eae2bb66b57641, 0xe325fdd85b34299d, 0x284dc88de8fbb8b1,
        ]),
        affine([
            0x39a37e63ec288015, 0x4673f853eedc99cc, 0x681fac61a05b6aa6, 0xaa014eaad936de6f,
            0xdf814e6646c1006f, 0xef4b9b0743cecad9, 0xc3f2a7e43f7b0f63, 0x3de913c04636be9a,
        ]),
        affine([
            0x0060ce1258cdee05, 0xa8761fb2172ec3b9, 0x2400250b1b06901d, 0x29bea322568182e6,
            0x9e4a0359a62651c8, 0xf9fc31b6c8c698e3, 0xa9009b3fb8705ec7, 0x7c40d9a2690e9a0e,
        ]),
        affine([
            0x4cf85578f11d45f9, 0xba4c1cde6c796614, 0x4ea2ef2c77db796e, 0x36aee3d35337512b,
            0x9d3bab3f7cfebad4, 0x004b35d0ac473606, 0x79cb954707c98f54, 0xcaadda35cd69609c,
        ]),
        affine([
            0x11b6c75612f18ada, 0xd460bd93bbdbdbcc, 0xd9c36faff33d4a59, 0xf521786d238288e7,
            0x1dd68afd23953516, 0xaa5ef4a36c5bf098, 0xecc26102bcd1d1d6, 0xe0686fbf6038db57,
        ]),
        affine([
            0x13b7e0e742d0e6bd, 0xf774d163db0f5e53, 0x82a2147c104d6ecb, 0x3322d401243c4e25,
            0x24f3a2e96c28b2a0, 0x2805f63ea2873af6, 0xbfb019bc4ddaf9b7, 0x56e70797e9664ef5,
        ]),
    ],
    [
        affine([
            0xc7170923e8bee8b6, 0x79020d47ecfbc8d2, 0x081e142018f8aaed, 0xa91d1f5cee87b7f3,
            0x003d16aa410644c1, 0xf800569f628cb225, 0x5a7189c8dddad3b2, 0x748a324ee2df8ee1,
        ]),
        affine([
            0xaa1a1c255984cf74, 0x0735ae45bef61f10, 0xc1a214dde2d4383c, 0xc15c8c23d90c8e35,
            0xc4a48cd839ccb000, 0x47bf772d50b015a2, 0xc8dc6f45e25fd7ba, 0x2ba954d828522235,
        ]),
        affine([
            0xe61ed61e536bcfe8, 0x0e0c179ed69b7bb3, 0x472ca8f2306b319a, 0x1332f8bc1cc6999b,
            0x51b0dd2cdae78402, 0xba93b424d5a8c214, 0x13f67c4535dc0681, 0xc39dc7ee29602ed7,
        ]),
        affine([
            0xffd959af60c82a0a, 0x0f9226c60f668832, 0x6b06c9f1919413b1, 0x0948bf809b1988a4,
            0xd4cb7f88d8c8e589, 0x6d4dff08c97cd2be, 0xdc6b74c5d1c3418c, 0x53a562856dcb6646,
        ]),
        affine([
            0xf6c9026dc1a5667c, 0xd2a947171b226c1f, 0x1d4bc25a1965b6f6, 0x21b81069929c2cc2,
            0x96a26b3ed1593205, 0x2f4ad7682b44a5f7, 0x8f61d2b8a67ccfc8, 0xd0a362e6db0bde69,
        ]),
        affine([
            0x7fffec3342fddec6, 0x922c03df7d11222c, 0xe9cd9e33793f4614, 0x9f131ffab53e20b4,
            0x6e1576f189df8052, 0xd3a3235443918eac, 0xfefd3494c08ec8d7, 0x3b210014c0b326f4,
        ]),
        affine([
            0xea65ff35373cefdf, 0x68f318032c4ebf16, 0x0db389aad624373f, 0x58be1a7be11ff107,
            0xfda1f2e2180963e2, 0x7754daa508226379, 0x10c1f2c35f89dfd2, 0x6e309b0252a1ea3c,
        ]),
        affine([
            0x396eb0457e8b000a, 0xef16c1331e825e51, 0x0d5ce4c66291f0b6, 0x26952c7f372e5936,
            0x8c3d401f05ef705a, 0xdebe398f653d6731, 0x62bc893d2d688422, 0xf513ea4c5800a688,
        ]),
        affine([
            0x1c941e8edbe6dfa0, 0x49a5f590f4281e3e, 0x2de2259b49e2bd15, 0x17b53dd154e235ca,
            0x9ba5d1edc9385cf0, 0x322f35f7560c46c3, 0xb07d8282e6e1dbcb, 0x9b624853b179cb8b,
        ]),
        affine([
            0x6b21d33ec468f31a, 0x403e2858c0552d5a, 0x14aa92eb06db81f5, 0x96bc1bd3b4840354,
            0x4aeb0eab6e121876, 0x2a80b59dda336d76, 0x4590bec29582b2e7, 0x7cfd878c0bf994a1,
        ]),
        affine([
            0xb2f2c14e0682de79, 0x48920fbd3ff8ff9c, 0xe7cc9efa641c6d13, 0xbfb4cac514bd086c,
            0x254538c26ca858db, 0xdb8d3b4bc83f5ee1, 0xb1bda21a07596b85, 0x2ef92abcef1640be,
        ]),
        affine([
            0x7282fe5fb8c8ac7f, 0x641242ee65e2aa52, 0xb5c3396d2056f849, 0x9945b2fbe3822bbc,
            0x96d943a169aea3b0, 0x282f7a23eedacdfa, 0x607db44ffb28eff5, 0x3eefed824b0f282d,
        ]),
        affine([
            0xc6615c0819e10b24, 0x4d6e3d75357ebdce, 0x8c5090f236f758e0, 0xbd0a5678f932a321,
            0x34e15eb657335dbd, 0x860d09eb4b40ad74, 0xd72762fb23dbbdc5, 0x67f0505e3a1da014,
        ]),
        affine([
            0x1126748509872642, 0x2d8604f337014bc5, 0x16ece443861eae7b, 0x486ba5093272eb1d,
            0xc6f724ff0f5ac731, 0x73d82391aada2b83, 0x0a7d29a3ba6cfa98, 0x9772ba7a6058cd3b,
        ]),
        affine([
            0x7679669058aa12c4, 0x9c2a43ee07b5a80a, 0xa136eecbd40951ae, 0x675de6f145873e18,
            0x085a7f8af17e1716, 0x3ba0afcf5dff3882, 0x171545de8a4539de, 0x774d35c949abe89d,
        ]),
        affine([
            0xf102588976134f96, 0xf521196572d6b0e9, 0xbef2be8b131ff243, 0xc62e58e6fc23c5bd,
            0x82277ed4d14cf97e, 0xbcfb853563731c3e, 0x8c3d676753141fc5, 0x4397827d45b1a167,
        ]),
    ],
    [
        affine([
            0x2953cc8d2037fa2d, 0x043ec8f575bfdc43, 0x3d8348414bbf4103, 0xe5037de0afc1d8d4,
            0xe0e5dc841d755bda, 0xbd5f5b03ec481f10, 0xf9f98d09fb990bdd, 0x4571534baa94d3b5,
        ]),
        affine([
            0x8c63c8c79e3d34ef, 0xc3ab217c792a2ddb, 0xf40b6cf7d2d61b3e, 0xa5e00da467fd5494,
            0xb855c5ce2f7adb4c, 0x5b60dcfe790900ac, 0x421726fe99bf43d2, 0x098fe5f5e5608555,
        ]),
        affine([
            0x388a8a6e177e7775, 0xb5e1559388ed95f6, 0xe58543bacf5291ae, 0x9d896a3aff9633ce,
            0xefcf6d3aba056691, 0xe899cd7ee299253b, 0x94e964ed7250927d, 0xdd91a9e43f49bf0b,
        ]),
        affine([
            0xe6737160d7b91252, 0x6d4afd2e4477572a, 0x3519f4bb1c9bfbc4, 0xa99415f5ef3a2b40,
            0x73a377ac4bedc264, 0x899a16ad590f4ddd, 0xb9e2f10f24f6f6b6, 0x82d0e64cae81f84b,
        ]),
        affine([
            0x5fde04de3c2a3293, 0x5688b86ee903476c, 0xd0eb0a573282f4cd, 0x8327b8ee71163792,
            0x6bc854e18e0df9bd, 0x96afdab4ee326a41, 0x18bb3ea662797084, 0x04997e266ee0a98e,
        ]),
        affine([
            0x15957f1e8c904ed3, 0xdf2a745890585784, 0xf97f8e6431272384, 0x00cf8c2d2db818df,
            0xb009963b796f77c1, 0x22991d79d32f6827, 0x19dd5c1bd51bd811, 0xaaad000ea781d441,
        ]),
        affine([
            0x2421b26c4562c042, 0x092d23234b8dfb1a, 0x97d6661d8f9a8ed6, 0x5ae42aaa2a6db168,
            0xf905ccdf8f79269c, 0x94e0db95107cd8db, 0xab5c1ddc60389d4a, 0x99d93a7c05ff051e,
        ]),
        affine([
            0xd8c465b66a540f17, 0x4c750d705f0c132b, 0x7d8edde098f935f8, 0xb56f4e9f9e4fd1fc,
            0x46a2fcae0200102d, 0x21d42963cbcca854, 0xd3dc11adf0582d1d, 0x32e8e53429cca856,
        ]),
        affine([
            0xb34881285e85af61, 0x4e8ed722dd4ae766, 0x59aeb68ff6c21b0f, 0x92c23ae426a1c8eb,
            0x4e723669c36a2b09, 0x2d23ad82b6286fed, 0x09f217d5c738d579, 0x414cf88f01551bb4,
        ]),
        affine([
            0x280aa48259e5d1b3, 0x48c9b789fd6caa3e, 0xd1e7e4c6f0fcdb30, 0x3aba5151caf6483b,
            0xa85b678d42f30087, 0xe1846359d2de6ee6, 0x9064ec8047d72cc9, 0x8c1e7223bff251d0,
        ]),
        affine([
            0xce2af1b2c7b5eba8, 0x2dabedc7f918ea36, 0x88d0f4176af8df42, 0xfee5608c76afdf10,
            0x3f515d368d0b9b5c, 0xe380ff42bf905479, 0xb11402f99287c14e, 0x3807599134fe58af,
        ]),
        affine([
            0x1b2b59888cf8cffd, 0x432e6b15b7a45ae6, 0xd45afb88f79bdd89, 0x00809b7f1fe78c1b,
            0xd91d45a18db5f32f, 0x12a340fad92b9f93, 0x0288c836de52fdc9, 0xf817e022bf41a863,
        ]),
        affine([
            0x81e3ba4b3c63caf4, 0xa28ff3ab28f53d52, 0x20a113b4c62a6afc, 0x42e544eb92e667e6,
            0x187aec09969c29c8, 0x73a50e7b6befc5f1, 0xf71f220c17415e78, 0x9ff854e0f91cc671,
        ]),
        affine([
            0x6c61905ef7ed9ef9, 0xad2ba5a00ef0c63d, 0x41df784947fc192a, 0x32dde6ddd352d4a7,
            0x1abb8468031fb871, 0x59ec1b379c98f4b2, 0xe236a4f94d58c1f4, 0x41d17bdc342067bc,
        ]),
        affine([
            0x80a2bd985e0f09a1, 0xf0a109f1b9403283, 0x83996ed2a4700efe, 0x7aed83b665532ce3,
            0x045d8cde85857d73, 0xd88b2f300f3f4a54, 0x7ddafd0ab1032d8e, 0xf5b8545f9a31ef7c,
        ]),
        affine([
            0x25866a0ae4fce725, 0xe7e8dbd1c6a6c5b7, 0xf5ea905e8f1771b4, 0xe06372b0f4a207ad,
            0xb27034f94eee31dd, 0xd7484a7787104870, 0x12a27bb2ad5a488c, 0x7a908974bce18cfe,
        ]),
    ],
    [
        affine([
            0xe20fcba1d4531dbc, 0x1f901c19fed5c970, 0xdef6e94210bbc7ce, 0x46276d0602c5668d,
            0xaf8730099686b8e2, 0x498badfbffe1bc99, 0x4a292287570ded99, 0x0e0f7f24d44c75b8,
        ]),
        affine([
            0x6114ef13522f001d, 0x6850e0acdc78d899, 0x4e65eb211c319163, 0xefea68eca7a6c24f,
            0xc128419f73bc4415, 0xe413959fb3848771, 0xda150307a3719a17, 0xaab847869d583c14,
        ]),
        affine([
            0xe2aa2b67f88f7e09, 0xb3a03779ba7d92cd, 0xbd8e12e5a45dc0be, 0x5e6a863d4f205fcb,
            0xbbd6286748dfca97, 0xa68e503723b4cfe3, 0xc444a8d1f6940234, 0xc2571a078a388edf,
        ]),
        affine([
            0xf0cc3a3b08fbd53c, 0xe2838c70adc62cdd, 0x8dbb9352a5419a87, 0x4e7c272a7af4b34e,
            0xe0b3941817dcaae6, 0x530b9614bff7dd33, 0xe16fd09f6def681b, 0x17749c766c9d0b18,
        ]),
        affine([
            0x4dc585c27ed69d58, 0x6b110a6ba6f3e57c, 0x101c6cfb4b817e7a, 0x2ca6b3ac23bec5de,
            0x5dfb36ec486f8949, 0x19829d4b09d8e36a, 0x1138c0a8ff3d3e05, 0x576ead41b4b5af3e,
        ]),
        affine([
            0x9eca88a6ddf66583, 0x03190cf9a2558060, 0x9c10e2f7efdea876, 0x528171b523c2fd01,
            0x40d01ece7f480c26, 0x9520413dc7de0141, 0x598bce8d469e8fb4, 0x7b2c395d7b0c27a6,
        ]),
        affine([
            0x325b7914664854ed, 0x91a2868fb7b4f212, 0xa9dd3fbdf89960a0, 0x888427cd33291749,
            0x2fdb0e445b8b5b8a, 0xde6d84c49cd0c1d6, 0x97675f441b3bfed4, 0xfec27c1c3868751f,
        ]),
        affine([
            0xe2821e6e7c6e1b4d, 0x9b11f25a1bef8790, 0x268a269f4e385d9c, 0x899017b02696888f,
            0x009aebdad814ab2b, 0xe4e51bc0f932b212, 0xbb45798336358bfa, 0x43ae2cdab5b334f0,
        ]),
        affine([
            0xd37c77d0552349c8, 0x3e66cd0ee4c9a9ef, 0x81ed6700fbae8d02, 0x5f686348d4e82f82,
            0xd7aa1a467c458533, 0x222cacc8b4cc08b8, 0xa89e63f52df880bc, 0x03cd8273434e0fa4,
        ]),
        affine([
            0x5b03b0d3a3d5e147, 0x8e02f88621d306c6, 0xf7861b25a3bb3952, 0x24217876d75d882f,
            0xd7a0eedf872fdf0f, 0x9ec05e94653ad750, 0xd89f079cecfd45fb, 0x9d9230fb0f4e5d02,
        ]),
        affine([
            0x4b61d77e82acbbc3, 0x07e24eeb15525bad, 0x1771cbc1b3cb62b2, 0xf8264626aa9c8877,
            0x933a3478fe626aa8, 0x50724e6840cbd167, 0xf59479967df5555a, 0x86ede7892a9fc8dc,
        ]),
        affine([
            0xee298464e521b3ff, 0x233c0717e9aa750c, 0x75e44d2be9ae24a5, 0x02484e3010c9455c,
            0xcc1ae4b90269da7e, 0xad7006de923ac8bb, 0x07ec2b3c2b2d0eeb, 0x9619d0a0aa23e30d,
        ]),
        affine([
            0xb33b35faa3e9f371, 0xbef82b7ae52f04fe, 0x51f5d8fc1fff957d, 0x6cc3e74d8ed1e408,
            0xfebd2de6d723b611, 0xc054ada17dce7d03, 0x78b7fc2712fe2d22, 0x8c4f99287a6e6e6b,
        ]),
        affine([
            0xd8477dd0ffeaf016, 0xb91c044a791116ec, 0x0c139976d24f98ba, 0x32ea4a3fe5cf547c,
            0xf72dfa350089c504, 0x406bfa8a8a913dda, 0xda9fb9210c9df655, 0x4398d9e52a639015,
        ]),
        affine([
            0x660844740207d7d1, 0x99ac588e8e44fc61, 0xd4714b3f50ee0b55, 0xdcdfbbbe0256bfaa,
            0xd5bcfde77bf953bb, 0x662779929e333d51, 0x694180da65282b5f, 0x7088801fde1ac8d6,
        ]),
        affine([
            0xaf2635a17e5f712f, 0x2831f5bf91b583a8, 0xa8f4728e63227f0e, 0x67f644f76e905fd4,
            0xd68acb5e707160e5, 0x5e0e1488f7d36198, 0xf05adeb7b586cf78, 0xb833d68f66445d04,
        ]),
    ],
    [
        affine([
            0x52c02a4417bdde39, 0x1544e179b7604329, 0x10a2570d599968d3, 0x76e64113f677cf0e,
            0xb4b1752d1901ac01, 0x5e2a33d2b56d2032, 0x577066d70681f0d3, 0xc90ddf8dee4e95cf,
        ]),
        affine([
            0x1cf999a83a1187a5, 0x005d57622c29ae69, 0xee87c9d88161c810, 0x708a530e9e52c73b,
            0x58a4f19b473db9c0, 0x3ecda73c6d353e8a, 0xfa9656dcbb6d3828, 0x9b884811e1f9a897,
        ]),
        affine([
            0x2f05091cc078ee8d, 0x4ebf20ce50691944, 0x25ff7263aa9b4ff6, 0xd08e57ad859da9be,
            0xe997f4dc2da63e86, 0x123ef7cf9422ed9d, 0x2d6172ee757e6df4, 0x852e97984ab488d7,
        ]),
        affine([
            0x2e1b16c6cde4f5be, 0x9f374b6d86b2b59e, 0x19bd648395e462cf, 0x19cf034fc48b3be2,
            0x0a91532b6f321af2, 0xef91d1c93f0f1c0c, 0xc3b4be68ab181947, 0x28e32b06a15ab466,
        ]),
        affine([
            0x15914670429129ec, 0x0cae3acf1e482548, 0x5f58be80ecd31d08, 0x7da6c085e4d44d27,
            0xeb50aee2acd9ff0e, 0x0448c08654ca586a, 0x511d0207491627bf, 0xf498146bb9f41857,
        ]),
        affine([
            0xd43ae5430e9c22bc, 0x01da67d691bcc42f, 0x765b3444d9bc7be6, 0x5335cea5e99eeb23,
            0x3c2c2672cbdacb60, 0xc8c30c236ca1f19b, 0xa067f080f0ceb86a, 0x3bf8d020769c5224,
        ]),
        affine([
            0x4f83d49551654f22, 0xb2f7f394231aaee9, 0x21be9001be69d94f, 0x90d090cff5c1be6e,
            0x0f5de057601a43e1, 0x6dd635653da3f874, 0x953f021e06bf7033, 0xcd569a1d2bacf61a,
        ]),
        affine([
            0xe3abc209d17cf3e8, 0xee93bd034bea2219, 0x7c719c2f8397f576, 0xaf6c44a078cb5f0d,
            0xb8add0601751baea, 0xec362aea7ca0d435, 0xaf9e73153cb246df, 0x0784096fe85d4b30,
        ]),
        affine([
            0x1b6ef651c76b19fa, 0xd9d6e06d068819d7, 0xc7322c310821292e, 0xda4798587cf1d1ec,
            0x6aa26eeb326f5af7, 0xa67bd13e9553fc20, 0xd17369077e16569e, 0xebb1d7789bccaf01,
        ]),
        affine([
            0x6d2f91edd6569044, 0x33c0396cfa0ceef9, 0x9d42bafe95c58f30, 0xaa21c60d6f7d6253,
            0xc1924c41c2f37766, 0xee5abac113928334, 0x6d1d26add41adf4e, 0xb2ae6886fc4e6aea,
        ]),
        affine([
            0xcd92fb65b9135dbd, 0xf0c087af39d8631e, 0xd817aaf582e9897c, 0xe3e47504a8ddee6a,
            0x6906af3e4748045d, 0xa5a202ff5ec95da9, 0x0b98c81952b83ffe, 0x930a5bf809cbc6c4,
        ]),
        affine([
            0x5bc1e6214ff4de54, 0xa5cabd91e9d3c2be, 0xc3b4031cf14a2858, 0x5716dc355df202a2,
            0xd3ea4fd550100fa5, 0xebf3feccd047e417, 0x91eaa661a99324c5, 0x985f6c400a5b83f3,
        ]),
        affine([
            0xcbf0b9e5cdee455f, 0xff67ffe6e8ce4075, 0xa4745338f80bdb4a, 0x7e8c656fe870a9b0,
            0x173de998171b9cba, 0x4aa2d16746f46627, 0x2a3f760f4803a53b, 0xbdddc632ca30740f,
        ]),
        affine([
            0x1e61500d9769b57c, 0xda5033bc39e2fc7b, 0x5348f1925be3f04d, 0x030651cb592d282b,
            0x7ff3a505f33236e3, 0x192a4d18739f7805, 0xac4e2423e85682c3, 0x25208833bb7ac098,
        ]),
        affine([
            0x37796b9b6698b59e, 0x0a335925893447a4, 0x5beb035ab3e3c726, 0x3df841f891a95eb1,
            0xbcf8e6796b92baf5, 0x7bfc867b214949f8, 0xda02bae8f11cf386, 0xb38fe6df98b090c1,
        ]),
        affine([
            0x3ab150242bcbb891, 0x8f7cc643df26cbee, 0xe8281baa743f8f9a, 0xc738c56b03b2abe1,
            0x17e735d9699a84c3, 0x82314eef7880cfe9, 0x7f718f2eacbfbbbb, 0x893fb578951ad253,
        ]),
    ],
    [
        affine([
            0x5f1d84ec8db1cb3c, 0x1b7003a0d43f024a, 0x0e9cca5367519f86, 0xd99e8e9dd9638d14,
            0xd88a29e36b8637a7, 0x6286fef8ffc8765c, 0xa945bb321bceba6e, 0x36dc19ad1cc0a3a7,
        ]),
        affine([
            0xfd46f68d3c385172, 0xd203351e0440e636, 0xa1bd8a54e5b09191, 0x03fdf1619a198317,
            0x79ac67f0fccb9794, 0x5b9b929e90e7232b, 0xfe470c7d3c857375, 0x408d02c06e5c12c3,
        ]),
        affine([
            0xb9e249d02df771c8, 0x335a5211ee094c87, 0x9d32c2b3c01f8750, 0xb71e546d922dc902,
            0x2453a26f93f48c51, 0x26bd522b55bba286, 0x78912a4ccce288f4, 0xe7ccefa8cec9f900,
        ]),
        affine([
            0x49150a564f676e03, 0xceffc73693e84edd, 0xeb0f6433571e8761, 0xb8da94032a957518,
            0x1488e4e74efdf6e7, 0x92cc584d95ff3b51, 0xd7c99cc9762808b0, 0x2804dfa44805a1e4,
        ]),
        affine([
            0x457b3d91d52eaf34, 0x0bec1dedddf80247, 0x79321f058f67768f, 0x0ca2151fdba59f48,
            0xcda3c69fb563d7fa, 0xdf463c0323b0b93f, 0x10568c28415f384d, 0x7f74d9f384d95248,
        ]),
        affine([
            0xf9fd796c2ee40896, 0xa1ae37a925177f5b, 0x6bb6e064e6661e6a, 0x7a0df01b04936de4,
            0x22d8e4ef044a7569, 0xaa228a28d517da7f, 0xb2ad6aff5ea90e9a, 0xb4467580e356fcd1,
        ]),
        affine([
            0x114e4dd93ef945ec, 0xcfd360e026407f5f, 0x87778c2d20dcb61b, 0x5dabe9cfad97f35b,
            0x4921ebb43be58ac2, 0xb89e382a01fc6c2a, 0x081a28e5d4f633dd, 0x8b49547b92bb05c5,
        ]),
        affine([
            0xd413f414c5af726a, 0x469a3e5cb25bf6e6, 0x53f2cb698ab620f9, 0x6d36d105ed8cc5ce,
            0xc570491a13f9fc7d, 0xdcc59936b4108a35, 0x72d8c66c95c50029, 0xe4ba5c34e377669e,
        ]),
        affine([
            0xe72bc91d67a60ad2, 0xafb152b17868a8c9, 0xaba85ebc9da767f7, 0xf7ff2f9468cb6ada,
            0xb412007597e69057, 0xaaa5d2555f55c8b9, 0xbcd3b69785d61b13, 0x35e344518fba2b8d,
        ]),
        affine([
            0x74015f9645a6fdea, 0x2c92ca98c9e93ccc, 0xcade11c57f5f48f3, 0x3df32bb0b38fdf88,
            0x4ed9979912bbaedc, 0xe97e6bdb687e54b4, 0x2beed39bf6187830, 0x5cf3010042a6bdf8,
        ]),
        affine([
            0x88d5164c24f358b0, 0xc556ea50ffcd8a46, 0x48a87d3fef2b7413, 0x251545381664d5a0,
            0x8ce3a56d98e0542f, 0xc293b80377dcb0e5, 0x78eb2730bf96c2e1, 0xa65db913ce23d60f,
        ]),
        affine([
            0xea19849dc6e1346b, 0x5abe7b10385af1c5, 0xe54c761f14d152c0, 0x069068ff0982d10b,
            0x7bb58a54d7226c13, 0xa4f6893994c6026e, 0xda85db2bd086442a, 0xb863e3e090bfde26,
        ]),
        affine([
            0x0da718e5e1f974dd, 0x881ba5fdb9de5861, 0xa945130241ac44ad, 0xed7e8f36dc52f19b,
            0x2c205dfa801614fd, 0xf82e81f3da98804d, 0x0cbb24d04fd49473, 0x6a7452569fc84ba3,
        ]),
        affine([
            0x19f2c18f9b3a9ec3, 0x074026debc50aef9, 0xd2909c4703ed866c, 0x027fb63b103e2923,
            0x59f7fdb17feb0adc, 0xb9254679399dab14, 0x58778c32bfbb89b4, 0x1b0486c708013a28,
        ]),
        affine([
            0x59c2114074f56903, 0x9b8736c8e4fe0337, 0x30f761fe714b1bb3, 0x1d7fba403f3aed8c,
            0x6764ababa6138b34, 0x479a287e332c3a6f, 0x4ec407155460bdab, 0x87679ae3b69853a0,
        ]),
        affine([
            0x86e2a30ca540db99, 0xeb1309c0534b8122, 0xd06883fa66f0b0e3, 0x3ab6bde10cd3ac0c,
            0xe6873fe31bda78a3, 0x38d137b0e369c043, 0xfc3117a96a13e99c, 0xbaca62079be871d7,
        ]),
    ],
    [
        affine([
            0xddc07bbcc4e16070, 0xf2a182031efd6915, 0x13ba48e51d567543, 0xa301697bdfcd7043,
            0x0c0d1a041e177ea1, 0x1735dbf7c0a11a13, 0x081809fa25d40f9b, 0x7370f91cfb67e4f5,
        ]),
        affine([
            0x11420316f24ba5ae, 0xb43965004c34b5d8, 0xf3e8d2419e0bff74, 0x27e1e59cff79f049,
            0x84a5bfee883a45b3, 0xdf48a1a69afa63f7, 0xee1b5e3cfc79df05, 0x310b26a6c804e209,
        ]),
        affine([
            0x67012700138011fc, 0x83596a67ad728562, 0x156b133082200a4d, 0x6e8313a30815eb11,
            0x6acb69fa3f15ab7d, 0x26af915ae9c51f9a, 0xc1a12db201dac304, 0xc147818bdc24f204,
        ]),
        affine([
            0x9969175c9caed7ae, 0x5a39adde84fbfb4f, 0x16588ec3892d7e4f, 0xc712e7a5f6864aee,
            0x84d148aa46156294, 0x380d8e544b0ce637, 0x65ed4b82311dd9e5, 0x49644107516363b3,
        ]),
        affine([
            0x53a749b8d00e6ba7, 0x3d36ec5b44916f7f, 0x2bd1e038a4d9e1b4, 0xf952a9099784851f,
            0x8dbaeee50175e4c1, 0x5557167b4c62a2b9, 0x861376a2e27fa0f6, 0xd8a93a5b08abcebf,
        ]),
        affine([
            0xf9549f5c595b6f7e, 0xbeb32b53d38b2021, 0x83a053aad09876cd, 0xa5ac7d1d04cda30c,
            0x48dbb7308ab19c84, 0x99e39160f5818a48, 0x36cc3c9247d9ee1b, 0xdf0b8a0ab540f55b,
        ]),
        affine([
            0x690065a283aa0e93, 0x8f2e3943aefb1f62, 0x504031a19d9e893a, 0x94016d5e31d3fee7,
            0x38eed26887addac2, 0xf484373baa57b07a, 0x40355d354eee6fd7, 0x675032ee5c454d96,
        ]),
        affine([
            0x1b43e1fe44a6db03, 0xb2c85d6f58275d79, 0x065c0d426b8675fc, 0x0bfc0504a4b3235d,
            0x58ac8d1a464b8542, 0x37427197345d4f05, 0x3fb8ec7f94a6c992, 0x1955467a6c34f345,
        ]),
        affine([
            0xb0f4862e0266b17b, 0x023568a20262bb32, 0x1bb978846a9f09c2, 0xef22d174d59fb289,
            0x32a6e04379dac83e, 0x3ee7276f71c341b7, 0x68f9ccc3ae34a107, 0xbc5784c97ab24c75,
        ]),
        affine([
            0x57f2c542eb4318b5, 0x72ed5c812f5b8456, 0x55788a38df2057ee, 0x9885f5fbe1948d0f,
            0x2fe542541599175c, 0x7c82aded676904af, 0x96d2c467768ceb8e, 0x135fd6f69ef198f9,
        ]),
        affine([
            0x2313015a92d382a0, 0xf28dcbbce2ecd9ae, 0x39cacc780b2df927, 0xb5f7efce4ceb892d,
            0xba2f0abba5b4b532, 0x71fb096d29acf8c5, 0x3c0957c6e0cbddd3, 0x6843545b51c3f235,
        ]),
        affine([
            0xb93a4ae4ce81c1bc, 0xd25365e58abb5b33, 0x5ad815b8d68ce767, 0x03360f05465c0463,
            0x76dd2896566cbedd, 0x231728eb5c811501, 0x4ff69c4251306753, 0x7e48b5f90c575001,
        ]),
        affine([
            0x7e692464412cffa5, 0x89ed4208668cc5c4, 0x408754d8fbd46243, 0x1cddc3d2b2e71076,
            0xade6d89cd521954e, 0xc41c98426b36b528, 0x3fdb126bf942b08a, 0x1e476a0cb2f1f8a6,
        ]),
        affine([
            0x1509f734048993f7, 0x96255223f8273ce1, 0x6334fbe1bc8bae42, 0x0875346a56a38511,
            0x601c2c8172b9dcc2, 0xc9f4d4f1b126018e, 0x10e994e6e75fa287, 0x064e6ca8a2ef8b03,
        ]),
        affine([
            0xd35fe43934a9f22f, 0xcc0819c5217a8e2a, 0xf21f8b8b948835b0, 0x2accb359f25ce939,
            0x7b75dcb3b75c4927, 0x154bd7bec5ba550b, 0x19213a37edf0edf1, 0xd518a4e9588ad2e5,
        ]),
        affine([
            0xab7ac63e3fb04ed4, 0x08cc330b11307fff, 0x463f9d0512678de2, 0x90ad85b389d6b936,
            0x991d4d48cb6ef150, 0x39aefabe1582894d, 0xaffdcbd9427222b8, 0x0e507a3620a38261,
        ]),
    ],
    [
        affine([
            0xe8dbcb5729b62026, 0x8d2a3de0889d1d4e, 0x37d6619e1f5c5aa7, 0x7564539e85d56f85,
            0x4172c8fadace0cf3, 0x684aacd954b79f33, 0x5231df524a722925, 0xc1d685413749b3c6,
        ]),
        affine([
            0x5364dacd57b4a278, 0x78f61a5f1ff4082b, 0x6746ff301ad9ccc8, 0x210a917ad9df2779,
            0x7f2713fd0c7b2231, 0x3789e61aaff20bfc, 0x7a39be81f8d6737d, 0x670e1b5450b5e57b,
        ]),
        affine([
            0x70f702d505ed815e, 0x66f440abc1c017b4, 0xebb5fad219547ad1, 0x5568dac679f74a32,
            0xd9bbf64c00602df0, 0xeb05f7eee2582151, 0x580d6fe01d073f2b, 0x7a85f8742788ba64,
        ]),
        affine([
            0x6686fd5053231e11, 0x1f48e86503681e3e, 0x5ff99ff9198c3609, 0xe4f3fb0176af85d6,
            0x822c38576feb73bc, 0x6cc7e74ec951d1c9, 0x1661a6d0ea02b728, 0x1e63633ad0ef4f1c,
        ]),
        affine([
            0x56d823710f6aeb45, 0x1df5e7985b188a46, 0xd30dc06917144f0b, 0x9aa9a7ff54debaa0,
            0x6ab18c2a27479fab, 0x578dd3874035a888, 0x6a39b258d8c74cf7, 0x5336f7fc662565b2,
        ]),
        affine([
            0x641753af1ee840f8, 0x11101c26013c98f2, 0xcfc9d4b829725cbe, 0x87195a80dc83be4e,
            0x0228269067eed395, 0xdd89c27090a8dfa8, 0xb15f6ddb4a9a2138, 0x06031dcc996ce3ae,
        ]),
        affine([
            0xd33b1534e53dadac, 0x80ecca1e6812ab39, 0xbe6f8e222161de2c, 0x2d492168934b4ce5,
            0xe3d18704585e8eb4, 0xedcdd04fdba090c8, 0x8884199d07ac87f8, 0x6b3a38c9bb39f399,
        ]),
        affine([
            0x3bfee2233bcdaf2f, 0x88531a825ba17295, 0x1ec64110abdb362f, 0x4b30cbb7686773e0,
            0x68033d463d26b5b7, 0x1fdf3c81e4348575, 0x6f9e2c5777c3c4a9, 0x74c6350265bb629b,
        ]),
        affine([
            0x3e6ae00fd4077638, 0xf7b6eaacd75f9c4b, 0xd10a1b5e4dce4564, 0x84a517b7e05290ea,
            0x1f86d469ac415eb7, 0x1972106c6c41dcc0, 0x8886ea84d4bc2d84, 0x7b9f0bf5b60ec494,
        ]),
        affine([
            0xef622876593e49f0, 0x428f4d2ab29475ea, 0xc5d08fbc457a46bd, 0xa4d2802411f577c1,
            0xb2b1f2984f84b8e0, 0x7d1150ddad78b5ff, 0x237fb43d851dc788, 0x1b7aab6e53fcbd4e,
        ]),
        affine([
            0x2baac486b31f9a77, 0xc8c08d998634a645, 0xb6f4feaabdf4dd5a, 0x5da4e742b7cb76f4,
            0x3722b1e48fd36174, 0x3c40261fde2016a4, 0x09ddf91432c74cd6, 0xee8eca8a1bdc1f8c,
        ]),
        affine([
            0x5399f04e6bf05bd6, 0xa2f56e03212a9946, 0x0832f51feb470dec, 0x900c3241bee44fe9,
            0xde52ad3bf00d358b, 0xd69853583c4efb15, 0xf95c7204570b2439, 0x6c31f9e8e8b1f0f5,
        ]),
        affine([
            0xa6d22dacab359d6c, 0x0b71cbf2ab17753a, 0x694beb6bc0698e28, 0x94b995f51e4b0976,
            0x5bff9a4c52c9f14c, 0xce7b03b2e136412b, 0xb57cf18d760e7059, 0xcc2c70f0e8b49742,
        ]),
        affine([
            0x8cba5a110ffcdd69, 0x6cd0fa3cb9f5de46, 0x7a9a9d009d239b37, 0xf79781e7a4137ac4,
            0xd9276f93d0d887d4, 0xf84c2b7ae5bb71fc, 0xfa1dabbbe9a18626, 0xf2ef45877691f792,
        ]),
        affine([
            0xc14197c5e08adaea, 0xc3a2597ac35c0e7d, 0x553205c63ee71c28, 0xfdd2fce57c54c676,
            0x251a5a6fbed748d1, 0x148359bb0d4bff4d, 0x8f1af2f983763114, 0x5d5c412719b293ab,
        ]),
        affine([
            0x2ffe9c29a673059f, 0xec11715050e0fa19, 0xcd15b20b17464817, 0xcbb434aa7ae1700d,
            0xb7da9642227c070c, 0x41d45e4f0ad5f845, 0x562d492338b5dfad, 0x4a1a200ab4dabd17,
        ]),
    ],
    [
        affine([
            0x997fddfc60cb3e41, 0x143d084f308b92c0, 0x3e10cec0a9e98ed3, 0xe7a26ce69dd4829f,
            0x0e8a9421cf2cfd51, 0xd0a6b2c0420e83e2, 0x471b006a1aafbb18, 0x2a758e300fa7984b,
        ]),
        affine([
            0xd97e5b917b4ae861, 0x203c35e4d6e32fa9, 0x0d38bfb6772089f5, 0xf5cafaba036bf8d0,
            0xcc9c239c0d82239c, 0x9b3b2a9c552f05f3, 0x7bff990464083915, 0x19e83b8a022a6d81,
        ]),
        affine([
            0x70f9fd2bfaee42db, 0xd9bbbc5b4730714a, 0xfc7b6edb91ecbfc1, 0xcc3427e7d9b59150,
            0xc6229c0115d87bdb, 0x10e5cbad8e72422d, 0x885e3fd3fb215200, 0xea249841a521c6a1,
        ]),
        affine([
            0x84fd4cd7bd2a9651, 0x8f9e509c494c9820, 0x12df5156d7e80542, 0xe9389024ceb63f1f,
            0xfefde2b75e786824, 0x8d7110cec6770bfe, 0xf9287abaf671aaf1, 0x8648688723726595,
        ]),
        affine([
            0xff4366c67ed4a086, 0xb1d75c158e9c410e, 0xec83c585fbcb5cf4, 0x948f05bacd98445d,
            0xa2a1800f9e2bca4b, 0x1c2328a71c3fa2d1, 0x82f450a660113941, 0x864ca89ffb5a2a33,
        ]),
        affine([
            0xcb0a71652e96e4f1, 0xff5f01600ae80030, 0x20177708335efcca, 0x56bb148f0198197e,
            0x5889f019eeb0582e, 0x7313d1d2004af0eb, 0xbeb03ed8be30ea9f, 0xa09584a561300a33,
        ]),
        affine([
            0xc0cbea6cb7542c21, 0xae19f4d28ea64c15, 0x0656fc45451d6d43, 0x2584196292919ac9,
            0x3bebe319672bfabf, 0xf3e3a186e4c2ad7b, 0x01e5daa4cc7513d5, 0xfcb35b1f1cdb2448,
        ]),
        affine([
            0xcf2d41ae7cddab8b, 0x9f0e4d1253c68e6f, 0xed116900d82d0c37, 0x264559d87829256b,
            0xc9f64b45001de473, 0x7a8631af39caf1e6, 0xef7bc637034072d7, 0x79e5bd1926d3512c,
        ]),
        affine([
            0x43c461f40c1ecbf8, 0x6489f0de9aeed7ca, 0x22a9754cc1e8421f, 0x7e12cdc41373c525,
            0x9d45b8cdb0bed615, 0xc969f61d8fe1d9f5, 0x143f94dabe4d1259, 0x71284f88888dc837,
        ]),
        affine([
            0xe2da28fb898a26c1, 0x9a954fa17393b04a, 0x6ea351579c26e1c5, 0xb6a0c8fd373b52bb,
            0xf5550eda8a78217c, 0xfc94a5e858ab5a06, 0x9a901e3febda7fac, 0x5ef193bfda037494,
        ]),
        affine([
            0x17e6651c14557d86, 0x1cfeec478e667ff4, 0x772b91ca7a05a6cf, 0x4b8ec2ff2a3742a6,
            0xbdd9b191b5167eb9, 0x28d5f2ef0fc3f692, 0x14a4072de527ac5f, 0xfde6c3ff04c157ab,
        ]),
        affine([
            0xa4c57f5981f23d1f, 0xb6b25fd720c036d8, 0xbd3d489e1fd8a0a6, 0xb398e8153d670bbb,
            0x1583ebff832ff3fc, 0xea791d8ad26156cd, 0x07f7feb2fb00ba52, 0x69f59c22572df47f,
        ]),
        affine([
            0x52b82d3b4780763c, 0x5f8a6d5e9265691d, 0x532436dc697ac07e, 0xfcd5c10733963a42,
            0xb54e742038e851cb, 0xb119b22e716463a4, 0x3b720db35f72e38c, 0x18ddabe2e5522c46,
        ]),
        affine([
            0x2b1c47a633e9fc8d, 0x48b84809824f28ad, 0xa6cd0b2054631a73, 0x634a0dc1bb425dff,
            0x9587f30b273f87b6, 0x519ad5a18ed5c616, 0xafe05a657de4a9cf, 0xd75be21fe75a4b6c,
        ]),
        affine([
            0xbce3be305d8ef686, 0xf68e48f402272e66, 0x2238a5daf8266e53, 0x900f2cee5843cbe5,
            0x073a4967e121a8cf, 0x596cdff43c9156d5, 0xd61c551b1349d110, 0x732ac155ec60425a,
        ]),
        affine([
            0x3cf29eb3de6b80ef, 0x71cbcb967d79424f, 0xd23540c223bcbdc5, 0xb6459e0ee3662ec8,
            0xf30bf0b61a71ba45, 0xc4b3ae6d48e35b2f, 0xe1dadf16e5661db3, 0x067c876d06f3e06d,
        ]),
    ],
    [
        affine([
            0x5c1a0b6e326dd4e4, 0xb89f4f2f6bed9832, 0xfbe37f699976f84d, 0x4154b506ab766f42,
            0x6c859295075ded1c, 0x414ea9d9d1e22dd4, 0x94c6e44d61025ff6, 0x23ad075043c59888,
        ]),
        affine([
            0x4c51a7a63f7f0246, 0x93e86e49fc727ddf, 0x080a8d4d0b5956ea, 0xb73c652769cc95c1,
            0x597e5164ea2a407b, 0x1a0d72e4c6e554e5, 0x4b535893c5b6c1ea, 0x9a67db107174ca9d,
        ]),
        affine([
            0x1f4d359cee2e607b, 0x88aa1eec6c0f36aa, 0x20d111f5657fdd2b, 0x07733f67fd31772c,
            0x6a2f311dcc614763, 0x89e3bde05be017d2, 0xeae63a8c5bb156f4, 0xfd9fe8fbac178285,
        ]),
        affine([
            0x4095980fc28d3d5d, 0x9612aeb973449cea, 0x52dc0270907a30b0, 0x324aed7df65c8042,
            0x967224af96ab7c84, 0x19213b0c7e332843, 0xf130c0c35aec1f4f, 0x648a365774b61f2f,
        ]),
        affine([
            0x08a22a6f79990067, 0xb9e7b680221b69ff, 0x82d36646c0b637ca, 0x6f0de31efa9baa52,
            0x1040cac65063816c, 0xa508af87e193d019, 0xe74ffd04f081af08, 0x0d007587d1530ae5,
        ]),
        affine([
            0xffb2e201f54d61d1, 0x1715275dbf0b99ba, 0x9c58f99e405bf215, 0x875e13e47627ed8b,
            0x94a89d1c00945747, 0x019dd50e9673c530, 0xf646de13d3799e36, 0x2d8fddc4a96456e8,
        ]),
        affine([
            0xb0fcfaabd975182f, 0xea4c80f7d398e685, 0x43ef904a0998900c, 0x23d72fae41d66ca7,
            0x9eaf7afe61e70a2d, 0xd164457615b9b5cc, 0xba44d92f93b66055, 0x0c5f41ffd4fc19b8,
        ]),
        affine([
            0xa8f38381b2919749, 0xf72b3e4a8de0db1f, 0x28d32681880d7203, 0x32c9331ea26f4902,
            0x631e97b0f290b5e3, 0x268a4abdae39ab09, 0x695a2f02b6f3dbb8, 0xd7cd272b34209cb5,
        ]),
        affine([
            0xcb58eb7fca2730ed, 0x413925d7d1ed0fe9, 0x4a7b0d200f3ce4bc, 0x80ec2720a8f23fb6,
            0xa97390b834fb60de, 0x344282f718051bdf, 0x8d25d77abecb3273, 0x0840174e4ccf10dd,
        ]),
        affine([
            0x96de800a63c112e1, 0x41412c3478704ae4, 0xb4768d9b77248ac9, 0xfdadf09717dfde7e,
            0x30b42f179e491123, 0x6e989a1292d24295, 0xffe5fe1c0f8c9298, 0x990e7c67b6d87039,
        ]),
        affine([
            0xa48c03206de3807c, 0x5a1253a582687bb3, 0x5d60b524696b0962, 0xf174e60c85080c73,
            0xcdd95231e0d05532, 0x36361f869dcce99b, 0x2ad27dd2fff6f9ca, 0x2fc90fa941c6494d,
        ]),
        affine([
            0xf5c917582fd53ed3, 0x163f74fb9da56cce, 0x5b8f60b931df7c49, 0x20840bd5996772ad,
            0x87143fe51a7a7132, 0x5487c47394e70899, 0x487bd476a6bafac2, 0xf2993497cec18243,
        ]),
        affine([
            0xecea17adf6e49649, 0x5ff47adf13b475c8, 0xd6a2c0d521268428, 0x0614f1c4bb2bf6fa,
            0x0e4c1395f9d589a1, 0x30f0126a39797fea, 0xc04c603f47d58473, 0xf3ec3d084710458f,
        ]),
        affine([
            0x463b9cf1814aeef4, 0x7ca33fc3f2bbaf3c, 0x88fcb88310f97314, 0xa0e38f9d4927fcd1,
            0x96ce8886baf12279, 0xcddf5c8b0cfb6016, 0x087359d40ca59acc, 0x4f215fbdda3239c3,
        ]),
        affine([
            0xe64d1725711ca173, 0xf096010d5c7e0935, 0x67af7d78ea39d545, 0xb25d72ad4f697775,
            0x35a5838b72364d64, 0x7587510a0b35461a, 0x7add171af0b7c20b, 0x4e066c6981be5c8d,
        ]),
        affine([
            0x1e1c22527b9795e4, 0x69c161b6e1846b8e, 0x4a02f6a70fec6b1c, 0xeb292f3b3b983785,
            0x5b7e9d2fae53a0fe, 0x57131d7509111c6f, 0x1696634af145835b, 0x8c43c25a96eebe80,
        ]),
    ],
    [
        affine([
            0xcbfc99c8ac1f98cd, 0x523489054d7f0308, 0xfaed8a9c1cc66021, 0x9c3919a84a474870,
            0xbe7e5e03d4fc599d, 0x905326f76c64c8e6, 0x584f044bf260e641, 0xddb84f0f4a4ddd57,
        ]),
        affine([
            0x435efb7b694a09ec, 0x0cd326a53e8535f0, 0x0a42fc69d5c92aa4, 0x2e3c05326255d80f,
            0x2534868188c7327e, 0xe048a53c707b6651, 0xbddae240b82fc1ab, 0x001ff891656c6fb5,
        ]),
        affine([
            0x17b98d538fb64db3, 0xa7ede4ca39dd5384, 0x40bbb83fbe53b8d6, 0xc114239229bdccb7,
            0xe230ce9ffc0259be, 0xa87580904d4567d1, 0xa5cecde4fe978bd1, 0x1237f6dc5b486fc2,
        ]),
        affine([
            0x205f19a2ab9c7ce6, 0x33710316a1908934, 0xae15fb7e3e24dda4, 0xe8e2a24ccfa41587,
            0xb2c01eb68836267c, 0x6e09e603b5c27a73, 0x4caf2b2b3bee2059, 0x46c983ce0c6f5d1b,
        ]),
        affine([
            0x1eded83403081e46, 0x3a52218c554559ea, 0x082d9c2c19263471, 0x6c5b4bf831a77224,
            0xed1f9cb80bfbcd70, 0x41d0cf826ac22a62, 0xb2347863ce2be478, 0xcb0513714926d42f,
        ]),
        affine([
            0x80832addf11349e2, 0x60e3ecf417524c05, 0xe62147e9a41ad78d, 0xf8058324c6b9c2e7,
            0x5fac469e5b2025fc, 0x509498b5626de88d, 0xcde81aa60ea11223, 0x95c60e5a0a8856cd,
        ]),
        affine([
            0xdcae5aec464dcd4b, 0x0c30c7d59911c124, 0xb5670665cab10a45, 0xe1e9a856670cade4,
            0x2d0b625ebb041f2c, 0x7f44d19aaca16b29, 0xb7ac43599b257792, 0x562b0a954455c531,
        ]),
        affine([
            0x5b0d39668ac7b3c2, 0x12acaf92383d5b5f, 0xb2f0a38b170032a2, 0xa7549aac5d8573c2,
            0xfa0c91719287eaef, 0x5d6b5115537116df, 0x335a1d70c1947d2b, 0xbd17d1b90d1c2415,
        ]),
        affine([
            0x005876fe2badd73c, 0x8fd9cdd902a64b7d, 0x778a74e42edc1420, 0x51b21a57ad11b099,
            0x6f7d4ae1eb36d8d1, 0x6c20130f28c734ba, 0xd54a07f01d2c1cfa, 0x00793010001fd3e5,
        ]),
        affine([
            0xab7dc996bd7e2c95, 0x6f3f2ba14b878d82, 0xedd9a12a8ac54157, 0xca07cbfbb24ad1a5,
            0x05e99bac8d50dfa2, 0x3ac306f33b7e0cbf, 0x4a8a2267bc1066c9, 0xaedc311032df0edf,
        ]),
        affine([
            0x6d75d0b73b09f34b, 0xe58873e608cc66ce, 0x61ab6296f3f39d61, 0x9701f3a63b1cb798,
            0xacdc850cc0df5793, 0x7104bc397fdcc794, 0x5d7031b531568337, 0x3dd44bbb8caf0ed1,
        ]),
        affine([
            0x17371d11ae548418, 0xdce4887d88983923, 0x2fb072b0537a341a, 0x2e6db0c9e4817e29,
            0xe69792c010a2b918, 0x4b8e1d73e1c3f5f1, 0xa213148978a91164, 0x74eb6a411d776fbf,
        ]),
        affine([
            0x15ce6223bf1e2f46, 0x5270f71e87277830, 0x445592e040d63c57, 0xa036b41d2c9e66cc,
            0xf731e2695effb349, 0x0680e282cff0b1f4, 0x7df1f6aa479eb08d, 0xc3bf91a003e96b3d,
        ]),
        affine([
            0x0960551603db2a09, 0xf6314287dc201bbf, 0x2bd638800a766da1, 0xb09dcc04d9c30c35,
            0xaed7db3a80b1a093, 0x6a951bd4c16ad4e7, 0xf708d1635aead00e, 0x8a7f306481cf240d,
        ]),
        affine([
            0xbcd8b9038c4cea08, 0x654b58ba0e0ea21d, 0x6f4a611534004652, 0x6a85fadbaa4e8c50,
            0xa19dece59862f4f3, 0xb4271a4b43d721b6, 0x531933c148fe6230, 0x00b64604bae4659d,
        ]),
        affine([
            0x5a21382120a959e5, 0x91e1493a8b91d4cc, 0x8de05f281d8e06bb, 0x6057170b1dd12fdf,
            0xe899be932385a2a8, 0x465152bc3ee24c65, 0xadd9a2daf71df262, 0x9a1af0b26a6a4807,
        ]),
    ],
    [
        affine([
            0x953ed58744bf7ea0, 0xe33625a05cef5833, 0xf8d6e9f976f03b20, 0xa7de08375b8745ad,
            0xe04c05539bbcabaa, 0x645a47c0febc5aa2, 0x2104a0b334888e9a, 0xa63d96b057ada5e5,
        ]),
        affine([
            0xa9f8fa104ad916fb, 0xe68065fde949e4a3, 0xc13c35ac01cff4cb, 0xc266658e689080c9,
            0x56aef52ba0887814, 0x6b8fecdfeb611388, 0x0f798170b24627ab, 0xe7e8593854e7daab,
        ]),
        affine([
            0x5f9898aa5cfb8036, 0x3ad09a92c0da3508, 0x8ae117dd1fd67e83, 0xcff62751fb1647b4,
            0x843f3b5a24f59de0, 0x78a589d8f6032825, 0xc5fe34b5886143c6, 0xcdf4ed26bd542d1a,
        ]),
        affine([
            0x8f763889be58ad71, 0xbb30d1f5cf9a3a20, 0x0a05fe9629de8c38, 0x7778a78c28dec3e3,
            0x3b513fc1fd9f43ac, 0x87b38411ff24ac56, 0xf7098e12f2ff5800, 0x34626d9ab5a5b22f,
        ]),
        affine([
            0x424922c02a143649, 0xd2ba7e2b1a1680e0, 0x2899eed6ed1874f0, 0x449fa5015a9e7c14,
            0xa0622b47e5f7951c, 0xc4fd2dc1a29c725f, 0x82bc84bdec761c2b, 0x4f2b3d9f6f0a4044,
        ]),
        affine([
            0xd769284ae0ebec47, 0x2ee04e631142ca23, 0x761437a64dbb4ea7, 0xe8b639771d127df9,
            0x5ca9e1d72eb3d8a7, 0xbe0e62da5815fe03, 0xae71955797fff204, 0x5f382dfa041f2e11,
        ]),
        affine([
            0x141855f9d70d629a, 0x951bc16182c186db, 0x9feccc9ae0713d83, 0xd55d4cb94d62e737,
            0x942177c43524b8cd, 0x71b885498826ecb1, 0x62f6ecd45a4d2a10, 0x62ba37e383040303,
        ]),
        affine([
            0xa7ea1c251073e879, 0x2cf16a5ae104eea7, 0x632f482d7f0fe393, 0xe7b9796b5ca006d1,
            0x38e71089baa89d98, 0x9cb5bf25eda98af3, 0xdf42102a737cc1ca, 0x12b8988c19169e2f,
        ]),
        affine([
            0xe1203a07b73cf994, 0x15b2c48b7dedfe8c, 0x3762da8c99d7fc4d, 0x801aae57e159e95d,
            0x5c3ab87c448b705d, 0xcfc521ebaf1565d5, 0x71f754716c1a075a, 0xd9d69b728802859a,
        ]),
        affine([
            0x0c8684b87513bd59, 0x09f58a868254357c, 0x57befacf3373cba4, 0x1cbc6482d8e188c8,
            0xc99a28827aa33e4a, 0xb7009b8843b4c7d8, 0x568c1d38e94feeb5, 0xa6f3345459a8ec36,
        ]),
        affine([
            0xcb46273e50ecf978, 0x6b704016a12ee08c, 0x1ae698c68e2ef11c, 0xab371f3852f82c62,
            0x9f0ee4aaa4ed1636, 0x9101315c30c198d5, 0xc1d7f95500104a6f, 0x263e1cd8bd5e5bb1,
        ]),
        affine([
            0x2f7c6eae3319c869, 0x18a9f95d761eb270, 0xd01839022fccacdc, 0x3018045d98173fc8,
            0xfc0c76c9d2b856f0, 0xca2a84ca4a3d9a7b, 0xf86624320d622e3b, 0xac5fc5782503b7b6,
        ]),
        affine([
            0xe5618c61d728595e, 0x2125ac388163a88a, 0xcdfe8707334d30ff, 0x09c867d0365a4f8d,
            0xda73b964b3ecfd59, 0x176f3d12da151e0d, 0x206e26a7ce85ed68, 0x3db262df1ced6073,
        ]),
        affine([
            0x2aeb40221963e660, 0x0676128d1afe447e, 0x81974c83a177af02, 0x4aaba83d5569f6d9,
            0x3445f063771a9c93, 0x6567040e0b7284a2, 0xeae6eda6b44de68d, 0x5c3fd2518c8cf372,
        ]),
        affine([
            0x0a2eb797fac321ee, 0x29a3d5c7e0e460d7, 0x784b26ffa3716a49, 0x4e66a8558422427b,
            0xa1e6353f01432861, 0x7f9c0fca683d8d9e, 0x309ff614f5952ca9, 0xc73d6b0ab0cc51af,
        ]),
        affine([
            0x865d722bf2628f0f, 0x65423daaf2aee919, 0xc2c915a24be09a73, 0x071bf01850876203,
            0xb57c5cbd45a1c334, 0x098f9c6a231c80bb, 0xe33600bc1c084ce2, 0x527aa15d504dcf4a,
        ]),
    ],
    [
        affine([
            0x27aae75163d82751, 0x5645b4a907ad3545, 0x399064f3a0e3b285, 0x85d0fef3ec6db109,
            0x82c237a24eb1f962, 0x3e8751e968773315, 0xe29d496e582cf566, 0x1f03648413a38c0b,
        ]),
        affine([
            0x56356d141d5fcade, 0x68b482e009711ff7, 0xf607a6cfcd11df04, 0x6b790f4b19a4c4f4,
            0xb6fff86fc338d3ff, 0xa83fa5b47be26b0a, 0xf296661f9cae09cb, 0xd03a981b2ff9eb3e,
        ]),
        affine([
            0xb9955061ecde4cf3, 0x9340e535478a066a, 0xbe7c2d26d15d9ae7, 0x384dab4ac11422c3,
            0xb7c796b2252d0566, 0x1f430a339751ba73, 0xbfb4ed6da2b4c6f0, 0xd6e3c5bcd1b9ca43,
        ]),
        affine([
            0xbb0ccdabe3a3e0cb, 0x3d2479de85978be0, 0xc162c367acc4f8fe, 0x41149b2c2d7ebed3,
            0x70e92e98339033a8, 0xb3ec7805ef490f24, 0x2b415c9b9902cf28, 0xc90d5b92db7c3054,
        ]),
        affine([
            0x98af3e921e5238c2, 0x40355f5c380ecb8b, 0x41b1610b4e82ed48, 0x14f0ec0eb7d415aa,
            0x6e86a34792f07922, 0xd25c00d80304939d, 0x921fc73e3842747f, 0xab12d53dd4835d80,
        ]),
        affine([
            0x8a4366a08a972627, 0xe192160402521e1f, 0x8198c1efcbc441a0, 0x8a31870949bfe15c,
            0xe7b47b5646bb8af9, 0x1744365ac3efcbcc, 0x09577ed28587baa4, 0x64bb7c8768f7a64d,
        ]),
        affine([
            0x8f6352efd543e94d, 0xdd1302a756f98e18, 0xc41c34678a5a0dda, 0xeb42f3bb782c287e,
            0x40559de445924d89, 0x4cd8468de60d6d42, 0xc9a0dd572fcdfb77, 0x234a6d074f25d92d,
        ]),
        affine([
            0xf8dddd28e3f3d3fc, 0x664a9b8205c29ceb, 0xfaec3dfe2872a7ba, 0xd1fad4fa4e7c849d,
            0xed22343c50f3704d, 0xbad37131eff37326, 0x5473f70e858b7818, 0x8fe19714a348fdfe,
        ]),
        affine([
            0x0324e5b57e19aaed, 0x459bacde8c667327, 0xa9eec02f6e06a920, 0x1cf138ca516820d9,
            0xc136ea5d692f400e, 0x479eef8fefc77ffb, 0x5f4372a66b6dde17, 0xd6ffdaf3171c6386,
        ]),
        affine([
            0x37473ba2e0ba68dd, 0xbca7c9438c7ead65, 0x7f266838c1dad312, 0x05cbeaabfe2b7412,
            0x94229f327dd03959, 0x7f3d96705de533b5, 0xae9386665506efa0, 0x13ca23b6fa90156e,
        ]),
        affine([
            0x5f6c0e9fb6a8aa39, 0x37a6637b4a78fac5, 0xc875a096849990d9, 0xb58686be5f40d412,
            0x8fc7935d2b493c1f, 0xabbdaf98e6db347b, 0x149478d454c0a91d, 0x5632d54324c78c2c,
        ]),
        affine([
            0x9a544c67ca3a1550, 0x801da99f8effdf27, 0x2dd30976e1f8b751, 0xebfc69ab34055741,
            0x51f42bf641362f6e, 0x7983c818e68c0b19, 0xa3df199db7f4fd07, 0xe2ffe8cdb99cb540,
        ]),
        affine([
            0xee91ebe3b03b4cc5, 0x572831ba5a1c77c2, 0x67b5bc4fe7f3a802, 0x5fc19db06b8bcc2b,
            0xa3b39fb865b57c28, 0x9276f503cc087ec4, 0x6ee2138f9a3a5ef4, 0xec8e84c0ec98c7c6,
        ]),
        affine([
            0x48bbf38e5e8d319f, 0xe66aa5616d4418e9, 0x1050b65337aac980, 0x6ce5c350ce93a866,
            0x08ac6bd795cf513f, 0x2da8f2e00ec53783, 0xbed3e3e8cbbe23f1, 0x950d0026e2503c85,
        ]),
        affine([
            0xbb4b857d4cb38cb5, 0xe10b7fdf4d388948, 0xdeba8a40fd3eea1b, 0xb88fb70d42ede289,
            0x97bfa7565965f3d7, 0x4d4f3e1227af8c71, 0x6034bb994b35a8e2, 0xd6c736ad46ea3280,
        ]),
        affine([
            0x8f5404824526087e, 0xfdfb6d8882da2030, 0xc1c9b6041798b85d, 0xff2b0dce97eece97,
            0x2c951e01f0c29907, 0xc7b7ed6fb90e2ceb, 0x8af4c4dc54d07936, 0x493d13fef524ba18,
        ]),
    ],
    [
        affine([
            0x0fe5dad2c45565ec, 0xd858d8df4977c597, 0x47b308b2cb79f956, 0x48973b943018bf12,
            0x3b879075faed07e9, 0x511b3596580477b8, 0x6437bb3a01445af1, 0x761f75684f3cdc1b,
        ]),
        affine([
            0xa4d4d742bbfd71fa, 0x0b775a265b4527d4, 0x6d6972728a704c17, 0xe931258e8eb5559c,
            0x3d9bd0d3174d3307, 0xb3946ce1bb5e35f3, 0xe85eb4169c954b40, 0xfb1e33364c3fdee0,
        ]),
        affine([
            0x77123d425cff55c5, 0x5f4efd281a275ec9, 0xa6c12c1e782b4b63, 0xcf36adfdfb25442c,
            0xaca2788521a0228e, 0xa7547ec25c0d2706, 0x49c2f58b3bd9f207, 0xd16a12166ae07686,
        ]),
        affine([
            0x7f3b58fa2120e2b3, 0x7a58fdce7f47f9aa, 0xe7be4ae34ce6e521, 0xeaa649f21f51bdba,
            0xd47a5305ba5ad93d, 0x01a6b965f13f7e59, 0xc69a80f89879aa5a, 0xbe3279ed5bbbb03a,
        ]),
        affine([
            0x5b93a78bfa0983f3, 0x72585145dbe93b78, 0x9f7d431f2abc2226, 0x97e376e36973798c,
            0x64d2029b0acb7f82, 0x94f411ded0cb3584, 0xaf6086f4fc81b899, 0xf3f9d30fec530d59,
        ]),
        affine([
            0x05ea780ad25cb53b, 0xab8fc55d8f65eb3d, 0x49426531d546272d, 0xf4741ca2b3de5414,
            0x1e5da799695a4b7e, 0x0d016a8eb5f86e5c, 0x1c8fb0d827ac8f9c, 0xc48d6f40f225f2f0,
        ]),
        affine([
            0xf0e113288b31ff6c, 0xf8a1e943aac91ab9, 0x854a11cfa8e586eb, 0xc57f7c8fcb2206ba,
            0x2b4eff3b8a355696, 0x003fbb781b0ce16c, 0x0905e4b16a6f1c4f, 0xffa809e5c2b90e21,
        ]),
        affine([
            0x53dbc1cc1fc9b0a8, 0x9e337b5c705f3db4, 0xc2623ea5002279ea, 0x3adb9db3beb997ee,
            0x61ae7975f05bbdda, 0xaad9c8f9870266cc, 0x3c774de07c095ff6, 0x374e2d6daee74e71,
        ]),
        affine([
            0x63fdfeeedc9b1010, 0x8af4560fbe3617a2, 0xfb3849186f87d83b, 0x955a06c81d28935e,
            0xee4fca912afba731, 0xb11235c2617ba111, 0x6cccd23e5a770a57, 0xf9b036fe4d7e2152,
        ]),
        affine([
            0x17c1e61c5ec1c6b3, 0xc2d07c1dae4d6cb1, 0x2d70aa255fa0c3fd, 0x224d079c750eb1b4,
            0xe3a75a61d36c0f2f, 0x5c831cf19e8c9a22, 0x9f2d805845ac3c83, 0x1ab23b054f1fac9d,
        ]),
        affine([
            0xe84f029ed1a85e5d, 0x04ceea95fe4d74a1, 0x5dbf22c6a998e2b3, 0xe52dc2dd5ac5454a,
            0xdacb41c59ce9ec92, 0xa97b79b876ceee24, 0x2f9a60ad404b9580, 0xba43d458b74f0801,
        ]),
        affine([
            0xf583fd3a3f2e070d, 0x29aab71cc52a6a98, 0xf48731c3b85047e2, 0x4b72a5e9042f4abf,
            0xe44ba82ee96dd780, 0xb0b465ddd2948c3d, 0x60277bb36d0f3c10, 0x599e1d4e1d6ae1cf,
        ]),
        affine([
            0xc3d822faafdeb622, 0x02f96ce00978b804, 0x89eeecfda8941ca2, 0xd5583fb418f4f25d,
            0x2ae8409e793ad75b, 0xb8f50f1720deb766, 0x85def8a985c6cdbf, 0xd2de011eadede43e,
        ]),
        affine([
            0x2c0f1133de98603c, 0x4d8ae8a4b415ea30, 0xb5abbe25936d5088, 0xd279bc0cf7f58a85,
            0x4387f18fadd6ff18, 0xed43ef07e8db2581, 0xddd1fc4e937cc42e, 0xe19678a1d1c70650,
        ]),
        affine([
            0x3efc425f698985e8, 0x08f67ac54b733e54, 0xc41caf1932a5e4e8, 0x42f29ae83aff6c60,
            0x7f8ab4f057f48dd9, 0x75f79e666c562aef, 0xf40b0314a2ebea04, 0x2a0f01348bb87026,
        ]),
        affine([
            0x054e9e0c90ae86f9, 0xfefdff56963e7caf, 0x7e10955e56c5fc69, 0x129e53ac428e9cbb,
            0x822efdcd1e89c85d, 0xb2a232fd16b3e01b, 0xb2da2115b712183f, 0x415ecb958aee9a29,
        ]),
    ],
    [
        affine([
            0x47173b9d4300bf19, 0x92b53576a88fea49, 0x54160fadab352b6b, 0x1ec80fef360cbdd9,
            0x671cdc1cc107cefd, 0x0146e77f6295a07b, 0x2f3a4958a7abbf5e, 0xaeefe93756b5340d,
        ]),
        affine([
            0x0dae805d414ff9e4, 0x8e8462f6ebd89056, 0xcbeeaa0344fc90bb, 0x5be7ea3519f04bc6,
            0x4030b07847e0bdbb, 0x0e99c6302119a309, 0x477f890f655ab7fe, 0x32f32ec3f638e605,
        ]),
        affine([
            0x4b17cbbc52fea1f9, 0xc4ff0b508c0452b9, 0x3bcfddab67106531, 0xa6dc880a55d1f2e8,
            0x3b1c14e47bc345e9, 0x057b89db7e68f7e6, 0x038683a116acbc50, 0x7ef1a8547dc367c3,
        ]),
        affine([
            0xe3fb545f4ddb7bb8, 0xd50028649f853991, 0x0813fc8698df7f5c, 0x58f099116eae4e65,
            0xbdec73582e5b2d6e, 0x507ee4062d174302, 0x0d62ff7614638066, 0x7e07002aaffe111a,
        ]),
        affine([
            0xc8d40c3f06d6c9b3, 0x8c6c4ce874865637, 0x2bdc229c78a481ba, 0xfe6ba93fea424599,
            0x0c2c788fa948bdfb, 0xd980f1bf05c2e9b0, 0xb6bb41b345413b56, 0x7ee918d740539872,
        ]),
        affine([
            0x8b613e771c7985c4, 0x134bfc495b9e2b10, 0xe542842802f74c34, 0x2320b5caf7b59b7c,
            0x4ff4f1df4c2c6d44, 0xd96f10211cd9eb8d, 0x18c721b81f9bca93, 0xc79f943dc88be943,
        ]),
        affine([
            0x422f10730cf95151, 0xb964806e442c4b64, 0xb020c8c2dc08ded1, 0x15d5e2f146fc98bf,
            0x482a07cc2ff8ecf2, 0xbb204fb97dd8c0f9, 0x7f90e109789023f9, 0xa5b72e31915fd4ec,
        ]),
        affine([
            0x413c1606cc9a8e2c, 0x823d8d1a4cc1a1c1, 0x33bcc04fd860cb0f, 0xb0f9e4b9b29790b6,
            0x6c2066c4df3d0db4, 0x3350cc02c171cee7, 0x41cbb0b906fde3f0, 0x49e82bf1843ade6d,
        ]),
        affine([
            0x3d7810b9296a5658, 0x3814b25241ef6564, 0xd8c7e00927ae29be, 0x84c0e8725688447a,
            0x2d96729bd81b80d1, 0xd3a61a981f4f1fd2, 0xa087e3190653725e, 0x26598380c16022c4,
        ]),
        affine([
            0x5aa02f29d9d6fad4, 0x94b357cf1c9a124c, 0x8fad04ce213d59f4, 0x56db6280670a91ec,
            0x67a9c0fd359e0836, 0xf5b8b2a1a31e5cc8, 0x50f591016d6830c7, 0xda0d3b94db572724,
        ]),
        affine([
            0x375bb5c894dc6a0f, 0x7443419142fe1575, 0x565264e7a2c077c2, 0xfed6b1c71a93731d,
            0xccb8d72d976fc7e0, 0x1374d5930a3fc409, 0x8479181ae4d3ae23, 0x8de2abe6b0ffff0a,
        ]),
        affine([
            0x79fe0b0bca3a809c, 0xdab662f5d798346d, 0xbfbcf97e4254a89e, 0x125e7ec83933df56,
            0xda8c900a949e70d9, 0x1e4e3b2ef07fca3d, 0x887747caf5721a37, 0xe0d3f6ede254cb38,
        ]),
        affine([
            0xdb3885f118e29355, 0x2f1c8e9339720d86, 0x0fcef8604023b9d8, 0x2a6a4dd992d3cbc7,
            0x0053e00fb5cc2872, 0xfe905a3a64c4c76c, 0x760fdc81e268f90d, 0x8677dfba7c4a7e0c,
        ]),
        affine([
            0x7f529511e7681028, 0x196e235eafcb9bb4, 0xbf33ce97ddaf3d8f, 0xa1acb3f1185d20e1,
            0x1f1a463e14a11c9d, 0x66eecb271fa0d788, 0x6a047588288f0c5a, 0x55a883a61abbb29b,
        ]),
        affine([
            0x1f9fa88fe148dabf, 0xc1add2b9349d78eb, 0xd9764ec235fae735, 0xe42d93026c927546,
            0xd772c756811e1361, 0x3272757019e77eb9, 0xd8b38cebfdf38530, 0x6413862c6e2d84b0,
        ]),
        affine([
            0x9ddb5928366642be, 0xce3490717d58ba88, 0x91b00af4680dfa8b, 0x146a778c04670c2f,
            0xd0b297483d83efd0, 0x0aaa971d2f7e5ed1, 0xdd669827f9d4b287, 0xb318e0ec3354028a,
        ]),
    ],
    [
        affine([
            0xf814ba1ebadb2a65, 0xafd7f12ad3cbda31, 0x2d1469ddf0fc9f75, 0x5a3ce25b4d15b7e2,
            0xd8b170cf1d327f1d, 0x3ee28bc3d825fe8e, 0x873a6dbfbf3f99af, 0x8b34125b92e05f63,
        ]),
        affine([
            0x16a733754a9f44d0, 0x85dbcb6e69a8fa00, 0x6910be34f0de41ff, 0x5ce605af98f93eda,
            0xc0d05f3489d30105, 0xab3cb1bfa32eccc6, 0x7ba56bd031c76c58, 0x4cddcf9bec226bfe,
        ]),
        affine([
            0x56a7237ba16ddcd3, 0x044b110021ea0035, 0xf7b5beb6cb8761af, 0x1ae1ad36f64e99ed,
            0x7cc4619d2e7eb2b7, 0x59616addfcbb613c, 0x59c74f7752104489, 0x7016054987a09220,
        ]),
        affine([
            0x0e53d32b5f067ec2, 0x1a288ab5d5bba522, 0xb1a5bf6b7d88e842, 0xda1d61d0ca721a11,
            0x655fba0f1ad836f1, 0x66a73899d279b48a, 0x79c0766161c91e29, 0x8157f55a7c99306c,
        ]),
        affine([
            0x74a1e023336d4929, 0x4d0975233aba1230, 0xc8aff9e18b1bf580, 0x0d4195255cd68e0b,
            0x1a5a220c4dc6263e, 0x463364a369062c01, 0x2210f3e02327491b, 0xec6b347ddbb5236d,
        ]),
        affine([
            0xa993f04399158bab, 0x4c1326c3192d06ca, 0x4197cf3df2c5a067, 0xe2c6f4bb080f9b3c,
            0x5853cf27ad7a27f2, 0x411b588b9049fd3f, 0xbd12bb3611fef5c6, 0xfa927862d3c0b1ea,
        ]),
        affine([
            0xbeab85aadb5e2783, 0xe0ac9926aee69f72, 0x0131cb4001ea52e4, 0xd5b64a6db312d263,
            0x4082170f9dc819d5, 0x564cfbfcafb709c2, 0x00337ca183674cd0, 0xdc75c217d31bf407,
        ]),
        affine([
            0xb3c210d22cd3c369, 0x23605483e1f8e934, 0xdf85d5f61dc1283a, 0x9c7be00b4ef4c444,
            0x29ee3feba2329515, 0x3e31153a16769cbd, 0x52a26d455ce40148, 0x9220c0de74b20d20,
        ]),
        affine([
            0xde40c493c8bc1387, 0x98e35c1ff856a513, 0x6de70153cf267ab1, 0xc7c0e6a994e68c73,
            0xaccb4da744cf4ab9, 0xb25188e74634dbd9, 0x6dbb9d8664768cb2, 0xf6dd52cbc49abc3a,
        ]),
        affine([
            0x71244f67cd5870ff, 0xc519501b2c36b357, 0xcd8b76a3eb925d85, 0xc23683c17cc0153b,
            0xf8c50c2681445303, 0x8cdeba8a3f69a9fa, 0x61116c35b49df913, 0x1d5f8d3a16c879c4,
        ]),
        affine([
            0x38d989fe4f15c0b7, 0x1b5c93dc09f9402b, 0x557d61f7f16cdb77, 0xbdcf4a905dcb08d6,
            0xf5b90aa1f1959c13, 0xf08c4d13620b82c5, 0xe8a9b2d92c9e6033, 0x826a11cfc61434e4,
        ]),
        affine([
            0x15d87732fa95a8db, 0xb83ec0c4479d36f6, 0x19e96646991b1723, 0xe3e90da46303dd04,
            0x1016cf7f1b0d1cf9, 0xfbb1ef97cc984d3d, 0xb00faa90c702e76a, 0xfbe53bc0056c178b,
        ]),
        affine([
            0x878c83e18281d4bf, 0xfbb19a5ab317fab5, 0xc8ff408b366c3d48, 0x34782643da4a55a4,
            0xc69572af1f797b14, 0xf75c8351e3a090fd, 0x1d2726509548dc43, 0x13088a59a0b5d4b1,
        ]),
        affine([
            0xa60baca6830a66f2, 0x04daf1a9baef42d3, 0xccc2433616fb02a9, 0x2bc4b28671946e7d,
            0xa665000f4771849b, 0xd5d85b809fa210c0, 0x1b232c61f6c840f7, 0xa6837a92d1947693,
        ]),
        affine([
            0xd6e44e784a69785a, 0x931557b20f29f50c, 0xee2620c0ab14cf06, 0x9e2ba34002467e3c,
            0xd00f4c18c7ac4c59, 0xcf71ef6ccf171508, 0x69d77cdc60d82100, 0x224277b99efa636e,
        ]),
        affine([
            0x76bcd92d7bb8c9e3, 0x74dd06a70541178e, 0xb55664b238ccc491, 0x0fcd83f42825263b,
            0xe86d55fbdf4aa9ad, 0xadbeaecdf1627bf4, 0xd1d8232de5fdb683, 0x6c0bc1cfeac5fbce,
        ]),
    ],
    [
        affine([
            0x22f382de8319497c, 0x5d59b1fa512508c0, 0x2d39e56e6913cab1, 0x174a53b9c9a28587,
            0x83da13ac079afa73, 0x646b3a1d8cb98543, 0x57b4155f2c47f9e6, 0xccc9dc37abfc9c16,
        ]),
        affine([
            0x5f5da36f840dd273, 0xd53d280e0e450111, 0x30c7071ef1b92ea3, 0x20e6e2e796946bb6,
            0xc07cfd15bb46b593, 0x811ec9793da8693c, 0x4a0ba1ad97874655, 0xd3ad7afe4f1559e4,
        ]),
        affine([
            0xe948073d754b8367, 0xb775b77d67d506bf, 0x40caa5d458436a5d, 0x5e5a094ae446526e,
            0x45329a9d91ce85ca, 0x796aa9ef3de5ffa4, 0xc2c901f1572a4b7a, 0xae8af8c9a4795e05,
        ]),
        affine([
            0xe7b54f301a077674, 0x35ae68136cc24ca3, 0xa80280a07e71db70, 0x8e0ca824d7a351db,
            0x0b84cbec12b7ed98, 0xcff60419d2f91029, 0xdc569d24da62cf57, 0x04ec560759192d41,
        ]),
        affine([
            0xf198579397b10d9d, 0xe6a52f189d1f8fca, 0x9deccb83310cb82d, 0x00d4e0adb9702e85,
            0xe82100487140dced, 0x0b5898c978e2d923, 0x47d2f846432287f7, 0x87b8019818376409,
        ]),
        affine([
            0x7b05e8360cbcad59, 0x7c845a05a4e0aaa0, 0x7aa17c85a5f902f1, 0x2ed76c1152ac3600,
            0x14ac7a89c4ea66fe, 0x5f72c60130a7f941, 0x2cda6eaec81767ed, 0x639f4d4043b85f22,
        ]),
        affine([
            0x20811a609c9caee8, 0x632e2045b1a270bb, 0xf6f7a19aeec4a667, 0x0366521368ef74c0,
            0x0a9ec6a3b772b711, 0x01cba9893295ba7f, 0x9949fc681ba69445, 0x1f18c32b2a93ded9,
        ]),
        affine([
            0xe96afc5ea8192441, 0xafdb5821a321b4af, 0xc5fa63553e3d66c1, 0xf7bb50da51c982d1,
            0xbc640ea1d45165ae, 0xb1cfdc1fbbc4c74b, 0x311bc63bdde6485d, 0x93cc3be30334a526,
        ]),
        affine([
            0x53ff97519446c85c, 0xde37de08e601c063, 0xaa0676c453f6c6ea, 0x0e5891056fdb8f1f,
            0x5f6c77e72148972e, 0xf490234e80cddadd, 0x0ec7418baf481898, 0xe39a485f11fa7bda,
        ]),
        affine([
            0xe0349010055ae087, 0xc671b96fa3494a57, 0x2d3945fb743a1510, 0xa34667155b6ea598,
            0xcb3f366322887627, 0xc53eab6f2394f0bc, 0x8defe9a1aa2a3051, 0x21ca5fa5e56bc5bd,
        ]),
        affine([
            0xff18adf3c22e1259, 0x931739a40681362a, 0x2b6cf5faa0077771, 0xa740126d26f1463f,
            0x5f771724334a5f43, 0x17865e753b1d6dad, 0x1b05f174a67c7ee5, 0x05a9ffbaf194f1ff,
        ]),
        affine([
            0x830f4571e4b84b48, 0x91adf4c799e817ea, 0x41910f577d417f70, 0x5fb1df0e7d45a4f5,
            0x77edea6a37be8eb8, 0x0629c390873f21ad, 0xfbcf4646fe6d2582, 0x2152fbbcbc3c4d49,
        ]),
        affine([
            0xd88a17a3cb08f1fe, 0xd7ce7ee70ba087bf, 0xa65405765d82d177, 0x87e4b8216d9474e4,
            0x75f74ac9aed5e2ec, 0x6e2f23dbd6786d9d, 0xcd7d7f8ea2f8c2cc, 0xf74e3ac0766348ce,
        ]),
        affine([
            0x1146d987f9b8f255, 0xe77d43e7492a0d21, 0x1622e4608aa82fe9, 0x95bbd97478e1b8a4,
            0x010e3fe828361439, 0xf2ba72aefc777fc1, 0xdef2c208f0f2d0d8, 0xbed43ad129e3c77f,
        ]),
        affine([
            0x9a8700e6a1c4d15c, 0x105ea7bf07c0e74b, 0xa92c22c0c1254a44, 0x35ea1b463fea79a5,
            0xdc939baf7f3fe1ea, 0x5d633aa03065095e, 0x7888fa5fd74d3b18, 0xad2191651b9ed2cd,
        ]),
        affine([
            0x884fdff09475b7ba, 0xe039e730e4918b3d, 0x3d3e57edf5018cdb, 0x959396981943785c,
            0xe9b8abf87524f2fd, 0x9c653f64c8709385, 0x8ba0386a4b9cd684, 0x2e7e552888c331dd,
        ]),
    ],
    [
        affine([
            0xfa5aca58c56c3943, 0x5adbd02d56b76a5f, 0x8f9332906e48f6fd, 0xf7aef8a7e3844023,
            0x431f627facf442f1, 0xeec30184a8dcd003, 0x7c442bbdc3ab3fcf, 0x4e3b0b44d5ffda79,
        ]),
        affine([
            0x1fac945711924459, 0x7af2fa25a3c7a78c, 0xc5a2e29f0dddbb1f, 0xdfb547cb10019036,
            0xfa205e0dcc65fd9e, 0x22af0930e5c031dc, 0x8b8389ce9dc864cc, 0x9accd2a9ba0f4708,
        ]),
        affine([
            0x3c753d59a90bc03e, 0x84b0f39351e015e3, 0x9e5a925f74450f80, 0x2ceed8ed2c82072e,
            0x1cb72b8b7ab82adc, 0x4a1df9cf20d53cd0, 0xcd850eb7afc7daeb, 0xa4276b80e9b9de3e,
        ]),
        affine([
            0x3436f9b45617e073, 0x6bacbdbd3839317b, 0x90ee7896d7cfdc86, 0x64587e2335471eb8,
            0x58299e5e9faf6589, 0x85b90a39133aeab3, 0xae96dd6447c299a1, 0xd99fcdd5bf6902e2,
        ]),
        affine([
            0xae5576ea935629e9, 0xce7c179c4d4fca1f, 0x1e3731d6ece99641, 0x964d92e89023af13,
            0x88e439aa914a8715, 0x61063a92c9c03cd0, 0xcf011512dce7b9a2, 0xc9e214f3e48c6bcd,
        ]),
        affine([
            0x5b9c4d4bb009ee3e, 0x3726a1e678729ead, 0x2b7009cebc672de2, 0xb17a85b032ea2ac9,
            0x8063e51ee96b911d, 0x65216ca7c8446fa3, 0xf5c018fdc0c26eda, 0x966e269d26b29a65,
        ]),
        affine([
            0xa806722eebb4ccdb, 0xfce186c251a43719, 0x64f181534dd8c1e3, 0x5fa4bfac82be2a63,
            0x773734c4e5e21f80, 0xbb511d349bb00fd2, 0x20ad319a523f6e41, 0xd13c9eef84547754,
        ]),
        affine([
            0x44bcd88c4384480d, 0x94e0b6a22a91f2ef, 0x2cf28b54c92f0c12, 0xb866d6b142df940f,
            0x0e659b470c4cafa8, 0x24e522804b1d86d6, 0x89a278d7ea9ad7ac, 0x1914b0b3426aeb70,
        ]),
        affine([
            0x6535148a8ecfba17, 0x84482969bc6aac79, 0x20138413b594404b, 0x0feb7da5218601c2,
            0xbdcf1283d2abf9b7, 0xccaba7e89cfcc2c2, 0xff9cbc7e113be729, 0x4156bfa3bb3bb3ff,
        ]),
        affine([
            0x571e98aa91138d3b, 0x02ff6924161f658d, 0xf64279f901310546, 0x262574321d480624,
            0x286ca0ee2ee0bcb1, 0xae3769b9df191796, 0xc14fa56329528c3d, 0x6cd7e130b952c2b8,
        ]),
        affine([
            0xdb518e99bc2741fa, 0xbb9330ae772d92f9, 0x78203a04cbb77c29, 0xfe599a38db86cf9f,
            0x57e3bfdc8adf528d, 0x9d3be63ca0fab783, 0xbe800543a71042a9, 0xfcfa6a0ab07ad312,
        ]),
        affine([
            0xadf714720e103dd6, 0xc34604c07c004859, 0x36a213cfc592a17a, 0xbc477bd55a4203f8,
            0x639082d8d6f7c343, 0x5d293572c63b44ac, 0x6cbac552c6dea639, 0xe31e1e2429a8dd52,
        ]),
        affine([
            0xdd6d91d68faf151d, 0x9d22e9f759db2375, 0xf922d3a01c833dd0, 0x1ddb0d01b2ee1367,
            0xcb98439a8503a7d8, 0xbe00947d42da70a6, 0xab5eb7bc7b9df262, 0x460ed4b8d572ccc2,
        ]),
        affine([
            0x7e824c9bc465d4fd, 0x5216c6128e607245, 0x8a91c8021517f606, 0x75284d38dc7ddf8b,
            0x9b57426a278a2686, 0xe41b2bccb640b2c1, 0xc57942124a952efc, 0x0f7e87f7230f98b9,
        ]),
        affine([
            0xd7dd61b8c0bda3ae, 0x609c99978f8f26f9, 0x28c6d5d27c51f00a, 0xfe9252e212080ee8,
            0x039906e5329fd22a, 0x414a42c08f139c76, 0xac46d63129bfdce2, 0x1b5e4b742291d8d2,
        ]),
        affine([
            0xd229cda81db20d6c, 0xe2d52ae4ed4fe455, 0xc4d9d1646102ba87, 0xec2bb89085de819e,
            0xa0e99c4d629cf4a0, 0x33a2364be87efa98, 0x332f66f0650940c6, 0xccecc17661e013a1,
        ]),
    ],
    [
        affine([
            0xbcd6303f6caf666b, 0x7ffcfed3c4b1ce30, 0x62b6979ae817f463, 0x13464a57a78102aa,
            0x3f495a907f6ecc27, 0x48f300a81d0942e1, 0xef7e433453ccb0ca, 0x69be159004614580,
        ]),
        affine([
            0xc75849c6065084ae, 0x9182be7dceabe577, 0xec05c88c85fe12d1, 0xeb3cf8f532245362,
            0x6f67c1fff96b9480, 0xf52b45c5e7dbd2a6, 0x43fe63dcefdca4a1, 0xc833c78222d9d700,
        ]),
        affine([
            0xf216b2098eca5f51, 0xddea171b94fc9aeb, 0x2c6ed6b2bf05b5cf, 0xdde9d514dd9ee696,
            0x9ad69a73d0c638f7, 0x50feebe8de89571f, 0xd891f34b0a7f8f09, 0xb84e69133ce28111,
        ]),
        affine([
            0xf8e5bcbcc2e9a5d0, 0xa576fcf984a201d9, 0x4f7a60f2184519b2, 0xbdf1a67d092d9997,
            0xcdb4f7018562ff7b, 0xa6280b61e5626461, 0xa80be54a86bf7baa, 0x4095902bab65a1aa,
        ]),
        affine([
            0x2f906b05999c88e4, 0x9aed513e20ad46ec, 0x6e9f406eb1204b17, 0xfd1a621023699373,
            0x99c8c916595bc8df, 0xdc6b71d495cc00f2, 0xfb13c06954977782, 0x1ac97b54b9c8c20b,
        ]),
        affine([
            0x1ccc6a55a09b0cca, 0xa345758924a4d6f0, 0xd5c454f68a28da59, 0x0d538cb1dbb0f4c8,
            0x731b147e0c929e05, 0x8534cd99d89134c9, 0xcb0a8d5c40eed7cf, 0xc8196bac7a3ec110,
        ]),
        affine([
            0xbd515b5b5f8018ce, 0xcf2da5738d892d68, 0xf13ffce4f2c86dc7, 0x4ee48531d8c296b9,
            0x3c35a61b1e48381f, 0x71074971b4e80601, 0xfc7b4408d0c7c5e6, 0xb68f9ed4810bf8b5,
        ]),
        affine([
            0xbde5fc173b27e771, 0x8c3b4196477da62a, 0xcd5be267b64483b4, 0x68856a6eddc4ec29,
            0x6118d62a07bbdab6, 0x331d22f293b0733a, 0x13b6fd49c19f7b4a, 0x77a33df14f79a1fb,
        ]),
        affine([
            0x02852e91f1473678, 0xcba05795094392f7, 0xff5e314c55b8c070, 0xfd76cc9c34c400db,
            0x7e164eea8d144f4f, 0x60628eee1401c843, 0xe0fee0a73d032cd6, 0xf2046543787143da,
        ]),
        affine([
            0xb5f00532cee66b24, 0xe8b9c60fed7b8366, 0x80e44d99bf1aded2, 0x4cd5d8cfb9e9c7b8,
            0x221efdbaf40932fd, 0xca61e45e12d2faed, 0x9fe4e8c39cd6d103, 0x576eae82deb94b55,
        ]),
        affine([
            0xdf00b7148d7a2193, 0x2c691e44f197546e, 0x19e6ce8274b4ea21, 0x85a2aba33123b402,
            0x7f0c83d4b0cdcf3a, 0xe1c6dadf9c3b1242, 0xd82c6082d1cc029f, 0x9c129857eb2b0516,
        ]),
        affine([
            0x6ae303ceedd7e577, 0xd3a0f2568536c4d5, 0x5ac6047270ea2107, 0xc352d50f8828f7b2,
            0x3ca4ff88f8d9b570, 0x00a8abb2b6121706, 0x6abd53145bce79fb, 0xbe772838ba76b9b9,
        ]),
        affine([
            0x35b0305b377568b0, 0x35ae8dd019e03b05, 0x440b6d6c5783650f, 0xd25ddbfc73cffe74,
            0x60a13926df39929c, 0x832273881e3c3f00, 0x8beaef74cde7d92b, 0x7a3aff7593f84893,
        ]),
        affine([
            0xa33563e81e712536, 0xa85051f56ff5fe71, 0xe086de71ab635e9e, 0x06914e86b0a43a9f,
            0x2a247713801128f1, 0x896c226b0af7a9da, 0x27d8aceae5ac28c0, 0x2b7e792852d9bd05,
        ]),
        affine([
            0x55fe5118a71d7c13, 0x641ab5f7fa0ffa38, 0x55f07e9a97aac805, 0x4581353143e94a72,
            0x9638bc553aff63cf, 0x7020065542bd96b9, 0xb57f50f177dd69c9, 0x9f5858ec14979ad8,
        ]),
        affine([
            0xcada3a0d2d83f366, 0x0cd9ccede2f28588, 0x9aef430bcc1dc97a, 0xbc4a9df5b713fe2e,
            0xd758d666581f33c1, 0xa6e8a9fbfa547b16, 0x383937adf4b798ca, 0x0d3a81ca6e785c06,
        ]),
    ],
    [
        affine([
            0x226aee642651b3fa, 0x8ea1b365772df434, 0x3703a607253f31ef, 0x2564fe9b5beef82d,
            0xdb82e6a301e5122d, 0x14f37dab6b79816e, 0x95fa14ae1203925f, 0x8ad9f7a606783890,
        ]),
        affine([
            0xb178e3d3ae180068, 0x7ea3d56c20bd3103, 0xbfc6c5c0c30dc01a, 0xff3d6136ffac5b0c,
            0x70a6bb6e188c6077, 0x547676f24001f5e6, 0x40d0372cdd96adc1, 0x133239be84e4000e,
        ]),
        affine([
            0x5cb023498de0545f, 0x80e625da2106c74f, 0xa375ea004b3508ac, 0x52045bcc58e07124,
            0x36ea34c0506c3d91, 0x793b9d0f2a8fdaf2, 0xd430ed9c20ce312b, 0x1b3f31fcebe3123a,
        ]),
        affine([
            0x48c4ba111faccae0, 0x3c8b350c5a4bb337, 0xc1dd94ce4f071fd2, 0x08ea9666139527a8,
            0x55af34a30e62b945, 0x35b783be9cf0f8e9, 0xe24e7c0cfb95c5d7, 0x620efabbc8ee2782,
        ]),
        affine([
            0xc07411b06a95b067, 0x9be5cb2bf65de634, 0x44c6998ba0263ccd, 0x07854241cc189cce,
            0xef7b95f64c527226, 0x4461d03eac930756, 0x2f05cba013753a18, 0x2f4ee9feae70b4cc,
        ]),
        affine([
            0xb61cfcc47ddaa5d5, 0x319e80d3a54d4b7a, 0x4e8efe4566966073, 0x04e9991b92fa8c4e,
            0xdd7e003fecba1c91, 0x3ce09f6e1a55f570, 0xd9e6ad1d8c095730, 0x62fc15ddde2b27f1,
        ]),
        affine([
            0x3b9663d5c3f2b0bc, 0x5c523f4ca6622f5a, 0xd07786a3fc910904, 0x0840fb547d45944e,
            0xb1c537431523c530, 0x91cb46383ac4d666, 0xfcc2192c8e415e4c, 0xe0f7f20e6e05b2e6,
        ]),
        affine([
            0xa293131da190b632, 0x63cf2a23a4ab5ab9, 0xf3a66df315559d82, 0xc25f637176220cd9,
            0x6eebf3d6fc9590cf, 0x0a9f04ff9e027a1d, 0x989049903809d798, 0x53154fede94d2873,
        ]),
        affine([
            0x4c3f41bff8e33b7f, 0xc9b6f1b7e20d41e8, 0x37c65803d6ffb4e2, 0x8897ab8164ea8a10,
            0xbed071031aa7d3cf, 0xf7db1f6c9691acdc, 0x79564b3e9f6bee4e, 0xc69653860536c7d8,
        ]),
        affine([
            0x209584523225accd, 0x36a7ed53483b13ed, 0x720567e6b46e6362, 0x2934de46a6d921f8,
            0x51324fa7195d22ce, 0xb748e986e8b38b62, 0x5401b3a83ac038d5, 0xfa686967d96d8328,
        ]),
        affine([
            0xd6b2fbdc836727d8, 0x7a9e698fb962b108, 0x1ccb237986c1b967, 0x1ce48f4b53257be0,
            0xfebdb58d9fe1fbfc, 0xc5669f3cedfb2ce2, 0x63cdb9bdc20b7933, 0x8b9a3f9eb0b55fab,
        ]),
        affine([
            0x21a40b5966a06f5e, 0xa34192516ea08370, 0xc37b0d421263b716, 0x383b24fbea14253a,
            0x089f4786d3c6e772, 0xe8f6ae74bb8c2b04, 0x44cf566d54ea5a19, 0x54cf706ac4edba20,
        ]),
        affine([
            0xe1d5910e923ea968, 0xa5ad3866196a93b6, 0x10cf21c6d0934479, 0x5dc3bed6e61e0a2b,
            0xe307aa7e9b9b2350, 0x424801cd477c8f27, 0x445fbbf450674d37, 0x0824f320b74c45f9,
        ]),
        affine([
            0x5ee726efae0f15b1, 0x23ef38897a859853, 0xeda0b0db6832e4bc, 0x2be073f6b294a01b,
            0x86ca56fd72a8a41c, 0xcee5a18f33cef007, 0xd9ff7f9a741d5827, 0x9eac07b9cb63d567,
        ]),
        affine([
            0x2869f5daa90361dd, 0x636f530e7b2b2fe1, 0x5e60d760c5a6b295, 0xfa1b1e96ae1e2741,
            0x4057d89863bcb129, 0x09da66a1dd3da437, 0x7cdf570af19ba2dd, 0x070c090d430bb15b,
        ]),
        affine([
            0xe2ccb3b7d466d561, 0x0c7b55dc31978b4d, 0x3e82d82a5688544c, 0x2a9e8dfe3cce6bab,
            0xf96ccf5252e76373, 0x5e01eaec17a02182, 0xbac7b5ad608b96cf, 0x01dfeda5c16e651f,
        ]),
    ],
];
