// Threshold signatures for C. Generated from the sources of quorate-c: change those, and not this file.
//
// Calls. Every call that may fail returns a bool: true if it succeeded. It then has written its result to `out`, which may
// not be NULL. If it failed, it leaves `out` alone, and fills `error` unless that is NULL. Initialise handles with NULL and
// structs with {0}: then everything may be freed on every way out.
//
// Ownership. A handle, and a struct whose comment says so, belongs to the caller, who frees it with the function of its
// name. NULL may be freed. A struct may be freed again. The library keeps no argument: bytes, texts and lists that go in
// stay with the caller. Objects that refer to each other share what they need, so that handles may be freed in any order.
//
// Arguments. A pointer with a length may be NULL if the length is 0. Texts end with NUL and are UTF-8. Numbers of parties
// are 1 to 65535. No argument may be written to during the call, and `out` and `error` are different structs. NULL where it
// is not allowed fails with QUORATE_ERROR_KIND_ARGUMENTS. A handle that was freed is undefined behaviour.
//
// Threads. Handles may be used from any thread, and several at once. Free a handle after the last call with it has
// returned.
//
// Secrets. Everything secret leaves sealed, except messages for one party, which your transport encrypts. The library wipes
// its memory when handles and bytes are freed. Wipe the secret of a seal key yourself.


#ifndef QUORATE_H
#define QUORATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The kind of an error, which determines what to do next.
enum QuorateErrorKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // No error.
  QUORATE_ERROR_KIND_NONE = 0,
  // The parties in `culprits` provably misbehaved: never empty. Continue without them.
  QUORATE_ERROR_KIND_MISBEHAVIOUR = 1,
  // A check failed, and its failure does not show who misbehaved. Begin again, under another session id.
  QUORATE_ERROR_KIND_UNATTRIBUTED = 2,
  // The run was given up, or shares have not come; the text lists the silent parties. Silence proves nothing.
  QUORATE_ERROR_KIND_MISSING = 3,
  // A frame or a share was not taken. Nothing has changed; `culprits` has the sender if the sender is at fault.
  QUORATE_ERROR_KIND_REJECTED = 4,
  // The object was used up before. Make another.
  QUORATE_ERROR_KIND_CONSUMED = 5,
  // The session has not ended yet.
  QUORATE_ERROR_KIND_NOT_YET = 6,
  // The table of spent names has this name for something else, or for a session that was started before: never use this
  // presignature, these nonces or this number of an attempt again.
  QUORATE_ERROR_KIND_SPENT = 7,
  // The table of spent names gave no answer. No call of this library gives it: an answer that is none fails with
  // `QUORATE_ERROR_KIND_ARGUMENTS`.
  QUORATE_ERROR_KIND_TABLE = 8,
  // The arguments do not fit together, or not the scheme; or a pointer is NULL.
  QUORATE_ERROR_KIND_ARGUMENTS = 9,
  // The object belongs to another key, epoch, party or scheme. Nobody is to blame.
  QUORATE_ERROR_KIND_MISMATCH = 10,
  // The share, or the auxiliary information, is not confirmed by all parties.
  QUORATE_ERROR_KIND_UNCONFIRMED = 11,
  // The bytes do not encode the object.
  QUORATE_ERROR_KIND_ENCODING = 12,
  // Something sealed does not open: another key, altered bytes, or a run that has ended.
  QUORATE_ERROR_KIND_SEAL = 13,
  // The signature is not one of this message under this key.
  QUORATE_ERROR_KIND_INVALID_SIGNATURE = 14,
  // The system's generator of random numbers failed.
  QUORATE_ERROR_KIND_RANDOMNESS = 15,
  // A defect of the library: please report it.
  QUORATE_ERROR_KIND_DEFECT = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateErrorKind QuorateErrorKind;
#else
typedef uint32_t QuorateErrorKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The fate of a frame that was taken.
enum QuorateFrameFate
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // For the current round.
  QUORATE_FRAME_FATE_ACCEPTED = 0,
  // For the next round.
  QUORATE_FRAME_FATE_EARLY = 1,
  // Received before, byte for byte.
  QUORATE_FRAME_FATE_DUPLICATE = 2,
  // The frame contradicts an earlier one of its sender: the next `quorate_session_advance` names the sender.
  QUORATE_FRAME_FATE_CONFLICTING = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateFrameFate QuorateFrameFate;
#else
typedef uint32_t QuorateFrameFate;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The progress of a run.
enum QuorateProgress
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Messages are missing: `quorate_session_waiting_for` lists their senders.
  QUORATE_PROGRESS_WAITING = 0,
  // There is more to do in this round: call `quorate_session_advance` again when there is time.
  QUORATE_PROGRESS_WORKING = 1,
  // The next round has begun. Seal, store, and send the outgoing messages.
  QUORATE_PROGRESS_ROUND = 2,
  // The run has ended with a result: take the outcome, store it, then the tombstone.
  QUORATE_PROGRESS_DONE = 3,
  // The run has ended with a result that lacks the confirmation of others, and the reason says why. Take the outcome and
  // store it all the same, then the tombstone: others may have theirs.
  QUORATE_PROGRESS_UNCONFIRMED = 4,
  // The run was aborted. Only `quorate_stepped_progress` gives this; `quorate_session_advance` fails instead.
  QUORATE_PROGRESS_ABORTED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateProgress QuorateProgress;
#else
typedef uint32_t QuorateProgress;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a result, by the task that gave it.
enum QuorateOutcomeKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A key was made: see `quorate_outcome_key_share`.
  QUORATE_OUTCOME_KIND_KEY_MADE = 0,
  // Auxiliary information was made or carried over: see `quorate_outcome_aux_info`.
  QUORATE_OUTCOME_KIND_AUX_INFO_MADE = 1,
  // Presignatures were made: see `quorate_outcome_presignature`.
  QUORATE_OUTCOME_KIND_PRESIGNED = 2,
  // A digest, or a package, was signed: see `quorate_outcome_signature`.
  QUORATE_OUTCOME_KIND_SIGNED = 3,
  // New shares were made: see `quorate_outcome_public` and `quorate_outcome_key_share`.
  QUORATE_OUTCOME_KIND_RESHARED = 4,
  // A share was repaired: see `quorate_outcome_key_share`.
  QUORATE_OUTCOME_KIND_REPAIRED = 5,
  // An acknowledgement ended: all parties have stored their shares. See `quorate_outcome_stored_by_all`.
  QUORATE_OUTCOME_KIND_ACKNOWLEDGED = 6,
  // An ML-DSA key was made: see `quorate_outcome_ml_dsa_key_share`.
  QUORATE_OUTCOME_KIND_ML_DSA_KEY_MADE = 7,
  // An attempt of ML-DSA has ended: see `quorate_outcome_signature` and `quorate_outcome_ml_dsa_accepted`.
  QUORATE_OUTCOME_KIND_ML_DSA_ATTEMPTED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateOutcomeKind QuorateOutcomeKind;
#else
typedef uint32_t QuorateOutcomeKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A kind of key, and of its signatures. Its number is the code of the family in all stored forms.
enum QuorateScheme
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // FROST; signatures verify as Ed25519 (RFC 8032).
  QUORATE_SCHEME_FROST_ED25519 = 1,
  // FROST over Ristretto255 (RFC 9591).
  QUORATE_SCHEME_FROST_RISTRETTO255 = 2,
  // FROST; signatures verify as Ed448 (RFC 8032).
  QUORATE_SCHEME_FROST_ED448 = 3,
  // FROST over P-256 (RFC 9591).
  QUORATE_SCHEME_FROST_P256 = 4,
  // FROST over secp256k1 (RFC 9591).
  QUORATE_SCHEME_FROST_SECP256K1 = 5,
  // FROST for Taproot; signatures verify as BIP-340, and the key commits to an unspendable script path.
  QUORATE_SCHEME_FROST_TAPROOT = 6,
  // Threshold ECDSA (CGGMP24) over P-256.
  QUORATE_SCHEME_ECDSA_P256 = 36,
  // Threshold ECDSA (CGGMP24) over secp256k1.
  QUORATE_SCHEME_ECDSA_SECP256K1 = 37,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateScheme QuorateScheme;
