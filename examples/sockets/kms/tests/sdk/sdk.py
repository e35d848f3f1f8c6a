"""boto3 against an endpoint: lists, describes, signs, and prints what it got as JSON."""

import base64
import hashlib
import json
import sys

import boto3
import botocore.exceptions
from botocore.config import Config

endpoint, secret = sys.argv[1:]
settings = dict(endpoint_url=endpoint, region_name="us-east-1", config=Config(retries={"max_attempts": 1}))
kms = boto3.client("kms", aws_access_key_id="AKID", aws_secret_access_key=secret, **settings)


def code(call, **arguments):
    """The error of a call that has to fail."""
    try:
        call(**arguments)
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]
    raise SystemExit(f"{arguments} has succeeded")


keys = [key["KeyId"] for page in kms.get_paginator("list_keys").paginate(PaginationConfig={"PageSize": 1}) for key in page["Keys"]]
specs = {kms.describe_key(KeyId=key)["KeyMetadata"]["Description"]: key for key in keys}
text = lambda value: base64.b64encode(value).decode()
message = b"hello from boto3"
p256, ed25519 = specs["p256"], specs["ed25519"]
ecdsa = dict(KeyId=p256, SigningAlgorithm="ECDSA_SHA_256")
raw = kms.sign(Message=message, **ecdsa)
again = kms.sign(Message=message, MessageType="RAW", **ecdsa)
digest = dict(Message=hashlib.sha256(message).digest(), MessageType="DIGEST")
of_digest = kms.sign(**digest, **ecdsa)
eddsa = kms.sign(KeyId="alias/ed25519", Message=message, SigningAlgorithm="ED25519_SHA_512")
assert again["Signature"] == raw["Signature"], "the same question has two signatures"
assert kms.sign(**digest, **ecdsa)["Signature"] == of_digest["Signature"], "the same digest has two signatures"
stranger = boto3.client("kms", aws_access_key_id="AKID", aws_secret_access_key="wrong", **settings)
unknown = boto3.client("kms", aws_access_key_id="UNKNOWN", aws_secret_access_key=secret, **settings)
print(json.dumps({
    "message": text(message),
    "p256": text(kms.get_public_key(KeyId=p256)["PublicKey"]),
    "ed25519": text(kms.get_public_key(KeyId=ed25519)["PublicKey"]),
    "raw": text(raw["Signature"]),
    "digest": text(of_digest["Signature"]),
    "eddsa": text(eddsa["Signature"]),
    "errors": [
        code(stranger.list_keys),
        code(unknown.list_keys),
        code(kms.describe_key, KeyId="alias/none"),
        code(kms.sign, Message=b"x" * 31, MessageType="DIGEST", **ecdsa),
        code(kms.sign, KeyId=p256, Message=b"x", SigningAlgorithm="ED25519_SHA_512"),
        code(kms.sign, KeyId="alias/git", Message=b"x", SigningAlgorithm="ED25519_SHA_512"),
        code(kms.create_key),
    ],
}))
