import { DatabaseError } from 'pg';
import type { Actor, World } from './virtual-time.ts';

export interface HeadRow {
  journal: string;
  position: number;
  turn: string;
  sequence: number;
  hash: string;
  fence: number;
  format: number;
}

export interface TurnRow {
  position: number;
  id: string;
  process: string;
  at: string;
  format: number;
  facts: string;
}

export interface EntryRow {
  position: number;
  sequence: number;
  commit_id: string;
  chain: string;
  number: number;
  body: string;
  decisions: string;
  hash: string;
  countersignature: string;
}

/** What one transaction writes. */
export interface Written {
  head?: HeadRow;
  turn?: TurnRow;
  entries?: readonly EntryRow[];
}

/** What others see. */
export interface State {
  head: HeadRow | undefined;
  turns: TurnRow[];
  entries: EntryRow[];
}

/** What all servers and connections are told of what is to fail. */
export interface Cluster {
  readonly world: World;
  /** Whether a COMMIT waits for the standby. */
  readonly isSynchronous: boolean;
  /** Of so many statements one is refused as when others are in the way; 0 for none. */
  readonly refusesOneIn: number;
  /** Nobody is notified. */
  readonly isSilent: boolean;
  /** Until then nothing reaches the standby. In milliseconds of the world. */
  readonly standbyCutUntil: number;
  readonly standby: { log: Written[] } | undefined;
}

/** A server, for one of its sessions. */
export interface Server<Session> {
  readonly cluster: Cluster;
  readonly state: State;
  readonly isStandby: boolean;
  /** The head's row, when those before have let it go. */
  lock(session: Session, limitMs: number): Promise<void>;
  unlock(session: Session): void;
  left(session: Session): void;
  flush(written: Written): Promise<void>;
  refuseDoubled(turn: TurnRow, entries: readonly EntryRow[]): void;
  notify(payload: string): void;
}

/** The other end of a session. */
export interface Peer {
  readonly actor: Actor;
  notified(payload: string): void;
  ended(): void;
}

/** As the server refuses: with a code of SQL. */
export function refusal(code: string, message: string): DatabaseError {
  const error = new DatabaseError(message, 0, 'error');
  error.code = code;
  return error;
}
