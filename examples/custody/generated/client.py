"""Makes a key and signs with it, through the client that openapi-python-client generates: client.py ADDRESS KEY.pem"""

import base64
import datetime
import hashlib
import secrets
import sys

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms

from quorate_custody_client import Client
from quorate_custody_client.api.default import create_key, describe_key, sign
from quorate_custody_client.models import KeySpec, Problem, Scheme, Sign


class Signed(httpx.Auth, HTTPSignatureKeyResolver):
    """Signs every request of a caller (RFC 9421)."""

    requires_request_body = True

    def __init__(self, private_key):
        der = private_key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.private_key, self.key_id = private_key, hashlib.sha256(der).hexdigest()
        self.signer = HTTPMessageSigner(signature_algorithm=algorithms.ED25519, key_resolver=self)

    def resolve_private_key(self, key_id):
        return self.private_key

    def auth_flow(self, request):
        created = datetime.datetime.now(datetime.timezone.utc)
        self.signer.sign(
            request,
            key_id=self.key_id,
            created=created,
            expires=created + datetime.timedelta(seconds=60),
            nonce=secrets.token_hex(16),
            tag="quorate-custody:acme",
            covered_component_ids=["@method", "@path"] + (["@query"] if request.url.query else []),
            body=request.content,
        )
        yield request


def main():
    address, pem = sys.argv[1:]
    with open(pem, "rb") as file:
        private_key = serialization.load_pem_private_key(file.read(), None)
    client = Client(base_url=address, httpx_args={"auth": Signed(private_key)})
    made = create_key.sync(client=client, body=KeySpec(scheme=Scheme.ED25519, threshold=2, members=[1, 2, 3]), wait=5)
    key = describe_key.sync(made.key, client=client, path="m/0/5")
    assert (key.spec.threshold, key.child.path) == (2, "m/0/5"), key
    purpose = base64.b64encode(b"a purpose").decode()
    done = sign.sync(made.key, client=client, body=Sign(purpose=purpose), wait=5)
    public_key = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.public_key))
    public_key.verify(base64.b64decode(done.signature.signature), b"a purpose")
    refused = sign.sync(made.key, client=client, body=Sign(purpose=purpose, on_behalf="mallory"))
    assert isinstance(refused, Problem) and refused.type_.endswith(":policy-denied"), refused
    print("Python: a key was made, signed, and a refusal was read")


main()
