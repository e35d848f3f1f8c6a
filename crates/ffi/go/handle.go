package quorate

// #cgo CFLAGS: -I${SRCDIR}/include
// #cgo LDFLAGS: -lquorate -lm
// #cgo linux LDFLAGS: -ldl -lpthread
// #include <stdlib.h>
// #include "quorate.h"
import "C"

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	// The header: go mod vendor copies packages that are imported.
	_ "quorate.dev/quorate/include"
)

// box owns an object of the library, and counts its owner and the calls that use it.
type box[P any] struct {
	object P
	free   func(P)
	refs   atomic.Int64
	closed atomic.Bool
}

func (b *box[P]) acquire() bool {
	for {
		refs := b.refs.Load()
		if refs == 0 || b.closed.Load() {
			return false
		}
		if b.refs.CompareAndSwap(refs, refs+1) {
			return true
		}
	}
}

func (b *box[P]) release() {
	if b.refs.Add(-1) == 0 {
		b.free(b.object)
	}
}

func (b *box[P]) close() {
	if !b.closed.Swap(true) {
		b.release()
	}
}

// handle is the part that all objects have in common. Objects share it when they are copied.
type handle[P any] struct {
	box *box[P]
}

func own[P any](object P, free func(P)) *handle[P] {
	b := &box[P]{object: object, free: free}
	b.refs.Store(1)
	h := &handle[P]{b}
	runtime.AddCleanup(h, (*box[P]).close, b)
	return h
}

// Close wipes and frees the object, once the calls that use it have returned. Later calls fail with ErrArguments. An object that
// is not closed is freed some time after the last reference to it is gone.
func (h *handle[P]) Close() error {
	if h != nil {
		h.box.close()
	}
	return nil
}

// object is any of the types of this package that wrap a handle.
type object[P any] interface{ ~struct{ *handle[P] } }

// in lends an object to a call. It is NULL, which the call refuses, if the object is nil, was not made by this package, or was
// closed.
func in[P any, T object[P]](c *call, lender *T) P {
	var null P
	if lender == nil {
		return null
	}
	h := (struct{ *handle[P] })(*lender).handle
	if h == nil || !h.box.acquire() {
		return null
	}
	c.undo = append(c.undo, h.box.release)
	return h.box.object
}

// call has the error of a call, and what the call was lent. Release it by defer, since a panic may come before its end.
type call struct {
	err  C.QuorateError
	undo []func()
	pin  runtime.Pinner
}

// release returns what the call was lent. It may be called again.
func (c *call) release() {
	for _, undo := range c.undo {
		undo()
	}
	c.undo = nil
	c.pin.Unpin()
}

func (c *call) end(ok C.bool) error {
	c.release()
	if bool(ok) {
		return nil
	}
	return taken(&c.err)
}

func (c *call) text(text string) *C.char {
	copied := C.CString(text)
	c.undo = append(c.undo, func() { C.free(unsafe.Pointer(copied)) })
	return copied
}

// received lends messages, whose bytes stay where they are.
func (c *call) received(messages []Received) (*C.QuorateReceived, C.size_t) {
	lent := make([]C.QuorateReceived, len(messages))
	for i, one := range messages {
		if len(one.Bytes) > 0 {
			c.pin.Pin(&one.Bytes[0])
		}
		lent[i] = C.QuorateReceived{C.uint16_t(one.Sender), data(one.Bytes), size(one.Bytes)}
	}
	return first(lent), size(lent)
}

func data(bytes []byte) *C.uint8_t         { return (*C.uint8_t)(first(bytes)) }
func numbers(parties []uint16) *C.uint16_t { return (*C.uint16_t)(first(parties)) }
func size[T any](values []T) C.size_t      { return C.size_t(len(values)) }

// first is nil for no values: their slice may point into memory that is not pinned.
func first[T any](values []T) *T {
	if len(values) == 0 {
		return nil
	}
	return unsafe.SliceData(values)
}

// copied copies bytes of the library.
func copied(data *C.uint8_t, length C.size_t) []byte {
	return append([]byte{}, unsafe.Slice((*byte)(data), length)...)
}

// bytesOf copies the result of a call, and frees it.
func bytesOf(err error, out *C.QuorateBytes) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_bytes_free(out)
	return copied(out.data, out.len), nil
}

func partiesOf(err error, out *C.QuorateParties) ([]uint16, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_parties_free(out)
	return append([]uint16{}, unsafe.Slice((*uint16)(out.data), out.len)...), nil
}

func textOf(err error, out *C.char) (string, error) {
	if err != nil {
		return "", err
	}
	defer C.quorate_text_free(out)
	return C.GoString(out), nil
}
