package quorate

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// peers are parties 2 and 3: a program in Rust that is told of frames by lines. This process is party 1.
type peers struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Scanner
	session byte
}

func startPeers(t *testing.T) *peers {
	program := os.Getenv("QUORATE_PEER")
	if program == "" {
		t.Fatal("QUORATE_PEER is not set to the program quorate-go-peer: see README.md")
	}
	command := exec.Command(program, "../python/fixtures")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	check(t, err)
	out, err := command.StdoutPipe()
	check(t, err)
	check(t, command.Start())
	t.Cleanup(func() {
		in.Close()
		if err := command.Wait(); err != nil {
			t.Error("the peers failed: ", err)
		}
	})
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 1<<26)
	return &peers{t: t, in: in, out: scanner}
}

// tell sends a command that has no answer.
func (p *peers) tell(format string, values ...any) {
	_, err := fmt.Fprintf(p.in, format+"\n", values...)
	check(p.t, err)
}

// ask sends a command, and gives the lines of its answer as words.
func (p *peers) ask(format string, values ...any) (lines [][]string) {
	p.t.Helper()
	p.tell(format, values...)
	for p.out.Scan() {
		if p.out.Text() == "." {
			return lines
		}
		lines = append(lines, strings.Fields(p.out.Text()))
	}
	p.t.Fatalf("the peers gave no answer to %.40s", fmt.Sprintf(format, values...))
	return nil
}

// bytes asks for bytes.
func (p *peers) bytes(format string, values ...any) []byte {
	p.t.Helper()
	return unhex(p.t, p.ask(format, values...)[0][1])
}

// frames gives the frames of an answer, and whether the peers have ended.
func (p *peers) frames(lines [][]string) (frames []Received, done bool) {
	for _, words := range lines {
		if words[0] == "done" {
			return frames, true
		}
		var sender uint16
		_, err := fmt.Sscan(words[1], &sender)
		check(p.t, err)
		frames = append(frames, Received{sender, unhex(p.t, words[2])})
	}
	return frames, false
}

// send delivers messages of this party.
func (p *peers) send(messages []Outgoing) {
	for _, message := range messages {
		for _, to := range []uint16{2, 3} {
			if message.Recipient == 0 || message.Recipient == to {
				p.tell("frame %d %x", to, message.Bytes)
			}
		}
	}
}

// begin starts a run of the peers: the command has the session id and then the arguments.
func (p *peers) begin(command, arguments string) (sessionID [32]byte, lines [][]string) {
	p.session++
	sessionID[0] = p.session
	return sessionID, p.ask("%s %x %s", command, sessionID, arguments)
}

// run runs a task with the peers. After each round the session is opened again from its seal.
func (p *peers) run(command, arguments string, task *Task) *Outcome {
	p.t.Helper()
	return p.runOf(command, arguments, func([32]byte) *Task { return task })
}

// runOf is run with a task that is made for the session id, each time that it is needed.
func (p *peers) runOf(command, arguments string, taskOf func(sessionID [32]byte) *Task) *Outcome {
	t := p.t
	t.Helper()
	sessionID, lines := p.begin(command, arguments)
	task := taskOf(sessionID)
	session, err := StartSession(sessionID, 1, []uint16{1, 2, 3}, task)
	check(t, err)
	key := sealKey(t)
	for {
		sealed, err := session.Seal(key)
		check(t, err)
		sent, err := session.Outgoing()
		check(t, err)
		check(t, session.Close())
		session, err = OpenSession(sealed.Bytes, key, taskOf(sessionID))
		check(t, err)
		repeated, err := session.Outgoing()
		check(t, err)
		same(t, repeated, sent)
		p.send(repeated)
		frames, _ := p.frames(lines)
		for _, frame := range frames {
			_, err := session.Receive(frame.Sender, frame.Bytes)
			check(t, err)
		}
		lines = p.ask("turn")
		switch progress, err := session.Advance(); {
		case err != nil:
			t.Fatal(err)
		case progress == ProgressDone:
			outcome, err := session.Outcome()
			check(t, err)
			return outcome
		case progress != ProgressRound:
			t.Fatal("progress: ", progress)
		}
	}
}

// runSteps runs a task with the peers by steps, one frame a step.
func (p *peers) runSteps(command, arguments string, task *Task) *Outcome {
	t := p.t
	t.Helper()
	sessionID, lines := p.begin(command, arguments)
	key := sealKey(t)
	stepped, err := StartSteps(sessionID, 1, []uint16{1, 2, 3}, task, key)
	check(t, err)
	same(t, again(t, stepped.State.Bytes, key, task), stepped.Outgoing)
	for {
		p.send(stepped.Outgoing)
		frames, _ := p.frames(lines)
		lines = p.ask("turn")
		for _, frame := range frames {
			before := stepped.State
			stepped, err = Step(before.Bytes, key, task, []Received{frame})
			check(t, err)
			if stepped.State.Run != before.Run || stepped.State.Length <= before.Length {
				t.Fatal("the state does not replace the one before")
			}
		}
		if stepped.Progress == ProgressDone {
			_, err := Step(stepped.State.Bytes, key, task, nil)
			refused(t, err, ErrSeal)
			return stepped.Outcome
		}
		if stepped.Progress != ProgressWaiting || len(stepped.Rejections) > 0 || stepped.Reason != nil {
			t.Fatalf("%+v", stepped)
		}
	}
}

// again opens a sealed session, and gives the messages of its round.
func again(t *testing.T, sealed []byte, key *SealKey, task *Task) []Outgoing {
	t.Helper()
	session, err := OpenSession(sealed, key, task)
	check(t, err)
	repeated, err := session.Outgoing()
	check(t, err)
	return repeated
}

// same checks that a restored session sends the same messages again.
func same(t *testing.T, repeated, sent []Outgoing) {
	t.Helper()
	equal := func(a, b Outgoing) bool { return a.Recipient == b.Recipient && bytes.Equal(a.Bytes, b.Bytes) }
	if len(sent) == 0 || !slices.EqualFunc(repeated, sent, equal) {
		t.Fatal("a restored session has other messages")
	}
}

func sealKey(t *testing.T) *SealKey {
	key, err := NewSealKey(bytes.Repeat([]byte{7}, 32))
	check(t, err)
	return key
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	check(t, err)
	return decoded
}
