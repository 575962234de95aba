import { LOG_START } from '../../../../server/sync/protocol/log.ts';
import { failedStep } from '../../../../server/sync/protocol/own-proof.ts';
import {
  abandon,
  NEW_PROTOCOL_STATE,
  notify,
  type Slot,
} from '../../../../server/sync/protocol/protocol-state.ts';
import { FIRST_CURSOR } from '../../../../server/sync/protocol/wire.ts';
import { answerMessage, centralReader, writeAtCentral } from './central-machine.ts';
import { Interner, PairNumbers } from './interner.ts';
import { checkCentral, checkEpoch, checkNothingVanished, checkStation } from './invariants.ts';
import type { Central, Ghost, Message, State, Station } from './machines.ts';
import { type Protocol, terms, undecided } from './protocol-table.ts';
import type { Scope } from './scope.ts';
import { agreedOnce, choose, startAgain, withOwn } from './second-machine.ts';
import { FIRST_KEY, PERSON } from './signed-writes.ts';
import { issueAgainAtStation, receiveAtStation, sendFromStation, separate } from './station-machine.ts';
import { Violation } from './violation.ts';

export const NAMES = ['a', 'b', 'z'];
export const UNPLACED = { at: '', clock_offset: null, user: 'z', reason: null };
const EVERYTHING = 100;

export interface Step {
  /** In words. */
  label: string;
  state: State;
}

/** Two stations, central and a network. Every step is one transaction, done once for the same machine and message. */
export class Model {
  readonly scope: Scope;
  readonly protocol: Protocol;
  /** The step that is being taken, in words: the one that broke a promise, when one does. */
  doing = '';
  readonly #interner = new Interner();
  readonly #done = new Map<string, unknown>();
  readonly #pairs = { machines: new PairNumbers(), network: new PairNumbers(), states: new PairNumbers() };
  readonly #ghosts = new Map<string, number>();
  readonly #ghostNumbers = new WeakMap<Ghost, number>();

  constructor(scope: Scope, protocol: Protocol) {
    this.scope = scope;
    this.protocol = protocol;
  }

  /** Central has two records, and both stations have heard of them. */
  start(): State {
    const first = this.scope.isProving ? agreedOnce(NAMES[0] ?? '', this.protocol) : undefined;
    const empty: Central = {
      epoch: 'e0',
      formers: [],
      chain: 'z.0',
      log: [],
      records: {},
      held: [],
      withdrawn: [],
      machines: first?.machines ?? {},
    };
    const changes = [
      { path: 'name', old: null, new: 'old', over: [] },
      { path: 'items.7', old: null, new: { quantity: 1 }, over: [] },
    ];
    const people = { subject: PERSON, changes: [{ path: 'key', old: null, new: FIRST_KEY, over: [] }] };
    const parts = [1, 2].map(id => ({ subject: `part:${id}`, changes }));
    const entries = this.scope.isSigned ? [...parts, people] : parts;
    const central = writeAtCentral(empty, { ...UNPLACED, commit_id: 'z0', entries }, this.protocol);
    const cursor = this.protocol.cursorAt(
      central.log[0] ?? { sequence: 0, hash: '' },
      centralReader(central),
      terms,
    );
    const stations = [0, 1].map(index => {
      const name = NAMES[index] ?? '';
      const chain = `${name}.0`;
      const exchange = { ...NEW_PROTOCOL_STATE, heads: {}, isNotified: false };
      const { log, records } = central;
      const lists = { own: [], offers: [], known: [], nextPlace: 1, settled: [], withdrawn: [] };
      const nothing = {
        held: {},
        shown: {},
        heads: {},
        base: {},
        start: LOG_START,
        until: null,
        snapshot: null,
      };
      const proving = (index === 0 && first?.proving) || null;
      const station = {
        machine: name,
        name,
        proving,
        chain,
        chains: [chain],
        exchange,
        ...lists,
        ...nothing,
      };
      const { areNew = false } = this.scope;
      if (areNew)
        return this.station({
          ...station,
          cursor: FIRST_CURSOR,
          log: [],
          records: {},
          exchange: NEW_PROTOCOL_STATE,
        });
      return this.station({ ...station, cursor, log, records });
    });
    return {
      central: this.central(central),
      stations,
      network: [],
      ghost: {
        fresh: 1,
        copiedAt: null,
        written: [0, 0, 0, 0],
        budgets: { ...this.scope.budgets },
        copyOfCentral: null,
        copiesOfStations: [null, null],
      },
    };
  }

  /** A number that equal states share, and no others. */
  key(state: State): number {
    return this.#pairs.states.of(this.machinesKey(state), this.#ghostNumber(state.ghost));
  }

