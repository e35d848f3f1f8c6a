//! The figures of the published reports, as published, each on its own hardware. They stand beside ours and are never
//! part of a ratio with them.

/// A published report.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The title of the report, with its year.
    pub title: &'static str,
    /// The machine of its figures.
    pub hardware: &'static str,
    /// How they were taken, and what to know about them.
    pub notes: &'static str,
}

/// The benchmarks of tss-ecdsa.
pub const TSS_ECDSA: Source = Source {
    title: "Benchmarks of tss-ecdsa, December 2022",
    hardware: "Ryzen 9 3900X, 32 GB",
    notes: "Criterion, 100 runs; all parties one after the other in one process, in a random order, messages in \
            memory; total time divided by the parties. Moduli of 2048 bits. At that time some of its proofs ran 8 \
            repetitions where 80 or 128 are run today, and its modpow with num-bigint used a modulus of 8192 bits.",
};

/// Prime generation (s) and modpow (ms) by library: openssl, num-bigint, gmp.
pub const TSS_BIGNUM: [(&str, f64, f64); 3] =
    [("openssl", 1.0, 5.46), ("num-bigint", 52.0, 185.0), ("gmp", 15.0, 10.5)];

/// Milliseconds per party for 3, 6 and 9 parties.
pub const TSS_STEPS: [(&str, [f64; 3]); 3] = [
    ("keygen", [0.76, 1.7, 2.8]),
    ("aux-info", [6650.0, 6858.0, 7061.0]),
    ("presign", [289.0, 700.0, 1145.0]),
];

/// THORChain's report on threshold signatures.
pub const THORCHAIN: Source = Source {
    title: "THORChain TSS benchmark, go-tss of 10 July 2020 (GG18)",
    hardware: "machines of 1 core and 1 GB",
    notes: "Four nodes in one region, 400 key generations and 400 signatures, for the rounds and the memory; ten \
            machines of one provider and 22 of another in four regions, mean of 5, for the growth with the nodes. \
            Times on the clock, with the network.",
};

/// Seconds and percent of each round of the key generation of four nodes.
pub const THORCHAIN_KEYGEN: [(&str, f64, f64); 5] = [
    ("1", 3.83, 25.18),
    ("2a", 5.05, 33.20),
    ("2b", 5.07, 33.33),
    ("3", 0.26, 1.71),
    ("4", 0.6, 3.94),
];

/// Seconds and percent of each recorded round of a signature of four nodes.
pub const THORCHAIN_SIGN: [(&str, f64, f64); 5] = [
    ("1", 1.42, 10.18),
    ("2a", 3.83, 27.46),
    ("2b", 3.90, 27.96),
    ("3a", 1.98, 14.19),
    ("3b", 1.98, 14.19),
];

/// Kilobytes of a node: standby after 800 runs, key generation at its peak, signing.
pub const THORCHAIN_HEAP: [(&str, f64); 3] =
    [("standby after 800 runs", 4997.0), ("keygen", 8798.0), ("sign", 5504.0)];

/// Nodes, seconds of a key generation, seconds of a signature.
pub const THORCHAIN_NODES: [(f64, f64, f64); 10] = [
    (3.0, 10.212, 2.457),
    (6.0, 18.021, 5.315),
    (9.0, 29.918, 9.471),
    (12.0, 37.865, 12.054),
    (15.0, 46.568, 15.244),
    (18.0, 49.116, 15.976),
    (21.0, 55.955, 18.213),
    (24.0, 63.283, 20.825),
    (27.0, 80.586, 27.277),
    (30.0, 109.95, 47.575),
];

/// The published fits in milliseconds, `a x² + b x + c`, and their R².
pub const THORCHAIN_FITS: [(&str, [f64; 3], f64); 2] =
    [("keygen", [67.672, 916.8, 11572.0], 0.9562), ("sign", [50.252, -373.93, 6198.1], 0.8958)];

/// The performance post of the frost-* crates.
pub const FROST: Source = Source {
    title: "FROST performance, the post of the frost-* crates' authors",
    hardware: "Ryzen 9 5900X, Rust 1.66",
    notes: "Rounds 1 and 2 are of each signer, key generation with a dealer and aggregation of the coordinator. \
            Milliseconds, after the change from checking every share to checking their sum.",
};

/// The sizes of the tables of the post.
pub const FROST_SIZES: [(u16, u16); 4] = [(2, 3), (7, 10), (67, 100), (667, 1000)];