#else
typedef uint32_t QuorateScheme;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The state of a share: whether it signs, and whether older shares may be deleted.
enum QuorateShareState
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The share signs, and every party has stored its own.
  QUORATE_SHARE_STATE_READY = 0,
  // The share signs, and the share of the epoch before stays beside it until all have acknowledged theirs.
  QUORATE_SHARE_STATE_PENDING = 1,
  // The share does not sign: not every party has confirmed the run that made it. See `quorate_key_share_confirmed`.
  QUORATE_SHARE_STATE_UNCONFIRMED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateShareState QuorateShareState;
#else
typedef uint32_t QuorateShareState;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The size of the moduli of threshold ECDSA.
enum QuorateLevel
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // 3072 bits: the recommended level.
  QUORATE_LEVEL_BITS128 = 1,
  // 2048 bits, about 112 bits of security: to compare with systems that use this size.
  QUORATE_LEVEL_BITS112 = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateLevel QuorateLevel;
#else
typedef uint32_t QuorateLevel;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A parameter set of FIPS 204. Its number is the code of the family in all stored forms.
enum QuorateMlDsaLevel
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // ML-DSA-44, security category 2.
  QUORATE_ML_DSA_LEVEL_ML_DSA44 = 44,
  // ML-DSA-65, security category 3.
  QUORATE_ML_DSA_LEVEL_ML_DSA65 = 65,
  // ML-DSA-87, security category 5.
  QUORATE_ML_DSA_LEVEL_ML_DSA87 = 87,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateMlDsaLevel QuorateMlDsaLevel;
#else
typedef uint32_t QuorateMlDsaLevel;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The reason why a stock of nonces that you open is known to be the latest that was stored.
//
// An older copy looks like the latest one. A party that signs from it spends nonces again, and so gives its key share away.
enum QuorateContinuity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Not known, for example after a restore from a backup. The stock has nothing left to use.
  QUORATE_CONTINUITY_UNKNOWN = 0,
  // The state was never closed: it has been open ever since it was last known to be the latest.
  QUORATE_CONTINUITY_STAYED_UP = 1,
  // Peers that stayed up vouch for it, as many as the key's threshold.
  QUORATE_CONTINUITY_PEERS = 2,
  // A counter outside vouches for the state: one that cannot be restored together with it.
  QUORATE_CONTINUITY_COUNTER = 3,
  // The operator promises that no backup, snapshot or replica exists from which it could have been restored.
  QUORATE_CONTINUITY_OPERATOR = 4,
  // Nothing was ever stored.
  QUORATE_CONTINUITY_NEW_STORE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateContinuity QuorateContinuity;
#else
typedef uint32_t QuorateContinuity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The hash function of a message that is signed with a presignature.
//
// A digest that was made elsewhere is refused, because the safety of presignatures rests on the hash.
// `quorate_task_sign_digest` takes one.
enum QuorateMessageHash
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // SHA-256, the hash of most ECDSA.
  QUORATE_MESSAGE_HASH_SHA256 = 1,
  // SHA-256 of SHA-256, as Bitcoin signs.
  QUORATE_MESSAGE_HASH_SHA256D = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateMessageHash QuorateMessageHash;
#else
typedef uint32_t QuorateMessageHash;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The answer of the table. Zero is refused, so that an answer has to be given on purpose.
enum QuorateTableEntry
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Nothing was stored under the name; the digest of this claim is stored now. The digest in the call is NULL and 0.
  QUORATE_TABLE_ENTRY_NEW = 1,
  // A digest was stored under the name before, and is there still: the digest in the call, 32 bytes.
  QUORATE_TABLE_ENTRY_BEFORE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum QuorateTableEntry QuorateTableEntry;
#else
typedef uint32_t QuorateTableEntry;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// An attempt of ML-DSA that waits until a table has recorded its number. See `QuorateShareClaim`.
typedef struct QuorateAttemptClaim QuorateAttemptClaim;

// A party's auxiliary information: its own secrets, and the proved public values of all parties. It serves any number of
// keys, of either curve.
typedef struct QuorateAuxInfo QuorateAuxInfo;

// The search for a party's primes, which takes seconds to minutes. Free it to cancel.
typedef struct QuorateAuxSearch QuorateAuxSearch;

// A party's own primes, for `quorate_task_make_aux_info`. They are not stored: the last sealed search gives them again.
typedef struct QuorateAuxSecrets QuorateAuxSecrets;

// The culprits of a run that was aborted, with the frames that show it, which are wiped when the list is freed.
typedef struct QuorateBlames QuorateBlames;

// Commitments to pairs of nonces, each for one signature.
typedef struct QuorateCommitments QuorateCommitments;

// One party's share of a key, of any scheme. An object does not change: to confirm or settle a share gives another one, to be
// stored in its place. The share leaves this library sealed.
typedef struct QuorateKeyShare QuorateKeyShare;

// A recorded attempt to sign. It begins one session, whichever handle of it is used.
typedef struct QuorateMlDsaAttempt QuorateMlDsaAttempt;

// One party's share of a threshold ML-DSA key. It leaves this library sealed. The share may be restored from a backup; the
// table of attempts must not. **Experimental.**
typedef struct QuorateMlDsaKeyShare QuorateMlDsaKeyShare;

// The public side of a threshold ML-DSA key, equal at all its parties. **Experimental.**
typedef struct QuorateMlDsaPublicKeyPackage QuorateMlDsaPublicKeyPackage;

// Pairs of nonces made ahead of time, each of which signs once.
//
// Seal and store it before its commitments leave, and after each signature; a later one replaces an earlier one, and never
// the reverse.
typedef struct QuorateNonceStock QuorateNonceStock;

// A pair of secret nonces for one signature. It signs once and cannot be stored: see `QuorateNonceStock`.
typedef struct QuorateNonces QuorateNonces;

// The result of a session. Seal and store its secret parts before the tombstone. Each call below gives a handle of its own,
// which outlives the outcome.
typedef struct QuorateOutcome QuorateOutcome;

// Outgoing messages, which are wiped when the list is freed.
typedef struct QuorateOutgoing QuorateOutgoing;

// One signer's part of a presignature: a signature takes this, the message and the path.
//
// **It signs once**, whichever handle of it is used. A stored presignature can be restored; the table of spent names keeps it
// from being spent twice.
typedef struct QuoratePresignature QuoratePresignature;

// The public side of a presignature: enough to aggregate signature shares.
typedef struct QuoratePresignatureInfo QuoratePresignatureInfo;

// The public side of a key in one epoch, equal at all parties: the group's key, the threshold, and every party's public share.
typedef struct QuoratePublicKeyPackage QuoratePublicKeyPackage;

// Frames that were not taken, by sender.
typedef struct QuorateRejections QuorateRejections;

// The key under which shares, presignatures, nonces, searches and sessions are sealed. Nothing secret crosses in any other
// form, except messages for one party.
typedef struct QuorateSealKey QuorateSealKey;

// A run of any protocol at one party.
//
// The order is start or open; then seal, store, and send the outgoing messages; then receive each frame and advance. If
// advance gives `QUORATE_PROGRESS_ROUND`, the order begins again at seal; if it gives `QUORATE_PROGRESS_DONE`, the run is over.
typedef struct QuorateSession QuorateSession;

