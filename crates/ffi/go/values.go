// Package quorate has threshold signatures: FROST over every suite, threshold ECDSA over both curves, and threshold ML-DSA, which is
// experimental.
//
// A Session is a run of any protocol, by its Task. A KeyShare is one party's share of a key, and leaves sealed. Sign with FROST by
// Nonces or a NonceStock and a SigningSession, with ECDSA by a Presignature, and with ML-DSA by attempts. StartSteps and Step run a session without
// keeping anything in memory between two messages.
//
// Every call fails with *Error. Objects are handles: close them when they are no longer used, and use them from any goroutine. A
// nil object, as an argument or receiver, fails with ErrArguments; Close alone needs an object.
// Transports have to authenticate, and to encrypt messages for one party. Go does not wipe its copies of bytes.
package quorate

// #include "quorate.h"
import "C"

// Scheme is a kind of key, and of its signatures.
type Scheme uint32

const (
	// FrostEd25519 signatures verify as Ed25519 (RFC 8032).
	FrostEd25519 Scheme = C.QUORATE_SCHEME_FROST_ED25519
	// FrostRistretto255 is FROST over Ristretto255 (RFC 9591).
	FrostRistretto255 Scheme = C.QUORATE_SCHEME_FROST_RISTRETTO255
	// FrostEd448 signatures verify as Ed448 (RFC 8032).
	FrostEd448 Scheme = C.QUORATE_SCHEME_FROST_ED448
	// FrostP256 is FROST over P-256 (RFC 9591).
	FrostP256 Scheme = C.QUORATE_SCHEME_FROST_P256
	// FrostSecp256k1 is FROST over secp256k1 (RFC 9591).
	FrostSecp256k1 Scheme = C.QUORATE_SCHEME_FROST_SECP256K1
	// FrostTaproot signatures verify as BIP-340.
	FrostTaproot Scheme = C.QUORATE_SCHEME_FROST_TAPROOT
	// EcdsaP256 is threshold ECDSA (CGGMP24) over P-256.
	EcdsaP256 Scheme = C.QUORATE_SCHEME_ECDSA_P256
	// EcdsaSecp256k1 is threshold ECDSA (CGGMP24) over secp256k1.
	EcdsaSecp256k1 Scheme = C.QUORATE_SCHEME_ECDSA_SECP256K1
)

// Level is the size of the moduli of threshold ECDSA.
type Level uint32

const (
	// Bits128 is the recommended level: 3072 bits.
	Bits128 Level = C.QUORATE_LEVEL_BITS128
	// Bits112 is 2048 bits: to compare with systems that use this size.
	Bits112 Level = C.QUORATE_LEVEL_BITS112
)

// MessageHash is the hash function of a message that is signed with a presignature.
type MessageHash uint32

const (
	// Sha256 is the hash of most ECDSA.
	Sha256 MessageHash = C.QUORATE_MESSAGE_HASH_SHA256
	// Sha256d is SHA-256 of SHA-256, as Bitcoin signs.
	Sha256d MessageHash = C.QUORATE_MESSAGE_HASH_SHA256D
)

// Continuity is the reason why a stock of nonces that you open is known to be the latest that was stored.
type Continuity uint32

const (
	// ContinuityUnknown: not known. It leaves nothing to use.
	ContinuityUnknown Continuity = C.QUORATE_CONTINUITY_UNKNOWN
	// ContinuityStayedUp: the state was never closed.
	ContinuityStayedUp Continuity = C.QUORATE_CONTINUITY_STAYED_UP
	// ContinuityPeers: peers that stayed up vouch for it, as many as the key's threshold.
	ContinuityPeers Continuity = C.QUORATE_CONTINUITY_PEERS
	// ContinuityCounter: a counter that cannot be restored together with the state vouches for it.
	ContinuityCounter Continuity = C.QUORATE_CONTINUITY_COUNTER
	// ContinuityOperator: the operator promises that no backup exists from which the state could have been restored.
	ContinuityOperator Continuity = C.QUORATE_CONTINUITY_OPERATOR
)

// ShareState says whether a share signs, and whether older shares may be deleted.
type ShareState uint32

const (
	// ShareReady: the share signs, and every party has stored its own.
	ShareReady ShareState = C.QUORATE_SHARE_STATE_READY
	// SharePending: the share signs, and the share of the epoch before stays beside it until all have acknowledged theirs.
	SharePending ShareState = C.QUORATE_SHARE_STATE_PENDING
	// ShareUnconfirmed: the share does not sign. See KeyShare.Confirmed.
	ShareUnconfirmed ShareState = C.QUORATE_SHARE_STATE_UNCONFIRMED
)

