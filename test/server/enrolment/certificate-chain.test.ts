import { describe, expect, it } from 'vitest';
import {
  fingerprintOf,
  followersOf,
  provesTime,
  signFollower,
  signTime,
} from '../../../server/enrolment/certificate-chain.ts';
import type { ChainLink } from '../../../shared/operations/renewal-operations.ts';
import { selfMade, type TestCertificate } from '../../support/certificates.ts';

/** Each signed by the one before. */
function chainOf(...all: TestCertificate[]): ChainLink[] {
  return all.map(({ certificate }, index) => {
    const former = all[index - 1];
    return {
      certificate,
      signature: former ? signFollower(former.certificate, former.key, certificate) : null,
    };
  });
}

describe('a chain of certificates', () => {
  const [one, two, three] = [selfMade(), selfMade(), selfMade()];
  const chain = chainOf(one, two, three);

  it('leads from any of them to those after it, and not back', () => {
    const all = [one, two, three].map(({ certificate }) => certificate);
    expect(followersOf(chain, one.fingerprint)).toEqual(all);
    expect(followersOf(chain, one.fingerprint.slice(0, 40))).toEqual(all);
    expect(followersOf(chain, two.fingerprint)).toEqual(all.slice(1));
    expect(followersOf(chain, three.fingerprint)).toEqual(all.slice(2));
  });

  it('leads over certificates whose time is over', () => {
    const [old, older] = [selfMade(undefined, -1), selfMade(undefined, -4_000)];
    expect(followersOf(chainOf(older, old, one), older.fingerprint)).toHaveLength(3);
  });

  it.each([
    ['of another central', () => chainOf(selfMade(), selfMade())],
    ['in another order', () => [chain[0], chain[2], chain[1]]],
    ['with one left out', () => [chain[0], chain[2]]],
    [
      'with one put in between',
      () => [chain[0], { certificate: selfMade().certificate, signature: chain[1]?.signature }, chain[2]],
    ],
    ['whose first step nobody signed', () => [chain[0], { ...chain[1], signature: null }, chain[2]]],
    [
      'that the follower signed itself',
      () => [chain[0], { ...chain[1], signature: signFollower(one.certificate, two.key, two.certificate) }],
    ],
    [
      'with a signature of the time',
      () => [chain[0], { ...chain[1], signature: signTime(one.key, 'x', 'y') }],
    ],
    ['of no certificates', () => [chain[0], { certificate: 'none', signature: '' }]],
    ['that is empty', () => []],
  ])('%s proves nothing', (_name, make) => {
    expect(followersOf(make() as ChainLink[], one.fingerprint)).toBeUndefined();
  });
});

it("central's time counts for the question that it answers, by a key that is known", () => {
  const [central, other] = [selfMade(), selfMade()];
  const clock = '2026-06-15T12:00:00.000Z';
  const signature = signTime(central.key, 'question', clock);
  const known = [other.certificate, central.certificate];
  expect(provesTime(known, { request: 'question', clock, signature })).toBe(true);
  expect(provesTime(known, { request: 'another', clock, signature })).toBe(false);
  expect(provesTime(known, { request: 'question', clock: '2016-06-15T12:00:00.000Z', signature })).toBe(
    false,
  );
  expect(provesTime([other.certificate], { request: 'question', clock, signature })).toBe(false);
  expect(fingerprintOf(central.certificate)).toBe(central.fingerprint);
});
