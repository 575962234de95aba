#!/usr/bin/env node
// Checks what Holdpoint exported, with Node.js alone: no other file, no network, no trust in the program that wrote it.
//
//   node verify.mjs FILE [--checkpoint FILE]... [--key SHA-256] [--about WHAT]...
//
// FILE is a trail ("holdpoint trail FILE"), a file of checkpoints ("holdpoint checkpoint FILE") or a validation report
// ("holdpoint validate --json FILE"), or a recall package. The format is in README.md beside this file. Ends with 0 when nothing is wrong, with 1 when something is, with 2 when it was not understood,
// with 3 when nothing is wrong in a trail that has only a part of history. "Ask" says what people have to explain: nothing is wrong with the
// file for it. WHAT is a record ("ncr:17"), what stands in one ("NCR-7"), a login or the id of a commit: all that the trail has of it is told.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Characters of a line: a commit has fewer by far. */
const LINE_LIMIT = 64 * 1024 * 1024;

const faults = [];
const notes = [];
const fault = (where, what) => faults.push(`${where}: ${what}`);

/** What people have to explain, by its kind. */
const asks = new Map();
/** Of one kind: more of it say nothing new. */
const MOST_ASKED = 20;
const ask = (kind, text) => asks.set(kind, [...(asks.get(kind) ?? []), text]);

/** The first ones, and how many there are beside. */
function firstOf(kind, texts, most) {
  const further = texts.length - most;
  return further > 0 ? [...texts.slice(0, most), `${further} more of this kind: ${kind}`] : texts;
}

const sha256 = text => createHash('sha256').update(text, 'utf8').digest('hex');

/** One text for one value: keys sorted by UTF-16 code unit, members that are null left out. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter(key => value[key] !== null)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

/** What a file says could clear the screen, or begin a line of its own that says that nothing is wrong. */
const shown = text =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, one => `\\u{${one.codePointAt(0).toString(16)}}`);

const fingerprintOf = key => createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex');

const isText = value => typeof value === 'string';
const isHash = value => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isNumber = value => Number.isSafeInteger(value) && value >= 1;
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const isLogPlace = value => isText(value?.epoch) && isNumber(value.sequence) && isHash(value.hash);
const isChainPlace = value => isText(value?.chain) && isNumber(value.number) && isHash(value.hash);

function isCheckpoint(value) {
  if (!isObject(value) || value.says !== 'holdpoint: checkpoint') return false;
  const { installation, key, at, log = null, chain = null, others = [], signature } = value;
  const isSpelt = isKey(key) && isSignature(signature);
  const isPlace = (log === null || isLogPlace(log)) && (chain === null || isChainPlace(chain));
  const areOthers = Array.isArray(others) && others.every(isChainPlace);
  return isText(installation) && isText(at) && isSpelt && isPlace && areOthers && placesOf(value).length > 0;
}

function isSigned({ signature, ...content }) {
  const isMeant = content.says === 'holdpoint: checkpoint';
  return isMeant && isSignedBy(content.key, canonical(content), signature);
}

const P = 2n ** 255n - 19n;
const EIGHTH = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** The y of the eight points of small order. */
const SMALL = new Set([1n, P - 1n, 0n, EIGHTH, P - EIGHTH]);

/** By a key of small order anybody signs anything, and a point has one spelling: its y below p. */
function isPersonal(x) {
  const bytes = Buffer.from(x, 'base64url').reverse();
  bytes[0] &= 0x7f;
  const y = BigInt(`0x${bytes.toString('hex')}`);
  return bytes.length === 32 && y < P && !SMALL.has(y);
}

