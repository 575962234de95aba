import { createHmac, timingSafeEqual } from 'node:crypto';

/** The cookie by which a browser is known again: it lets nobody in. */
export const DEVICE_COOKIE = 'holdpoint_device';
/** People of one browser that are known; whoever signs in further takes the place of the one who did longest ago. */
const PEOPLE = 16;
const VALUE = /^([\w-]{22})((?:\.\d{1,16}-[\w-]{22})*)$/;

/** A browser in which people have signed in before. */
export interface Device {
  /** 128 random bits. */
  name: string;
  /** Ids of those who did, the latest first. */
  users: readonly number[];
}

/**
 * Knows browsers again, by a cookie that says who has signed in there and that only this machine can make: whoever guesses at a
 * password elsewhere neither uses up their attempts nor takes their turn. Nothing is stored of them.
 */
export function createDevices({ key, random }: { key: () => Buffer; random: (size: number) => Buffer }) {
  const proofOf = (name: string, user: number) =>
    createHmac('sha256', key()).update(`${name}.${user}`).digest().subarray(0, 16);

  /** Of a `Cookie` header; what another machine wrote counts for nobody. */
  function read(cookies: string | undefined): Device | undefined {
    const [, name, listed = ''] = VALUE.exec(valueIn(cookies ?? '')) ?? [];
    if (name === undefined) return undefined;
    const users = listed.split('.').flatMap(each => {
      const [id = '', proof = ''] = each.split(/-(.*)/s);
      const user = Number(id);
      const isProved = id !== '' && timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(name, user));
      return isProved ? [user] : [];
    });
    return { name, users: users.slice(0, PEOPLE) };
  }

  /** What the cookie holds once the user has signed in there. */
  function valueFor(device: Device | undefined, user: number): string {
    const { name, users } = device ?? { name: random(16).toString('base64url'), users: [] };
    const people = [user, ...users.filter(each => each !== user)].slice(0, PEOPLE);
    return [name, ...people.map(each => `${each}-${proofOf(name, each).toString('base64url')}`)].join('.');
  }

  return { read, valueFor };
}

export type Devices = ReturnType<typeof createDevices>;

function valueIn(cookies: string): string {
  const pair = cookies
    .split(';')
    .map(each => each.trim())
    .find(each => each.startsWith(`${DEVICE_COOKIE}=`));
  return pair?.slice(DEVICE_COOKIE.length + 1) ?? '';
}
