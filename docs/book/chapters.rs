//! The pages of the book, and the blocks of Rust in them. Read them in `docs/book/src`.

pub mod blocks;

use std::path::{Path, PathBuf};
use std::{fs, io};

use blocks::Block;

/// The files, in the order of the summary.
pub const FILES: &[&str] = &[
    "README.md",
    "protocols.md",
    "first-signature.md",
    "sessions.md",
    "restart.md",
    "keys.md",
    "presignatures.md",
    "post-quantum.md",
    "derived-secrets.md",
    "three-processes.md",
    "service.md",
    "ssh.md",
    "aws-kms.md",
    "pkcs11.md",
    "cometbft.md",
    "ethereum.md",
    "kubernetes.md",
    "languages.md",
    "platforms.md",
    "security.md",
    "performance.md",
    "formats.md",
    "auditors.md",
];

/// A page: one of the book, or the README of the repository.
pub struct Page {
    /// The name in code.
    pub name: String,
    /// The text.
    pub text: String,
    /// The blocks of Rust.
    pub blocks: Vec<Block>,
}

/// The folder of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages, the README of the repository first.
///
/// # Errors
/// A page that cannot be read, or a block that a reader could not compile.
pub fn pages() -> io::Result<Vec<Page>> {
    let book =
        FILES.iter().map(|file| (file.trim_end_matches(".md"), format!("docs/book/src/{file}")));
    let book =
        book.map(|(name, path)| (if name == "README" { "introduction" } else { name }, path));
    let all = core::iter::once(("readme", "README.md".to_owned())).chain(book);
    let page = |(name, path): (&str, String)| {
        let (name, text) = (name.replace('-', "_"), fs::read_to_string(repository().join(path))?);
        let blocks = blocks::blocks(&name, &text).map_err(io::Error::other)?;
        Ok(Page { name, text, blocks })
    };
    all.map(page).collect()
}