// A signature share that waits until a table has recorded what it is spent on.
//
// The table is yours: a map from names to digests that only grows, and that outlives every restore of a backup. A name that is
// spent twice gives the key away. Store the digest under the name unless something is stored there, durably, so that of all
// calls with one name **one** at the most finds it new. In SQL: `INSERT … ON CONFLICT DO NOTHING`, `SELECT` if nothing was
// inserted, and the commit. Then call release with the answer. If the table failed, call nothing: the name may be an old one.
// A claim that is freed leaves the presignature or the nonces used up.
typedef struct QuorateShareClaim QuorateShareClaim;

// The message, with the commitments of all signers, for a signer to sign.
typedef struct QuorateSigningPackage QuorateSigningPackage;

// The coordinator's side of one signature. It holds no secret.
typedef struct QuorateSigningSession QuorateSigningSession;

// The result of a step.
//
// Store its state **before** any outgoing message is sent: after a start as a new row, and fail if the row is there; after a
// step in place of the state that the step was given, compared and swapped. A step from an older state, or a second start, may
// contradict what was sent, and so give secrets away.
typedef struct QuorateStepped QuorateStepped;

// The proof that all parties have acknowledged that they have stored their shares of one epoch.
typedef struct QuorateStoredByAll QuorateStoredByAll;

// The task of a session. All parties of a run agree on it beforehand, and each has its own part in it. A task may begin
// several sessions, except one with an attempt of ML-DSA. It shares the objects that it was made of, which may be freed.
typedef struct QuorateTask QuorateTask;

// An error. A call that fails fills the struct that its last argument points to, unless that is NULL; a call that succeeds
// leaves it alone. Free it with `quorate_error_free`.
typedef struct {
  // The kind.
  QuorateErrorKind kind;
  // The parties that are to blame, ascending; NULL where nobody is.
  uint16_t *culprits;
  // The number of culprits.
  size_t culprits_len;
  // The check that failed, in words, with NUL at the end. It has no secret in it.
  char *check;
} QuorateError;

// Bytes that belong to the library. Free them with `quorate_bytes_free`. No bytes are NULL and 0.
typedef struct {
  // The bytes.
  uint8_t *data;
  // The number of bytes.
  size_t len;
} QuorateBytes;

// Numbers of parties, ascending, that belong to the library. Free them with `quorate_parties_free`. No parties are NULL
// and 0.
typedef struct {
  // The numbers.
  uint16_t *data;
  // How many there are.
  size_t len;
} QuorateParties;

// A signature. Free it with `quorate_signature_free`.
typedef struct {
  // As its verifiers read it; of ECDSA r ‖ s, 64 bytes.
  QuorateBytes bytes;
  // Of ECDSA, in DER; otherwise NULL and 0.
  QuorateBytes der;
  // Of ECDSA, 0 to 3: by which the public key is found from signature and message. Otherwise −1.
  int32_t recovery_id;
} QuorateSignature;

// A sealed session, and where it belongs in a store. Free `bytes` with `quorate_bytes_free`; the rest needs no freeing.
typedef struct {
  // The bytes to store: encrypted and authenticated.
  QuorateBytes bytes;
  // The name of the run. With the party it is the key of the row.
  uint8_t run[32];
  // The number of events so far. A greater one replaces a smaller one, compared and swapped, and never the reverse; that of
  // a tombstone is the greatest.
  uint32_t length;
} QuorateSealedSession;

// A message with its sender, as the authenticated transport names it. As an argument it is read and belongs to the caller.
// As a result it points into the list that it is from, and is not freed by itself.
typedef struct {
  // The sender.
  uint16_t sender;
  // The message.
  const uint8_t *data;
  // The number of its bytes.
  size_t len;
} QuorateReceived;

// A message to be delivered. It points into its list.
typedef struct {
  // The recipient; 0 for all other parties. A message for one party is **confidential**: encrypt it to that party.
  uint16_t recipient;
  // The frame, for the recipient's `quorate_session_receive`.
  const uint8_t *data;
  // The number of its bytes.
  size_t len;
} QuorateMessage;

// Frames of one peer that were not taken. It points into its list.
typedef struct {
  // The peer.
  uint16_t party;
  // The number of frames.
  uint64_t count;
  // The reason why the last of them was not taken, with NUL at the end.
  const char *last;
} QuorateRejection;

// One culprit. It points into its list.
typedef struct {
  // The culprit.
  uint16_t party;
  // The number of frames that show the fault: see `quorate_blames_frame`.
  uint16_t frames;
  // The round of the message that is at fault.
  uint8_t round;
  // The fault in it, with NUL at the end.
  const char *fault;
} QuorateBlame;

// Bytes of a list. They point into it.
typedef struct {
  // The bytes.
  const uint8_t *data;
  // The number of bytes.
  size_t len;
} QuorateView;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Frees the parts of an error, and leaves it with the kind `QUORATE_ERROR_KIND_NONE`. NULL, an error that is all zero, and an
// error that was freed before are allowed.
void quorate_error_free(QuorateError *error);

// Wipes bytes, frees them, and leaves NULL and 0. NULL, and bytes that were freed before, are allowed.
void quorate_bytes_free(QuorateBytes *bytes);

// Frees numbers of parties, and leaves NULL and 0. NULL, and parties that were freed before, are allowed.
void quorate_parties_free(QuorateParties *parties);

// Frees a text that a call gave. NULL is allowed. The texts inside of structs are freed with their owners.
void quorate_text_free(char *text);

// Frees the parts of a signature. NULL, and a signature that was freed before, are allowed.
void quorate_signature_free(QuorateSignature *signature);

// Makes a key of 32 secret, uniformly random bytes. They are copied, and the library wipes its copies. Wipe yours.
bool quorate_seal_key_new(const uint8_t *secret,
                          size_t secret_len,
                          QuorateSealKey **out,
                          QuorateError *error);

// Wipes and frees the key. NULL is allowed.
void quorate_seal_key_free(QuorateSealKey *key);

// Frees the task. NULL is allowed.
void quorate_task_free(QuorateTask *task);

// Makes a key for all parties of the session, of which any `threshold` sign together. `scheme` is a `QuorateScheme`. The
// outcome has a key share.
bool quorate_task_keygen(uint32_t scheme,
                         uint16_t threshold,
                         QuorateTask **out,
                         QuorateError *error);

// Makes ECDSA's auxiliary information, once for any number of keys of the same parties. `secrets` has this party's primes.
bool quorate_task_make_aux_info(const QuorateAuxSecrets *secrets,
                                QuorateTask **out,
                                QuorateError *error);

// Makes ECDSA's auxiliary information for another set of parties, by a party that has proved its primes before.
bool quorate_task_carry_aux_info(const QuorateAuxInfo *aux,
                                 QuorateTask **out,
                                 QuorateError *error);

// Makes a presignature by all parties of the session.
bool quorate_task_presign(const QuorateKeyShare *share,
                          const QuorateAuxInfo *aux,
                          QuorateTask **out,
                          QuorateError *error);

// Makes `count` presignatures at once, 1 to 1024. Bound a number that comes from elsewhere: time and memory grow with it.
bool quorate_task_presign_many(const QuorateKeyShare *share,
                               const QuorateAuxInfo *aux,
                               uint16_t count,
                               QuorateTask **out,
                               QuorateError *error);

// Makes an ECDSA signature of a digest by all parties of the session, without a presignature. `digest` is 32 bytes: the hash
// of a message that this party has looked at.
bool quorate_task_sign_digest(const QuorateKeyShare *share,
                              const QuorateAuxInfo *aux,
                              const uint8_t *digest,
                              size_t digest_len,
                              QuorateTask **out,
                              QuorateError *error);

