// Package include has the header of the library, so that go mod vendor copies it.
package include
