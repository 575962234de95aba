import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Balancer } from '../../../../server/journal/balancer.ts';
import { environmentOf, holdpoint } from '../../../../server/transfer/holdpoint.ts';
import { type Answer, Station } from '../../../../support/station.ts';
import { planted } from '../../../faults/plant-fault.ts';
import { faultKinds } from '../../kit/fault-proxy.ts';
import { ProcessFleet } from '../../kit/process-fleet.ts';
import { markerPattern } from '../on-disk.ts';
import { CENTRAL, type Deed, type Move } from '../plan.ts';
import { clockOf, FRONT_PERCENT, StormSite, serving } from '../storm-site.ts';
import { journalFaults, placesOn } from './check-journal.ts';
import { DatabasePair, type Line } from './database-pair.ts';
import { DATABASE, JOURNAL_STATIONS, PROCESSES } from './plan.ts';

/** In no database: all processes have the same. */
const KEYS = ['authority.key', 'webhook.key'];
const PAUSE_MS = 100;
/** Above the longest pause of the supervisor between two starts, and a start. */
const PATIENCE_MS = 120_000;

/** What a process says whose folder has what the journal lacks. */
const PARTED = /has lost its end|does not follow what is here/;
/** Of what a process said before it ended. */
const LAST_WORDS = 600;
/** For so long a process stays away for the others to write what the journal lost. */
const LATE_MS = 20_000;

/** One process of central. */
interface Process {
  name: string;
  station: Station;
  line: Line;
  /** The file that says where it ends. */
  point: string;
  clock: string;
}

/** Stations, and a central of several processes behind a balancer, on a PostgreSQL with a standby. */
export class JournalSite extends StormSite {
  readonly #database: DatabasePair;
  readonly #balancer: Balancer;
  readonly #processes: readonly Process[];

  private constructor(
    fleet: ProcessFleet,
    { seed, folder, say }: { seed: number; folder: string; say: (line: string) => void },
    { database, balancer, processes }: Central,
  ) {
    super(fleet, seed, folder, say);
    this.#database = database;
    this.#balancer = balancer;
    this.#processes = processes;
  }

  /** @param program of central's processes, in the place of the one that is tested */
  static override async start(
    seed: number,
    say: (line: string) => void = () => {},
    program?: string,
  ): Promise<JournalSite> {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-storm-'));
    const central = await startCentral(folder, program);
    const { balancer, processes } = central;
    const [first, ...further] = processes.map(({ station }) => station);
    if (!first) throw new Error('There is no process.');
    const fleet = await ProcessFleet.start({
      stations: JOURNAL_STATIONS.length,
      seed,
      kinds: faultKinds,
      env: name => clockOf(folder, name),
      central: { station: first, address: () => balancer.origin, further },
    });
    const site = new JournalSite(fleet, { seed, folder, say }, central);
    await site.addAll(balancer.origin);
    return site;
  }