// Makes a FROST signature without a coordinator: every signer of a package sends its signature share to all others.
bool quorate_task_exchange_shares(const QuoratePublicKeyPackage *public_,
                                  const QuorateSigningPackage *package,
                                  const uint8_t *signature_share,
                                  size_t signature_share_len,
                                  QuorateTask **out,
                                  QuorateError *error);

// Makes new shares of a key, for the same committee (a refresh) or another one. `dealers` are at least t parties that have
// shares. `share` is that of a dealer, and NULL for a party that does not deal. `threshold` is that of the new committee.
bool quorate_task_reshare(const QuoratePublicKeyPackage *public_,
                          const QuorateKeyShare *share,
                          const uint16_t *dealers,
                          size_t dealers_len,
                          const uint16_t *committee,
                          size_t committee_len,
                          uint16_t threshold,
                          QuorateTask **out,
                          QuorateError *error);

// Repairs the lost share of `target`. `share` is that of a helper, and NULL for the party that has lost its own. `helpers` are
// at least t parties that have shares.
bool quorate_task_repair(const QuoratePublicKeyPackage *public_,
                         const QuorateKeyShare *share,
                         const uint16_t *helpers,
                         size_t helpers_len,
                         uint16_t target,
                         QuorateTask **out,
                         QuorateError *error);

// Acknowledges that this party has **stored** its new share, and waits for the same from all others. `sealed` is the share as
// it was read back from the store, and `key` the key under which it is sealed.
bool quorate_task_acknowledge(const uint8_t *sealed,
                              size_t sealed_len,
                              const QuorateSealKey *key,
                              QuorateTask **out,
                              QuorateError *error);

// Learns that all have stored their shares, at a party that is not in the new committee. `public` is that of the new epoch.
bool quorate_task_listen(const QuoratePublicKeyPackage *public_,
                         QuorateTask **out,
                         QuorateError *error);

// Makes a threshold ML-DSA key for all parties of the session, 6 at most, of which exactly `threshold` sign together, 2 at
// least. `level` is a `QuorateMlDsaLevel`. **Experimental.**
bool quorate_task_ml_dsa_keygen(uint32_t level,
                                uint16_t threshold,
                                QuorateTask **out,
                                QuorateError *error);

// Attempts to sign with a threshold ML-DSA key, by all parties of the session. `attempt` is this party's part, recorded under
// the session's id.
bool quorate_task_ml_dsa_sign(const QuorateMlDsaAttempt *attempt,
                              QuorateTask **out,
                              QuorateError *error);

// Begins a run of party `me`. All parties need the same session id of 32 bytes, which is **never used twice**, and the same
// set of parties. The task stays with the caller.
bool quorate_session_start(const uint8_t *session_id,
                           size_t session_id_len,
                           uint16_t me,
                           const uint16_t *parties,
                           size_t parties_len,
                           const QuorateTask *task,
                           QuorateSession **out,
                           QuorateError *error);

// Opens a sealed run, with the task with which it was started. Its outgoing messages are those that were sent before, byte
// for byte. Frames that came after the seal have to come again.
bool quorate_session_open(const uint8_t *sealed,
                          size_t sealed_len,
                          const QuorateSealKey *key,
                          const QuorateTask *task,
                          QuorateSession **out,
                          QuorateError *error);

// Wipes and frees the run. NULL is allowed.
void quorate_session_free(QuorateSession *session);

// Gives the number of this party.
bool quorate_session_party_id(const QuorateSession *session, uint16_t *out, QuorateError *error);

// Gives the messages of the current round. Send them again until their recipients have acknowledged them.
bool quorate_session_outgoing(const QuorateSession *session, QuorateOutgoing **out, QuorateError *error);

// Takes a frame. `sender` is its sender, as the **authenticated** transport names it. If the call fails with
// `QUORATE_ERROR_KIND_REJECTED`, nothing has changed, and a proper frame of the same sender will still be taken. `out` may
// not be NULL.
bool quorate_session_receive(const QuorateSession *session,
                             uint16_t sender,
                             const uint8_t *frame,
                             size_t frame_len,
                             QuorateFrameFate *out,
                             QuorateError *error);

// Verifies the round if it is complete, and moves on. If it fails, the run is over without a result:
// `QUORATE_ERROR_KIND_MISBEHAVIOUR` names every culprit, `QUORATE_ERROR_KIND_UNATTRIBUTED` names nobody.
bool quorate_session_advance(const QuorateSession *session, QuorateProgress *out, QuorateError *error);

// Ends a run that waits too long. The outcome is then a result that only lacks confirmations, or it fails with the reason.
bool quorate_session_give_up(const QuorateSession *session,
                             QuorateError *error);

// Gives the round whose messages are being waited for, from 1.
bool quorate_session_round(const QuorateSession *session, uint8_t *out, QuorateError *error);

// Gives the peers of which the current round still needs a message.
bool quorate_session_waiting_for(const QuorateSession *session, QuorateParties *out, QuorateError *error);

// Gives the rejected frames by sender. A peer that is waited for and stands here is not silent: it, or this party, has
// another task.
bool quorate_session_rejections(const QuorateSession *session,
                                QuorateRejections **out,
                                QuorateError *error);

// Gives the run, encrypted and authenticated, to be stored **before** the outgoing messages are sent.
bool quorate_session_seal(const QuorateSession *session,
                          const QuorateSealKey *key,
                          QuorateSealedSession *out,
                          QuorateError *error);

// Gives the result, once. After `QUORATE_PROGRESS_UNCONFIRMED` or `quorate_session_give_up` it may lack confirmation.
bool quorate_session_outcome(const QuorateSession *session,
                             QuorateOutcome **out,
                             QuorateError *error);

// Gives the reason why a run that has ended has no result, or one that is not confirmed. If the run is done, the kind in
// `out` is `QUORATE_ERROR_KIND_NONE`. Free `out` as any error.
bool quorate_session_reason(const QuorateSession *session,
                            QuorateError *out,
                            QuorateError *error);

// Gives the record that the store keeps for ever in place of the sealed run. Store the outcome first.
bool quorate_session_tombstone(const QuorateSession *session, QuorateSealedSession *out, QuorateError *error);

// Gives the culprits of a run that was aborted, with the frames that show it; an empty list otherwise.
bool quorate_session_blames(const QuorateSession *session, QuorateBlames **out, QuorateError *error);

// Begins a run, as `quorate_session_start` does, and gives its first state and messages.
bool quorate_start_steps(const uint8_t *session_id,
                         size_t session_id_len,
                         uint16_t me,
                         const uint16_t *parties,
                         size_t parties_len,
                         const QuorateTask *task,
                         const QuorateSealKey *key,
                         QuorateStepped **out,
                         QuorateError *error);

// Takes frames, and continues as far as they allow. The same state and frames give the same messages again. A frame that is
// not taken is no error: it is among the rejections. An attempt of ML-DSA opens one session, so its runs take no steps.
bool quorate_step(const uint8_t *state,
                  size_t state_len,
                  const QuorateSealKey *key,
                  const QuorateTask *task,
                  const QuorateReceived *frames,
                  size_t frames_len,
                  QuorateStepped **out,
                  QuorateError *error);

// Wipes and frees the result. NULL is allowed.
void quorate_stepped_free(QuorateStepped *stepped);

// Gives the state, as `quorate_session_seal` gives a run; when the run has ended, its tombstone, which no step takes and which
// stays for ever. `quorate_session_open` takes the bytes as well: to send the messages of the round again, or to give up.
bool quorate_stepped_state(const QuorateStepped *stepped,
                           QuorateSealedSession *out,
                           QuorateError *error);

// Gives the progress: `QUORATE_PROGRESS_WAITING`, `QUORATE_PROGRESS_DONE`, `QUORATE_PROGRESS_UNCONFIRMED` or
// `QUORATE_PROGRESS_ABORTED`.
bool quorate_stepped_progress(const QuorateStepped *stepped, QuorateProgress *out, QuorateError *error);

