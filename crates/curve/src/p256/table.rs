//! Multiples of the generator of P-256, in affine coordinates. The tests multiply by each of them.

use crrl::field::GFp256;

use super::P256;

type Affine = crate::msm::Affine<P256>;

const fn affine([a, b, c, d, e, f, g, h]: [u64; 8]) -> Affine {
    Affine { x: GFp256::w64le(a, b, c, d), y: GFp256::w64le(e, f, g, h) }
}

/// 1 to 16 times 1024^i times the generator.
#[rustfmt::skip]
pub(super) static POWERS: [[Affine; 16]; 26] = [
    [
        affine([
            0xf4a13945d898c296, 0x77037d812deb33a0, 0xf8bce6e563a440f2, 0x6b17d1f2e12c4247,
            0xcbb6406837bf51f5, 0x2bce33576b315ece, 0x8ee7eb4a7c0f9e16, 0x4fe342e2fe1a7f9b,
        ]),
        affine([
            0xa60b48fc47669978, 0xc08969e277f21b35, 0x8a52380304b51ac3, 0x7cf27b188d034f7e,
            0x9e04b79d227873d1, 0xba7dade63ce98229, 0x293d9ac69f7430db, 0x07775510db8ed040,
        ]),
        affine([
            0xfb41661bc6e7fd6c, 0xe6c6b721efada985, 0xc8f7ef951d4bf165, 0x5ecbe4d1a6330a44,
            0x9a79b127a27d5032, 0xd82ab036384fb83d, 0x374b06ce1a64a2ec, 0x8734640c4998ff7e,
        ]),
        affine([
            0x509302446b030852, 0x031fe2db785596ef, 0xa02dde659ee62bd0, 0xe2534a3532d08fbb,
            0x5c42c23f184ed8c6, 0x4efc96c3f30ee005, 0x19dfee5fda862d76, 0xe0f1575a4c633cc7,
        ]),
        affine([
            0x21554a0dc3d033ed, 0xef8c82fd1f5be524, 0xd784c85608668fdf, 0x51590b7a515140d2,
            0xd1d0bb44fda16da4, 0x0d012f00d4d80888, 0x8ae1bf36bf8a7926, 0xe0c17da8904a727d,
        ]),
        affine([
            0xc6b0aae93c2291a9, 0x024c740debb215b4, 0x92d3242cb897dde3, 0xb01a172a76a4602c,
            0xfd7c48538fc77fe2, 0x1c00f7701c7e16bd, 0x6fec0e2dfba70379, 0xe85c10743237dad5,
        ]),
        affine([
            0x300628703187b2a3, 0x7ef9f8b8a80fef5b, 0x25bb30667c01fb60, 0x8e533b6fa0bf7b46,
            0xc55e1a86c1f400b4, 0x53c73633cb041b21, 0x6d069f83a6f59000, 0x73eb1dbde0331836,
        ]),
        affine([
            0xb4dd9dc1db6fb393, 0xc1d238980fce97db, 0x4042742d3ab54cad, 0x62d9779dbee9b053,
            0xda540a6a0f09957e, 0xa2ed51f6bbe76a78, 0x4ff15d771167cee0, 0xad5accbd91e9d824,
        ]),
        affine([
            0xd79e8a4b90949ee0, 0x9e0acb8c2c6df8b3, 0x878938d51d71f872, 0xea68d7b6fedf0b71,
            0xe85a224a4dd048fa, 0x4d714feaa4de823f, 0x87014a964a8ea0c8, 0x2a2744c972c9fce7,
        ]),
        affine([
            0x4c36069404c5723f, 0x45ca6c471c48306e, 0x591214d1ea223fb5, 0xcef66d6b2a3a993e,
            0xca34bbaa44af0773, 0x590ded29fe751eee, 0x6e123cdd9d3b4c10, 0x878662a229aaae90,
        ]),
        affine([
            0x433391d374bc21d1, 0x16742ed0255048bf, 0x0638379db0c21cda, 0x3ed113b7883b4c59,
            0xe2f8eefce82a3740, 0x090d04da5e9889da, 0x24c843afa4f4c68a, 0x9099209accc4c8a2,
        ]),
        affine([
            0xd500c5ee8624e3c4, 0x79983028b2f82c99, 0x4626537320e5d551, 0x741dd5bda817d95e,
            0x1995ff22cd4481d3, 0x8eeb912c35ba5ca7, 0x567383554887b154, 0x0770b46a9c385fdc,
        ]),
        affine([
            0x98e15d9d46072c01, 0x792e284b65ead58a, 0x61805df2d85ee2fc, 0x177c837ae0ac495a,
            0x9c43bbe2efc7bfd8, 0x26ee14c3a1fb4df3, 0xa24091adb40f4e72, 0x63bb58cd4ebea558,
        ]),
        affine([
            0x5709277324d2920b, 0xf126acbe7a069c5e, 0x7a76647f4336df3c, 0x54e77a001c3862b9,
            0x1ba7c82f60d0b375, 0x7171ea7773509008, 0x42121f8c05a2e7c3, 0xf599f1bb29f43175,
        ]),
        affine([
            0x63668c63e59b9d5f, 0xae03af92de3a0ef1, 0xadfb378999888265, 0xf0454dc6971abae7,
            0x47e59cde0d034f36, 0x2a3b21ce75b5fa3f, 0x4e6594e51f9643e6, 0xb5b93ee3592e2d1f,
        ]),
        affine([
            0xa5eb4787e1277c6e, 0xcd28392eff6ca038, 0x8b821c629836315f, 0x76a94d138a6b4185,
            0x0e9ddd724b8c5110, 0x8599a0040fc78baa, 0x6cb0a1b5e11e8720, 0xa985fe61341f260e,
        ]),
    ],
    [
        affine([
            0x80e76bb98e61ca07, 0xcdc5849ae1d527e2, 0x897299b9eb6fe80c, 0x16949b7287d4f481,
            0xa09c2be7a0420427, 0x4d2d6ac6fedf983a, 0xbdf997b75b601209, 0xe7a4146d770edede,
        ]),
        affine([
            0xe1404a861abe45c0, 0x281b195ff46f925a, 0x886a8f4749b86176, 0xb01a67f716475f72,
            0xc72f0dbe0090106c, 0x72fc676341b62c7f, 0xacd56b13164ef994, 0x7c521bbf5a3956e2,
        ]),
        affine([
            0x8136da613fa8dc8f, 0xfc7405cc6e1372f8, 0xb7438645c660cb24, 0x8ac1f41fb4e187e6,
            0x1d95f312d9509804, 0x1db6fb884fbadd73, 0xc1506fac6daf3cdf, 0x2122b32472d8fce1,
        ]),
        affine([
            0xf077e8daa245573f, 0x508676f2f4fd0a64, 0x997789672e6d6bd2, 0xe716aed2cf069e4d,
            0x505fc26b469218d1, 0xd13d0df2fa07c9b3, 0x5912b06687b9a851, 0x353663e694fc72ab,
        ]),
        affine([
            0x2cbb081624979e15, 0x1b29e35d0bb3874d, 0x84e52856756a5ada, 0x5c778d63b7f951d5,
            0xc2f5ec44ce5c2d09, 0xad90452aa2f8b84b, 0xb67a4d0956da13cd, 0x689e2d546cf6d795,
        ]),
        affine([
            0x5d18010c365bbbb5, 0x94ab9d3c9720159c, 0x1dd84007ab32aaaf, 0x366621d26ff74a7d,
            0x7a4288b628d7b9ba, 0xc9d107d3f85ff164, 0x9e3a7b0d3caa311c, 0xab45b5a8168620b3,
        ]),
        affine([
            0xc29fca5c319a9404, 0xd0add69936f4b5ab, 0xea1d16b5375ae409, 0x2ca4b282c5257f8a,
            0x4292b2b38713cbc0, 0x63db4cdcf0554a77, 0x07a3d9c64d956a19, 0x1a727f66f9c7234d,
        ]),
        affine([
            0xb5113c2b357174b3, 0x6b2e5d2fcec451f4, 0x2f4541cf25b5e81b, 0x5a57c3e3548207ef,
            0x88cf5959383437e3, 0x28886700134bb928, 0x01b1165729f34433, 0x077c7b303e692246,
        ]),
        affine([
            0x0cd53f64a017bdb6, 0x84c5a4de54dedce5, 0x3f2f281a908f405a, 0x0a366982f77fdc18,
            0xc08fbeee278fe6d9, 0x82a342314baf0536, 0xe0e96a0863592dc1, 0x851661348d706d71,
        ]),
        affine([
            0x7beaa0a7d8cbe0fe, 0xd9862a99ffeb66c7, 0xbb8e07d004c26d7d, 0x9c1da1bec0103d66,
            0x46b810d77678aa4c, 0xed26db5b2dba885f, 0xb8ce195bcc10f82f, 0x35f479dd93c7a59c,
        ]),
        affine([
            0xa1077331c244cd50, 0x892f2ade36ddc0df, 0x4fd9fe52c2b51308, 0x900c7141696b3897,
            0xfacdefed4c240640, 0xeaad477ef78d560b, 0xa885dbac5720a3be, 0x59f223cdc8ff7b8f,
        ]),
        affine([
            0x7f987930657008ac, 0x19ce1ecee329edfb, 0x64e5558a4c1da22d, 0xd2bf898d6f507ce8,
            0x8111534a727beb55, 0x679ce10ab5ff0798, 0x3f8195db3fa90c56, 0x69c0b1cb5a6b77aa,
        ]),
        affine([
            0x63b3957e9adb169d, 0x75c82a6504beedcf, 0x05568619975e1fa1, 0x853e1344f69fd248,
            0xbb998155eebb15f2, 0x9834c44e4c1efa39, 0x33e07de3a4fbfe8c, 0x9dd04ab5b0706e2a,
        ]),
        affine([
            0xe0ce297bc6e6b74a, 0x258f434d7f8e2ad8, 0x57427ee71f78277a, 0x171d5d025e6b6d1d,
            0xb68cc40ece0141c8, 0x21552a06bb352dfd, 0xeb9773a52d738fc2, 0xcc5d054fca2358e3,
        ]),
        affine([
            0xe24db04fc6100c5b, 0x984a5d2fe431530e, 0x19f563efa5387722, 0xe55ecebdc9a04943,
            0xfb7b9fe29764a57c, 0x050d7a2612f365b4, 0x3dfc8d506c46d4bb, 0x275850b65ab12289,
        ]),
        affine([
            0x8937f00facb006ff, 0x1a87a974797e4fc5, 0xd10920adecfb86ad, 0x5ce96505eef7208c,
            0x818dcda107152613, 0x669d20bebd955c2b, 0xec56d1f22fde7bc3, 0xd16b6ebd381f5ad5,
        ]),
    ],
    [
        affine([
            0x8f7dcecb7d96dff1, 0x30e431c1aad5fcfe, 0xfef6a0b570cd98d5, 0x0ec73885141fe54f,
            0x9ec841ac7c7b552c, 0x1d5264ce87ed78aa, 0x91acc4ef58065251, 0xd6224f4e87ae875d,
        ]),
        affine([
            0xb183b5399660b7c9, 0x9ba12b3112fb6dcf, 0x059a0e2532c8f0c6, 0x477778364e6e1cde,
            0x5c205fa39918c3df, 0x5e0604c1f142ebcf, 0x7373efb6a7c89e8a, 0x2dd89d00b8389e31,
        ]),
        affine([
            0x51c324ab088d58e9, 0xe94a5c1c64e31838, 0xe992a46a7c42a7b6, 0x96dac3fdc7064a86,
            0x80349312aebebc5e, 0x685be89b9487e6e3, 0x856cc4949382c439, 0xcb1faff3ad46c1ad,
        ]),
        affine([
            0x0fd8013b26d69d8e, 0x2ec38faf35f45d26, 0xc73d989017e14dd2, 0x353d458d3491b5a8,
            0x842b9d0020f32b82, 0x825dfc12fb71a9a8, 0x3130fde40c040a8a, 0x9c7d37bf4f5bde24,
        ]),
        affine([
            0x8952ad132db29f92, 0x1d21d271b947b2c5, 0xa105dc378aeb8f81, 0xe297b23ceb14f312,
            0x60f294c8a5e58ddb, 0x1223cebb85ed4141, 0xb480dbabb8cd9149, 0xe1372520f8cb70b4,
        ]),
        affine([
            0x3f4dacc55b5e6a6c, 0x86679fdea1d8de80, 0x3171bdb6d33f07e5, 0xa737bb3da35a3b5e,
            0xb730c7d69054745d, 0x0d4e7d487692ed0a, 0x2b1e765d8e905f15, 0xc68f53e01f98ffd2,
        ]),
        affine([
            0xfd943b7b8ad88c33, 0xd91ae394d9746bca, 0x6b06bc920d24da97, 0x1cd22338fb2b94b6,
            0x628ea784248fb1b2, 0x13fe51315eca1e49, 0x96c8640ab136bc27, 0xfc3acdf838ab48b0,
        ]),
        affine([
            0xaf0d4e79e330c098, 0x28e6bf035dc617cc, 0xd57180ff0b1ba76e, 0xddad6bf0172e2240,
            0x3e5a994d63b67b58, 0xfa333bad2db9d140, 0x7530a4736125adda, 0x0b1371e6935a2189,
        ]),
        affine([
            0xf53ac89c3b26aa73, 0xcdf7e11b0c63a0e0, 0xcb1cad30dffb1ee0, 0xf462d7adb9e9fbbf,
            0x245eac1778479e73, 0x49e8e0a300502cca, 0x0d53ba4a68733c7a, 0x406a0d1a78345314,
        ]),
        affine([
            0xf58bebae5b2e97cc, 0x89ef670c852039cd, 0x1d6f05da10f6cd68, 0x22ad3fee717113b9,
            0xc2d34ede848b42a0, 0xe03640043cb4cd37, 0xd0a598db6a4dcc1d, 0xbce4ec07b05351a2,
        ]),
        affine([
            0x3ee1e02abcd015e3, 0xaf90e9597e650227, 0x75bdbeb3ca895168, 0xe0f68925d3f70caf,
            0xdaa24d42d2157cce, 0x55b8b5391e2936bb, 0x5362696c7274c77c, 0x08531e310e483aa9,
        ]),
        affine([
            0x2082b63685ce7562, 0x7c8ded40b882a851, 0x5364f7c14bcc66e2, 0xf6c5ef5db04ed3ab,
            0x0747f96b177eddb3, 0x51ed33cad490a6f0, 0xc5a533360dba5118, 0x4149117a17145d88,
        ]),
        affine([
            0x1e6c43114bb76b12, 0xea8e76773e192769, 0xc1d82b312af75a00, 0x28e4adc1552bf57f,
            0x57e453a7ec4747bd, 0x03a0a60f171628ff, 0xf4e4b65b6b9ea3f7, 0x14d74c4efd9a01b3,
        ]),
        affine([
            0xafae5fba343040c6, 0x20d07018ea77661e, 0xc78446b476dd149e, 0xdf30ef720fcfe8d0,
            0x2f3560036ca02b72, 0x43cb0cf4429c03bc, 0x09278a77d903449d, 0x18e1aebf6d6dbb45,
        ]),
        affine([
            0x8bf5801fe76ff697, 0x369b688652076462, 0xd271edabb3a097c6, 0x85a0ba2794ba805e,
            0x309ed4da52142721, 0x1de97ffa790a58b9, 0x554790d3dcedaa55, 0xadf32e61eac3e24a,
        ]),
        affine([
            0x3725c5dce392d805, 0xa87a8069875405d4, 0xa4a54daafaa3449a, 0xf8f5dccf4c6a93d7,
            0x026619516cda02fa, 0x51f3da64a52143ba, 0x389d3e3364613273, 0xe58176cf66d63054,
        ]),
    ],
    [
        affine([
            0x67e5fdd7b8087dde, 0xd0434584477fe2e8, 0x712e02810be246a2, 0xafff5af92c807615,
            0x178346acd44eb3a2, 0xaacf175292ddabe7, 0x099a747ee10a2a22, 0x659f6ea22cd060c2,
        ]),
        affine([
            0x99fb69a100371f53, 0xe89dfdb368bc6669, 0x05b8000a73853a82, 0x8437a7cab8f3e67c,
            0x248872d7879cbbab, 0x10e124fedbfbe259, 0x735483f43819bb8e, 0x968fd75882812a40,
        ]),
        affine([
            0xb510cae477159a25, 0x1f456b063da3e65b, 0xf5f7b88e7e1bda6e, 0x0701a78dd6546551,
            0x0a843a51fbfcdba3, 0x55fe9158099dce97, 0x19eda0a206beaa8e, 0x8bd65e64e6b94200,
        ]),
        affine([
            0x3a5a9e22185a5943, 0x1ab919365c65dfb6, 0x21656b32262c71da, 0x7fe36b40af22af89,
            0xd50d152c699ca101, 0x74b3d5867b8af212, 0x9f09f40407dca6f1, 0xe697d45825b63624,
        ]),
        affine([
            0xbaedccf3af80a8d5, 0x8abb24cfdd8458b2, 0x64e37c5733d6e47f, 0xac5c0ea53d7aac20,
            0xdc3e6c2397189bbd, 0xdce49aaade49ae03, 0xa1ac880b19d843fb, 0x3b63c4111da64486,
        ]),
        affine([
            0xf8ea12fff137c3b5, 0xac01f36085a2f378, 0x32db784c28027edb, 0xeb11786bd03b93f2,
            0x271de2c145843884, 0xa3a79b8406a46fb3, 0xba89a8a2903f814b, 0xd4cfcb6683f39367,
        ]),
        affine([
            0xf4391323763009ce, 0x909b0e10a257f191, 0xc7c689c95bcff7de, 0x0955360baa14d7f8,
            0x0a4dbab10f29115a, 0x0c28fd95a560a4d8, 0x9abe047f2f8ed1d3, 0x9bb3410097624eba,
        ]),
        affine([
            0x336dd1e7c68278c2, 0xa1dd10b8a60e47c0, 0x6554caa343adfa5a, 0x6177947147864343,
            0x9d03ecb2efabd2cf, 0x327969992317a1a6, 0x03bff005c8986473, 0x4ecee7d5a568791f,
        ]),
        affine([
            0x1b352ecaf467de7b, 0xf9d4782802457b1e, 0x2919c0ecfd8d30a6, 0xf5064f9553cac5cf,
            0xe48ced4c5cc33980, 0x7b89599675cd86d3, 0xee8eacf9162f68d8, 0xbc55e2f5494db117,
        ]),
        affine([
            0x78e2b3262778531d, 0xeacb264a088aaf5c, 0xe19a22c0ee087221, 0xbe930a6137958360,
            0x19c2fa5ba929b468, 0x2a4b72572640c706, 0xda5d6c746119889e, 0x6dd3fd455e08be27,
        ]),
        affine([
            0x8ae7064e1460904a, 0xc3bce0ba733b23d4, 0xc055be02f57674e8, 0x6b5c81b42a12c460,
            0x88ebf7bfb0ab37b4, 0xb1ba14ed47d2f0fd, 0xdca55e1202de0132, 0x77016daafd496a3d,
        ]),
        affine([
            0x76a78091df0922a8, 0x8e90e9d2545cf8d9, 0x80924e56022f8b80, 0x4b656a405b4e2d73,
            0x4dadcac5999a80bb, 0xd473b9e2b9850f69, 0x20d04cc255d8c4d6, 0xee1ea31d12e77839,
        ]),
        affine([
            0xbe5a5c928bf8d413, 0xddea274558dcb953, 0xbbdc5beac6b19825, 0xfb368f5999fd0932,
            0xd7c418fe59f8e35f, 0xeaf34bc7f66d36b2, 0xd3b99bd825969f01, 0x4263c1d549a8a8c9,
        ]),
        affine([
            0x011711190f6cfca8, 0x22a56b445c2ab2f4, 0xb91a33689cf04a17, 0x227788f7c398c652,
            0x7a4b13f268fa4fd8, 0x978e7e37f367acd2, 0x7b4e92dea3c6bded, 0xc5e95706573d97fc,
        ]),
        affine([
            0x1ba8979c83efcbc2, 0x31774e2836b670c8, 0x5a7e33da0e8f614e, 0x338a90cecf87b24e,
            0x5b0c72c613bed317, 0x58ca506bb79f8605, 0xbb759c00de660eeb, 0xeaa91688df84a380,
        ]),
        affine([
            0xaeab93965a7d9344, 0xf7221aba0101b56b, 0x193d8758abf96019, 0x521cf0cd89729d1a,
            0x4529f28196b7064a, 0x7a1341ca5a95fba1, 0xc583fe0ed386371b, 0xd60220dacbf9e9ba,
        ]),
    ],
    [
        affine([
            0x258fca6c4d9aefbd, 0x1efe47b273b95775, 0x32ca9f0d41bc43dc, 0x0fbc341c8c669d76,
            0xed3b6ea9d3e71ca0, 0x950b069e200a9ff1, 0xe4014b1d4957d3d3, 0xbd8022632f360e3f,
        ]),
        affine([
            0xf3a6db8a73e44b54, 0x54dbeefa7c1e27f7, 0x2dcb6c352620546c, 0x829019319d8f776a,
            0x6803f5e4fe5fe6ac, 0x9f47a0a101135484, 0x65888d6eac1dd9a0, 0xe6a26e713ea8fa1d,
        ]),
        affine([
            0x8796dffee9434837, 0xadb3140b8620c1bb, 0xb1341c6ffb4fb06d, 0xd76d18abc4a87aed,
            0x4faa04f9bb215b4c, 0x90a458e775b7ccc2, 0xde0e4214f7ab9332, 0xf6bc4da32ed96644,
        ]),
        affine([
            0xa5e743ceea394a20, 0xb41ca518e198a281, 0x444cd57db517ac92, 0xc48dbfa12299cf2a,
            0x4a0580dbea77a75b, 0x9440b125991bb5e2, 0x64ff2e411bdbd6cd, 0xbc83cba00e1380ba,
        ]),
        affine([
            0x02e89f219c07f222, 0xc5e21c63ac60fe7d, 0x4f481d1a1f1753d1, 0xd5c0c6506167ff60,
            0xe2ef691e0c6ffd57, 0xbaf3f51a78813a86, 0x0cde0c77f49f75b9, 0x15a30b860817b885,
        ]),
        affine([
            0x5bb8cbe596a178d4, 0x2233bc4ff408a8ef, 0x4439015b8bce969c, 0x1b71b816fcb52791,
            0x4a2d7ebbb5507f51, 0xe0e5b6c1f6cc1171, 0xde6ef1c28d738fc0, 0x7e659d1da48a8e2c,
        ]),
        affine([
            0x4a4716a24e93bfa6, 0xd39d295a09a1362a, 0xe549cba66b4c9fe0, 0x734c364e4a46f62c,
            0xfc6fa79998d10774, 0xeca13620890297c4, 0x9de981e3520c5f48, 0x09951503aaa79d04,
        ]),
        affine([
            0xcd013f88b049e7cd, 0xe8f9257ae57fdc00, 0x3be71969fc3a9301, 0x987f256d58cff937,
            0xb7254bbc6efa35d6, 0x47b4605207aaffdb, 0xe860ebd60007e39e, 0x8e92695694ec505c,
        ]),
        affine([
            0xf0eb517f5fa194ae, 0x0640291d9a054aec, 0x01175d9d2a9eb149, 0x79a3d9da07b66a89,
            0x4fc65e9c9fcf634b, 0x6bd425f32f79bc4d, 0x4b3671b858af03d8, 0x84e1dbca7254b1b3,
        ]),
        affine([
            0xd66ec4e5390ccfa9, 0xc41860a21b4b3b74, 0x2f50838a4e371875, 0xa72cb8e993ec35de,
            0x22fbe345af0fd4a3, 0xf1a4c6edbdd2bb28, 0x7b5b7066fc5d44b9, 0x91a660e391681a4c,
        ]),
        affine([
            0x6ac9060021e8b7fe, 0x5dd0e2e17785b26a, 0x8a3e4caadcfc98e0, 0x3393fd094d5b0582,
            0x0c142442023c6821, 0x8e56b30a8a9b94b7, 0x2eafeaed9c5a668d, 0x130437bec867beb8,
        ]),
        affine([
            0x0a5db33fc75f4ddf, 0xe955273186ec58f7, 0x8507a52f4805eb98, 0x41db43d818f963fb,
            0x285c41fbb53425b3, 0xd53db5d79f7f2e31, 0xdd2ec30777538b8f, 0x4210da1ad0865781,
        ]),
        affine([
            0xa09579d561528cf6, 0xe6a0250af650694e, 0x5e1b4586ee5b0a52, 0xa16b2886134627e1,
            0x80b920f9fce93f3b, 0x3493fbc813cc8013, 0x913ced79d81150f4, 0xf40598ae8537ad99,
        ]),
        affine([
            0xb81dbe564d20d1b2, 0x2e47dd806702f9f8, 0x7f9e7be17e483448, 0xaf7e078e17f3e1d4,
            0x7230ae89764cc6b3, 0xe6600a25c7a08da4, 0xa62ddbae81b2497e, 0xd8bd0f435b22b2bf,
        ]),
        affine([
            0x3510a66b8c8db2e0, 0x473cbdc15f0d7358, 0xbf6c89aba95a74f6, 0xd317ce2018e3474c,
            0xa5b34a2b274bc9a9, 0xcaa274d022b860f3, 0x99c2c3e8e3979136, 0xd61a210a9093844b,
        ]),
        affine([
            0xc6e3197aa3fe67b2, 0x34a8bfe70a2e3338, 0xbc666b9ba97323b2, 0x6608c243773c85dc,
            0x1923fe5ce5b47a28, 0xc22b159f40c54308, 0x846f640da746e03f, 0xa1a916bec521c168,
        ]),
    ],
    [
        affine([
            0xe834110d03f61c13, 0xff6986d6f1790dd7, 0x2d3ad94e07c7976f, 0xfe4091010eb8cda7,
            0xc3d3cecdbda0b3ae, 0xf986fbdb99e1d973, 0x39486faf093b0b79, 0x081759c1da404032,
        ]),
        affine([
            0x13d00c248fa8ee41, 0xcb4e6644c7743648, 0x1e80957063154403, 0xc90e300839dd5895,
            0x47a63667c3d7c1ae, 0x5045534717accd6e, 0x9c0710c653840362, 0x62f504176d19e73c,
        ]),
        affine([
            0xf790b4efa70216ca, 0x57e23b198e1539ba, 0xb21c60ae448fb2ea, 0xb6ee9f71ab3f761c,
            0x24865ba1c5759234, 0x76eed96a290f9f0b, 0xc820b826a8e9f4bb, 0x5594644173e90b46,
        ]),
        affine([
            0xeea6bc92071e5c83, 0x8bd27f198542a0be, 0x20a845b72a58e5b1, 0x54ccc9415026d73f,
            0xcfd08ef7140916a1, 0x929e0bcc5d8ee496, 0x3a8f8715dad2bf22, 0x1c433f45b4514532,
        ]),
        affine([
            0x5e83c1881804b608, 0x39b430c99b8764cf, 0xebbfa82f8a419da6, 0x75a6eb7a5d44fc25,
            0xac80e2b48dea40b1, 0xa98e984c2b6ae4d1, 0x52cd759a9ef508f0, 0xc2e6c60e0ac53359,
        ]),
        affine([
            0x80d6a10ee81009ab, 0x8d92c3390c86f674, 0xf2dbc179dcbb95e3, 0xbb4c47e5d1785b70,
            0xba08a200f453918e, 0x3bb3cb4b71f627b2, 0x2cbed20569956557, 0xc84daae9cb40b5cf,
        ]),
        affine([
            0xfd8a08bb26e46d21, 0xb86482c564329e43, 0xa60998cdefb3d048, 0xaa9f87a500b3b2f1,
            0x5e21def6338adb52, 0xa076f1dea4b93e4e, 0x1c1ef5cd4c767622, 0xee7ccc3d3d491de1,
        ]),
        affine([
            0x831bb80c01287c25, 0x83fd5b1e946f64b2, 0x9d841014dcfbe833, 0x29e34b1bed8aa814,
            0x1d23ad1d75a7e46e, 0xcf3a198b6e15a439, 0xc1417cdfccd96b25, 0xea4397df95eeb3a3,
        ]),
        affine([
            0x6d659e5cdc1ceed3, 0xf4bdf1e202b17e1c, 0x3487f1853adf0eb8, 0xb7551b5e6cb749d6,
            0x1d26fc560a1f5c45, 0xe5c81d8e4d45e539, 0x699bb3557267c74b, 0xde3d47529eddaebf,
        ]),
        affine([
            0xcfc5eccac1474e43, 0xe586cc720a138166, 0x6a25cdbecfd581c1, 0xaea55c66f2e4a2a5,
            0xc53940add1a384dd, 0xe2849a2f51278c9d, 0x2c54db6bba099417, 0xcf2439bd060d4e61,
        ]),
        affine([
            0xd5c5069abbce3cde, 0x79f358725c9e6323, 0x3cf3296573a478fc, 0xf718dc14f03d2341,
            0x6cce23393f6d8e5c, 0xd51f61fd4d827148, 0x33986bf8eb6a48a1, 0x14a2256858f70f0d,
        ]),
        affine([
            0x4c5e3622af76167c, 0x2f2f422cc4746739, 0x39c22c692dccd9f2, 0x87582edcb73eff95,
            0x6c6fbb616f4d7ff6, 0x88028f0677197be8, 0xfde102c3c37236a8, 0x075b94350ad64a7b,
        ]),
        affine([
            0xfa3cf155cea3cebb, 0x42e24fa78eda8c48, 0x29db1dcd79e87907, 0xc1338b3a5d0233d0,
            0x1d89c860c566c4a8, 0x83192b9690a0b539, 0x8c1a1f4c38df5871, 0x3538240816406b09,
        ]),
        affine([
            0x2b07de6597c0dece, 0x68a5143f53d4b43e, 0x86175cb9a96c5edd, 0xdecdcd56fafafc39,
            0xfc436d199bf599c8, 0xbf7cfcd89f721c1e, 0x4f50bcac9f66f791, 0xea4c1c808ad23a15,
        ]),
        affine([
            0x8096ea620488810d, 0x881930a3fdc5adf0, 0x3ccf357f44482cf0, 0x06d2ae903c1d7273,
            0x92cc48606bbcd1cc, 0x08cee8dbed6aa893, 0x5a39a3782ca531e1, 0xf6c749d10f910134,
        ]),
        affine([
            0xf3d5be3a53a3a383, 0x876f31533ab62409, 0xea5b5f1d3c001919, 0xd2a076367c5ba19e,
            0x65f2abb22e7e0640, 0x5981aeff3f598bce, 0x6643a0f5bb9dce30, 0x79aa09b893b7fcc0,
        ]),
    ],
    [
        affine([
            0xbf9f4172b066fd48, 0x1c37101cb8971583, 0x06c79b97a6badca6, 0x241c567a4227f1c5,
            0x7f7d2c6792857b08, 0x8ea87138aea36605, 0x9363817c043203a4, 0x40a62d93d4302d4b,
        ]),
        affine([
            0x42ae5b50783dfb7c, 0xa518b52ea2004466, 0x609077a9243b173c, 0x4ea220c78bed1c8d,
            0xe5d9e6e88415e13e, 0x28c2a2b452324480, 0x27417d9d954c8298, 0xc644dd2f1ec88d3a,
        ]),
        affine([
            0x861f7db90df9591d, 0xdcec3ac242b4c82a, 0xcba0d3c4ab327218, 0xde2fd23b826978e9,
            0xb4e1973d0457ad84, 0xda9a8a1f88c036a4, 0x05ecb7ec84b92ebb, 0x400d71133b6243f3,
        ]),
        affine([
            0x0f02e89487d70d2e, 0x558dd9397551ce0d, 0xeb27e145f21c1935, 0x9c8651ced75ae94e,
            0x9cd3da9320f35d28, 0xf3ed01a82d75cf12, 0x3bb36e293a2454c8, 0x9532e363ad04e53e,
        ]),
        affine([
            0x2ea8254af562282c, 0xf02f3af938fbc377, 0x993948b024e11340, 0x8df889b0304ccbdd,
            0x7256abd961d195cd, 0x247f7044cef9bb15, 0x6c741e63188af35e, 0x74525b673205ceed,
        ]),
        affine([
            0x9ae50a7e3da4a543, 0xb2b21c2e5edd208c, 0x439d86dca7a03fbb, 0x211a671daacf935d,
            0x532117bb36b69c0b, 0x37810c54418a6cf7, 0x436d68dca868838a, 0xf46d47a89bfef4a0,
        ]),
        affine([
            0xf9d528950dddb2dd, 0x078864cdcc2c0da6, 0x001fb80cf152f245, 0xa0fd758cd98b80f8,
            0x7fd94ff873ede6b2, 0x1c8ce96f89409a7c, 0xf8691fd313b08f31, 0x53e5d835c13368d5,
        ]),
        affine([
            0x17a4f678c5d62af3, 0xe93e7ca26bc0ec36, 0xa708fbc0a52e5a71, 0x298a401a6ee92414,
            0x94763ef0af0a3d96, 0x4866e6b9604ed6ef, 0xe40985ffc80c90df, 0x18f9a3aa04fe0466,
        ]),
        affine([
            0xe08cbaa04f542e36, 0x4e22ffafa13415c2, 0x7de59267946335d8, 0x3170c58472d1a0f6,
            0xc6c475aef63288b5, 0x006f75695999be1b, 0x37515093feb9773d, 0xb2083612fc3a7fe2,
        ]),
        affine([
            0xe94c733ab6025d6b, 0xc002060fa12bad98, 0x32b2db74238391dc, 0x5b099db0c70b101c,
            0x22502ca7f82fc98d, 0xb5d4ecd04852eeb4, 0xade148d1f5f01656, 0x9f529e2e79a81012,
        ]),
        affine([
            0x799b23a5dc7548e9, 0xd8dda8070892d54c, 0x9db481694f063fe5, 0x92fab0a90a2d3e02,
            0x8c712cd04917758f, 0xc8a0dc68ef2d0848, 0xf431714e0c2679ff, 0x55e7b4680cb246bc,
        ]),
        affine([
            0xdcb5d5b2e7795486, 0x33d2e0ad04572cd6, 0x643976f1021e0380, 0x60ea8cdd9a9cd83d,
            0x07d5cc267caf96a1, 0x475534ed19cd7093, 0xead5790fd0685f4b, 0x262967e6f092d4b0,
        ]),
        affine([
            0xe0d8050b9498f7f8, 0xc4df67d326411622, 0x9d0be11b192c8712, 0x91b065be18035517,
            0x3c740d9e3f23195b, 0xdf2c7b425789639e, 0xff9ff3490017e264, 0x035b6f77fb671620,
        ]),
        affine([
            0x24f9181974eed127, 0xddd013e967492859, 0xf408b832247dc145, 0x1228c7e6bc4d4a41,
            0x6a01cc351a1da910, 0x90f8cdcb12f0f703, 0x492b6cb25f9a6b04, 0x61044d3dde684ebe,
        ]),
        affine([
            0x51dcbee24060e322, 0x3ecdc737a9c4d14b, 0x9c390697489ab992, 0x8e4a1f4ccac9cb3a,
            0x4e2183cd904619d7, 0xfb00a98d954fbfe0, 0x2fb05ed2406e7bc4, 0x4936b75eb328d775,
        ]),
        affine([
            0x90e75cb48e14db63, 0x29493baaad651f7e, 0x8492592e326e25de, 0x0fa822bc2811aaa5,
            0xe41124545f462ee7, 0x34b1a65050fe82f5, 0x6f4ad4bcb3df188b, 0xbff44ae8f5dba80d,
        ]),
    ],
    [
        affine([
            0xea6d95d177ae84da, 0x58e6ea55222034f3, 0x41e0be2b789273a0, 0x99eba192aadb019f,
            0x8da39dbe02155cac, 0xb630d866d7108d10, 0xf4f806644530184d, 0xfc4dc4cde1efbfd9,
        ]),
        affine([
            0x896bf7c7f7f96003, 0x9d4e993b7604a5fa, 0xfc5945ce21621e08, 0x6d50856433968435,
            0x0271ccaaac7e969c, 0xd6c0d6dc8263a0d9, 0xc6bc5d8aa2c7eef9, 0xccf57357e968c6e7,
        ]),
        affine([
            0x37876c952cb163ff, 0x13d2b7e10192292f, 0x1c57c7ccdf9d70e0, 0xdae897c18d42e1a1,
            0x1c8bea7d89379690, 0x8f0d25be5f08faef, 0x6322b3cf21d9789b, 0x5f4c0f44a1b406a4,
        ]),
        affine([
            0x60aafad170aae231, 0x5194b85279f96b7c, 0x85f248239267756f, 0x1d35c9699761e3f2,
            0x5867063accd6ac71, 0xedf58aa4729a66f1, 0x1d660ab622ebf810, 0xc7226cb62df60823,
        ]),
        affine([
            0xee7bb7e4192a40cc, 0x4341afb60c0fe585, 0x42ec9a37fb97fe9b, 0xc1ca6e8e625751c9,
            0x73bda2f9b67b230c, 0x2e99326de6643f6f, 0xb7a70a2375e7ef0c, 0x983420b43cac283c,
        ]),
        affine([
            0xa516f7b967f6f3cb, 0x235fa4185345ad9d, 0x8488aae18f37186e, 0x1e482db081bd0770,
            0x799dd6479cf9be85, 0x18a72c70839d3667, 0x03414d3fd3ffe16e, 0x1e27e2ede27d6d86,
        ]),
        affine([
            0xa86fd80763219f97, 0x28fbff904e207597, 0x1e46b49821258bb8, 0x0bbd7ff4f12c0cb2,
            0xe14b2c4396822b36, 0x416d267ca51bfcb1, 0x0354d471b056abe8, 0x193304cfe5d409f4,
        ]),
        affine([
            0x501a327426432d92, 0xd9c9823c2b473903, 0x9910e1c2a6397ab4, 0x6f2b065a7800cdd8,
            0x6d2d1c4963e17c9f, 0x093bf02de33dbecb, 0xeb1472cf700826c5, 0x0acfeb77e5e7a2e4,
        ]),
        affine([
            0xfa51b14dc3356048, 0xafe2e5f5010670f1, 0x7e934c4aa57adabe, 0xb1ad179e98cbc252,
            0x85272a8b628c91cc, 0xd65d573452ab08ac, 0xc299d35038b168bb, 0x5eda7d28f1d03e81,
        ]),
        affine([
            0xa5dfa5890dc80734, 0x3340f26a6ca30eb3, 0xd2652deb43454ba3, 0x5cf61510a74f4c84,
            0xfa95219523d9fa21, 0x63d22cd89e78d9ef, 0x75d86b68d70017bb, 0xf47dd1460d32d02d,
        ]),
        affine([
            0xe8f5ea6bf6f474ee, 0xeeb4b28d19f7598d, 0x6e681259f088a6d9, 0x8f55693c7cc5c5e7,
            0xfcc5d49a068ee681, 0x30abc0e4c608a383, 0x1e3d8015c37960dd, 0x01ce7bdbf5932fac,
        ]),
        affine([
            0xce0d3fe18cfa3fac, 0x23ad869fc32b8193, 0xe2cebb45d60d8030, 0xdf3d4047a6d2234c,
            0xf4626d938fc7d419, 0xafd63ce496882975, 0x24aa21f29c0f9dbf, 0x48fa6f5229fd40db,
        ]),
        affine([
            0x9e092b7643ba4fb1, 0x85652297a1199a61, 0x44e95a527d672e49, 0x2998d70f33591179,
            0x9c295ec2b374b16e, 0xabf4dec423c4b9da, 0xc815c316696ed83c, 0xac2621bb72ce61e4,
        ]),
        affine([
            0x16fb89fa8d9815f4, 0x408720015a74e83a, 0x7fc7233ae8885c1a, 0x97e5d85ec945dfd8,
            0x3d46915c6a8b953d, 0x53b53117c45d1464, 0x6e811a6d85990f1e, 0x186ea7e4237f9f75,
        ]),
        affine([
            0x7574c0a34361b766, 0x4710e140bc1396c9, 0x0dd0bfdf2d2f1874, 0x45c2e3bbfe31ed52,
            0x2e6711771138b248, 0x643985e0761cffb0, 0x05fc47d5e2b2c75f, 0xe467abcb4b0bed95,
        ]),
        affine([
            0xe3065e088a6edbf5, 0x2f3352569662876b, 0x68991da7fdadd0af, 0x870ac12ba3dd7774,
            0x1906d2dcf02f8ce3, 0xd03c64022e5f297e, 0x8de7efd769d05a67, 0x7543728b999a7699,
        ]),
    ],
    [
        affine([
            0xd4d3d2de4351964c, 0x346924376f5412c1, 0xae5abca185755c08, 0x6e29f959be28c47f,
            0x118824bd563fd88f, 0xef640c527a0bfb63, 0x5052ec6cc184246d, 0x34565d9f500f32f6,
        ]),
        affine([
            0x61e0f0efe5e84da4, 0x3b09f0776ed90cad, 0x10cfa381496e6894, 0x8efa0f79b5909a0b,
            0xfde19f42596969d3, 0x79957c4897816035, 0x9fa46f1c5daafd14, 0x242418e7934cd613,
        ]),
        affine([
            0x3f9501038c0e49cc, 0x41232da85bc5400d, 0xdd8288decbb740ed, 0xd691d4a978970f6e,
            0xdd0bb4c1d00f4152, 0xac5be1d02ad043f2, 0xf7fbbdb5763e0c52, 0x7a79e7874b78f397,
        ]),
        affine([
            0x4acaf2c0023ac4ce, 0x1f8973e31eb3f397, 0xb9d6d6d0f360db2f, 0xd0d4af73cb8fdb30,
            0xe3df0360a47dd6b9, 0x61850b1c863aae77, 0xbbe9ccee3e529530, 0xed90f8c8f15d7ddc,
        ]),
        affine([
            0x3d876b9f2b9b930a, 0xdeb1352a4530f58f, 0xdee5b7df7a7bbc49, 0x2a5d6846a2e0d7c5,
            0x86ff345f3b2caeca, 0xea5b73435e271685, 0xe5ccf03903c4ab58, 0xdc3d7c096876476d,
        ]),
        affine([
            0x0bc6e130b886719a, 0x165cb495470922f0, 0xfd851c4d332b75e3, 0x8b277f8ce445915b,
            0x078b30fe6ed37c38, 0x55213780cea31a3d, 0x6e4b52ee69ec9139, 0xcf44d77b164543bc,
        ]),
        affine([
            0xfa7dcbd2816959ef, 0x7679d056741db59a, 0x2f0431412e275df8, 0x8764496a389bb526,
            0x660311cbe0cd5010, 0x2856ad4172f9e3f1, 0x9e0b412796ed961f, 0x599b69d61d002ffd,
        ]),
        affine([
            0xe399da6192397d42, 0x38d1d60251256eac, 0xa6d6f71b65b85f90, 0x829b8dd0ed5452e8,
            0x91b71631e3df5612, 0x5c5adc4263ad1a5d, 0x99e73c8a896241af, 0xd300ec543fccf46d,
        ]),
        affine([
            0x639409ce3aef0f84, 0xb0bb506a871c75b9, 0x33de3fac17adb8ca, 0x94d393bc812471b1,
            0x85ae61b9378ba7c1, 0xdd3f402650acf12a, 0x1e1cbc386b239a07, 0x5a826ab4eb4b63f2,
        ]),
        affine([
            0xeadecf09028cdcb4, 0x72a1b40690a1cf86, 0x2ea231dcce55180f, 0xe925a006c6f2a348,
            0xbb9619760589af3a, 0x8ead37dd62073759, 0x4dd045436194510d, 0xe402787fad456996,
        ]),
        affine([
            0xed455784effed1b7, 0xe2dbd126564aa3b4, 0xd17509702d34bd2e, 0x4a72b5a0889e4e2d,
            0xb5f29fd89601dc5f, 0x85e64b8ec74d9845, 0xc8c33fc047c8ea96, 0x3531e6ea4a1d20e2,
        ]),
        affine([
            0x368f5340ea0046bf, 0xcfcf8a096442a045, 0xec01db905a3615f7, 0x88ef3688969b1509,
            0xebe6ad23bfa86f2e, 0x8ae2d212f193196c, 0xdf93deea7a4b46fc, 0xe4204ddf22f356b9,
        ]),
        affine([
            0x02043f25d0467317, 0x9141dc41d8d9186a, 0xa78666f2fade7900, 0xd7f01cfc5a371e15,
            0x5cb957d5cf7d014e, 0x28a01743697fbd89, 0xec7361406c15ef57, 0x888dbbd987726c26,
        ]),
        affine([
            0x33be1811b6799f9a, 0x85d6390acdf4c550, 0x072db42a73b408f2, 0xdbfe86d71283894f,
            0x50de611dc79dc6e9, 0x7faef77d234e71f8, 0xa558a73fbf3e51fc, 0x445b3c7d17c68718,
        ]),
        affine([
            0x3bd7590a7dea02c1, 0xe4fbb9b7c774087c, 0xbe80bf9d91e31206, 0x7e50a0b9f77c371b,
            0x33c946dfed45c201, 0x7423934f158e1b28, 0x616c6f1ddb8b9517, 0xc3405d3c4e0fe29c,
        ]),
        affine([
            0x28a7d4110cb71280, 0xc141c259a8456311, 0xc00f2ef0796f458e, 0xff046a9eb2bfeed9,
            0x7ec3271f5ec33919, 0x012b6e6ebd28487a, 0x0a01eddbdd4cfcc9, 0x432f55acc0953a17,
        ]),
    ],
    [
        affine([
            0x47bde79706bc8d71, 0x7a39f95bc79b0d17, 0x21190e12fa0e745a, 0xdcad8b2a7eefb2c7,
            0x470cfe2ea297fcf2, 0x2726c4077b717b56, 0x2211993ce07c0fa3, 0x8bf1287ab91faf9b,
        ]),
        affine([
            0xd7273629aa99ad56, 0x13fea55aad0e2f87, 0x4dca9848228c57c4, 0xd9f8b3771d318bc5,
            0xd4e919385f5c61b9, 0x995de59a31f63cb4, 0xc6551557fb70a4a3, 0x07aad641f0d22377,
        ]),
        affine([
            0xd3df8e1b4354f993, 0x5cd8982354afe75b, 0xfed9b396fbba71cf, 0xadbba24f50e000a2,
            0x25b83ac1a2af4773, 0x5c756a550b61eb26, 0xd3628f1206ac8f2d, 0x7c112ba338a4d9af,
        ]),
        affine([
            0x84b6b8ec2b519178, 0xb63b9998a43d1fc5, 0xcfe08cf8b5e2ee0a, 0xf41d7f4bb5e50430,
            0xa7a1665dca6a3551, 0xab49acc36919e1f9, 0xf1046de3faa82347, 0xe6a669bebd9af8d6,
        ]),
        affine([
            0xc1442fcf5ab315f3, 0x9ee4b2877fdd0e48, 0xd01fa423e1b9d3aa, 0x1b2143bf1134659a,
            0xf5858c3509c0b2a2, 0xc6a0ff22af80f11a, 0x5da16d1cbf1c3220, 0x3f2898eb18b05ace,
        ]),
        affine([
            0x2520ddd3982dfcd9, 0xdc9e19b57625f44b, 0x7db9ee21062786ab, 0xbe0bacd23f75dace,
            0x9395004c7eaa0cfd, 0x08f1533293ee4eed, 0x8c55ec2d1ed11f36, 0x0bc6e3310ab05384,
        ]),
        affine([
            0xbcebf65461b71e1a, 0x4fd1fff1e58a1e21, 0xcfbc775bd9884b8c, 0x8f98bd8a8d7ab285,
            0xfa46258537920fa3, 0x00a3642f8f5991e5, 0xf65e5d2431dc81e3, 0x8fc01072c22827b6,
        ]),
        affine([
            0x2a937e108f089b4b, 0x0d80e91bd6616f3d, 0xf85bc3da3881ec45, 0x3b2369ff19ddd591,
            0xf065556f67f00f4f, 0x3970e7b02723e7c1, 0x2d22213dd27d7876, 0x5df102ecb29a762c,
        ]),
        affine([
            0xd8d7d6bf9e99da43, 0x48dccd1ffc739217, 0x946e69a4ebd2852e, 0x1e91abce8a3437a0,
            0x380c79bb89f99675, 0x1930eb8d8d89b41c, 0x282b5417503f4a6e, 0xcc7368757a0169a9,
        ]),
        affine([
            0xa0b2f6ba5d225fbb, 0x0054c145a5b0c177, 0x697dc5b6432cc475, 0x55dbb4ef0bf810d0,
            0x6334c45d29b83476, 0x4f69540c5aceba60, 0x3c21385741da7815, 0x9bfba15c744d791f,
        ]),
        affine([
            0x0f4fd9f411929622, 0x771c6ce8c636eb23, 0xa1f987840124d754, 0x2f811c21fb73d05c,
            0x5263da71811ea8df, 0xc3ea7272d8ef480c, 0x2f95e4166d7fce74, 0xe884232c4edcd537,
        ]),
        affine([
            0x1a71313e1e3501d9, 0x1be82ce1bb61fc8b, 0x3332d691d62d3e61, 0xd65f827ed62d4e7f,
            0xab9446c6eb55759e, 0x61c13aad5d730be1, 0x537b7ca5166b87fc, 0xf24b60fcf09a90fe,
        ]),
        affine([
            0x04fd136d36777960, 0x21f22753cab85ddf, 0x232e6a09f0580f4d, 0x527caca07bf65c6d,
            0x02afc6d5bed2a81e, 0x2cfcdb065b837597, 0x7d2c66e8cf16da18, 0x98414b552ad59c99,
        ]),
        affine([
            0xf5448b6b70201cfb, 0x441c493909f5db8e, 0x63fecb79356066bb, 0x5dbc9856b4f91046,
            0x9af8c784d8c97aba, 0x9731e45261704800, 0x9f86fe8442541d86, 0xed9968da35ac8fa9,
        ]),
        affine([
            0xbf8fc6646671a75f, 0x95b8dc5cf37d5161, 0xcfcd5be0692ac0bb, 0xecb938672ee4c793,
            0xd811f484b5d63cae, 0xd1b8810452be693a, 0x27ba00e622293567, 0xcc286cccc373cd1f,
        ]),
        affine([
            0xbb180bc7b8352aa1, 0x997cd06e999c1020, 0xc7661093249bff8f, 0xeca3eef00455b406,
            0x85f3ad39ecc12ea3, 0xa8359b399b78ed23, 0xf6b863f37ca79007, 0x9e6bc281e78c25b8,
        ]),
    ],
    [
        affine([
            0x6628d837008e2df0, 0x32c3b2574328e5f7, 0x012c29df8bbe0f50, 0x2eb3910bde2ab995,
            0x0910cc4ed274eaae, 0x9540d120ecf65f49, 0x77d37d348da4999f, 0x3f29c02337474b3a,
        ]),
        affine([
            0xfe39d9aca1dc428e, 0x10ec719690525db1, 0xfba2f5bdf8f04826, 0xd32e851a25c965c2,
            0xb551d5b501cfe158, 0x31f58d904694f768, 0x45cc6d22a98a8340, 0x6bec05a1fcc5d64e,
        ]),
        affine([
            0xbf02b84b682867f0, 0xa21426e21b190a39, 0x2aabd16a780900f0, 0xf6e9db88e64c7ce2,
            0x475b3af10f1861ea, 0x27041ba5f970b623, 0x81d93b76e8c0d5b1, 0x53ca790b7ad2ab74,
        ]),
        affine([
            0x71fc28e6e42f662d, 0xc681312779800dbf, 0xf54d0746449c0331, 0xe644041c2ed2cff4,
            0x6711c11d66e6d591, 0x52e1678f917fd7c0, 0x4ba0050d00c7b4d0, 0xbc79ffb9de665acf,
        ]),
        affine([
            0x9add0438f20d6102, 0xf06d5378a3453940, 0x785c15b9b6199a5e, 0xfd1ddb38760e449d,
            0xda0a6491ae003b7c, 0x163e191211513983, 0xedaa1f1f7883b700, 0xcb54b8739050638a,
        ]),
        affine([
            0x60621d9f7e801ae2, 0x77b825cffa6774c6, 0x974719da5058f18d, 0xbb14b0b942c15ac6,
            0x8b0de51e5c1dc5f1, 0x795e4fbb66856143, 0x87483ce636bac7de, 0x96ae967f4513a674,
        ]),
        affine([
            0xf3f7341dc2c77cb7, 0xef6d940902dc15b6, 0x9fe4a73e65ee698f, 0x61a273c22599901d,
            0x854611f81ddb25ed, 0xc5c5ad9a70ae1f74, 0xf4ea219f5eeb0cc9, 0x5bbacd334d3ad3d3,
        ]),
        affine([
            0xdd030872b7314c65, 0x4c287dfb6f6e6aad, 0xb59f52272ca6064b, 0xa626c3f311cb5315,
            0xb6607db5a63f1919, 0xee365bd68035523a, 0xd949b781e9efc624, 0xbb882a6b990ec04c,
        ]),
        affine([
            0xb998d56e377d8976, 0x5e173a38e30f292d, 0x4cb02c98229d04b5, 0xcd2e8e65ef7601b6,
            0x11696f41c867bc22, 0xf60ede0f35428c05, 0xfc31ce8f2d46ff68, 0xf58ead362342a31f,
        ]),
        affine([
            0xece636d0b24e5799, 0xaf13ce53415b8d3e, 0x16d066739a778615, 0x45af3cdde409657d,
            0x924a679bf98c446f, 0x1e0867d2e800dd10, 0x3b941c0c7496f37c, 0xa4988caf8a60d7a7,
        ]),
        affine([
            0x609b306c2c67c998, 0x9a9b07eaa3cf1b86, 0x40225ea8a4304c25, 0x9bd61f9c38223efb,
            0xc340af9c28199514, 0x927d9c1e90424b18, 0x5c8f2096969450fa, 0x77b20409916c6f5c,
        ]),
        affine([
            0x1e56f33244c73526, 0x886df7cdd3beb534, 0x2673a399356dfaab, 0x50c2845be4dc506f,
            0xa744f4de53d49ab9, 0xd87e018a680d49e2, 0xa6a8d73b5fd47d25, 0xad81723489b95f70,
        ]),
        affine([
            0x6a45e17beaafa568, 0xb4cd7a97701e2276, 0x12ae27a41117a016, 0x7afaeb4f79707775,
            0x3ed53a2f81c1f2df, 0x972e694329d39023, 0x895d14135041365a, 0xc6efe61933fbd27d,
        ]),
        affine([
            0x5cd9a87b3cc16c2f, 0x3d0c0108d3434b8d, 0x59606dc354dfb1fe, 0x0c402240c35341fe,
            0xc4694cfc55d78e18, 0x4e33958f7033b3c9, 0x5df2a69a71d1d760, 0x61684deb17df1610,
        ]),
        affine([
            0xb7e703e50e59ddeb, 0x483e629cad1e98a8, 0x061d94c1496b0c3b, 0xd9a002227e2412f9,
            0x5f393ff80f0af5a4, 0x8562a8bcab5f18ce, 0x43c60f8a43670581, 0x975eb2f93b7a022c,
        ]),
        affine([
            0xc739a5ea3ecca7e0, 0xa7d2c98f6743333e, 0x0fef6335224d9428, 0x7ef2ee3c5c792a0c,
            0x302b22dd552ac094, 0x81b21450dfbd3d20, 0xa4f67f51d5e609db, 0xafb6862730acc011,
        ]),
    ],
    [
        affine([
            0x29dd16ed044c1b21, 0xd8432893c3d8180f, 0xb39e7d7665bc22d4, 0x1b3e00b320971112,
            0x8de24014b7f594c7, 0x4fff41a9f0b6a9e9, 0xf11325d9c0df7684, 0x9b442543faf3e2d2,
        ]),
        affine([
            0xc828bbee5ab90065, 0x26ddc475bbfa75b7, 0x899db93959f2e876, 0x778468f5252b48e4,
            0xc8f76aa2f2d79ff1, 0x27bbcaef00acdaaf, 0x6f65136a7f01e2e9, 0x43341ab10eb39ca0,
        ]),
        affine([
            0x627cf469e42f35fd, 0x27a76bcfb6baee4c, 0x99fa24688e7aeb37, 0x439f864eb2f08528,
            0x3865a5b530c62d57, 0xefa584fc6ea72915, 0x7f3af4671cb58401, 0xf56850929086dccc,
        ]),
        affine([
            0xf0699bf9e2f2b734, 0x79c3bb5b5501d267, 0x0634a786f1164457, 0x224a02299eecc99a,
            0x840f585491ec7fdf, 0x07b704b673c7afd0, 0x149a08ad871d7fff, 0xfa41a8d29b6d22b4,
        ]),
        affine([
            0x585375cabd02ddcb, 0xa32200c9c18ef0b8, 0x2a456aca05eb30cb, 0xa500b5e265be8505,
            0x3fea597e1f706567, 0xa617764f8a916118, 0x93765960b8dd80c3, 0xa8f1bbc439045e86,
        ]),
        affine([
            0xa8fff4d79346c2df, 0xc6f5a8e1e19b71c2, 0xb2f8eb79657a8f4d, 0x9ac3f43c8321a8d1,
            0xc2a95f0d8a1f27f6, 0x06f1812ac6b9b978, 0xb86b8bdc78d39209, 0x01f3824758584a7f,
        ]),
        affine([
            0x64bd76c86570e2bf, 0x22dd2a2101ef8473, 0x2f996f44d72b29f2, 0xc135aae9c0a903d1,
            0xe59165874895044c, 0x59973d259c9d0758, 0x1ac4b29bdadee7e7, 0x8fea9925b794cd3c,
        ]),
        affine([
            0xa8df3dae1991e607, 0xe310d10e196e11de, 0x760f78b8af6b2261, 0xafd35b35bea5bda1,
            0x5e0b73bc4308126f, 0xbab7d9872155af41, 0x96d8ee266b81ec93, 0x03555f48e204e994,
        ]),
        affine([
            0x7a90f018ef00bb37, 0xbf08357dbc71fb6a, 0x81dde707f35ff267, 0xf3d653bdff1bea3c,
            0x067c3213f036cf01, 0xc3a03ea5d27c30df, 0x6b866991bd302937, 0xac27e2cffd8e78d9,
        ]),
        affine([
            0xb58e78013dab249a, 0x019f3366be594ca4, 0xa57dfd9426a79d81, 0x6a54e295b077b488,
            0x28b4c0c55b8a38cf, 0xaf5b4c347874b82d, 0x15ffe9908b1dd648, 0xccd1b715dccb16f3,
        ]),
        affine([
            0x252098f0a8260144, 0xbf53fff34d38015c, 0x7cae0dbc74d446b6, 0xe1fadbb55eabc5ec,
            0x78bcddaa6ca5a7f4, 0xb32fd14562ae44f2, 0xd9bf6754e8062e86, 0x1963fcd090ffab6f,
        ]),
        affine([
            0xc9e92f475d254033, 0x78368280c2a4707a, 0xfcdadfa688b6f240, 0xe63502ee153cec59,
            0x7e8aa88968f05e3f, 0x2c915a0c4bfcf360, 0xad74e80f0709ce48, 0xa7c5837b1f621e11,
        ]),
        affine([
            0x54af56d445b14401, 0x77cba86e41fceb6b, 0x9c9c41a80def2ebe, 0xc3405a362f114c51,
            0xa31a0c3abe28f6c5, 0xbc17550d022517d5, 0x69203f6b367ba729, 0x34eb8452e5dbf86f,
        ]),
        affine([
            0x77e8c2af4413c3d3, 0x7671272171d923e3, 0xd6082b6796bc3b5e, 0xc214b71f89c8b5c0,
            0x5780ae80a92b510b, 0x01f899375b8e0d23, 0x70579d412ec6470c, 0xf0a023b4efd5cb60,
        ]),
        affine([
            0xa4fb635ed2ab6c80, 0x2a7d0f6859aa1135, 0xdcf1913e1f083344, 0x5b635e89123eb819,
            0x1f447457cf67ebfa, 0xf31424a3d8fedc0b, 0x510edcf67d7a7238, 0x44bac1e0114196a0,
        ]),
        affine([
            0x7e16cc51f0b9a00a, 0x05174da42f93e68f, 0xa0c7cc97b56175d5, 0xe5ceac4035eb4955,
            0x157ff80e67984a57, 0x8ceddb7586fe794f, 0x854a459c3396d1e4, 0x660cb9301fcd56b9,
        ]),
    ],
    [
        affine([
            0x3438c84a72bd05a0, 0xba82337d0b1fc80d, 0xedc2f995f36d1f90, 0xe5e892363a31885c,
            0xc936de2be1a69f5d, 0xca73995b9cd099ae, 0x1301eb01e79b5c3e, 0x77439de4da1b87d2,
        ]),
        affine([
            0x0c665cf973b4df41, 0xfe6784fa0f696a51, 0x44d95fecd3177c78, 0xc827ed763ffec8d1,
            0x2e5b6a2380f91f4a, 0xbfe9a6106c0047b3, 0x60e17d7b66ef3cd3, 0x1e4c4475f2da5ed5,
        ]),
        affine([
            0x4f09528101467d6b, 0x357d712952a24b51, 0xd1018611642cf1d8, 0x5d2393df9435ccf5,
            0x07c673c6b1bc5458, 0x72a707a7510473a8, 0x7acbd85b2d5af46d, 0xe66e63f263fd0f7d,
        ]),
        affine([
            0x405904b346340d60, 0x8998961b956e7dc2, 0x25ed93eeb3c1587d, 0xb511001491b74657,
            0x68cd6178653ecaa6, 0x8fb582b118594791, 0x72ab899ef769f978, 0x9c3981f431fe4c46,
        ]),
        affine([
            0xf0b1e93c9d159f7a, 0xecf93a9cf242e590, 0x3adcfb2bd2ff873f, 0x453657a53aab893f,
            0x99c22b708a02fb78, 0x6f949bd4e81dda5d, 0xda2ef0913a01c728, 0xbfb5aeff88023dc5,
        ]),
        affine([
            0x973276c64cfb1a94, 0xa32f06e363cdcde9, 0xffc3dda2e480e645, 0x27a0c221b72432f0,
            0xab98f8c2d4098584, 0x91e3b03d78674297, 0xf2f2ef8dc1821e9d, 0xc3f6ab3eb3a0a792,
        ]),
        affine([
            0x31ededf3d46cb42a, 0xbc052853a7239093, 0x4d14adeaa13d73e7, 0x435b54cb07b04c46,
            0xb7e24deddaf72dd0, 0x5edc4c79433949a6, 0x49f4a54cc1e0585d, 0xd726c031e4718a1a,
        ]),
        affine([
            0xc193d479678e27d3, 0xc12883ed0e4c688f, 0x1cb2f03148e4774e, 0x60aacaeec40e8409,
            0xff7c610228c4d2de, 0x46d400783a680f4b, 0xda54f7c803de04ee, 0x9677dffcc5def66d,
        ]),
        affine([
            0xa97d941b1d2fc263, 0x89cf813e5b65d57b, 0x19fbc47c4e13da0e, 0x1805b819e14edd7e,
            0x266470b4f0870ec7, 0x9c8c1af8e551ecaf, 0x5858daa86bcb3148, 0x101f642809438171,
        ]),
        affine([
            0xcc326b493d9eb773, 0x6319c47b85cae6cf, 0x612c78017b1c51e3, 0x79481a2aab0f1180,
            0x37d96c11c1162620, 0x8cbd8693297f950b, 0xc6d9625e70f28a4b, 0xdc61463f8555e09d,
        ]),
        affine([
            0x9a2b1b70c076d1df, 0xf41e2081427fa1b3, 0x40617a8a2a775f45, 0xc73aaf4366d3194f,
            0xd279d516e5ad6605, 0xf75b57a51d893720, 0xf9ce01be3bbcdcfe, 0x9201ec69eccf916e,
        ]),
        affine([
            0xaf71acdeb0028fe6, 0x3fb37fc78e50f376, 0x5a861535e82bcc35, 0xe6ac0ad271bae59b,
            0x6a51064068570fb1, 0xc5ef07bc43191afe, 0x8b6999aeefed3475, 0x53fbe5579ea7cf60,
        ]),
        affine([
            0xd3683f7985a745c7, 0xbc8a2738c17eac07, 0x77189b6af61d52c1, 0xe3ddee8f7d5c36d2,
            0xa39f0940778efcc2, 0x7c28c2f17bd027b1, 0x1be51b86aa7bd8f4, 0x487199d391932b87,
        ]),
        affine([
            0x526f51dbd2943e92, 0x69bab975255a517b, 0xc0aeda8052ac58b0, 0x2fa496cc907cae20,
            0xd5264339738a13b6, 0xb1507f3e1d1bf694, 0x3f6c08acb28b6433, 0xe7be908162a44887,
        ]),
        affine([
            0xf4c733e84d4170b3, 0x40144156fc3a3587, 0xaf68aa1186c0a1d5, 0x45c78ddc2035f1e5,
            0x16efa3ed511faa1d, 0x2cb046606420cc73, 0xb0e1a9d144fb3a51, 0x11af9946238d5c0c,
        ]),
        affine([
            0x21579992fab5c2cf, 0x5312f0c21fb084de, 0x71e7474104fa90a4, 0xe4107e431e221f50,
            0xd028403f2b955c2b, 0x3c7892dcff7b2410, 0x3948c668741c2b32, 0x1e5f11e6cf701c9a,
        ]),
    ],
    [
        affine([
            0xf6f1d3ac4d771f0c, 0xacad16e63be0aea8, 0x18e63add579547f0, 0x2890d721e57e1961,
            0x0a5728ecb5890d78, 0x7dc0e7f77ef54069, 0xaf77e1d1416752ec, 0x69b5b8159ddc032a,
        ]),
        affine([
            0x4f5822efac7e9e44, 0xd4e3ff5e71da1781, 0x81690628033de305, 0x7b8b8867dd4d9c6f,
            0x0767022aa8cd12c3, 0x64057e6dbbd72365, 0x2246073c7dd5adb5, 0x8bc6273e511680b4,
        ]),
        affine([
            0xeee143c1f0f870d2, 0xcf8a00249e4d1558, 0x02faea8e759acd21, 0x05f0c3cabe40ede9,
            0x5f537c956e60e8cc, 0xc2f725737aeb5f8a, 0xbce7a5998ab1ac23, 0x34b55d934f6d2c56,
        ]),
        affine([
            0x1ebd8bac137de736, 0xa2f8d5618688ce24, 0x8937542b8cdec18e, 0x9022e314949ccf3e,
            0xf4ef5c0844c42ecc, 0x7f49366c44ea7657, 0x66d0bb045226ce08, 0x2fae5e4f2904a394,
        ]),
        affine([
            0x0292ecb3aed00393, 0xb9d7f4f0a675f38f, 0xf8fc6d4127ed7269, 0xa7f78e1ec93cbbd6,
            0x19d07787b7fef35a, 0xe99f2570eb82aba9, 0x55b693f3e38d980f, 0x74385589986b6cfb,
        ]),
        affine([
            0xc9fbed5ac0e99be1, 0xe5cb8d2f032c89e8, 0x260fa106d35e9aea, 0x0029c229e3736fca,
            0x5c3583389e77edb0, 0x5c1b783d383671fe, 0x986d607fef4aacd3, 0xdce5de5cbae2d493,
        ]),
        affine([
            0x0fa90fa2b7f21984, 0x320440ae7941cfea, 0xe4b6ce7093e79c53, 0x847021c276877e98,
            0xc8c8a0ca549deae8, 0x45a79737f0dd70ab, 0x7902b8c7723b15ec, 0x72b8bc670713b0c8,
        ]),
        affine([
            0x872e52cf757a603c, 0xe130a96964396297, 0xc2731f7801b1133e, 0xa77663f5fcdf189c,
            0xd91745804ca8e468, 0x8ab86c568cbace48, 0xdae982fa5476a35a, 0x4e139cbdaddafc58,
        ]),
        affine([
            0x603810e5cc6a453e, 0x00fe36ff7435d008, 0x60c06f3595ded4b8, 0xe5d817ca33c4e2fe,
            0xc62349baec9ee85d, 0xdf8b7d3bcfc9a287, 0x7b562f4e55850ba0, 0xa4c9d402134c2096,
        ]),
        affine([
            0x13ef0c6ab6531cee, 0x0c2acf8a3a05af3d, 0xcfa07f5f23768f84, 0x85d2322a5daebaf1,
            0x5448f9e51fff61f6, 0xa974df60fba1b683, 0x76a17b861dda119f, 0xfbb6bf19376e06ef,
        ]),
        affine([
            0xd2e327e28014ed0d, 0xd4180ce48549f248, 0x792aaf68692b6a7e, 0x6d420c785f05b0d1,
            0x27c246f735a6d65a, 0x64a84889c456a6f0, 0x03c0f2593f66094c, 0x706934b5ecc0921b,
        ]),
        affine([
            0x91706cb8d09b01f5, 0xf73f35183273c051, 0xfb0f2d3f1af7857a, 0x6e5872e3076fe945,
            0xc30758d9abcd5fde, 0xc13179d4e09a85a7, 0x80cc1d4af3bef0eb, 0x4213c02ec8d77171,
        ]),
        affine([
            0x2ec6f1ffbfed0af3, 0xb7a0e24bb0cb03ac, 0x078e6cfa9b9af7f9, 0x56f5c4b85c0574dc,
            0xb16512e5eb7720cb, 0x36ccc70a13343147, 0x99c70ecbd1b77efc, 0x54e716d27ca28344,
        ]),
        affine([
            0x6c0882668ebb9bb6, 0x2625f0b09e37c379, 0xe0d905aca59ab261, 0x604ac042b04668bb,
            0xdb5172b771028158, 0xfdbaae00e30b932f, 0xd603305526ffaebf, 0x370fa451c3ecd3e4,
        ]),
        affine([
            0x2cc1cf471362c215, 0x68f2a620a52e5fe3, 0x66f5cbf729d95ecb, 0xb5dc5fc512d1c157,
            0xe925490007e98290, 0x3fc7cf1166e0e7db, 0xac9ada314f5285da, 0x6efa9672ca18b8ce,
        ]),
        affine([
            0xe83e2130461dffe4, 0xa93d696bf79b5582, 0x12911d2965f2870e, 0x1a7098d2db889a11,
            0xf3ba5eed161315da, 0x68682783de26b553, 0xe5a42c936f76f327, 0x39d474f5ee8b69fa,
        ]),
    ],
    [
        affine([
            0x0e2e5fb31fa4e33c, 0x2683bec78b098cb3, 0xc974446c2976fb98, 0x9cf646b91a4c25bb,
            0x19c45e060e0d4563, 0x9e205827ebc16032, 0x1e408e258b821f31, 0x37b0624dc1f65a89,
        ]),
        affine([
            0x8c496939c224ef48, 0x6cae5469245e15f5, 0x35917f8d5547844f, 0xfe251903a4523298,
            0xae6960a05136dfa7, 0x455aaaa1c321e408, 0xd836b9405a1b36a0, 0x4fac9cac97ca9be0,
        ]),
        affine([
            0xe98b618cc6bf1e67, 0x4c566749fe5caf63, 0x9d7a653827764e0f, 0x83cb43de151b6499,
            0xa27ee8b3099acc97, 0x2874422cbdd1169e, 0xefb1806e624418f8, 0xbce28ca24b98f6f8,
        ]),
        affine([
            0xbccf5cb64d405a74, 0xcec29f6bbdd3e7a5, 0xe2c3b6c3f6131016, 0xcc411e541368f9f2,
            0x645be6b618d1bddb, 0xbe4fc2009f16fb0d, 0x571527fc350186d0, 0xfecb812fac774584,
        ]),
        affine([
            0x230ad748dc0f057e, 0x84e8628701d53dd8, 0x03340fc15e250224, 0x3ff3b3e560ceb08c,
            0x2d41f7daa817965e, 0xa010236ec4701762, 0x6f7fd17057867843, 0x7f17ad6f3bb6578f,
        ]),
        affine([
            0x74d4780e769ebf5d, 0xd64fed987e38c62b, 0x80dc73f390d4654f, 0x84d6e7f91e9d174f,
            0xbb0586f1662cc379, 0xb14a9f3aa8a268f2, 0xe4f7033de50ad159, 0x0555f4e86e407c4d,
        ]),
        affine([
            0x15114b40325e69f1, 0x6367a8f2d422bcb5, 0xdda19de173d6af99, 0x6e9edb2dd8ffd83f,
            0x720e17e3402b7e9b, 0x1c727454799f281b, 0xab3556ab65f3bff6, 0xc0822216ceff954e,
        ]),
        affine([
            0x96282910aee1337b, 0x0898022a45c4a1b1, 0xca356ef3efc35de1, 0x8c6c923cf1a4351c,
            0xcb451d5cd9c84abe, 0x845362c1c6ddfa2a, 0x5efbb2319eaa8e84, 0xa1256fc84d40ff6a,
        ]),
        affine([
            0xbf252f66a288f038, 0xf0876894eb5ff820, 0xefabc19de6ec2d32, 0x5ee280e804c41c4b,
            0x1c5aab86b6f1ee6e, 0x11d7833a98e6c6f4, 0x84c0586fecc9eec0, 0xbcd969f94677e392,
        ]),
        affine([
            0x39d6c50353e90f60, 0x99a2d8e1e5c4a7a1, 0x4521668b55dde953, 0x6a2ae3e9c7cd7eb0,
            0x4e349b189a948322, 0xf3d4d34082a6f7e6, 0x6faf20a6219efe23, 0x4bf6b287c0264e85,
        ]),
        affine([
            0xa0bf3256c0c708c8, 0x2c34304f2f70a86a, 0x6dfe365d91fe288c, 0xe1f0166e05c20573,
            0xe718d73b3896ed38, 0xfb655f22efb5a00a, 0x0444632be8a33016, 0xe647653e916c3b52,
        ]),
        affine([
            0x18c8936f8c320512, 0x8c3e4465e863c513, 0xb0e4f5640b722588, 0x4ab0c75e4cc5f45b,
            0x33743af64f0a792a, 0x51c3714292fda61a, 0xe8948891d80d8c09, 0xb04daa0234ae0af7,
        ]),
        affine([
            0x7e0f09ca476edefb, 0xdd58bd80100e7d5d, 0x7f121ab42979c7ba, 0x28089687abf6345c,
            0x2ef457229d1b0ae0, 0x4dd31b07be039212, 0xa67e19ebd90541c4, 0x5d071cf33d3b3191,
        ]),
        affine([
            0xb923dc396304c13f, 0xed79ea8130092a10, 0x22824b73d2e6d3e9, 0x1f637ef68fa60728,
            0xa69ec6ed13b60200, 0x7d98288cbbbb3438, 0xdfdbdf045d762e0a, 0x8fe2c91f76bdae23,
        ]),
        affine([
            0xd12d99bcf344897a, 0x7b9ed3075a4c269d, 0x70585e852425edab, 0xeb15b0de281904cb,
            0xad9de83ce5bfe7ee, 0x814698b2f97d0b82, 0x0898aaf8cd732f85, 0x096cdd169c266071,
        ]),
        affine([
            0x826fadc0523b716d, 0x0d238966f74e1a6b, 0xe8a5c7938d18df9e, 0xf81f5be38b8ca534,
            0x464002f512632401, 0x660758503a878330, 0x1d56d29d380e0328, 0xdc7f49329c1f06df,
        ]),
    ],
    [
        affine([
            0x2540306574362bd4, 0x5d139a212f6bc03d, 0x33f1c0b1843eff4f, 0xe15d0f2321cecf44,
            0xbe6accdaafb46fb8, 0x23ed4bf8a4468269, 0xc1bfe039308be326, 0x9a84cbe2707ec22e,
        ]),
        affine([
            0xd376b93b369f9c65, 0x5b4273b92840cc66, 0x58f94187dc6d34dc, 0xe7a38889ddb5553d,
            0x3b1be4e0aca7ee5c, 0x58a22b94187d1ab7, 0x08e37b26192145bd, 0x5437b5bab1219172,
        ]),
        affine([
            0x7ae08ae3f41f840a, 0x2f63f5b9a8e3abb3, 0x41d3e1d802596f51, 0x987f1f01103eb892,
            0x0c5c8e8768861028, 0x537d27be14f7e057, 0x8f39b5e4f13ab094, 0x0ec349554991f2bc,
        ]),
        affine([
            0xddc6dc1b12378c16, 0x9e3607554615622a, 0xb319e52d6bf9597d, 0x1136b759c12b3b11,
            0x79f59bd0b3488127, 0x9614aa28e751cce3, 0x09f0abc60fe9ecb2, 0x7dec0fcf45168fdd,
        ]),
        affine([
            0x62ce61f83184f1bd, 0x73889c42f94d925e, 0xa246a06508052cd3, 0xc34798390306e4ad,
            0x871362014c8c7b85, 0xa025b0d97c119418, 0x59359dac1dafe4b8, 0xc75a106778f1ae9d,
        ]),
        affine([
            0x2232d127f590e12e, 0x033c1cf312b7298e, 0xce10e60c211d7562, 0x38adfea231da7631,
            0x6cd17fb2c5c5a7b3, 0xf92083902a53ee54, 0x87fa3ca81b0c6fa0, 0x4e463dd5b238a09c,
        ]),
        affine([
            0xc07849b52864e133, 0x6bf33676837f4d86, 0xd98ac3365f2f34c1, 0x80a8fd90b9ed5d2b,
            0x09378b03b15266f9, 0x80bd8c72076de4aa, 0x87eeeec2cd578a10, 0x0fe2f35087f21322,
        ]),
        affine([
            0xd0e6dafff34d3977, 0xd95c410a18d0145f, 0x086f8c11b6445072, 0x11f1f5738159984d,
            0x14bc90ea00154b71, 0x937e953f3dc68206, 0xcb829f87d3a748c7, 0xab98c1b579c0b985,
        ]),
        affine([
            0xfab119a693c99ad7, 0x557e87ee1b8552c3, 0xfa0c7190126e4998, 0x35a771ddfd1463cf,
            0x5348bcba21cd6f78, 0x7e93805928f547e7, 0x3686f04c206cc64c, 0xb872938e8954524c,
        ]),
        affine([
            0x58f5501da3a4eb56, 0xa7dde7155c770a4a, 0x67d174a14bea3aa4, 0xd83c7e4c8583a9a7,
            0xbe3647b4537d3168, 0xe6d4fbeaec27dbd3, 0x3fef953d28e530d7, 0xe4822938b6ed70c9,
        ]),
        affine([
            0x741483288e4ae80f, 0xd488531e3b64479e, 0x5bd1fb6291bbb5ba, 0x7ee71ddbb05d0911,
            0xea4c56e54cbd1ad3, 0x0c8152e3e9ec6282, 0x7a14f97f418d13f7, 0x7804fdb2b81e9c8b,
        ]),
        affine([
            0x970e6d827b299740, 0xf40f467d713db134, 0xcc4ad13793faad48, 0x53893eb71cdd4336,
            0x51ea6f1b3fff7509, 0xd8a132ef21fde8cd, 0x3841ce28ea75dc8d, 0x27728a7e9485fbd8,
        ]),
        affine([
            0x4bd92d4a3b2a6cda, 0xce6d61052486b8e6, 0x86899cc8ce777607, 0x8511871e13fdf119,
            0x0578826d0422a685, 0xa7999dbda619ed07, 0xc08d34780af98bbf, 0x337a33d13073176e,
        ]),
        affine([
            0x1a600186bf85dfe3, 0x2b809e3b712e52fb, 0x40a887036bde860a, 0x67d5968e5d277750,
            0x43ab7c2b6ee85a06, 0x97a36b9c135c570a, 0x4c48f6bebfdab651, 0x22b504521223b6b8,
        ]),
        affine([
            0xeb299fb8fc6d9e49, 0x02270a80d0e74513, 0x9a1cce9b634f4427, 0xa0351f9e5c1bc4a3,
            0x9999ddf00a7ba566, 0x4a4425204d730e4c, 0xf7df352787ec7f88, 0x431d07335532ce43,
        ]),
        affine([
            0xbe840ca84d6a6a96, 0x953b9a779a2e613f, 0x9b8018b75e7d2586, 0x934c89b9aa1cdc48,
            0xebef148533d838ed, 0x107d2df0e2e4ca9f, 0x4516d6d6b31b2e9d, 0x856af4ffbccaf40a,
        ]),
    ],
    [
        affine([
            0xaee9c75df7f82f2a, 0x9e4c35874afdf43a, 0xf5622df437371326, 0x8a535f566ec73617,
            0xc5f9a0ac223094b7, 0xcde533864c8c7669, 0x37e02819085a92bf, 0x0455c08468b08bd7,
        ]),
        affine([
            0xe8b043c401cd7f36, 0x5799c8f19419149b, 0xd36e2c6048bdfa17, 0x4eafa17a88814d84,
            0xc778c64a0b2d1c43, 0x5036a58cad4543d2, 0xee45531527efc47b, 0xa47974d851ec201f,
        ]),
        affine([
            0xfb14f217ab348fa0, 0xe0fe2459051541dd, 0xc2a223236c24b4bc, 0x86eac93dddeb882d,
            0x4ee380954da51cee, 0x6c26d96351cfee8a, 0x5a436f9e8d6f4671, 0x948f3853cbbc4d8d,
        ]),
        affine([
            0xcc319d54b96214fb, 0x71dc987a8febc765, 0xcda9e496cdf1c589, 0xc6122fc44fbfdb25,
            0x3702bd8fb7adfff7, 0x08a6e48c1e271f8a, 0x9031c9868877f91f, 0xea205bec8343ac41,
        ]),
        affine([
            0x7af41ffc99222c03, 0x948ce77e87e5e103, 0x3f5e7d784859f407, 0x8bf09ebaf9fb3aae,
            0xa145f742ea72bb54, 0x9c9ec0e1de20e1d4, 0x3b48b1dbe7e5ba30, 0x509cbaafe2e27a73,
        ]),
        affine([
            0x1686977a8d215bfd, 0x8be074267f1462b7, 0x85b6220ea2d65d24, 0x8b4fcebe1f52629e,
            0x06eaf00a475ec26b, 0xf9d502d09d21add6, 0xf96fb1cada9254ff, 0x1f3307a9a822157e,
        ]),
        affine([
            0xb453a2c1d1ae9300, 0x5e1c470475c48280, 0x19130bada2f3735b, 0xe85e2dcbb7e70fc6,
            0x72a0dfdd1546e25e, 0xdeb7e185df8c31bb, 0xc7ba7b5b823c2707, 0x451aafa6d51ce0bf,
        ]),
        affine([
            0xe97be9ed0e9d6b84, 0x6f4fffddee86b987, 0x24b4042c13019fda, 0xb6d94022c1812137,
            0xe1bcaa0fbca7cb21, 0xc23273eaec4f382a, 0x8634478884d77ad3, 0x93ff3f4162928723,
        ]),
        affine([
            0x2525d55605260cb8, 0x836f4a80ceb2152f, 0xa3f027da1ba7dbf6, 0x3f5fb0f228c92f82,
            0x72fb4b441852c964, 0xfa3e8751fc5ec332, 0x0e38de15366783f2, 0xc55834dada499987,
        ]),
        affine([
            0xec11fc70323ba10e, 0xe0d54ada7c4c386a, 0xd92ffc6aad7e567e, 0xc453bfc7281cf5c4,
            0xf2c263a396ee110a, 0x67adb73ebb9e9ba2, 0x2df5245c3fe776ca, 0xe6fa24418b36635d,
        ]),
        affine([
            0x4aa44442da1cd60f, 0x9f9698a9cc3092ea, 0x57aed074b4da002b, 0x33685622b18d9996,
            0x4bf737650fd57d67, 0x5fef5a4cbc50b8b2, 0xba858c00dea7af17, 0xd42f509ef1247cd9,
        ]),
        affine([
            0x6b96e60ec43e4011, 0x657fe995ddbb2e9d, 0x8622f79df3c7d730, 0x4c302e77f4602e9d,
            0x991210b65c5d5b0b, 0x8349cd4299a3fe76, 0xc335017a576b9579, 0x776bc24768d62940,
        ]),
        affine([
            0xf053b6ebb7576342, 0x5b2c88833999222a, 0xf7d0f9d8960979d9, 0x4813eb5c08f00080,
            0x64c155eb97376316, 0xca2dc67d506a904f, 0xf66016848e33524a, 0x00043fd4233a4240,
        ]),
        affine([
            0x7b65e413a304e88c, 0x3173b811bb7f88c6, 0x3754cc46fe2bb908, 0x871257a6d8fcb31c,
            0x31b8b859f97623c5, 0xcee324d7b43c076c, 0x2856cdf59cb86527, 0x10c8e34819baff2a,
        ]),
        affine([
            0x9f67171dff69b2be, 0xba41f74edc1111c0, 0xf1322dbbae386e56, 0x80c3f1f9a5ae997a,
            0x8904b97c4102d2f5, 0xf14b74b35cb7a8bf, 0x2980e2765b1d5a9b, 0x0a932140a009de85,
        ]),
        affine([
            0x9c837f4fe476c81d, 0xb7a3030e99e53d5e, 0x9af7cd273da8a366, 0xad6090dfdcb41a01,
            0x818abc84ee6705dd, 0x393fdc364f3048df, 0xaccd75c2cc5bd8a8, 0x77b5d1dd48f4c91e,
        ]),
    ],
    [
        affine([
            0x93fa154a553faea4, 0x324a7181c96b10c8, 0x8c89f34b7cbf6a9e, 0x27708f23e8bdb74f,
            0xb21ade75d0802d2f, 0xfc6d68b3d1965bd1, 0x300225d66cc2c973, 0x575f186149caa4a4,
        ]),
        affine([
            0x7fb5bf4597445fb2, 0xb0844aecb2da6510, 0x09bfe97cab77ae6c, 0x7cee417faa66dc61,
            0x4fffcd61a8223a26, 0xa667e8569ed0e31f, 0x96d871e7f9cf0bb3, 0x3040efebe1e5b9f5,
        ]),
        affine([
            0x2f2ff3673c5e24db, 0x1c66e06d8f71f05c, 0x05dfd1ed91c998fa, 0x9be2a2f68fad9f22,
            0xa9fc9c9155e4795e, 0x55960afcd16762b6, 0x5a6cff1c32895908, 0x01362fa0b6e4f8c1,
        ]),
        affine([
            0x3cd5f4e4a9aa52df, 0x18c452b1b42a627f, 0x6dbc4189d991ece6, 0x45a511c97f608bf7,
            0x7b52bd12125ec16c, 0x5a919b27d22955ce, 0x3fe3337fcb625ad2, 0x73be0ec773ea9b6d,
        ]),
        affine([
            0xd558e4ba054e54c4, 0xdb0b3365a40a6965, 0x3476d30530fd7121, 0x9661af9d199f0d9e,
            0xa1cb9da86bf915f4, 0x41c2f7e6da9bc9ec, 0xa7de0f6960afd62c, 0x6c3b8f8d00d1308d,
        ]),
        affine([
            0x8516eb92c9284bd5, 0xa68cd76fc672dcea, 0x8665d644923a4297, 0x4d9e4b5fe189dc70,
            0xaa7ba1c41fd4b186, 0xda79a1b4af15ad5e, 0x8db898c128731214, 0xff5ab4787fe1941e,
        ]),
        affine([
            0xabd64d9e457dbc08, 0x12d7b08333fc6abf, 0xe20d77d66d2b6399, 0x27b2e72eb6f5fa56,
            0x8a00f3e26e421748, 0x692fe7a200cf92fc, 0x6ee672876d6c7e13, 0xe39d4ea90de9bd92,
        ]),
        affine([
            0x13cc521bf003e44a, 0x020688b6b3a0e5f2, 0x2bf7ca0444ab1b75, 0x4cd2a0bab6ace28a,
            0x4993eca97b19c38d, 0xbde2e7d1c97ea5d6, 0x6d1310756218d126, 0x6adf08c371d22405,
        ]),
        affine([
            0x14eb56bcaaf3f9b3, 0xa05d6fa142c5e54d, 0x6cc95299d7175aac, 0xf875e821fce8dcff,
            0x29eab0204e81ac4a, 0xccc3210bcfd1c85e, 0x1d784a4f618a7326, 0x1dd4cacadb2643cf,
        ]),
        affine([
            0x8d1434cd01448597, 0xaa0a7a4216f23cf1, 0x34c408597ac72ca1, 0xb1dc74246290d735,
            0x0fd133f2a28b5029, 0xc18796d38e4c4eb1, 0x598522fd3e924c51, 0xea09f2b63e9a7185,
        ]),
        affine([
            0x44bd965f3079a73d, 0x9866cfb10f1bbba7, 0x13af211995fb8ca4, 0x19a6808bc2acfbfb,
            0x0d0192205eaedfe2, 0x05234f9204273864, 0xa9f80fcdf5fd5543, 0x9dc2d67603e884c6,
        ]),
        affine([
            0x656753efae75bc7f, 0x95c7170db6f7fb1f, 0x8ef40f1217cd4c7b, 0x0b57ac4fe72b9343,
            0x04f172dd0972e9a9, 0xb1f96c0e4049fc62, 0xf28c34cfa57e94fa, 0xceedbf8277a9f3b5,
        ]),
        affine([
            0xfb2ee86f2dbe4509, 0xb8b41367c43dc853, 0x597d4e6c20ac254e, 0x709fe0e743401d16,
            0x91ceb4c73af6b4cf, 0xd20d40aabb8e3735, 0x5b9f6c558eaf99db, 0x04b538c0a64f4ffe,
        ]),
        affine([
            0x56331b0a34059214, 0x5c2aecb540d1f2c7, 0xe0c9d6d6be27198d, 0x371fd95e2b925183,
            0x8b076b221d90d2b7, 0xf1ec8d26ccc7007e, 0xb5f145dbdc875037, 0x8e0a84911cace2cd,
        ]),
        affine([
            0xa1cbd3322e35030a, 0x901b38265e99b3f2, 0x2cd871339526e043, 0x34881f8d054c2464,
            0x67ca136fde330055, 0xb853b5e712c66327, 0xd4ef489fefd939a8, 0x2ea3cbcd2b188ee8,
        ]),
        affine([
            0x7ad039a2f521ba40, 0xedc4e459a0829db2, 0x323357a021c84544, 0x7451fe377b24776b,
            0xd0a61cd3e518dcf9, 0x36b09eb9985d5439, 0xd69002198464eade, 0x16396435fcc70940,
        ]),
    ],
    [
        affine([
            0xdd1452e899273a8f, 0x3fdd478e694fd54a, 0x0318ec7fdfd7dac9, 0x5c9cc4f8723a027b,
            0xaddaca695ce80d6e, 0x4f003675a11acab5, 0xa827589d3708af96, 0x84efe07a1dfed259,
        ]),
        affine([
            0x0f2e4327bcfc91de, 0x8bd467275c0f80d4, 0xa824a072e4c20a4b, 0x0e3ea757deb82767,
            0x145e8c5df582f54c, 0xbfaf0850149c5383, 0x23f2abf6056aaab3, 0x13f2bf92ffae2156,
        ]),
        affine([
            0x8c8c98544883e382, 0xd0604fcef55536f3, 0x5be2403952007431, 0x5ac8e192bbdfd85c,
            0x51373d9bddfeaadc, 0xde76eca13d4d9d2e, 0x39c8fff2f0963976, 0xfcb7e5004c7a8c80,
        ]),
        affine([
            0xc5f483aaa556ed7a, 0xf6bada2932f50e57, 0x154a04034f63c34a, 0x9a6cabe1f8c78b4f,
            0x2521483ea054a72e, 0xfeb87eafd1220716, 0x1de544fb7d555740, 0xed9f5029fad50045,
        ]),
        affine([
            0xbca43077ef01a3e8, 0xc6eb65432e48094e, 0x2d515d44e0d67362, 0x99dc0698b7912118,
            0x528645fe40f61114, 0xb7a67034d7f8f294, 0x697ac71171d80044, 0x67c69cdd23b982bc,
        ]),
        affine([
            0xe73b8ec1fc74d145, 0xb9c96bd28139b2bc, 0xa5ddb4e150cb2609, 0x9cd44dc242811d04,
            0x5c6c406240d456f7, 0x3339b8fbfe816e5d, 0x045ad0badd8443a3, 0x86adcadafc464e33,
        ]),
        affine([
            0x383f7b004cd535ab, 0x7724d883e8764dc3, 0x44024357cfcfb9f3, 0xabe2f3618e040616,
            0x90711b34517b9c1a, 0x7fde7a18c3ac8dd9, 0xde0dbf2b202df795, 0x4f02d64cb755b293,
        ]),
        affine([
            0xbcc2887a735a8087, 0xf318de811d6a8871, 0xd880f08099a2e4dc, 0xed19a56a1b59cf5c,
            0xe56ca0873a9fe557, 0xa98cfd5aae96da46, 0x30254512ab54afe1, 0xcfbe683e6c3b56b6,
        ]),
        affine([
            0xdb4b66b36909970c, 0x4518dba599e6e4e0, 0x37c6fb1f77e6099e, 0x227cd0d78c39e721,
            0x285a4ae31f809727, 0xa210ec3f7eb99ec4, 0x87d6c8741cff5def, 0x2225e771c819391d,
        ]),
        affine([
            0xbc64dbab7e6325f2, 0xa68a7f0cdf05d32a, 0xaa73845640c50eaf, 0x7318f2cc7ac20e1a,
            0x726271efb0013899, 0x2ff956ece9fd3f10, 0x0d2b1bd53182a770, 0x65746b8246e7281c,
        ]),
        affine([
            0xcd9adfc989e65b59, 0x7a41022f7d44ff77, 0x827ee930a8cd053b, 0x363146820aedc5b6,
            0xc80a164269b4c2cf, 0xc143c903b5c5b6e9, 0x8e8278f920227fc1, 0x1d87db6217897292,
        ]),
        affine([
            0xbbcd5a4df85fa6cc, 0x83befeeffa594c92, 0xa8b9841059328be6, 0x4a247bce25c45963,
            0x53337b0f8e2bc2d7, 0x2cd38dc8ef4d6467, 0x0c92b3080f221cdd, 0x8b4487f1d473b4f3,
        ]),
        affine([
            0x017b158bcd4c2506, 0x5b6c5dc7f19e9faf, 0xe74a68ce189d1fec, 0xf65ed6b6686b18a3,
            0xcc52dc253913dfac, 0x4128efc34cd6542b, 0x5255dc2fd376e7bd, 0xd6d0bc68328baae8,
        ]),
        affine([
            0x59544a87aece4a11, 0xeada9af5476a97e1, 0x7de4bd6144abc201, 0x87d600fd202009c1,
            0xd019658f9a4d4876, 0x5cabb39652a3bc0d, 0x8dd72d4431473f9e, 0xf2d9fac94931e5e5,
        ]),
        affine([
            0x81e4f9753b47a80b, 0xff97c5a664249757, 0x29dd9c276fabdba8, 0x66a0defa11f61357,
            0x0f7195f8ff795e8b, 0xc230a428526edd20, 0xcad8df2561aef474, 0x3e24aa6de37aca41,
        ]),
        affine([
            0xe7dd9ab328523eb3, 0x351a3a75556c6c4a, 0x46ac18444f3dcde3, 0xbaffd4ebf8a8b5ab,
            0x1978300cd5acf387, 0x24511ccfbf48b6ee, 0x003a8eb3795ac09c, 0x0fa93dc5dbc95e83,
        ]),
    ],
    [
        affine([
            0xdb47ffceeb3fa150, 0x855719520ec5a6e7, 0xf0ef002c94979625, 0xe46eabc9f8e2f20c,
            0xb934894c4a0b139f, 0x50f68cc24c227e4b, 0xadb002810c09fc3a, 0x2532cfc894c18963,
        ]),
        affine([
            0x7724967e5833c4be, 0xe06a970759acdc14, 0x14bb5af4516750f0, 0x107a4485aa07fe2e,
            0x6566ec48c87c80dc, 0x4d3a4fc91d760c4a, 0x813794ec48e68007, 0x6ea22142b8e4d7cd,
        ]),
        affine([
            0xe9d749fa0c2c179f, 0xa178aeddef98026e, 0x935ee6a977b1486e, 0x9b9692b014d724fc,
            0x60a1c2357614fcb3, 0xb246c044118849d2, 0xbf262ae1e166e909, 0x4c935caf2fa8d161,
        ]),
        affine([
            0x6cf20ffb313728be, 0x96439591a3c6b94a, 0x2736ff8344315fc5, 0xa6d39677a7849276,
            0xf2bab833c357f5f4, 0x824a920c2284059b, 0x66b8babd2d27ecdf, 0x674f84749b0b8816,
        ]),
        affine([
            0xb140ea488993216b, 0x6fc4a9db09a5ca8f, 0x79ea18c1c3a3a367, 0x6c5e19fe4bf327d3,
            0x90b2c6308c4c5026, 0x23ebcaa413604758, 0xb7771db73fe87ff5, 0xd9da6e08d6b1ffb8,
        ]),
        affine([
            0xa2b3728fd6ded6ee, 0x62102722aff4683c, 0x1dbb6568e644f127, 0xd6131375bcc86fff,
            0x755f2550762510d4, 0x6ac686023b11691a, 0x479a9e355b8c009e, 0x13080215ae64ad8f,
        ]),
        affine([
            0xa947b6440d46592c, 0xa80b26c64c0fa486, 0xc05f40e177028f58, 0xa81809be08a4d59c,
            0x50833ee50c99b43b, 0x191012197004bd97, 0xa6538b8c9bd4323b, 0xf54cc0f5ac9f7b46,
        ]),
        affine([
            0x1583948c5974bb08, 0x75f3b0caaeeadd25, 0x4a661caa2d2a1086, 0x3f06dcd2ce62e80d,
            0x89655da995083c99, 0x831606905e88f53e, 0x985807be931d9b2e, 0x08bc2550ce1922db,
        ]),
        affine([
            0x9bf08e5cdcb6f1e8, 0xb2ee3541ef9d6ba0, 0xefd872edc131a523, 0x0df6fe17407e0e6d,
            0x62a59bc177b9f81d, 0xe5c9566f4a4df833, 0x07edc02ff482f433, 0xe0dd10cef7a3e1e7,
        ]),
        affine([
            0x8b16b1afc329b217, 0xe5ace3bc3a0ff8bf, 0xafd2bdc31ab75be3, 0x0023810d239f35d7,
            0x0bdbbe73755414ea, 0x29fcc39a7cb04059, 0x35239ca7bc07772e, 0x58d16df5abe609a5,
        ]),
        affine([
            0x53f14fe566e9600a, 0x7c212efd0f1ca843, 0x92cabae66e35f1fa, 0x731a0ca7540ad5f6,
            0x8f4f6fffa6590f44, 0xf86662622bfe555f, 0x2873921a4aa9d9ab, 0xca4cc60993d26d91,
        ]),
        affine([
            0xc054b569cf15d864, 0x2406fdc6a1cc8d3c, 0xafc8ece7be26cf35, 0x07ef66d7c5dedb0d,
            0x54625427740907fe, 0x9f470e3b1cce4a8b, 0x06d40c5221fd505e, 0x2db3325db89de6a5,
        ]),
        affine([
            0x4f5cdcbf68787f70, 0xe2d91f62ae6859ed, 0xb69fc7e067eddf09, 0x1448608a405aeb60,
            0xfc7a7f8423ec6b83, 0xb3b9fd9950725802, 0x5c90a44a41a6f736, 0x47d99e2151ddc5b5,
        ]),
        affine([
            0x4e9cbeb8cc10c085, 0x6def27df6a08bf44, 0xbfb66ba22a191b88, 0x05bf0ebc4b3a662b,
            0xa4ef12b9ba111499, 0x8c299e6170bc73b8, 0x2a23b9490474a852, 0x1ea341fb84ddd1c7,
        ]),
        affine([
            0x5f6e5b53cf502db8, 0x7ffa53ef029315fb, 0x55dd7945f3809a41, 0x7a2f980969773d9d,
            0x5f69856ef06e91f7, 0xb29c2a51aeb4477f, 0xe389773155621d20, 0x02215257d015b163,
        ]),
        affine([
            0x1c101b8fd5c7c27c, 0xeb3228b94bdc794c, 0xe0c05b31527e97b7, 0xec61ff29918a1d05,
            0xadf01167d9ddfe51, 0xfe3c46c47690233d, 0xd0960f82c7759298, 0x02fa1d3dc1b257a1,
        ]),
    ],
    [
        affine([
            0x55d4e37a2fd20bae, 0x26035672d5b4a811, 0x027bba12176d343a, 0x285250edc3bcfcd9,
            0xf9de455a54e0ab97, 0x6e9b1a2cf1eff323, 0x3f7284ad1046c171, 0x7866c086f4ad7ea8,
        ]),
        affine([
            0xf0f2efdb220ca9a7, 0x3840e563817c6662, 0xb651d0cc325161c0, 0xdbc091d89944b44e,
            0x4d20588316c8e76b, 0x6367309fe96192c8, 0x2d57926d1e4aa5fc, 0x092d80eaae856795,
        ]),
        affine([
            0xcc8876aba636a50b, 0x5d2ef616abb75196, 0x5836fa12fc78baf6, 0xf1e3c56545d5a75c,
            0xdf77914eab3128b6, 0x6b7fa576d22d7a6e, 0x6c736a67f6a5f313, 0x12b8847a6e1efce7,
        ]),
        affine([
            0xd6be4fd07ef7d72d, 0xad3a6dd5f518e8d7, 0xb322489c6ee06d88, 0x9018baa11e938f23,
            0x1267044fc036ce68, 0x4eb56d8002736aeb, 0xe8c147f743bf00b7, 0xc9c382d871f9c6c9,
        ]),
        affine([
            0x517f13214e583340, 0xf45c1b6b5d34f3b2, 0x6d87cdabfa9b228c, 0x584d729c81e134a7,
            0x72f6e5e974fb24b9, 0x8f1770a66494c070, 0xcd307c593030affa, 0x2fdd80a4560d80ab,
        ]),
        affine([
            0x08e24680b5182e0f, 0x86c0e6eeb2ad008b, 0x28a8842dde8ad36c, 0xa77f7298d5478dde,
            0xa2b37f28c4b82d57, 0x3368ac6e2475b42c, 0x0f1e64bbca515f6a, 0xfa48a69c911b4fcb,
        ]),
        affine([
            0x92c83ede0235809b, 0x3c572df0b5eb8173, 0x1e2e028dc2383c45, 0xbaaeae00c837df7d,
            0xcd61d8a5c154fd62, 0x835c3c42a1d2e7e5, 0xb4a2307bcb49f299, 0x325788833f324b80,
        ]),
        affine([
            0x07596c1f536ba602, 0xdd2f1e9bff60a8a6, 0x63336038135004a3, 0xedd513bbfef3fb24,
            0x3b8086f945dbf993, 0x61854d442da5dcac, 0x7c592ca290f0188b, 0x257b598c3bb3f7a9,
        ]),
        affine([
            0xf60042c40d612268, 0x06cf59df0a5ed016, 0x65139efa4394b8b9, 0x06c7e46360c2131a,
            0xbcb4b601260166a0, 0x238d8a5a782e7098, 0x747fc75ce2f453ca, 0xcb6ad55df72dd8cd,
        ]),
        affine([
            0x8c38d2fa8a4b89b6, 0xec2227152243bda3, 0x8a5950d20f3e933a, 0x7efd4f7497f886cb,
            0x6f90f9762499522c, 0x2004f637c692e8df, 0x4e0990488b16813b, 0x1874de017416a66f,
        ]),
        affine([
            0xbd43a35b812fbdc8, 0xb89e20caa2c0e2a3, 0x5bc2ecc7b711a36d, 0x064131deabd6643e,
            0x5d3ff309a9f99380, 0x603ae268b1fb020a, 0xf2b380d934957598, 0x882c7fac32d67028,
        ]),
        affine([
            0xf4b795195e411ddf, 0x32480a1ad7b6db4b, 0xd7b0d40606b76f34, 0xc0043b2547ab787d,
            0xafd7cd7e02d2d212, 0x4eb9fdace24c28f2, 0xa435ffcdd3f79d61, 0x0bb75a0a9297157d,
        ]),
        affine([
            0x75eb00064bac9f32, 0x443821cc59689b06, 0x8a16416fe19b6400, 0x366bb7acc275c237,
            0x42f0e5cfbc85d47d, 0x1fdce50c07f0268a, 0x4f0783ab8d61cfc0, 0x7d107b708785af06,
        ]),
        affine([
            0x1426640292892c6d, 0xb2a424b9ff5f946f, 0x169d47d406c94c46, 0xbfee7cb9ea3b7bed,
            0xbd8ff6b896f7daad, 0x805488897f61a685, 0x26de1d1626ee1537, 0x403eaa5228613cac,
        ]),
        affine([
            0x03cb525286dd27eb, 0xb98c55c37b3b5623, 0x6b27d0e39bbe32ec, 0xb767db257cc73c00,
            0x15521a47cf65dac4, 0x64b700b448600ed4, 0x5ceacb816b99d85b, 0xdc1308c3261229cb,
        ]),
        affine([
            0x171f3a2a3e07e4f1, 0x1fc5147dd0dc267c, 0x818debc07ef8890e, 0xc472c1062ed0366f,
            0x571c683d86b0daa9, 0x85f3b7b1e22b5d8a, 0x6432ab5a84d667d8, 0x41820e01945f70e9,
        ]),
    ],
    [
        affine([
            0xc0841ba9e49e8f34, 0xc3e61dae0b35d0fc, 0x372304ad31abf75e, 0xa2157eb3dadf2828,
            0x1a8e983289eebef3, 0x064bbba35b187f4e, 0x0fb42577ccfbe5a2, 0x0817697da70df31d,
        ]),
        affine([
            0xd4eb281c2d5c502e, 0x27fce62d1df14515, 0xfb28652a88c376d2, 0xdc386db7f409d9e0,
            0x23b47a257bfc1e4f, 0x372c3db3cc760b7b, 0xe7e69c459d7ad72b, 0x526c6376cf20188a,
        ]),
        affine([
            0x68119a550bdeb2cb, 0x2c0cb5078f86a05b, 0x4c9af29039895a09, 0x2ee47b1e63b15d11,
            0x53ed9c7e453ad96d, 0x23b9d3b2811f1749, 0x4efd69719dd7c79b, 0x6ed220b6c3014a34,
        ]),
        affine([
            0xc62dbc9c32513926, 0xcc268940efec85ec, 0x94febab24bfc3383, 0x884286463ca08726,
            0x0ee4282aafb8a54d, 0xce0eb122ebdbc15a, 0x69660db365d81207, 0xf778429c01c2dd5a,
        ]),
        affine([
            0x10dd7682d743ef42, 0x36d90adcca4efa60, 0xa14db10c5f10ba74, 0xf9fa9911affbdda8,
            0x7938d55c26ef96a6, 0xae94472845bea58f, 0xfd2bd8aca125ae11, 0xe9a8415d9d00248d,
        ]),
        affine([
            0x6a8dd8bbe559ee15, 0xec62f108874c1337, 0x76d913a9a67afaf8, 0x26ba91d57da4e844,
            0x49c048f6701342cc, 0x3a6405127a300ee5, 0x2bf6dfcc36166ce4, 0xa258aab0983b344d,
        ]),
        affine([
            0xb5ea8252b0cf9444, 0xb45f7db1c4ad93b2, 0x53168555792d0a7c, 0x601949413fdd0ca8,
            0x7024848c2054b707, 0x7c7b7f4ec18f8cec, 0x316a898d2c183cac, 0xf0daed5601278ecb,
        ]),
        affine([
            0x005791ea7c2ae635, 0x0f3d27b94cd4417f, 0xb48c9ad4808a2e9f, 0x789bbeb0199b2c38,
            0xb781dfecbfe96db6, 0x7fef5a9c2ca1550f, 0x8680b79f62f1217a, 0x14357e6199189bc6,
        ]),
        affine([
            0x345a5b7395578797, 0xcc28edda1c507aa7, 0x4efa88b912f8347b, 0x7f56fb3ca82fdf0c,
            0xdb7108c084d2e66b, 0x88c0aa40fcbf1d42, 0x4abb1f41572e8ad2, 0xeaf718d74c15d638,
        ]),
        affine([
            0x7f5dc654e8dadc29, 0x82b8ce16235c7316, 0x8e487be602c4170a, 0x07488a8b10d0f18f,
            0x32e59d02d54cad5e, 0x3de4f67a99f6c21f, 0xc6037fee67467c93, 0x89ee188de5cbbf39,
        ]),
        affine([
            0x5bcc854b470897f4, 0x0f339b29f17a227a, 0x2bfae4b4af701b17, 0xf1ba79e4d15f8ddb,
            0x4e22a0604afcedea, 0x8410ee0a1bbecd60, 0x551e622b78bcb9d2, 0x75bed54ef76344dd,
        ]),
        affine([
            0xed2bac196520f1f1, 0xd7f1b49e647f7da4, 0xd5a5fd168ccf6f4a, 0x3bad9d36f76f0819,
            0x6a1970725698df4d, 0x499981a24eb67258, 0xbcd9fa7d9dec0e80, 0x49f99de33e24e659,
        ]),
        affine([
            0x981614cb539af0d0, 0xfe8a47a0796f38f5, 0xdebae7b98f73ae40, 0x93432f9671ad8a32,
            0xb1e9fc074795e57e, 0xeca898dbf6b9deaa, 0x29185133aba645b2, 0xffca54a56a1e0b0d,
        ]),
        affine([
            0xe2085e05bcaa3feb, 0x36875c8ae695c99c, 0xc5a8c14d27461e5d, 0x1bd01965108a0651,
            0xc536855925236a18, 0x06a435f5accc67d8, 0x6d62f9d0ef832760, 0xd00d2e3cf307a4b4,
        ]),
        affine([
            0xa20863138f134501, 0x87cc3e1334e9c1d0, 0x96b747397570a618, 0x70d26e050ef40431,
            0xeff5b8dff2949416, 0x75a092107bd3cd86, 0x78c11ac228a27955, 0xd53aa9589e3a284f,
        ]),
        affine([
            0xb1f11f16f529b1cc, 0x5156b3fd89b84639, 0x2cbc4a513a0a9bbd, 0x87c1d99c5ead72de,
            0xcf26978dd5a94d6c, 0xbb0d0eb2c5b275e3, 0xb8617a6ca55ef683, 0x7e1654c6985d0bcd,
        ]),
    ],
    [
        affine([
            0xac24e6436e12e1df, 0xd8a7fd0b7d761d04, 0x4134bf13b346027c, 0xd0e0919688e932b6,
            0x6a6544db9fd28fbe, 0x544cc4bd9846b8df, 0xb4eb60b691dbf867, 0x069c9a59fe7d1452,
        ]),
        affine([
            0xe27b29cc18dac2d8, 0x8f7137ddf287be11, 0x66d8c6be3c064abe, 0x49c696ad84a3a2cc,
            0xba5cf21de3a6aee8, 0x4d0fec2acfc3e019, 0x578962c7088dde4b, 0xfb7cbedae854b6df,
        ]),
        affine([
            0xbb0d8510084aa098, 0x09c10140a96e3e02, 0x398a7dacbfc1fa85, 0xb517a454a13308eb,
            0x6004b59f4540efbf, 0xa4d48b54692447fd, 0x60ea3e2fb0f26fa3, 0x0a3d877d0c1f879a,
        ]),
        affine([
            0x8eb8b6730050f080, 0x95f5bbf94bf15388, 0x1c42027371d3ac47, 0xe7fe1a77506aebc7,
            0x48c989da99e9e32b, 0xf8edfb37676496a8, 0x1de51e7893cb5838, 0x6a87c46d10e65daf,
        ]),
        affine([
            0x6d95acaa4744bfa1, 0xcc26d27ce093643d, 0x7bc22712d8f3e387, 0xf8ec14384b5166f6,
            0xc6924e6332b65f6d, 0x0a637ac5c3900060, 0x32368fb269d60f61, 0x761134b2113fb9a6,
        ]),
        affine([
            0xc11746e5260aaff5, 0xb71b993348271ef1, 0x9b684beed1b4bc5e, 0xa019b49ab61c6802,
            0x95c6dd62d5027088, 0xc2226b31f87a0193, 0xad17385454f78688, 0x5cf47cc5d82a6289,
        ]),
        affine([
            0xf62c3be93227a4bb, 0x4be6b1f00f8d99f2, 0x94e74ead21d4f2e6, 0x320cff78db7bfae7,
            0x581cc906b0f3d2d4, 0x6047237409e2f970, 0xab7796a254ff6299, 0xaf9fe8d4072a8692,
        ]),
        affine([
            0x05ec3921fa72672f, 0x5a47fd7bfa47b095, 0x069f16f419b12308, 0x9e02fb86b5061741,
            0xb24f5d49f4b7502d, 0x11741a026ed5c3de, 0x265ab8ce550b0c1e, 0xd622305feea9f183,
        ]),
        affine([
            0x3b5b5a5e5c2ca683, 0x206cf35e0a95a737, 0x17edddccb543426a, 0x0c08de7c6a7aed85,
            0x92406db57db5f259, 0xc3c8d7b7e0ea68c6, 0xb7c8299cdfce0e79, 0xddb76d855ea16e19,
        ]),
        affine([
            0xb8cdb44097bbedd0, 0xf9a1355d00bc321f, 0xa2cd693b4230f6cb, 0x2a32684a8423a6db,
            0x73aec28625cddf15, 0xbe4a953740265c9d, 0x80007dc929d2b089, 0x28bf4a6ae88b1279,
        ]),
        affine([
            0x1c67acf8252ae5cd, 0x95b652faf4fdd786, 0x18e6f7a44ce43909, 0xd1f8c76ad0c47c3d,
            0x7eb97bc3fe6d2dda, 0x39bae8156989f4fc, 0xac7997b01f612032, 0x74d45dc66120e802,
        ]),
        affine([
            0x0b8b20b43b7950fc, 0xf1e91751624d3c8e, 0xec85ea796fdb9b69, 0x4e2e5a2a0e8219dd,
            0x2608fd2a727056d2, 0x3da949dbd9403f58, 0xc621ed2d3e97d04b, 0xf8575fca385c8a95,
        ]),
        affine([
            0xb790066aabdc603f, 0xc96d65cd67dffe5a, 0x93e33ec6267620d8, 0xa6cb83693f3890c0,
            0xcace03e0c96befcc, 0xfb1ec16a4c661735, 0x8f2d9bda4c510b72, 0xd823c8e461f3cafc,
        ]),
        affine([
            0x09e7e0b414a892d0, 0x4a57d6b825de9f42, 0x16cb34dced59c1be, 0xf6e4088bf8cda642,
            0x5f6a08ec6a60300a, 0xf4cdc6f676026777, 0x1b4d764d9952dd7e, 0x08a6df7d6de27770,
        ]),
        affine([
            0x29e3a612e2c374b0, 0xbf5b3598b570db4a, 0x36bec97152424ef0, 0x8a6c9c91ea6c3321,
            0x3bf7cf8db78c08bd, 0x461534f4340f4d58, 0x79a7885dc90132a0, 0xe4bc7f4f65cdffaf,
        ]),
        affine([
            0x6a703f10e895df07, 0xfd75f3fa01876bd8, 0xeb5b06e70ce08ffe, 0x68f6b8542783dfee,
            0x90c76f8a78712655, 0xcf5293d2f310bf7f, 0xfbc8044dfda45028, 0xcbe1feba92e40ce6,
        ]),
    ],
    [
        affine([
            0x7bcffb0d1840a484, 0xeaf7deb95dae05a0, 0xe01efce48208425e, 0xf6a16b6054bf7ac1,
            0x87dc4e6e638f9111, 0xacdc817c6fe7ae35, 0x59cf3e324c399409, 0x716c92116b36d291,
        ]),
        affine([
            0x1617acdcdbc10ba4, 0xbc7c0ed17ff78b36, 0x6a3efdd5ad2652c1, 0x948f395d3e845445,
            0x1a6b40ca6da2be0f, 0x5a63d297ffd0987c, 0x72a41300a1b5a9ef, 0x98ba0006d11ae9b5,
        ]),
        affine([
            0x293be10f4bebf743, 0x99b84da4ff66ebc4, 0xfdb8f62b67116cbf, 0xeb9c78a6cf98b900,
            0xf768a159f142e6e7, 0x85a7af8e430fde3b, 0x75fb6e9d80f3bbd3, 0x42e03d6cc97964a0,
        ]),
        affine([
            0xcec9b4d78e6d8483, 0x82f2d7a846967f0d, 0x2958f49f1b6ee945, 0x9c39cb60a33d563d,
            0x94b3356f6b2c50fb, 0xbbade52f3dbe4368, 0x03d196b7bca16546, 0xf097bf1ee493e510,
        ]),
        affine([
            0x0ead669fd9421ef9, 0x1d8706a9405d246f, 0xfaaf4c36e2e9ea44, 0xeb63d41687900c17,
            0x4e30afca61ee6559, 0x22848c037526b8cf, 0x36043e351017db01, 0xc4dd4065f8e775a2,
        ]),
        affine([
            0xe7f3d2a741756b64, 0x8cca53cb031431e0, 0xaa1184b60b904211, 0x58df4e7657651025,
            0x6fa9e4e3e515680d, 0x5f7d3ae1d9cc659f, 0xf00a2a612b8c1d95, 0x095de8aa1b500bf6,
        ]),
        affine([
            0xf3b85d6d5cf82610, 0x620dba0947ebc541, 0xd25f02bc54d68c0f, 0xeb0680fafb196044,
            0x7d9cee437f4f2835, 0x170f19a17bb05c2c, 0x033e09c3c87f5d38, 0x99eb1501add84076,
        ]),
        affine([
            0x1363784b6c7f27bf, 0x41067a6336fe96a7, 0x33e8a4eb3b323ed1, 0xcbc809ae94d7802f,
            0xecc69d63caa30fa6, 0x07ad4dd8903daa9a, 0xd7aaceb5dfdcdb05, 0xbd9cbb0e18115c85,
        ]),
        affine([
            0x1f0fbaf0a4a49ad6, 0x679949a86b794748, 0x90c5972d262d50cd, 0xb9eb63f8de28543f,
            0x376b590ea632fd24, 0x8ba23cb438eb7f6d, 0xc02223d34ff08b00, 0x083ea3a15342234a,
        ]),
        affine([
            0x0797843871ea33ae, 0x10d44823f82e4f3d, 0x6f16ba07d46de2bb, 0xe485c981a588964e,
            0x08b31b4baff4c954, 0x3be306b3d0ab57aa, 0xb85f09f732265309, 0x7bf75a6719bb9ad8,
        ]),
        affine([
            0xa96ad5a38b0175f1, 0xe258a79c7d94db98, 0x0d766bc46a5b8a3d, 0x6cb207ebd3871f87,
            0x8f02d62273d696ce, 0x50256fc0d52c3077, 0xca107f3b5d32027e, 0x94da9c4d4d1c19b2,
        ]),
        affine([
            0xf55c31f847a14dda, 0x606d0429674b4df3, 0x443768f724013083, 0x18f37acc90eadad7,
            0xe22fcdc325ac8364, 0x77d8f7c78a8536cb, 0xd7bbffecee1bcd0b, 0x2f944bbaaa092c26,
        ]),
        affine([
            0x588284e8c294bd75, 0x004217952730a2ae, 0x63def27be2526515, 0x85dd83d33edd40f0,
            0x8d1923e3dcaa83b5, 0x6c17f2a390023341, 0x6531867c343b1c2b, 0xc86ba84168835044,
        ]),
        affine([
            0x5bcff9097721ee16, 0xf2c409a0694eec9f, 0x3eeff6d6ae1832fa, 0xbbd4146ad50544ca,
            0x3a8f42236a80e938, 0x87903148552bc7b0, 0x57c4a3c49733b0bf, 0xf1fc28d646f92432,
        ]),
        affine([
            0x92660fa4c34e0639, 0x66eaceef18073249, 0x08ed2790c97f8e9d, 0x3136cbd3d7680750,
            0xf16a5b87b5c79ac6, 0x86884ac899504941, 0xa4f57da2d47446ba, 0x2eee358aa1ddee86,
        ]),
        affine([
            0xbe5cc18760a81cad, 0x822c3c1cb43b223b, 0x37151ef349506cf4, 0x8bfbee24c6e52618,
            0x6986b9515ff0013e, 0x8d9fc8ecacfd2376, 0x0cfd289fe71be151, 0xd75127caa3409b59,
        ]),
    ],
    [
        affine([
            0x606304b1a44e8de3, 0x5c08966a2ecc1e07, 0x3a5a7dcf08bd1791, 0xf50b99b7468810b7,
            0x4a3f3ba6db7f3588, 0xe975f18d21721e85, 0x8789973a2dedcebb, 0xe2b5061e55f18f0c,
        ]),
        affine([
            0xa9103a2d60dc749c, 0xd83321fba27ad800, 0xb09c743020a46e97, 0x2a148954227198c9,
            0xf2e1f28ff0fa3cf2, 0xbef92dcdc39b6f01, 0xea3c2440a37608c4, 0xaa215a188974e422,
        ]),
        affine([
            0xdddc6b6b82accf8b, 0x81d2999182816fa7, 0x645f30e251394304, 0x598d7f61a5505770,
            0x1b84673c0f6cb808, 0xd2289a8f353540b9, 0x546c5162b273ebca, 0x9f3121f74f8f2609,
        ]),
        affine([
            0x1e0cc372dd962abc, 0x1ebb7d208e87bdcc, 0xcc7a3ec58a642c87, 0x0a5a4878f4cc4453,
            0xe85daabc9e2cc3fa, 0x5832a64c8e50a9fa, 0x4d72b14df2903017, 0xf7148b2288b0dc57,
        ]),
        affine([
            0x9fb39a5464aa7b3e, 0x13c4ef1b056c9cea, 0x64fd2091541c5810, 0x715a2012f49f4c4d,
            0xd9a33944bc7d081d, 0x421bc588a88b47d0, 0x1f79288f8a913b62, 0x5922b3b1aa606c0a,
        ]),
        affine([
            0x85c3fa7018ae2298, 0xcb07adef81b3e0d6, 0xaa74356789578652, 0xf8093ca11ac87d03,
            0x06c36192d35c93b0, 0xe4509a0f6db6006f, 0xb16129ec307e9cf3, 0x32074f216ef49c10,
        ]),
        affine([
            0xd1bdb697620db220, 0xc71ccb101687ace4, 0xc409ce897fb87876, 0x49ec8c5e6aa9b125,
            0x99b8aca0677338c2, 0x842c3073e53b9cce, 0x3da9cc34865f5429, 0x99a97d4fe5ea629b,
        ]),
        affine([
            0x93925b40128aa5cd, 0xceceaf38ed9768e7, 0x20feb9fbdd6c93fc, 0xf5e3efcb5a92f1b3,
            0xab2799c7ceaa0fb4, 0x84e0a6f4b110cec9, 0x4e51e2dfeb07bd2b, 0x76cfa2899bf3de05,
        ]),
        affine([
            0x51ebca315e771268, 0x2f4f14a7d90a6568, 0x3e6f190e05e07b7a, 0x1f8fb70d4850b448,
            0x1afd3010c909c8dd, 0x4e1d3c311c92b3ab, 0x12c2ed74726192a1, 0xf53e7adb461ba2bf,
        ]),
        affine([
            0xa2c15b625a3ba4ee, 0x800f385ade168ff2, 0xb1c320078c03d084, 0xdf8b2be9c62045ac,
            0x40ead285431a9955, 0xd0a8a06c08d307e7, 0xd1955020049f17eb, 0xd8835d9003cfd523,
        ]),
        affine([
            0x55ec0f2b28d9819e, 0xd606792f742dab1a, 0xdd5d142ba678732c, 0xb8d5c71a6497f61f,
            0xdc78be8ea9138ac4, 0xe2f49f1361d45c3c, 0x3b6ee4359b63dc79, 0x1cd14ef132137f82,
        ]),
        affine([
            0x1ae9a5558c3b3d61, 0x53b60aa6bd66c3e9, 0x6595ffc144469d82, 0x30128814f6ac0487,
            0x772b5e6c8f2dbb38, 0xac30f673875adc53, 0x12c4c890b81f7e14, 0x5d57c66104d3c4ec,
        ]),
        affine([
            0x6a93dbe660bca3f3, 0xecb3435145600490, 0xdd63eb61c880d8c4, 0x2265b5ac65baae3d,
            0x25829c6c517409ff, 0x3c80a612d2393d5a, 0x61a313a3b1096498, 0x97a198bf5cacfe0f,
        ]),
        affine([
            0xe79c12b6916e8a30, 0xfc7af0c38c1cb896, 0x24af7e03f4371ba5, 0x64d0c4f5a46437fa,
            0xd81d912650bfeb69, 0x7cfcf2050f1fdce5, 0x6d03198de496a8c5, 0x86654d5973b6abe3,
        ]),
        affine([
            0x372d23ff45bac36e, 0x599899459975dcd0, 0x21fd8a9f5fc9abcb, 0xaf381cd103584925,
            0xff3d887ab1b119a9, 0x589b82f1ef4d4a90, 0xc9457f22951a2648, 0x681a087fb7df0fbd,
        ]),
        affine([
            0x9e1994056037cfb4, 0x7400f246c3cdaa85, 0x0d77f4880da0b0e0, 0x042531823ff5ed0b,
            0x00b7325ed8775d23, 0xeea3e4f534ec5dd4, 0x628ca4d0c8661fac, 0xc90e8bccfae00f7e,
        ]),
    ],
    [
        affine([
            0xeddeea19f87b338b, 0xfe44d4fc2e04eba7, 0x1b3a9b22d66d9101, 0xbe63ab41d2c743f0,
            0x9d212f2591b00a85, 0x7053cb7e45930daf, 0x8d3021bbb90b353b, 0x1f125f145e22f475,
        ]),
        affine([
            0x44342466113bd81e, 0x578042f6caebe721, 0xaeda82df286eb6e2, 0xfc1d6f42b05d00e6,
            0x41e3d4415d7ee1ea, 0x3976b531546dc8dc, 0x93d74bd97fd76ce6, 0x6d2cdf43ac02382a,
        ]),
        affine([
            0x343779a00efea3f0, 0x1b200bdfe2961065, 0xe27388b02d1ed1a4, 0xcd518f0c66805279,
            0xd1f27741670e9cc9, 0x6c63a31962831ebc, 0x4d1103e38c05df53, 0x0764705d02013d1e,
        ]),
        affine([
            0x1ead3233444c0448, 0x96357686c10319e3, 0x4943fccb3b7893e7, 0xb12fadf52943dfa5,
            0x96575e76b369de57, 0x1d05e70332fc4df2, 0xe96f8f6677b2a6a7, 0x02e2459599b0f4ac,
        ]),
        affine([
            0xa32b4de1cb677fdc, 0xb823d3d5abb9af6b, 0xeb368a86fa706a9b, 0x49a054ade8969880,
            0x2fa0662ee9c4e165, 0x23ee218a1ed7a41b, 0x1ec88e55559c73ae, 0xd390673ab169bd90,
        ]),
        affine([
            0xcb1a6c7945ffdc65, 0xae8db929a87ab955, 0xc9fbfec325007275, 0xfbe889d4e4d9363a,
            0x070347598c989e78, 0x53f29ed771837d62, 0x696d27420302c847, 0x4041a2223abb847f,
        ]),
        affine([
            0x67e197c91304ff15, 0x45d43febcc4d6fdc, 0x946ebef81abfe7cd, 0x4456004aa475aa44,
            0xaaac45f32c3dfffb, 0x48bc34c7091d5d94, 0x0a6e89c1325e9add, 0x7c287117d5b36794,
        ]),
        affine([
            0x58627e5e8b47e27b, 0x3bf2d82d8d98b368, 0xbe2df29f6cea3b79, 0x6054b2225e75b6a4,
            0x001829e764ae4b62, 0x1d789cf5afad1987, 0xb0760cd1f574e0f8, 0x6e7106f3b190d8ed,
        ]),
        affine([
            0x5903c0e4957ccd24, 0xb0fb19d3f761cab2, 0xf5b12813817b5ba0, 0x129078fc1b7f5ebe,
            0x68f1045efe4165ce, 0x0d60b8e5ceb9bef6, 0x792fd6b0cadd2bed, 0x45d31e8719f5e86f,
        ]),
        affine([
            0x49082d4529bb3cd4, 0x10f8741ded462eca, 0x0a7b8941054b3027, 0x12db2cfc4fcc2832,
            0x7df8c0011f70e428, 0x696f0b85022735f0, 0xb5846436b3016e89, 0x253a8baf64b58b34,
        ]),
        affine([
            0xcac9a029bfe87e95, 0x6d2c35096c8dbf07, 0x2dd3ee31d7eaa654, 0x67d85a3e464a0725,
            0x850ab6cc45b73426, 0x31e921523f3faea5, 0x5414074446abfce5, 0x850ea0cbd5957cf9,
        ]),
        affine([
            0xf536c45464e9151f, 0x67ea3399c80d8418, 0x43255dda91d8fb3e, 0x48388e34f1c50568,
            0x1bee49edcd7a9434, 0x99b1411153de8310, 0x6a25339315482bcc, 0xb0ec63abf4e44e9e,
        ]),
        affine([
            0x1ab8f748facee423, 0x942cabdad90f11d5, 0x296f2e01c8223aeb, 0x3eecf8a6ba5c179e,
            0x6790d893786848ac, 0x9ac3d041dc5a9202, 0x58d3fec2e8ef4581, 0x6973a142a45fee6a,
        ]),
        affine([
            0x730ec28a2bc97bf4, 0x5c7255d84a36175f, 0xe1132b46524b4d84, 0xc2692ccf0f8d9cee,
            0x66d68dc51f2f3a58, 0xd544f6ca16216487, 0xcbd3cf5417a32b15, 0xe8300f7b0758aee6,
        ]),
        affine([
            0x3d6cf9df70c267f8, 0x207d2d5ec2bcf231, 0xf2cc15dfbc250711, 0xa01c066402764294,
            0x144c1fbddc05d7be, 0x824dc75394de5970, 0xd3c82e0f1698f9fc, 0x30b837266f4c7709,
        ]),
        affine([
            0x8d93ca698eb99805, 0xad086d4ce99a11e3, 0xb0c2bf930bf33a68, 0x01ee7fc202708cfe,
            0x09fd5f4e10eeccaf, 0x811836ea35be799b, 0x124be02ef3455711, 0x9655cef01b024882,
        ]),
    ],
];
