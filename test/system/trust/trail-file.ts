import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';

/** A commit as a line of a trail has it. */
export interface TrailCommit {
  chain: string;
  number: number;
  commit_id: string;
  at: string;
  user: string;
  reason: string | null;
  entries: { subject: string; changes: { path: string; new: unknown }[] }[];
  previous_hash: string;
  hash: string;
  authorship?: object;
}

export interface Line {
  format?: string;
  log_after?: { sequence: number; hash: string } | null;
  sequence?: number;
  hash?: string;
  ends?: unknown;
  decisions?: { outcome: string }[];
  commit?: TrailCommit;
  checkpoint?: Checkpoint;
}

export function readTrail(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text));
}

export function writeTrail(file: string, lines: readonly Line[]): void {
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
}

const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** As one does who can write everything: all numbers and hashes are made right again. */
export function hashedAnew(lines: readonly Line[]): Line[] {
  const heads = new Map<string, { number: number; hash: string }>();
  let log = { sequence: 0, hash: '' };
  return lines.map(line => {
    if (line.checkpoint) {
      const { log: place, chain } = line.checkpoint;
      const own = chain && heads.get(chain.chain);
      return {
        checkpoint: {
          ...line.checkpoint,
          log: place && { ...place, ...log },
          chain: chain && own ? { chain: chain.chain, ...own } : null,
        },
      };
    }
    if (line.log_after) log = line.log_after;
    if (!line.commit) return line;
    const { hash: _, ...content } = line.commit;
    const head = heads.get(content.chain) ?? { number: 0, hash: '' };
    const commit = { ...content, number: head.number + 1, previous_hash: head.hash };
    const hash = sha256(commit);
    heads.set(commit.chain, { number: commit.number, hash });
    if (line.sequence === undefined) return { ...line, commit: { ...commit, hash } };
    const sequence = log.sequence + 1;
    log = { sequence, hash: sha256({ before: log.hash, sequence, commit: hash, decisions: line.decisions }) };
    return { ...line, ...log, commit: { ...commit, hash } };
  });
}

/** The checkpoint at the end signed anew. */
export function signedAnew(lines: readonly Line[], key: KeyObject): Line[] {
  return lines.map(line => {
    if (!line.checkpoint) return line;
    const { signature: _, ...content } = line.checkpoint;
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    const told = { ...content, key: x };
    const signature = sign(null, Buffer.from(canonicalJson(told)), key).toString('base64url');
    return { checkpoint: { ...told, signature } };
  });
}

export function otherKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}