function isSignedBy(x, text, signature) {
  try {
    if (!isKey(x) || !isSignature(signature) || !isPersonal(x)) return false;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

const chainsOf = ({ chain, others }) => [...(chain ? [chain] : []), ...(others ?? [])];

/** Places that a checkpoint says a hash of. */
const placesOf = checkpoint => [
  ...(checkpoint.log ? [{ name: nameOf(checkpoint.log), hash: checkpoint.log.hash }] : []),
  ...chainsOf(checkpoint).map(({ chain, number, hash }) => ({
    name: nameOf({ chain, number }),
    chain,
    hash,
  })),
];

const nameOf = ({ sequence, chain, number }) =>
  chain === undefined ? `log ${sequence}` : `chain ${chain} ${number}`;

function checkSigned(checkpoint, wantedKey, where) {
  if (!isCheckpoint(checkpoint)) {
    fault(where, 'it has not the form of a checkpoint, or says nothing of any place');
    return false;
  }
  if (!isSigned(checkpoint)) {
    fault(where, 'it is not what the key in it has signed');
    return false;
  }
  const { at, installation, clock_at_least: least } = checkpoint;
  const fingerprint = fingerprintOf(checkpoint.key);
  if (least !== undefined) ask('clocks', `${where}: it is dated ${at}, when it was ${least} at least`);
  if (wantedKey && fingerprint !== wantedKey) {
    fault(where, `it is signed by another key than the one you gave: ${fingerprint}`);
    return false;
  }
  notes.push(`${where}: signed on ${at} by installation ${installation}, key ${fingerprint}`);
  return true;
}

function readCheckpoints(file) {
  const { format, checkpoints } = JSON.parse(readFileSync(file, 'utf8'));
  if (format !== 'holdpoint checkpoints 1' || !Array.isArray(checkpoints) || checkpoints.length === 0)
    throw new Error(`${file} is no file of checkpoints`);
  return checkpoints;
}

/** What the person's key has signed of a record. */
function signatureText(said) {
  const names = ['subject', 'user_id', 'user_name', 'at', 'meaning', 'reason', 'version', 'state'];
  const members = Object.fromEntries(names.map(name => [name, said[name] ?? null]));
  return canonical({ says: 'holdpoint: signature', ...members });
}

/** What stays the same when records are given other ids, as when an installation joins a central. */
function isOfOtherId(said) {
  let signed;
  try {
    signed = JSON.parse(said.signed);
  } catch {
    return false;
  }
  const names = ['user_name', 'at', 'meaning', 'reason', 'version'];
  const isSame = name => canonical(signed[name] ?? null) === canonical(said[name] ?? null);
  return signed?.says === 'holdpoint: signature' && names.every(isSame);
}

/** A commit gets its time a moment after its session was found to be in force. */
const SLACK_MS = 120_000;
/** What a key certifies for longer counts for nothing. */
const LIFE_MS = 7 * 24 * 3_600_000;

const isKey = value => isText(value) && /^[\w-]{42}[AEIMQUYcgkosw048]$/.test(value);
const isSignature = value => isText(value) && /^[\w-]{85}[AQgw]$/.test(value);
const isName = value => isText(value) && value.length <= 200;

function isMoment(value) {
  const moment = isText(value) && value.length === 24 ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(moment) && new Date(moment).toISOString() === value;
}

/** As it is compared: without regard to case and to how letters are composed. */
const foldLogin = login => (isText(login) ? login.normalize('NFKC').trim().toLowerCase() : '');

function isSession(value) {
  if (!isObject(value)) return false;
  const { user_id: id, login, key, station, session_key: own, from, until, proof } = value;
  const isPending = key === '' && proof === '';
  const isNamed = Number.isSafeInteger(id) && isName(login) && isName(station) && isKey(own);
  return isNamed && isMoment(from) && isMoment(until) && (isPending || (isKey(key) && isSignature(proof)));
}

function isAuthorship(value) {
  if (!isObject(value) || !isSession(value.session) || !isSignature(value.proof)) return false;
  const { seen = null, signed = '' } = value;
  const isSeen =
    isObject(seen) && isName(seen.epoch) && Number.isSafeInteger(seen.sequence) && isName(seen.hash);
  return isText(signed) && (seen === null || isSeen);
}

/** What a key has signed of a session, at whatever time that is in force. */
function isCertificate(value) {
  if (!isSession(value) || value.key === '') return false;
  const names = ['user_id', 'login', 'key', 'station', 'session_key', 'from', 'until'];
  const certificate = Object.fromEntries(names.map(name => [name, value[name]]));
  return isSignedBy(value.key, canonical({ says: 'holdpoint: session', ...certificate }), value.proof);
}

function isInForce({ from, until }, moment) {
  if (!isMoment(moment)) return false;
  const [at, begin, end] = [moment, from, until].map(one => Date.parse(one));
  return at >= begin - SLACK_MS && at <= end + SLACK_MS && end - begin <= LIFE_MS;
}

/** What the person's session has signed of a commit, by its own members. */
function authoredText(commit, { session, seen = null }) {
  const names = ['commit_id', 'at', 'clock_offset', 'clock_at_least', 'user', 'reason', 'entries'];
  const said = Object.fromEntries(names.map(name => [name, commit[name] ?? null]));
  const { station, session_key } = session;
  return canonical({ says: 'holdpoint: commit', ...said, station, session_key, seen });
}

/** The commit that a session has signed under other ids: all but what it does is as in the one that bears it. */
function originalOf(signed, commit) {
  const original = lineOf(signed);
  if (!original || !isText(original.commit_id) || !Array.isArray(original.entries)) return undefined;
  const { commit_id, entries } = original;
  const isIt = authoredText({ ...commit, commit_id, entries }, commit.authorship) === signed;
  return isIt ? original : undefined;
}

/** Why an authorship proves nothing, or what it proves by itself: the id of what was signed, and the text where it was under other ids. */
function provedBy(commit) {
  const { authorship } = commit;
  if (!isAuthorship(authorship)) return { why: 'has no authorship of the form that one has' };
  const { session, proof, signed } = authorship;
  const isPending = session.key === '';
  if (!isPending && !isCertificate(session))
    return { why: 'is of a session that the key in it has not signed' };
  if (!isInForce(session, commit.at)) return { why: 'was written when its session was not in force' };
  const text = authoredText(commit, authorship);
  if (!isSignedBy(session.session_key, signed ?? text, proof))
    return { why: 'is not what the session in it has signed' };
  if ((signed ?? text) === text) return { isPending, id: commit.commit_id };
  const original = originalOf(signed, commit);
  return original
    ? { isPending, id: original.commit_id, moved: signed }
    : { why: 'says something else than the session in it has signed' };
}

/** What two keys of one person have signed: the one of before an installation joined, and the present one. */
function isClaim(value) {
  if (!isObject(value)) return false;
  const { proof, former_proof: formerProof, ...said } = value;
  const { station, user_id: id, login, key, former_key: former, at } = said;
  const isNamed = isName(station) && isName(login) && Number.isSafeInteger(id);
  if (Object.keys(said).length !== 6 || !isNamed || !isMoment(at)) return false;
  const text = canonical({ says: 'holdpoint: former key', ...said });
  return isSignedBy(key, text, proof) && isSignedBy(former, text, formerProof);
}

/** The id under which a commit of before is issued again in a chain. */
function issuedAs(id, chain) {
  const hex = sha256(`${chain} ${id}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What installations had before they joined: chains beside the log, of people and keys of their own, which the log names the ends of. */
function createFormers() {
  /** By former chains. */
  const chains = new Map();
  const all = [];
  /** By signatures: who made them there. */
  const signers = new Map();
  const claims = [];
  /** By chains in which something was issued again: whether central found it to be that. */
  const same = new Map();

  function learnEvent({ kind, details }, isCentral, where) {
    if (kind === 'archive_checked' && isCentral && isText(details?.chain))
      same.set(details.chain, details.is_same === true && same.get(details.chain) !== false);
    if (kind !== 'former_key_claimed' || !isClaim(details)) return;
    claims.push(details);
    const { login, former_key: key, station, at } = details;
    ask(
      'claimed keys',
      `${where}: ${login} claimed on ${at} to have had the key ${fingerprintOf(key)} at ${station} before it joined: what that installation says was signed by it counts as theirs`,
    );
  }

  /** @param central the installation whose file it is */
  function learn({ chain, number, entries }, central, where) {
    for (const { subject, changes } of entries) {
      const said = Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));
      if (subject.startsWith('audit-event:')) learnEvent(said, stationOf(chain) === central, where);
      if (number !== 1 || !subject.startsWith('moved:') || !isObject(said.former_chains)) continue;
      const former = { chain, ends: said.former_chains, heads: {}, users: new Map(), count: 0, signed: 0 };
      all.push(former);
      for (const name of Object.keys(former.ends)) if (!chains.has(name)) chains.set(name, former);
    }
  }

  function learnUser({ users }, subject, said) {
    if (!users.has(subject)) users.set(subject, { logins: new Set(), keys: new Set() });
    const user = users.get(subject);
    if (isText(said.login)) user.logins.add(foldLogin(said.login));
    if (isText(said.public_key)) user.keys.add(said.public_key);
  }

  /** Whether the key is that of the user there; a signature of it is known from then on. */
  function noteSigner({ chain, users }, id, key, proof, what) {
    if (!users.get(`user:${id}`)?.keys.has(key)) return false;
    signers.set(proof, { ...what, key, chain, user: id });
    return true;
  }

  function checkAuthor(commit, former, where) {
    const { authorship = null, user } = commit;
    if (authorship === null) return;
    const name = `commit ${commit.commit_id} of ${user}, of before the installation joined,`;
    const { why, isPending } = provedBy(commit);
    if (why) return fault(where, `${name} ${why}`);
    // Who writes its disk before it joins puts what somebody signed elsewhere over entries of his own.
    if (authorship.signed !== undefined)
      return fault(where, `${name} is said to have been given other ids, and nothing was there`);
    if (isPending) return;
    const { user_id: id, key } = authorship.session;
    const what = { where, id: commit.commit_id, text: authoredText(commit, authorship) };
    const isTheirs =
      noteSigner(former, id, key, authorship.proof, what) &&
      former.users.get(`user:${id}`).logins.has(foldLogin(user));
    if (!isTheirs) return fault(where, `${name} is signed by a key that was not ${user}'s there`);
    former.signed += 1;
  }

  return {
    learn,
    has: ({ chain }) => chains.has(chain),
    /** Of a commit beside the log. */
    follow(commit, where) {
      const former = chains.get(commit.chain);
      former.count += 1;
      const { number, hash } = former.heads[commit.chain] ?? { number: 0, hash: '' };
      if (commit.number !== number + 1 || commit.previous_hash !== hash)
        fault(where, `commit ${commit.number} of chain ${commit.chain} does not follow what is there of it`);
      former.heads[commit.chain] = commit;
      for (const { subject, changes } of commit.entries) {
        const said = Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));
        if (subject.startsWith('user:')) learnUser(former, subject, said);
        if (!subject.startsWith('signature:') || said.meaning === undefined || !(said.key || said.proof))
          continue;
        if (
          said.signed !== signatureText(said) ||
          !isSignedBy(said.key, said.signed, said.proof) ||
          !noteSigner(former, said.user_id, said.key, said.proof, { where })
        )
          fault(
            where,
            `${subject} of ${said.user_name}, of before the installation joined, is not signed by a key of theirs`,
          );
      }
      checkAuthor(commit, former, where);
    },
    signerOf: proof => signers.get(proof),
    /**
     * Whether a commit of the log is a user's who signed it before: the very one of there, which central found to be issued again as it was,
     * and both keys of the person say who that is.
     */
    isClaimed({ session: { station, key }, proof, moved: text, chain, id }, user, keys) {
      const there = signers.get(proof);
      const isIt = there?.chain === chain && there.text === text && id === issuedAs(there.id, chain);
      if (!isIt || stationOf(chain) !== station || same.get(chain) !== true) return false;
      return claims.some(
        one => one.station === station && one.former_key === key && one.user_id === user && keys.has(one.key),
      );
    },
    tell(called) {
      for (const { chain, ends, heads, count, signed } of all) {
        const what = `${called(chain)}: what its installation had before it joined`;
        if (count === 0) {
          notes.push(`${what} is not in this file`);
          continue;
        }
        for (const [name, end] of Object.entries(ends))
          if (heads[name]?.number !== end?.number || heads[name]?.hash !== end?.hash)
            fault(`chain ${name}`, 'it does not end where the first commit after joining says');
        notes.push(`${what} is here: ${count} commits, ${signed} of them signed by people's keys of there`);
        if (same.get(chain) !== true)
          ask('archives', `${what} is not what it issued again, by what central found, or was not compared`);
      }
    },
  };
}