  override async quiet(): Promise<void> {
    for (const { point } of this.#processes) rmSync(point, { force: true });
    for (const process of this.#processes) await this.#untilFollowing(process);
    await super.quiet();
  }

  /** Where all processes stand at the end of the journal they are ended, and compared with each other and with it. */
  override async judge(): Promise<string[]> {
    const folders = this.#processes.map(({ station }) => station.folder);
    for (;;) {
      const goOn = this.#processes.map(({ station }) => station.freeze());
      const position = await this.#database.position();
      const isSame = placesOn(folders).every(place => place.position === position);
      if (isSame) break;
      for (const go of goOn) go();
      await sleep(PAUSE_MS);
    }
    await super.judge();
    return journalFaults(this.#database.url, folders);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#balancer.stop();
    await this.#database.close();
  }

  protected override begin(move: Move): void {
    const { deed, who } = move;
    const process = this.#processes.find(({ name }) => name === who);
    if (who === DATABASE) this.#beginAtDatabase(move);
    else if (process) this.after([who], deed, () => this.#befall(process, move));
    else super.begin(move);
  }

  #beginAtDatabase({ deed, measure, detail }: Move): void {
    const database = this.#database;
    const signal = detail === 'SIGINT' ? 'SIGINT' : 'SIGQUIT';
    const deeds: Partial<Record<Deed, () => Promise<void>>> = {
      'database stop': () => database.stop('primary', signal, measure),
      'standby stop': () => database.stop('standby', 'SIGINT', measure),
      'database full': () => database.fill(measure),
      failover: () => database.failOver(),
      'lossy failover': () => this.#loseEnd(measure),
    };
    // What parts is looked after while nothing else befalls the processes.
    const who = deed === 'lossy failover' ? [DATABASE, ...PROCESSES] : [DATABASE];
    this.after(who, deed, deeds[deed] ?? (async () => {}));
  }

  async #befall(process: Process, { deed, measure: ms, detail = '' }: Move): Promise<void> {
    const { station, line, clock } = process;
    if (deed === 'kill' || deed === 'stop') return this.away(station, deed, ms);
    if (deed === 'clock') return writeFileSync(clock, `${detail}\n`);
    if (deed === 'die') return this.#die(process, detail);
    if (deed === 'begin anew') {
      await station.kill();
      for (const name of readdirSync(station.folder))
        if (!KEYS.includes(name)) rmSync(join(station.folder, name), { recursive: true });
      return serving(station);
    }
    if (deed === 'lose commit') for (const proxy of line.proxies) proxy.cutNext();
    if (deed === 'cut off') for (const proxy of line.proxies) proxy.cut();
    if (deed !== 'freeze' && deed !== 'hang') return;
    const ends = deed === 'freeze' ? [station.freeze()] : line.proxies.map(proxy => proxy.hang());
    await sleep(ms);
    for (const end of ends) end();
  }

  /** The point may not come: it does nothing then, and is over. */
  async #die(process: Process, point: string): Promise<void> {
    const file = process.point;
    writeFileSync(file, point);
    for (let waited = 0; waited < 50 && existsSync(file); waited += 1) await sleep(PAUSE_MS);
    if (existsSync(file)) rmSync(file, { force: true });
    else this.count(`died ${point}`);
    await this.#untilFollowing(process);
  }

  /** Nobody has what the journal lacks, unless that lost its end. */
  async #untilFollowing(process: Process): Promise<void> {
    if ((await this.#untilWell(process.station)) === 'well') return;
    this.faults.push(`${process.name} parted though the journal had lost nothing`);
    await this.#giveBack(process);
  }

  /**
   * What people are answered then is of another life of central: a key is not known any more. The former processes that have what the
   * journal lost give it back.
   */
  async #loseEnd(ms: number): Promise<void> {
    const place = this.place(CENTRAL);
    const late = this.#processes[ms % this.#processes.length];
    if (!late) return;
    for (const process of this.#processes) await this.#untilFollowing(process);
    await this.#database.loseEnd(ms, async () => {
      place.life = { ...place.life };
      await place.front.heal();
      await place.front.settled();
      await late.station.kill();
    });
    const entries = await this.#database.entries();
    place.life = { root: CENTRAL, inherited: new Set(entries.match(markerPattern(this.writes.prefix))) };
    place.front.percent = FRONT_PERCENT;
    for (const process of this.#processes.filter(one => one !== late)) {
      if ((await this.#untilWell(process.station)) === 'parted') await this.#giveBack(process);
    }
    // Where it stood, the journal has other turns by then.
    const [at] = placesOn([late.station.folder]);
    for (let waited = 0; waited < LATE_MS; waited += PAUSE_MS) {
      if ((await this.#database.position()) > (at?.position ?? 0)) break;
      await sleep(PAUSE_MS);
    }
    // It refuses to start where it parts at once.
    await serving(late.station).catch(() => {});
    if ((await this.#untilWell(late.station)) === 'parted') await this.#giveBack(late);
    for (const process of this.#processes) await this.#untilFollowing(process);
  }

  async #giveBack({ name, station, line }: Process): Promise<void> {
    await station.end();
    const env = { ...environmentOf(station), HOLDPOINT_JOURNAL: line.url };
    const { code, output } = await holdpoint(env, 'journal', 'part', '--give-up');
    this.say(`people: parted ${name}: ${output.trim()}`);
    if (code !== 0) this.faults.push(`${name} is not parted: ${output.trim()}`);
    this.count('parted');
    await serving(station);
  }

  /** Until it follows the journal, or says that the journal lacks what it has. */
  async #untilWell(station: Station): Promise<'well' | 'parted'> {
    for (let waited = 0; ; waited += PAUSE_MS) {
      const answer = await health(station);
      if (answer?.status === 200) return 'well';
      const said = station.isRunning ? JSON.stringify(answer?.body) : station.output.slice(-LAST_WORDS);
      if (PARTED.test(said)) return 'parted';
      if (!station.isRunning || waited > PATIENCE_MS)
        throw new Error(`It is not well: ${JSON.stringify(answer)}\n${station.output}`);
      await sleep(PAUSE_MS);
    }
  }
}

interface Central {
  database: DatabasePair;
  balancer: Balancer;
  processes: readonly Process[];
}

async function startCentral(folder: string, program: string | undefined): Promise<Central> {
  const database = new DatabasePair();
  const processes: Process[] = [];
  const ports = () => processes.map(({ station }) => Number(new URL(station.origin).port));
  const balancer = new Balancer(ports);
  await database.start();
  await balancer.start();
  for (const name of PROCESSES) {
    const [data, point] = [join(folder, `data of ${name}`), join(folder, `point of ${name}`)];
    mkdirSync(data);
    const [first] = processes;
    for (const key of first ? KEYS : [])
      copyFileSync(join(first?.station.folder ?? '', key), join(data, key));
    const line = await database.newLine();
    const clock = join(folder, name);
    writeFileSync(clock, '+0\n');
    const env = {
      ...planted({ clock, point }),
      HOLDPOINT_JOURNAL: line.url,
      HOLDPOINT_HOSTS: new URL(balancer.origin).host,
    };
    const station = new Station({ role: 'central', folder: data, env, ...(program && { program }) });
    await station.start();
    processes.push({ name, station, line, point, clock });
  }
  return { database, balancer, processes };
}

async function health(station: Station): Promise<Answer | undefined> {
  try {
    return await station.get('/x/health');
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
