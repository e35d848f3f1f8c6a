//! The types of plain objects, for TypeScript.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const COMMON: &str = r#"
/** A kind of key, and of its signatures. A build knows those of its families. */
export type Scheme = "frost-ed25519" | "frost-ristretto255" | "frost-ed448" | "frost-p256" | "frost-secp256k1" | "frost-taproot"
    | "ecdsa-p256" | "ecdsa-secp256k1";

/** A parameter set of FIPS 204. */
export type MlDsaLevel = "ml-dsa-44" | "ml-dsa-65" | "ml-dsa-87";

/** The kind of an error, which determines what to do next. `Misbehaviour` alone proves that `culprits` misbehaved. */
export type ErrorKind = "Misbehaviour" | "Unattributed" | "Missing" | "Rejected" | "Consumed" | "NotYet" | "Spent" | "Table" | "Arguments"
    | "Mismatch" | "Unconfirmed" | "Encoding" | "Seal" | "InvalidSignature" | "Randomness" | "Defect";

/** What the functions throw: an `Error` with the name `QuorateError`. An argument of another class gives a plain `Error` or `TypeError`. After a
 * `WebAssembly.RuntimeError` load the module anew. */
export interface QuorateError extends Error {
    readonly name: "QuorateError";
    readonly kind: ErrorKind;
    /** The parties that are to blame, ascending; empty where nobody is. */
    readonly culprits: number[];
}
"#;

#[cfg(feature = "sign")]
#[wasm_bindgen(typescript_custom_section)]
const SIGN: &str = r#"
/** A message to be delivered. One with a recipient is **confidential**: encrypt it to that party. */
export interface Outgoing {
    /** The recipient; absent for all other parties. */
    recipient?: number;
    /** The frame, for the recipient's `receive`. */
    bytes: Uint8Array;
}

/** A message with its sender, as the **authenticated** transport names it. */
export interface Received {
    sender: number;
    bytes: Uint8Array;
}

/** The fate of a frame that was taken. After `Conflicting` the next `advance` names the sender. */
export type FrameFate = "Accepted" | "Early" | "Duplicate" | "Conflicting";

/** `Waiting` for messages; `Working`: call `advance` again; `Round`: seal, store, and send what is outgoing; `Done` and `Unconfirmed`: take
 * the outcome. */
export type Progress = "Waiting" | "Working" | "Round" | "Done" | "Unconfirmed";

/** A sealed session, and where it belongs in a store. */
export interface SealedSession {
    /** The bytes to store. */
    bytes: Uint8Array;
    /** The name of the run, 32 bytes. With the party it is the key of the row. */
    run: Uint8Array;
    /** A greater one replaces a smaller one, and **never the reverse**. */
    length: number;
}

/** Frames of one peer that were not taken. */
export interface Rejection {
    party: number;
    count: number;
    last: string;
}

/** One culprit of a run that was aborted, with the frames that show it. */
export interface Blame {
    party: number;
    round: number;
    fault: string;
    frames: Received[];
}

/** A signature. */
export interface Signature {
    /** As its verifiers read it; of ECDSA r and s, 64 bytes. */
    bytes: Uint8Array;
    /** Of ECDSA, in DER. */
    der?: Uint8Array;
    /** Of ECDSA, 0 to 3. */
    recoveryId?: number;
}

/** `Ready` signs; `Pending` signs, and older shares stay until all have acknowledged theirs; `Unconfirmed` does not sign. */
export type ShareState = "Ready" | "Pending" | "Unconfirmed";

/** The reason why a stock of nonces is known to be the latest that was stored. With `Unknown` nothing of it is left to use. */
export type Continuity = "NewStore" | "StayedUp" | "Peers" | "Counter" | "Operator" | "Unknown";

/** The result of a session. Seal and store its secret parts before the tombstone. */
export type Outcome =
    | { kind: "KeyMade"; share: KeyShare }
    | { kind: "Signed"; signature: Signature }
    | LifeOutcome
    | EcdsaOutcome
    | MlDsaOutcome;

/** What a step gives. Store `state` **before** anything of `outgoing` is sent: after a start as a new row, and fail if the row is there;
 * after a step in place of the state that the step was given. */
export interface Stepped {
    /** The run, sealed; when it has ended, its tombstone, which no step takes. `Session.open` takes it as well: to send the messages of
     * the round again, or to give up. */
    state: SealedSession;
    /** `Waiting`, `Done` or `Unconfirmed`; absent if the run was aborted. */
    progress?: Progress;
    outgoing: Outgoing[];
    waitingFor: number[];
    rejections: Rejection[];
    outcome?: Outcome;
    /** The reason why there is no result, or one that is not confirmed. */
    reason?: QuorateError;
    blames: Blame[];
}
"#;

#[cfg(all(feature = "sign", feature = "life"))]
#[wasm_bindgen(typescript_custom_section)]
const LIFE: &str = r#"
/** The results of the sessions of a key's life. */
export type LifeOutcome =
    | { kind: "Reshared"; public: PublicKeyPackage; share?: KeyShare }
    | { kind: "Repaired"; share?: KeyShare }
    | { kind: "Acknowledged"; by: StoredByAll };
"#;

#[cfg(all(feature = "sign", not(feature = "life")))]
#[wasm_bindgen(typescript_custom_section)]
const NO_LIFE: &str = "type LifeOutcome = never;\n";

#[cfg(all(feature = "sign", feature = "ecdsa"))]
#[wasm_bindgen(typescript_custom_section)]
const ECDSA: &str = r#"
/** The results of ECDSA's sessions. */
export type EcdsaOutcome =
    | { kind: "AuxInfoMade"; aux: AuxInfo }
    | { kind: "Presigned"; presignatures: Presignature[] };

/** The size of the moduli of threshold ECDSA: 3072 bits, or 2048 bits to compare with systems that use this size. */
export type Level = "bits-128" | "bits-112";

/** The hash function of a message: SHA-256, or SHA-256 twice, as Bitcoin signs. */
export type MessageHash = "sha256" | "sha256d";
"#;

#[cfg(all(feature = "sign", not(feature = "ecdsa")))]
#[wasm_bindgen(typescript_custom_section)]
const NO_ECDSA: &str = "type EcdsaOutcome = never;\n";

#[cfg(all(feature = "sign", feature = "mldsa"))]
#[wasm_bindgen(typescript_custom_section)]
const MLDSA: &str = r#"
/** The results of ML-DSA's sessions. An attempt without a signature is followed by another one. */
export type MlDsaOutcome =
    | { kind: "MlDsaKeyMade"; share: MlDsaKeyShare }
    | { kind: "MlDsaAttempted"; signature?: Signature; accepted: { party: number; slots: number }[] };
"#;

#[cfg(all(feature = "sign", not(feature = "mldsa")))]
#[wasm_bindgen(typescript_custom_section)]
const NO_MLDSA: &str = "type MlDsaOutcome = never;\n";
