import { describe, expect, it } from 'vitest';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { signedText } from '../../../../server/keys/signature-proof.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import type { Fields } from '../../../../server/store/changes.ts';
import type { Signer } from '../../../../server/store/unit-of-work.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';

const [hers, another] = [newPrivateKey(), newPrivateKey()];

interface Site extends Story {
  quinn: number;
}

/** Everybody signs by `gxp`; Quinn has a key of her own unless said otherwise. */
async function site(fields: Fields = { public_key: publicKeyOf(hers) }): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  await create(store, 'setting', { esignature_policy: 'gxp' }, { id: 1 });
  const quinn = [...store.records.all('user')].find(user => user.fields.login === 'quinn');
  if (!quinn) throw new Error();
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'sign-in' },
    reason: null,
    work: work => work.set(families.user, quinn.id, { ...quinn.fields, ...fields }),
    answer: () => undefined,
  });
  await made.settle();
  return { ...made, quinn: quinn.id };
}

const signerOf = (key = hers): NonNullable<Signer['sign']> => {
  return text => ({ key: publicKeyOf(key), proof: signText(key, text) });
};

/** Closes the report as Quinn does at a station. */
async function close({ a, ncr, quinn }: Site, sign?: NonNullable<Signer['sign']>): Promise<void> {
  await a.store.gate.commit({
    actor: { rights: { kind: 'person', roles: ['quality'] }, user: 'quinn', userId: quinn },
    reason: 'Done.',
    signing: { signer: { id: quinn, name: 'quinn', ...(sign && { sign }) }, reason: 'Done.' },
    work: work => work.update(families.ncr, ncr, inputOf({ status: 'closed' })),
    answer: () => undefined,
  });
}

/** As an altered station does it: the signature beside the act is what somebody makes of it. */
async function closeBeside(
  { a, ncr, quinn }: Site,
  forge: (said: Fields) => Fields,
  family: 'ncr' | 'car' = 'ncr',
): Promise<void> {
  await a.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'quinn' },
    reason: 'Done.',
    work: work => {
      const record = work.set(families.ncr, ncr, {
        ...work.require('ncr', ncr).fields,
        status: 'closed',
      });
      const said = {
        ...{ subject: `${family}:${ncr}`, user_id: quinn, user_name: 'quinn', at: work.at },
        ...{ meaning: 'closing', reason: 'Done.', version: record.version, state: record.state },
      };
      work.insert(families.signature, forge(said));
    },
    answer: () => undefined,
  });
}

const isClosed = ({ central, ncr }: Story) =>
  central.store.records.get('ncr', ncr)?.fields.status === 'closed';
const provedBy =
  (key = hers) =>
  (said: Fields): Fields => {
    const signed = signedText(said);
    return { ...said, key: publicKeyOf(key), proof: signText(key, signed), signed };
  };

describe('a signature of somebody who has a key', () => {
  it('counts where that key made it', async () => {
    const made = await site();
    await close(made, signerOf());
    await made.settle();
    expect(heldOf(made)).toEqual([]);
    expect(isClosed(made)).toBe(true);
  });

  it('counts as well where the station writes it down as it was made', async () => {
    const made = await site();
    await closeBeside(made, provedBy());
    await made.settle();
    expect(heldOf(made)).toEqual([]);
    expect(isClosed(made)).toBe(true);
  });

  it('is held where it was made without', async () => {
    const made = await site();
    await close(made);
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^not_proved: The signer has a key, and this signature was made without it/),
    ]);
    expect(isClosed(made)).toBe(false);
  });

  /** Of what Quinn signed once, at another time, by her own hand. */
  const genuine = provedBy()({
    ...{ subject: 'car:1', user_id: 0, user_name: 'quinn', at: '2025-10-01T08:00:00.000Z' },
    ...{ meaning: 'closing', reason: 'Done.', version: 2, state: 'ab'.repeat(32) },
  });
  const { key, proof, signed } = genuine;

  it.each<[string, (said: Fields) => Fields]>([
    ['made by another key', provedBy(another)],
    [
      'made by another key that says it is hers',
      said => ({ ...provedBy(another)(said), key: publicKeyOf(hers) }),
    ],
    ['of something that she signed before', said => ({ ...said, key, proof, signed })],
    ['of the same text with other values beside it', said => ({ ...provedBy()(said), reason: 'Other.' })],
    ['of another version', said => ({ ...provedBy()(said), version: Number(said.version) + 1 })],
    ['of another record', said => ({ ...provedBy()({ ...said, subject: 'ncr:99' }), subject: said.subject })],
    ['of another state', said => ({ ...provedBy()({ ...said, state: 'cd'.repeat(32) }), state: said.state })],
    ['with a proof and no key', said => ({ ...provedBy()(said), key: null })],
    ['with a key and no proof', said => ({ ...provedBy()(said), proof: null })],
    ['that is no signature', said => ({ ...provedBy()(said), proof: 'A'.repeat(86) })],
    ['whose key is none', said => ({ ...provedBy()(said), key: 'AAAA' })],
  ])('is held with a proof %s', async (_name, forge) => {
    const made = await site();
    await closeBeside(made, forge);
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^not_proved: The signature is not/),
    ]);
    expect(isClosed(made)).toBe(false);
  });

  it('is held with a key that was replaced', async () => {
    const made = await site({ public_key: publicKeyOf(another), former_keys: [publicKeyOf(hers)] });
    await close(made, signerOf(hers));
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('the key was replaced meanwhile'),
    ]);
  });
});

it('a signature of somebody who has no key counts without, and never with one that nobody knows', async () => {
  const made = await site({});
  await close(made);
  await made.settle();
  expect(isClosed(made)).toBe(true);
  const forged = await site({});
  await closeBeside(forged, provedBy());
  await forged.settle();
  expect(heldOf(forged)).toHaveLength(1);
});

it('a station gives nobody a key: what it writes of users is held', async () => {
  const made = await site({});
  await made.a.store.gate
    .commit({
      actor: { rights: BY_SERVER, user: 'sign-in' },
      reason: null,
      work: work => {
        const { fields } = work.require('user', made.quinn);
        work.set(families.user, made.quinn, { ...fields, public_key: publicKeyOf(another) });
      },
      answer: () => undefined,
    })
    .catch(() => undefined);
  await made.settle();
  expect(made.central.store.records.get('user', made.quinn)?.fields.public_key ?? null).toBe(null);
});
