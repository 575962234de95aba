import { setTimeout as sleep } from 'node:timers/promises';
import { CuttingProxy } from '../../../../support/cutting-proxy.ts';
import { Postgres } from '../../../../support/postgres.ts';

const NAME = 'central';
const PATIENCE = 600;
const PAUSE_MS = 100;
/** As a disk without room for what a turn adds. */
const FULL = `
  CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON turn FOR EACH ROW EXECUTE FUNCTION full_disk()`;
const ROOM = 'DROP TRIGGER full_disk ON turn; DROP FUNCTION full_disk';

/** The way of one process to both servers. */
export interface Line {
  url: string;
  /** One before each server. */
  proxies: readonly CuttingProxy[];
}

/** A PostgreSQL with a standby, for which a COMMIT waits. */
export class DatabasePair {
  #primary = new Postgres();
  #standby = new Postgres();
  readonly #lines: Line[] = [];

  async start(): Promise<void> {
    await this.#primary.start();
    await this.#primary.createDatabase(NAME);
    // Standbys are copied with it.
    await this.#run("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await this.#run('ALTER SYSTEM SET wal_retrieve_retry_interval = 200');
    await this.#standby.follow(this.#primary);
    await this.#run('SELECT pg_reload_conf()');
    await this.#untilFollowed();
  }

  async newLine(): Promise<Line> {
    const proxies = [this.#primary, this.#standby].map(({ folder }) => new CuttingProxy(folder));
    for (const proxy of proxies) await proxy.start();
    const hosts = proxies.map(({ folder }) => encodeURIComponent(folder)).join(',');
    const line = { url: `postgres://postgres@${hosts}/${NAME}`, proxies };
    this.#lines.push(line);
    return line;
  }

  /** Past all lines. */
  get url(): string {
    return this.#primary.url(NAME);
  }

  /** Up to which turn it is. */
  async position(): Promise<number> {
    return Number(await this.#run('SELECT position FROM head'));
  }

  /** What the entries have written. */
  entries(): Promise<string> {
    return this.#run('SELECT body FROM entry');
  }

  /** Its primary, or its standby, is away for a while. */
  async stop(who: 'primary' | 'standby', signal: 'SIGINT' | 'SIGQUIT', ms: number): Promise<void> {
    const server = who === 'primary' ? this.#primary : this.#standby;
    await server.end(signal);
    await sleep(ms);
    server.startAgain();
    await server.untilReady();
    await this.#untilFollowed();
  }

  /** It refuses each turn for a while. */
  async fill(ms: number): Promise<void> {
    await this.#run(FULL);
    await sleep(ms);
    await this.#run(ROOM);
  }

  /** The primary is gone, and its standby takes its place; another one follows that. */
  async failOver(): Promise<void> {
    await this.#primary.end('SIGQUIT');
    await this.#promote();
  }

  /**
   * The standby gets nothing more for so long and is not waited for. Then the primary is gone, and the standby takes its place.
   * @param onGone called between the two: nobody writes
   */
  async loseEnd(ms: number, onGone: () => Promise<void>): Promise<void> {
    await this.#run('ALTER SYSTEM RESET synchronous_standby_names');
    await this.#run('SELECT pg_reload_conf()');
    await this.#standby.end('SIGINT');
    await sleep(ms);
    await this.#primary.end('SIGQUIT');
    await onGone();
    this.#standby.startAgain();
    await this.#standby.untilReady();
    await this.#promote();
  }

  async close(): Promise<void> {
    for (const { proxies } of this.#lines) for (const proxy of proxies) proxy.stop();
    await Promise.all([this.#primary.stop(), this.#standby.stop()]);
  }

  async #promote(): Promise<void> {
    await this.#standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.#standby.follow(this.#primary);
    await this.#untilFollowed();
  }

  async #untilFollowed(): Promise<void> {
    for (let tries = 0; !(await this.#isFollowed()); tries += 1) {
      if (tries > PATIENCE) throw new Error('The standby does not follow.');
      await sleep(PAUSE_MS);
    }
  }

  async #isFollowed(): Promise<boolean> {
    const states = 'SELECT sync_state FROM pg_stat_replication';
    return (await this.#run(states).catch(() => '')).trim() === 'sync';
  }

  #run(sql: string): Promise<string> {
    return this.#primary.run(sql, NAME);
  }
}
