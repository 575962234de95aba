import { describe, expect, it } from 'vitest';
import type { AuthorReader } from '../../../../server/sync/central/pushed.ts';
import { authorsOf, explore, type State } from './key-explorer.ts';

/** Deep enough for every state: no step takes one back but the revocation. */
const DEPTH = 8;

describe('what may befall the keys of a person, in every order', () => {
  it('leaves each commit counted or held as it has to be', () => {
    const { states, violation } = explore(DEPTH);
    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(80);
    expect(explore(DEPTH + 1).states).toBe(states);
  });

  type Author = NonNullable<ReturnType<AuthorReader['userOf']>>;
  const author = (state: State, members: Partial<Author>): AuthorReader['userOf'] => {
    const known = authorsOf(state).userOf('olga');
    return () => known && { ...known, ...members };
  };
  const faults: Record<string, (state: State) => Partial<AuthorReader>> = {
    'a revocation is forgotten': state => ({ userOf: author(state, { isRevoked: false }) }),
    'the first key counts for ever': state => ({
      userOf: author(
        state,
        state.key === 1
          ? { publicKey: authorsOf({ ...state, key: 0 }).userOf('olga')?.publicKey ?? null }
          : {},
      ),
    }),
    'nobody has a key': state => ({ userOf: author(state, { publicKey: null }) }),
    'a station that signed is forgotten': () => ({ signs: () => false }),
    'a station is taken to sign from the beginning': () => ({ signs: () => true }),
    'a revoked station is forgotten': () => ({ isRevoked: () => false }),
    'certificates are forgotten': () => ({ certificatesOf: () => [] }),
    'a certificate of the former key is taken for the present one': state => ({
      certificatesOf: session =>
        authorsOf({
          ...state,
          certified: state.certified.length > 0 && state.key !== null ? [state.key] : [],
        }).certificatesOf(session),
    }),
    'what was taken is forgotten': () => ({ movedTo: () => [] }),
    'another log is not noticed': () => ({ contradicts: () => false }),
  };

  it.each(Object.entries(faults))('is found to be wrong where %s', (_, fault) => {
    const { violation } = explore(DEPTH, state => ({ ...authorsOf(state), ...fault(state) }));
    expect(violation).toBeDefined();
  });
});
