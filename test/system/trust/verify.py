"""A second verifier of trails, written from docs/verify/README.md alone: Python's standard library and openssl."""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

faults = []


def number(value):
    """As ECMAScript writes a number."""
    if isinstance(value, int):
        return str(value)
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    power = int(exponent) if exponent else 0
    if not exponent:
        return text
    if -7 <= power < 21:
        return format(value, "f") if power >= 0 else ("%.*f" % (len(mantissa.replace("-", "").replace(".", "")) - 1 - power, value))
    return "%se%s%d" % (mantissa[:-2] if mantissa.endswith(".0") else mantissa, "+" if power > 0 else "-", abs(power))


def text(value):
    written = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda found: "\\u%04x" % ord(found.group()), written)


def canonical(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return "[%s]" % ",".join(canonical(one) for one in value)
    keys = sorted((key for key in value if value[key] is not None), key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{%s}" % ",".join("%s:%s" % (text(key), canonical(value[key])) for key in keys)


def sha256(content):
    return hashlib.sha256(content.encode()).hexdigest()


def raw(encoded):
    return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))


def is_signed(checkpoint):
    content = {name: checkpoint[name] for name in checkpoint if name != "signature"}
    # SubjectPublicKeyInfo of an Ed25519 key is these twelve bytes and the key (RFC 8410).
    key = bytes.fromhex("302a300506032b6570032100") + raw(checkpoint["key"])
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for name, data in (("key", key), ("text", canonical(content).encode()), ("signature", raw(checkpoint["signature"]))):
            names[name] = os.path.join(folder, name)
            with open(names[name], "wb") as file:
                file.write(data)
        words = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names["key"], "-rawin"]
        words += ["-in", names["text"], "-sigfile", names["signature"]]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0


def check(path):
    heads, logged, log, last = {}, {}, None, None
    with open(path, encoding="utf-8") as file:
        for index, line in enumerate(file, 1):
            try:
                line = json.loads(line)
            except ValueError:
                faults.append("line %d: cut off" % index)
                return
            if log is None:
                log = line.get("log_after") or {"sequence": 0, "hash": ""}
                continue
            if last:
                faults.append("line %d: after the end" % index)
            if "checkpoint" in line:
                last = line["checkpoint"]
                continue
            commit = dict(line["commit"])
            found = commit.pop("hash")
            if sha256(canonical(commit)) != found:
                faults.append("line %d: commit" % index)
            if not line.get("is_abandoned"):
                head = heads.get(commit["chain"])
                if head and (commit["number"], commit.get("previous_hash")) != (head[0] + 1, head[1]):
                    faults.append("line %d: chain" % index)
                heads[commit["chain"]] = (commit["number"], found)
            if "sequence" not in line:
                continue
            entry = {"before": log["hash"], "sequence": line["sequence"], "commit": found, "decisions": line["decisions"]}
            if line["sequence"] != log["sequence"] + 1 or sha256(canonical(entry)) != line["hash"]:
                faults.append("line %d: entry" % index)
            log = {"sequence": line["sequence"], "hash": line["hash"]}
            logged[commit["chain"]] = commit["number"]
    if not last:
        faults.append("the end: no checkpoint")
        return
    if not is_signed(last):
        faults.append("the checkpoint: not signed")
    place = last.get("log")
    if place and (place["sequence"], place["hash"]) != (log["sequence"], log["hash"]):
        faults.append("the end: log")
    ends = [place for place in [last.get("chain")] + last.get("others", []) if place]
    for place in ends:
        if heads.get(place["chain"]) != (place["number"], place["hash"]):
            faults.append("the end: chain")
    signed = {place["chain"] for place in ends}
    for chain, head in heads.items():
        if chain not in signed and logged.get(chain) != head[0]:
            faults.append("the end: nobody signed chain %s" % chain)


check(sys.argv[1])
print("\n".join(faults) or "whole")
sys.exit(1 if faults else 0)
