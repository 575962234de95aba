import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Station, type StationOptions } from '../../support/station.ts';
import type { Target } from './attack-case.ts';
import { exchange, requestBytes } from './raw-http.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** Names in `local`. */
const COUNTED = new Set<unknown>(['sign_in_failures', 'sign_in_attempts', 'journal_place']);

/** The index of words merges its own tables when it has nothing to do. */
const BESIDE = /^(search_|sqlite_)/;

/** A real station with one record that has little in it, as a target. */
export class AttackedStation implements Target {
  readonly station: Station;
  readonly port: number;
  readonly token: string;
  readonly readerToken: string;
  readonly normal: Target['normal'];
  readonly secrets: readonly string[];
  readonly #database: DatabaseSync;
  readonly #tables: string[];

  private constructor(station: Station, readerToken: string, normal: Target['normal'], unseen: RegExp) {
    this.station = station;
    this.port = Number(new URL(station.origin).port);
    this.token = station.token;
    this.readerToken = readerToken;
    this.normal = normal;
    this.secrets = [PROJECT, station.folder, 'holdpoint.db', station.token, readerToken];
    this.#database = new DatabaseSync(join(station.folder, 'holdpoint.db'), { readOnly: true });
    const tables = this.#database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    );
    this.#tables = tables.all().flatMap(({ name }) => (unseen.test(String(name)) ? [] : [String(name)]));
  }

  /** @param unseen tables that are written beside what a request asks for */
  static async start(options: StationOptions = {}, unseen = BESIDE): Promise<AttackedStation> {
    const station = new Station({ ...options, env: { HOLDPOINT_LOG: 'info', ...options.env } });
    await station.start();
    const reader = await station.post('/x/tokens', { name: 'reader', scopes: ['read'] });
    const { secret } = (reader.body as { data: { secret: string } }).data;
    const made = await station.post('/suppliers', { name: 'Provence Botanicals' });
    const { id } = (made.body as { data: { id: number } }).data;
    const line = `GET /api/v2/suppliers/${id}`;
    const caller = { port: Number(new URL(station.origin).port), token: station.token };
    const [answer] = (await exchange(caller.port, requestBytes(caller, line))).answers;
    return new AttackedStation(station, secret, { line, answer: answer?.body ?? '' }, unseen);
  }

  /** Every row of every table, read beside the server. */
  stored(): string {
    // That attacks were counted is no effect of one, and how far a journal is follows from that.
    const isKept = (row: object) => !('name' in row && COUNTED.has(row.name));
    return JSON.stringify(
      this.#tables.map(table => [
        table,
        this.#database.prepare(`SELECT * FROM "${table}"`).all().filter(isKept),
      ]),
    );
  }

  async stop(): Promise<void> {
    this.#database.close();
    await this.station.stop();
  }
}
