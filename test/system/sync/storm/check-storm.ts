import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../../server/store/verify/verify.ts';
import { canonical } from '../../faults/check-sequence.ts';
import type { StoredDocument } from '../../faults/stored-file.ts';
import { differences, waitingOn } from '../kit/check-same.ts';
import { type Machine, type MachineFile, readMachineFile } from '../kit/machine-file.ts';
import type { Write } from './acknowledged.ts';
import { numberFaults } from './check-numbers.ts';
import { type Standing, standingIn } from './standing.ts';

/**
 * - `history`: an acknowledged write stands exactly once, by its author, in the record that he meant, over what he had seen;
 *   what was refused, or was lost with a disk, nowhere; all else at most once
 * - `update`: a value that nobody knowingly replaced stands, or is named by an open conflict, and nothing else is
 * - `stock`: what history has of receipts less shipments
 * - `names`: no id and no number for two things, and what an author was told is so
 * - `same`: all machines hold the same, and nothing waits
 * - `verify`: each machine agrees with itself
 */
export type StormLetter = 'history' | 'update' | 'stock' | 'names' | 'same' | 'verify';

export interface StormViolation {
  letter: StormLetter;
  what: string;
}

export interface StormEvidence {
  /** Central first. They have exchanged all, and nobody writes. */
  machines: readonly Machine[];
  writes: readonly Write[];
  /** Where several records have one number, how many have such on each machine's page of what needs attention. */
  shownTwice: readonly number[];
}

/**
 * Compares what authors were answered anywhere with what every machine's database holds.
 * @param wanted ends as soon as each of these is found, and then verifies no machine that need not be
 */
export async function checkStorm(
  { machines, writes, shownTwice }: StormEvidence,
  wanted?: readonly StormLetter[],
): Promise<StormViolation[]> {
  const violations: StormViolation[] = [];
  const isFound = (letters: readonly StormLetter[] | undefined) =>
    letters?.every(letter => violations.some(violation => violation.letter === letter)) === true;
  const isVerifyWanted = wanted?.includes('verify') ?? true;
  let first: MachineFile | undefined;
  for (const machine of machines) {
    const read = readMachineFile(machine);
    const add = (letter: StormLetter, faults: readonly string[]) => {
      for (const what of faults) violations.push({ letter, what: `${machine.name}: ${what}` });
    };
    const standing = standingIn(read, writes);
    add(
      'history',
      writes.flatMap(write => historyFaults(write, standing)),
    );
    add('update', updateFaults(read, writes, standing));
    add('stock', stockFaults(read, writes, standing));
    add('names', numberFaults(read, writes, standing));
    add('same', waitingOn(standing.counted));
    if (first) add('same', differences(first, standing.counted));
    const twice = numbersTwice(read.file.records);
    if (shownTwice.some(shown => shown !== twice)) {
      add('names', [`${twice} records have the number of another, and ${shownTwice.join()} are shown`]);
    }
    if (isVerifyWanted) {
      const { findings } = await verify(machine.folder, verifyDependencies);
      add(
        'verify',
        findings.map(({ what, where }) => `${what} (${where})`),
      );
    }
    if (isFound(wanted)) break;
    first ??= standing.counted;
  }
  return violations;
}

function historyFaults(write: Write, standing: Standing): string[] {
  const places = standing.places.get(write.marker) ?? [];
  const name = `${write.kind} ${write.marker}`;
  const [place] = places;
  if (places.length > 1) return [`${name} stands ${places.length} times in history`];
  if (write.outcome === 'refused' && place)
    return [`${name} was refused and stands in ${place.subject} (${write.refusal})`];
  if (write.isLost && place) return [`${name} was on a lost disk alone and stands in ${place.subject}`];
  if (!place) {
    return write.outcome === 'acknowledged' && !write.isLost
      ? [`${name} was acknowledged and is not in history`]
      : [];
  }
  const faults: string[] = [];
  if (place.user !== write.author) faults.push(`${name} is of ${place.user} and not of ${write.author}`);
  // Its record has another id now, and what has this one may be another record: a person looks at it.
  if (standing.held.has(write.marker)) return faults;
  const meant = standing.places.get(write.record)?.[0];
  if (meant?.subject !== place.subject) {
    faults.push(`${name} stands in ${place.subject} and is of the record ${meant?.subject}`);
  }
  if (write.path === null) return faults;
  // A person decides on what is in conflict then.
  if (write.kind === 'decision') return faults;
  const seen = write.seen.length > 0 ? write.seen : [write.record];
  const commits = seen.map(marker => standing.places.get(marker)?.[0]?.commit ?? `none of ${marker}`);
  if (!commits.every(commit => place.over.includes(commit)))
    faults.push(`${name} is over ${place.over.join()} and its author had seen ${commits.join()}`);
  return faults;
}

