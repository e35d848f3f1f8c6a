
# What follows up to the next class is written by hand, and put here by a step after the generator.

BytesLike = typing.Union[bytes, bytearray, memoryview, "Signature"]
_HandleType = typing.TypeVar("_HandleType", bound="Handle")
_handle_lock = threading.RLock()


class Handle:
    """The base of all objects of the library: a reference to an object in Rust.

    It can be neither copied nor pickled. Names, arguments and threads may share it. What has to go to another process or to a disk
    is sealed (`seal`) or encoded (`to_bytes`). Use it with `with`, or call `close`, and its secrets are wiped at once.
    """

    def close(self) -> None:
        """Gives the object up. Its secrets are wiped when no call uses it any more. A second call does nothing."""
        with _handle_lock:
            handle, self._handle = getattr(self, "_handle", None), None  # type: ignore
        if handle is not None:
            spare = type(self).__new__(type(self))
            spare._handle = handle
            spare.__del__()  # type: ignore
            spare._handle = None  # type: ignore

    def _clone(self, clone: typing.Any) -> int:
        with _handle_lock:
            handle = getattr(self, "_handle", None)
            if handle is None:
                raise ValueError(f"this {type(self).__name__} was closed")
            return _uniffi_rust_call(clone, handle)

    def __enter__(self: _HandleType) -> _HandleType:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse(self, how: str) -> typing.NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be {how}: share the object, or seal it and open it again")

    def __copy__(self) -> typing.NoReturn:
        self._refuse("copied")

    def __deepcopy__(self, memo: object) -> typing.NoReturn:
        self._refuse("copied")

    def __reduce__(self) -> typing.NoReturn:
        self._refuse("pickled")

    def __reduce_ex__(self, protocol: object) -> typing.NoReturn:
        self._refuse("pickled")

    def __getstate__(self) -> typing.NoReturn:
        self._refuse("pickled")

    def __setstate__(self, state: object) -> typing.NoReturn:
        self._refuse("pickled")

