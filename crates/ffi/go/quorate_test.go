package quorate

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks the kind of an error, and that it says something.
func refused(t *testing.T, err error, kind Kind) {
	t.Helper()
	var failed *Error
	if !errors.As(err, &failed) || !errors.Is(err, kind) || failed.Check == "" {
		t.Fatalf("got %v, expected %v", err, kind)
	}
}

// table is a table of spent names in memory.
type table struct {
	mutex   sync.Mutex
	digests map[[32]byte][32]byte
}

func (t *table) Record(id, digest [32]byte) (TableEntry, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if before, ok := t.digests[id]; ok {
		return EntryBefore(before), nil
	}
	t.digests[id] = digest
	return NewEntry(), nil
}

// silent is a table that gives no answer, and forgets to say so.
type silent struct{}

func (silent) Record(_, _ [32]byte) (answer TableEntry, err error) { return }

func newTable() *table { return &table{digests: map[[32]byte][32]byte{}} }

func keygen(t *testing.T, scheme Scheme) *Task {
	t.Helper()
	task, err := Keygen(scheme, 2)
	check(t, err)
	return task
}

// stored gives a share by way of its seal.
func stored(t *testing.T, outcome *Outcome) (*KeyShare, *PublicKeyPackage) {
	t.Helper()
	share, err := outcome.KeyShare()
	check(t, err)
	sealed, err := share.Seal(sealKey(t))
	check(t, err)
	check(t, share.Close())
	share, err = OpenKeyShare(sealed, sealKey(t))
	check(t, err)
	public, err := share.Public()
	check(t, err)
	return share, public
}

// begin is the coordinator's first half: both peers have committed.
func begin(t *testing.T, p *peers, public *PublicKeyPackage, own []byte, message string) (*SigningSession, *SigningPackage) {
	t.Helper()
	commitments := []Received{{1, own}, {2, p.bytes("commit 2")}, {3, p.bytes("commit 3")}}
	session, err := StartSigning(public, commitments, []byte(message))
	check(t, err)
	signing, err := session.Package()
	check(t, err)
	return session, signing
}

// end is the second half.
func end(t *testing.T, p *peers, session *SigningSession, signing *SigningPackage, own []byte) *Signature {
	t.Helper()
	sent, err := signing.Bytes()
	check(t, err)
	check(t, session.Receive(1, own))
	check(t, session.Receive(2, p.bytes("sign 2 %x", sent)))
	_, err = session.Aggregate()
	refused(t, err, ErrMissing)
	check(t, session.Receive(3, p.bytes("sign 3 %x", sent)))
	signature, err := session.Aggregate()
	check(t, err)
	return signature
}

func TestGoSignsWithTwoRustPartiesInEverySuiteOfFrost(t *testing.T) {
	p := startPeers(t)
	for _, scheme := range []Scheme{FrostEd25519, FrostRistretto255, FrostEd448, FrostP256, FrostSecp256k1, FrostTaproot} {
		run := p.run
		if scheme == FrostEd448 {
			run = p.runSteps
		}
		share, public := stored(t, run("keygen", string('0'+rune(scheme))+" 2", keygen(t, scheme)))
		nonces, err := share.Commit()
		check(t, err)
		commitments, err := nonces.Commitments()
		check(t, err)
		session, signing := begin(t, p, public, commitments, "message")
		own, err := share.Sign(signing, nonces)
		check(t, err)
		_, err = share.Sign(signing, nonces)
		refused(t, err, ErrConsumed)
		signature := end(t, p, session, signing, own)
		check(t, public.Verify([]byte("message"), signature.Bytes))
		refused(t, public.Verify([]byte("another"), signature.Bytes), ErrInvalidSignature)
		key, err := public.VerifyingKey()
		check(t, err)
		check(t, Verify(scheme, key, []byte("message"), signature.Bytes))
		if scheme == FrostEd25519 {
			if !ed25519.Verify(key, []byte("message"), signature.Bytes) {
				t.Fatal("the signature is not one of Ed25519")
			}
		}
	}
}