/** Who wrote the commits of a trail, by what people's sessions have signed. */
function createAuthors(keys, formers) {
  const logins = new Map();
  /** By users: keys that somebody else may have since. */
  const revoked = new Map();
  const counts = { proved: 0, moved: 0, pending: 0, without: 0 };
  const pending = [];
  /** What an installation had when it joined: by whose keys is known in the end. */
  const brought = [];
  /** By the keys of sessions: any number of each, and none takes anything from another. */
  const certificates = new Map();
  const hashes = [];
  const seen = [];
  const signed = new Set();
  let unknown = 0;
  /** The person's key that certified a session which was pending, where one did that is in force then. */
  const certifiedBy = ({ session_key: own, station, user_id: id }, at) =>
    (certificates.get(own) ?? []).find(
      one =>
        one.station === station &&
        one.user_id === id &&
        isInForce(one, at) &&
        keys.get(`user:${id}`)?.has(one.key),
    )?.key;
  return {
    certifiedBy,
    subjectOf: login => logins.get(foldLogin(login)),
    loginOf: subject => [...logins].find(([, of]) => of === subject)?.[0],
    /** What a commit says of who may sign. */
    learn({ entries }) {
      for (const { subject, changes } of entries) {
        const said = Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));
        if (subject.startsWith('user:') && isText(said.login)) logins.set(foldLogin(said.login), subject);
        if (subject.startsWith('user:') && Array.isArray(said.revoked_keys))
          revoked.set(subject, new Set(said.revoked_keys));
        if (!subject.startsWith('audit-event:') || said.kind !== 'session_certified') continue;
        if (!isCertificate(said.details)) continue;
        const { session_key: key } = said.details;
        certificates.set(key, [...(certificates.get(key) ?? []), said.details]);
      }
    },
    /**
     * @param isInLog whether it counts by central's log, and not in a chain of before it alone
     * @param isLetIn whether somebody let it in at central: that it is not proved was known then
     * @param isPart whether users may have been written before the file begins
     */
    check(commit, where, { isInLog, isLetIn, isPart }) {
      const { authorship = null, user } = commit;
      const subject = logins.get(foldLogin(user));
      if (authorship === null) {
        if (subject && keys.get(subject)?.size > 0) {
          counts.without += 1;
          const said = `commit ${commit.commit_id} of ${user}, dated ${commit.at}`;
          ask('commits without a signature', `${where}: ${said}, is signed by no key, and ${user} had one`);
        }
        return;
      }
      const name = `commit ${commit.commit_id} of ${user}`;
      const tell = why => {
        if (!isLetIn) return fault(where, `${name} ${why}`);
        counts.without += 1;
        notes.push(`${name} was let in at central as it is: it ${why}`);
      };
      const { why, moved, isPending, id } = provedBy(commit);
      if (why) return tell(why);
      const { session } = authorship;
      const own = keys.get(`user:${session.user_id}`);
      const isUnknown = isPart && (!isInLog || !subject || !own);
      if (isUnknown) unknown += 1;
      else if (!isOf(session, subject) || (!isPending && !own?.has(session.key)))
        return moved === undefined
          ? tell(`is signed by a key that is not ${user}'s`)
          : brought.push({
              ...{ session, proof: authorship.proof, moved, name, user },
              ...{ chain: commit.chain, id: commit.commit_id, mayCount: isInLog && !isLetIn },
            });
      const once = `${session.session_key} ${id}`;
      if (isInLog && signed.has(once)) return tell('was signed once, and counts a second time');
      if (isInLog) signed.add(once);
      if (isPending && (isInLog || !isPart)) pending.push({ ...session, at: commit.at, moved, subject });
      if (moved !== undefined) notes.push(`${name} was signed before it was given other ids: ${moved}`);
      if (!isPending && !isUnknown) counts[moved === undefined ? 'proved' : 'moved'] += 1;
      if (authorship.seen)
        seen.push({ ...authorship.seen, name, where, stood: hashes[authorship.seen.sequence] });
    },
    /** The log has come to here. */
    stands({ sequence, hash }) {
      hashes[sequence] = hash;
    },
    /** People signed which history they had before them: whoever rewrites it cannot rewrite that. */
    tell(epoch) {
      for (const { epoch: of, sequence, hash, stood, name, where } of seen)
        if (of === epoch && sequence > 0 && stood !== undefined && stood !== hash)
          fault(where, `${name} was written having seen another history up to entry ${sequence}`);
      for (const { session_key, station, user_id, at, moved: text, subject } of pending) {
        const key = certifiedBy({ session_key, station, user_id }, at);
        const isProved = key !== undefined && subject === `user:${user_id}`;
        counts[!isProved ? 'pending' : text === undefined ? 'proved' : 'moved'] += 1;
      }
      for (const { mayCount, name, user, ...what } of brought) {
        // Who claims it may have come later than what was brought along.
        const subject = logins.get(foldLogin(user));
        const own = new Set([...(keys.get(subject) ?? [])].filter(key => !revoked.get(subject)?.has(key)));
        const id = Number(subject?.slice('user:'.length));
        const isClaimed = mayCount && formers.isClaimed(what, id, own);
        counts[isClaimed ? 'moved' : 'without'] += 1;
        notes.push(
          `${name} was brought along with other ids, ${signedThere(formers, what.proof, isClaimed)}`,
        );
      }
      const { proved, moved, pending: open, without } = counts;
      if (proved + moved + open + without > 0)
        notes.push(
          `commits of people: ${proved} proved by their own keys, ${moved} given other ids since, ${open} whose key is pending, ${without} not signed by who had a key`,
        );
      if (unknown > 0)
        notes.push(
          `${unknown} commits are beside the log, or of people who are not in this file: whose keys signed them it does not say`,
        );
    },
  };
}

/** By whom something was signed that an installation brought along. */
function signedThere(formers, proof, isClaimed) {
  const signer = formers.signerOf(proof);
  if (!signer) return 'signed by a key of nobody here';
  const whose = isClaimed ? 'who has claimed that key here' : 'whom nobody here has claimed to be';
  return `signed by the key ${fingerprintOf(signer.key)} of user:${signer.user} there, ${signer.where}, ${whose}`;
}

/** Whether the login of a commit is the user's whose session it is. */
const isOf = ({ user_id: id }, subject) => subject === `user:${id}`;

/** What an administrator's key has signed: that an installation signs by another key since. */
function isKeyCertificate(value) {
  if (!isObject(value) || !isKey(value.former) || !isKey(value.key) || !isKey(value.signer)) return false;
  if (!isText(value.installation) || !Number.isSafeInteger(value.user_id) || !isSignature(value.proof))
    return false;
  const names = ['installation', 'former', 'key', 'user_id', 'login', 'signer', 'at', 'reason'];
  const said = Object.fromEntries(names.map(name => [name, value[name] ?? null]));
  return isSignedBy(value.signer, canonical({ says: 'holdpoint: authority key', ...said }), value.proof);
}