// Progress is the progress of a run.
type Progress uint32

const (
	// ProgressWaiting: messages are missing; see Session.WaitingFor.
	ProgressWaiting Progress = C.QUORATE_PROGRESS_WAITING
	// ProgressWorking: call Advance again when there is time.
	ProgressWorking Progress = C.QUORATE_PROGRESS_WORKING
	// ProgressRound: the next round has begun. Seal, store, and send the outgoing messages.
	ProgressRound Progress = C.QUORATE_PROGRESS_ROUND
	// ProgressDone: take the outcome, store it, then the tombstone.
	ProgressDone Progress = C.QUORATE_PROGRESS_DONE
	// ProgressUnconfirmed: the result lacks the confirmation of others. Take it and store it all the same.
	ProgressUnconfirmed Progress = C.QUORATE_PROGRESS_UNCONFIRMED
	// ProgressAborted: the run has no result. Only a Stepped has it; Advance fails instead.
	ProgressAborted Progress = C.QUORATE_PROGRESS_ABORTED
)

// FrameFate is the fate of a frame that was taken.
type FrameFate uint32

const (
	// FrameAccepted: for the current round.
	FrameAccepted FrameFate = C.QUORATE_FRAME_FATE_ACCEPTED
	// FrameEarly: for the next round.
	FrameEarly FrameFate = C.QUORATE_FRAME_FATE_EARLY
	// FrameDuplicate: received before, byte for byte.
	FrameDuplicate FrameFate = C.QUORATE_FRAME_FATE_DUPLICATE
	// FrameConflicting: it contradicts an earlier frame of its sender: the next Advance names the sender.
	FrameConflicting FrameFate = C.QUORATE_FRAME_FATE_CONFLICTING
)

// Received is a message with its sender, as the authenticated transport names it.
type Received struct {
	Sender uint16
	Bytes  []byte
}

// Outgoing is a message to be delivered.
type Outgoing struct {
	// Recipient is 0 for all other parties. A message for one party is confidential: encrypt it to that party.
	Recipient uint16
	// Bytes are the frame, for the recipient's Session.Receive.
	Bytes []byte
}

// Signature is a signature.
type Signature struct {
	// Bytes are the signature as its verifiers read it; of ECDSA r ‖ s, 64 bytes.
	Bytes []byte
	// DER is set for ECDSA.
	DER []byte
	// RecoveryID is 0 to 3 for ECDSA, and otherwise -1.
	RecoveryID int
}

func signatureOf(err error, out *C.QuorateSignature) (*Signature, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_signature_free(out)
	signature := &Signature{Bytes: copied(out.bytes.data, out.bytes.len), RecoveryID: int(out.recovery_id)}
	if out.der.len > 0 {
		signature.DER = copied(out.der.data, out.der.len)
	}
	return signature, nil
}

// SealedSession is a sealed session, and where it belongs in a store.
type SealedSession struct {
	// Bytes are the bytes to store.
	Bytes []byte
	// Run is the name of the run. With the party it is the key of the row.
	Run [32]byte
	// Length is the number of events so far. A greater one replaces a smaller one, compared and swapped, never the reverse.
	Length uint32
}

func sealedOf(err error, out *C.QuorateSealedSession) (*SealedSession, error) {
	sealed := &SealedSession{Length: uint32(out.length)}
	for i, one := range out.run {
		sealed.Run[i] = byte(one)
	}
	sealed.Bytes, err = bytesOf(err, &out.bytes)
	if err != nil {
		return nil, err
	}
	return sealed, nil
}

// SealKey is the key under which everything secret leaves.
type SealKey struct{ *handle[*C.QuorateSealKey] }

// NewSealKey makes a key of 32 secret, uniformly random bytes, which it copies. Overwrite yours.
func NewSealKey(secret []byte) (*SealKey, error) {
	var c call
	defer c.release()
	var out *C.QuorateSealKey
	if err := c.end(C.quorate_seal_key_new(data(secret), size(secret), &out, &c.err)); err != nil {
		return nil, err
	}
	return &SealKey{own(out, func(p *C.QuorateSealKey) { C.quorate_seal_key_free(p) })}, nil
}
