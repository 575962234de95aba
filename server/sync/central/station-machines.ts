import { randomBytes } from 'node:crypto';
import { AppError } from '../../../shared/contract/errors.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import {
  type Agreed,
  callerAmong,
  chooseMachine,
  type Doubled,
  type HeldOffAnswer,
  type Judged,
  judgeProof,
  type Machines,
  type Presented,
  type ProofTerms,
  proofText,
  withoutMachine,
} from '../protocol/proof.ts';
import { proofSchema } from '../protocol/wire-schemas.ts';

/** What a machine is told: that it may go on, or that it is held off. */
export type Admission =
  | { heldOff: HeldOffAnswer }
  | { heldOff: undefined; beside: { agreed?: Agreed; doubled?: Doubled } };

/** What an installation says that enrols. */
interface Enrolling {
  station: string;
  separated_from?: { station: string; proof?: object | undefined } | undefined;
}

/** With this before a station, what `local` keeps of its machines. */
const MACHINES = 'machines:';
/** What a machine says of itself is kept this often where nothing depends on it. In milliseconds. */
const KEPT_MS = 60_000;

/**
 * Which machines call as which station. Central keeps it beside its log: an image of central that is put back knows an
 * earlier state, and believes what it has countersigned since.
 */
export class StationMachines {
  readonly #store: Store;
  readonly #terms: ProofTerms;
  /** Whoever else writes it says so: `reread`. */
  readonly #known = new Map<string, Machines | undefined>();
  readonly #kept = new Map<string, number>();

  constructor(store: Store, terms: Omit<ProofTerms, 'name'>) {
    this.#store = store;
    this.#terms = { ...terms, name: () => randomBytes(2).toString('hex').toUpperCase() };
  }