/** By which key an installation signs: the one that is known, and each that two administrators have certified in its place. */
function createAuthorities() {
  /** By users: since which lines they administer, may sign in, and have each key. */
  const users = new Map();
  const certificates = [];
  const userOf = subject => {
    if (!users.has(subject)) users.set(subject, { keys: new Map() });
    return users.get(subject);
  };

  function learnUser(subject, said, line) {
    const user = userOf(subject);
    if (said.public_key && !user.keys.has(said.public_key)) user.keys.set(said.public_key, line);
    if (said.is_active !== undefined) user.activeSince = said.is_active === true ? line : undefined;
    if (said.roles === undefined) return;
    const isAdministrator = Array.isArray(said.roles) && said.roles.includes('administrator');
    user.since = isAdministrator ? (user.since ?? line) : undefined;
  }

  /** Those who have certified it, and were administrators with that key by a line. */
  function certifiers({ installation, former, key }, until) {
    const own = certificates.filter(
      ({ said, since }) =>
        said.installation === installation && said.former === former && said.key === key && since <= until,
    );
    return [...new Map(own.map(one => [one.said.user_id, one])).values()];
  }

  return {
    learn({ subject, said, where }) {
      const line = Number(where.slice('line '.length));
      if (subject.startsWith('user:')) learnUser(subject, said, line);
      if (!subject.startsWith('audit-event:') || said.kind !== 'authority_certified') return;
      if (!isKeyCertificate(said.details)) return;
      const { since, activeSince, keys } = userOf(`user:${said.details.user_id}`);
      // Of who is none of them it says nothing.
      const facts = [since, activeSince, keys.get(said.details.signer)];
      if (facts.every(fact => fact !== undefined))
        certificates.push({ said: said.details, since: Math.max(...facts), where });
    },
    /**
     * Whether the key of a fingerprint has come to be another one by what administrators have certified who were that before: by a kept
     * checkpoint that it has signed. Else whoever writes the file would make them.
     */
    leads(from, { installation, key }, kept) {
      const told = [];
      let until = kept.provedBy(from);
      for (let present = from; present !== fingerprintOf(key); ) {
        const step = certificates
          .map(({ said }) => said)
          .find(
            said =>
              fingerprintOf(said.former) === present &&
              said.former !== said.key &&
              certifiers({ ...said, installation }, until).length >= 2,
          );
        if (!step || told.length > certificates.length) return undefined;
        const by = certifiers(step, until).map(
          ({ said, where }) => `${said.login} (${where}: ${said.reason})`,
        );
        present = fingerprintOf(step.key);
        told.push(
          `key ${present} counts in the place of ${fingerprintOf(step.former)}: certified by ${by.join(' and ')}`,
        );
        until = Math.max(until, kept.provedBy(present));
      }
      return told;
    },
  };
}

/** What people's own keys prove of the signatures in a trail; which key is whose the records of the users say. */
function createPeople(formers) {
  const keys = new Map();
  const held = new Map();
  const moved = [];
  /** Signatures that an installation brought along. */
  const brought = [];
  const counts = { proved: 0, without: 0, unknown: 0 };
  const authors = createAuthors(keys, formers);
  const authorities = createAuthorities();
  /** By users: each key, since when, and who gave it. */
  const given = new Map();
  function learnKey(subject, key, { at, user, commit_id: id }, where) {
    const former = keys.get(subject);
    keys.set(subject, new Set([...(former ?? []), key]));
    given.set(subject, [...(given.get(subject) ?? []), { key, at, by: user, id, where }]);
    const isOwn = authors.subjectOf(user) === subject || user === 'sign-in';
    if (!former || former.has(key) || isOwn) return;
    const login = authors.loginOf(subject) ?? subject;
    ask(
      'keys given by others',
      `${where}: ${user} gave ${login} another key on ${at}: ${fingerprintOf(key)}. Who sets a password knows it until ${login} chose another one`,
    );
  }
  return {
    stands: place => authors.stands(place),
    subjectOf: login => authors.subjectOf(login),
    certifiedBy: (session, at) => authors.certifiedBy(session, at),
    leads: (from, to, kept) => authorities.leads(from, to, kept),
    keysOf: subject => given.get(subject) ?? [],
    /** Whose key it is, as the trail has it. */
    ownerOf: key => [...keys].find(([, own]) => own.has(key))?.[0],
    /** What was held counts once it is let in, and what was given up never. */
    follow(commit, decisions, where, { isPart, isAlone }) {
      if (!decisions) return this.check(commit, where, { isPart, isAlone });
      if (decisions[0]?.outcome === 'held') held.set(commit.commit_id, commit);
      for (const { commit_id: id, outcome } of decisions) {
        if (outcome !== 'applied') continue;
        const isArrived = id === commit.commit_id;
        const counted = isArrived ? commit : (held.get(id) ?? { entries: [] });
        this.check(counted, where, { isInLog: true, isLetIn: !isArrived, isPart });
      }
    },
    check(commit, where, about) {
      const { entries } = commit;
      const tell = why =>
        about.isLetIn ? notes.push(`let in at central as it is: ${why}`) : fault(where, why);
      // Nothing in a part says that what is beside the log belongs to it.
      const isUnknown = about.isPart && !about.isInLog;
      if (!isUnknown) authors.learn(commit);
      for (const { subject, changes } of entries) {
        const said = Object.fromEntries(changes.map(change => [change.path, change.new]));
        if (about.isInLog || about.isAlone) authorities.learn({ subject, said, where });
        if (!isUnknown && subject.startsWith('user:') && said.public_key)
          learnKey(subject, said.public_key, commit, where);
        if (!subject.startsWith('signature:') || said.meaning === undefined) continue;
        if (!said.key && !said.proof) {
          counts.without += 1;
          continue;
        }
        const text = signatureText(said);
        if (!isSignedBy(said.key, said.signed, said.proof)) {
          tell(`${subject} of ${said.user_name} is not what the key in it has signed`);
        } else if (said.signed !== text && !isOfOtherId(said)) {
          tell(`${subject} of ${said.user_name} says something else than the key in it has signed`);
        } else if (said.signed !== text && !keys.get(`user:${said.user_id}`)?.has(said.key)) {
          counts.without += 1;
          brought.push({ subject, said });
        } else if (said.signed !== text) {
          moved.push(
            `${subject} of ${said.user_name} was signed before its record was given another id: ${said.signed}`,
          );
        } else if (isUnknown || (about.isPart && !keys.has(`user:${said.user_id}`))) {
          counts.unknown += 1;
        } else if (!keys.get(`user:${said.user_id}`)?.has(said.key)) {
          tell(`${subject} is signed by a key that is not ${said.user_name}'s`);
        } else counts.proved += 1;
      }
      if (commit.commit_id !== undefined) authors.check(commit, where, about);
    },
    tell(epoch) {
      authors.tell(epoch);
      notes.push(...moved);
      for (const { subject, said } of brought)
        notes.push(
          `${subject} names ${said.user_name}, was brought along with other ids, and is ${signedThere(formers, said.proof, false)}: ${said.signed}`,
        );
      if (counts.proved + counts.without > 0)
        notes.push(
          `signatures: ${counts.proved} proved by the signer's own key, ${counts.without} made without one`,
        );
      if (counts.unknown > 0)
        notes.push(
          `${counts.unknown} signatures are beside the log, or of people who are not in this file: whose keys made them it does not say`,
        );
    },
  };
}

