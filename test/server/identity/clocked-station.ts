import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { openStation, type Station } from '../../../server/app/station.ts';
import { createLogger } from '../../../server/http/log.ts';
import type { WebhookTuning } from '../../../server/webhooks/webhooks.ts';
import type { Answer } from '../../support/station.ts';
import { Browser, dataOf, PASSWORD } from './browser.ts';

/** A station in this process, whose clock the test moves. One at a time. */
export class ClockedStation {
  /** How dear passwords are, as a power of two. */
  readonly #passwords: number;
  readonly #webhooks: WebhookTuning | undefined;
  readonly folder = mkdtempSync(join(tmpdir(), 'holdpoint-identity-'));
  readonly token = randomBytes(24).toString('base64url');
  log = '';
  #now = Date.parse('2026-06-15T12:00:00.000Z');
  #steady = 1_000_000;
  #station: Station | undefined;

  constructor({ passwords = 10, webhooks }: { passwords?: number; webhooks?: WebhookTuning } = {}) {
    this.#passwords = passwords;
    this.#webhooks = webhooks;
  }

  get station(): Station {
    if (!this.#station) throw new Error('The station is not open.');
    return this.#station;
  }

  async start(role: 'station' | 'central' = 'station'): Promise<void> {
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        this.log += chunk;
        done();
      },
    });
    this.#station = await openStation({
      config: {
        folder: this.folder,
        host: '127.0.0.1',
        port: 0,
        hosts: [],
        token: this.token,
        logLevel: 'trace',
      },
      role,
      log: createLogger({ level: 'trace', destination }),
      clock: () => new Date(this.#now),
      steady: () => this.#steady,
      passwordCost: { log2N: this.#passwords, r: 8, p: 1 },
      onFail: () => {},
      ...(this.#webhooks && { webhookTuning: this.#webhooks }),
    });
  }

  async stop(): Promise<void> {
    await this.#station?.close();
    this.#station = undefined;
  }

  /** Stops it and takes its folder away. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Minutes. */
  wait(minutes: number): void {
    this.#now += minutes * 60_000;
    this.#steady += minutes * 60_000;
  }

  /** Sets the clock on, or back, by minutes. */
  set(minutes: number): void {
    this.#now += minutes * 60_000;
  }

  browser(): Browser {
    return new Browser(this.station.origin);
  }

  /** As a program with the administrator's token. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.token}`, origin: undefined };
    return this.browser().call(method, path, { headers, ...(body === undefined ? {} : { body }) });
  }

  /** Makes a user. */
  async user(login: string, roles: readonly string[], password: string | null = PASSWORD): Promise<number> {
    const made = await this.call('POST', '/x/users', {
      login,
      name: `Name of ${login}`,
      roles,
      password,
      is_password_temporary: false,
    });
    return Number(dataOf(made).id);
  }

  async signedIn(login: string): Promise<Browser> {
    const browser = this.browser();
    dataOf(await browser.signIn(login));
    return browser;
  }
}
