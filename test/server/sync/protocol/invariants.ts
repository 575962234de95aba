import { stationOf } from '../../../../server/store/history.ts';
import { HOLD_SUBJECT } from '../../../../server/store/subjects.ts';
import { LOG_START, type LogPlace, logFault } from '../../../../server/sync/protocol/log.ts';
import { overlay } from '../../../../server/sync/protocol/overlay.ts';
import { type Sibling, valueWithin } from '../../../../server/sync/protocol/siblings.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { sameJson } from '../../../../shared/contract/canonical-json.ts';
import {
  type Central,
  type Records,
  readerOf,
  type State,
  type Station,
  type StoredEntry,
  shortHash,
  sorted,
  withEntry,
} from './machines.ts';
import { isForbidden, rules, undecided } from './protocol-table.ts';
import type { Scope } from './scope.ts';
import { checkSigned } from './signed-writes.ts';
import { Violation } from './violation.ts';

/** The station whose disk is copied. */
const NAME = 'a';

/** What must hold of central in every state. None of it asks the function that is under test for its opinion. */
export function checkCentral(central: Central): void {
  checkLog('central', central.log, LOG_START);
  if (!sameJson(central.records, fold(central.log, {})))
    throw new Violation('A: central is not the fold of its log.');
  checkSiblings(central.log, central.records);
}

/** What must hold of a station in every state. */
export function checkStation(station: Station): void {
  const { name, log, records, cursor, own, start, base, heads, snapshot } = station;
  checkLog(name, log, start);
  const end = log.findLast(({ sequence }) => sequence > start.sequence) ?? start;
  if (cursor.sequence !== end.sequence || cursor.hash !== end.hash) {
    throw new Violation(`S: the cursor of ${name} is not the end of what it received.`);
  }
  const since = log.filter(({ sequence }) => sequence > start.sequence);
  // While a snapshot comes in, what is decided is of several places of the log.
  if (!snapshot && !sameJson(records, sorted(fold(since, base))))
    throw new Violation(`A: ${name} is not the fold of the log it received.`);
  const decided = new Set(
    log.flatMap(({ decisions }) => decisions.flatMap(one => (one.outcome === 'held' ? [] : one.commit_id))),
  );
  const isDecided = ({ commit_id, chain, number }: Station['own'][number]) =>
    decided.has(commit_id) || number <= (heads[chain] ?? 0);
  const open = snapshot
    ? undecided(station)
    : own.filter(commit => !isDecided(commit) || station.held[commit.commit_id] !== undefined);
  const withdrawn = start.sequence > 0 || snapshot ? station.withdrawn : withdrawnIn(log);
  const { shown } = overlay(open, readerOf(records, withdrawn), rules);
  const expected: Record<string, Records[string]> = {};
  for (const { subject, creator, paths } of shown.touched()) {
    const below = records[subject];
    const author = creator ?? below?.creator ?? '';
    const all = { ...below?.paths, ...Object.fromEntries(paths) };
    expected[subject] = { creator: author, paths: all, folded: 0 };
  }
  if (!sameJson(station.shown, sorted(expected))) {
    throw new Violation(`A: what ${name} shows is not what is decided with its undecided commits on top.`);
  }
  checkOwnChains(station);
}

/**
 * U: central takes from one machine of a station, or has noticed that there are two. Where no disk was copied or put back
 * unnoticed, there is one, whatever answers were lost.
 */
export function checkMachines({ central, stations, ghost }: State, { budgets, isSigned }: Scope): void {
  if (isSigned) for (const { log } of [central, ...stations]) checkSigned(log);
  const [first, , copy] = stations;
  const known = first && central.machines[NAME];
  const isNoticed = known !== undefined && (known.noticed_at !== null || (known.left ?? []).length > 0);
  if (!copy && !budgets.silentRestoreOfStation && isNoticed) {
    throw new Violation(`U: ${NAME} is called a copy, and is the only machine.`);
  }
  for (const { commit, decisions } of central.log) {
    const isTaken = decisions.some(
      ({ commit_id, reason }) => commit_id === commit.commit_id && reason === 'id_taken',
    );
    if (
      isTaken &&
      stations.some(({ name, machine }) => name === machine + machine && stationOf(commit.chain) === name)
    ) {
      throw new Violation(`U: ${commit.commit_id} is issued again with an id that another commit took.`);
    }
  }
  // While it runs, what it sends within one step is taken beside that of the copy.
  if (!copy || !budgets.clone || isNoticed) return;
  const ids = central.log.flatMap(({ commit }) => (stationOf(commit.chain) === NAME ? commit.commit_id : []));
  const isAfter = (id: string) =>
    id.startsWith(NAME) && Number.parseInt(id.slice(1), 10) > (ghost.copiedAt ?? 0);
  if (ids.some(isAfter) && ids.some(id => id.startsWith(copy.machine))) {
    throw new Violation('U: two machines with one disk go on as one station, and nobody is told.');
  }
}

