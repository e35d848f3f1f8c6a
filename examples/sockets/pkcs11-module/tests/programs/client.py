"""Two libraries of Python sign with the module: client.py LIBRARY MODULE PIN. Prints JSON."""

import base64
import hashlib
import json
import os
import sys

library, module, pin = sys.argv[1:4]
message = b"a message of python"
answers = {"message": base64.b64encode(message).decode()}


def put(name, value):
    answers[name] = base64.b64encode(bytes(value)).decode()


def python_pkcs11():
    import pkcs11
    from pkcs11 import KeyType, Mechanism, MechanismFlag

    token = pkcs11.lib(module).get_token(token_label="quorate")
    with token.open(rw=True, user_pin=pin) as session:
        parameters = session.create_domain_parameters(
            KeyType.EC_EDWARDS,
            {pkcs11.Attribute.EC_PARAMS: b"\x13\x0cedwards25519"},
            local=True,
        )
        flags = MechanismFlag.SIGN | MechanismFlag.VERIFY
        public, private = parameters.generate_keypair(
            mechanism=Mechanism.EC_EDWARDS_KEY_PAIR_GEN, label="python", store=True, capabilities=flags
        )
        signature = private.sign(message, mechanism=Mechanism.EDDSA)
        assert public.verify(message, signature, mechanism=Mechanism.EDDSA)
        assert not public.verify(b"another", signature, mechanism=Mechanism.EDDSA)
        put("ed25519", public[pkcs11.Attribute.EC_POINT])
        put("eddsa", signature)
        private = session.get_key(object_class=pkcs11.ObjectClass.PRIVATE_KEY, label="p256")
        public = session.get_key(object_class=pkcs11.ObjectClass.PUBLIC_KEY, label="p256")
        signature = private.sign(message, mechanism=Mechanism.ECDSA_SHA256)
        assert public.verify(message, signature, mechanism=Mechanism.ECDSA_SHA256)
        put("p256", public[pkcs11.Attribute.EC_POINT])
        put("ecdsa", signature)
        try:
            private[pkcs11.Attribute.VALUE]
            answers["value"] = "shown"
        except pkcs11.AttributeSensitive:
            answers["value"] = "sensitive"
        # A digest, whose message nobody sees.
        digest = hashlib.sha256(b"another message").digest()
        signature = private.sign(digest, mechanism=Mechanism.ECDSA)
        assert public.verify(b"another message", signature, mechanism=Mechanism.ECDSA_SHA256)
        answers["digest"] = "signed"
        try:
            private.sign(bytes(32), mechanism=Mechanism.ECDSA)
            answers["zero"] = "signed"
        except pkcs11.PKCS11Error as why:
            answers["zero"] = type(why).__name__


def pykcs11():
    import PyKCS11
    from PyKCS11 import PyKCS11Lib

    lib = PyKCS11Lib()
    lib.load(module)
    slot = lib.getSlotList(tokenPresent=True)[0]
    session = lib.openSession(slot, PyKCS11.CKF_SERIAL_SESSION)
    session.login(pin)
    private = session.findObjects([(PyKCS11.CKA_CLASS, PyKCS11.CKO_PRIVATE_KEY), (PyKCS11.CKA_LABEL, "p256")])
    public = session.findObjects([(PyKCS11.CKA_CLASS, PyKCS11.CKO_PUBLIC_KEY), (PyKCS11.CKA_LABEL, "p256")])
    mechanism = PyKCS11.Mechanism(PyKCS11.CKM_ECDSA_SHA256, None)

    def sign():
        signature = session.sign(private[0], message, mechanism)
        assert session.verify(public[0], message, signature, mechanism)
        return bytes(signature)

    put("ecdsa", sign())
    put("p256", session.getAttributeValue(public[0], [PyKCS11.CKA_EC_POINT])[0])
    # Children go on with the session and the login.
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if len(sign()) == 64 else 2
            finally:
                os._exit(code)
        children.append(child)
    answers["children"] = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    session.logout()
    session.closeSession()


def mldsa():
    """ML-DSA, whose numbers the library does not know yet: version 3.2 of the standard has them."""
    import PyKCS11
    from PyKCS11 import PyKCS11Lib

    lib = PyKCS11Lib()
    lib.load(module)
    session = lib.openSession(lib.getSlotList(tokenPresent=True)[0], PyKCS11.CKF_SERIAL_SESSION)
    private = session.findObjects([(PyKCS11.CKA_CLASS, PyKCS11.CKO_PRIVATE_KEY), (PyKCS11.CKA_LABEL, "mldsa")])
    public = session.findObjects([(PyKCS11.CKA_CLASS, PyKCS11.CKO_PUBLIC_KEY), (PyKCS11.CKA_LABEL, "mldsa")])
    mechanism = PyKCS11.Mechanism(0x1D, None)
    signature = session.sign(private[0], message, mechanism)
    assert session.verify(public[0], message, signature, mechanism)
    assert not session.verify(public[0], b"another", signature, mechanism)
    put("mldsa", signature)
    session.closeSession()


{"python-pkcs11": python_pkcs11, "pykcs11": pykcs11, "mldsa": mldsa}[library]()
print(json.dumps(answers))
