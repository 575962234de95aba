import type { Entry } from '../../../../server/store/changes.ts';
import { isCreation } from '../../../../server/sync/protocol/decide.ts';
import { holdEntry, holdFault, RELEASED, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { centralReader, writeAtCentral } from './central-machine.ts';
import { type Message, readerOf, type State, type Station } from './machines.ts';
import { freshened, type Model, NAMES, type Step, stationOf, UNPLACED } from './model.ts';
import { rules } from './protocol-table.ts';
import type { Budgets } from './scope.ts';
import { restoreStation, shownReader, writeAtStation } from './station-machine.ts';

const SLOTS = ['up', 'ahead', 'down'] as const;

/** All steps that can follow a state. */
export function* steps(model: Model, state: State): Generator<Step> {
  const active = [...(model.scope.active ?? [0, 1]), ...(state.stations[2] ? [2] : [])];
  yield* writes(model, state);
  yield* machines(model, state);
  for (const index of active) {
    yield* sends(model, state, index);
    yield* faults(model, state, index);
    yield* withdrawals(model, state, index);
  }
  for (const message of new Set(state.network)) {
    yield model.deliver(state, message);
    const again = spend(state, 'repeat');
    if (again) yield relabel(model.deliver(again, message, true), 'and it will come again');
    yield* crashesOfCentral(model, state, message);
  }
  yield* holds(model, state);
  yield* restoresOfCentral(model, state);
  for (const index of active) yield* restoresOfStation(model, state, index);
}

function* writes(model: Model, state: State): Generator<Step> {
  const { ghost } = state;
  const [first, second, console] = model.scope.writes;
  const scripts = [
    { script: first, station: state.stations[0] },
    { script: second, station: state.stations[1] },
    { script: console, station: undefined },
    { script: state.stations[2] ? (model.scope.writesOfCopy ?? []) : [], station: state.stations[2] },
  ];
  for (const [index, { script, station }] of scripts.entries()) {
    const count = ghost.written[index] ?? 0;
    const write = script[count];
    if (!write) continue;
    const who = station?.machine ?? 'z';
    const id = `${who}${count + 1}`;
    model.doing = `${who} ${write.name} (${id})`;
    const label = model.doing;
    const next = model.once(`${id} ${model.number(station ?? state.central)}`, () => {
      const { records, withdrawn } = state.central;
      const read = station ? shownReader(station) : readerOf(records, withdrawn);
      const entries = write.entries(read, model.protocol.writersShown);
      if (!entries) return undefined;
      if (station) {
        const after = writeAtStation(
          station,
          id,
          inOwnBlock(entries, station),
          model.protocol,
          write.signing,
        );
        return model.station(after, station);
      }
      const unplaced = { ...UNPLACED, commit_id: id, entries };
      return model.central(writeAtCentral(state.central, unplaced, model.protocol), state.central);
    });
    if (!next) continue;
    const written = ghost.written.with(index, count + 1);
    const machines = 'own' in next ? model.withStation(state, next) : { ...state, central: next };
    yield {
      label,
      state: { ...machines, ghost: { ...ghost, written } },
    };
  }
}

function* sends(model: Model, state: State, index: number): Generator<Step> {
  for (const slot of SLOTS) {
    if (slot === 'ahead' && !model.scope.isAhead) continue;
    const sent = model.send(state, index, slot);
    if (sent) yield sent;
  }
  const again = model.issueAgain(state, index);
  if (again) yield again;
  const { cursor, exchange, name } = stationOf(state, index);
  const isBehind = cursor.hash !== state.central.log.at(-1)?.hash || cursor.epoch !== state.central.epoch;
  if (!isBehind || exchange.isNotified) return;
  const notified = model.relink(state, index, 'notify');
  // Being notified and asking is one step where it can: between the two nothing can tell that it was notified.
  const asked = model.send(notified, index, 'down');
  if (asked) yield { label: `${name} is notified; ${asked.label}`, state: asked.state };
  else if (model.scope.isNotifiedWaiting) yield { label: `${name} is notified`, state: notified };
}

function* faults(model: Model, state: State, index: number): Generator<Step> {
  const { exchange, name } = stationOf(state, index);
  const timeout = spend(state, 'timeout');
  for (const slot of SLOTS) {
    if (!timeout || !exchange[slot]) continue;
    yield { label: `${name} gives up waiting (${slot})`, state: model.relink(timeout, index, slot) };
  }
  const crash = spend(state, 'crash');
  if (crash) yield { label: `${name} crashes`, state: model.relink(crash, index, 'crash') };
}

function* crashesOfCentral(model: Model, state: State, message: Message): Generator<Step> {
  if (message.to !== 'central' || message.body.kind !== 'push') return;
  const crash = spend(state, 'crashOfCentral');
  if (!crash) return;
  const count = message.body.offers.length + message.body.commits.length;
  for (let transactions = 0; transactions <= count; transactions += 1) {
    const step = model.deliver(crash, message, false, transactions);
    yield relabel(step, `which crashes after ${transactions} transactions`);
  }
}

function* holds(model: Model, state: State): Generator<Step> {
  const { central } = state;
  for (const [budget, path] of [
    ['release', RELEASED],
    ['withdraw', WITHDRAWN],
  ] as const) {
    const spent = spend(state, budget);
    if (!spent) continue;
    for (const { commit } of central.held) {
      const entry = holdEntry(commit.commit_id, path);
      if (holdFault(entry, centralReader(central), rules) !== undefined) continue;
      const id = `${budget}-${state.ghost.fresh}`;
      const next = model.once(`${id} ${commit.commit_id} ${model.number(central)}`, () => {
        const unplaced = { ...UNPLACED, commit_id: id, entries: [entry] };
        return model.central(writeAtCentral(central, unplaced, model.protocol), central);
      });
      yield {
        label: `central: ${budget} ${commit.commit_id}`,
        state: { ...spent, central: next, ghost: freshened(spent) },
      };
    }
  }
}

/** At the station that wrote a commit, which is held as far as it knows. */
function* withdrawals(model: Model, state: State, index: number): Generator<Step> {
  const spent = spend(state, 'withdrawHere');
  if (!spent) return;
  const station = stationOf(state, index);
  const given = new Set(station.own.flatMap(({ entries }) => entries.map(({ subject }) => subject)));
  for (const { commit_id } of station.own) {
    const entry = holdEntry(commit_id, WITHDRAWN);
    if (station.held[commit_id] === undefined || given.has(entry.subject)) continue;
    const next = writeAtStation(station, `gives-up-${state.ghost.fresh}`, [entry], model.protocol);
    yield {
      label: `${station.name} gives up ${commit_id}`,
      state: model.withStation({ ...spent, ghost: freshened(spent) }, next, station),
    };
  }
}

/** A disk is copied, a person says which machine goes on, and the other one becomes a station of its own. */
function* machines(model: Model, state: State): Generator<Step> {
  for (const [budget, isRunning] of [
    ['clone', false],
    ['cloneRunning', true],
  ] as const) {
    const spent = spend(state, budget);
    if (!spent || state.stations[2]) continue;
    const off = stationOf(model.relink(state, 0, 'crash'), 0);
    const copy = model.station({ ...off, machine: 'c' });
    const stations = [isRunning ? stationOf(state, 0) : off, stationOf(state, 1), copy];
    const ghost = { ...spent.ghost, copiedAt: spent.ghost.written[0] ?? 0 };
    yield {
      label: `the disk of a is copied to c${isRunning ? ', while a runs' : ''}`,
      state: { ...spent, stations, ghost },
    };
  }
  const spent = spend(state, 'choose');
  const known = state.central.machines[NAMES[0] ?? ''];
  for (const { id } of spent && known?.noticed_at ? known.machines : []) {
    if (spent && (known?.decided_at === null || known?.present !== id)) {
      yield { label: `a person chooses ${id}`, state: model.choose(spent, id) };
    }
  }
  for (const index of state.stations.keys()) {
    const left = model.separate(state, index);
    if (left) yield left;
  }
}

function* restoresOfCentral(model: Model, state: State): Generator<Step> {
  const { central, ghost } = state;
  const copying = spend(state, 'copies');
  const isCentrals = model.scope.budgets.restoreOfCentral || model.scope.budgets.silentRestoreOfCentral;
  if (copying && isCentrals) {
    yield {
      label: 'central is copied',
      state: { ...copying, ghost: { ...copying.ghost, copyOfCentral: central } },
    };
  }
  for (const [budget, isDeclared] of [
    ['restoreOfCentral', true],
    ['silentRestoreOfCentral', false],
  ] as const) {
    const spent = spend(state, budget);
    const copy = ghost.copyOfCentral;
    if (!spent || !copy || copy === central) continue;
    const begins = isDeclared && model.protocol.beginsNewEpoch;
    const next = begins
      ? model.once(`epoch ${ghost.fresh} ${model.number(copy)}`, () =>
          model.central(model.protocol.newEpoch(copy, ghost.fresh, [copy.epoch])),
        )
      : copy;
    yield {
      label: `central is restored${isDeclared ? '' : ' silently'}`,
      state: { ...spent, central: next, ghost: freshened(spent) },
    };
  }
}

function* restoresOfStation(model: Model, state: State, index: number): Generator<Step> {
  const { restoreOfStation, silentRestoreOfStation } = model.scope.budgets;
  const station = stationOf(state, index);
  const copying = spend(state, 'copies');
  if (copying && (restoreOfStation || silentRestoreOfStation)) {
    const copiesOfStations = state.ghost.copiesOfStations.with(index, station);
    yield {
      label: `${station.name} is copied`,
      state: { ...copying, ghost: { ...copying.ghost, copiesOfStations } },
    };
  }
  for (const [budget, isDeclared] of [
    ['restoreOfStation', true],
    ['silentRestoreOfStation', false],
  ] as const) {
    const spent = spend(state, budget);
    const copy = state.ghost.copiesOfStations[index];
    if (!spent || !copy || copy === station) continue;
    const { fresh } = state.ghost;
    const restored = model.once(`${budget} ${fresh} ${model.number(copy)} ${model.number(station)}`, () =>
      model.station(
        restoreStation(
          copy,
          station,
          isDeclared ? { beginsNewChain: model.protocol.beginsNewChain } : null,
          fresh,
        ),
      ),
    );
    yield {
      label: `${station.name} is restored${isDeclared ? '' : ' silently'}`,
      state: model.withStation({ ...spent, ghost: freshened(spent) }, restored),
    };
  }
}

/** What has become a station of its own gives ids that the former one cannot give. */
function inOwnBlock(entries: Entry[], { name, machine }: Station): Entry[] {
  const hasLeft = name === `${machine}${machine}`;
  if (!hasLeft) return entries;
  return entries.map(one => (isCreation(one) ? { ...one, subject: `${one.subject}.${name}` } : one));
}

/** The state with one less of a fault to come; undefined when there is none left. */
function spend(state: State, fault: keyof Budgets): State | undefined {
  const left = state.ghost.budgets[fault] ?? 0;
  if (left === 0) return undefined;
  return { ...state, ghost: { ...state.ghost, budgets: { ...state.ghost.budgets, [fault]: left - 1 } } };
}

function relabel({ label, state }: Step, more: string): Step {
  return { label: `${label} (${more})`, state };
}