/** What an inspector asks people about though nothing is wrong with the file: what central held, and clocks that were set back. */
function createInspection() {
  const names = new Map();
  const holds = new Map();
  const chains = new Map();
  /** By entries of the log: what they are dated. */
  const dates = [];
  const called = chain => {
    const name = names.get(String(chain).split('.')[0]);
    return `chain ${chain}${name === undefined ? '' : ` (${name})`}`;
  };
  const saidIn = ({ changes }) => Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));

  /** What a machine noted of itself. */
  function learn({ entries, chain }, where) {
    for (const entry of entries) {
      if (!entry.subject.startsWith('audit-event:')) continue;
      const { kind, details, author } = saidIn(entry);
      if (kind === 'station_enrolled' && isText(details?.station) && isText(details.name))
        names.set(details.station, details.name);
      const by = author ? ` by ${author}` : '';
      const why = details?.reason ? `: ${details.reason}` : '';
      const clock = `its clock said ${details?.clock}, and it was ${details?.at_least} at least`;
      if (kind === 'clock_stepped') ask('clocks', `${where}: ${called(chain)} noticed that ${clock}`);
      if (kind === 'clock_believed')
        ask('clocks', `${where}: ${called(chain)} believes its clock again, ${details?.how}${by}${why}`);
    }
  }

  /** Written while the clock stood back, as it says itself: one run of commits. */
  function followMark({ chain, number, at, clock_at_least: least }, run) {
    if (!isText(least)) return undefined;
    if (run) return Object.assign(run, { last: number });
    return { chain, first: number, last: number, at, least };
  }

  function tellRun({ chain, first, last, at, least }) {
    const which = first === last ? `commit ${first} was` : `commits ${first} to ${last} were`;
    ask('clocks', `${called(chain)}: ${which} dated ${at} and later, when it was ${least} at least`);
  }

  /** Central's word on a commit, and on those that it held before. */
  function followDecisions(commit, decisions, where) {
    for (const { commit_id: id, outcome, reason } of decisions) {
      const hold = holds.get(id);
      if (outcome === 'held') holds.set(id, { commit, where, reason, end: 'nobody has let it in' });
      // Once the person's key was there, it let in by itself what it proves.
      else if (hold && outcome === 'applied' && commit.user === 'exchange' && hold.commit.authorship)
        holds.delete(id);
      else if (hold)
        hold.end = `${commit.user} ${outcome === 'applied' ? 'let it in' : 'gave it up'}, ${where}`;
    }
  }

  return {
    follow(commit, { sequence, decisions }, where) {
      const { chain, number, at, clock_at_least: least, authorship, user } = commit;
      learn(commit, where);
      if (decisions) followDecisions(commit, decisions, where);
      if (sequence !== undefined) dates[sequence] = Date.parse(at);
      const before = chains.get(chain);
      const run = followMark(commit, before?.run);
      if (before?.run && !run) tellRun(before.run);
      const moment = Date.parse(at);
      const isMoved = isText(authorship?.signed);
      const isBack = before?.number === number - 1 && moment < Date.parse(before.at) - SLACK_MS;
      if (isBack && !isText(least) && !isMoved)
        ask(
          'clocks',
          `${where}: ${called(chain)}: commit ${number} of ${user} is dated ${at}, and what stands before it was written on ${before.at} or later: the clock was set back, or it was issued again`,
        );
      const seen = dates[authorship?.seen?.sequence];
      const isEarly = seen !== undefined && moment < seen - SLACK_MS && !isText(least) && !isMoved;
      const early = before?.early ?? { count: 0 };
      if (isEarly && early.count === 0)
        Object.assign(early, { at, where, seen: new Date(seen).toISOString() });
      if (isEarly) early.count += 1;
      chains.set(chain, { number, at: isText(least) && least > at ? least : at, run, early });
    },
    finish() {
      for (const [chain, { run, early }] of chains) {
        if (run) tellRun(run);
        if (early.count > 0)
          ask(
            'clocks',
            `${called(chain)}: ${early.count} commits are dated before what their authors had read, the first in ${early.where}: ${early.at}, having read what is dated ${early.seen}. One of two clocks was wrong`,
          );
      }
      for (const { commit, where, reason, end } of holds.values()) {
        const what = `commit ${commit.commit_id} of ${called(commit.chain)} that names ${commit.user}, dated ${commit.at}`;
        ask('held commits', `${where}: central held ${what}: ${reason}; ${end}`);
      }
    },
    called,
  };
}

/** Lines that are told of one thing. */
const MOST_TOLD = 200;
const MOST_CHANGES = 12;

/** All that a trail has of some records, people or commits. */
function createAbout(words, people) {
  const subjects = new Set(words.filter(word => /^[a-z-]+:\d+$/.test(word)));
  const persons = new Set();
  const applied = new Set();
  /** Texts, and what makes one in the end. */
  const lines = [];
  const brief = value => {
    const text = JSON.stringify(value ?? null);
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  };
  /** What nobody entered. */
  const isDefault = ({ old, new: value }) => (old ?? null) === null && value === false;
  /** What the machine notes names people in each line. */
  const isNamed = ({ subject, changes }) =>
    !subject.startsWith('audit-event:') && changes.some(({ new: value }) => words.includes(value));

  function signerOf(commit) {
    if ((commit.authorship ?? null) === null) return 'signed by no person';
    const { why, isPending, moved } = provedBy(commit);
    if (why) return `its signature proves nothing: it ${why}`;
    const { session } = commit.authorship;
    const key = isPending ? people.certifiedBy(session, commit.at) : session.key;
    if (key === undefined) return 'signed by a session whose key is pending';
    const owner = people.ownerOf(key);
    if (owner) persons.add(owner);
    const whose =
      owner === people.subjectOf(commit.user) ? `${commit.user}'s` : `a key of nobody who is ${commit.user},`;
    const how = `${moved === undefined ? '' : ', under other ids,'}${isPending ? ', as certified later,' : ''}`;
    return `signed${how} by ${whose} key ${fingerprintOf(key)}, in a session of ${session.from}`;
  }

  function tellSignature(subject, said) {
    persons.add(`user:${said.user_id}`);
    if (!said.key) return lines.push(`${subject}: signature of ${said.user_name}, made without a key`);
    const isRight = isSignedBy(said.key, said.signed, said.proof);
    const isOwn = people.keysOf(`user:${said.user_id}`).some(({ key }) => key === said.key);
    const verdict = !isRight
      ? 'is not what the key has signed'
      : isOwn
        ? `is what the key of user:${said.user_id} has signed`
        : `was signed by a key that user:${said.user_id} never had`;
    return lines.push(
      `${subject}: signature of ${said.user_name} under ${said.subject}, "${said.meaning}", ${said.at}: it ${verdict}, ${fingerprintOf(said.key)}, over ${said.signed}`,
    );
  }

  return {
    follow(commit, { decisions }, where) {
      if (words.length === 0) return;
      for (const { commit_id: id, outcome } of decisions ?? []) if (outcome === 'applied') applied.add(id);
      for (const entry of commit.entries) {
        const said = Object.fromEntries(entry.changes.map(({ path, new: value }) => [path, value]));
        const isSignature = entry.subject.startsWith('signature:') && said.meaning !== undefined;
        const isAbout =
          subjects.has(entry.subject) ||
          (isSignature && subjects.has(said.subject)) ||
          words.includes(commit.commit_id) ||
          isNamed(entry);
        if (!isAbout) continue;
        subjects.add(entry.subject);
        if (entry.subject.startsWith('user:')) persons.add(entry.subject);
        const isHeld = decisions?.[0]?.outcome === 'held';
        const why = commit.reason ? `, reason: ${commit.reason}` : '';
        // In the end it is known who let it in, and which sessions were certified.
        lines.push(() => {
          const held = isHeld && !applied.has(commit.commit_id) ? ', held by central' : '';
          return `${entry.subject}: ${where}, ${commit.at}, ${commit.user}${why}${held}; ${signerOf(commit)}`;
        });
        if (isSignature) tellSignature(entry.subject, said);
        else
          for (const { path, old, new: value } of entry.changes
            .filter(one => !isDefault(one))
            .slice(0, MOST_CHANGES))
            lines.push(`${entry.subject}: ${path}: ${brief(old)} became ${brief(value)}`);
      }
    },
    /** In the end whose keys they were, and who gave them. */
    tell() {
      if (words.length > 0 && lines.length === 0)
        return [`nothing in this file is about ${words.join(', ')}`];
      const told = firstOf('lines', lines, MOST_TOLD).map(line => (isText(line) ? line : line()));
      const keys = [...persons].flatMap(subject =>
        people.keysOf(subject).map(({ key, at, by, where }, index, all) => {
          const next = all[index + 1];
          const until = next ? `until ${next.at}` : 'to the end of this file';
          return `${subject}: key ${fingerprintOf(key)}, given by ${by} in ${where}, from ${at} ${until}`;
        }),
      );
      return [...told, ...keys];
    },
  };
}

/** A line ends with a line feed and nothing else: readline takes others for ends as well, which stand within texts. */
async function* linesOf(file) {
  let pieces = [];
  let length = 0;
  for await (const chunk of createReadStream(file, 'utf8')) {
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        yield pieces.join('');
        pieces = [];
        length = 0;
      }
      pieces.push(piece);
      length += piece.length;
    }
    if (length > LINE_LIMIT) throw new Error(`${file} has a line that is longer than any of a trail`);
  }
  yield pieces.join('');
}

