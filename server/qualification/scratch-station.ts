import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '../../shared/contract/role.ts';
import { openStation, type Station } from '../app/station.ts';
import { createLogger } from '../http/log.ts';
import { copyDatabase } from '../store/restore/copy-database.ts';
import { DATABASE_FILE } from '../store/verify/verify.ts';
import { Caller, dataOf } from './caller.ts';

/** One of each role, and a second person of quality. */
const PEOPLE = {
  viewer: 'viewer',
  operator: 'operator',
  inspector: 'inspector',
  quality: 'quality',
  second: 'quality',
  administrator: 'administrator',
} as const satisfies Record<string, Role>;
export type Who = keyof typeof PEOPLE;

const DAY_MS = 86_400_000;
/** Stretching passwords is most of the time otherwise, and nothing is protected here. */
const COST = { log2N: 13, r: 8, p: 1 };

/**
 * A whole station of this program in this process: a scratch folder, a free port of loopback, a clock that checks move, a person
 * of each role. Nobody else knows its secrets, and nothing of it stays.
 */
export class ScratchStation {
  readonly folder: string;
  readonly token = randomBytes(24).toString('base64url');
  readonly #people = new Map<Who, { login: string; password: string; caller: Caller }>();
  readonly #begun = performance.now();
  #station: Station | undefined;
  #offset = 0;
  #passed = 0;
  #made = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  get station(): Station {
    if (!this.#station) throw new Error('The scratch station is not open.');
    return this.#station;
  }

  get store(): Station['store'] {
    return this.station.store;
  }

  /** The file of its database. */
  get file(): string {
    return join(this.folder, DATABASE_FILE);
  }

  async open(): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.#station = await this.#opened(this.folder);
    for (const who of Object.keys(PEOPLE) as Who[]) await this.#enter(who);
  }

  async close(): Promise<void> {
    await this.#station?.close();
    this.#station = undefined;
  }

  /** Ends it as a power cut does not: in order; then it opens again on the same data, with its people signed in anew. */
  async reopen(): Promise<void> {
    await this.close();
    this.#station = await this.#opened(this.folder);
    for (const [who, { login, password }] of this.#people)
      this.#people.set(who, { login, password, caller: await this.signedIn(login, password) });
  }

  now(): Date {
    return new Date(Date.now() + this.#offset + this.#passed);
  }

  /** So many days from today; UTC. */
  day(days = 0): string {
    return new Date(this.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
  }

  /** Time passes, as it does: the machine knows it. In minutes. */
  pass(minutes: number): void {
    this.#passed += minutes * 60_000;
  }

  /** Somebody sets the clock on, or back. In minutes. */
  setClock(minutes: number): void {
    this.#offset += minutes * 60_000;
  }

  /** A person of that role, signed in. */
  as(who: Who): Caller {
    return this.#person(who).caller;
  }

  loginOf(who: Who): string {
    return this.#person(who).login;
  }

  /** The name by which people know that person. */
  nameOf(who: Who): string {
    return `Name of ${this.loginOf(who)}`;
  }

  passwordOf(who: Who): string {
    return this.#person(who).password;
  }

  /** Sessions end by what some checks do. */
  async signInAgain(who: Who): Promise<Caller> {
    const { login, password } = this.#person(who);
    const caller = await this.signedIn(login, password);
    this.#people.set(who, { login, password, caller });
    return caller;
  }

  async signInAll(): Promise<void> {
    for (const who of this.#people.keys()) await this.signInAgain(who);
  }

  /** Somebody who is not signed in. */
  nobody(): Caller {
    return new Caller(this.station.origin, {});
  }

  /** A program with a token of these scopes, or with the administrator's. */
  program(token = this.token, origin = this.station.origin): Caller {
    return new Caller(origin, { authorization: `Bearer ${token}` });
  }

  async signedIn(login: string, password: string): Promise<Caller> {
    const caller = this.nobody();
    dataOf(await caller.post('/x/session', { login, password }));
    return caller;
  }

  /** Another person of these roles, not signed in. */
  async person(roles: readonly Role[]): Promise<{ id: number; login: string; password: string }> {
    const login = this.unique('person');
    const password = `${randomBytes(9).toString('base64url')} seven herons`;
    const body = { login, name: `Name of ${login}`, roles, password, is_password_temporary: false };
    const { id } = dataOf(await this.program().post('/x/users', body));
    return { id: Number(id), login, password };
  }

  /** A name that nothing else has. */
  unique(prefix: string): string {
    this.#made += 1;
    return `${prefix}-${this.#made}`;
  }

  /** A copy of what is committed, in a folder of its own below `folder`, as a data folder. */
  copied(folder: string, name = 'copy'): { folder: string; file: string } {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true, mode: 0o700 });
    const file = join(target, DATABASE_FILE);
    copyDatabase(this.file, file);
    copyFileSync(join(this.folder, 'authority.key'), join(target, 'authority.key'));
    return { folder: target, file };
  }

  /** Another station of this program on that folder, for as long as the work takes. */
  async elsewhere<Result>(folder: string, work: (station: Station) => Promise<Result>): Promise<Result> {
    const station = await this.#opened(folder);
    try {
      return await work(station);
    } finally {
      await station.close();
    }
  }

  /** Asks again until the answer is there: some events are noted a moment after the answer of what they are about. */
  async soon<Answer>(ask: () => Promise<Answer>, isThere: (answer: Answer) => boolean): Promise<Answer> {
    for (let waited = 0; ; waited += 1) {
      const answer = await ask();
      if (isThere(answer) || waited >= 40) return answer;
      await sleep(50);
    }
  }

  #person(who: Who): { login: string; password: string; caller: Caller } {
    const person = this.#people.get(who);
    if (!person) throw new Error(`There is no ${who}.`);
    return person;
  }

  async #enter(who: Who): Promise<void> {
    const { login, password } = await this.person([PEOPLE[who]]);
    this.#people.set(who, { login, password, caller: await this.signedIn(login, password) });
  }

  #opened(folder: string): Promise<Station> {
    return openStation({
      config: { folder, host: '127.0.0.1', port: 0, hosts: [], token: this.token, logLevel: 'silent' },
      role: 'station',
      listenAt: { host: '127.0.0.1', port: 0 },
      log: createLogger({ level: 'silent', destination: new Writable({ write: (_1, _2, done) => done() }) }),
      clock: () => this.now(),
      steady: () => performance.now() - this.#begun + this.#passed,
      passwordCost: COST,
      onFail: () => {},
    });
  }
}
