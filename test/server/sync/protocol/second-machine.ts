import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { stationOf } from '../../../../server/store/history.ts';
import { isCreation } from '../../../../server/sync/protocol/decide.ts';
import { type OwnProof, startProof } from '../../../../server/sync/protocol/own-proof.ts';
import {
  callerAmong,
  type Judged,
  type Machine,
  type ProofTerms,
} from '../../../../server/sync/protocol/proof.ts';
import { NEW_PROTOCOL_STATE } from '../../../../server/sync/protocol/protocol-state.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { type Central, type Proving, type Station, shortHash } from './machines.ts';
import { type Protocol, terms, unplaced } from './protocol-table.ts';

/** All is noticed and decided at one time: only whether it was counts. */
const AT = 'then';

/** Which machine calls at central, and whether it is the one that goes on; undefined of one that proves nothing. */
export function judgeAtCentral(
  { machines }: Central,
  { station, proof }: Request,
  unsent: number,
  p: Protocol,
): Judged | undefined {
  if (!proof) return undefined;
  return p.judgeProof({ station, proof, at: AT, unsent, version: null }, machines[station], proofTerms());
}

/** A person says which machine goes on as the station. */
export function choose(before: Central, name: string, id: string, p: Protocol): Central {
  const known = before.machines[name];
  const chosen = known && p.chooseMachine(known, id, AT);
  return chosen ? { ...before, machines: { ...before.machines, [name]: chosen } } : before;
}

/** Which of the machines that central knows of its station this is. */
export function callerOf({ machines }: Central, { name, proving }: Station): Machine | undefined {
  const known = machines[name];
  if (!known || !proving) return undefined;
  const { kept } = proving.own;
  return callerAmong(known, { ...kept, next: kept.next ?? 'a look' });
}

/** What becomes of central and of a machine that leaves as a station of its own, where central lets it. */
export function leave(
  central: Central,
  station: Station,
  p: Protocol,
  fresh: number,
): { central: Central; station: Station } | undefined {
  const known = central.machines[station.name];
  const caller = callerOf(central, station);
  const present = known?.machines.find(({ id }) => id === known.present);
  if (!known || !caller || !present || caller.id === present.id || !p.mayLeave(present)) return undefined;
  const machines = { ...central.machines, [station.name]: p.withoutMachine(known, caller.id) };
  return { central: { ...central, machines }, station: becomeOwn(station, p, fresh) };
}

/** Another process with the same disk: of its proof it has what is kept. */
export function startAgain<One extends Station>(station: One, start = station.proving?.start ?? 0): One {
  const { proving } = station;
  const exchange = NEW_PROTOCOL_STATE;
  if (!proving) return { ...station, exchange };
  return { ...station, exchange, proving: { ...proving, start, own: startProof(proving.own.kept) } };
}

/** Whether it may push: see `OwnProof`, and not before it read what the other machine wrote. */
export function mayPush({ proving }: Station): boolean {
  return !proving || (proving.own.isAlone && !proving.isHeldOff && proving.issuing === null);
}

/** With the step that it sends. It is time for another one with each question, and not with what is sent between two. */
export function stepped(proving: Proving, machine: string, p: Protocol, isDue: boolean): Proving {
  const { own, start } = proving;
  return { ...proving, own: p.takeStep(own, isDue, () => `${machine}${start}.${own.kept.count + 1}`) };
}

export function withOwn(station: Station, change: (own: OwnProof) => OwnProof): Station {
  const { proving } = station;
  return proving ? { ...station, proving: { ...proving, own: change(proving.own) } } : station;
}

/** What is issued again in the chain that it has now waits until the whole log was read. */
export function issuingAgain(before: Station, after: Station, isOther: boolean): Station {
  const { proving } = before;
  if (!proving) return after;
  const earlier = proving.issuing;
  const issuing = {
    since: earlier?.since ?? before.cursor.sequence,
    isOther: isOther || (earlier?.isOther ?? false),
    ids: after.own.filter(({ chain }) => chain === after.chain).map(one => one.commit_id),
  };
  return { ...after, proving: { ...proving, isHeldOff: false, issuing } };
}

