package quorate

// #include "quorate.h"
import "C"

// MlDsaLevel is a parameter set of FIPS 204.
type MlDsaLevel uint32

const (
	// MlDsa44 is security category 2.
	MlDsa44 MlDsaLevel = C.QUORATE_ML_DSA_LEVEL_ML_DSA44
	// MlDsa65 is security category 3.
	MlDsa65 MlDsaLevel = C.QUORATE_ML_DSA_LEVEL_ML_DSA65
	// MlDsa87 is security category 5.
	MlDsa87 MlDsaLevel = C.QUORATE_ML_DSA_LEVEL_ML_DSA87
)

// MlDsaKeygen makes a threshold ML-DSA key for all parties of the session, 6 at most, of which exactly threshold sign together, 2
// at least. See Outcome.MlDsaKeyShare. Experimental.
func MlDsaKeygen(level MlDsaLevel, threshold uint16) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_ml_dsa_keygen(C.uint32_t(level), C.uint16_t(threshold), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// MlDsaSign attempts to sign with a threshold ML-DSA key, by all parties of the session. The attempt is this party's part, recorded
// under the session's id. Outcome.Signature fails with ErrUnattributed for an attempt that gave no signature, as about every second
// does: make another attempt. It takes no steps: StartSteps fails with ErrArguments.
func MlDsaSign(attempt *MlDsaAttempt) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_ml_dsa_sign(in(&c, attempt), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// MlDsaKeyShare is one party's share of a threshold ML-DSA key. It leaves sealed. The share may be restored from a backup; the table
// of spent names must not. Experimental.
type MlDsaKeyShare struct {
	*handle[*C.QuorateMlDsaKeyShare]
}

func mlDsaKeyShareOf(err error, out *C.QuorateMlDsaKeyShare) (*MlDsaKeyShare, error) {
	if err != nil {
		return nil, err
	}
	return &MlDsaKeyShare{own(out, func(p *C.QuorateMlDsaKeyShare) { C.quorate_ml_dsa_key_share_free(p) })}, nil
}

// OpenMlDsaKeyShare opens a sealed share, of any level.
func OpenMlDsaKeyShare(sealed []byte, key *SealKey) (*MlDsaKeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateMlDsaKeyShare
	ok := C.quorate_ml_dsa_key_share_open(data(sealed), size(sealed), in(&c, key), &out, &c.err)
	return mlDsaKeyShareOf(c.end(ok), out)
}

// Seal gives the share and its public side, encrypted and authenticated.
func (k *MlDsaKeyShare) Seal(key *SealKey) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_ml_dsa_key_share_seal(in(&c, k), in(&c, key), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// ID is the number of the party whose share this is.
func (k *MlDsaKeyShare) ID() (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_ml_dsa_key_share_id(in(&c, k), &out, &c.err)
	return uint16(out), c.end(ok)
}

// Public gives the public side of the key.
func (k *MlDsaKeyShare) Public() (*MlDsaPublicKeyPackage, error) {
	var c call
	defer c.release()
	var out *C.QuorateMlDsaPublicKeyPackage
	ok := C.quorate_ml_dsa_key_share_public(in(&c, k), &out, &c.err)
	return mlDsaPublicOf(c.end(ok), out)
}

// IsConfirmed reports whether all parties have confirmed the run that made it. An unconfirmed share does not sign.
func (k *MlDsaKeyShare) IsConfirmed() (bool, error) {
	var c call
	defer c.release()
	var out C.bool
	ok := C.quorate_ml_dsa_key_share_is_confirmed(in(&c, k), &out, &c.err)
	return bool(out), c.end(ok)
}

// Confirmed gives the share, taken for confirmed by your own decision. Ask all parties for the Digest of their public key first,
// over channels that you trust.
func (k *MlDsaKeyShare) Confirmed() (*MlDsaKeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateMlDsaKeyShare
	ok := C.quorate_ml_dsa_key_share_confirmed(in(&c, k), &out, &c.err)
	return mlDsaKeyShareOf(c.end(ok), out)
}

// ClaimAttempt claims an attempt to sign a message by exactly as many signers as the threshold says, before there is a session. Its
// session is of MlDsaSign, under this session id. A party counts its attempts from 0, and takes the next number and another session
// id after an attempt without a signature. To open the session again from its seal, call this again with the same arguments. The
// context is empty or has at most 255 bytes. Look at the message first.
func (k *MlDsaKeyShare) ClaimAttempt(number uint64, sessionID [32]byte, signers []uint16, message, context []byte) (*AttemptClaim, error) {
	var c call
	defer c.release()
	var out *C.QuorateAttemptClaim
	ok := C.quorate_ml_dsa_key_share_claim_attempt(in(&c, k), C.uint64_t(number), data(sessionID[:]), size(sessionID[:]),
		numbers(signers), size(signers), data(message), size(message), data(context), size(context), &out, &c.err)
	if err := c.end(ok); err != nil {
		return nil, err
	}
	return &AttemptClaim{own(out, func(p *C.QuorateAttemptClaim) { C.quorate_attempt_claim_free(p) })}, nil
}

// AttemptClaim is an attempt that waits until a table has recorded its number. From then on the number is used up.
type AttemptClaim struct {
	*handle[*C.QuorateAttemptClaim]
}

// ID gives the name, 32 bytes. It is not secret.
func (a *AttemptClaim) ID() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_attempt_claim_id(in(&c, a), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Digest gives the digest of everything that the attempt depends on, 32 bytes. It is not secret.
func (a *AttemptClaim) Digest() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_attempt_claim_digest(in(&c, a), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Release gives the attempt, once the table has answered. See ShareClaim.Release.
func (a *AttemptClaim) Release(answer TableEntry) (*MlDsaAttempt, error) {
	digest := answer.before()
	var c call
	defer c.release()
	var out *C.QuorateMlDsaAttempt
	ok := C.quorate_attempt_claim_release(in(&c, a), C.uint32_t(answer.entry), data(digest), size(digest), &out, &c.err)
	if err := c.end(ok); err != nil {
		return nil, err
	}
	return &MlDsaAttempt{own(out, func(p *C.QuorateMlDsaAttempt) { C.quorate_ml_dsa_attempt_free(p) })}, nil
}

// Store records the claim in a table, and gives the attempt. If the table fails, nothing is released.
func (a *AttemptClaim) Store(table SpentTable) (*MlDsaAttempt, error) {
	answer, err := recorded(table, a)
	if err != nil {
		return nil, err
	}
	return a.Release(answer)
}

// MlDsaAttempt is a recorded attempt to sign. It begins one session.
type MlDsaAttempt struct {
	*handle[*C.QuorateMlDsaAttempt]
}

// Number is the number of the attempt.
func (a *MlDsaAttempt) Number() (uint64, error) {
	var c call
	defer c.release()
	var out C.uint64_t
	ok := C.quorate_ml_dsa_attempt_number(in(&c, a), &out, &c.err)
	return uint64(out), c.end(ok)
}

// MlDsaPublicKeyPackage is the public side of a threshold ML-DSA key, equal at all its parties. Experimental.
type MlDsaPublicKeyPackage struct {
	*handle[*C.QuorateMlDsaPublicKeyPackage]
}

func mlDsaPublicOf(err error, out *C.QuorateMlDsaPublicKeyPackage) (*MlDsaPublicKeyPackage, error) {
	if err != nil {
		return nil, err
	}
	free := func(p *C.QuorateMlDsaPublicKeyPackage) { C.quorate_ml_dsa_public_key_package_free(p) }
	return &MlDsaPublicKeyPackage{own(out, free)}, nil
}

// ReadMlDsaPublicKeyPackage reads the stored form, of any level.
func ReadMlDsaPublicKeyPackage(stored []byte) (*MlDsaPublicKeyPackage, error) {
	var c call
	defer c.release()
	var out *C.QuorateMlDsaPublicKeyPackage
	ok := C.quorate_ml_dsa_public_key_package_from_bytes(data(stored), size(stored), &out, &c.err)
	return mlDsaPublicOf(c.end(ok), out)
}

// Bytes gives the stored form, which is public. Keep it authentic: culprits are named by it.
func (p *MlDsaPublicKeyPackage) Bytes() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_ml_dsa_public_key_package_to_bytes(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Level is the level.
func (p *MlDsaPublicKeyPackage) Level() (MlDsaLevel, error) {
	var c call
	defer c.release()
	var out C.QuorateMlDsaLevel
	ok := C.quorate_ml_dsa_public_key_package_level(in(&c, p), &out, &c.err)
	return MlDsaLevel(out), c.end(ok)
}

// VerifyingKey gives the verifying key of FIPS 204: 1312, 1952 or 2592 bytes.
func (p *MlDsaPublicKeyPackage) VerifyingKey() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_ml_dsa_public_key_package_verifying_key(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// PEM gives the verifying key as a PUBLIC KEY (RFC 9881).
func (p *MlDsaPublicKeyPackage) PEM() (string, error) {
	var c call
	defer c.release()
	var out *C.char
	ok := C.quorate_ml_dsa_public_key_package_pem(in(&c, p), &out, &c.err)
	return textOf(c.end(ok), out)
}

// Threshold is the number of parties that sign: exactly as many take part in a signature.
func (p *MlDsaPublicKeyPackage) Threshold() (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_ml_dsa_public_key_package_threshold(in(&c, p), &out, &c.err)
	return uint16(out), c.end(ok)
}

// Parties gives the parties that hold shares.
func (p *MlDsaPublicKeyPackage) Parties() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_ml_dsa_public_key_package_parties(in(&c, p), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// Attempts is the number of attempts that a share of this key may make in its life.
func (p *MlDsaPublicKeyPackage) Attempts() (uint64, error) {
	var c call
	defer c.release()
	var out C.uint64_t
	ok := C.quorate_ml_dsa_public_key_package_attempts(in(&c, p), &out, &c.err)
	return uint64(out), c.end(ok)
}

// Digest gives a digest of the whole package, 32 bytes. Parties compare it before they confirm a share.
func (p *MlDsaPublicKeyPackage) Digest() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_ml_dsa_public_key_package_digest(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Verify verifies a signature of a message under a context, which is empty or has at most 255 bytes. It fails with
// ErrInvalidSignature.
func (p *MlDsaPublicKeyPackage) Verify(message, context, signature []byte) error {
	var c call
	defer c.release()
	ok := C.quorate_ml_dsa_public_key_package_verify(in(&c, p), data(message), size(message), data(context), size(context),
		data(signature), size(signature), &c.err)
	return c.end(ok)
}

// VerifyMlDsa verifies an ML-DSA signature of a message under a context, by the verifying key of FIPS 204 alone. It fails with
// ErrInvalidSignature.
func VerifyMlDsa(level MlDsaLevel, verifyingKey, message, context, signature []byte) error {
	var c call
	defer c.release()
	ok := C.quorate_verify_ml_dsa(C.uint32_t(level), data(verifyingKey), size(verifyingKey), data(message), size(message),
		data(context), size(context), data(signature), size(signature), &c.err)
	return c.end(ok)
}
