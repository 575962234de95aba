import type { Entry } from '../../../../server/store/changes.ts';
import { holdEntry, type RELEASED, type WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { answerRequest, centralReader, writeAtCentral } from './central-machine.ts';
import { change, commitOf, entry } from './commits.ts';
import { type Central, readerOf } from './machines.ts';
import { UNPLACED } from './model.ts';
import { protocol, terms } from './protocol-table.ts';

/** A commit that a station sends. */
export type Sent = [id: string, ...entries: Entry[]];

export const EMPTY: Central = {
  epoch: 'e0',
  formers: [],
  chain: 'z.0',
  log: [],
  records: {},
  held: [],
  withdrawn: [],
  machines: {},
};

/** Central after its own commit, which creates two records, and after a station's commits in their order. */
export function centralAfter(...commits: Sent[]): Central {
  const created = [entry('part:1', change('name', 'old')), entry('part:2', change('name', 'old'))];
  const central = writeAtCentral(EMPTY, { ...UNPLACED, commit_id: 'z0', entries: created }, protocol);
  return pushed(central, ...commits);
}

/** Central after further commits of the station `a`. */
export function pushed(central: Central, ...commits: Sent[]): Central {
  return pushedBy('a', central, ...commits);
}

export function pushedBy(station: string, central: Central, ...commits: Sent[]): Central {
  let next = central;
  for (const [commit_id, ...entries] of commits) {
    const chain = `${station}.0`;
    const { number, hash } = centralReader(next).head(chain);
    const commits = [commitOf(commit_id, entries, { chain, number: number + 1, previous_hash: hash })];
    const cursor = protocol.cursorAt(
      next.log.at(-1) ?? { sequence: 0, hash: '' },
      centralReader(next),
      terms,
    );
    const request = {
      kind: 'push' as const,
      request: 'r',
      station,
      protocol: 1,
      cursor,
      offers: [],
      commits,
    };
    next = answerRequest(next, request, protocol, 1).central;
  }
  return next;
}

/** Central after its own word on a held commit. */
export function control(central: Central, id: string, path: typeof RELEASED | typeof WITHDRAWN): Central {
  const unplaced = { ...UNPLACED, commit_id: `${path} ${id}`, entries: [holdEntry(id, path)] };
  return writeAtCentral(central, unplaced, protocol);
}

/** What the last entry of the log decided, in words. */
export function lastDecisions(central: Central): string[] {
  const decisions = central.log.at(-1)?.decisions ?? [];
  return decisions.map(one => `${one.commit_id} ${one.outcome}${one.reason ? ` ${one.reason}` : ''}`);
}

export function nameOf(central: Central, subject: string): unknown {
  return readerOf(central.records, []).value(subject, 'name');
}
