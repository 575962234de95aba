"""A second verifier of trails, written from docs/verify/README.md alone: Python's standard library and openssl."""

import base64
import datetime
import functools
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import traceback
import unicodedata

faults = []
notes = []


def number(value):
    """As ECMAScript writes a number."""
    if isinstance(value, int):
        return str(value)
    if math.isinf(value):
        return "null"
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


P = 2**255 - 19
EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
# The y of the points of order 1, 2, 4 and 8: by such a key anybody signs anything.
SMALL = {1, P - 1, 0, EIGHTH, P - EIGHTH}


def is_personal(key):
    y = int.from_bytes(raw(key), "little") & (2**255 - 1)
    return y < P and y not in SMALL


@functools.lru_cache(maxsize=None)
def verified(key, content, signature):
    """Whether the Ed25519 key has signed the text."""
    if not is_key(key) or not is_signature(signature) or not is_personal(key):
        return False
    # SubjectPublicKeyInfo of an Ed25519 key is these twelve bytes and the key (RFC 8410).
    der = bytes.fromhex("302a300506032b6570032100") + raw(key)
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for name, data in (("key", der), ("text", content.encode()), ("signature", raw(signature))):
            names[name] = os.path.join(folder, name)
            with open(names[name], "wb") as file:
                file.write(data)
        words = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names["key"], "-rawin"]
        words += ["-in", names["text"], "-sigfile", names["signature"]]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0


def is_signed(checkpoint):
    content = {name: checkpoint[name] for name in checkpoint if name != "signature"}
    return verified(checkpoint["key"], canonical(content), checkpoint["signature"])


def written(value):
    """As JSON.stringify writes it."""
    if isinstance(value, list):
        return "[%s]" % ",".join(written(one) for one in value)
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (text(key), written(value[key])) for key in value)
    return canonical(value)


def is_deep(value, most):
    if not isinstance(value, (dict, list)):
        return False
    return most == 0 or any(is_deep(one, most - 1) for one in (value.values() if isinstance(value, dict) else value))


