package quorate

// #include "quorate.h"
import "C"

// AuxSearch is the search for a party's primes, which takes seconds to minutes. Close it to cancel.
type AuxSearch struct{ *handle[*C.QuorateAuxSearch] }

func searchOf(err error, out *C.QuorateAuxSearch) (*AuxSearch, error) {
	if err != nil {
		return nil, err
	}
	return &AuxSearch{own(out, func(p *C.QuorateAuxSearch) { C.quorate_aux_search_free(p) })}, nil
}

// StartAuxSearch begins a search.
func StartAuxSearch(level Level) (*AuxSearch, error) {
	var c call
	defer c.release()
	var out *C.QuorateAuxSearch
	ok := C.quorate_aux_search_start(C.uint32_t(level), &out, &c.err)
	return searchOf(c.end(ok), out)
}

// OpenAuxSearch resumes a search that was sealed.
func OpenAuxSearch(sealed []byte, key *SealKey) (*AuxSearch, error) {
	var c call
	defer c.release()
	var out *C.QuorateAuxSearch
	ok := C.quorate_aux_search_open(data(sealed), size(sealed), in(&c, key), &out, &c.err)
	return searchOf(c.end(ok), out)
}

// Seal gives the search, encrypted and authenticated. Keep the last one until the auxiliary information is made.
func (s *AuxSearch) Seal(key *SealKey) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_aux_search_seal(in(&c, s), in(&c, key), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Step continues for at most budget tests of candidates, of some milliseconds each. It gives the secrets when all primes are
// found, and nil before.
func (s *AuxSearch) Step(budget uint32) (*AuxSecrets, error) {
	var c call
	defer c.release()
	var out *C.QuorateAuxSecrets
	ok := C.quorate_aux_search_step(in(&c, s), C.uint32_t(budget), &out, &c.err)
	if err := c.end(ok); err != nil || out == nil {
		return nil, err
	}
	return &AuxSecrets{own(out, func(p *C.QuorateAuxSecrets) { C.quorate_aux_secrets_free(p) })}, nil
}

// Progress is the part of the work that is done, from 0 to 1: a guess.
func (s *AuxSearch) Progress() (float64, error) {
	var c call
	defer c.release()
	var out C.double
	ok := C.quorate_aux_search_progress(in(&c, s), &out, &c.err)
	return float64(out), c.end(ok)
}

// AuxSecrets are a party's own primes, for MakeAuxInfo.
type AuxSecrets struct{ *handle[*C.QuorateAuxSecrets] }

// Level is the level of both moduli.
func (s *AuxSecrets) Level() (Level, error) {
	var c call
	defer c.release()
	var out C.QuorateLevel
	ok := C.quorate_aux_secrets_level(in(&c, s), &out, &c.err)
	return Level(out), c.end(ok)
}

// AuxInfo is a party's auxiliary information: its own secrets, and the proved public values of all parties.
type AuxInfo struct{ *handle[*C.QuorateAuxInfo] }

func auxInfoOf(err error, out *C.QuorateAuxInfo) (*AuxInfo, error) {
	if err != nil {
		return nil, err
	}
	return &AuxInfo{own(out, func(p *C.QuorateAuxInfo) { C.quorate_aux_info_free(p) })}, nil
}

// OpenAuxInfo opens sealed auxiliary information.
func OpenAuxInfo(sealed []byte, key *SealKey) (*AuxInfo, error) {
	var c call
	defer c.release()
	var out *C.QuorateAuxInfo
	ok := C.quorate_aux_info_open(data(sealed), size(sealed), in(&c, key), &out, &c.err)
	return auxInfoOf(c.end(ok), out)
}

// Seal gives it, encrypted and authenticated.
func (a *AuxInfo) Seal(key *SealKey) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_aux_info_seal(in(&c, a), in(&c, key), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// ID is the number of the party whose secrets are here.
func (a *AuxInfo) ID() (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_aux_info_id(in(&c, a), &out, &c.err)
	return uint16(out), c.end(ok)
}

// Parties gives the parties.
func (a *AuxInfo) Parties() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_aux_info_parties(in(&c, a), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// Lacks gives the parties among these for which it has no values.
func (a *AuxInfo) Lacks(of []uint16) ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_aux_info_lacks(in(&c, a), numbers(of), size(of), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// IsConfirmed reports whether all parties have confirmed it. If they have not, it does not presign.
func (a *AuxInfo) IsConfirmed() (bool, error) {
	var c call
	defer c.release()
	var out C.bool
	ok := C.quorate_aux_info_is_confirmed(in(&c, a), &out, &c.err)
	return bool(out), c.end(ok)
}

// Digest gives a digest of its public part, 32 bytes.
func (a *AuxInfo) Digest() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_aux_info_digest(in(&c, a), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Confirmed gives it, marked as confirmed by your own decision. Compare the Digest of all parties first.
func (a *AuxInfo) Confirmed() (*AuxInfo, error) {
	var c call
	defer c.release()
	var out *C.QuorateAuxInfo
	ok := C.quorate_aux_info_confirmed(in(&c, a), &out, &c.err)
	return auxInfoOf(c.end(ok), out)
}

// Presignature is one signer's part of a presignature. It signs once; the table of spent names keeps a restored one from being
// spent twice.
type Presignature struct {
	*handle[*C.QuoratePresignature]
}

func presignatureOf(err error, out *C.QuoratePresignature) (*Presignature, error) {
	if err != nil {
		return nil, err
	}
	return &Presignature{own(out, func(p *C.QuoratePresignature) { C.quorate_presignature_free(p) })}, nil
}

// OpenPresignature opens a sealed presignature.
func OpenPresignature(scheme Scheme, sealed []byte, key *SealKey) (*Presignature, error) {
	var c call
	defer c.release()
	var out *C.QuoratePresignature
	ok := C.quorate_presignature_open(C.uint32_t(scheme), data(sealed), size(sealed), in(&c, key), &out, &c.err)
	return presignatureOf(c.end(ok), out)
}

// Seal gives the presignature, encrypted and authenticated. Delete it once its signature share is sent.
func (p *Presignature) Seal(key *SealKey) ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_presignature_seal(in(&c, p), in(&c, key), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Info gives the public side of it, equal at all its signers.
func (p *Presignature) Info() (*PresignatureInfo, error) {
	var c call
	defer c.release()
	var out *C.QuoratePresignatureInfo
	ok := C.quorate_presignature_info(in(&c, p), &out, &c.err)
	return infoOf(c.end(ok), out)
}

// Claim claims the presignature for a message, with the key at a path such as m/0/7, or m for the key itself. The presignature is
// used up even if the call fails. Look at the message first.
func (p *Presignature) Claim(share *KeyShare, path string, message []byte, hash MessageHash) (*ShareClaim, error) {
	var c call
	defer c.release()
	var out *C.QuorateShareClaim
	ok := C.quorate_presignature_claim(in(&c, p), in(&c, share), c.text(path), data(message), size(message), C.uint32_t(hash), &out, &c.err)
	return claimOf(c.end(ok), out)
}

// PresignatureInfo is the public side of a presignature: enough to aggregate signature shares.
type PresignatureInfo struct {
	*handle[*C.QuoratePresignatureInfo]
}

func infoOf(err error, out *C.QuoratePresignatureInfo) (*PresignatureInfo, error) {
	if err != nil {
		return nil, err
	}
	free := func(p *C.QuoratePresignatureInfo) { C.quorate_presignature_info_free(p) }
	return &PresignatureInfo{own(out, free)}, nil
}

// ReadPresignatureInfo reads the stored form.
func ReadPresignatureInfo(scheme Scheme, stored []byte) (*PresignatureInfo, error) {
	var c call
	defer c.release()
	var out *C.QuoratePresignatureInfo
	ok := C.quorate_presignature_info_from_bytes(C.uint32_t(scheme), data(stored), size(stored), &out, &c.err)
	return infoOf(c.end(ok), out)
}

// Bytes gives the stored form, which is public.
func (i *PresignatureInfo) Bytes() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_presignature_info_to_bytes(in(&c, i), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// ID gives the name, 36 bytes, equal at all its signers.
func (i *PresignatureInfo) ID() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_presignature_info_id(in(&c, i), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Signers gives the signers. All of them have to take part.
func (i *PresignatureInfo) Signers() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_presignature_info_signers(in(&c, i), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// Aggregate aggregates the signature shares of all signers, and verifies the signature. The public key is the one that was
// presigned for, and path that of the one that signs. ErrMisbehaviour names the signers whose shares are wrong.
func (i *PresignatureInfo) Aggregate(public *PublicKeyPackage, path string, message []byte, hash MessageHash, shares []Received) (*Signature, error) {
	var c call
	defer c.release()
	var out C.QuorateSignature
	lent, length := c.received(shares)
	ok := C.quorate_presignature_info_aggregate(in(&c, i), in(&c, public), c.text(path), data(message), size(message), C.uint32_t(hash),
		lent, length, &out, &c.err)
	return signatureOf(c.end(ok), &out)
}
