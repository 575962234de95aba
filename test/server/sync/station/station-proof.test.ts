import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readProof, StationProof } from '../../../../server/sync/station/station-proof.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';

const fileIn = (folder: string) => join(folder, 'station.proof');
const agreedTo = ({ count, next }: { count: number; next: string }) => {
  return { count: count + 1, proof: next, countersignature: 's' };
};

it('sends the same step until central agrees, also after a start, and then another one', () => {
  const folder = temporaryFolder();
  const proof = new StationProof(folder, () => new Date(0), 0);
  const first = proof.present();
  expect(first).toMatchObject({ count: 0, proof: '', countersignature: '' });
  expect(proof.present()).toEqual(first);
  // It was written before it was sent.
  expect(new StationProof(folder, () => new Date(0)).present()).toEqual(first);
  proof.agree({ ...agreedTo(first), proof: 'of an earlier step' });
  expect(proof.present()).toEqual(first);
  proof.agree(agreedTo(first));
  const second = proof.present();
  expect(second).toMatchObject(agreedTo(first));
  expect(second.next).not.toBe(first.next);
  expect(statSync(fileIn(folder)).mode & 0o077).toBe(0);
});

it('takes a step with its first message after a start, so that a copy is told at once', () => {
  const folder = temporaryFolder();
  const before = new StationProof(folder, () => new Date(0));
  const first = before.present();
  before.agree(agreedTo(first));
  // Between two steps the last one is sent again.
  expect(before.present()).toEqual(first);
  const [one, other] = [new StationProof(folder, () => new Date(0)), readProof(folder)];
  expect(one.present().proof).toBe(first.next);
  expect(other?.proof).toBe(first.next);
  expect(one.present().next).not.toBe(other?.next);
});

it('steps when it is time by any clock, also one that was set back', () => {
  let now = 1_000_000;
  const proof = new StationProof(temporaryFolder(), () => new Date(now), 10_000);
  const step = () => {
    const sent = proof.present();
    proof.agree(agreedTo(sent));
    return sent.count;
  };
  const counts = [step(), step()];
  now += 10_000;
  counts.push(step());
  now -= 500_000;
  counts.push(step(), step());
  expect(counts).toEqual([0, 0, 1, 2, 2]);
});

it.each(['', '{"count": 1', '{"count": "1"}'])('has none where the file says %j', text => {
  const folder = temporaryFolder();
  writeFileSync(fileIn(folder), text);
  expect(readProof(folder)).toBeUndefined();
  expect(new StationProof(folder, () => new Date(0)).present().count).toBe(0);
  expect(JSON.parse(readFileSync(fileIn(folder), 'utf8'))).toMatchObject({ count: 0 });
});

it('is alone with a step that only this process can have sent', () => {
  const folder = temporaryFolder();
  const first = new StationProof(folder, () => new Date(0));
  const sent = first.present();
  expect(first.isAlone()).toBe(false);
  first.agree(agreedTo(sent));
  expect(first.isAlone()).toBe(true);
  // A message came to nothing between two steps: nothing that stands on the disk was said.
  first.failed();
  expect(first.isAlone()).toBe(true);
  const next = new StationProof(folder, () => new Date(0));
  const waiting = next.present();
  next.failed();
  const inherited = new StationProof(folder, () => new Date(0));
  for (const proof of [next, inherited]) {
    expect(proof.present()).toEqual(waiting);
    proof.agree(agreedTo(waiting));
    expect(proof.isAlone()).toBe(false);
    // At once, and not with the next turn.
    const further = proof.present();
    expect(further.proof).toBe(waiting.next);
    proof.agree(agreedTo(further));
    expect(proof.isAlone()).toBe(true);
  }
});

it('waits for no step of a former central, which agrees to none', () => {
  const proof = new StationProof(temporaryFolder(), () => new Date(0));
  proof.present();
  proof.agree(undefined);
  expect(proof.isAlone()).toBe(true);
});
