import { describe, expect, it } from 'vitest';
import { headsAlone, isOfFormer, refuseFormer } from '../../../../server/sync/central/former-station.ts';
import type { Page, PullRequest, Request, SnapshotRequest } from '../../../../server/sync/protocol/wire.ts';

const cursor = { epoch: 'e', sequence: 7, hash: 'h7', countersignature: 'c7' };
const asking = { request: 'r', station: 's', protocol: 1, cursor };
const pull: PullRequest = { kind: 'pull', ...asking, limit: 500, packed: [] };
const about = { unsent: 2 };

describe('a station that cannot keep what people sign', () => {
  it('is one that says what it is, and not that it speaks 2', () => {
    expect([undefined, about, { ...about, speaks: 1 }, { ...about, speaks: 2 }].map(isOfFormer)).toEqual([
      ...[false, true, true, false],
    ]);
  });

  it('is given the heads of its chains and no entry, so that its cursor stays', async () => {
    const heads = [{ chain: 's.1', number: 3, hash: 'h', countersignature: 'c' }];
    const page: Page = {
      ...{ kind: 'page', request: 'r', epoch: 'e', last: 90, heads, from: { sequence: 7, hash: 'h7' } },
      ...{ entries: [], packed: [], to: { ...cursor, sequence: 8, hash: 'h8' } },
    };
    const asked: PullRequest[] = [];
    const answer = await headsAlone({ ...pull, packed: [] }, async one => {
      asked.push(one);
      return { ...page, packed: [{ countersignature: 'of a signed commit' }] };
    });
    expect(asked).toEqual([{ kind: 'pull', ...asking, limit: 1 }]);
    expect(answer).toMatchObject({ kind: 'page', heads, entries: [], to: cursor, last: 7 });
    expect(JSON.stringify(answer)).not.toContain('of a signed commit');
  });

  const snapshot: SnapshotRequest = { kind: 'snapshot', ...asking, at: null, after: null };
  const known = [{ chain: 's.1', number: 3, hash: 'h' }];
  it.each<[string, Request, number, boolean]>([
    ['that has something to send, and does not know where central stands', pull, 2, false],
    ['that has nothing to send', pull, 0, true],
    ['that knows where central stands', { ...pull, packed: known }, 2, true],
    ['that asks for records', snapshot, 2, true],
    ['that asks where the logs part', { kind: 'prefix', ...asking, low: 0, high: 7 }, 2, true],
  ])('%s', (_, request, unsent, isRefused) => {
    const refuse = () => refuseFormer(request, { unsent });
    if (isRefused) expect(refuse).toThrow(expect.objectContaining({ code: 'upgrade_required' }));
    else expect(refuse).not.toThrow();
  });
});
