import { describe, expect, it } from 'vitest';
import { certifySession, openSession } from '../../../server/identity/session-keys.ts';
import { claimOf, proofOfAuthorship } from '../../../server/keys/authorship.ts';
import {
  isSignedBy,
  newPrivateKey,
  publicKeyOf,
  signText,
  verifyAhead,
} from '../../../server/keys/ed25519.ts';
import { proveAhead } from '../../../server/sync/central/prove-ahead.ts';

const [own, other] = [newPrivateKey(), newPrivateKey()];
const [key, another] = [publicKeyOf(own), publicKeyOf(other)];
const signature = signText(own, 'said');

describe('what was verified ahead', () => {
  it('is of its very bytes, and says nothing of any others', async () => {
    const forget = await verifyAhead([
      { key, text: 'said', signature },
      { key: another, text: 'else', signature: signText(own, 'else') },
    ]);
    expect(isSignedBy(key, 'said', signature)).toBe(true);
    expect(isSignedBy(key, 'Said', signature)).toBe(false);
    expect(isSignedBy(another, 'said', signature)).toBe(false);
    expect(isSignedBy(key, 'said', signText(other, 'said'))).toBe(false);
    expect(isSignedBy(another, 'else', signText(own, 'else'))).toBe(false);
    expect(isSignedBy(key, 'else', signText(own, 'else'))).toBe(true);
    forget();
    expect(isSignedBy(key, 'said', signature)).toBe(true);
  });

  it('says the same of a signature that several claim, whichever of them is asked of', async () => {
    for (const texts of [
      ['said', 'Said'],
      ['Said', 'said'],
    ]) {
      const forget = await verifyAhead(texts.map(text => ({ key, text, signature })));
      expect(texts.map(text => isSignedBy(key, text, signature))).toEqual(texts.map(text => text === 'said'));
      forget();
    }
  });

  it('goes past what nobody can verify', async () => {
    const forget = await verifyAhead([
      { key: 'none', text: 'said', signature },
      { key, text: 'said', signature: '' },
    ]);
    expect(isSignedBy('none', 'said', signature)).toBe(false);
    expect(isSignedBy(key, 'said', '')).toBe(false);
    forget();
  });

  it('is what is asked of as a commit is judged', async () => {
    const at = '2026-06-15T12:00:00.000Z';
    const about = { user: { id: 7, login: 'olga' }, key: own, station: 's', at: new Date(at) };
    const session = openSession('it', certifySession('it', about));
    if (!session) throw new Error('It does not open.');
    const said = { commit_id: 'c', at, clock_offset: null, user: 'olga', reason: null, entries: [] };
    const commit = { ...said, chain: 's.1', number: 1, previous_hash: '', hash: '' };
    const authorship = session.sign(said, null);
    // The clock was set in between: what nobody would take for the session's is not signed.
    for (const other of ['2016-06-15T12:00:00.000Z', '2027-06-15T12:00:00.000Z'])
      expect(() => session.sign({ ...said, at: other }, null)).toThrow(/clock was set/);
    const claim = claimOf({ ...commit, authorship });
    if (!claim) throw new Error('Nothing is claimed.');
    expect(isSignedBy(claim.key, claim.text, claim.signature)).toBe(true);
    const altered = { ...commit, reason: 'Other.', authorship };
    const all = [{ ...commit, authorship }, altered, commit];
    const forget = await proveAhead([...all, { ...commit, authorship: 5 as never }]);
    expect(proofOfAuthorship(commit, authorship)).toBe('proved');
    expect(proofOfAuthorship(altered, authorship)).toBe('broken');
    forget();
    expect(proofOfAuthorship(altered, authorship)).toBe('broken');
    // Where it was wrong, that would be seen: nothing is verified twice.
    const wrong = await verifyAhead(
      [{ ...claim, text: claimOf({ ...altered })?.text ?? '' }],
      async () => true,
    );
    expect(proofOfAuthorship(altered, authorship)).toBe('proved');
    expect(proofOfAuthorship(commit, authorship)).toBe('proved');
    wrong();
    expect(proofOfAuthorship(altered, authorship)).toBe('broken');
  });
});
