import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CountingProxy } from './counting-proxy.ts';
import { freePort, MeasuredProcess } from './measured-process.ts';
import type { Transfer } from './sync-transfer.ts';

const PACKAGES = { pouchdb: '9.0.0', 'express-pouchdb': '4.2.0', express: '4.22.3' };
const INSTALL_LIMIT_MS = 300_000;

export interface PouchOptions {
  /** Where the packages are. */
  installed: string;
  /** For databases. */
  folder: string;
  proxy: CountingProxy;
  records: number;
}

/** Installs PouchDB into the folder, unless it is there; answers why it could not be, or undefined. */
export async function installPouchdb(folder: string): Promise<string | undefined> {
  if (existsSync(join(folder, 'node_modules', 'express-pouchdb'))) return undefined;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--omit=dev'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_LIMIT_MS,
    // What the benchmark was started by must not decide where npm installs to.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  npm.once('error', error => {
    said += error.message;
  });
  const [code] = await once(npm, 'close');
  return code === 0 ? undefined : said.trim().slice(-300) || `npm ended with ${code}`;
}

/** PouchDB on LevelDB on both sides, with express-pouchdb as its server: a filled database, copied for every turn. */
export class PouchTemplate {
  readonly #options: PouchOptions;
  #turns = 0;

  private constructor(options: PouchOptions) {
    this.#options = options;
  }

  static async make(options: PouchOptions): Promise<PouchTemplate> {
    mkdirSync(options.folder, { recursive: true });
    const station = await startStation(options, join(options.folder, 'full'));
    await station.asks(`fill ${options.records}`, 'filled');
    await station.stop();
    return new PouchTemplate(options);
  }

  /**
   * The full database is replicated to an empty server, and from there to a new database.
   * @param batch documents in a batch; PouchDB's own number unless given
   */
  async turn(batch?: number): Promise<Record<'push' | 'pull', Transfer>> {
    const { folder, installed, proxy } = this.#options;
    this.#turns += 1;
    const copy = join(folder, `turn-${this.#turns}`);
    mkdirSync(join(copy, 'server'), { recursive: true });
    cpSync(join(folder, 'full'), join(copy, 'full'), { recursive: true });
    const port = await freePort();
    const program = new URL('./pouchdb-server.ts', import.meta.url).pathname;
    const server = await MeasuredProcess.start(
      [program, installed, join(copy, 'server'), String(port)],
      'serves',
    );
    proxy.turnTo(port);
    try {
      return {
        push: await this.#transfer(server, join(copy, 'full'), 'push', batch),
        pull: await this.#transfer(server, join(copy, 'anew'), 'pull', batch),
      };
    } finally {
      proxy.turnTo(undefined);
      await server.stop();
    }
  }

  async #transfer(
    server: MeasuredProcess,
    database: string,
    kind: 'push' | 'pull',
    batch: number | undefined,
  ): Promise<Transfer> {
    const { proxy, records } = this.#options;
    proxy.reset();
    const before = server.cpuSeconds();
    const station = await startStation(this.#options, database);
    try {
      const clientBefore = station.cpuSeconds();
      const line = await station.asks(
        `${kind} http://127.0.0.1:${proxy.port}/records${batch === undefined ? '' : ` ${batch}`}`,
        'replicated',
      );
      const [, seconds = '', written = ''] = line.split(' ');
      if (Number(written) !== records) throw new Error(`PouchDB: ${line}, of ${records} records`);
      return {
        seconds: Number(seconds),
        records,
        up: proxy.up,
        down: proxy.down,
        cpuSeconds: { server: server.cpuSeconds() - before, client: station.cpuSeconds() - clientBefore },
        peakMB: { server: server.memory().peakMB, client: station.memory().peakMB },
      };
    } finally {
      await station.stop();
    }
  }
}

function startStation({ installed }: PouchOptions, database: string): Promise<MeasuredProcess> {
  const program = new URL('./pouchdb-station.ts', import.meta.url).pathname;
  return MeasuredProcess.start([program, installed, database], 'ready');
}
