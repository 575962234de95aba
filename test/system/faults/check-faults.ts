import { isObject } from '../../support/expect-shape.ts';
import { agreementFaults, decimalMillionths } from './check-agreement.ts';
import type { Violation } from './check-sequence.ts';
import { sequenceFaults } from './check-sequence.ts';
import { type FaultLog, isWritten, type Logged, outcomeOf } from './fault-log.ts';
import { readStoredFile, type StoredFile } from './stored-file.ts';

/** D durable, X once, A agree, S sequence, N no ghosts. */
interface Place {
  subject: string;
  changes: StoredFile['commits'][number]['entries'][number]['changes'];
}

/** Compares what clients were answered with what the database file of the folder holds. */
export function checkFaults(folder: string, log: FaultLog): Violation[] {
  const file = readStoredFile(folder);
  return [...answerFaults(file, log), ...agreementFaults(file), ...sequenceFaults(file)];
}

/** Without regard to how the file agrees with itself: also for one that exchanges commits with others. */
export function answerFaults(file: StoredFile, log: FaultLog): Violation[] {
  const places = placesOf(file, log.prefix);
  return [
    ...log.operations.flatMap(logged => operationFaults(logged, places.get(logged.operation.marker) ?? [])),
    ...ghosts(log, file, places),
    ...answeredTwice(log),
    ...shippedStock(log, file, places),
  ];
}

/** Where each marker stands in history: the entries of commits that brought it. */
function placesOf({ commits }: StoredFile, prefix: string): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const { entries } of commits) {
    for (const { subject, changes } of entries) {
      const values = changes.flatMap(change => valuesOf(change.new));
      for (const { value } of values) {
        if (typeof value !== 'string' || !value.startsWith(prefix)) continue;
        places.set(value, [...(places.get(value) ?? []), { subject, changes }]);
      }
    }
  }
  return places;
}

function operationFaults(logged: Logged, places: readonly Place[]): Violation[] {
  const { operation, attempts } = logged;
  const name = `${operation.kind} ${operation.marker}`;
  const outcome = outcomeOf(logged);
  const faults: Violation[] = [];
  if (places.length > 1)
    faults.push({ letter: 'X', what: `${name} stands ${places.length} times in history` });
  const [place] = places;
  if (outcome === 'refused' && place) {
    const statuses = attempts.map(({ status }) => status).join();
    faults.push({ letter: 'N', what: `${name} was answered ${statuses} and stands in ${place.subject}` });
  }
  if (outcome !== 'written') return faults;
  if (!place) return [...faults, { letter: 'D', what: `${name} was answered 2xx and is not in history` }];
  const answered = attempts.filter(({ status }) => isWritten(status)).map(({ answer }) => idOf(answer));
  if (new Set(answered).size > 1) {
    faults.push({ letter: 'X', what: `${name} was answered with the ids ${answered.join()}` });
  }
  const isItem = operation.kind === 'order item';
  const [id] = answered;
  if (!isItem && place.subject.split(':')[1] !== String(id)) {
    faults.push({
      letter: 'D',
      what: `${name} was answered with the id ${id} and stands in ${place.subject}`,
    });
  }
  return [...faults, ...missingValues(name, operation.body, place)];
}

/** Every value of the body stands in what the commit changed, under its name. */
function missingValues(name: string, body: Record<string, unknown>, { changes }: Place): Violation[] {
  const written = changes.flatMap(change => valuesOf(change.new, change.path.split('.').at(-1)));
  return valuesOf(body)
    .filter(wanted => wanted.name !== 'order_id')
    .filter(wanted => !written.some(value => value.name === wanted.name && value.value === wanted.value))
    .map(wanted => ({
      letter: 'D',
      what: `${name}: its ${wanted.name} ${JSON.stringify(wanted.value)} is not in history`,
    }));
}