  /** Which machine calls; what is agreed with it is durable. Undefined for a station that never gave a proof. */
  async judge(presented: Presented): Promise<Judged | undefined> {
    const { station, at } = presented;
    const judged = judgeProof(presented, this.of(station), this.#terms);
    if (!judged) return undefined;
    const isDue = Math.abs(Date.parse(at) - (this.#kept.get(station) ?? 0)) >= KEPT_MS;
    if (!judged.isToKeep && !isDue) {
      this.#known.set(station, judged.machines);
      return judged;
    }
    // By what stands then: a person may just choose another machine, or one may leave.
    return this.#store.gate.briefly(() => {
      const result = judgeProof(presented, this.#standing(station), this.#terms);
      if (result) this.#put(station, result.machines);
      this.#store.database.afterCommit(() => this.#kept.set(station, Date.parse(at)));
      return result;
    });
  }

  /** As `judge`, in the words of the answer. */
  async admit(presented: Presented): Promise<Admission> {
    const judged = await this.judge(presented);
    if (!judged) return { heldOff: undefined, beside: {} };
    const { machines, machine, agreed, isHeldOff } = judged;
    const { noticed_at: noticedAt, decided_at: decidedAt } = machines;
    if (isHeldOff) {
      // Of one that has left it is decided for good.
      const isGone = !machines.machines.some(({ id }) => id === machine.id);
      const noticed = isGone ? machine.first_seen_at : (noticedAt ?? machine.first_seen_at);
      const is_decided = isGone || decidedAt !== null;
      return { heldOff: { kind: 'held_off', machine: machine.id, noticed_at: noticed, is_decided } };
    }
    const doubled =
      noticedAt === null
        ? undefined
        : { machine: machine.id, noticed_at: noticedAt, is_decided: decidedAt !== null };
    return { heldOff: undefined, beside: { ...(agreed && { agreed }), ...(doubled && { doubled }) } };
  }

  /** What was agreed last with the machine that goes on as the station; undefined for one that never gave a proof. */
  lastAgreed(station: string): Agreed | undefined {
    const known = this.of(station);
    const machine = known?.machines.find(({ id }) => id === known.present);
    if (!machine) return undefined;
    const last = { count: machine.count, proof: machine.proofs.at(-1) ?? '' };
    return { ...last, countersignature: this.#terms.countersign(proofText(station, last)) };
  }

  /** Undefined for a station that never gave a proof. */
  of(station: string): Machines | undefined {
    if (!this.#known.has(station)) this.#known.set(station, read(this.#store.database.reader, station));
    return this.#known.get(station);
  }

  /** Another process has written these names of `local`. */
  reread(names: ReadonlySet<unknown>): void {
    for (const station of this.#known.keys())
      if (names.has(`${MACHINES}${station}`)) this.#known.delete(station);
  }

  /** A person says which of several machines goes on as the station. @throws AppError 404, 409 where there is one only */
  async choose(station: string, id: string, at: string): Promise<void> {
    await this.#store.gate.applyRemote(() => {
      const known = this.#standing(station);
      if (!known || known.noticed_at === null) {
        throw new AppError('conflict', 'Only one machine calls as this station. There is nothing to choose.');
      }
      const chosen = chooseMachine(known, id, at);
      if (!chosen) {
        const ids = known.machines.map(machine => machine.id).join(', ');
        const message = `No machine ${JSON.stringify(id)} calls as this station. Give one of ${ids}.`;
        throw new AppError('not_found', message);
      }
      this.#put(station, chosen);
      return { result: undefined };
    });
  }

  /**
   * In the open transaction in which an installation enrols. A copy of a station that becomes a station of its own leaves the
   * former one; any other is the one machine of its station from then on.
   * @param isKnown whether it was enrolled before
   * @throws AppError `conflict` for the machine that goes on as the station, for one that was not noticed, and while it is not
   * clear what this one alone has
   */
  enrolling({ station, separated_from: from }: Enrolling, isKnown: boolean): void {
    if (!from) {
      if (this.#standing(station)?.noticed_at) throw new AppError('conflict', CHOOSE);
      this.forget(station);
      return;
    }
    // Its answer was lost.
    if (isKnown) return;
    const former = from.station.toLowerCase();
    const proof = proofSchema.safeParse(from.proof);
    const known = this.#standing(former);
    // Only a look: a step would make another machine of the one that is in truth the station.
    const machine = known && callerAmong(known, proof.success ? proof.data : undefined);
    if (!known || machine?.id === known.present) throw new AppError('conflict', IS_THE_ONE);
    if (!machine) throw new AppError('conflict', NOT_NOTICED);
    const present = known.machines.find(({ id }) => id === known.present);
    if (!present?.has_sent_all) {
      const message = `Central has not heard yet from the machine that goes on (${present?.id}) that it has nothing left to send. Connect that one, and try again in a minute.`;
      throw new AppError('conflict', message, { headers: { 'Retry-After': '30' } });
    }
    // One that left before, of which an older image was put back, has nothing to leave.
    if (known.machines.includes(machine)) this.#put(former, withoutMachine(known, machine.id));
  }

  /** In the open transaction: whoever calls as the station next is it. */
  forget(station: string): void {
    if (this.#standing(station)) this.#put(station, undefined);
  }

  /** In the open transaction. */
  #standing(station: string): Machines | undefined {
    return read(this.#store.database, station);
  }

  #put(station: string, machines: Machines | undefined): void {
    this.#write(station, machines);
    this.#store.database.afterCommit(() => this.#known.set(station, machines));
  }

  #write(station: string, machines: Machines | undefined): void {
    writeLocal(this.#store.database, `${MACHINES}${station}`, JSON.stringify(machines ?? null));
  }
}

function read(sql: Pick<SqlReader, 'get'>, station: string): Machines | undefined {
  const machines: Machines | null = JSON.parse(readLocal(sql, `${MACHINES}${station}`) ?? 'null');
  return machines ?? undefined;
}

const CHOOSE =
  'Several machines call as this station. Say at central which one goes on, and make the other one a station of its own: enrol it with "separate". Or revoke the key of all of them first.';
const NOT_NOTICED =
  'Central has not noticed this machine as another one than the station. Let it exchange with central once, and try again.';
const IS_THE_ONE =
  'Central goes on with this very machine as the station. Choose the other one at central first, or leave this one as it is.';
