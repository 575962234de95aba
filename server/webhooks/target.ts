import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkList } from '../identity/token-bounds.ts';

/** Where a machine may send to. */
export interface TargetPolicy {
  /** At central, what is not on the open Internet is refused unless it is listed. */
  isCentral: boolean;
  /** Addresses and networks that are allowed besides: `HOLDPOINT_WEBHOOK_TARGETS`. */
  listed: readonly string[];
}

export interface Address {
  address: string;
  family: 4 | 6;
}

export type Lookup = (host: string) => Promise<Address[]>;

export type TargetFault = 'unresolved' | 'refused_address' | 'plain_http';

/** Addresses to connect to and to no others, or why there are none. */
export type Checked = { addresses: Address[] } | { fault: TargetFault };

/**
 * Judges every address that the host has now. Whoever connects uses these very addresses: a name that leads elsewhere a moment
 * later leads nowhere. One that is refused among them refuses all.
 */
export async function checkTarget(
  url: URL,
  policy: TargetPolicy,
  lookup: Lookup = resolveHost,
): Promise<Checked> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  const addresses: Address[] =
    version === 0 ? await resolved(host, lookup) : [{ address: host, family: version === 4 ? 4 : 6 }];
  if (addresses.length === 0) return { fault: 'unresolved' };
  const isListed = networkList(policy.listed);
  for (const { address } of addresses) {
    const place = placeOf(address);
    if (place === 'nowhere') return { fault: 'refused_address' };
    if (isListed(plainAddress(address))) continue;
    if (place === 'link' || (place === 'private' && policy.isCentral)) return { fault: 'refused_address' };
    if (place === 'public' && url.protocol === 'http:') return { fault: 'plain_http' };
  }
  return { addresses };
}

async function resolved(host: string, lookup: Lookup): Promise<Address[]> {
  try {
    return await lookup(host);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

async function resolveHost(host: string): Promise<Address[]> {
  const found = await systemLookup(host, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/**
 * What an address leads to: `nowhere` is no one machine (unspecified, multicast, reserved), `link` the wire itself and the
 * services that clouds put there, `private` this machine and networks of an organisation.
 */
export function placeOf(address: string): 'nowhere' | 'link' | 'private' | 'public' {
  const plain = plainAddress(address);
  const version = isIPv6(plain) ? 'ipv6' : 'ipv4';
  if (isIP(plain) === 0 || NOWHERE.check(plain, version)) return 'nowhere';
  if (LINK.check(plain, version)) return 'link';
  return PRIVATE.check(plain, version) ? 'private' : 'public';
}

const NOWHERE = networks(['0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8', '100::/64']);
/** Besides 169.254.169.254 of most clouds, those of AWS by IPv6, of Alibaba and of Oracle. */
const LINK = networks([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
  '192.0.0.192/32',
]);
const PRIVATE = networks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '::1/128',
  'fc00::/7',
  'fec0::/10',
  // Where these end nobody sees from the address: translated, tunnelled, or of an old form.
  '64:ff9b:1::/48',
  '2001::/32',
  '::/96',
]);

function networks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The address of version 4 that one of version 6 stands for (mapped, translated by NAT64, 6to4); else the same. */
function plainAddress(given: string): string {
  const address = given.replace(/%.*$/, '');
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const startsWith = (...wanted: number[]) => wanted.every((group, index) => groups[index] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0x64, 0xff9b, 0, 0, 0, 0))
    return dotted(groups[6], groups[7]);
  return startsWith(0x2002) ? dotted(groups[1], groups[2]) : address;
}

/** The eight groups of an address of version 6. */
function groupsOf(address: string): number[] {
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = text.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
