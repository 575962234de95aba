import { expect, it } from 'vitest';
import {
  agreeTo,
  failedStep,
  type OwnProof,
  startProof,
  takeStep,
} from '../../../../server/sync/protocol/own-proof.ts';

let names = 0;
const newName = () => {
  names += 1;
  return `p${names}`;
};
const step = (own: OwnProof, isDue = true) => takeStep(own, isDue, newName);
const agreed = (own: OwnProof) =>
  agreeTo(own, { count: own.kept.count + 1, proof: own.sent?.next ?? '', countersignature: 's' });

it('goes on from each step that central agreed to, when it is due', () => {
  const first = agreed(step(startProof()));
  expect(first).toMatchObject({ isAlone: true, kept: { count: 1, next: null } });
  expect(step(first, false).sent).toBe(first.sent);
  expect(step(first).sent).toMatchObject({ count: 1, proof: first.kept.proof });
});

it('repeats a step whose answer was lost, and is not alone before it took another one', () => {
  const sent = step(agreed(step(startProof())));
  const lost = failedStep(sent);
  expect(lost.isAlone).toBe(false);
  expect(step(lost).sent).toEqual(sent.sent);
  const repeated = agreed(lost);
  expect(repeated.isAlone).toBe(false);
  const next = step(repeated, false);
  expect(next.sent.next).not.toBe(sent.sent.next);
  expect(agreed(next).isAlone).toBe(true);
});

it('repeats what stood on the disk at a start, as a copy of the disk does', () => {
  const sent = step(startProof());
  const [one, other] = [step(startProof(sent.kept)), step(startProof(sent.kept))];
  expect(one.sent).toEqual(other.sent);
  expect(step(agreed(one), false).sent.next).not.toBe(step(agreed(other), false).sent.next);
});

it('keeps nothing of an answer to an earlier step, and is alone where central agrees to none', () => {
  const own = step(startProof());
  expect(agreeTo(own, { count: 7, proof: 'another', countersignature: 's' })).toBe(own);
  expect(agreeTo(own, undefined)).toEqual({ ...own, isAlone: true });
});
