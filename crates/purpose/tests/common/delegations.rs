//! Delegations and blobs of EVM chains, from the tests of other implementations and from a public chain.

use quorate_purpose::evm::{Authorization, BlobTransaction, SetCodeTransaction};

use super::hex;

/// go-ethereum's test of EIP-7702 on the chain 1337, without the sender's signature: two accounts delegate, one of them on
/// every chain.
pub const GETH: &str = "04f8e3820539800285012a05f2008307a1209471562b71999873db5b286df957af199ec94617f78080c0f8baf85c82053994000000000000000000000000000000000000aaaa0101a07ed17af7d2d2b9ba7d797a202125bf505b9a0f962a67b3b61b56783d8faf7461a001b73b6e586edc706dce6c074eaec28692fa6359fb3446a2442f36777e1c0669f85a8094000000000000000000000000000000000000bbbb8001a05011890f198f0356a887b0779bde5afa1ed04e6acb1e3f37f8f18c7b6f521b98a056c3fa3456b103f3ef4a0acb4b647b9cab9ec4bc68fbcdf1e10b49fb2bcbcf61";
/// The transaction that EDR's tests send on the chain 31337, without the sender's signature.
pub const EDR: &str = "04f8e8827a6980843b9aca00848321560083019a2894f39fd6e51aad88f6f4ce6ab8827279cfffb922668080c0f8bcf85c827a699412345678901234567890123456789012345678908080a0b776080626e62615e2a51a6bde9b4b4612af2627e386734f9af466ecfce19b8da00d5c886f5874383826ac237ea99bfbbf601fad0fd344458296677930d51ff444f85c827a699411112222333344445555666677778888999900008080a0f71b006fda233cef9682622ca8e5f91f1764fd4d352e9a1240b2fcb6a118f3d8a06316d5485c65f186bb367250f229c9a612a40391df15d484e2acf499d9676f5e";
/// The transaction 0x9a22ccb0029bc8b0ddd073be1a1d923b7ae2b2ea52100bae0db4424f9107e9c0 of Sepolia, which alloy's tests have,
/// without the sender's signature.
pub const SEPOLIA: &str = "03f8da83aa36a7820fa28477359400852e90edd0008252089411e9ca82a3a762b4b5bd264d4173a242e7a770648080c08504a817c800f8a5a0012ec3d6f66766bedb002a190126b3549fce0047de0d4c25cffce0dc1c57921aa00152d8e24762ff22b1cfd9f8c0683786a7ca63ba49973818b3d1e9512cd2cec4a0013b98c6c83e066d5b14af2b85199e3d4fc7d1e778dd53130d180f5077e2d1c7a001148b495d6e859114e670ca54fb6e2657f0cbae5b08063605093a4b3dc9f8f1a0011ac212f13c5dff2b2c6b600a79635103d6f580a4221079951181b25c7e6549";

pub fn contract() -> [u8; 20] {
    hex("be95c3f554e9fc85ec51be69a3d807a0d55bcf2c").try_into().unwrap()
}

/// Of viem's test of `hashAuthorization`.
pub fn authorization() -> Authorization {
    Authorization::new(1_u64, contract(), 40).unwrap()
}

/// Of viem's test of `hashAuthorization`.
pub fn everywhere() -> Authorization {
    Authorization::new(0_u64, contract(), 0).unwrap()
}

pub fn set_code() -> SetCodeTransaction {
    SetCodeTransaction::from_unsigned_bytes(&hex(GETH)).unwrap()
}

pub fn blobs() -> BlobTransaction {
    BlobTransaction::from_unsigned_bytes(&hex(SEPOLIA)).unwrap()
}