  /** Of what heals: machines and network without what can still go wrong. */
  machinesKey({ central, stations, network }: Pick<State, 'central' | 'stations' | 'network'>): number {
    const { machines } = this.#pairs;
    let number = this.#interner.number(central);
    for (const station of stations) number = machines.of(number, this.#interner.number(station));
    const messages = network.map(message => this.#interner.number(message)).sort((x, y) => x - y);
    let list = 0;
    for (const message of messages) list = this.#pairs.network.of(list, message);
    return machines.of(number, list);
  }

  #ghostNumber(ghost: Ghost): number {
    const known = this.#ghostNumbers.get(ghost);
    if (known !== undefined) return known;
    const { copyOfCentral, copiesOfStations, ...rest } = ghost;
    const copies = [copyOfCentral, ...copiesOfStations].map(copy => (copy ? this.#interner.number(copy) : 0));
    const text = `${copies}/${JSON.stringify(rest)}`;
    const number = this.#ghosts.get(text) ?? this.#ghosts.size + 1;
    this.#ghosts.set(text, number);
    this.#ghostNumbers.set(ghost, number);
    return number;
  }

  /** A message arrives. */
  deliver(state: State, message: Message, isKept = false, stopAfter?: number): Step {
    const network = isKept ? state.network : without(state.network, message);
    const { fresh } = state.ghost;
    this.doing =
      message.to === 'central'
        ? `central takes ${inWords(message)}`
        : `${stationOf(state, message.from).machine} receives ${inWords(message)}`;
    const label = this.doing;
    if (message.to === 'central') {
      const request = message.body;
      const key = `answer ${this.#numbers(state.central, message)} ${fresh} ${stopAfter}`;
      const { central, answer } = this.once(key, () => {
        const result = answerMessage(state.central, message, this.protocol, fresh, stopAfter);
        const { answer: body } = result;
        // Of a machine that is held off nothing is read.
        if (body?.kind !== 'held_off') checkEpoch(request, result.central);
        return {
          central: this.central(result.central, state.central),
          answer: body && this.#message({ to: 'station', from: message.from, body }),
        };
      });
      const sent = answer ? [...network, answer] : network;
      const isNew = central.epoch !== state.central.epoch;
      return {
        label,
        state: this.#rename({
          ...state,
          central,
          network: sent,
          ghost: isNew ? freshened(state) : state.ghost,
        }),
      };
    }
    const station = stationOf(state, message.from);
    const { farBehind = Number.POSITIVE_INFINITY } = this.scope;
    const answer = message.body;
    const key = `receive ${this.#numbers(station, message)} ${fresh}`;
    const next = this.once(key, () =>
      this.station(receiveAtStation(station, answer, this.protocol, fresh, farBehind), station),
    );
    const isNew = next.chain !== station.chain || (station.proving?.issuing && !next.proving?.issuing);
    return {
      label,
      state: this.#rename({
        ...replaced(state, next),
        network,
        ghost: isNew ? freshened(state) : state.ghost,
      }),
    };
  }

  /** The station sends its next request in the slot, if there is any. */
  send(state: State, index: number, slot: Slot): Step | undefined {
    const station = stationOf(state, index);
    this.doing = `${station.machine} sends (${slot})`;
    const sent = this.once(`send ${this.#interner.number(station)} ${slot}`, () => {
      const result = sendFromStation(station, slot, this.protocol, this.scope.limit ?? EVERYTHING);
      if (!result) return undefined;
      const unsent = result.request.proof && { unsent: Math.min(1, unsentOf(station)) };
      const message = this.#message({ to: 'central', from: index, body: result.request, ...unsent });
      return { station: this.station(result.station, station), message };
    });
    if (!sent) return undefined;
    const network = [...state.network, sent.message];
    return {
      label: `${station.machine} sends ${inWords(sent.message)}`,
      state: { ...replaced(state, sent.station), network },
    };
  }

  /** The station issues again what it created with an id that another has, if there is any. */
  issueAgain(state: State, index: number): Step | undefined {
    const station = stationOf(state, index);
    const { fresh } = state.ghost;
    this.doing = `${station.name} issues again what has a taken id`;
    const next = this.once(`again ${this.number(station)} ${fresh}`, () => {
      const after = issueAgainAtStation(station, this.protocol, fresh);
      return after && this.station(after, station);
    });
    return next && { label: this.doing, state: { ...replaced(state, next), ghost: freshened(state) } };
  }

  /** A person says which machine goes on as the first station. */
  choose(state: State, id: string): State {
    const name = NAMES[0] ?? '';
    this.doing = `a person chooses ${id}`;
    const central = this.central(choose(state.central, name, id, this.protocol), state.central);
    const known = central.machines[name];
    if (known?.present !== id || known.decided_at === null)
      throw new Violation(`U: ${id} was chosen in vain.`);
    return { ...state, central };
  }

  /** A machine becomes a station of its own, where central lets it. */
  separate(state: State, index: number): Step | undefined {
    const station = stationOf(state, index);
    if (!station.proving || !state.central.machines[station.name]?.noticed_at) return undefined;
    this.doing = `${station.machine} becomes a station of its own`;
    const { fresh } = state.ghost;
    const left = this.once(`leave ${this.#numbers(state.central, station)} ${fresh}`, () => {
      const next = separate(state.central, station, this.protocol, fresh);
      return (
        next && {
          central: this.central(next.central, state.central),
          station: this.station(next.station, station),
        }
      );
    });
    if (!left) return undefined;
    const next = { ...replaced(state, left.station), central: left.central, ghost: freshened(state) };
    return { label: this.doing, state: this.#rename(next) };
  }

  /** The station hears of news, or gives up waiting. */
  relink(state: State, index: number, change: 'notify' | Slot | 'crash'): State {
    const station = stationOf(state, index);
    const next = this.once(`${change} ${this.number(station)}`, () => {
      const { exchange } = station;
      if (change === 'crash') return this.station(startAgain(station), station);
      if (change === 'notify') return this.station({ ...station, exchange: notify(exchange) }, station);
      const waiting = withOwn(station, failedStep);
      return this.station({ ...waiting, exchange: abandon(change, exchange) }, station);
    });
    return this.withStation(state, next);
  }

  /** Central in its next state, checked; nothing that it held may be missing, unless it was restored. */
  central(central: Central, before?: Central): Central {
    const next = this.#interner.one(central, one => checkCentral(one));
    if (before) checkNothingVanished(before, next);
    return next;
  }

  /** The state with one station's next, checked likewise. Messages of what it no longer waits for are told apart no more. */
  withStation(state: State, station: Station, before?: Station): State {
    return this.#rename(replaced(state, this.station(station, before)));
  }

  /** A station in its next state, checked likewise. */
  station(station: Station, before?: Station): Station {
    const next = this.#interner.one(station, one => checkStation(one));
    if (before) checkNothingVanished(before, next);
    return next;
  }

  #message(message: Message): Message {
    return this.#interner.one(message);
  }

  #numbers(...parts: object[]): string {
    return parts.map(part => this.#interner.number(part)).join();
  }

  /** What the work makes, done once for the key. */
  once<T>(key: string, work: () => T): T {
    if (!this.#done.has(key)) this.#done.set(key, work());
    // Every key is made up in one place, for one type.
    return this.#done.get(key) as T;
  }

  /** The number of a machine that this model made. */
  number(machine: object): number {
    return this.#interner.number(machine);
  }

  /** Requests are named for their slot; one that is waited for no more, and its answer, is only `old`. */
  #rename(state: State): State {
    const names = new Map<string, string>();
    const stations = state.stations.map(station => {
      const { machine: name, exchange } = station;
      for (const slot of ['up', 'ahead', 'down'] as const) {
        const sent = exchange[slot];
        if (sent) names.set(sent.request, `${name}.${slot}`);
      }
      const { up } = exchange;
      // What was sent ahead is what is waited for.
      if (up?.request !== `${name}.ahead`) return station;
      return this.once(`rename ${this.#interner.number(station)}`, () =>
        this.station({ ...station, exchange: { ...exchange, up: { ...up, request: `${name}.up` } } }),
      );
    });
    const nameOf = (request: string) => names.get(request) ?? OLD;
    if (state.network.every(({ body }) => body.request === OLD || body.request === nameOf(body.request))) {
      return { ...state, stations };
    }
    const network = state.network.map(message => {
      const request = nameOf(message.body.request);
      if (message.body.request === request) return message;
      return this.once(`name ${this.#interner.number(message)} ${request}`, () =>
        this.#message(
          message.to === 'central'
            ? { ...message, body: { ...message.body, request } }
            : { ...message, body: { ...message.body, request } },
        ),
      );
    });
    return { ...state, stations, network };
  }
}

