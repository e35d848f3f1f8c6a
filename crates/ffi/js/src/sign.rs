//! Keys, sessions and signing.

#[cfg(feature = "ecdsa")]
mod ecdsa;
mod frost;
mod keys;
#[cfg(feature = "life")]
mod life;
#[cfg(feature = "mldsa")]
mod mldsa;
mod outcome;
mod session;
mod step;
mod task;

/// A class around a counted object of `quorate-ffi`.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[wasm_bindgen::prelude::wasm_bindgen]
        pub struct $name(pub(crate) std::sync::Arc<quorate_ffi::$name>);

        impl $name {
            #[allow(dead_code, reason = "some classes are never an argument")]
            pub(crate) fn shared(&self) -> std::sync::Arc<quorate_ffi::$name> {
                std::sync::Arc::clone(&self.0)
            }
        }
    )*};
}

pub(crate) use handles;
