"""Stub of the library of this name, for machines without it: sends the calls of samples with urllib."""
import json as _json
import os
import sys
import types
import urllib.parse
import urllib.request
import uuid


class Response:
    def __init__(self, text):
        self.text = text


class HTTPDigestAuth:
    def __init__(self, *user):
        self.user = user


auth = sys.modules["requests.auth"] = types.ModuleType("requests.auth")
auth.HTTPDigestAuth = HTTPDigestAuth


def request(method, url, headers=None, json=None, data=None, files=None, auth=None):
    sent = {}
    body = None
    if json is not None:
        body = _json.dumps(json).encode()
        sent["Content-Type"] = "application/json"
    elif files is not None:
        body, sent["Content-Type"] = _form(files)
    elif isinstance(data, (list, tuple)):
        body = urllib.parse.urlencode(data).encode()
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    elif data is not None:
        body = data.read() if hasattr(data, "read") else data
    for name, value in (headers or {}).items():
        for known in [key for key in sent if key.lower() == name.lower()]:
            del sent[known]
        sent[name] = value
    call = urllib.request.Request(url, data=body, method=method)
    for name, value in sent.items():
        call.add_unredirected_header(name, value)
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if auth is not None:
        passwords.add_password(None, url, *auth.user)
    opener = urllib.request.build_opener(urllib.request.HTTPDigestAuthHandler(passwords))
    with opener.open(call) as answer:
        return Response(answer.read().decode())


def _form(files):
    boundary = uuid.uuid4().hex
    out = b""
    for name, (file_name, value, *media_type) in files:
        value = value.read() if hasattr(value, "read") else value.encode()
        head = 'form-data; name="%s"' % name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        if file_name is not None:
            head += '; filename="%s"' % os.path.basename(file_name)
        head += "".join("\r\nContent-Type: %s" % each for each in media_type)
        out += ("--%s\r\nContent-Disposition: %s\r\n\r\n" % (boundary, head)).encode() + value + b"\r\n"
    return out + ("--%s--\r\n" % boundary).encode(), "multipart/form-data; boundary=" + boundary


def _short(method):
    return lambda url, **rest: request(method, url, **rest)


get, post, put, patch, delete, head, options = map(
    _short, ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
)
