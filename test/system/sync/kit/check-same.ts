import { isObject } from '../../../support/expect-shape.ts';
import { type FaultLog, isWritten, outcomeOf } from '../../faults/fault-log.ts';
import type { StoredCommit } from '../../faults/stored-file.ts';
import type { MachineFile } from './machine-file.ts';

/** How many differences of one kind are told. */
const TOLD = 5;

/** C: nothing waits. */
export function waitingOn({ name, waiting }: MachineFile): string[] {
  return waiting.slice(0, TOLD).map(commit => `commit ${commit} waits on ${name}`);
}

/** C: the other machine holds what the first one holds. */
export function differences(first: MachineFile, other: MachineFile): string[] {
  const where = `on ${other.name} and not on ${first.name}`;
  const compare = (what: string, one: ReadonlyMap<string, string>, two: ReadonlyMap<string, string>) =>
    [...new Set([...one.keys(), ...two.keys()])]
      .filter(key => one.get(key) !== two.get(key))
      .slice(0, TOLD)
      .map(key => {
        if (one.has(key) && two.has(key)) return `${what} ${key} is another ${where}`;
        return `${what} ${key} is ${one.has(key) ? `on ${first.name} and not on ${other.name}` : where}`;
      });
  return [
    ...compare('record', first.records, other.records),
    ...compare('entry', first.log, other.log),
    ...compare('conflict', conflictTexts(first), conflictTexts(other)),
    ...compare('digest', first.digests, other.digests),
    ...compare('commit', commitHashes(first), commitHashes(other)),
    ...compare('stock', stockTexts(first), stockTexts(other)),
  ];
}

/** S, over all machines: one id names one commit, one place of a chain has one hash, one record has one creation. */
export class Names {
  readonly faults = new Set<string>();
  readonly #meanings = new Map<string, string>();

  constructor(logs: readonly FaultLog[]) {
    for (const log of logs) {
      for (const [name, marker] of givenNames(log)) this.#mean(name, marker);
    }
  }

  note({ file }: MachineFile): void {
    for (const { commit_id, chain, number, hash } of file.commits) {
      this.#mean(`commit ${commit_id}`, hash);
      this.#mean(`number ${number} of ${chain}`, hash);
    }
    for (const record of file.records) {
      this.#mean(record.key, 'creator' in record ? String(record.creator) : '');
    }
  }

  #mean(name: string, meaning: string): void {
    const known = this.#meanings.get(name) ?? meaning;
    this.#meanings.set(name, known);
    if (known !== meaning) this.faults.add(`${name} names two things: ${known} and ${meaning}`);
  }
}

/** What clients were told their new records are called. */
function givenNames(log: FaultLog): [name: string, marker: string][] {
  return log.operations.flatMap(logged => {
    const { operation, attempts } = logged;
    const answer = attempts.find(({ status }) => isWritten(status))?.answer;
    // What is answered for an item is its order.
    const isNew = operation.method === 'POST' && operation.kind !== 'order item';
    if (!isNew || outcomeOf(logged) !== 'written' || !isObject(answer) || !isObject(answer.data)) return [];
    return Object.entries(answer.data)
      .filter(([name, value]) => /^(id|order_number|shipment_number)$/.test(name) && value !== null)
      .map(([name, value]): [string, string] => [`${operation.kind} ${name} ${value}`, operation.marker]);
  });
}

function conflictTexts({ conflicts }: MachineFile): Map<string, string> {
  return new Map([...conflicts].map(([id, { text }]) => [id, text]));
}

/** Without what the setup of a station wrote, and was noted of it, before it had a central: it stays there, in a chain that is never sent. */
function commitHashes({ file, logged }: MachineFile): Map<string, string> {
  const isSetUp = ({ user, commit_id: id }: StoredCommit) => user === 'setup' && !logged.has(id);
  const stays = new Set(file.commits.filter(isSetUp).map(({ chain }) => chain));
  const isNoted = ({ user, chain }: StoredCommit) => user === 'audit-trail' && stays.has(chain);
  const exchanged = file.commits.filter(
    commit => logged.has(commit.commit_id) || !(isSetUp(commit) || isNoted(commit)),
  );
  return new Map(exchanged.map(({ chain, number, hash }) => [`${number} of ${chain}`, hash]));
}

function stockTexts({ file }: MachineFile): Map<string, string> {
  return new Map(file.stock.map(({ lot, location, quantity }) => [`${lot}@${location}`, String(quantity)]));
}
