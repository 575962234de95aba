import type { Authorship } from '../../../../server/keys/authorship.ts';
import type { Commit } from '../../../../server/store/changes.ts';
import { commitHash } from '../../../../server/sync/protocol/log.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';
import { shortHash } from './machines.ts';
import type { PlantedFault } from './planted-faults.ts';
import { protocol } from './protocol-table.ts';
import { set } from './scope.ts';
import {
  authorsOf,
  FIRST_KEY,
  forged,
  publicOf,
  renew,
  revoke,
  revokeStation,
  signedFault,
} from './signed-writes.ts';

const A = set(['part:1/name', 'A']);
const A2 = set(['part:1/name', 'A2']);

type Authors = ReturnType<typeof authorsOf>;

/** Central judges what a station sends in another way. */
const judging = (
  permissionFault: (commit: Commit, read: RecordReader) => string | undefined,
): PlantedFault['wrong'] => ({
  receiveCommit: (commit, station, read, t) =>
    protocol.receiveCommit(commit, station, read, { ...t, permissionFault }),
});
const knowing = (authors: (known: Authors, read: RecordReader, commit: Commit) => Partial<Authors>) =>
  judging((commit, read) =>
    signedFault(commit, read, () => {
      const known = authorsOf(read);
      return { ...known, ...authors(known, read, commit) };
    }),
  );
const withKey = (known: Authors, publicKey: string | null, isRevoked: boolean): Partial<Authors> => ({
  userOf: login => {
    const user = known.userOf(login);
    return user && { ...user, publicKey, isRevoked };
  },
});
const signerOf = ({ authorship }: Commit) => (authorship as Authorship | undefined)?.session.key ?? null;
const signed = { budgets: {}, active: [0], isSigned: true };

/** Of keys that are replaced and revoked, and of what is signed with them. */
export const plantedSignedFaults: PlantedFault[] = [
  {
    name: 'nobody looks at what was signed',
    wrong: judging(() => undefined),
    scope: { ...signed, writes: [[forged('stranger', ['part:1/name', 'F'])], [], []] },
  },
  {
    name: 'a commit that nobody has signed is from before keys for ever',
    wrong: knowing(() => ({ signs: () => false })),
    scope: { ...signed, writes: [[forged('nobody', ['part:1/name', 'F'])], [], []] },
  },
  {
    name: 'who signs is believed, whatever was signed',
    wrong: judging((commit, read) => {
      const known = authorsOf(read).userOf(commit.user)?.publicKey ?? null;
      return signerOf(commit) === known ? undefined : 'not_proved: another key.';
    }),
    scope: { ...signed, writes: [[forged('replayed', ['part:1/name', 'F'])], [], []] },
  },
  {
    name: 'a key that was replaced counts still',
    wrong: knowing((known, _, commit) => withKey(known, signerOf(commit), false)),
    scope: { ...signed, writes: [[A], [], [renew]] },
  },
  {
    name: 'the first key is the only one that counts',
    wrong: knowing(known => withKey(known, publicOf(FIRST_KEY), false)),
    scope: { ...signed, writes: [[A], [], [renew]] },
  },
  {
    name: 'a revocation of a key is not noticed',
    wrong: knowing((known, _, commit) => {
      const { publicKey } = known.userOf(commit.user) ?? {};
      return publicKey ? {} : withKey(known, publicOf(FIRST_KEY), false);
    }),
    scope: { ...signed, writes: [[A], [], [revoke]] },
  },
  {
    name: 'a station that was revoked has people sign on',
    wrong: knowing(() => ({ isRevoked: () => false })),
    scope: { ...signed, writes: [[A], [], [revokeStation]] },
  },
  {
    name: 'all stations are revoked with one',
    wrong: knowing((_, read) => ({ isRevoked: () => read.value('user:1', 'revoked') !== undefined })),
    scope: { ...signed, active: [0, 1], writes: [[], [A], [revokeStation]] },
  },
  {
    name: 'what is issued again in another chain has lost what was signed',
    wrong: {
      beginAgain: (...given) => {
        let previous_hash = '';
        return protocol.beginAgain(...given).map(({ authorship: _, ...commit }) => {
          const placed = { ...commit, previous_hash, hash: '' };
          previous_hash = commitHash(placed, shortHash);
          return { ...placed, hash: previous_hash };
        });
      },
    },
    scope: {
      ...signed,
      writes: [[A, A2], [], []],
      budgets: { copies: 1, silentRestoreOfStation: 1 },
    },
  },
  {
    name: 'what was signed counts in the chain alone in which it was written',
    wrong: judging((commit, read) =>
      commit.chain.endsWith('.0') ? signedFault(commit, read) : 'not_proved: of another chain.',
    ),
    scope: {
      ...signed,
      writes: [[A, A2], [], []],
      budgets: { copies: 1, silentRestoreOfStation: 1 },
    },
  },
];