/// Suite; for each size the milliseconds of dealer, round 1, round 2 and aggregation.
pub const FROST_STEPS: [(&str, [[f64; 4]; 4]); 5] = [
    (
        "ed25519",
        [
            [0.24, 0.08, 0.12, 0.22],
            [0.73, 0.08, 0.39, 0.45],
            [7.7, 0.08, 3.64, 3.28],
            [181.45, 0.08, 36.92, 31.88],
        ],
    ),
    (
        "ristretto255",
        [
            [0.24, 0.08, 0.13, 0.22],
            [0.71, 0.08, 0.42, 0.47],
            [7.61, 0.08, 3.77, 3.40],
            [179.43, 0.08, 38.32, 32.54],
        ],
    ),
    (
        "secp256k1",
        [
            [0.26, 0.09, 0.15, 0.25],
            [0.78, 0.09, 0.48, 0.52],
            [7.50, 0.09, 4.41, 3.82],
            [123.74, 0.09, 46.11, 37.48],
        ],
    ),
    (
        "p256",
        [
            [0.56, 0.18, 0.33, 0.58],
            [1.71, 0.19, 1.08, 1.24],
            [16.51, 0.18, 10.03, 9.38],
            [206.85, 0.19, 97.49, 90.82],
        ],
    ),
    (
        "ed448",
        [
            [1.56, 0.51, 0.75, 1.39],
            [4.56, 0.53, 2.36, 2.88],
            [46.05, 0.52, 21.04, 20.37],
            [693.45, 0.53, 211.68, 197.00],
        ],
    ),
];

/// Suite; milliseconds of an aggregation that checks every share, for 67-of-100 and 667-of-1000.
pub const FROST_EVERY_SHARE: [(&str, [f64; 2]); 5] = [
    ("ed25519", [16.4, 394.0]),
    ("ristretto255", [16.6, 404.0]),
    ("secp256k1", [17.6, 347.0]),
    ("p256", [38.8, 590.0]),
    ("ed448", [101.7, 1529.0]),
];

/// Tendermint with post-quantum signatures beside Tendermint.
pub const TENDERMINT: Source = Source {
    title: "Tendermint-PQ against Tendermint",
    hardware: "i5-6500, 16 GB, SSD",
    notes: "Ed25519 and Dilithium with the sizes of ML-DSA-44. Rates of signing and verifying are of one key; the \
            rates of nodes include consensus, disk and network.",
};

/// Key generation (µs), signature and public key (bytes), signing and verifying (a second): Ed25519, Dilithium.
pub const TENDERMINT_KEYS: [(&str, [f64; 5]); 2] = [
    ("Ed25519", [28.7, 64.0, 32.0, 4238.0, 13261.0]),
    ("Dilithium", [242.7, 2420.0, 1312.0, 1357.0, 5937.0]),
];

/// Transactions a second of one node and of four: Ed25519, Dilithium.
pub const TENDERMINT_NODES: [(&str, [f64; 2]); 2] =
    [("Ed25519", [3215.0, 2114.0]), ("Dilithium", [983.0, 491.0])];

/// The performance work on Evmos.
pub const EVMOS: Source = Source {
    title: "Evmos performance work, October 2021 to January 2022",
    hardware: "a machine that is not named",
    notes: "benchstat, before and after encoding without temporary buffers.",
};

/// Message; bytes and allocations before and after.
pub const EVMOS_ENCODING: [(&str, [f64; 2], [f64; 2]); 3] = [
    ("VoteSignBytes", [792.0, 600.0], [13.0, 10.0]),
    ("CommitVoteSignBytes", [9520.0, 7600.0], [140.0, 110.0]),
    ("MarshalDelimited without MarshalTo", [808.0, 440.0], [10.0, 7.0]),
];

/// Latency of one node and of four (ms), CPU (%), memory (MB), and MB a second read from disk, written to it and over the
/// network: Ed25519, Dilithium.
pub const TENDERMINT_LOAD: [(&str, [f64; 7]); 2] = [
    ("Ed25519", [93.0, 137.0, 42.0, 201.0, 2.5, 2.6, 4.2]),
    ("Dilithium", [821.0, 1033.0, 86.0, 654.0, 7.12, 6.97, 18.5]),
];

/// The published soak of 12 hours, the stress, and the heap over 24 hours: of Ed25519, then of Dilithium.
pub const TENDERMINT_SOAK: [(&str, [&str; 3]); 2] = [
    (
        "Ed25519",
        [
            "less than 2.5 % lost in 12 h, 1805 /s",
            "1.2 GB, then 1.27 GB after 24 h",
            "174 % of capacity, 3480 /s: controlled",
        ],
    ),
    (
        "Dilithium",
        [
            "restarted within 12 h, 425 /s",
            "2.05 GB, then 3.75 GB after 24 h",
            "153 % of capacity, 645 /s: out of memory",
        ],
    ),
];
