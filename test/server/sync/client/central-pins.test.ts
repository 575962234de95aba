import { describe, expect, it } from 'vitest';
import { signFollower } from '../../../../server/enrolment/certificate-chain.ts';
import { follow, type KnownCertificates, pinsOf } from '../../../../server/sync/client/central-pins.ts';
import { selfMade, type TestCertificate } from '../../../support/certificates.ts';

const [one, two, three] = [selfMade(), selfMade(), selfMade()];

/** What a central shows: its certificates, and which of them it speaks with. */
function shown(all: TestCertificate[], present: TestCertificate) {
  const certificates = all.map(({ certificate }, index) => {
    const former = all[index - 1];
    return {
      certificate,
      signature: former ? signFollower(former.certificate, former.key, certificate) : null,
    };
  });
  return { certificates, present: present.fingerprint };
}

describe('what a station keeps of the certificates that it is shown', () => {
  it('is the present one and the next one, while both hold', () => {
    const kept = follow({ certificate: one.certificate }, shown([one, two], one), 'central');
    expect(kept).toMatchObject({ certificate: one.certificate, next: two.certificate, former: [] });
    expect(kept && pinsOf(kept)).toEqual([one.certificate, two.certificate]);
    expect(kept && follow(kept, shown([one, two], one), 'central')).toBeUndefined();
  });

  it('is the present one alone once central has gone over', () => {
    const known: KnownCertificates = { certificate: one.certificate, next: two.certificate };
    const kept = follow(known, shown([one, two], two), 'central');
    expect(kept && pinsOf(kept)).toEqual([two.certificate]);
    expect(kept?.former).toEqual([one.fingerprint]);
  });

  it('is the last of several renewals, after a long time', () => {
    const known: KnownCertificates = { certificate: one.certificate };
    const kept = follow(known, shown([one, two, three], three), 'central');
    expect(kept && pinsOf(kept)).toEqual([three.certificate]);
    expect(kept?.former).toEqual([one.fingerprint, two.fingerprint]);
  });

  it('is nothing of another central, nor of one whose chain was broken', () => {
    const known = { certificate: one.certificate };
    for (const foreign of [shown([two], two), shown([two, three], three), shown([one], two)]) {
      expect(() => follow(known, foreign, 'central')).toThrow('none that follows it');
    }
  });

  it('is never an earlier one, and the words say so', () => {
    const known = { certificate: two.certificate, former: [one.fingerprint] };
    for (const back of [shown([one], one), shown([one, two], one), shown([one, three], one)]) {
      expect(() => follow(known, back, 'central')).toThrow('that it had before it was renewed');
    }
    // By the former key to another one.
    expect(() => follow(known, shown([one, three], three), 'central')).toThrow('none that follows it');
  });
});
