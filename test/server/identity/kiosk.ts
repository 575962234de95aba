import type { Answer, CallOptions } from '../../support/station.ts';
import { Browser } from './browser.ts';

/** A browser at which people change: it keeps every cookie, as browsers do. */
export class Kiosk extends Browser {
  readonly jar = new Map<string, string>();

  override async call(
    method: string,
    path: string,
    options: Pick<CallOptions, 'body' | 'headers'> = {},
  ): Promise<Answer> {
    // Those that rest go to the operations of the session only.
    const sent = [...this.jar].filter(
      ([name]) => name === 'holdpoint_session' || /^\/x\/session(\/|$)/.test(path),
    );
    this.cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await super.call(method, path, options);
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return answer;
  }
}
