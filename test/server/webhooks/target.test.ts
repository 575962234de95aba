import { describe, expect, it } from 'vitest';
import { checkTarget, type Lookup, placeOf, type TargetPolicy } from '../../../server/webhooks/target.ts';
import { addressFault } from '../../../shared/operations/webhook-operations.ts';

const station: TargetPolicy = { isCentral: false, listed: [] };
const central: TargetPolicy = { isCentral: true, listed: [] };

const leadsTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));

async function faultOf(url: string, policy: TargetPolicy, lookup?: Lookup): Promise<string | undefined> {
  const checked = await checkTarget(new URL(url), policy, lookup);
  return 'fault' in checked ? checked.fault : undefined;
}

/** Ways of writing addresses of this machine and of private networks. */
const PRIVATE = [
  '127.0.0.1',
  '127.9.9.9',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '10.0.0.8',
  '172.31.255.255',
  '192.168.1.20',
  '100.64.0.1',
  '[::1]',
  '[fd12:3456::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:c0a8:0101]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[::7f00:1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
];

/** Nowhere, the wire itself, and what clouds put there. */
const REFUSED = [
  '0.0.0.0',
  '0',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::ffff:0.0.0.0]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[ff02::1]',
];

describe('an address', () => {
  it.each(PRIVATE)('of this machine or a private network (%s) is for stations', async host => {
    expect(await faultOf(`http://${host}:8080/`, station)).toBeUndefined();
    expect(await faultOf(`http://${host}:8080/`, central)).toBe('refused_address');
    expect(await faultOf(`https://${host}/`, central)).toBe('refused_address');
  });

  it.each(REFUSED)('that leads nowhere or to the network itself (%s) is for nobody', async host => {
    expect(await faultOf(`https://${host}/`, station)).toBe('refused_address');
    expect(await faultOf(`https://${host}/`, central)).toBe('refused_address');
  });

  it('on the open Internet needs TLS everywhere', async () => {
    for (const policy of [station, central]) {
      for (const host of ['93.184.216.34', '[2606:2800:220:1::1]']) {
        expect(await faultOf(`https://${host}/`, policy)).toBeUndefined();
        expect(await faultOf(`http://${host}/`, policy)).toBe('plain_http');
      }
    }
  });

  it('that is listed is allowed in all its forms, and none beside it', async () => {
    const listed = { isCentral: true, listed: ['10.2.0.0/16', '169.254.10.1', '93.184.216.34'] };
    for (const host of ['10.2.0.17', '[::ffff:10.2.0.17]', '169.254.10.1', '93.184.216.34'])
      expect({ host, fault: await faultOf(`http://${host}/`, listed) }).toEqual({ host, fault: undefined });
    for (const host of ['10.3.0.1', '169.254.169.254', '127.0.0.1'])
      expect({ host, fault: await faultOf(`http://${host}/`, listed) }).toMatchObject({
        fault: 'refused_address',
      });
    // What is no one machine cannot be listed.
    expect(await faultOf('http://0.0.0.0/', { isCentral: true, listed: ['0.0.0.0', '0.0.0.0/8'] })).toBe(
      'refused_address',
    );
  });
});

describe('a name', () => {
  it('is judged by all that it leads to now', async () => {
    const url = 'https://hooks.example/';
    expect(await faultOf(url, central, leadsTo('93.184.216.34'))).toBeUndefined();
    expect(await faultOf(url, central, leadsTo('93.184.216.34', '127.0.0.1'))).toBe('refused_address');
    expect(await faultOf(url, central, leadsTo('93.184.216.34', '::1'))).toBe('refused_address');
    expect(await faultOf(url, station, leadsTo('169.254.169.254'))).toBe('refused_address');
    expect(await faultOf('http://localhost/', central)).toBe('refused_address');
    expect(await faultOf(url, station, leadsTo())).toBe('unresolved');
    const failing = async () => {
      throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    };
    expect(await faultOf(url, station, failing)).toBe('unresolved');
  });

  it('that is no address at all is nowhere', () => {
    expect(placeOf('')).toBe('nowhere');
    expect(placeOf('fe80::1%eth0')).toBe('link');
  });
});

it.each([
  ['ftp://example.com/', /begin with https/],
  ['file:///etc/passwd', /begin with https/],
  ['https://user:word@example.com/', /no user and password/],
  ['https://example.com/#part', /follows the #/],
  ['example.com/hooks', /whole address/],
  [`https://example.com/${'a'.repeat(2_000)}`, /too long/],
])('the text %s is no address of a receiver', (text, message) => {
  expect(addressFault(text)).toMatch(message);
});
