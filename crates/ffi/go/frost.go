package quorate

// #include "quorate.h"
import "C"

// Nonces are a pair of secret nonces for one signature. They sign once and cannot be stored: see NonceStock.
type Nonces struct{ *handle[*C.QuorateNonces] }

// Commit makes a fresh pair of nonces: round one of FROST.
func (k *KeyShare) Commit() (*Nonces, error) {
	var c call
	defer c.release()
	var out *C.QuorateNonces
	ok := C.quorate_key_share_commit(in(&c, k), &out, &c.err)
	if err := c.end(ok); err != nil {
		return nil, err
	}
	return &Nonces{own(out, func(p *C.QuorateNonces) { C.quorate_nonces_free(p) })}, nil
}

// Commitments are for the coordinator.
func (n *Nonces) Commitments() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_nonces_commitments(in(&c, n), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Sign gives this party's signature share: round two of FROST. The nonces are used up, whether it succeeds or not. Look at the
// message of the package first.
func (k *KeyShare) Sign(signing *SigningPackage, nonces *Nonces) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_key_share_sign(in(&c, k), in(&c, signing), in(&c, nonces), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// SigningPackage is the message, with the commitments of all signers.
type SigningPackage struct {
	*handle[*C.QuorateSigningPackage]
}

func signingPackageOf(err error, out *C.QuorateSigningPackage) (*SigningPackage, error) {
	if err != nil {
		return nil, err
	}
	free := func(p *C.QuorateSigningPackage) { C.quorate_signing_package_free(p) }
	return &SigningPackage{own(out, free)}, nil
}

// ReadSigningPackage reads the package that a coordinator sent.
func ReadSigningPackage(scheme Scheme, sent []byte) (*SigningPackage, error) {
	var c call
	defer c.release()
	var out *C.QuorateSigningPackage
	ok := C.quorate_signing_package_from_bytes(C.uint32_t(scheme), data(sent), size(sent), &out, &c.err)
	return signingPackageOf(c.end(ok), out)
}

// Bytes gives the sent form.
func (p *SigningPackage) Bytes() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_signing_package_to_bytes(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Message gives the message. Look at it before you sign: the library does not.
func (p *SigningPackage) Message() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_signing_package_message(in(&c, p), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Signers gives the signers.
func (p *SigningPackage) Signers() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_signing_package_signers(in(&c, p), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// NonceStock has pairs of nonces made ahead of time, each of which signs once. Seal and store it before its commitments leave,
// and after each signature; a later one replaces an earlier one, and never the reverse.
type NonceStock struct{ *handle[*C.QuorateNonceStock] }

func stockOf(err error, out *C.QuorateNonceStock) (*NonceStock, error) {
	if err != nil {
		return nil, err
	}
	return &NonceStock{own(out, func(p *C.QuorateNonceStock) { C.quorate_nonce_stock_free(p) })}, nil
}

// Precompute makes pairs of nonces ahead of time, 1 to 65 536.
func (k *KeyShare) Precompute(count uint32) (*NonceStock, error) {
	var c call
	defer c.release()
	var out *C.QuorateNonceStock
	ok := C.quorate_key_share_precompute(in(&c, k), C.uint32_t(count), &out, &c.err)
	return stockOf(c.end(ok), out)
}

// OpenNonceStock opens a sealed stock. The continuity is the reason why it is known that nothing of it was used meanwhile.
func OpenNonceStock(scheme Scheme, sealed []byte, key *SealKey, continuity Continuity) (*NonceStock, error) {
	var c call
	defer c.release()
	var out *C.QuorateNonceStock
	ok := C.quorate_nonce_stock_open(C.uint32_t(scheme), data(sealed), size(sealed), in(&c, key), C.uint32_t(continuity), &out, &c.err)
	return stockOf(c.end(ok), out)
}

// Seal gives the stock, encrypted and authenticated.
func (n *NonceStock) Seal(key *SealKey) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_nonce_stock_seal(in(&c, n), in(&c, key), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Generation is the number of changes so far: the stock with the greater one is the later.
func (n *NonceStock) Generation() (uint64, error) {
	var c call
	defer c.release()
	var out C.uint64_t
	ok := C.quorate_nonce_stock_generation(in(&c, n), &out, &c.err)
	return uint64(out), c.end(ok)
}

// Commitments gives those to all pairs that are left, in the order in which they were made.
func (n *NonceStock) Commitments() ([][]byte, error) {
	var c call
	defer c.release()
	var out *C.QuorateCommitments
	ok := C.quorate_nonce_stock_commitments(in(&c, n), &out, &c.err)
	return commitmentsOf(c.end(ok), out)
}

// Claim takes out the pair that the package asks for, and claims it.
func (n *NonceStock) Claim(share *KeyShare, signing *SigningPackage) (*ShareClaim, error) {
	var c call
	defer c.release()
	var out *C.QuorateShareClaim
	ok := C.quorate_nonce_stock_claim(in(&c, n), in(&c, share), in(&c, signing), &out, &c.err)
	return claimOf(c.end(ok), out)
}

// SigningSession is the coordinator's side of one signature. It holds no secret.
type SigningSession struct {
	*handle[*C.QuorateSigningSession]
}

// StartSigning fixes the signers, by their commitments, and the message.
func StartSigning(public *PublicKeyPackage, commitments []Received, message []byte) (*SigningSession, error) {
	var c call
	defer c.release()
	var out *C.QuorateSigningSession
	lent, length := c.received(commitments)
	ok := C.quorate_signing_session_start(in(&c, public), lent, length, data(message), size(message), &out, &c.err)
	if err := c.end(ok); err != nil {
		return nil, err
	}
	free := func(p *C.QuorateSigningSession) { C.quorate_signing_session_free(p) }
	return &SigningSession{own(out, free)}, nil
}

// Package gives the package to send to every signer.
func (s *SigningSession) Package() (*SigningPackage, error) {
	var c call
	defer c.release()
	var out *C.QuorateSigningPackage
	ok := C.quorate_signing_session_package(in(&c, s), &out, &c.err)
	return signingPackageOf(c.end(ok), out)
}

// Receive takes a signature share. The sender is the one that the authenticated transport names.
func (s *SigningSession) Receive(sender uint16, signatureShare []byte) error {
	var c call
	defer c.release()
	ok := C.quorate_signing_session_receive(in(&c, s), C.uint16_t(sender), data(signatureShare), size(signatureShare), &c.err)
	return c.end(ok)
}

// WaitingFor gives the signers whose signature shares have not come.
func (s *SigningSession) WaitingFor() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_signing_session_waiting_for(in(&c, s), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// Aggregate aggregates the signature shares, and verifies the signature. ErrMisbehaviour names exactly the signers whose shares are
// wrong.
func (s *SigningSession) Aggregate() (*Signature, error) {
	var c call
	defer c.release()
	var out C.QuorateSignature
	ok := C.quorate_signing_session_aggregate(in(&c, s), &out, &c.err)
	return signatureOf(c.end(ok), &out)
}