def read(line):
    """None where it is not written as it always is."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not is_deep(value, 100) and written(value) == line else None


def is_text(value):
    return isinstance(value, str)


def is_key(value):
    return is_text(value) and re.fullmatch("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", value) is not None


def is_signature(value):
    return is_text(value) and re.fullmatch("[A-Za-z0-9_-]{85}[AQgw]", value) is not None


def is_name(value):
    return is_text(value) and len(value.encode("utf-16-le", "surrogatepass")) <= 400


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def moment(value):
    """Milliseconds since 1970; None for what is no moment."""
    if not is_text(value) or re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", value) is None:
        return None
    try:
        read_at = datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return None
    return (read_at - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1)


def fold(login):
    return unicodedata.normalize("NFKC", login).strip().lower() if is_text(login) else ""


def is_session(value):
    if not isinstance(value, dict):
        return False
    get = value.get
    pending = get("key") == "" and get("proof") == ""
    named = is_integer(get("user_id")) and is_name(get("login")) and is_name(get("station")) and is_key(get("session_key"))
    times = moment(get("from")) is not None and moment(get("until")) is not None
    return named and times and (pending or (is_key(get("key")) and is_signature(get("proof"))))


def is_authorship(value):
    if not isinstance(value, dict) or not is_session(value.get("session")) or not is_signature(value.get("proof")):
        return False
    if "signed" in value and not is_text(value["signed"]):
        return False
    seen = value.get("seen")
    return seen is None or (
        isinstance(seen, dict) and is_name(seen.get("epoch")) and is_integer(seen.get("sequence")) and is_name(seen.get("hash"))
    )


def is_certificate(value):
    if not is_session(value) or value["key"] == "":
        return False
    names = ("user_id", "login", "key", "station", "session_key", "from", "until")
    content = canonical(dict({"says": "holdpoint: session"}, **{name: value[name] for name in names}))
    return verified(value["key"], content, value["proof"])


def in_force(session, at):
    now, begin, end = moment(at), moment(session["from"]), moment(session["until"])
    return now is not None and begin - 120000 <= now <= end + 120000 and end - begin <= 7 * 24 * 3600000


def authored(commit, session, seen):
    names = ("commit_id", "at", "clock_offset", "clock_at_least", "user", "reason", "entries")
    said = {name: commit.get(name) for name in names}
    said.update({"says": "holdpoint: commit", "station": session["station"], "session_key": session["session_key"], "seen": seen})
    return canonical(said)


def original_of(signed, commit):
    found = read(signed)
    if not found or not is_text(found.get("commit_id")) or not isinstance(found.get("entries"), list):
        return None
    session, seen = commit["authorship"]["session"], commit["authorship"].get("seen")
    same = dict(commit, commit_id=found["commit_id"], entries=found["entries"])
    return found if authored(same, session, seen) == signed else None


def fingerprint(key):
    return hashlib.sha256(raw(key)).hexdigest()


def station_of(chain):
    return chain.split(".")[0]


def is_end(value):
    if not isinstance(value, dict) or not is_key(value.get("key")) or not is_signature(value.get("signature")):
        return False
    if not is_text(value.get("chain")) or not is_integer(value.get("number")) or not is_text(value.get("hash")):
        return False
    content = {name: value.get(name) for name in ("says", "chain", "number", "hash", "key")}
    return content["says"] == "holdpoint: chain" and verified(value["key"], canonical(content), value["signature"])


class Stations:
    """What stations have signed of their own chains."""

    def __init__(self, header):
        self.installation = header.get("installation")
        self.ends, self.keys, self.last, self.late = {}, {}, {}, {}
        for end in header.get("ends") or []:
            if is_end(end) and end["chain"] not in self.ends:
                self.ends[end["chain"]] = dict(end, found=None)
            else:
                faults.append("the first line: an end that no station has signed")

    def follow(self, commit, found, in_log):
        chain = commit["chain"]
        end = self.ends.get(chain)
        if end and end["number"] == commit["number"]:
            end["found"] = found
        if not in_log:
            return
        self.last[chain] = commit["number"]
        if station_of(chain) in self.keys:
            self.late[chain] = self.late.get(chain, 0) + 1
        if station_of(chain) != self.installation:
            return
        for entry in commit["entries"]:
            said = {change["path"]: change.get("new") for change in entry["changes"]}
            details = said.get("details")
            if not entry["subject"].startswith("audit-event:") or said.get("kind") not in ("station_enrolled", "station_signs"):
                continue
            if isinstance(details, dict) and is_text(details.get("station")) and is_key(details.get("key")):
                self.keys.setdefault(details["station"], set()).add(details["key"])

    def end(self, part):
        for chain, end in self.ends.items():
            if end["found"] is None and part:
                continue
            if end["found"] != end["hash"]:
                faults.append("chain %s: its station has signed another commit %d" % (chain, end["number"]))
            elif end["key"] not in self.keys.get(station_of(chain), ()) and not part:
                notes.append("ask: chain %s is signed with a key that central did not note" % chain)
            else:
                notes.append("chain %s: signed by its station up to %d" % (chain, end["number"]))
            further = self.last.get(chain, end["number"]) - end["number"]
            if further > 0:
                notes.append("ask: chain %s: %d commits are not signed by its station" % (chain, further))
        for chain, count in self.late.items():
            if chain not in self.ends and not part:
                notes.append("ask: chain %s: %d commits are not signed by its station" % (chain, count))


class Authorities:
    """Another key of the installation, certified by administrators of before."""

    def __init__(self):
        self.users, self.certificates = {}, []

    def learn(self, subject, said, line):
        user = self.users.setdefault(subject, {"keys": {}, "since": None, "active": None}) if subject.startswith("user:") else None
        if user is not None:
            if said.get("public_key"):
                user["keys"].setdefault(said["public_key"], line)
            if "is_active" in said:
                user["active"] = line if said["is_active"] is True else None
            if "roles" in said:
                administers = isinstance(said["roles"], list) and "administrator" in said["roles"]
                user["since"] = (user["since"] or line) if administers else None
        details = said.get("details")
        if not subject.startswith("audit-event:") or said.get("kind") != "authority_certified" or not is_authority_certificate(details):
            return
        signer = self.users.get("user:%d" % details["user_id"])
        facts = [signer["since"], signer["active"], signer["keys"].get(details["signer"])] if signer else [None]
        if None not in facts:
            self.certificates.append((details, max(facts)))

    def leads(self, known, last, proved):
        """Whether the key of a fingerprint has come to be the one that signed the end."""
        until, present, steps = proved(known), known, 0
        while present != fingerprint(last["key"]):
            following = None
            for details, _ in self.certificates:
                by = {
                    one["user_id"]
                    for one, since in self.certificates
                    if (one["installation"], one["former"], one["key"]) == (last["installation"], details["former"], details["key"])
                    and since <= until
                }
                if fingerprint(details["former"]) == present and details["former"] != details["key"] and len(by) >= 2:
                    following = details
                    break
            steps += 1
            if following is None or steps > len(self.certificates):
                return False
            present = fingerprint(following["key"])
            until = max(until, proved(present))
        return True


def is_authority_certificate(value):
    names = ("installation", "former", "key", "user_id", "login", "signer", "at", "reason")
    if not isinstance(value, dict) or set(value) != set(names) | {"proof"}:
        return False
    if not all(is_key(value[name]) for name in ("former", "key", "signer")) or not is_signature(value["proof"]):
        return False
    if not is_integer(value["user_id"]) or not all(is_text(value[name]) for name in ("installation", "login", "at", "reason")):
        return False
    content = dict({name: value[name] for name in names}, says="holdpoint: authority key")
    return verified(value["signer"], canonical(content), value["proof"])


def places_of(checkpoint):
    log = checkpoint.get("log")
    found = [(("log", log["sequence"]), log["hash"])] if log else []
    chains = [place for place in [checkpoint.get("chain")] + checkpoint.get("others", []) if place]
    return found + [((place["chain"], place["number"]), place["hash"]) for place in chains]


def is_checkpoint(value):
    return isinstance(value, dict) and value.get("says") == "holdpoint: checkpoint" and is_signed(value)


class Kept:
    """Checkpoints that were kept elsewhere."""

    def __init__(self, paths):
        self.checkpoints, self.met = [], {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                for one in json.load(file)["checkpoints"]:
                    if is_checkpoint(one):
                        self.checkpoints.append(one)
                    else:
                        faults.append("%s: a checkpoint that nobody signed" % path)

    def proved(self, known):
        """Up to which line a key has signed the file; what is met at 0 covers nothing of it."""
        lines = [
            self.met[place][1]
            for one in self.checkpoints
            for place, wanted in places_of(one)
            if fingerprint(one["key"]) == known and self.met.get(place, ("", 0))[0] == wanted
        ]
        return max(lines, default=0)

    def end(self):
        for one in self.checkpoints:
            for place, wanted in places_of(one):
                found = self.met.get(place)
                if found and found[0] != wanted:
                    faults.append("%s %d of %s: history was rewritten" % (place[0], place[1], one["at"]))
                elif not found and place[0] == "log":
                    faults.append("log %d of %s: it was signed, and is not here" % (place[1], one["at"]))


SIGNATURE = ("subject", "user_id", "user_name", "at", "meaning", "reason", "version", "state")


ANOTHER = "is of another key"


def signature_text(said):
    return canonical(dict({name: said.get(name) for name in SIGNATURE}, says="holdpoint: signature"))


def signature_fault(said, keys):
    """Why a signature proves nothing; None where it does, or was made without a key."""
    if not said.get("key") and not said.get("proof"):
        return None
    if not is_key(said.get("key")) or not is_signature(said.get("proof")) or not is_text(said.get("signed")):
        return "is not signed"
    if not verified(said["key"], said["signed"], said["proof"]):
        return "is not signed"
    if said["signed"] != signature_text(said):
        found = read(said["signed"]) or {}
        same = all(found.get(name) == said.get(name) for name in ("user_name", "at", "meaning", "reason", "version"))
        return None if found.get("says") == "holdpoint: signature" and same else "says something else"
    return None if said["key"] in keys.get("user:%s" % said.get("user_id"), ()) else ANOTHER


def is_claim(value):
    names = ("station", "user_id", "login", "key", "former_key", "at")
    if not isinstance(value, dict) or set(value) != set(names) | {"proof", "former_proof"}:
        return False
    if not is_name(value["station"]) or not is_name(value["login"]) or not is_integer(value["user_id"]) or moment(value["at"]) is None:
        return False
    content = canonical(dict({name: value.get(name) for name in names}, says="holdpoint: former key"))
    return verified(value["key"], content, value["proof"]) and verified(value["former_key"], content, value["former_proof"])


def issued_as(commit_id, chain):
    digest = sha256("%s %s" % (chain, commit_id))
    return "-".join((digest[:8], digest[8:12], "8" + digest[13:16], "8" + digest[17:20], digest[20:32]))


class Formers:
    """What installations had before they joined: chains beside the log, of people and keys of their own."""

    def __init__(self):
        self.chains, self.all, self.claims = {}, [], []
        self.same, self.signed = {}, {}

    def learn(self, commit, installation):
        for entry in commit["entries"]:
            said = {change["path"]: change.get("new") for change in entry["changes"]}
            if entry["subject"].startswith("audit-event:") and said.get("kind") == "former_key_claimed" and is_claim(said.get("details")):
                self.claims.append(said["details"])
            if entry["subject"].startswith("audit-event:") and said.get("kind") == "archive_checked" and station_of(commit["chain"]) == installation:
                details = said.get("details")
                if isinstance(details, dict) and is_text(details.get("chain")):
                    same = details.get("is_same") is True and self.same.get(details["chain"], True)
                    self.same[details["chain"]] = same
            ends = said.get("former_chains")
            if commit["number"] == 1 and entry["subject"].startswith("moved:") and isinstance(ends, dict):
                former = {"chain": commit["chain"], "ends": ends, "heads": {}, "users": {}}
                self.all.append(former)
                for name in ends:
                    self.chains.setdefault(name, former)

    def follow(self, commit, found, where):
        former = self.chains[commit["chain"]]
        number, before = former["heads"].get(commit["chain"], (0, ""))
        if (commit["number"], commit.get("previous_hash")) != (number + 1, before):
            faults.append("%s: chain of before" % where)
        former["heads"][commit["chain"]] = (commit["number"], found)
        for entry in commit["entries"]:
            said = {change["path"]: change.get("new") for change in entry["changes"]}
            if entry["subject"].startswith("user:"):
                logins, keys = former["users"].setdefault(entry["subject"], (set(), set()))
                if is_text(said.get("login")):
                    logins.add(fold(said["login"]))
                if is_text(said.get("public_key")):
                    keys.add(said["public_key"])
            if entry["subject"].startswith("signature:") and said.get("meaning") is not None:
                why = signature_fault(said, {user: own for user, (_, own) in former["users"].items()})
                is_own = not said.get("key") and not said.get("proof") or said.get("signed") == signature_text(said)
                if why or not is_own:
                    faults.append("%s: %s is not signed there" % (where, entry["subject"]))
        if commit.get("authorship") is None:
            return
        why = authorship_fault(commit)
        session = {} if why else commit["authorship"]["session"]
        if not why and "signed" in commit["authorship"]:
            why = "is of other ids, there"
        if not why and session["key"] != "":
            logins, keys = former["users"].get("user:%d" % session["user_id"], (set(), set()))
            why = None if session["key"] in keys and fold(commit["user"]) in logins else "is of another key there"
            if not why:
                issued = issued_as(commit["commit_id"], former["chain"])
                self.signed[(former["chain"], issued)] = authored(commit, session, commit["authorship"].get("seen"))
        if why:
            faults.append("%s: the authorship %s" % (where, why))

    def claimed(self, commit, subject, keys):
        chain, session = commit["chain"], commit["authorship"]["session"]
        if station_of(chain) != session["station"] or self.same.get(chain) is not True:
            return False
        return self.signed.get((chain, commit["commit_id"])) == commit["authorship"].get("signed", "") and any(
            one["station"] == session["station"]
            and one["former_key"] == session["key"]
            and "user:%d" % one["user_id"] == subject
            and one["key"] in keys
            for one in self.claims
        )

    def end(self):
        for former in self.all:
            for name, end in former["ends"].items():
                if former["heads"] and former["heads"].get(name) != (end["number"], end["hash"]):
                    faults.append("chain %s: it does not end where the first commit after joining says" % name)


class Authors:
    def __init__(self, formers):
        self.authorities = Authorities()
        self.formers, self.brought = formers, []
        self.keys, self.logins, self.certificates, self.held = {}, {}, {}, {}
        self.revoked = {}
        self.pending, self.seen, self.hashes, self.signed = [], [], {}, set()
        self.counts = {"proved": 0, "moved": 0, "pending": 0, "without": 0}
        self.unknown = 0

    def follow(self, line, where, part, alone):
        commit = line["commit"]
        if "decisions" not in line:
            return self.count(commit, where, part, False, False, alone)
        if line["decisions"] and line["decisions"][0].get("outcome") == "held":
            self.held[commit["commit_id"]] = commit
        for decision in line["decisions"]:
            if decision.get("outcome") != "applied":
                continue
            arrived = decision["commit_id"] == commit["commit_id"]
            counted = commit if arrived else self.held.get(decision["commit_id"])
            if counted:
                self.count(counted, where, part, True, not arrived)
        return None

    def count(self, commit, where, part, in_log, let_in, alone=False):
        unknown = part and not in_log
        for entry in commit["entries"]:
            said = {change["path"]: change.get("new") for change in entry["changes"]}
            if entry["subject"].startswith("user:") and not unknown:
                if said.get("public_key"):
                    self.keys.setdefault(entry["subject"], set()).add(said["public_key"])
                if is_text(said.get("login")):
                    self.logins[fold(said["login"])] = entry["subject"]
                if isinstance(said.get("revoked_keys"), list):
                    self.revoked[entry["subject"]] = said["revoked_keys"]
            if in_log or alone:
                self.authorities.learn(entry["subject"], said, int(where.split()[1]))
            if entry["subject"].startswith("signature:") and said.get("meaning") is not None:
                why = signature_fault(said, self.keys)
                if why == ANOTHER and (unknown or (part and "user:%s" % said.get("user_id") not in self.keys)):
                    self.unknown += 1
                elif why and let_in:
                    notes.append("let in: %s %s" % (entry["subject"], why))
                elif why:
                    faults.append("%s: %s %s" % (where, entry["subject"], why))
            if entry["subject"].startswith("audit-event:") and said.get("kind") == "session_certified" and not unknown:
                if is_certificate(said.get("details")):
                    self.certificates.setdefault(said["details"]["session_key"], []).append(said["details"])
        subject = self.logins.get(fold(commit["user"]))
        authorship = commit.get("authorship")
        if authorship is None:
            self.counts["without"] += 1 if self.keys.get(subject) else 0
            return
        why = self.judge(commit, subject, where, part, in_log, let_in)
        if why and let_in:
            self.counts["without"] += 1
            notes.append("let in: %s" % why)
        elif why:
            faults.append("%s: the authorship %s" % (where, why))

    def judge(self, commit, subject, where, part, in_log, let_in):
        why = authorship_fault(commit)
        if why:
            return why
        authorship = commit["authorship"]
        session, seen = authorship["session"], authorship.get("seen")
        pending = session["key"] == ""
        own = authored(commit, session, seen)
        signed = authorship.get("signed", own)
        found = commit if signed == own else original_of(signed, commit)
        kind = "proved" if signed == own else "moved"
        user = "user:%d" % session["user_id"]
        unknown = part and (not in_log or subject is None or user not in self.keys)
        if unknown:
            self.unknown += 1
        elif subject != user or (not pending and session["key"] not in self.keys.get(user, ())):
            if kind == "moved":
                self.brought.append((commit, where, in_log and not let_in))
                return None
            return "is of another key"
        once = (session["session_key"], found["commit_id"])
        if in_log and once in self.signed:
            return "counts twice"
        if in_log:
            self.signed.add(once)
        if pending and (in_log or not part):
            self.pending.append((session, commit["at"], kind, subject))
        elif not pending and not unknown:
            self.counts[kind] += 1
        if seen is not None:
            self.seen.append((seen, self.hashes.get(seen["sequence"]), where))
        return None

    def end(self, epoch):
        for seen, stood, where in self.seen:
            if seen["epoch"] == epoch and seen["sequence"] > 0 and stood is not None and stood != seen["hash"]:
                faults.append("%s: the authorship saw another history" % where)
        for session, at, kind, subject in self.pending:
            user = "user:%d" % session["user_id"]
            found = any(
                one["station"] == session["station"]
                and one["user_id"] == session["user_id"]
                and in_force(one, at)
                and one["key"] in self.keys.get(user, ())
                and subject == user
                for one in self.certificates.get(session["session_key"], ())
            )
            self.counts[kind if found else "pending"] += 1
        for commit, where, may_count in self.brought:
            subject = self.logins.get(fold(commit["user"]))
            keys = [key for key in self.keys.get(subject, ()) if key not in self.revoked.get(subject, ())]
            claimed = may_count and self.formers.claimed(commit, subject, keys)
            self.counts["moved" if claimed else "without"] += 1
            notes.append("%s: brought along%s" % (where, ", of a key that is claimed" if claimed else ""))
        if any(self.counts.values()):
            words = "commits of people: %d proved by their own keys, %d given other ids since, %d whose key is pending, %d not signed by who had a key"
            notes.append(words % tuple(self.counts[name] for name in ("proved", "moved", "pending", "without")))
        if self.unknown:
            notes.append("%d commits or signatures are beside the log, or of people who are not in this file" % self.unknown)


def check(path, kept, wanted):
    heads, logged, log, last, given_up = {}, {}, None, None, set()
    formers = Formers()
    authors, part, applied = Authors(formers), False, set()
    with open(path, encoding="utf-8", newline="\n") as file:
        for index, content in enumerate(file, 1):
            content = content.removesuffix("\n")
            if content == "":
                continue
            line = read(content)
            if line is None:
                faults.append("line %d: cut off" % index)
                return
            if log is None:
                stations = Stations(line)
                logless = line.get("log_after") is None
                log = line.get("log_after") or {"sequence": 0, "hash": ""}
                part = log["sequence"] > 0
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
            if line.get("is_abandoned"):
                given_up.add((commit["chain"], commit["number"], found))
            else:
                is_former = "sequence" not in line and commit["chain"] in formers.chains
                # Without a log, a hash covers what comes before as long as that is one chain.
                alone = logless and "sequence" not in line and not given_up and set(heads) <= {commit["chain"]}
                if is_former:
                    formers.follow(commit, found, "line %d" % index)
                else:
                    authors.follow(line, "line %d" % index, part, alone)
                if "sequence" in line:
                    formers.learn(commit, stations.installation)
                head = heads.get(commit["chain"])
                before = (commit["chain"], commit["number"] - 1, commit.get("previous_hash"))
                if head and before != (commit["chain"], head[0], head[1]) and before not in given_up:
                    faults.append("line %d: chain" % index)
                heads[commit["chain"]] = (commit["number"], found)
                stations.follow(commit, found, "sequence" in line)
                kept.met[(commit["chain"], commit["number"])] = (found, index if alone else 0)
            if "sequence" not in line:
                continue
            entry = {"before": log["hash"], "sequence": line["sequence"], "commit": found, "decisions": line["decisions"]}
            if line["sequence"] != log["sequence"] + 1 or sha256(canonical(entry)) != line["hash"]:
                faults.append("line %d: entry" % index)
            if commit["commit_id"] in applied and line["decisions"] and line["decisions"][0].get("outcome") == "applied":
                faults.append("line %d: applied twice" % index)
            applied.add(commit["commit_id"])
            log = {"sequence": line["sequence"], "hash": line["hash"]}
            authors.hashes[log["sequence"]] = log["hash"]
            logged[commit["chain"]] = commit["number"]
            kept.met[("log", log["sequence"])] = (log["hash"], 0 if logless else index)
    if not last:
        faults.append("the end: no checkpoint")
        return
    formers.end()
    authors.end((last.get("log") or {}).get("epoch"))
    stations.end(part)
    kept.end()
    if wanted and fingerprint(last["key"]) != wanted and not authors.authorities.leads(wanted, last, kept.proved):
        faults.append("the end: signed by another key: %s" % fingerprint(last["key"]))
    if not is_signed(last):
        faults.append("the checkpoint: not signed")
    place = last.get("log")
    if place and (place["sequence"], place["hash"]) != (log["sequence"], log["hash"]):
        faults.append("the end: log")
    ends = [place for place in [last.get("chain")] + last.get("others", []) if place]
    for place in ends:
        if heads.get(place["chain"]) != (place["number"], place["hash"]):
            faults.append("the end: chain")
    signed = {place["chain"] for place in ends}.union(*(former["heads"] for former in formers.all))
    for chain, head in heads.items():
        if chain not in signed and logged.get(chain) != head[0]:
            faults.append("the end: nobody signed chain %s" % chain)


def check_package(path, wanted):
    """A recall package: its hashes, who signed it, and what people's sessions have signed of its commits."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    own, signed = content.pop("package_sha256", None), content.pop("signed", None)
    if sha256(canonical(content if signed is None else dict(content, signed=signed))) != own:
        faults.append("the package: hash")
    for name in ("trace", "records", "history"):
        section = content[name]
        count = len(section["content"]) if isinstance(section["content"], list) else 1
        if sha256(canonical(section["content"])) != section["sha256"] or count != section["count"]:
            faults.append("section %s: hash or count" % name)
    if signed is None:
        (faults if wanted else notes).append("the package: not signed")
    else:
        said = {name: value for name, value in signed.items() if name != "signature"}
        meant = said.get("says") == "holdpoint: recall package" and is_key(said.get("key")) and is_signature(signed.get("signature"))
        its = said.get("installation") == content.get("station") and said.get("sha256") == sha256(canonical(content))
        if not meant or not its or not verified(said["key"], canonical(said), signed["signature"]):
            faults.append("the package: not what the key in it has signed")
        elif wanted and fingerprint(said["key"]) != wanted:
            faults.append("the package: signed by another key: %s" % fingerprint(said["key"]))
        else:
            notes.append("the package: signed with %s" % fingerprint(said["key"]))
    for record in content["records"]["content"]:
        if sha256(canonical(record["fields"])) != record["state"]:
            faults.append("record %s: state" % record["key"])
    places = {(one["chain"], one["number"]): one["hash"] for one in content["history"]["content"]}
    for one in content["history"]["content"]:
        commit = dict(one)
        if sha256(canonical({name: commit[name] for name in commit if name != "hash"})) != commit.pop("hash"):
            faults.append("commit %s: hash" % commit["commit_id"])
        before = "" if commit["number"] == 1 else places.get((commit["chain"], commit["number"] - 1))
        if before is not None and before != commit["previous_hash"]:
            faults.append("commit %s: chain" % commit["commit_id"])
        if commit.get("authorship") is not None:
            why = authorship_fault(commit)
            if why:
                faults.append("commit %s: %s" % (commit["commit_id"], why))


