import { checkConverged, checkMachines } from './invariants.ts';
import type { State } from './machines.ts';
import { Model, stationOf } from './model.ts';
import type { Protocol } from './protocol-table.ts';
import type { Scope } from './scope.ts';
import { callerOf } from './second-machine.ts';
import { steps } from './steps.ts';
import { Violation } from './violation.ts';

export interface Exploration {
  scope: string;
  /** Different states that were seen. */
  states: number;
  /** Steps in the longest way to a state. */
  depth: number;
  /** Whether all states of the scope were seen; not when `most` ended it or a violation was found. */
  isWhole: boolean;
  /** The broken promise, with the shortest way to it in words. */
  violation: { message: string; trace: string[] } | null;
}

const HEALING_STEPS = 400;

/**
 * Every state of a scope, breadth first. In each, what must always hold is checked, and that it heals: with every
 * message arriving, and with every message lost, the machines come to rest and agree, and nothing is missing.
 */
export function explore(scope: Scope, protocol: Protocol, most = Number.POSITIVE_INFINITY): Exploration {
  const model = new Model(scope, protocol);
  const heal = healOf(model);
  const cameFrom = new Map<number, { key: number; label: string }>();
  const start = model.start();
  let level: { key: number; state: State }[] = [{ key: model.key(start), state: start }];
  const seen = new Set(level.map(({ key }) => key));
  const done = (depth: number, isWhole: boolean, violation: Exploration['violation'] = null) => ({
    scope: scope.name,
    states: seen.size,
    depth,
    isWhole,
    violation,
  });
  for (let depth = 0; ; depth += 1) {
    const next: typeof level = [];
    for (const { key, state } of level) {
      let isHealing = true;
      try {
        checkMachines(state, scope);
        heal(state);
        isHealing = false;
        for (const { label, state: following } of steps(model, state)) {
          const nextKey = model.key(following);
          if (seen.has(nextKey)) continue;
          seen.add(nextKey);
          cameFrom.set(nextKey, { key, label });
          next.push({ key: nextKey, state: following });
        }
      } catch (cause) {
        if (!(cause instanceof Error)) throw cause;
        const last = isHealing ? 'then nothing fails any more' : model.doing;
        return done(depth, false, { message: inWords(cause), trace: [...traceTo(key, cameFrom), last] });
      }
      if (seen.size >= most) return done(depth, false);
    }
    if (next.length === 0) return done(depth, true);
    level = next;
  }
}

/** Checks that a state heals, with every message arriving and with every message lost. */
export function healOf(model: Model): (state: State) => void {
  const healed = new Set<number>();
  return state => {
    heal(model, state, healed);
    heal(model, { ...state, network: [] }, healed);
  };
}

/** From here nothing fails: everything arrives, whoever waits in vain gives up, and all news is notified. */
function heal(model: Model, start: State, healed: Set<number>): void {
  const path: number[] = [];
  let state = start;
  for (;;) {
    const key = model.machinesKey(state);
    if (healed.has(key)) break;
    path.push(key);
    checkMachines(state, model.scope);
    if (path.length > HEALING_STEPS) throw new Violation('C: the machines never come to rest.');
    const next = healingStep(model, state);
    if (!next) {
      checkConverged(start, state);
      break;
    }
    state = next;
  }
  for (const key of path) healed.add(key);
}

function healingStep(model: Model, state: State): State | undefined {
  const [message] = state.network;
  if (message) return model.deliver(state, message).state;
  for (const index of state.stations.keys()) {
    if (isWaitingForPeople(state, index)) continue;
    const again = model.issueAgain(state, index);
    if (again) return again.state;
    for (const slot of ['up', 'down'] as const) {
      const sent = model.send(state, index, slot);
      if (sent) return sent.state;
    }
    const { exchange, cursor } = stationOf(state, index);
    for (const slot of ['up', 'down'] as const) if (exchange[slot]) return model.relink(state, index, slot);
    const isBehind = cursor.hash !== state.central.log.at(-1)?.hash || cursor.epoch !== state.central.epoch;
    if (isBehind && !exchange.isNotified) return model.relink(state, index, 'notify');
  }
  return peopleAndTimers(model, state);
}

/** Whether central knows it as a machine that does not go on as the station. */
function isWaitingForPeople({ central, stations }: State, index: number): boolean {
  const station = stations[index];
  const caller = station?.proving?.isHeldOff ? callerOf(central, station) : undefined;
  return (
    caller !== undefined && station !== undefined && central.machines[station.name]?.present !== caller.id
  );
}

/** People say which machine goes on, and make the other one a station of its own; all call now and then. */
function peopleAndTimers(model: Model, state: State): State | undefined {
  const { central, stations } = state;
  const call = (index: number) => {
    const waits = stations[index]?.exchange.isNotified;
    return waits === false ? model.relink(state, index, 'notify') : undefined;
  };
  for (const [index, { name, proving }] of stations.entries()) {
    if (!proving) continue;
    const known = central.machines[name];
    const same = [...stations.keys()].filter(other => stations[other]?.name === name);
    const callers = same.map(other => callerOf(central, stationOf(state, other))?.id);
    if (proving.issuing && call(index)) return call(index);
    if (same.length > 1 && !known?.noticed_at) {
      const counts = same.map(other => stationOf(state, other).proving?.own.kept.count ?? 0);
      return call(same[counts.indexOf(Math.min(...counts))] ?? index);
    }
    if (!known?.noticed_at) return proving.isHeldOff ? call(index) : undefined;
    const [live] = callers.includes(known.present)
      ? [known.present]
      : callers.filter(one => one !== undefined);
    if (live !== undefined && (known.decided_at === null || live !== known.present))
      return model.choose(state, live);
    if (callerOf(central, stationOf(state, index))?.id === known.present) {
      const isAwaited =
        same.length > 1 && !known.machines.find(({ id }) => id === known.present)?.has_sent_all;
      if ((proving.isHeldOff || isAwaited) && call(index)) return call(index);
    } else {
      const left = model.separate(state, index);
      if (left) return left.state;
      if (!callers[same.indexOf(index)] && call(index)) return call(index);
    }
  }
  return undefined;
}

function traceTo(key: number, cameFrom: ReadonlyMap<number, { key: number; label: string }>): string[] {
  const from = cameFrom.get(key);
  return from ? [...traceTo(from.key, cameFrom), from.label] : [];
}

function inWords(cause: Error): string {
  return cause instanceof Violation ? cause.message : `The code failed: ${cause.stack}`;
}
