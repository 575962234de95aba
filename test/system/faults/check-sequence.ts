import { createHash } from 'node:crypto';
import type { StoredCommit, StoredFile } from './stored-file.ts';

/** S: chains without a gap, each hash right, and no id and no number that names two things. */
export function sequenceFaults({ commits, records }: StoredFile): Violation[] {
  return [...chainFaults(commits), ...sameTwice(commits, records)].map(what => ({ letter: 'S', what }));
}

function chainFaults(commits: readonly StoredCommit[]): string[] {
  const heads = new Map<string, { number: number; hash: string }>();
  return commits.flatMap(({ sequence: _, hash, ...commit }) => {
    const { chain, number, previous_hash } = commit;
    const before = heads.get(chain) ?? { number: 0, hash: '' };
    heads.set(chain, { number, hash });
    const name = `commit ${number} of ${chain}`;
    return [
      ...(number === before.number + 1 ? [] : [`${name} stands after ${before.number}`]),
      ...(previous_hash === before.hash ? [] : [`${name} does not name the hash before it`]),
      ...(sha256(canonical(commit)) === hash ? [] : [`${name} is not what its hash says`]),
    ];
  });
}

function sameTwice(commits: readonly StoredCommit[], records: StoredFile['records']): string[] {
  const names = [
    ...commits.map(({ commit_id }) => `commit ${commit_id}`),
    ...records.map(({ family, id }) => `${family} ${id}`),
    ...records.flatMap(({ family, fields }) =>
      typeof fields.items === 'object' && fields.items !== null
        ? Object.keys(fields.items).map(id => `item ${id} of ${family}`)
        : [],
    ),
    ...records.flatMap(({ fields }) =>
      ['order_number', 'shipment_number', 'ncr_number']
        .filter(name => fields[name] !== undefined && fields[name] !== null)
        .map(name => `${name} ${fields[name]}`),
    ),
  ];
  const seen = new Set<string>();
  return names.flatMap(name => (seen.size === seen.add(name).size ? [`${name} names two things`] : []));
}

/** Keys by code unit, without what is absent: written down a second time here, so that a fault of one is seen. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What a violation is of, as the checks are lettered. */
export type Letter = 'D' | 'X' | 'A' | 'S' | 'N';

export interface Violation {
  letter: Letter;
  what: string;
}
