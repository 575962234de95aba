import type { MachineFile } from '../kit/machine-file.ts';
import type { Write } from './acknowledged.ts';
import { reading } from './on-disk.ts';

/** Where a marker stands: one change of a commit that counts. */
export interface StandingPlace {
  commit: string;
  user: string;
  subject: string;
  over: readonly string[];
}

export interface Standing {
  places: ReadonlyMap<string, readonly StandingPlace[]>;
  /** Markers of writes over a record that was issued again under another id: central holds them until a person decides. */
  held: ReadonlySet<string>;
  /** The markers that each commit wrote. */
  markers: ReadonlyMap<string, readonly string[]>;
  /** What the machine holds, without the commits that do not count. */
  counted: MachineFile;
}

/**
 * Where each write stands in the history of a machine. Left out are commits that do not count: another one came into their place
 * of the chain, they were known already when they came, they were issued again under another id and withdrawn, or they issued
 * again what had been issued again before.
 */
export function standingIn(machine: MachineFile, writes: readonly Write[]): Standing {
  const { file, folder } = machine;
  const markers = new Set(writes.map(({ marker }) => marker));
  const without = discounted(folder);
  const commits = file.commits.filter(
    ({ chain, number, hash, commit_id: commit }) =>
      ![`${chain} ${number} ${hash}`, `${chain} ${number}`, commit].some(name => without.has(name)),
  );
  const places = new Map<string, StandingPlace[]>();
  for (const { commit_id: commit, user, entries } of commits) {
    for (const { subject, changes } of entries) {
      for (const { new: value, over } of changes) {
        for (const marker of textsIn(value).filter(text => markers.has(text))) {
          places.set(marker, [...(places.get(marker) ?? []), { commit, user, subject, over }]);
        }
      }
    }
  }
  const written = [...places].flatMap(([marker, all]) => all.map(({ commit }) => ({ marker, commit })));
  const byCommit = Map.groupBy(written, ({ commit }) => commit);
  const markersOf = new Map(
    [...byCommit].map(([commit, all]): [string, string[]] => [commit, all.map(({ marker }) => marker)]),
  );
  const heldCommits = heldOn(folder);
  const held = new Set(written.flatMap(({ marker, commit }) => (heldCommits.has(commit) ? [marker] : [])));
  return {
    places,
    held,
    markers: markersOf,
    counted: {
      ...machine,
      file: { ...file, commits },
      waiting: machine.waiting.filter(commit => !heldCommits.has(commit)),
    },
  };
}

function discounted(folder: string): Set<string> {
  return reading(folder, database => {
    const abandoned = database.prepare('SELECT chain, number, hash FROM abandoned').all();
    const repeated = database
      .prepare(
        `SELECT chain, number FROM log WHERE decisions LIKE '%"repeated"%' OR decisions LIKE '%"nothing_held"%'`,
      )
      .all();
    const withdrawn = database.prepare('SELECT commit_id FROM held WHERE is_withdrawn = 1').all();
    return new Set([
      ...withdrawn.map(row => String(row.commit_id)),
      ...abandoned.map(({ chain, number, hash }) => `${chain} ${number} ${hash}`),
      ...repeated.map(({ chain, number }) => `${chain} ${number}`),
    ]);
  });
}

/** Those that the documented protocol leaves to a person. */
function heldOn(folder: string): Set<string> {
  const sql = "SELECT commit_id FROM held WHERE is_withdrawn = 0 AND reason IN ('over_withdrawn', 'follows')";
  return reading(
    folder,
    database =>
      new Set(
        database
          .prepare(sql)
          .all()
          .map(row => String(row.commit_id)),
      ),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