func TestStoredNoncesSignOnce(t *testing.T) {
	p := startPeers(t)
	share, public := stored(t, p.run("keygen", "1 2", keygen(t, FrostEd25519)))
	stock, err := share.Precompute(2)
	check(t, err)
	sealed, err := stock.Seal(sealKey(t))
	check(t, err)
	open := func(continuity Continuity) *NonceStock {
		stock, err := OpenNonceStock(FrostEd25519, sealed, sealKey(t), continuity)
		check(t, err)
		return stock
	}
	commitments, err := open(ContinuityStayedUp).Commitments()
	check(t, err)
	session, signing := begin(t, p, public, commitments[0], "first")
	_, other := begin(t, p, public, commitments[0], "second")
	spent := newTable()
	sign := func(stock *NonceStock, signing *SigningPackage) ([]byte, error) {
		claim, err := stock.Claim(share, signing)
		check(t, err)
		// No answer releases nothing, and does not use up the claim.
		_, err = claim.Release(TableEntry{})
		refused(t, err, ErrArguments)
		_, err = claim.Store(silent{})
		refused(t, err, ErrArguments)
		own, err := claim.Store(spent)
		_, twice := claim.Release(NewEntry())
		refused(t, twice, ErrConsumed)
		return own, err
	}
	stock = open(ContinuityStayedUp)
	own, err := sign(stock, signing)
	check(t, err)
	_, err = stock.Claim(share, signing)
	refused(t, err, ErrConsumed)
	again, err := sign(open(ContinuityStayedUp), signing)
	check(t, err)
	if !slices.Equal(own, again) {
		t.Fatal("the same pair for the same package gave another signature share")
	}
	_, err = sign(open(ContinuityStayedUp), other)
	refused(t, err, ErrSpent)
	if left, err := open(ContinuityUnknown).Commitments(); err != nil || len(left) != 0 {
		t.Fatal("a stock without continuity has nonces left")
	}
	// The peers have committed again meanwhile, so that theirs do not fit the first package.
	check(t, session.Receive(1, own))
	if waiting, err := session.WaitingFor(); err != nil || !slices.Equal(waiting, []uint16{2, 3}) {
		t.Fatal(waiting, err)
	}
}

func TestGoSignsWithTwoRustPartiesByPresignatures(t *testing.T) {
	p := startPeers(t)
	bytes, err := os.ReadFile("../python/fixtures/search-1.bin")
	check(t, err)
	search, err := OpenAuxSearch(bytes, sealKey(t))
	check(t, err)
	var secrets *AuxSecrets
	for secrets == nil {
		secrets, err = search.Step(100)
		check(t, err)
	}
	task, err := MakeAuxInfo(secrets)
	check(t, err)
	outcome := p.run("aux", "", task)
	if kind, err := outcome.Kind(); err != nil || kind != OutcomeAuxInfoMade {
		t.Fatal(kind, err)
	}
	aux, err := outcome.AuxInfo()
	check(t, err)
	if id, err := aux.ID(); err != nil || id != 1 {
		t.Fatal(id, err)
	}
	for _, scheme := range []Scheme{EcdsaP256, EcdsaSecp256k1} {
		arguments := map[Scheme]string{EcdsaP256: "36 2", EcdsaSecp256k1: "37 2"}[scheme]
		share, public := stored(t, p.run("keygen", arguments, keygen(t, scheme)))
		task, err := Presign(share, aux, 2)
		check(t, err)
		presignatures, err := p.run("presign", "2", task).Presignatures()
		check(t, err)
		for i, path := range []string{"m", "m/0/7"} {
			signature := spend(t, p, share, public, presignatures[i], i, path)
			child, err := public.Child(path)
			check(t, err)
			check(t, child.Verify([]byte("message"), signature.Bytes))
			if scheme == EcdsaP256 {
				verify(t, child, signature)
			}
		}
	}
}

