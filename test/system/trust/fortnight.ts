import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newCode } from '../../server/enrolment/enrolled.ts';
import { Browser, PASSWORD } from '../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { fakeClock } from '../../support/faketime.ts';
import { Station } from '../../support/station.ts';
import { FaultProxy } from '../sync/kit/fault-proxy.ts';
import { dataOf, syncOf, until, untilInStep } from '../sync/processes/installation.ts';

/** The five of the company, and what they may. */
const PEOPLE = {
  ada: 'administrator',
  quinn: 'quality',
  ivo: 'inspector',
  olga: 'operator',
  lena: 'inspector',
} as const;
/** What Quinn signs by. */
export const QUINNS = 'nine brown otters';
type Login = keyof typeof PEOPLE;
type Place = 'central' | 'dock' | 'lab';

/** A company with two stations, of which the test plays some days of a fortnight. Each day its machines are switched on and off. */
export class Fortnight {
  readonly #folder: string;
  readonly #ports = new Map<Place, number>();
  readonly #machines = new Map<Place, Station>();
  readonly #users = new Map<Login, number>();
  #line: FaultProxy | undefined;

  /** @param folder an empty one */
  constructor(folder: string) {
    this.#folder = folder;
  }

  folderOf(place: Place): string {
    return join(this.#folder, place);
  }

  at(place: Place): Station {
    const station = this.#machines.get(place);
    if (!station) throw new Error(`${place} is off.`);
    return station;
  }

  /** Switches all on. @param offsets how far each clock is off, as libfaketime has it; undefined: not at all */
  async begin(offset: string | undefined, dockOffset = offset): Promise<void> {
    for (const place of ['central', 'dock', 'lab'] as const) {
      const shown = place === 'dock' ? dockOffset : offset;
      const port = this.#ports.get(place);
      const station = new Station({
        folder: this.folderOf(place),
        role: place === 'central' ? 'central' : 'serve',
        env: shown === undefined ? {} : fakeClock(shown),
        ...(port !== undefined && { port }),
      });
      this.#machines.set(place, station);
      await station.start();
      this.#ports.set(place, Number(new URL(station.origin).port));
    }
    this.#line ??= await FaultProxy.open({ target: this.at('central').origin, seed: 1 });
  }

  async end(): Promise<void> {
    for (const station of this.#machines.values()) await station.end();
    this.#machines.clear();
  }

  async close(): Promise<void> {
    await this.end();
    await this.#line?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async enrol(place: 'dock' | 'lab', name: string): Promise<void> {
    const central = this.at('central');
    const address = place === 'dock' ? this.#line?.origin : central.origin;
    const code = await newCode(central, name);
    const { code: exit, output } = await holdpoint(
      environmentOf(this.at(place)),
      'enrol',
      String(address),
      code,
    );
    if (exit !== 0) throw new Error(output);
  }

  /** Ada comes first and makes the others; Quinn chooses a password of her own, and goes on. */
  async hire(): Promise<Browser> {
    const central = this.at('central');
    let by: { post: Browser['post'] } = central;
    for (const [login, role] of Object.entries(PEOPLE) as [Login, string][]) {
      const name = `${login[0]?.toUpperCase()}${login.slice(1)} Harrow`;
      const is_password_temporary = login === 'quinn';
      const user = { login, name, roles: [role], password: PASSWORD, is_password_temporary };
      this.#users.set(login, dataOf<{ id: number }>(await by.post('/x/users', user)).id);
      if (login === 'ada') by = await this.person('ada', 'central');
    }
    const quinn = await this.person('quinn', 'central', PASSWORD);
    const change = { password: QUINNS, current_password: PASSWORD };
    dataOf(await quinn.post(`/x/users/${this.#users.get('quinn')}/password`, change));
    return quinn;
  }

  async person(
    login: Login,
    place: Place,
    password = login === 'quinn' ? QUINNS : PASSWORD,
  ): Promise<Browser> {
    const browser = new Browser(this.at(place).origin);
    await until(
      `${login} at ${place}`,
      () => browser.signIn(login, password),
      ({ status }) => status === 201,
    );
    await until(
      'the key',
      async () => this.#keysAt(place),
      keys => keys.includes(this.#users.get(login)),
    );
    return browser;
  }

  /** Whose keys lie on a machine: what is written before is signed without the person's word at first. */
  #keysAt(place: Place): unknown[] {
    const database = new DatabaseSync(join(this.folderOf(place), 'holdpoint.db'), { readOnly: true });
    const rows = database.prepare('SELECT user_id FROM user_key').all();
    database.close();
    return rows.map(({ user_id: id }) => id);
  }

  /** The dock's line to central is cut, and comes back with `reach`. */
  async lose(): Promise<void> {
    this.#line?.stop();
    await until(
      'away',
      () => syncOf(this.at('dock')),
      ({ state }) => state === 'offline',
    );
  }

  reach(): void {
    this.#line?.resume();
  }

  inStep(): Promise<void> {
    return untilInStep(this.at('central'), [this.at('dock'), this.at('lab')]);
  }
}