/** Markers that nobody sent, and refused ones in a record that history does not tell of. */
function ghosts(log: FaultLog, { records }: StoredFile, places: ReadonlyMap<string, Place[]>): Violation[] {
  const known = new Map(log.operations.map(logged => [logged.operation.marker, outcomeOf(logged)]));
  const inHistory = [...places.keys()].filter(marker => !known.has(marker));
  const inRecords = records.flatMap(({ key, fields }) =>
    valuesOf(fields).flatMap(({ value }) => {
      const isMarker = typeof value === 'string' && value.startsWith(log.prefix);
      const outcome = isMarker ? known.get(value) : 'written';
      return outcome === undefined || outcome === 'refused' ? [`${value} in ${key}`] : [];
    }),
  );
  return [...inHistory, ...inRecords].map(where => ({
    letter: 'N',
    what: `nobody was told that ${where} is written`,
  }));
}

/** No id and no number was answered for two creates. */
function answeredTwice(log: FaultLog): Violation[] {
  const given = new Map<string, number>();
  const faults: Violation[] = [];
  for (const { operation, attempts } of log.operations) {
    const answer = attempts.find(({ status }) => isWritten(status))?.answer;
    // What is answered for an item is its order.
    if (
      operation.method !== 'POST' ||
      operation.kind === 'order item' ||
      !isObject(answer) ||
      !isObject(answer.data)
    )
      continue;
    for (const [name, value] of Object.entries(answer.data)) {
      if (name !== 'id' && !/^(order|shipment)_number$/.test(name)) continue;
      const what = `${operation.kind} ${name} ${value}`;
      const before = given.get(what);
      if (before !== undefined && before !== operation.number) {
        faults.push({
          letter: 'S',
          what: `${what} was given to the operations ${before} and ${operation.number}`,
        });
      }
      given.set(what, operation.number);
    }
  }
  return faults;
}

/** The stock of the lot that the clients share is what they received less what they shipped, to the millionth. */
function shippedStock(log: FaultLog, file: StoredFile, places: ReadonlyMap<string, Place[]>): Violation[] {
  let expected = 0n;
  const lots = new Set<bigint>();
  for (const logged of log.operations) {
    const { kind, marker, body } = logged.operation;
    // One that was cut off counts when history has it; one that was answered counts in any case.
    const counts = outcomeOf(logged) === 'written' || places.has(marker);
    if (!counts || (kind !== 'receipt' && kind !== 'shipment')) continue;
    for (const item of Array.isArray(body.items) ? body.items : []) {
      if (kind === 'receipt') expected += decimalMillionths(item.quantity_accepted);
      else expected -= decimalMillionths(item.quantity);
    }
    const lot = lotOf(logged);
    if (lot !== undefined) lots.add(lot);
  }
  const stored = file.stock
    .filter(({ lot }) => lots.has(lot))
    .reduce((sum, { quantity }) => sum + quantity, 0n);
  if (lots.size === 0 || stored === expected) return [];
  return [{ letter: 'A', what: `stock of the lot is ${stored} millionths; the log says ${expected}` }];
}

function lotOf({ operation, attempts }: Logged): bigint | undefined {
  const answer = attempts.find(({ status }) => isWritten(status))?.answer;
  if (operation.kind !== 'receipt' || !isObject(answer) || !isObject(answer.data)) return undefined;
  const [item] = Array.isArray(answer.data.items) ? answer.data.items : [];
  return isObject(item) ? BigInt(Number(item.inventory_id)) : undefined;
}

function idOf(answer: unknown): unknown {
  return isObject(answer) && isObject(answer.data) ? answer.data.id : undefined;
}

/** Every text, number and boolean within a value, with the name it stands under. */
function valuesOf(value: unknown, name = ''): { name: string; value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(element => valuesOf(element, name));
  if (isObject(value)) return Object.entries(value).flatMap(([key, member]) => valuesOf(member, key));
  return value === null || value === undefined ? [] : [{ name, value }];
}
