import type { Role } from '../../../shared/contract/role.ts';
import { Browser, dataOf } from '../../server/identity/browser.ts';
import type { Answer } from '../../support/station.ts';

/** Who tries: a person with a role, or a program by the scope of its token. */
export type Who = Exclude<Role, 'administrator'> | 'second-quality' | 'read' | 'write' | 'admin';

const PEOPLE: Partial<Record<Who, Role>> = {
  viewer: 'viewer',
  operator: 'operator',
  inspector: 'inspector',
  quality: 'quality',
  'second-quality': 'quality',
};
const SCOPES = { read: ['read'], write: ['read', 'write'], admin: ['read', 'write', 'admin'] };

export type Request = readonly [method: string, path: string, body: Record<string, unknown> | unknown[]];

/** A server with a person of each role, a program of each scope, and the short ways to what is tried of it. */
export class TrustSite {
  readonly #origin: string;
  readonly #token: string;
  readonly #people = new Map<Who, Browser>();
  readonly #tokens = new Map<Who, string>();
  #count = 0;

  constructor({ origin, token }: { origin: string; token: string }) {
    this.#origin = origin;
    this.#token = token;
  }

  async open(): Promise<void> {
    for (const [who, role] of Object.entries(PEOPLE) as [Who, Role][]) {
      const login = who.replace('-', '.');
      const password = `${login} and seven grey herons`;
      dataOf(
        await this.#asAdministrator('POST', '/x/users', {
          is_password_temporary: false,
          login,
          name: login,
          roles: [role],
          password,
        }),
      );
      const browser = new Browser(this.#origin);
      dataOf(await browser.signIn(login, password));
      this.#people.set(who, browser);
    }
    for (const [who, scopes] of Object.entries(SCOPES)) {
      const made = dataOf(await this.#asAdministrator('POST', '/x/tokens', { name: who, scopes }));
      this.#tokens.set(who as Who, String(made.secret));
    }
  }

  send(who: Who, [method, path, body]: Request, further: Record<string, string> = {}): Promise<Answer> {
    const browser = this.#people.get(who);
    if (browser) return browser.call(method, path, { body, headers: further });
    const headers = { authorization: `Bearer ${this.#tokens.get(who)}`, origin: undefined, ...further };
    return new Browser(this.#origin).call(method, path, { body, headers });
  }

  /** A record as the administrator's program makes it; its data. */
  async make(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await this.#asAdministrator('POST', path, body);
    const { meta } = answer.body as { meta?: object };
    return { ...meta, ...dataOf(answer) };
  }

  async change(who: Who, path: string, body: Record<string, unknown>): Promise<void> {
    dataOf(await this.send(who, ['PATCH', path, body]));
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return dataOf(await this.#asAdministrator('GET', path));
  }

  /** The words for each lock of a lot. */
  async locks(lot: number): Promise<string[]> {
    const { locks } = await this.read(`/x/inventory/${lot}/facts`);
    return (locks as { reason: string }[]).map(({ reason }) => reason);
  }

  /** What locks a lot: `inspection 17`. */
  async locking(lot: number): Promise<string[]> {
    const { locks } = await this.read(`/x/inventory/${lot}/facts`);
    return (locks as { family: string; id: number }[]).map(({ family, id }) => `${family} ${id}`);
  }

  async list(path: string): Promise<Record<string, unknown>[]> {
    return dataOf(await this.#asAdministrator('GET', `${path}?per_page=100&order=desc`));
  }

  /** A name that nothing else has. */
  name(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${this.#count}`;
  }

  #asAdministrator(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}`, origin: undefined };
    return new Browser(this.#origin).call(method, path, { headers, ...(body ? { body } : {}) });
  }
}

/** What a deed is tried on: ids of what was made for it. */
export type Scene = Readonly<Record<string, number>>;

type Line = Record<string, unknown>;

/** A receipt of one line: ten of a lot of a new part. */
export async function delivery(site: TrustSite, line: Line = {}, receipt: Line = {}) {
  const part = Number((await site.make('/parts', { name: 'Jar', identification: site.name('P') })).id);
  return { part, ...(await delivered(site, part, line, receipt)) };
}

/** A receipt of one line of that part. */
export async function delivered(site: TrustSite, part: number, line: Line = {}, receipt: Line = {}) {
  const item = { part_id: part, serial_number: site.name('L'), quantity_accepted: 10, ...line };
  const made = await site.make('/receiving-inspections', { ...receipt, items: [item] });
  const [stored] = made.items as { id: number; inventory_id: number }[];
  return { receipt: Number(made.id), item: Number(stored?.id), lot: Number(stored?.inventory_id) };
}

/** An approved template of one height, 10 ± 1. */
export async function template(site: TrustSite, fields: Line = {}): Promise<number> {
  const characteristics = [{ name: 'Height', dimensions: '10', tolerance: '±1' }];
  const made = await site.make('/x/specifications', {
    name: 'Jar',
    characteristics,
    is_approved: true,
    ...fields,
  });
  return Number(made.id);
}

/** A delivery under inspection by a template. */
export async function inspected(site: TrustSite, fields: Line = {}) {
  const received = await delivery(site);
  const drawing = await template(site, fields);
  const body = { inventory_id: received.lot, entity_id: received.part, drawing_id: drawing };
  const made = await site.make('/inspections', body);
  const inspection = Number(made.id);
  const [sample] = (await site.read(`/x/inspections/${inspection}`)).samples as Sample[];
  return {
    ...received,
    drawing,
    inspection,
    sample: Number(sample?.id),
    result: Number(sample?.results[0]?.id),
  };
}

interface Sample {
  id: number;
  results: { id: number }[];
}

export function value(scene: Scene, measured: number | null): Record<string, unknown> {
  return { samples: [{ id: scene.sample, results: [{ id: scene.result, value: measured }] }] };
}

/** What the inspector measured. */
export async function measured(site: TrustSite, at: number, passed: boolean | null) {
  const scene = await inspected(site);
  await site.change('inspector', `/inspections/${scene.inspection}`, value(scene, at));
  if (passed !== null) await site.change('inspector', `/inspections/${scene.inspection}`, { passed });
  return scene;
}

/** A lab result out of limits, of the lot record or of its number. */
export async function failedInLab(site: TrustSite, isByNumber = false) {
  const serial_number = site.name('B');
  const received = await delivery(site, { serial_number });
  const specification_id = await template(site);
  const of = isByNumber ? { batch_number: serial_number } : { inventory_id: received.lot };
  const lab_data = '{"Height":"20"}';
  const made = await site.make('/lab-results', { ...of, specification_id, lab_data });
  return { ...received, lab: Number(made.id) };
}