// Gives the messages of all rounds that this step has begun.
bool quorate_stepped_outgoing(const QuorateStepped *stepped, QuorateOutgoing **out, QuorateError *error);

// Gives the peers of which the current round still needs a message.
bool quorate_stepped_waiting_for(const QuorateStepped *stepped, QuorateParties *out, QuorateError *error);

// Gives the frames that were not taken, by sender.
bool quorate_stepped_rejections(const QuorateStepped *stepped, QuorateRejections **out, QuorateError *error);

// Gives the result, or NULL when there is none: store its secret parts, sealed, together with the state.
bool quorate_stepped_outcome(const QuorateStepped *stepped, QuorateOutcome **out, QuorateError *error);

// Gives the reason why there is no result, or one that is not confirmed. If there is none, the kind in `out` is
// `QUORATE_ERROR_KIND_NONE`. Free `out` as any error.
bool quorate_stepped_reason(const QuorateStepped *stepped,
                            QuorateError *out,
                            QuorateError *error);

// Gives the culprits of a run that was aborted, with the frames that show it; an empty list otherwise.
bool quorate_stepped_blames(const QuorateStepped *stepped, QuorateBlames **out, QuorateError *error);

// Gives the number of messages.
bool quorate_outgoing_count(const QuorateOutgoing *list, size_t *out, QuorateError *error);

// Gives a message, from 0. It is valid until the list is freed.
bool quorate_outgoing_get(const QuorateOutgoing *list,
                          size_t index,
                          QuorateMessage *out,
                          QuorateError *error);

// Wipes and frees the list. NULL is allowed.
void quorate_outgoing_free(QuorateOutgoing *list);

// Gives the number of rejections.
bool quorate_rejections_count(const QuorateRejections *list, size_t *out, QuorateError *error);

// Gives a rejection, from 0. It is valid until the list is freed.
bool quorate_rejections_get(const QuorateRejections *list,
                            size_t index,
                            QuorateRejection *out,
                            QuorateError *error);

// Frees the list. NULL is allowed.
void quorate_rejections_free(QuorateRejections *list);

// Gives the number of culprits.
bool quorate_blames_count(const QuorateBlames *list, size_t *out, QuorateError *error);

// Gives a culprit, from 0. It is valid until the list is freed.
bool quorate_blames_get(const QuorateBlames *list, size_t index, QuorateBlame *out, QuorateError *error);

// Gives a frame that shows the fault of a culprit, both from 0, with its sender. It is valid until the list is freed. Frames
// for one party were confidential.
bool quorate_blames_frame(const QuorateBlames *list,
                          size_t index,
                          size_t frame,
                          QuorateReceived *out,
                          QuorateError *error);

// Wipes and frees the list. NULL is allowed.
void quorate_blames_free(QuorateBlames *list);

// Gives the number of pairs.
bool quorate_commitments_count(const QuorateCommitments *list, size_t *out, QuorateError *error);

// Gives the commitments to a pair, from 0. They are valid until the list is freed.
bool quorate_commitments_get(const QuorateCommitments *list,
                             size_t index,
                             QuorateView *out,
                             QuorateError *error);

// Frees the list. NULL is allowed.
void quorate_commitments_free(QuorateCommitments *list);

// Gives the kind.
bool quorate_outcome_kind(const QuorateOutcome *outcome, QuorateOutcomeKind *out, QuorateError *error);

// Gives the share of a key that was made, reshared or repaired. It is NULL for a party outside the new committee, and for a
// helper of a repair.
bool quorate_outcome_key_share(const QuorateOutcome *outcome,
                               QuorateKeyShare **out,
                               QuorateError *error);

// Gives the public side of a reshared key, in the new epoch.
bool quorate_outcome_public(const QuorateOutcome *outcome,
                            QuoratePublicKeyPackage **out,
                            QuorateError *error);

// Gives the auxiliary information.
bool quorate_outcome_aux_info(const QuorateOutcome *outcome, QuorateAuxInfo **out, QuorateError *error);

// Gives the number of presignatures.
bool quorate_outcome_presignature_count(const QuorateOutcome *outcome, size_t *out, QuorateError *error);

// Gives a presignature, from 0, in the order in which all signers have them.
bool quorate_outcome_presignature(const QuorateOutcome *outcome,
                                  size_t index,
                                  QuoratePresignature **out,
                                  QuorateError *error);

// Gives the signature, which is verified. It fails with `QUORATE_ERROR_KIND_UNATTRIBUTED` for an attempt of ML-DSA that gave
// none, as about every second does: make another attempt.
bool quorate_outcome_signature(const QuorateOutcome *outcome,
                               QuorateSignature *out,
                               QuorateError *error);

// Gives the proof with which the new share is settled and old ones may be deleted.
bool quorate_outcome_stored_by_all(const QuorateOutcome *outcome,
                                   QuorateStoredByAll **out,
                                   QuorateError *error);

// Gives the share of an ML-DSA key.
bool quorate_outcome_ml_dsa_key_share(const QuorateOutcome *outcome,
                                      QuorateMlDsaKeyShare **out,
                                      QuorateError *error);

// Gives the number of slots that the rejection sampling of `party` let through in an attempt of ML-DSA. A signer that accepts
// far fewer than the others over many attempts is at fault, or refuses to sign.
bool quorate_outcome_ml_dsa_accepted(const QuorateOutcome *outcome,
                                     uint16_t party,
                                     uint16_t *out,
                                     QuorateError *error);

// Frees the result. NULL is allowed.
void quorate_outcome_free(QuorateOutcome *outcome);

// Opens a sealed share.
bool quorate_key_share_open(const uint8_t *sealed,
                            size_t sealed_len,
                            const QuorateSealKey *key,
                            QuorateKeyShare **out,
                            QuorateError *error);

// Gives the share and its public side, encrypted and authenticated.
bool quorate_key_share_seal(const QuorateKeyShare *share,
                            const QuorateSealKey *key,
                            QuorateBytes *out,
                            QuorateError *error);

// Wipes and frees the share. NULL is allowed.
void quorate_key_share_free(QuorateKeyShare *share);

// Gives the scheme.
bool quorate_key_share_scheme(const QuorateKeyShare *share, QuorateScheme *out, QuorateError *error);

// Gives the number of the party whose share this is.
bool quorate_key_share_id(const QuorateKeyShare *share, uint16_t *out, QuorateError *error);

// Gives the state of this share.
bool quorate_key_share_state(const QuorateKeyShare *share, QuorateShareState *out, QuorateError *error);

// Gives the public side of the key.
bool quorate_key_share_public(const QuorateKeyShare *share,
                              QuoratePublicKeyPackage **out,
                              QuorateError *error);

// Gives the share, taken for confirmed by your own decision. Ask **all** parties for the digest of their public key first,
// over channels that you trust.
bool quorate_key_share_confirmed(const QuorateKeyShare *share,
                                 QuorateKeyShare **out,
                                 QuorateError *error);

// Gives the share, ready since all parties have stored theirs. Seal and store it before older ones are deleted.
bool quorate_key_share_settled(const QuorateKeyShare *share,
                               const QuorateStoredByAll *by,
                               QuorateKeyShare **out,
                               QuorateError *error);

// Gives the share of the child key at a path such as `m/0/7`: see `quorate_public_key_package_child`.
bool quorate_key_share_child(const QuorateKeyShare *share,
                             const char *at,
                             QuorateKeyShare **out,
                             QuorateError *error);

// Gives whether this share may be deleted: it is of the same key, and of an epoch before the one that all have stored.
bool quorate_stored_by_all_permits_deleting(const QuorateStoredByAll *by,
                                            const QuorateKeyShare *share,
                                            bool *out,
                                            QuorateError *error);

