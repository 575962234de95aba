import { type Browser, dataOf } from '../../server/identity/browser.ts';
import type { ClockedStation } from '../../server/identity/clocked-station.ts';
import type { Answer } from '../../support/station.ts';
import { isProgram, PEOPLE, type Person, PROGRAMS, type Program, type Who } from './oracle.ts';

const SCOPES: Record<Program, string[]> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

/** A person of each role and a program of each scope, at one server. */
export class Callers {
  readonly at: ClockedStation;
  readonly #people = new Map<Person, Browser>();
  readonly #secrets = new Map<Program, string>();

  constructor(at: ClockedStation) {
    this.at = at;
  }

  async open(): Promise<void> {
    for (const role of PEOPLE) {
      await this.at.user(loginOf(role), [role]);
      this.#people.set(role, await this.at.signedIn(loginOf(role)));
    }
    for (const program of Object.keys(PROGRAMS) as Program[]) {
      const made = await this.at.call('POST', '/x/tokens', { name: program, scopes: SCOPES[program] });
      this.#secrets.set(program, String(dataOf(made).secret));
    }
  }

  call(who: Who, method: string, path: string, body?: unknown): Promise<Answer> {
    const given = body === undefined ? {} : { body };
    const browser = isProgram(who) ? undefined : this.#people.get(who);
    if (browser) return browser.call(method, path, given);
    const headers = { authorization: `Bearer ${this.#secrets.get(who as Program)}`, origin: undefined };
    return this.at.browser().call(method, path, { headers, ...given });
  }

  /** A file as it is, and the answer's text. */
  async raw(who: Who, method: string, path: string, file?: string): Promise<string> {
    const bearer = { authorization: `Bearer ${this.#secrets.get(who as Program)}` };
    const cookie = isProgram(who) ? bearer : { cookie: this.#people.get(who)?.cookie ?? '' };
    const { origin } = this.at.station;
    const type = { 'content-type': 'application/octet-stream' };
    const response = await fetch(`${origin}/api/v2${path}`, {
      method,
      headers: { ...cookie, ...(file === undefined ? {} : { origin, ...type }) },
      ...(file === undefined ? {} : { body: file }),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  }
}

export const loginOf = (who: Person): string => `the.${who}`;
