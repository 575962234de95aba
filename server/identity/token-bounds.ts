import { BlockList, isIP } from 'node:net';
import { shown } from '../../shared/contract/field-schemas.ts';
import { boundableFamilies } from '../../shared/families/boundable-families.ts';
import { familyOf } from '../../shared/families/registry.ts';
import type { TokenBounds } from '../store/token-table.ts';

const NETWORKS = 50;

/** What is to bound a new token, as it was given. */
export type WantedBounds = Partial<Pick<TokenBounds, 'ends_at' | 'families' | 'networks'>>;

type Given = Pick<TokenBounds, 'ends_at' | 'families' | 'networks'>;

/** The bounds to store. What is at fault is noted by field. */
export function checkBounds(
  wanted: WantedBounds,
  { scopes, now }: { scopes: readonly string[]; now: Date },
  blame: (field: keyof Given, message: string) => void,
): Given {
  const { ends_at: endsAt = null, networks, families } = wanted;
  if (endsAt !== null && Date.parse(endsAt) <= now.getTime())
    blame('ends_at', `${shown(endsAt)} is over. Give a moment to come, or none.`);
  return {
    ends_at: endsAt,
    families: checkFamilies(families ?? [], scopes, message => blame('families', message)),
    networks: checkNetworks(networks ?? [], message => blame('networks', message)),
  };
}

function checkFamilies(
  names: readonly string[],
  scopes: readonly string[],
  blame: (message: string) => void,
): readonly string[] | null {
  if (names.length === 0) return null;
  if (scopes.includes('admin'))
    blame('A token that administers reaches everything. Leave the families out, or give it a lesser scope.');
  const known = names.flatMap(name => {
    const family = familyOf(name)?.name;
    if (family !== undefined && boundableFamilies().some(one => one === family)) return family;
    blame(`${shown(name)} is none of: ${boundableFamilies().join(', ')}.`);
    return [];
  });
  return [...new Set(known)];
}

function checkNetworks(texts: readonly string[], blame: (message: string) => void): readonly string[] | null {
  const given = [...new Set(texts.map(text => text.trim()))];
  if (given.length === 0) return null;
  if (given.length > NETWORKS) blame(`There are ${given.length} networks. The most is ${NETWORKS}.`);
  for (const text of given) {
    if (!parseNetwork(text))
      blame(`${shown(text)} is no address and no network. Give one such as 10.2.0.17 or 10.2.0.0/16.`);
  }
  return given;
}

/** What the networks of a token let through. An address of version 4 is the same when it comes mapped into version 6. */
export function networkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return address => {
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '');
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Whether a text is an address or a network. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

function parseNetwork(
  text: string,
): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes('%')) return undefined;
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  // Zero bits are anywhere, which is said by giving none.
  if (!(length >= 1 && length <= bits)) return undefined;
  return { address, prefix: length, family: version === 4 ? 'ipv4' : 'ipv6' };
}