/** Containers within each other: no line of a trail has as many. */
const DEPTH = 100;

const isDeep = (value, most) =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some(one => isDeep(one, most - 1)));

/** Undefined where it is not written as it always is: with a member twice, two readers would read two things. */
function lineOf(text) {
  try {
    const line = JSON.parse(text);
    return isObject(line) && !isDeep(line, DEPTH) && JSON.stringify(line) === text ? line : undefined;
  } catch {
    return undefined;
  }
}

function isHeader({ format, installation, log_after: start, ends = [] }) {
  const isStart =
    start === null || (Number.isSafeInteger(start?.sequence) && start.sequence >= 0 && isText(start.hash));
  return format === 'holdpoint trail 1' && isText(installation) && isStart && Array.isArray(ends);
}

const stationOf = chain => String(chain).split('.')[0];

function isSignedEnd(end) {
  if (!isObject(end) || !isChainPlace(end) || !isKey(end.key) || !isSignature(end.signature)) return false;
  const { says, chain, number, hash, key, signature } = end;
  const text = canonical({ says, chain, number, hash, key });
  return says === 'holdpoint: chain' && isSignedBy(key, text, signature);
}

/** What stations have signed of their own chains, by the keys that they told central. */
function createStations(header) {
  const ends = new Map();
  /** By stations: what central noted of their keys, and what people call them. */
  const keys = new Map();
  const names = new Map();
  /** By chains: the last commit that the log has, and how many of them came since it was known that the station signs. */
  const last = new Map();
  const late = new Map();
  for (const end of header.ends ?? []) {
    if (isSignedEnd(end) && !ends.has(end.chain)) ends.set(end.chain, { ...end, found: undefined });
    else
      fault(
        'the first line',
        'what it says that a station has signed of its chain is not what the key in it has signed',
      );
  }
  const called = chain => {
    const name = names.get(stationOf(chain));
    return `chain ${chain}${name === undefined ? '' : ` (${name})`}`;
  };
  return {
    /** Of a commit that counts by central's log or stands in it. */
    follow({ chain, number, hash, entries }, isInLog) {
      const end = ends.get(chain);
      if (end?.number === number) end.found = hash;
      if (isInLog) last.set(chain, number);
      if (isInLog && keys.has(stationOf(chain))) late.set(chain, (late.get(chain) ?? 0) + 1);
      if (!isInLog || stationOf(chain) !== header.installation) return;
      for (const { subject, changes } of entries) {
        if (!subject.startsWith('audit-event:')) continue;
        const { kind, details } = Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));
        if (kind !== 'station_enrolled' && kind !== 'station_signs') continue;
        if (!isText(details?.station)) continue;
        if (isText(details.name)) names.set(details.station, details.name);
        if (isKey(details.key))
          keys.set(details.station, new Set([...(keys.get(details.station) ?? []), details.key]));
      }
    },
    finish(isPart) {
      for (const [chain, { number, hash, found, key }] of ends) {
        const by = `the key ${fingerprintOf(key)}`;
        if (found === undefined && isPart) continue;
        if (found !== hash)
          fault(
            called(chain),
            `its station has signed another commit ${number} with ${by}: history was rewritten`,
          );
        else if (!keys.get(stationOf(chain))?.has(key) && !isPart)
          ask('stations', `${called(chain)} is signed with ${by}: central noted no such key of the station`);
        else notes.push(`${called(chain)}: its station has signed it up to commit ${number} with ${by}`);
        const further = (last.get(chain) ?? number) - number;
        if (further > 0)
          ask(
            'stations',
            `${called(chain)}: ${further} commits after commit ${number} are not signed by its station`,
          );
      }
      for (const [chain, count] of late)
        if (!ends.has(chain) && !isPart)
          ask('stations', `${called(chain)}: ${count} commits are not signed by its station, which signs`);
    },
  };
}

/** An entry of the log, or a commit beside it. What it has further would be covered by no hash. */
function isCommitLine({ commit, sequence, hash, decisions, is_abandoned: isAbandoned, ...further }) {
  if (!isObject(commit) || Object.keys(further).length > 0) return false;
  const { chain, number, commit_id: id, previous_hash: before, hash: own } = commit;
  if (!isText(chain) || !isNumber(number) || !isText(id) || !isText(before) || !isHash(own)) return false;
  if (sequence !== undefined)
    return isNumber(sequence) && isHash(hash) && Array.isArray(decisions) && isAbandoned === undefined;
  return hash === undefined && decisions === undefined && (isAbandoned ?? true) === true;
}

/** The chains of a trail, each in runs of commits of which one follows the other: one run from the first, if all is there. */
class Chains {
  #runs = new Map();

  /** What it does not follow, if anything: the end of the chain, or the beginning. */
  add({ chain, number, hash, previous_hash: before }, isInLog) {
    const runs = this.#runs.get(chain) ?? [];
    this.#runs.set(chain, runs);
    let run = runs.find(({ end }) => end.number === number - 1 && end.hash === before);
    const last = runs.at(-1)?.end;
    const isBegun = !run;
    if (!run) {
      run = { first: { number, before }, end: undefined, proved: 0 };
      runs.push(run);
    }
    run.end = { number, hash };
    if (isInLog) run.proved = number;
    if (!isBegun) return undefined;
    if (last) return `commit ${last.number}`;
    return number === 1 && before === '' ? undefined : 'the beginning';
  }

  get size() {
    return this.#runs.size;
  }

  /** Whether there is no other one so far. */
  isOnly(chain) {
    return this.size === 0 || (this.size === 1 && this.#runs.has(chain));
  }

  /** Whether a chain ends there; then all of that run is proved. */
  endsAt({ chain, number, hash }) {
    const runs = this.#runs.get(chain) ?? [];
    const run = runs.find(({ end }) => end.number === number && end.hash === hash);
    if (run) run.proved = number;
    return run !== undefined && runs.every(({ end }) => end.number <= number);
  }

  /** How many commits are neither in the log nor before anything that is proved. */
  unproved() {
    let count = 0;
    for (const runs of this.#runs.values()) {
      for (const { first, proved } of runs.toSorted((one, other) => other.first.number - one.first.number))
        if (proved > 0)
          for (const run of runs)
            if (run.end.number === first.number - 1 && run.end.hash === first.before)
              run.proved = run.end.number;
      for (const { first, end, proved } of runs)
        count += proved ? end.number - proved : end.number - first.number + 1;
    }
    return count;
  }
}

/** The places of checkpoints that were kept elsewhere. */
class Kept {
  #places;
  #asked = new Map();

