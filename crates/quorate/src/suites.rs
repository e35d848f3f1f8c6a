//! The registry of FROST's ciphersuites.

/// The registry of ciphersuites: hands the list of them to a macro of the caller's.
///
/// Tables, tests and `impl`s for every suite are made from this list, so that a new suite is added
/// only here. `for_each_frost_suite!(then, arguments…)` expands to
///
/// ```text
/// then! {
///     arguments…
///     ed25519: quorate::frost::ed25519::Ed25519Sha512, "ed25519", "Ed25519";
///     …
/// }
/// ```
///
/// with the module of each suite, its type, its name on a command line, and its name in a sentence.
/// A suite keeps its place, and a new one is the last: seeds and recordings may count on the order.
///
/// ```
/// use quorate::frost::generic::KeySuite;
///
/// macro_rules! contexts {
///     ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
///         [$(($name, <$suite as KeySuite>::CONTEXT)),*]
///     };
/// }
/// let contexts = quorate::for_each_frost_suite!(contexts);
/// assert_eq!(contexts[0], ("ed25519", "FROST-ED25519-SHA512-v1"));
/// ```
#[macro_export]
macro_rules! for_each_frost_suite {
    ($($then:ident)::+ $(, $($argument:tt)+)?) => {
        $($then)::+! {
            $($($argument)+)?
            ed25519: $crate::frost::ed25519::Ed25519Sha512, "ed25519", "Ed25519";
            ristretto255: $crate::frost::ristretto255::Ristretto255Sha512, "ristretto255", "Ristretto255";
            secp256k1: $crate::frost::secp256k1::Secp256k1Sha256, "secp256k1", "secp256k1";
            secp256k1_tr: $crate::frost::secp256k1_tr::Secp256k1Taproot, "secp256k1-tr", "Taproot (secp256k1)";
            p256: $crate::frost::p256::P256Sha256, "p256", "P-256";
            ed448: $crate::frost::ed448::Ed448Shake256, "ed448", "Ed448";
        }
    };
}
