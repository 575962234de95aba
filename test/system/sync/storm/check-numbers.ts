import { isObject } from '../../../support/expect-shape.ts';
import type { StoredDocument } from '../../faults/stored-file.ts';
import type { MachineFile } from '../kit/machine-file.ts';
import type { Write } from './acknowledged.ts';
import type { Standing } from './standing.ts';

interface Created {
  write: Write;
  subject: string;
  record: StoredDocument | undefined;
}

/** The fields by which people know a record on paper, which the server gives. */
const NUMBERS = ['order_number', 'shipment_number'];

/**
 * What authors were told stands: the number on paper for good, the id as long as no disk was copied or put back. Two disks that were
 * one may give the same: then people are shown both.
 */
export function numberFaults(
  { file }: MachineFile,
  writes: readonly Write[],
  { places, held }: Standing,
): string[] {
  const records = new Map(file.records.map(record => [record.key, record]));
  const lives = Map.groupBy(new Set(writes.map(({ life }) => life)), ({ root }) => root);
  const created: Created[] = writes.flatMap(write => {
    const subject = places.get(write.marker)?.[0]?.subject;
    const isCreation = write.record === write.marker && write.kind !== 'order item';
    return isCreation && subject !== undefined && !held.has(write.marker)
      ? [{ write, subject, record: records.get(subject) }]
      : [];
  });
  const told = created.flatMap(({ write, subject, record }) => {
    const { told: answered, life, kind, marker } = write;
    if (!answered) return [];
    const name = `${kind} ${marker}`;
    const number = NUMBERS.map(field => record?.fields[field]).find(value => value !== undefined) ?? null;
    const isMoved = !subject.endsWith(`:${answered.id}`);
    return [
      ...(number === answered.number ? [] : [`${name} is ${number}, and was told to be ${answered.number}`]),
      ...(isMoved && lives.get(life.root)?.length === 1
        ? [`${name} is ${subject}, and was told to be ${answered.id}`]
        : []),
    ];
  });
  const numbered = created.flatMap(one =>
    NUMBERS.flatMap(field => {
      const number = one.record?.fields[field];
      return typeof number === 'string' ? [{ ...one, number: `${field} ${number}` }] : [];
    }),
  );
  const twice = [...Map.groupBy(numbered, ({ number }) => number)].flatMap(([number, same]) => {
    const pairs = same.flatMap(({ write: one }, index) =>
      same.slice(index + 1).map(({ write: other }) => [one, other] as const),
    );
    return pairs
      .filter(([one, other]) => !mayBeGivenTwice(one, other))
      .map(([one, other]) => `${number} is that of ${one.marker} and of ${other.marker}`);
  });
  return [...told, ...twice, ...itemsTwice(file, writes)];
}

/** Written on two disks that were one, by each after that. */
function mayBeGivenTwice(one: Write, other: Write): boolean {
  return (
    one.life !== other.life &&
    one.life.root === other.life.root &&
    !one.life.inherited.has(other.marker) &&
    !other.life.inherited.has(one.marker)
  );
}

/**
 * An item that came into a record alone, on each of two disks that were one, may have the id of the other: decisions/0014 says it
 * is open.
 */
function itemsTwice({ records }: MachineFile['file'], writes: readonly Write[]): string[] {
  const byMarker = new Map(writes.map(write => [write.marker, write]));
  const items = records.flatMap(({ family, fields }) =>
    Object.entries(isObject(fields.items) ? fields.items : {}).map(([id, item]) => {
      const alone = isObject(item) ? byMarker.get(String(item.serial_number)) : undefined;
      return { name: `item ${id} of ${family}`, alone };
    }),
  );
  return [...Map.groupBy(items, ({ name }) => name)].flatMap(([name, [first, ...others]]) =>
    others
      .filter(({ alone }) => !(alone && first?.alone && mayBeGivenTwice(alone, first.alone)))
      .map(() => `${name} stands in two records`),
  );
}
