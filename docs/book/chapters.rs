//! The chapters of the book, so that `cargo test` compiles and runs their code. Read them in `docs/book/src`.

macro_rules! chapters {
    ($($module:ident $file:literal;)*) => {
        $(
            #[doc = include_str!(concat!("src/", $file))]
            pub mod $module {}
        )*

        /// The files, in the order of the summary.
        pub const FILES: &[&str] = &[$($file),*];
    };
}

chapters! {
    introduction "README.md";
    protocols "protocols.md";
    first_signature "first-signature.md";
    sessions "sessions.md";
    keys "keys.md";
    presignatures "presignatures.md";
    post_quantum "post-quantum.md";
    service "service.md";
    languages "languages.md";
    security "security.md";
    performance "performance.md";
    formats "formats.md";
    auditors "auditors.md";
}
