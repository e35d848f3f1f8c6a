package quorate

// #include "quorate.h"
import "C"

// KeyShare is one party's share of a key, of any scheme. It does not change: to confirm or settle a share gives another one, to
// be stored in its place.
type KeyShare struct{ *handle[*C.QuorateKeyShare] }

func keyShareOf(err error, out *C.QuorateKeyShare) (*KeyShare, error) {
	if err != nil || out == nil {
		return nil, err
	}
	return &KeyShare{own(out, func(p *C.QuorateKeyShare) { C.quorate_key_share_free(p) })}, nil
}

// optional lends a share that may be nil, and may not be closed.
func (k *KeyShare) optional(c *call) (*C.QuorateKeyShare, error) {
	if k == nil {
		return nil, nil
	}
	lent := in(c, k)
	if lent == nil {
		return nil, &Error{Kind: ErrArguments, Check: "the share was closed"}
	}
	return lent, nil
}

// OpenKeyShare opens a sealed share.
func OpenKeyShare(sealed []byte, key *SealKey) (*KeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateKeyShare
	ok := C.quorate_key_share_open(data(sealed), size(sealed), in(&c, key), &out, &c.err)
	return keyShareOf(c.end(ok), out)
}

// Seal gives the share and its public side, encrypted and authenticated.
func (k *KeyShare) Seal(key *SealKey) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_key_share_seal(in(&c, k), in(&c, key), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Scheme is the scheme.
func (k *KeyShare) Scheme() (Scheme, error) {
	var c call
	defer c.release()
	var out C.QuorateScheme
	ok := C.quorate_key_share_scheme(in(&c, k), &out, &c.err)
	return Scheme(out), c.end(ok)
}

// ID is the number of the party whose share this is.
func (k *KeyShare) ID() (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_key_share_id(in(&c, k), &out, &c.err)
	return uint16(out), c.end(ok)
}

// State is the state of the share.
func (k *KeyShare) State() (ShareState, error) {
	var c call
	defer c.release()
	var out C.QuorateShareState
	ok := C.quorate_key_share_state(in(&c, k), &out, &c.err)
	return ShareState(out), c.end(ok)
}

// Public gives the public side of the key.
func (k *KeyShare) Public() (*PublicKeyPackage, error) {
	var c call
	defer c.release()
	var out *C.QuoratePublicKeyPackage
	ok := C.quorate_key_share_public(in(&c, k), &out, &c.err)
	return publicOf(c.end(ok), out)
}

// Confirmed gives the share, taken for confirmed by your own decision. Ask all parties for the Digest of their public key first.
func (k *KeyShare) Confirmed() (*KeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateKeyShare
	ok := C.quorate_key_share_confirmed(in(&c, k), &out, &c.err)
	return keyShareOf(c.end(ok), out)
}

// Settled gives the share, ready since all parties have stored theirs. Store it before older ones are deleted.
func (k *KeyShare) Settled(by *StoredByAll) (*KeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateKeyShare
	ok := C.quorate_key_share_settled(in(&c, k), in(&c, by), &out, &c.err)
	return keyShareOf(c.end(ok), out)
}

// Child gives the share of the child key at a path such as m/0/7.
func (k *KeyShare) Child(path string) (*KeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateKeyShare
	ok := C.quorate_key_share_child(in(&c, k), c.text(path), &out, &c.err)
	return keyShareOf(c.end(ok), out)
}

// StoredByAll is the proof that all parties have stored their shares of one epoch.
type StoredByAll struct{ *handle[*C.QuorateStoredByAll] }

// PermitsDeleting reports whether this share may be deleted: it is of an epoch before the one that all have stored.
func (s *StoredByAll) PermitsDeleting(share *KeyShare) (bool, error) {
	var c call
	defer c.release()
	var out C.bool
	ok := C.quorate_stored_by_all_permits_deleting(in(&c, s), in(&c, share), &out, &c.err)
	return bool(out), c.end(ok)
}

// PublicKeyPackage is the public side of a key in one epoch, equal at all parties.
type PublicKeyPackage struct {
	*handle[*C.QuoratePublicKeyPackage]
}

func publicOf(err error, out *C.QuoratePublicKeyPackage) (*PublicKeyPackage, error) {
	if err != nil {
		return nil, err
	}
	free := func(p *C.QuoratePublicKeyPackage) { C.quorate_public_key_package_free(p) }
	return &PublicKeyPackage{own(out, free)}, nil
}

// ReadPublicKeyPackage reads the stored form.
func ReadPublicKeyPackage(scheme Scheme, stored []byte) (*PublicKeyPackage, error) {
	var c call
	defer c.release()
	var out *C.QuoratePublicKeyPackage
	ok := C.quorate_public_key_package_from_bytes(C.uint32_t(scheme), data(stored), size(stored), &out, &c.err)
	return publicOf(c.end(ok), out)
}

// Bytes gives the stored form, which is public. Keep it authentic.
func (p *PublicKeyPackage) Bytes() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_public_key_package_to_bytes(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Scheme is the scheme.
func (p *PublicKeyPackage) Scheme() (Scheme, error) {
	var c call
	defer c.release()
	var out C.QuorateScheme
	ok := C.quorate_public_key_package_scheme(in(&c, p), &out, &c.err)
	return Scheme(out), c.end(ok)
}

// VerifyingKey gives the group's key as its verifiers read it.
func (p *PublicKeyPackage) VerifyingKey() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_public_key_package_verifying_key(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// PEM gives the key as a PUBLIC KEY, for ECDSA.
func (p *PublicKeyPackage) PEM() (string, error) {
	var c call
	defer c.release()
	var out *C.char
	ok := C.quorate_public_key_package_pem(in(&c, p), &out, &c.err)
	return textOf(c.end(ok), out)
}

// Threshold is the number of parties that it takes to sign.
func (p *PublicKeyPackage) Threshold() (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_public_key_package_threshold(in(&c, p), &out, &c.err)
	return uint16(out), c.end(ok)
}

// Epoch says how often the key was refreshed or reshared.
func (p *PublicKeyPackage) Epoch() (uint32, error) {
	var c call
	defer c.release()
	var out C.uint32_t
	ok := C.quorate_public_key_package_epoch(in(&c, p), &out, &c.err)
	return uint32(out), c.end(ok)
}

// Parties gives the parties that hold shares.
func (p *PublicKeyPackage) Parties() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_public_key_package_parties(in(&c, p), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// KeyID gives a name for the key, 32 bytes, equal at all its parties and over all epochs.
func (p *PublicKeyPackage) KeyID() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_public_key_package_key_id(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Digest gives a digest of the whole package, 32 bytes. Parties compare it before they confirm a share.
func (p *PublicKeyPackage) Digest() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_public_key_package_digest(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Child gives the public side of the child key at a path such as m/0/7, without hardening. Taproot has no children.
func (p *PublicKeyPackage) Child(path string) (*PublicKeyPackage, error) {
	var c call
	defer c.release()
	var out *C.QuoratePublicKeyPackage
	ok := C.quorate_public_key_package_child(in(&c, p), c.text(path), &out, &c.err)
	return publicOf(c.end(ok), out)
}

// Verify verifies a signature of a message under a key, given as PublicKeyPackage.VerifyingKey gives it. It fails with
// ErrInvalidSignature.
func Verify(scheme Scheme, verifyingKey, message, signature []byte) error {
	var c call
	defer c.release()
	ok := C.quorate_verify(C.uint32_t(scheme), data(verifyingKey), size(verifyingKey), data(message), size(message),
		data(signature), size(signature), &c.err)
	return c.end(ok)
}

// Verify verifies a signature of a message, by its bytes. It fails with ErrInvalidSignature.
func (p *PublicKeyPackage) Verify(message, signature []byte) error {
	var c call
	defer c.release()
	ok := C.quorate_public_key_package_verify(in(&c, p), data(message), size(message), data(signature), size(signature), &c.err)
	return c.end(ok)
}