// Frees the proof. NULL is allowed.
void quorate_stored_by_all_free(QuorateStoredByAll *by);

// Reads the stored form. `scheme` is a `QuorateScheme`.
bool quorate_public_key_package_from_bytes(uint32_t scheme,
                                           const uint8_t *data,
                                           size_t data_len,
                                           QuoratePublicKeyPackage **out,
                                           QuorateError *error);

// Gives the stored form, which is public. Keep it authentic: culprits are named by it.
bool quorate_public_key_package_to_bytes(const QuoratePublicKeyPackage *public_,
                                         QuorateBytes *out,
                                         QuorateError *error);

// Frees the package. NULL is allowed.
void quorate_public_key_package_free(QuoratePublicKeyPackage *public_);

// Gives the scheme.
bool quorate_public_key_package_scheme(const QuoratePublicKeyPackage *public_,
                                       QuorateScheme *out,
                                       QuorateError *error);

// Gives the group's key as its verifiers read it: 32 bytes for Ed25519, Ristretto255 and Taproot (x alone), 57 for Ed448, a
// compressed point of 33 for the rest.
bool quorate_public_key_package_verifying_key(const QuoratePublicKeyPackage *public_,
                                              QuorateBytes *out,
                                              QuorateError *error);

// Gives the key as a `PUBLIC KEY` in PEM, for ECDSA. Free it with `quorate_text_free`.
bool quorate_public_key_package_pem(const QuoratePublicKeyPackage *public_, char **out, QuorateError *error);

// Gives the number of parties that it takes to sign.
bool quorate_public_key_package_threshold(const QuoratePublicKeyPackage *public_,
                                          uint16_t *out,
                                          QuorateError *error);

// Gives how often the key was refreshed or reshared.
bool quorate_public_key_package_epoch(const QuoratePublicKeyPackage *public_,
                                      uint32_t *out,
                                      QuorateError *error);

// Gives the parties that hold shares.
bool quorate_public_key_package_parties(const QuoratePublicKeyPackage *public_,
                                        QuorateParties *out,
                                        QuorateError *error);

// Gives a name for the key, 32 bytes, equal at all its parties and over all epochs.
bool quorate_public_key_package_key_id(const QuoratePublicKeyPackage *public_,
                                       QuorateBytes *out,
                                       QuorateError *error);

// Gives a digest of the whole package, 32 bytes. Parties compare it before they confirm a share.
bool quorate_public_key_package_digest(const QuoratePublicKeyPackage *public_,
                                       QuorateBytes *out,
                                       QuorateError *error);

// Gives the public side of the child key at a path such as `m/0/7`, without hardening: BIP-32 or SLIP-10 for ECDSA; for FROST
// below the chain code that follows from the key. Taproot has no children.
bool quorate_public_key_package_child(const QuoratePublicKeyPackage *public_,
                                      const char *at,
                                      QuoratePublicKeyPackage **out,
                                      QuorateError *error);

// Verifies a signature of a message. ECDSA takes r ‖ s, hashes with SHA-256 and accepts only the smaller s. It fails with
// `QUORATE_ERROR_KIND_INVALID_SIGNATURE` for a wrong one.
bool quorate_public_key_package_verify(const QuoratePublicKeyPackage *public_,
                                       const uint8_t *message,
                                       size_t message_len,
                                       const uint8_t *signature,
                                       size_t signature_len,
                                       QuorateError *error);

// Makes a fresh pair of nonces: round one of FROST. The nonces stay here, and their commitments go to the coordinator.
bool quorate_key_share_commit(const QuorateKeyShare *share,
                              QuorateNonces **out,
                              QuorateError *error);

// Gives this party's signature share: round two of FROST. The nonces are used up, whether it succeeds or not. **Look at the
// message of the package first.**
bool quorate_key_share_sign(const QuorateKeyShare *share,
                            const QuorateSigningPackage *package,
                            const QuorateNonces *nonces,
                            QuorateBytes *out,
                            QuorateError *error);

// Makes pairs of nonces ahead of time, 1 to 65 536, which can be stored.
bool quorate_key_share_precompute(const QuorateKeyShare *share,
                                  uint32_t count,
                                  QuorateNonceStock **out,
                                  QuorateError *error);

// Gives the commitments to the nonces, for the coordinator.
bool quorate_nonces_commitments(const QuorateNonces *nonces, QuorateBytes *out, QuorateError *error);

// Wipes and frees the nonces. NULL is allowed.
void quorate_nonces_free(QuorateNonces *nonces);

// Reads the package that a coordinator sent. `scheme` is a `QuorateScheme`.
bool quorate_signing_package_from_bytes(uint32_t scheme,
                                        const uint8_t *data,
                                        size_t data_len,
                                        QuorateSigningPackage **out,
                                        QuorateError *error);

// Gives the sent form.
bool quorate_signing_package_to_bytes(const QuorateSigningPackage *package,
                                      QuorateBytes *out,
                                      QuorateError *error);

// Gives the message. **Look at it before you sign**: the library does not.
bool quorate_signing_package_message(const QuorateSigningPackage *package,
                                     QuorateBytes *out,
                                     QuorateError *error);

// Gives the signers.
bool quorate_signing_package_signers(const QuorateSigningPackage *package,
                                     QuorateParties *out,
                                     QuorateError *error);

// Frees the package. NULL is allowed.
void quorate_signing_package_free(QuorateSigningPackage *package);

// Opens a sealed stock. `scheme` is a `QuorateScheme`. `continuity` is a `QuorateContinuity`: the reason why it is known that
// nothing of the stock was used meanwhile.
bool quorate_nonce_stock_open(uint32_t scheme,
                              const uint8_t *sealed,
                              size_t sealed_len,
                              const QuorateSealKey *key,
                              uint32_t continuity,
                              QuorateNonceStock **out,
                              QuorateError *error);

// Gives the stock, encrypted and authenticated.
bool quorate_nonce_stock_seal(const QuorateNonceStock *stock,
                              const QuorateSealKey *key,
                              QuorateBytes *out,
                              QuorateError *error);

// Gives the number of changes so far: the stock with the greater one is the later.
bool quorate_nonce_stock_generation(const QuorateNonceStock *stock, uint64_t *out, QuorateError *error);

// Gives the commitments to all pairs that are left, in the order in which they were made, for the coordinator.
bool quorate_nonce_stock_commitments(const QuorateNonceStock *stock,
                                     QuorateCommitments **out,
                                     QuorateError *error);

// Takes out the pair that the package asks for, and claims it: see `QuorateShareClaim`.
bool quorate_nonce_stock_claim(const QuorateNonceStock *stock,
                               const QuorateKeyShare *share,
                               const QuorateSigningPackage *package,
                               QuorateShareClaim **out,
                               QuorateError *error);

// Wipes and frees the stock. NULL is allowed.
void quorate_nonce_stock_free(QuorateNonceStock *stock);

// Fixes the signers, by their commitments, and the message, at the coordinator.
bool quorate_signing_session_start(const QuoratePublicKeyPackage *public_,
                                   const QuorateReceived *commitments,
                                   size_t commitments_len,
                                   const uint8_t *message,
                                   size_t message_len,
                                   QuorateSigningSession **out,
                                   QuorateError *error);

// Gives the package to send to every signer.
bool quorate_signing_session_package(const QuorateSigningSession *session,
                                     QuorateSigningPackage **out,
                                     QuorateError *error);

// Takes a signature share. `sender` is its sender, as the **authenticated** transport names it. If it is rejected, the session
// continues.
bool quorate_signing_session_receive(const QuorateSigningSession *session,
                                     uint16_t sender,
                                     const uint8_t *signature_share,
                                     size_t signature_share_len,
                                     QuorateError *error);

// Gives the signers whose signature shares have not come.
bool quorate_signing_session_waiting_for(const QuorateSigningSession *session,
                                         QuorateParties *out,
                                         QuorateError *error);

