import { canonical } from '../../faults/check-sequence.ts';
import type { MachineFile } from './machine-file.ts';

/** Two writes of one record on two machines that had not seen each other's, both answered 2xx. */
export interface Pair {
  kind: 'same field' | 'different fields';
  /** `supplier:12` */
  subject: string;
  writes: readonly [PairWrite, PairWrite];
}

export interface PairWrite {
  path: string;
  value: string;
}

/** K: of one field both values are named by an open conflict, and one stands; of two fields both stand, undisputed. */
export function keptFaults({ name, file, conflicts }: MachineFile, pairs: readonly Pair[]): string[] {
  const fields = new Map(file.records.map(record => [record.key, record.fields]));
  const open = Map.groupBy(
    [...conflicts.values()].filter(({ isOpen }) => isOpen),
    ({ subject }) => subject,
  );
  return pairs.flatMap(({ kind, subject, writes }) => {
    const record = fields.get(subject);
    if (!record) return [`${subject} of a pair is not on ${name}`];
    const standing = writes.filter(({ path, value }) => record[path] === value);
    const disputed = open.get(subject) ?? [];
    const say = (what: string) => `${kind} of ${subject} on ${name}: ${what}`;
    if (kind === 'different fields') {
      return [
        ...writes
          .filter(write => !standing.includes(write))
          .map(({ value }) => say(`${value} does not stand`)),
        ...disputed.map(({ path }) => say(`a conflict of ${path}`)),
      ];
    }
    const wanted = canonical(writes.map(({ value }) => value).sort());
    const isNamed = disputed.some(
      ({ path, siblings }) =>
        path === writes[0].path && canonical(siblings.map(({ value }) => String(value)).sort()) === wanted,
    );
    return [
      ...(standing.length === 1 ? [] : [say('neither value stands')]),
      ...(isNamed ? [] : [say('no open conflict names both values')]),
    ];
  });
}