def authorship_fault(commit):
    """What is wrong with an authorship by itself; whose key it is only a trail says."""
    authorship = commit["authorship"]
    if not is_authorship(authorship):
        return "has not its form"
    session = authorship["session"]
    if session["key"] != "" and not is_certificate(session):
        return "is of a session that nobody certified"
    if not in_force(session, commit["at"]):
        return "is of a session that was not in force"
    own = authored(commit, session, authorship.get("seen"))
    signed = authorship.get("signed", own)
    if not verified(session["session_key"], signed, authorship["proof"]):
        return "is not signed"
    return None if signed == own or original_of(signed, commit) is not None else "says something else"


def verdict(path, *words):
    """The exit code for a file, and what is said of it: FILE [--checkpoint FILE]... [--key SHA-256]."""
    faults.clear()
    notes.clear()
    options = list(zip(words[::2], words[1::2]))
    kept = Kept([value for name, value in options if name == "--checkpoint"])
    wanted = dict(options).get("--key")
    with open(path, "rb") as file:
        packaged = b'"holdpoint-recall"' in file.read(200)
    if packaged:
        check_package(path, wanted)
    else:
        check(path, kept, wanted)
    return 1 if faults else 0, "\n".join(notes + (faults or ["whole"])) + "\n"


if sys.argv[1:] == ["--each"]:
    # One file a line, each answered by one line: to start Python, and openssl for the same signatures, takes longer than the rest.
    for line in sys.stdin:
        try:
            code, said = verdict(*json.loads(line))
        except Exception:
            code, said = 1, traceback.format_exc()
        print(json.dumps({"code": code, "output": said}), flush=True)
else:
    code, said = verdict(*sys.argv[1:])
    print(said, end="")
    sys.exit(code)