// spend signs with a presignature, through its seal.
func spend(t *testing.T, p *peers, share *KeyShare, public *PublicKeyPackage, one *Presignature, index int, path string) *Signature {
	t.Helper()
	scheme, err := share.Scheme()
	check(t, err)
	info, err := one.Info()
	check(t, err)
	sealed, err := one.Seal(sealKey(t))
	check(t, err)
	message, spent := []byte("message"), newTable()
	sign := func(message string) ([]byte, error) {
		restored, err := OpenPresignature(scheme, sealed, sealKey(t))
		check(t, err)
		claim, err := restored.Claim(share, path, []byte(message), Sha256)
		check(t, err)
		return claim.Store(spent)
	}
	own, err := sign("message")
	check(t, err)
	_, err = sign("another")
	refused(t, err, ErrSpent)
	shares := []Received{{1, own}}
	_, err = info.Aggregate(public, path, message, Sha256, shares)
	refused(t, err, ErrMissing)
	for _, party := range []uint16{2, 3} {
		shares = append(shares, Received{party, p.bytes("spend %d %d %s %x", party, index, path, message)})
	}
	wrong := slices.Clone(shares)
	wrong[1].Bytes = slices.Clone(wrong[1].Bytes)
	wrong[1].Bytes[len(wrong[1].Bytes)-1] ^= 1
	_, err = info.Aggregate(public, path, message, Sha256, []Received{{1, own}, {2, own[:0]}, shares[2]})
	refused(t, err, ErrMisbehaviour)
	_, err = info.Aggregate(public, path, message, Sha256, wrong)
	refused(t, err, ErrMisbehaviour)
	var failed *Error
	if errors.As(err, &failed); !slices.Equal(failed.Culprits, []uint16{2}) {
		t.Fatal(failed)
	}
	signature, err := info.Aggregate(public, path, message, Sha256, shares)
	check(t, err)
	return signature
}

// verify verifies a signature over P-256 with the library of Go.
func verify(t *testing.T, public *PublicKeyPackage, signature *Signature) {
	t.Helper()
	text, err := public.PEM()
	check(t, err)
	block, _ := pem.Decode([]byte(text))
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	check(t, err)
	digest := sha256.Sum256([]byte("message"))
	if !ecdsa.VerifyASN1(key.(*ecdsa.PublicKey), digest[:], signature.DER) || signature.RecoveryID < 0 {
		t.Fatal("the signature is not one of ECDSA")
	}
}

func TestMisuseIsAnError(t *testing.T) {
	_, err := NewSealKey(make([]byte, 31))
	refused(t, err, ErrArguments)
	_, err = Keygen(99, 2)
	refused(t, err, ErrArguments)
	_, err = Reshare(new(PublicKeyPackage), nil, nil, nil, 2)
	refused(t, err, ErrArguments)
	key := sealKey(t)
	_, err = OpenKeyShare([]byte("nonsense"), key)
	refused(t, err, ErrSeal)
	task := keygen(t, FrostEd25519)
	session, err := StartSession([32]byte{1}, 1, []uint16{1, 2, 3}, task)
	check(t, err)
	_, err = session.Outcome()
	refused(t, err, ErrNotYet)
	_, err = session.Receive(2, []byte("nonsense"))
	refused(t, err, ErrRejected)
	if rejections, err := session.Rejections(); err != nil || len(rejections) != 1 || rejections[0].Party != 2 {
		t.Fatal(rejections, err)
	}
	check(t, session.GiveUp())
	_, err = session.Outcome()
	refused(t, err, ErrMissing)
	if reason, err := session.Reason(); err != nil || reason.Kind != ErrMissing {
		t.Fatal(reason, err)
	}
	check(t, session.Close())
	check(t, session.Close())
	_, err = session.Tombstone()
	refused(t, err, ErrArguments)
}