/** D: outside of restores nothing that a machine holds leaves it. */
export function checkNothingVanished(before: Central | Station, after: Central | Station): void {
  const now = heldBy(after);
  for (const id of heldBy(before))
    if (!now.has(id)) throw new Violation(`D: commit ${id} vanished from a machine.`);
}

/**
 * S: an epoch is of one log, so that a place that central countersigned, as in a checkpoint that is kept elsewhere, names one
 * entry: from when it hears of a place that it lost, it is in another epoch.
 */
export function checkEpoch({ cursor }: Request, { epoch, log }: Central): void {
  const { sequence, hash } = cursor;
  if (cursor.epoch !== epoch || (log[sequence - 1]?.hash ?? '') === hash) return;
  throw new Violation(
    `S: central was told of place ${sequence} of ${epoch} that it lost, and goes on in that.`,
  );
}

/** When all is quiet: C, and nothing that any machine held at the start is missing. */
export function checkConverged(start: State, { central, stations }: State): void {
  const end = central.log.at(-1) ?? LOG_START;
  const inLog = new Set(central.log.map(({ commit }) => commit.commit_id));
  for (const machine of [start.central, ...start.stations]) {
    for (const id of heldBy(machine))
      if (!inLog.has(id)) throw new Violation(`D: commit ${id} never reached the log.`);
  }
  const places = new Map(central.log.map(({ commit }) => [`${commit.chain} ${commit.number}`, commit.hash]));
  for (const station of stations) {
    const { name, cursor, offers, own, records, shown, held, snapshot, until } = station;
    if (snapshot || until) throw new Violation(`C: ${name} is not at the end of its snapshot.`);
    if (cursor.epoch !== central.epoch || cursor.hash !== end.hash)
      throw new Violation(`C: ${name} has another log.`);
    if (!sameJson(records, central.records))
      throw new Violation(`C: ${name} has other records than central.`);
    if (station.proving && central.held.length > 0)
      throw new Violation('K: a change is held that nobody did wrong with.');
    if (offers.length > 0) throw new Violation(`C: ${name} still offers.`);
    const open = undecided(station).filter(({ commit_id }) => held[commit_id] === undefined);
    if (open.length > 0) throw new Violation(`C: ${name} still has undecided commits.`);
    const atCentral = central.held.map(({ commit }) => commit.commit_id);
    if (!sameJson(Object.keys(held).sort(), atCentral.sort())) {
      throw new Violation(`C: ${name} does not know what central holds.`);
    }
    if (Object.keys(held).length === 0 && Object.keys(shown).length > 0) {
      throw new Violation(`C: ${name} shows something else than what is decided.`);
    }
    for (const { chain, number, hash, commit_id } of own) {
      if (places.get(`${chain} ${number}`) !== hash) {
        throw new Violation(`S: ${name} has ${commit_id} as ${chain} ${number}, and central something else.`);
      }
    }
  }
}