const OLD = 'old';

export function stationOf(state: State, index: number): Station {
  const station = state.stations[index];
  if (!station) throw new Error(`There is no station ${index}.`);
  return station;
}

export function freshened({ ghost }: State): Ghost {
  return { ...ghost, fresh: ghost.fresh + 1 };
}

function replaced(state: State, station: Station): State {
  return { ...state, stations: state.stations.map(one => (one.machine === station.machine ? station : one)) };
}

function unsentOf(station: Station): number {
  return undecided(station).filter(({ commit_id }) => station.held[commit_id] === undefined).length;
}

function without(network: readonly Message[], message: Message): Message[] {
  const place = network.indexOf(message);
  return network.filter((_, index) => index !== place);
}

function inWords({ from, body }: Message): string {
  const station = from === 2 ? 'c' : NAMES[from];
  const late = body.request === OLD ? 'abandoned ' : '';
  if (body.kind === 'push' && 'commits' in body) {
    const ids = [
      ...body.offers.map(({ commit }) => `offer ${commit.commit_id}`),
      ...body.commits.map(c => c.commit_id),
    ];
    return `${late}push of ${station} (${ids.join(', ')})`;
  }
  if (body.kind === 'push' && 'refused' in body) {
    return `${late}answer to the push${body.refused ? `: ${body.refused.reason} at ${body.refused.number}` : ''}`;
  }
  if (body.kind === 'page')
    return `${late}page from ${body.from.sequence} to ${body.to.sequence} (${body.epoch})`;
  if (body.kind === 'cursor_unknown') return `${late}answer that its cursor is unknown (${body.epoch})`;
  return `${late}${body.kind} of ${station}`;
}
