# What follows is written by hand, and put here by a step after the generator.

import dataclasses


def _buffer(value):
    """The bytes of an object with a buffer, for the library: what can be overwritten is not copied."""
    if isinstance(value, Signature):
        value = value.bytes
    if isinstance(value, bytes):
        return value
    try:
        view = memoryview(value).cast("B")
    except TypeError:
        raise TypeError(f"bytes are required, not {type(value).__name__}") from None
    return bytes(view) if view.readonly or not view.nbytes else (ctypes.c_char * view.nbytes).from_buffer(view)


class _Bytes(_UniffiFfiConverterBytes):
    @staticmethod
    def check_lower(value):
        _buffer(value)

    @staticmethod
    def write(value, buf):
        value = _buffer(value)
        buf.write_i32(len(value))
        buf.write(value)


class _BytesByReference(_UniffiFfiConverterByRefBytes):
    @staticmethod
    def check_lower(value):
        _buffer(value)

    @staticmethod
    def lower(value):
        value, lowered = _buffer(value), _UniffiForeignBytes()
        lowered.len = len(value)
        if value:
            pointer = ctypes.c_char_p(value) if isinstance(value, bytes) else value
            lowered.data = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_char))
        lowered.value = value  # Lives as long as the call.
        return lowered


_UniffiFfiConverterBytes = _Bytes  # type: ignore
_UniffiFfiConverterByRefBytes = _BytesByReference  # type: ignore


def _shown(value):
    """The form in which a record prints a field. Bytes may be confidential."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"<{len(value)} bytes>"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value) if isinstance(value, enum.Enum) else repr(value)


def _record(name, record):
    def __repr__(self):
        return f"{name}({', '.join(f'{field}={_shown(value)}' for field, value in vars(self).items())})"

    def __eq__(self, other):
        return vars(self) == vars(other) if type(self) is type(other) else NotImplemented

    record.__repr__ = record.__str__ = __repr__
    record.__eq__ = __eq__


def _error(failed, text, fields):
    failed.__str__ = text
    failed.__reduce__ = lambda self: (type(self), tuple(getattr(self, field) for field in fields))


def _text(self):
    culprits = f" (culprits: {self.culprits})" if self.culprits else ""
    return f"{self.kind.name.lower()}: {self.check}{culprits}"


def _finish():
    for name, found in list(globals().items()):
        if not isinstance(found, type) or name.startswith("_"):
            continue
        if dataclasses.is_dataclass(found):
            _record(name, found)
        for variant, inner in list(vars(found).items()):
            if isinstance(inner, type) and dataclasses.is_dataclass(inner):
                _record(f"{name}.{variant}", inner)
        if issubclass(found, Handle) and found is not Handle and "__repr__" in vars(found):
            _handle(name, found)
    Signature.__bytes__ = lambda self: self.bytes
    _error(QuorateError.Failed, _text, ("kind", "culprits", "check"))
    for failed in (TableError.Failed, RowsError.Failed):
        _error(failed, lambda self: self.reason, ("reason",))


def _handle(name, handle):
    shown = handle.__repr__
    handle.__repr__ = lambda self: shown(self) if getattr(self, "_handle", None) else f"<{name}, closed>"


_finish()
__all__ += ["BytesLike", "Handle"]
