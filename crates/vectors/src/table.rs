//! The list of all files.

use quorate::ecdsa::{EcdsaCurve, P256, Secp256k1};

use crate::disk::Folder;
use crate::json::Json;
use crate::seeds::Seeds;
use crate::shapes::{AUX, SHAPES, Shape};
use crate::{aux_info, cheats, ecdsa, frost};

/// The levels of security.
const LEVELS: [u32; 2] = [2048, 3072];

/// A function that makes a file, from other files of the folder and from seeds.
type Make = Box<dyn Fn(&Folder, &Seeds<'_>) -> Json + Send + Sync>;

/// A file of the vectors.
pub(crate) struct File {
    /// The name, without the ending.
    pub(crate) name: String,
    /// The function that makes it.
    pub(crate) make: Make,
}

fn file(name: String, make: impl Fn(&Folder, &Seeds<'_>) -> Json + Send + Sync + 'static) -> File {
    File { name, make: Box::new(make) }
}

/// The names of all files, without the ending `.json`, in the order in which they are made.
#[must_use]
pub fn names() -> Vec<String> {
    stages().into_iter().flatten().map(|file| file.name).collect()
}

/// The files. Those of a stage need files of earlier stages.
pub(crate) fn stages() -> [Vec<File>; 3] {
    let mut first = suites();
    let (mut second, mut third) = (Vec::new(), Vec::new());
    for bits in LEVELS {
        for numbers in AUX {
            let make = move |_: &Folder, seeds: &Seeds<'_>| aux_info::file(bits, numbers, seeds);
            first.push(file(aux_name(bits, numbers), make));
        }
        for numbers in [AUX[0], AUX[1]] {
            let honest = aux_name(bits, numbers);
            second.push(file(format!("evidence-{honest}"), move |folder, _| {
                let base = folder.read(&honest);
                cheats::aux_info::file(bits, numbers, &honest, &Seeds::Stored(&base))
            }));
        }
    }
    curve::<Secp256k1>("secp256k1", [&mut first, &mut second, &mut third]);
    curve::<P256>("p256", [&mut first, &mut second, &mut third]);
    [first, second, third]
}

macro_rules! suites {
    ($files:ident; $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $(
            for shape in SHAPES {
                let name = format!("frost-{}-{}", $name, shape.name());
                $files.push(file(name, move |_, seeds| frost::file::<$suite>(shape, seeds)));
            }
            let name = format!("evidence-frost-{}", $name);
            $files.push(file(name, |_, seeds| cheats::frost::file::<$suite>(seeds)));
        )*
    };
}

fn suites() -> Vec<File> {
    let mut files = Vec::new();
    quorate::for_each_frost_suite!(suites, files;);
    files
}

fn aux_name(bits: u32, numbers: &[u16]) -> String {
    format!("aux-info-{bits}-{}", numbers.len())
}

/// The files of a curve of threshold ECDSA.
fn curve<C: EcdsaCurve>(name: &'static str, [first, second, third]: [&mut Vec<File>; 3]) {
    for shape in SHAPES {
        let make = move |_: &Folder, seeds: &Seeds<'_>| ecdsa::file::<C>(shape, seeds);
        first.push(file(key_name(name, shape), make));
    }
    first.push(file(format!("evidence-ecdsa-{name}"), |_, seeds| cheats::ecdsa::file::<C>(seeds)));
    for bits in LEVELS {
        for shape in SHAPES {
            second.push(file(presign_name(name, bits, shape), move |folder, seeds| {
                signers::<C>(folder, name, bits, shape).file(bits, seeds)
            }));
        }
        let pair = SHAPES[0];
        let honest = presign_name(name, bits, pair);
        third.push(file(format!("evidence-{honest}"), move |folder, _| {
            let base = folder.read(&honest);
            let alarm = (name, bits) == ("secp256k1", LEVELS[0]);
            let signers = signers::<C>(folder, name, bits, pair);
            let terms = (bits, &honest[..], alarm);
            cheats::presign::file(&signers, terms, &Seeds::Stored(&base))
        }));
    }
}

fn key_name(curve: &str, shape: Shape) -> String {
    format!("ecdsa-{curve}-{}", shape.name())
}

fn presign_name(curve: &str, bits: u32, shape: Shape) -> String {
    format!("presign-{curve}-{bits}-{}", shape.name())
}

/// The signers of a group, from the files that have their shares and their auxiliary information.
fn signers<C: EcdsaCurve>(
    folder: &Folder,
    curve: &str,
    bits: u32,
    shape: Shape,
) -> crate::signers::Signers<C> {
    let among = AUX.iter().find(|all| shape.signers.iter().all(|one| all.contains(one)));
    let files = [key_name(curve, shape), aux_name(bits, among.expect("some have all signers"))];
    let [keys, aux] = [0, 1].map(|at: usize| folder.read(&files[at]));
    crate::signers::Signers::read(shape, bits, [&keys, &aux], files)
}