function checkLog(owner: string, log: readonly StoredEntry[], start: LogPlace): void {
  const since = log.filter(({ sequence }) => sequence > start.sequence);
  const fault = logFault(start, since, shortHash);
  if (fault !== undefined) throw new Violation(`S: ${owner}: ${fault}`);
  // What is said of commits of the part that was taken as a snapshot begins in the middle.
  if (start.sequence > 0) return;
  const heads = new Map<string, { number: number; hash: string }>();
  const settled = new Set<string>();
  for (const { commit, decisions } of log) {
    const head = heads.get(commit.chain) ?? { number: 0, hash: '' };
    if (commit.number !== head.number + 1 || commit.previous_hash !== head.hash) {
      throw new Violation(`S: ${owner}: ${commit.commit_id} does not follow in ${commit.chain}.`);
    }
    heads.set(commit.chain, commit);
    for (const { commit_id, outcome } of decisions) {
      if (outcome === 'held' || outcome === 'repeated') continue;
      if (settled.has(commit_id)) throw new Violation(`X: ${owner}: ${commit_id} was decided twice.`);
      settled.add(commit_id);
    }
    checkOrderOfHolds(owner, log);
  }
  checkPermission(owner, log);
  checkMeant(owner, log);
}

/** U: no id is given twice, so that what a change is over stands in the record that it changes. */
function checkMeant(owner: string, log: readonly StoredEntry[]): void {
  const commits = new Map(log.toReversed().map(({ commit }) => [commit.commit_id, commit]));
  for (const { commit, decisions } of log) {
    if (decisions[0]?.outcome !== 'applied') continue;
    for (const { subject, changes } of commit.entries) {
      if (subject.startsWith(HOLD_SUBJECT)) continue;
      for (const id of changes.flatMap(({ over }) => over)) {
        const meant = commits.get(id)?.entries.map(one => one.subject) ?? [];
        if (meant.length > 0 && !meant.includes(subject))
          throw new Violation(`U: ${owner}: ${commit.commit_id} changes ${subject} and means ${meant}.`);
      }
    }
  }
}

/** What its author may not write is applied by a release only, never when it comes in. */
function checkPermission(owner: string, log: readonly StoredEntry[]): void {
  for (const { commit, decisions } of log) {
    if (stationOf(commit.chain) === rules.central || !isForbidden(commit)) continue;
    const isTaken = decisions.some(
      ({ commit_id, outcome }) => commit_id === commit.commit_id && outcome === 'applied',
    );
    if (isTaken) throw new Violation(`N: ${owner}: ${commit.commit_id} was applied and nobody may write it.`);
  }
}

/** Of one station, no commit that shares a record with a held one is decided before that. */
function checkOrderOfHolds(owner: string, log: readonly StoredEntry[]): void {
  const commits = new Map(log.toReversed().map(({ commit }) => [commit.commit_id, commit]));
  const held = new Map<string, Set<string>>();
  for (const { commit_id, outcome, reason } of log.flatMap(({ decisions }) => decisions)) {
    const commit = commits.get(commit_id);
    if (!commit) throw new Violation(`N: ${owner}: ${commit_id} was decided and is nowhere.`);
    const subjects = new Set(commit.entries.map(({ subject }) => `${stationOf(commit.chain)} ${subject}`));
    const earlier = [...held].slice(0, held.has(commit_id) ? [...held.keys()].indexOf(commit_id) : held.size);
    if (outcome === 'held' && reason === 'follows') checkFollows(owner, commit, subjects, held);
    if (outcome === 'held') held.set(commit_id, subjects);
    else if (outcome !== 'withdrawn' && outcome !== 'repeated') {
      if (earlier.some(([, others]) => [...subjects].some(one => others.has(one)))) {
        throw new Violation(`A: ${owner}: ${commit_id} was decided while what it follows is held.`);
      }
    }
    if (outcome !== 'held' && outcome !== 'repeated') held.delete(commit_id);
  }
}

/** What is held because it follows another one shares a record with a held one, or is over it: nothing else waits for that. */
function checkFollows(
  owner: string,
  { commit_id, entries }: StoredEntry['commit'],
  subjects: ReadonlySet<string>,
  held: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const over = entries.flatMap(({ changes }) => changes.flatMap(change => change.over));
  const isFollowing = [...held].some(
    ([id, others]) => id !== commit_id && (over.includes(id) || [...subjects].some(one => others.has(one))),
  );
  if (!isFollowing) throw new Violation(`A: ${owner}: ${commit_id} waits for nothing that is held.`);
}

/**
 * K, worked out from the commits alone: the siblings of a path are the writes that no later decided commit was over.
 * What stands is the last applied write, but a verdict falls only to a commit over it.
 */
