//! Tests of every ciphersuite, by the registry of the crate `quorate`, and of both curves of threshold ECDSA.

/// A module of tests for each suite of the registry, with a test for each of these functions, which
/// are generic over the suite.
#[macro_export]
macro_rules! suite_tests {
    ($($test:ident),+ $(,)?) => {
        ::quorate::for_each_frost_suite!($crate::__suite_modules, [$($test)+]);
    };
}

/// Calls a function that is generic over the suite for each suite of the registry.
#[macro_export]
macro_rules! for_every_suite {
    ($function:ident) => {
        ::quorate::for_each_frost_suite!($crate::__suite_calls, $function;)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __suite_modules {
    ($tests:tt $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $($crate::__suite_module!($module, $suite, $tests);)*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __suite_module {
    ($module:ident, $suite:ty, [$($test:ident)+]) => {
        mod $module {
            $(#[test]
            fn $test() {
                super::$test::<$suite>();
            })+
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __suite_calls {
    ($function:ident; $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {{
        $($function::<$suite>();)*
    }};
}

/// A module of tests for each curve of threshold ECDSA, with a test for each of these functions, which are generic over
/// the curve.
#[macro_export]
macro_rules! curve_tests {
    ($($test:ident),+ $(,)?) => {
        $crate::__suite_module!(secp256k1, ::quorate_cggmp::Secp256k1, [$($test)+]);
        $crate::__suite_module!(p256, ::quorate_cggmp::P256, [$($test)+]);
    };
}
