package quorate

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAcross signs with shares that JavaScript made and Python refreshed: across/run.sh.
func TestAcross(t *testing.T) {
	folder := os.Getenv("QUORATE_ACROSS")
	if folder == "" {
		t.Skip("run by across/run.sh")
	}
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(folder, name))
		check(t, err)
		return content
	}
	key, err := NewSealKey(read("seal.key"))
	check(t, err)
	var shares []*KeyShare
	var nonces []*Nonces
	var commitments []Received
	for _, name := range []string{"frost-ed25519-1.share", "frost-ed25519-3.share"} {
		share, err := OpenKeyShare(read(name), key)
		check(t, err)
		one, err := share.Commit()
		check(t, err)
		bytes, err := one.Commitments()
		check(t, err)
		id, err := share.ID()
		check(t, err)
		shares, nonces = append(shares, share), append(nonces, one)
		commitments = append(commitments, Received{Sender: id, Bytes: bytes})
	}
	public, err := shares[0].Public()
	check(t, err)
	epoch, err := public.Epoch()
	check(t, err)
	if epoch != 1 {
		t.Fatalf("epoch %d, expected 1", epoch)
	}
	session, err := StartSigning(public, commitments, []byte("across"))
	check(t, err)
	signing, err := session.Package()
	check(t, err)
	for i, share := range shares {
		signed, err := share.Sign(signing, nonces[i])
		check(t, err)
		check(t, session.Receive(commitments[i].Sender, signed))
	}
	signature, err := session.Aggregate()
	check(t, err)
	check(t, os.WriteFile(filepath.Join(folder, "signature"), signature.Bytes, 0o600))
}