function checkSiblings(log: readonly StoredEntry[], records: Records): void {
  const commits = new Map(log.toReversed().map(({ commit }) => [commit.commit_id, commit]));
  const expected = new Map<string, Sibling[]>();
  const creators = new Map<string, string>();
  for (const { commit_id, outcome } of log.flatMap(({ decisions }) => decisions)) {
    if (outcome !== 'applied' && outcome !== 'lost') continue;
    for (const { subject, changes } of commits.get(commit_id)?.entries ?? []) {
      if (!records[subject]) continue;
      const creator = creators.get(subject);
      for (const change of changes) {
        const key = `${subject}/${change.path}`;
        const item = expected.get(`${subject}/${change.path.split('.').slice(0, 2).join('.')}`)?.[0];
        const first = item?.commit ?? creator;
        const value = valueWithin(item?.value, change.path.split('.')[2] ?? '') ?? null;
        const before = expected.get(key) ?? (first === undefined ? [] : [{ commit: first, value }]);
        const [standing] = before;
        const own = { commit: commit_id, value: change.new ?? null };
        if (creator === undefined) {
          expected.set(key, [own]);
          continue;
        }
        const isSeen = !standing || change.over.includes(standing.commit);
        const isSame = standing !== undefined && sameJson(standing.value, own.value);
        if (outcome === 'applied' && rules.isVerdict(subject, change.path) && !isSeen && !isSame) {
          throw new Violation(`K: ${commit_id} took the verdict ${key} that its author had not seen.`);
        }
        const rest = before.filter(
          one => !change.over.includes(one.commit) || (outcome === 'lost' && one === standing),
        );
        const keepsFirst = rules.isVerdict(subject, change.path) && !isSeen;
        expected.set(key, outcome === 'lost' || keepsFirst ? [...rest, own] : [own, ...rest]);
      }
      if (creator === undefined) creators.set(subject, commit_id);
    }
  }
  for (const { commit, decisions } of log) {
    if (decisions[0]?.outcome !== 'applied') continue;
    for (const { subject, changes } of commit.entries) {
      for (const { path, over } of changes) {
        const back = records[subject]?.paths[path]?.find(one => over.includes(one.commit));
        if (back)
          throw new Violation(
            `K: ${back.commit} is back in ${subject}/${path}, though ${commit.commit_id} replaced it.`,
          );
      }
    }
  }
  for (const [key, siblings] of expected) {
    const [subject = '', path = ''] = key.split('/');
    const listed = records[subject]?.paths[path];
    if (listed && !sameJson(listed, siblings)) {
      const names = (list: readonly Sibling[]) => list.map(({ commit }) => commit).join(', ');
      throw new Violation(`K: ${key} has the siblings ${names(listed)} in place of ${names(siblings)}.`);
    }
  }
}

function checkOwnChains({ name, own, chain, log }: Station): void {
  const numbers = new Map<string, number[]>();
  for (const commit of own) numbers.set(commit.chain, [...(numbers.get(commit.chain) ?? []), commit.number]);
  const received = log.filter(({ commit }) => commit.chain === chain).map(({ commit }) => commit.number);
  const present = new Set([...(numbers.get(chain) ?? []), ...received]);
  for (let number = 1; number <= present.size; number += 1) {
    if (!present.has(number)) throw new Violation(`S: ${name} has a gap in its chain at ${number}.`);
  }
  for (const [one, list] of numbers) {
    if (new Set(list).size !== list.length)
      throw new Violation(`S: ${name} has two commits of one number in ${one}.`);
  }
}

function fold(log: readonly StoredEntry[], base: Records): Records {
  return log.reduce(withEntry, base);
}

function withdrawnIn(log: readonly StoredEntry[]): string[] {
  return log.flatMap(({ decisions }) =>
    decisions.flatMap(one => (one.outcome === 'withdrawn' ? one.commit_id : [])),
  );
}

function heldBy(machine: Central | Station): Set<string> {
  const ids = new Set(machine.log.map(({ commit }) => commit.commit_id));
  if ('own' in machine) {
    for (const { commit } of [...machine.offers, ...machine.known]) ids.add(commit.commit_id);
  }
  if ('own' in machine) for (const { commit_id } of machine.own) ids.add(commit_id);
  return ids;
}