// Aggregates the signature shares, and verifies the signature. If shares have not come, it fails with
// `QUORATE_ERROR_KIND_MISSING`, and the session continues; `QUORATE_ERROR_KIND_MISBEHAVIOUR` names exactly the signers whose
// shares are wrong.
bool quorate_signing_session_aggregate(const QuorateSigningSession *session,
                                       QuorateSignature *out,
                                       QuorateError *error);

// Frees the session. NULL is allowed.
void quorate_signing_session_free(QuorateSigningSession *session);

// Gives the name, 32 bytes. It is not secret.
bool quorate_share_claim_id(const QuorateShareClaim *claim, QuorateBytes *out, QuorateError *error);

// Gives the digest of everything that the signature share depends on, 32 bytes. It is not secret.
bool quorate_share_claim_digest(const QuorateShareClaim *claim, QuorateBytes *out, QuorateError *error);

// Gives the signature share, once the table has answered. `entry` is a `QuorateTableEntry`, and `digest` the digest that was
// stored under the name **before** this claim; NULL and 0 for a name that was new. An answer of another form fails with
// `QUORATE_ERROR_KIND_ARGUMENTS` and leaves the claim as it was. Otherwise the claim is used up even if the call fails, and
// still has to be freed. It fails with `QUORATE_ERROR_KIND_SPENT` if the table has another digest under the name.
bool quorate_share_claim_release(const QuorateShareClaim *claim,
                                 uint32_t entry,
                                 const uint8_t *digest,
                                 size_t digest_len,
                                 QuorateBytes *out,
                                 QuorateError *error);

// Wipes and frees the claim. NULL is allowed.
void quorate_share_claim_free(QuorateShareClaim *claim);

// Gives the name, 32 bytes. It is not secret.
bool quorate_attempt_claim_id(const QuorateAttemptClaim *claim, QuorateBytes *out, QuorateError *error);

// Gives the digest of everything that the attempt depends on, 32 bytes. It is not secret.
bool quorate_attempt_claim_digest(const QuorateAttemptClaim *claim, QuorateBytes *out, QuorateError *error);

// Gives the attempt, once the table has answered: see `quorate_share_claim_release`.
bool quorate_attempt_claim_release(const QuorateAttemptClaim *claim,
                                   uint32_t entry,
                                   const uint8_t *digest,
                                   size_t digest_len,
                                   QuorateMlDsaAttempt **out,
                                   QuorateError *error);

// Wipes and frees the claim. NULL is allowed.
void quorate_attempt_claim_free(QuorateAttemptClaim *claim);

// Begins a search. `level` is a `QuorateLevel`.
bool quorate_aux_search_start(uint32_t level, QuorateAuxSearch **out, QuorateError *error);

// Resumes a search that was sealed.
bool quorate_aux_search_open(const uint8_t *sealed,
                             size_t sealed_len,
                             const QuorateSealKey *key,
                             QuorateAuxSearch **out,
                             QuorateError *error);

// Gives the search, encrypted and authenticated, to be resumed later with the same result. Keep the last one until the
// auxiliary information is made: the secrets can be restored from it.
bool quorate_aux_search_seal(const QuorateAuxSearch *search,
                             const QuorateSealKey *key,
                             QuorateBytes *out,
                             QuorateError *error);

// Continues for at most `budget` tests of candidates, of some milliseconds each. Gives the secrets when all primes are found,
// and NULL before.
bool quorate_aux_search_step(const QuorateAuxSearch *search,
                             uint32_t budget,
                             QuorateAuxSecrets **out,
                             QuorateError *error);

// Gives the part of the work that is done, from 0 to 1: a guess, as primes come by chance.
bool quorate_aux_search_progress(const QuorateAuxSearch *search, double *out, QuorateError *error);

// Wipes and frees the search. NULL is allowed.
void quorate_aux_search_free(QuorateAuxSearch *search);

// Gives the level of both moduli.
bool quorate_aux_secrets_level(const QuorateAuxSecrets *secrets, QuorateLevel *out, QuorateError *error);

// Wipes and frees the secrets. NULL is allowed.
void quorate_aux_secrets_free(QuorateAuxSecrets *secrets);

// Opens sealed auxiliary information.
bool quorate_aux_info_open(const uint8_t *sealed,
                           size_t sealed_len,
                           const QuorateSealKey *key,
                           QuorateAuxInfo **out,
                           QuorateError *error);

// Gives the auxiliary information, encrypted and authenticated.
bool quorate_aux_info_seal(const QuorateAuxInfo *aux,
                           const QuorateSealKey *key,
                           QuorateBytes *out,
                           QuorateError *error);

// Gives the number of the party whose secrets are here.
bool quorate_aux_info_id(const QuorateAuxInfo *aux, uint16_t *out, QuorateError *error);

// Gives the parties.
bool quorate_aux_info_parties(const QuorateAuxInfo *aux, QuorateParties *out, QuorateError *error);

// Gives the parties among these for which it has no values. It has to be made again with them before they presign.
bool quorate_aux_info_lacks(const QuorateAuxInfo *aux,
                            const uint16_t *of,
                            size_t of_len,
                            QuorateParties *out,
                            QuorateError *error);

// Gives whether all parties have confirmed it. Unconfirmed auxiliary information does not presign.
bool quorate_aux_info_is_confirmed(const QuorateAuxInfo *aux, bool *out, QuorateError *error);

// Gives a digest of its public part, 32 bytes.
bool quorate_aux_info_digest(const QuorateAuxInfo *aux, QuorateBytes *out, QuorateError *error);

// Gives this auxiliary information, marked as confirmed by your own decision. Compare the digest of **all** parties first,
// over channels that you trust.
bool quorate_aux_info_confirmed(const QuorateAuxInfo *aux,
                                QuorateAuxInfo **out,
                                QuorateError *error);

// Wipes and frees the auxiliary information. NULL is allowed.
void quorate_aux_info_free(QuorateAuxInfo *aux);

// Opens a sealed presignature. `scheme` is a `QuorateScheme`.
bool quorate_presignature_open(uint32_t scheme,
                               const uint8_t *sealed,
                               size_t sealed_len,
                               const QuorateSealKey *key,
                               QuoratePresignature **out,
                               QuorateError *error);

// Gives the presignature, encrypted and authenticated. Delete it once its signature share is sent.
bool quorate_presignature_seal(const QuoratePresignature *presignature,
                               const QuorateSealKey *key,
                               QuorateBytes *out,
                               QuorateError *error);

// Gives the public side of it, equal at all its signers.
bool quorate_presignature_info(const QuoratePresignature *presignature,
                               QuoratePresignatureInfo **out,
                               QuorateError *error);

// Claims the presignature for a message, with the key at `at`, a path such as `m/0/7`, or `m` for the key itself. `hash` is a
// `QuorateMessageHash`. The presignature is used up even if the call fails. **Look at the message first.** See
// `QuorateShareClaim`.
bool quorate_presignature_claim(const QuoratePresignature *presignature,
                                const QuorateKeyShare *share,
                                const char *at,
                                const uint8_t *message,
                                size_t message_len,
                                uint32_t hash,
                                QuorateShareClaim **out,
                                QuorateError *error);

// Wipes and frees the presignature. NULL is allowed.
void quorate_presignature_free(QuoratePresignature *presignature);

// Reads the stored form. `scheme` is a `QuorateScheme`.
bool quorate_presignature_info_from_bytes(uint32_t scheme,
                                          const uint8_t *data,
                                          size_t data_len,
                                          QuoratePresignatureInfo **out,
                                          QuorateError *error);

// Gives the stored form, which is public.
bool quorate_presignature_info_to_bytes(const QuoratePresignatureInfo *info,
                                        QuorateBytes *out,
                                        QuorateError *error);