/** Goes on in a new chain: what the log does not hold at its place is issued again in it. */
export function enterChain(
  before: Station,
  chain: string,
  p: Protocol,
  as: (commit: Commit) => Commit = one => one,
): Station {
  const known = new Set(before.log.flatMap(({ decisions }) => decisions.map(one => one.commit_id)));
  const open = unplaced(before);
  const again = p.beginAgain(open.map(as), id => known.has(id), chain, shortHash);
  const kept = before.own.filter(commit => !open.includes(commit));
  return { ...before, chain, chains: [...before.chains, chain], own: [...kept, ...again] };
}

/** Once the whole log was read: what has an id that is not its own, or that the other machine gave, gets another one. */
export function issueOwnAgain(before: Station, p: Protocol, fresh: number): Station {
  const { proving, log } = before;
  if (!proving?.issuing) return before;
  const { since, isOther, ids } = proving.issuing;
  const done = { ...before, proving: { ...proving, issuing: null } };
  const inLog = new Map(log.map(({ commit }) => [commit.commit_id, commit]));
  const open = unplaced(before);
  const ofOther = log.filter(one => one.sequence > since && stationOf(one.commit.chain) === before.name);
  const given = new Set(ofOther.flatMap(({ commit }) => createdIn(commit)));
  const names = new Map<string, string>();
  for (const commit of open) {
    const created = createdIn(commit);
    const theirs = inLog.get(commit.commit_id);
    for (const [place, subject] of created.entries()) {
      const other = theirs && createdIn(theirs)[place];
      const isTaken = isOther || given.has(subject) || before.records[subject] !== undefined;
      if (other !== undefined && other !== subject) names.set(subject, other);
      else if (!theirs && !names.has(subject) && ids.includes(commit.commit_id) && isTaken)
        names.set(subject, `${subject}.${fresh}`);
    }
  }
  if (names.size === 0 || !p.givesOtherIds) return done;
  const own = new Set(open.filter(one => !inLog.has(one.commit_id)).map(one => one.commit_id));
  const isMeant = ({ commit_id }: Commit, { changes }: Entry) =>
    ids.includes(commit_id) || changes.every(({ over }) => over.every(id => own.has(id)));
  const as = (commit: Commit): Commit => ({
    ...commit,
    entries: commit.entries.map(entry =>
      isMeant(commit, entry) ? { ...entry, subject: names.get(entry.subject) ?? entry.subject } : entry,
    ),
  });
  return enterChain(done, `${before.name}.${fresh}`, p, as);
}

/** Another station from now on: what the log has stays the former one's, all else is issued again. */
function becomeOwn(before: Station, p: Protocol, fresh: number): Station {
  const name = `${before.machine}${before.machine}`;
  const chain = `${name}.${fresh}`;
  const entered = enterChain(before, chain, p);
  const own = entered.own.filter(commit => commit.chain === chain);
  return startAgain(issuingAgain(before, { ...entered, name, chains: [chain], own }, true));
}

function createdIn({ entries }: Commit): string[] {
  return entries.filter(isCreation).map(({ subject }) => subject);
}

/** A machine, and what central knows of it, when it has agreed to the machine's first step. */
export function agreedOnce(
  station: string,
  p: Protocol,
): { proving: Proving; machines: Central['machines'] } {
  const { own } = stepped({ own: startProof(), start: 0, isHeldOff: false, issuing: null }, station, p, true);
  const presented = { station, proof: own.sent ?? undefined, at: AT, unsent: 0, version: null };
  const judged = p.judgeProof(presented, undefined, proofTerms());
  const proving = { own: p.agreeTo(own, judged?.agreed), start: 0, isHeldOff: false, issuing: null };
  return { proving, machines: judged ? { [station]: judged.machines } : {} };
}

/** Names machines in their order. */
function proofTerms(): ProofTerms {
  let count = 0;
  const name = () => {
    count += 1;
    return `M${count}`;
  };
  return { name, countersign: terms.countersign, verify: terms.verify };
}
