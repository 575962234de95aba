#!/usr/bin/env node
// Checks what Holdpoint exported, with Node.js alone: no other file, no network, no trust in the program that wrote it.
//
//   node verify.mjs FILE [--checkpoint FILE]... [--key SHA-256]
//
// FILE is a trail ("npx holdpoint trail FILE") or a file of checkpoints ("npx holdpoint checkpoint FILE"). The format is in
// README.md beside this file. Ends with 0 when nothing is wrong, with 1 when something is, with 2 when it was not understood.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';

const faults = [];
const notes = [];
const fault = (where, what) => faults.push(`${where}: ${what}`);
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

const fingerprintOf = key => createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex');

function isSigned({ signature, ...content }) {
  const isMeant = content.says === 'holdpoint: checkpoint';
  return isMeant && isSignedBy(content.key, canonical(content), signature);
}

function isSignedBy(x, text, signature) {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** Places that checkpoints say a hash of: "log 40", "chain NAME 12". */
const placesOf = ({ log, chain }) => [
  ...(log ? [{ name: `log ${log.sequence}`, hash: log.hash }] : []),
  ...(chain ? [{ name: `chain ${chain.chain} ${chain.number}`, hash: chain.hash }] : []),
];

function checkSigned(checkpoint, wantedKey, where) {
  if (!isSigned(checkpoint)) {
    fault(where, 'it is not what the key in it has signed');
    return false;
  }
  const fingerprint = fingerprintOf(checkpoint.key);
  if (wantedKey && fingerprint !== wantedKey) {
    fault(where, `it is signed by another key than the one you gave: ${fingerprint}`);
    return false;
  }
  notes.push(
    `${where}: signed on ${checkpoint.at} by installation ${checkpoint.installation}, key ${fingerprint}`,
  );
  return true;
}

function readCheckpoints(file) {
  const { format, checkpoints } = JSON.parse(readFileSync(file, 'utf8'));
  if (format !== 'holdpoint checkpoints 1') throw new Error(`${file} is no file of checkpoints`);
  return checkpoints;
}

/** What stays the same when records are given other ids, as when an installation joins a central. */
function isOfOtherId(said) {
  const signed = JSON.parse(said.signed);
  const names = ['user_name', 'at', 'meaning', 'reason', 'version'];
  const isSame = name => canonical(signed[name] ?? null) === canonical(said[name] ?? null);
  return signed.says === 'holdpoint: signature' && names.every(isSame);
}

/** What people's own keys prove of the signatures in a trail; which key is whose the records of the users say. */
function createPeople() {
  const keys = new Map();
  const held = new Map();
  const moved = [];
  const counts = { proved: 0, without: 0 };
  const members = ['subject', 'user_id', 'user_name', 'at', 'meaning', 'reason', 'version', 'state'];
  return {
    /** What was held counts once it is let in, and what was given up never. */
    follow(commit, decisions, where) {
      if (!decisions) return this.check(commit, where);
      if (decisions[0]?.outcome === 'held') held.set(commit.commit_id, commit);
      for (const { commit_id: id, outcome } of decisions) {
        if (outcome === 'applied')
          this.check(id === commit.commit_id ? commit : (held.get(id) ?? { entries: [] }), where);
      }
    },
    check({ entries }, where) {
      for (const { subject, changes } of entries) {
        const said = Object.fromEntries(changes.map(change => [change.path, change.new]));
        if (subject.startsWith('user:') && said.public_key) {
          keys.set(subject, new Set([...(keys.get(subject) ?? []), said.public_key]));
        }
        if (!subject.startsWith('signature:') || said.meaning === undefined) continue;
        if (!said.key && !said.proof) {
          counts.without += 1;
          continue;
        }
        const text = canonical({
          says: 'holdpoint: signature',
          ...Object.fromEntries(members.map(name => [name, said[name] ?? null])),
        });
        if (!isSignedBy(said.key, said.signed, said.proof)) {
          fault(where, `${subject} of ${said.user_name} is not what the key in it has signed`);
        } else if (said.signed !== text && !isOfOtherId(said)) {
          fault(where, `${subject} of ${said.user_name} says something else than the key in it has signed`);
        } else if (said.signed !== text) {
          moved.push(
            `${subject} of ${said.user_name} was signed before its record was given another id: ${said.signed}`,
          );
        } else if (!keys.get(`user:${said.user_id}`)?.has(said.key)) {
          fault(where, `${subject} is signed by a key that is not ${said.user_name}'s`);
        } else counts.proved += 1;
      }
    },
    tell() {
      notes.push(...moved);
      if (counts.proved + counts.without > 0)
        notes.push(
          `signatures: ${counts.proved} proved by the signer's own key, ${counts.without} made without one`,
        );
    },
  };
}

/** A line ends with a line feed and nothing else: readline takes others for ends as well, which stand within texts. */
async function* linesOf(file) {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  yield rest;
}

/** Line by line: memory does not grow with the file. */
async function checkTrail(file, kept, wantedKey) {
  const wanted = new Map(kept.flatMap(one => placesOf(one).map(place => [place.name, { ...place, one }])));
  const heads = new Map();
  const ids = new Set();
  let header;
  let log;
  let last;
  let commits = 0;
  let number = 0;
  const people = createPeople();
  const met = place => {
    const asked = wanted.get(place.name);
    if (!asked) return;
    wanted.delete(place.name);
    if (asked.hash !== place.hash)
      fault(
        place.name,
        `on ${asked.one.at} it had the hash ${asked.hash}, and has ${place.hash} now: history was rewritten`,
      );
  };
  for await (const text of linesOf(file)) {
    number += 1;
    if (text === '') continue;
    const where = `line ${number}`;
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      fault(where, 'it is cut off, or no JSON');
      break;
    }
    if (!header) {
      header = line;
      log = header.log_after ?? { sequence: 0, hash: '' };
      if (header.log_after?.sequence > 0)
        notes.push(`the log begins after entry ${log.sequence}: what came before is not in this file`);
      continue;
    }
    if (last) fault(where, 'something follows the checkpoint that ends the file');
    if (line.checkpoint) {
      last = line.checkpoint;
      continue;
    }
    const { commit } = line;
    const { hash, ...content } = commit;
    commits += 1;
    people.follow(commit, line.decisions, where);
    if (sha256(canonical(content)) !== hash)
      fault(where, `commit ${commit.commit_id} is not what its hash says`);
    // Of two in one place, the one that was given up is told as such.
    if (!line.is_abandoned) {
      const head = heads.get(commit.chain);
      if (head && (commit.number !== head.number + 1 || commit.previous_hash !== head.hash))
        fault(
          where,
          `commit ${commit.number} of chain ${commit.chain} does not follow commit ${head.number}`,
        );
      if (!head && commit.number !== 1)
        notes.push(`chain ${commit.chain} begins with commit ${commit.number} in this file`);
      if (!head && commit.number === 1 && commit.previous_hash !== '')
        fault(where, 'the first commit of a chain follows another one');
      heads.set(commit.chain, { number: commit.number, hash });
      met({ name: `chain ${commit.chain} ${commit.number}`, hash });
    }
    if (line.sequence === undefined) continue;
    if (line.sequence !== log.sequence + 1)
      fault(where, `entry ${line.sequence} does not follow entry ${log.sequence}`);
    const expected = sha256(
      canonical({ before: log.hash, sequence: line.sequence, commit: hash, decisions: line.decisions }),
    );
    if (expected !== line.hash) fault(where, `entry ${line.sequence} of the log is not what its hash says`);
    if (ids.has(commit.commit_id) && line.decisions[0]?.outcome === 'applied')
      fault(where, `commit ${commit.commit_id} was applied twice`);
    ids.add(commit.commit_id);
    log = { sequence: line.sequence, hash: line.hash };
    met({ name: `log ${line.sequence}`, hash: line.hash });
  }
  if (!header) fault(file, 'it is empty');
  else if (!last) fault('the end', 'there is no checkpoint: the file is cut off');
  else if (checkSigned(last, wantedKey, 'the checkpoint at the end')) {
    if (last.installation !== header.installation)
      fault('the end', 'the checkpoint is of another installation than the file');
    if (last.log && (last.log.sequence !== log.sequence || last.log.hash !== log.hash))
      fault('the end', 'the log does not end where the checkpoint says');
    if (!last.log && log.sequence > 0) fault('the end', 'the checkpoint says nothing of the log');
    const head = last.chain && heads.get(last.chain.chain);
    if (last.chain && (head?.number !== last.chain.number || head?.hash !== last.chain.hash))
      fault('the end', 'the chain does not end where the checkpoint says');
  }
  for (const { name, one } of wanted.values()) {
    const [kind, first] = name.split(' ');
    const isBefore = kind === 'log' ? Number(first) <= (header?.log_after?.sequence ?? 0) : !heads.has(first);
    const where = `${name} of ${one.at}`;
    if (isBefore) notes.push(`${where}: not in this file`);
    else fault(where, 'it was signed, and is not here: what came last was taken out');
  }
  people.tell();
  return `${commits} commits in ${heads.size} chains, ${log?.sequence ?? 0} entries of the log`;
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { checkpoint: { type: 'string', multiple: true }, key: { type: 'string' } },
  });
  const [file] = positionals;
  if (!file || positionals.length > 1)
    throw new Error('give one file: node verify.mjs FILE [--checkpoint FILE]... [--key SHA-256]');
  const wantedKey = values.key?.toLowerCase();
  const kept = (values.checkpoint ?? []).flatMap(name =>
    readCheckpoints(name).filter((one, index) =>
      checkSigned(one, undefined, `checkpoint ${index + 1} of ${name}`),
    ),
  );
  let read;
  if (isTrail(file)) read = await checkTrail(file, kept, wantedKey);
  else {
    const checkpoints = readCheckpoints(file);
    for (const [index, one] of checkpoints.entries())
      checkSigned(one, index === 0 ? wantedKey : undefined, `checkpoint ${index + 1}`);
    const hashes = new Map();
    for (const one of [...checkpoints, ...kept])
      for (const { name, hash } of placesOf(one)) {
        const place = `${name} of ${one.log && name.startsWith('log') ? one.log.epoch : one.installation}`;
        if (hashes.has(place) && hashes.get(place) !== hash)
          fault(place, 'two checkpoints say different things of it: somebody was shown another history');
        hashes.set(place, hash);
      }
    read = checkpoints.length === 1 ? '1 checkpoint' : `${checkpoints.length} checkpoints`;
  }
  for (const note of notes) console.log(`Note: ${note}`);
  for (const [index, text] of faults.entries()) console.log(`${index + 1}. ${text}`);
  console.log(
    `${faults.length === 0 ? 'Nothing is' : faults.length === 1 ? '1 thing is' : `${faults.length} things are`} wrong with ${file}: ${read}.`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(`verify.mjs: ${error.message}`);
  process.exitCode = 2;
}

function isTrail(file) {
  const descriptor = openSync(file);
  const head = Buffer.alloc(200);
  readSync(descriptor, head);
  closeSync(descriptor);
  if (head.includes('"holdpoint trail 1"')) return true;
  if (head.includes('"holdpoint checkpoints 1"')) return false;
  throw new Error(`${file} is neither a trail nor a file of checkpoints of Holdpoint`);
}