// Gives the name, 36 bytes, equal at all its signers.
bool quorate_presignature_info_id(const QuoratePresignatureInfo *info,
                                  QuorateBytes *out,
                                  QuorateError *error);

// Gives the signers. All of them have to take part.
bool quorate_presignature_info_signers(const QuoratePresignatureInfo *info,
                                       QuorateParties *out,
                                       QuorateError *error);

// Aggregates the signature shares of all signers, and verifies the signature. `public` is the key that was presigned for, and
// `at` the path of the one that signs; `hash` is a `QuorateMessageHash`. Each share comes with its sender, as the
// **authenticated** transport names it. `QUORATE_ERROR_KIND_MISBEHAVIOUR` names the signers whose shares are wrong.
bool quorate_presignature_info_aggregate(const QuoratePresignatureInfo *info,
                                         const QuoratePublicKeyPackage *public_,
                                         const char *at,
                                         const uint8_t *message,
                                         size_t message_len,
                                         uint32_t hash,
                                         const QuorateReceived *signature_shares,
                                         size_t signature_shares_len,
                                         QuorateSignature *out,
                                         QuorateError *error);

// Frees the public side. NULL is allowed.
void quorate_presignature_info_free(QuoratePresignatureInfo *info);

// Opens a sealed share, of any level.
bool quorate_ml_dsa_key_share_open(const uint8_t *sealed,
                                   size_t sealed_len,
                                   const QuorateSealKey *key,
                                   QuorateMlDsaKeyShare **out,
                                   QuorateError *error);

// Gives the share, with the public side of the key, encrypted and authenticated.
bool quorate_ml_dsa_key_share_seal(const QuorateMlDsaKeyShare *share,
                                   const QuorateSealKey *key,
                                   QuorateBytes *out,
                                   QuorateError *error);

// Gives the number of the party whose share this is.
bool quorate_ml_dsa_key_share_id(const QuorateMlDsaKeyShare *share, uint16_t *out, QuorateError *error);

// Gives the public side of the key.
bool quorate_ml_dsa_key_share_public(const QuorateMlDsaKeyShare *share,
                                     QuorateMlDsaPublicKeyPackage **out,
                                     QuorateError *error);

// Gives whether all parties have confirmed the run that made it. An unconfirmed share does not sign.
bool quorate_ml_dsa_key_share_is_confirmed(const QuorateMlDsaKeyShare *share, bool *out, QuorateError *error);

// Gives the share, taken for confirmed by your own decision. Ask **all** parties for the digest of their public key first,
// over channels that you trust.
bool quorate_ml_dsa_key_share_confirmed(const QuorateMlDsaKeyShare *share,
                                        QuorateMlDsaKeyShare **out,
                                        QuorateError *error);

// Claims an attempt to sign a message by exactly as many signers as the threshold says, **before** there is a session. Its
// session is of `quorate_task_ml_dsa_sign`, under this session id. A party counts its attempts from 0. About every second
// attempt gives no signature: take the next number, and another session id. To **open** the session again from its seal, call
// this again with the same arguments. **Look at the message first.**
bool quorate_ml_dsa_key_share_claim_attempt(const QuorateMlDsaKeyShare *share,
                                            uint64_t number,
                                            const uint8_t *session_id,
                                            size_t session_id_len,
                                            const uint16_t *signers,
                                            size_t signers_len,
                                            const uint8_t *message,
                                            size_t message_len,
                                            const uint8_t *context,
                                            size_t context_len,
                                            QuorateAttemptClaim **out,
                                            QuorateError *error);

// Wipes and frees the share. NULL is allowed.
void quorate_ml_dsa_key_share_free(QuorateMlDsaKeyShare *share);

// Gives the number of the attempt.
bool quorate_ml_dsa_attempt_number(const QuorateMlDsaAttempt *attempt, uint64_t *out, QuorateError *error);

// Wipes and frees the attempt. NULL is allowed.
void quorate_ml_dsa_attempt_free(QuorateMlDsaAttempt *attempt);

// Reads the stored form, of any level.
bool quorate_ml_dsa_public_key_package_from_bytes(const uint8_t *data,
                                                  size_t data_len,
                                                  QuorateMlDsaPublicKeyPackage **out,
                                                  QuorateError *error);

// Gives the stored form, which is public. Keep it authentic: culprits are named by it.
bool quorate_ml_dsa_public_key_package_to_bytes(const QuorateMlDsaPublicKeyPackage *public_,
                                                QuorateBytes *out,
                                                QuorateError *error);

// Gives the level.
bool quorate_ml_dsa_public_key_package_level(const QuorateMlDsaPublicKeyPackage *public_,
                                             QuorateMlDsaLevel *out,
                                             QuorateError *error);

// Gives the verifying key of FIPS 204: 1312, 1952 or 2592 bytes.
bool quorate_ml_dsa_public_key_package_verifying_key(const QuorateMlDsaPublicKeyPackage *public_,
                                                     QuorateBytes *out,
                                                     QuorateError *error);

// Gives the verifying key as a `PUBLIC KEY` in PEM (RFC 9881). Free it with `quorate_text_free`.
bool quorate_ml_dsa_public_key_package_pem(const QuorateMlDsaPublicKeyPackage *public_,
                                           char **out,
                                           QuorateError *error);

// Gives the number of parties that sign: exactly as many take part in a signature.
bool quorate_ml_dsa_public_key_package_threshold(const QuorateMlDsaPublicKeyPackage *public_,
                                                 uint16_t *out,
                                                 QuorateError *error);

// Gives the parties that hold shares.
bool quorate_ml_dsa_public_key_package_parties(const QuorateMlDsaPublicKeyPackage *public_,
                                               QuorateParties *out,
                                               QuorateError *error);

// Gives the number of attempts that a share of this key may make in its life.
bool quorate_ml_dsa_public_key_package_attempts(const QuorateMlDsaPublicKeyPackage *public_,
                                                uint64_t *out,
                                                QuorateError *error);

// Gives a digest of the whole package, 32 bytes. Parties compare it before they confirm a share.
bool quorate_ml_dsa_public_key_package_digest(const QuorateMlDsaPublicKeyPackage *public_,
                                              QuorateBytes *out,
                                              QuorateError *error);

// Verifies a signature of a message under a context, which is empty or has at most 255 bytes.
bool quorate_ml_dsa_public_key_package_verify(const QuorateMlDsaPublicKeyPackage *public_,
                                              const uint8_t *message,
                                              size_t message_len,
                                              const uint8_t *context,
                                              size_t context_len,
                                              const uint8_t *signature,
                                              size_t signature_len,
                                              QuorateError *error);

// Frees the package. NULL is allowed.
void quorate_ml_dsa_public_key_package_free(QuorateMlDsaPublicKeyPackage *public_);

// Verifies a signature of a message under a key, given as `quorate_public_key_package_verifying_key` gives it. `scheme` is a
// `QuorateScheme`. ECDSA takes r ‖ s, hashes with SHA-256 and accepts only the smaller s.
bool quorate_verify(uint32_t scheme,
                    const uint8_t *verifying_key,
                    size_t verifying_key_len,
                    const uint8_t *message,
                    size_t message_len,
                    const uint8_t *signature,
                    size_t signature_len,
                    QuorateError *error);

// Verifies an ML-DSA signature of a message under a context, which is empty or has at most 255 bytes. `level` is a
// `QuorateMlDsaLevel`.
bool quorate_verify_ml_dsa(uint32_t level,
                           const uint8_t *verifying_key,
                           size_t verifying_key_len,
                           const uint8_t *message,
                           size_t message_len,
                           const uint8_t *context,
                           size_t context_len,
                           const uint8_t *signature,
                           size_t signature_len,
                           QuorateError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUORATE_H */