/** The values of one field that no write which is in history was made over, against what stands and is in conflict. */
function updateFaults(
  { file, conflicts }: MachineFile,
  writes: readonly Write[],
  standing: Standing,
): string[] {
  const records = new Map(file.records.map(record => [record.key, record]));
  const open = [...conflicts.values()].filter(({ isOpen }) => isOpen);
  const inHistory = writes.filter(({ path, marker }) => path !== null && hasEffect(marker, standing));
  const fields = Map.groupBy(inHistory, ({ record, path }) => `${record} ${path}`);
  const faults = [...fields.values()].flatMap(ofField => {
    const [{ record, path }] = ofField as [Write, ...Write[]];
    const subject = standing.places.get(record)?.[0]?.subject ?? '';
    const replaced = new Set(ofField.flatMap(write => replacedBy(write, standing)));
    const heads = ofField.map(({ marker }) => marker).filter(marker => !replaced.has(marker));
    const standingValue = String(records.get(subject)?.fields[path ?? '']);
    const disputed = open.find(conflict => conflict.subject === subject && conflict.path === path);
    const named = disputed?.siblings.map(({ value }) => String(value)) ?? [standingValue];
    const say = `${path} of ${subject}`;
    return [
      ...(heads.includes(standingValue) ? [] : [`${say} is ${standingValue}, not one of ${heads.join()}`]),
      ...(canonical(named.toSorted()) === canonical(heads.toSorted())
        ? []
        : [`${say} names ${named.join()}; nobody replaced ${heads.join()}`]),
    ];
  });
  const known = new Set([...fields.values()].map(([write]) => placeOf(write, standing)));
  const others = open.filter(({ subject, path }) => !known.has(`${subject} ${path}`));
  return [
    ...faults,
    ...others.map(({ subject, path }) => `a conflict of ${path} of ${subject}, without two writes`),
  ];
}

/** Markers of what a write was made over. Of a decision history says it: what came after the author's look is decided with it. */
function replacedBy({ kind, marker, seen }: Write, { places, markers }: Standing): readonly string[] {
  if (kind !== 'decision') return seen;
  return places.get(marker)?.[0]?.over.flatMap(commit => markers.get(commit) ?? []) ?? [];
}

function placeOf(write: Write | undefined, { places }: Standing): string {
  return `${places.get(write?.record ?? '')?.[0]?.subject} ${write?.path}`;
}

function hasEffect(marker: string, { places, held }: Standing): boolean {
  return places.has(marker) && !held.has(marker);
}

function stockFaults({ file }: MachineFile, writes: readonly Write[], standing: Standing): string[] {
  const expected = writes
    .filter(({ marker }) => hasEffect(marker, standing))
    .reduce((sum, { stock }) => sum + stock, 0n);
  const stored = file.stock.reduce((sum, { quantity }) => sum + quantity, 0n);
  return stored === expected ? [] : [`stock is ${stored} millionths; the writes say ${expected}`];
}

/** How many records have a number that another one has as well. */
export function numbersTwice(records: readonly StoredDocument[]): number {
  const named = records.flatMap(({ family, fields }) =>
    ['order_number', 'shipment_number', 'ncr_number'].flatMap(name =>
      typeof fields[name] === 'string' ? [`${family} ${fields[name]}`] : [],
    ),
  );
  const groups = [...Map.groupBy(named, name => name).values()];
  return groups.filter(group => group.length > 1).reduce((sum, group) => sum + group.length, 0);
}