// TestNilObjectsAreArguments ends with two collections: they panic about memory that is still pinned.
func TestNilObjectsAreArguments(t *testing.T) {
	key, task := sealKey(t), keygen(t, FrostEd25519)
	stepped, err := StartSteps([32]byte{3}, 1, []uint16{1, 2, 3}, task, key)
	check(t, err)
	session, err := OpenSession(stepped.State.Bytes, key, task)
	check(t, err)
	frames := []Received{{2, []byte("frame")}, {3, []byte("frame")}}
	calls := map[string]func() error{
		"Step, no key":    func() error { _, err := Step(stepped.State.Bytes, nil, task, frames); return err },
		"Step, no task":   func() error { _, err := Step(stepped.State.Bytes, key, nil, frames); return err },
		"Step, new key":   func() error { _, err := Step(stepped.State.Bytes, new(SealKey), task, frames); return err },
		"StartSteps":      func() error { _, err := StartSteps([32]byte{4}, 1, []uint16{1, 2, 3}, nil, nil); return err },
		"StartSession":    func() error { _, err := StartSession([32]byte{4}, 1, []uint16{1, 2, 3}, nil); return err },
		"StartSigning":    func() error { _, err := StartSigning(nil, frames, []byte("message")); return err },
		"Aggregate":       func() error { _, err := new(PresignatureInfo).Aggregate(nil, "m", nil, Sha256, frames); return err },
		"Seal, no key":    func() error { _, err := session.Seal(nil); return err },
		"Seal, a nil run": func() error { _, err := (*Session)(nil).Seal(key); return err },
		"Child":           func() error { _, err := (*KeyShare)(nil).Child("m/0"); return err },
		"Claim":           func() error { _, err := (*NonceStock)(nil).Claim(nil, nil); return err },
		"Release":         func() error { _, err := (*ShareClaim)(nil).Release(NewEntry()); return err },
		"ClaimAttempt": func() error {
			_, err := (*MlDsaKeyShare)(nil).ClaimAttempt(0, [32]byte{6}, nil, nil, nil)
			return err
		},
		"MlDsaSign": func() error { _, err := MlDsaSign(nil); return err },
		"Kind":      func() error { _, err := (*Outcome)(nil).Kind(); return err },
		"Reshare":   func() error { _, err := Reshare(nil, new(KeyShare), nil, nil, 2); return err },
	}
	for name, run := range calls {
		t.Run(name, func(t *testing.T) { refused(t, run(), ErrArguments) })
	}
	// The objects that were lent to the calls that failed are not lent any more.
	for _, refs := range []int64{key.box.refs.Load(), task.box.refs.Load(), session.box.refs.Load()} {
		if refs != 1 {
			t.Fatal("an object is still lent: ", refs)
		}
	}
	// A panic on the way leaks nothing either.
	func() {
		defer func() { _ = recover() }()
		var c call
		defer c.release()
		c.received(frames)
		in(&c, key)
		panic("on purpose")
	}()
	if key.box.refs.Load() != 1 {
		t.Fatal("the key is still lent")
	}
	runtime.GC()
	runtime.GC()
}

func TestEmptySlicesAreNoPointers(t *testing.T) {
	p := startPeers(t)
	empty := make([]byte, 8)[:0]
	key, task := sealKey(t), keygen(t, FrostEd25519)
	stepped, err := StartSteps([32]byte{5}, 1, []uint16{1, 2, 3}, task, key)
	check(t, err)
	stepped, err = Step(stepped.State.Bytes, key, task, []Received{{2, empty}, {3, []byte("frame")}})
	check(t, err)
	if len(stepped.Rejections) != 2 {
		t.Fatal(stepped.Rejections)
	}
	_, err = Step(empty, key, task, make([]Received, 8)[:0])
	refused(t, err, ErrSeal)
	_, err = StartSteps([32]byte{5}, 1, make([]uint16, 8)[:0], task, key)
	refused(t, err, ErrArguments)
	share, public := stored(t, p.run("keygen", "1 2", task))
	nonces, err := share.Commit()
	check(t, err)
	own, err := nonces.Commitments()
	check(t, err)
	_, err = StartSigning(public, []Received{{1, own}, {2, empty}}, empty)
	refused(t, err, ErrMisbehaviour)
	_, err = StartSigning(public, []Received{{1, own}, {2, p.bytes("commit 2")}}, empty)
	check(t, err)
	refused(t, public.Verify(empty, empty), ErrEncoding)
}

func TestACallOutlivesTheHandle(t *testing.T) {
	key := sealKey(t)
	task := keygen(t, FrostEd25519)
	session, err := StartSession([32]byte{2}, 1, []uint16{1, 2, 3}, task)
	check(t, err)
	var calls sync.WaitGroup
	for range 8 {
		calls.Add(1)
		go func() {
			defer calls.Done()
			for {
				if _, err := session.Seal(key); err != nil {
					if !errors.Is(err, ErrArguments) {
						t.Error(err)
					}
					return
				}
			}
		}()
	}
	runtime.GC()
	check(t, session.Close())
	calls.Wait()
	// What is dropped is freed by the collector.
	for range 100 {
		keygen(t, FrostEd25519)
	}
	runtime.GC()
}
