import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** Where the programs of an installed PostgreSQL stand; undefined where there is none. */
export const POSTGRES = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .map(version => join(DEBIAN, version, 'bin'))
      .findLast(bin => existsSync(join(bin, 'postgres')))
  : undefined;

/** They end with this process, however it ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const server of running) server.kill('SIGQUIT');
});

/** A PostgreSQL of its own on a socket, for a test. It refuses to be root, and then runs as `postgres`. */
export class Postgres {
  // The name of a socket has room for a hundred characters.
  readonly folder = mkdtempSync('/tmp/holdpoint-pg-');
  readonly #port: number | undefined;
  readonly #fsync: 'on' | 'off';
  #server: ChildProcess | undefined;

  /**
   * @param port on which it listens at 127.0.0.1 as well
   * @param isDurable whether a COMMIT waits for the disk
   */
  constructor(port?: number, isDurable = false) {
    this.#port = port;
    this.#fsync = isDurable ? 'on' : 'off';
  }

  /** For clients. */
  get env() {
    return { PGHOST: this.folder, PGPORT: `${this.#port ?? 5432}`, PGUSER: 'postgres', PGDATABASE: 'erp' };
  }

  async start(): Promise<void> {
    await this.#make('initdb', ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-N']);
    this.startAgain();
    await this.createDatabase('erp');
  }

  /** In the place of `start`, or after `end`: a copy of another one, whose standby it is under the name `standby`. */
  async follow(primary: Postgres): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true });
    const { PGHOST, PGPORT } = primary.env;
    const from = `host=${PGHOST} port=${PGPORT} user=postgres application_name=standby`;
    await this.#make('pg_basebackup', [
      '-d',
      from,
      '-D',
      this.#data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '-N',
    ]);
    this.startAgain();
    await this.untilReady();
  }

  /** A standby takes writes from now on. */
  async promote(): Promise<void> {
    await this.run('SELECT pg_promote()', 'postgres');
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  async #make(program: string, flags: string[]): Promise<void> {
    const owner = ownerOf();
    if (owner) chownSync(this.folder, owner.uid, owner.gid);
    await run(join(POSTGRES ?? '', program), flags, { ...owner, cwd: this.folder });
  }

  /** After `end`: the same data. Clients try until it answers, as does `untilReady`. */
  startAgain(): void {
    const at = this.#port === undefined ? ['-h', ''] : ['-h', '127.0.0.1', '-p', `${this.#port}`];
    const flags = ['-D', this.#data, '-k', this.folder, ...at, '-c', `fsync=${this.#fsync}`];
    const options = { ...ownerOf(), cwd: this.folder };
    const server = spawn(join(POSTGRES ?? '', 'postgres'), flags, { ...options, stdio: 'ignore' });
    this.#server = server;
    running.add(server);
    server.once('exit', () => running.delete(server));
  }

  async untilReady(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await run(join(POSTGRES ?? '', 'pg_isready'), ['-h', this.folder, '-p', this.env.PGPORT, '-q']);
        return;
      } catch (error) {
        if (tries > 300) throw error;
        await sleep(100);
      }
    }
  }

  /** A database of its own; waits for the server. */
  async createDatabase(name: string): Promise<void> {
    await this.untilReady();
    await createDatabase(this.folder, name, this.env.PGPORT);
  }

  /** By which a program connects to a database. */
  url(database: string): string {
    return urlOf(this.folder, database);
  }

  /** Rows of a statement, each as JSON. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const text = `SELECT coalesce(json_agg(each), '[]') FROM (${sql}) AS each`;
    return JSON.parse(await this.run(text));
  }

  async run(sql: string, database: string = this.env.PGDATABASE): Promise<string> {
    const env = { ...process.env, ...this.env, PGDATABASE: database };
    const { stdout } = await run(
      join(POSTGRES ?? '', 'psql'),
      ['-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', sql],
      {
        env,
        maxBuffer: 2 ** 26,
      },
    );
    return stdout;
  }

  /** At once, as when the machine is switched off (`SIGQUIT`), or in order with all connections cut (`SIGINT`). */
  async end(signal: 'SIGQUIT' | 'SIGINT' = 'SIGQUIT'): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Of a server whose socket is in that folder. */
export async function createDatabase(folder: string, name: string, port = '5432'): Promise<void> {
  await run(join(POSTGRES ?? '', 'createdb'), ['-h', folder, '-p', port, '-U', 'postgres', name]);
}

/** By which a program connects to a database of that server. */
export function urlOf(folder: string, database: string): string {
  return `postgres://postgres@/${database}?host=${folder}`;
}

function ownerOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