  constructor(checkpoints) {
    this.#places = checkpoints.flatMap(one => placesOf(one).map(place => ({ ...place, one })));
    for (const place of this.#places)
      this.#asked.set(place.name, [...(this.#asked.get(place.name) ?? []), place]);
  }

  /** The hash that stands at a place. @param line up to which that hash covers the file; 0: it does not */
  meet(name, hash, line = 0) {
    for (const asked of this.#asked.get(name) ?? []) Object.assign(asked, { found: hash, line });
  }

  /** Up to which line a key has signed the file, by its fingerprint; 0: nothing of it. */
  provedBy(fingerprint) {
    const own = this.#places.filter(
      ({ one, found, hash }) => found === hash && fingerprintOf(one.key) === fingerprint,
    );
    return Math.max(0, ...own.map(({ line }) => line));
  }

  /** By which other keys an installation signed before. */
  formerKeys({ installation, key }) {
    const own = this.#places.filter(({ one }) => one.installation === installation && one.key !== key);
    return [...new Set(own.map(({ one }) => fingerprintOf(one.key)))];
  }

  /** That a commit is there which was given up, another one having come to its place. */
  meetGivenUp(name, hash) {
    for (const asked of this.#asked.get(name) ?? []) asked.isGivenUp ||= asked.hash === hash;
  }

  /** What could not be compared is wrong: otherwise to leave it out would be the way to rewrite it. */
  finish(start, last) {
    for (const { name, hash, one, chain, found, isGivenUp } of this.#places) {
      if (found === hash) continue;
      const where = `${name} of ${one.at}`;
      const isLogSame = this.#places.some(
        place => place.one === one && !place.chain && place.found === place.hash,
      );
      const isOwn = one.installation === last?.installation || one.key === last?.key;
      // What the log has of it is compared, and the rest had not come here, or was issued again.
      if (chain !== undefined && isLogSame && (isGivenUp || (!found && !isOwn))) {
        notes.push(`${where}: ${isGivenUp ? 'given up since' : 'not in this file'}`);
        continue;
      }
      const isRestored = chain === undefined && last?.log && last.log.epoch !== one.log.epoch;
      const or = isRestored ? ', or central was restored since' : '';
      if (found) fault(where, `it had the hash ${hash}, and has ${found} now: history was rewritten${or}`);
      else if (chain === undefined && one.log.sequence <= start)
        fault(where, `it cannot be compared: the log begins after entry ${start} in this file`);
      else
        fault(
          where,
          `it was signed, and is not here: what came last was taken out, or had not come here yet${or}`,
        );
    }
    const agreed = this.#places.filter(({ hash, found }) => found === hash).length;
    return this.#places.length === 0
      ? ''
      : `; ${agreed} of ${this.#places.length} places are as they were signed`;
  }
}

/** Line by line: memory does not grow with what commits hold. */
async function checkTrail(file, checkpoints, wantedKey, words) {
  const kept = new Kept(checkpoints);
  const chains = new Chains();
  const ids = new Set();
  let header;
  let stations;
  let log;
  let last;
  let commits = 0;
  let givenUp = 0;
  /** Where those stood that were given up one by one: what came after them in their chain may stand yet. */
  const passed = new Set();
  let number = 0;
  const formers = createFormers();
  const people = createPeople(formers);
  const inspection = createInspection();
  const about = createAbout(words, people);
  for await (const text of linesOf(file)) {
    number += 1;
    if (text === '') continue;
    const where = `line ${number}`;
    const line = lineOf(text);
    if (!line) {
      fault(where, 'it is cut off, no JSON, or not written as a trail is');
      break;
    }
    if (!header) {
      if (!isHeader(line)) throw new Error(`${file} does not begin as a trail does`);
      header = line;
      log = header.log_after ?? { sequence: 0, hash: '' };
      stations = createStations(header);
      if (log.sequence === 0 && log.hash !== '') fault(where, 'the log begins with the hash of an entry');
      continue;
    }
    if (last) fault(where, 'something follows the checkpoint that ends the file');
    if (line.checkpoint) {
      last = line.checkpoint;
      continue;
    }
    if (!isCommitLine(line)) {
      fault(where, 'it is no line of a trail');
      break;
    }
    const { commit, sequence, decisions, is_abandoned: isAbandoned } = line;
    const { hash, ...content } = commit;
    const name = nameOf(commit);
    commits += 1;
    if (sha256(canonical(content)) !== hash)
      fault(where, `commit ${commit.commit_id} is not what its hash says`);
    // Of two in one place, the one that was given up is told as such.
    if (isAbandoned) {
      givenUp += 1;
      passed.add(`${name} ${hash}`);
      kept.meetGivenUp(name, hash);
      continue;
    }
    // Its people and keys are none of those in the log, whatever their ids.
    const isFormer = sequence === undefined && formers.has(commit);
    // Where there is no log, the hash of a commit covers what comes before in the file as long as that is one chain.
    const isAlone =
      header.log_after === null && sequence === undefined && passed.size === 0 && chains.isOnly(commit.chain);
    if (isFormer) formers.follow(commit, where);
    else people.follow(commit, decisions, where, { isPart: isPart(header), isAlone });
    if (sequence !== undefined) formers.learn(commit, header.installation, where);
    stations.follow(commit, sequence !== undefined);
    if (!isFormer) inspection.follow(commit, line, where);
    if (!isFormer) about.follow(commit, line, where);
    // Where that ends is in the log.
    const gap = chains.add(commit, sequence !== undefined || isFormer);
    // Where records came in place of the log, some commits are there alone.
    const isPassed = passed.has(
      `${nameOf({ ...commit, number: commit.number - 1 })} ${commit.previous_hash}`,
    );
    if (gap && !isFormer && !isPassed && !isPart(header))
      fault(where, `commit ${commit.number} of chain ${commit.chain} does not follow ${gap}`);
    kept.meet(name, hash, isAlone ? number : 0);
    if (sequence === undefined) continue;
    if (sequence !== log.sequence + 1)
      fault(where, `entry ${sequence} does not follow entry ${log.sequence}`);
    const expected = sha256(canonical({ before: log.hash, sequence, commit: hash, decisions }));
    if (expected !== line.hash) fault(where, `entry ${sequence} of the log is not what its hash says`);
    if (ids.has(commit.commit_id) && decisions[0]?.outcome === 'applied')
      fault(where, `commit ${commit.commit_id} was applied twice`);
    ids.add(commit.commit_id);
    log = { sequence, hash: line.hash };
    people.stands(log);
    kept.meet(nameOf(log), line.hash, header.log_after === null ? 0 : number);
  }
  if (!header) fault(file, 'it is empty');
  else if (!last) fault('the end', 'there is no checkpoint: the file is cut off');
  else if (checkSigned(last, followed(last, wantedKey, kept, people), 'the checkpoint at the end')) {
    if (last.installation !== header.installation)
      fault('the end', 'the checkpoint is of another installation than the file');
    if (last.log && (last.log.sequence !== log.sequence || last.log.hash !== log.hash))
      fault('the end', 'the log does not end where the checkpoint says');
    if (!last.log && log.sequence > 0) fault('the end', 'the checkpoint says nothing of the log');
    for (const place of chainsOf(last))
      if (!chains.endsAt(place))
        fault('the end', `chain ${place.chain} does not end where the checkpoint says`);
    const unproved = chains.unproved();
    if (unproved > 0) {
      const what = `${unproved} commits are neither in the log nor in a chain of which the checkpoint says the end`;
      if (isPart(header)) notes.push(`${what}: nobody signed that they belong here`);
      else fault('the end', `${what}: they were put in`);
    }
  }
  if (givenUp > 0) notes.push(`${givenUp} commits are said to be given up: nobody signed that`);
  const isShort = header !== undefined && isPart(header);
  if (isShort)
    notes.push(
      `the log begins after entry ${header.log_after.sequence}: what came before is not in this file`,
    );
  formers.tell(chain => inspection.called(chain));
  people.tell(last?.log?.epoch);
  stations?.finish(isShort);
  inspection.finish();
  const compared = kept.finish(header?.log_after?.sequence ?? 0, isCheckpoint(last) ? last : undefined);
  const read = `${commits} commits in ${chains.size} chains, ${log?.sequence ?? 0} entries of the log${compared}`;
  return { read, isShort, told: about.tell() };
}

/** The key that is to have signed the end: what was given, or what administrators have certified in its place. */
function followed(last, wantedKey, kept, people) {
  if (!isCheckpoint(last)) return wantedKey;
  const present = fingerprintOf(last.key);
  const formers = new Set([...(wantedKey ? [wantedKey] : []), ...kept.formerKeys(last)]);
  let wanted = wantedKey;
  for (const former of formers) {
    if (former === present) continue;
    const told = people.leads(former, last, kept);
    if (told && former === wantedKey) wanted = present;
    if (told) notes.push(...told);
    else if (former !== wantedKey)
      ask(
        'keys',
        `${last.installation} signed with key ${former} before, and with ${present} now: no two administrators of before have certified it`,
      );
    else if (kept.provedBy(former) === 0)
      notes.push(
        `whether administrators have certified another key in the place of ${former} can be told with a checkpoint that it has signed`,
      );
  }
  return wanted;
}

const isPart = ({ log_after: start }) => (start?.sequence ?? 0) > 0;

function checkCheckpoints(file, kept, wantedKey) {
  const read = readCheckpoints(file);
  const checkpoints = read.filter((one, index) =>
    checkSigned(one, index === 0 ? wantedKey : undefined, `checkpoint ${index + 1}`),
  );
  const hashes = new Map();
  for (const one of [...checkpoints, ...kept])
    for (const { name, chain, hash } of placesOf(one)) {
      const place = `${name} of ${chain === undefined ? one.log.epoch : one.installation}`;
      if (hashes.has(place) && hashes.get(place) !== hash)
        fault(place, 'two checkpoints say different things of it: somebody was shown another history');
      hashes.set(place, hash);
    }
  return { read: read.length === 1 ? '1 checkpoint' : `${read.length} checkpoints`, isShort: false };
}

/** A validation report: who signed it, and that its verdict is what its requirements say. */
function checkReport(file, _kept, wantedKey) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const { signature, ...content } = report;
  const { key, installation, began_at: began, verdict, requirements } = report;
  const isMeant = content.says === 'holdpoint: validation' && isKey(key) && isSignature(signature);
  if (!isMeant || !isSignedBy(key, canonical(content), signature))
    fault('the report', 'it is not what the key in it has signed');
  else if (wantedKey && fingerprintOf(key) !== wantedKey)
    fault('the report', `it is signed by another key than the one you gave: ${fingerprintOf(key)}`);
  else notes.push(`the report: begun on ${began} at installation ${installation}, key ${fingerprintOf(key)}`);
  const all = Array.isArray(requirements) ? requirements : [];
  const count = kind => all.filter(one => one.verdict === kind).length;
  for (const { id, steps } of all.filter(one => one.verdict === 'passed'))
    if (!Array.isArray(steps) || steps.length === 0 || steps.some(step => step.is_right !== true))
      fault(`requirement ${id}`, 'it is said to be met, and not each step of it is right');
  if ((verdict === 'passed') !== (count('failed') === 0 && count('passed') > 0))
    fault('the report', 'its result is not what its requirements say');
  const read = `${count('passed')} requirements met, ${count('failed')} not met, ${count('not_tried')} not tried`;
  return { read, isShort: false };
}

/** A recall package: who signed it, its hashes, and whose sessions have signed its commits. */
function checkPackage(file, _kept, wantedKey) {
  const found = JSON.parse(readFileSync(file, 'utf8'));
  const { package_sha256: own, signed, ...content } = found;
  const where = 'the package';
  const { records, history, subject } = content;
  const sections = Object.entries({ trace: content.trace, records, history });
  if (
    !sections.every(([, one]) => isObject(one)) ||
    !Array.isArray(records.content) ||
    !Array.isArray(history.content)
  )
    throw new Error(`${file} has not the sections of a recall package`);
  if (sha256(canonical(signed === undefined ? content : { ...content, signed })) !== own)
    fault(where, 'it is not what its hash says');
  for (const [name, one] of sections) {
    const count = Array.isArray(one.content) ? one.content.length : 1;
    if (sha256(canonical(one.content)) !== one.sha256 || count !== one.count)
      fault(`section ${name}`, 'it is not what its hash or its count says');
  }
  checkPackageSignature(signed, content, wantedKey, where);
  checkPackagedCommits(history.content);
  for (const { key, fields, state } of records.content)
    if (sha256(canonical(fields)) !== state) fault(`record ${key}`, 'its fields are not what its hash says');
  for (const text of content.left_out ?? []) notes.push(`left out: ${text}`);
  const read = `${records.content.length} records, ${history.content.length} commits, of ${subject}`;
  return { read, isShort: false };
}

function checkPackageSignature(signed, content, wantedKey, where) {
  if (signed === undefined) {
    if (wantedKey) fault(where, 'it is not signed');
    return ask(
      'packages',
      'the package is not signed: a former version made it, or somebody took the signature off',
    );
  }
  const { signature, ...said } = isObject(signed) ? signed : {};
  const isMeant = said.says === 'holdpoint: recall package' && isKey(said.key) && isSignature(signature);
  const isIts = said.installation === content.station && said.sha256 === sha256(canonical(content));
  if (!isMeant || !isIts || !isSignedBy(said.key, canonical(said), signature))
    return fault(where, 'it is not what the key in it has signed');
  const present = fingerprintOf(said.key);
  if (wantedKey && present !== wantedKey)
    return fault(where, `it is signed by another key than the one you gave: ${present}`);
  return notes.push(
    `${where}: made on ${content.made_at} by installation ${said.installation}, key ${present}`,
  );
}

/** Their places in a chain, and what people's sessions have signed. Whose keys those are a trail says. */
function checkPackagedCommits(commits) {
  const places = new Map(commits.map(one => [`${one.chain} ${one.number}`, one.hash]));
  let signedByPeople = 0;
  for (const { hash, ...content } of commits) {
    const name = `commit ${content.commit_id}`;
    if (sha256(canonical(content)) !== hash) fault(name, 'it is not what its hash says');
    const before = content.number === 1 ? '' : places.get(`${content.chain} ${content.number - 1}`);
    if (before !== undefined && before !== content.previous_hash)
      fault(name, 'it does not follow the one before it');
    if ((content.authorship ?? null) === null) continue;
    const { why } = provedBy(content);
    if (why) fault(name, `it names ${content.user}, and ${why}`);
    else signedByPeople += 1;
  }
  notes.push(
    `commits: ${signedByPeople} of ${commits.length} are signed by people's sessions: whose, the trail says`,
  );
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      checkpoint: { type: 'string', multiple: true },
      key: { type: 'string' },
      about: { type: 'string', multiple: true },
    },
  });
  const [file] = positionals;
  if (!file || positionals.length > 1)
    throw new Error(
      'give one file: node verify.mjs FILE [--checkpoint FILE]... [--key SHA-256] [--about WHAT]...',
    );
  const wantedKey = values.key?.toLowerCase();
  if (wantedKey !== undefined && !isHash(wantedKey)) throw new Error('--key is a SHA-256: 64 digits of hex');
  const kept = (values.checkpoint ?? []).flatMap(name =>
    readCheckpoints(name).filter((one, index) =>
      checkSigned(one, undefined, `checkpoint ${index + 1} of ${name}`),
    ),
  );
  const words = values.about ?? [];
  const check = checkOf(file);
  if (words.length > 0 && check !== checkTrail) throw new Error('--about is for a trail');
  const { read, isShort, told = [] } = await check(file, kept, wantedKey, words);
  for (const note of notes) console.log(shown(`Note: ${note}`));
  for (const [kind, texts] of asks)
    for (const text of firstOf(kind, texts, MOST_ASKED)) console.log(shown(`Ask: ${text}`));
  for (const text of told) console.log(shown(`About: ${text}`));
  for (const [index, text] of faults.entries()) console.log(shown(`${index + 1}. ${text}`));
  const wrong = faults.length === 1 ? '1 thing is wrong' : `${faults.length} things are wrong`;
  const sound = isShort
    ? 'Only a part of history, in which nothing was found wrong, is in'
    : 'Nothing is wrong with';
  console.log(shown(`${faults.length === 0 ? sound : `${wrong} with`} ${file}: ${read}.`));
  process.exitCode = faults.length > 0 ? 1 : isShort ? 3 : 0;
} catch (error) {
  console.error(shown(`verify.mjs: ${error.message}`));
  process.exitCode = 2;
}

function checkOf(file) {
  const descriptor = openSync(file);
  const head = Buffer.alloc(200);
  readSync(descriptor, head);
  closeSync(descriptor);
  if (head.includes('"holdpoint trail 1"')) return checkTrail;
  if (head.includes('"holdpoint checkpoints 1"')) return checkCheckpoints;
  if (head.includes('"holdpoint validation 1"')) return checkReport;
  if (head.includes('"holdpoint-recall"')) return checkPackage;
  throw new Error(
    `${file} is neither a trail nor checkpoints nor a recall package nor a validation report of Holdpoint`,
  );
}
