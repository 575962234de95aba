import { proving } from './machine-scopes.ts';
import type { PlantedFault } from './planted-faults.ts';
import { protocol } from './protocol-table.ts';
import { create, set } from './scope.ts';

const A = set(['part:1/name', 'A']);
const C = set(['part:1/name', 'C']);
const NEW_A = create('part:9', 'A');
const NEW_C = create('part:9', 'C');

/** Of a disk that is copied: one of the machines goes on as the station, and nothing of the other one is lost. */
export const plantedMachineFaults: PlantedFault[] = [
  {
    name: 'a proof is not looked at',
    wrong: { judgeProof: (presented, _, t) => protocol.judgeProof(presented, undefined, t) },
    scope: { writes: [[A], [], []], writesOfCopy: [C], budgets: { clone: 1 }, ...proving },
  },
  {
    name: 'a proof does not change',
    wrong: {
      takeStep: (own, isDue, newName) => protocol.takeStep(own, isDue, () => own.kept.proof || newName()),
    },
    scope: { writes: [[A], [], []], writesOfCopy: [C], budgets: { clone: 1 }, ...proving },
  },
  {
    name: 'a step whose answer was lost is taken for one of another machine',
    wrong: {
      judgeProof: (presented, known, t) => {
        const machines = known?.machines.map(one => ({ ...one, proofs: one.proofs.slice(-1) })) ?? [];
        return protocol.judgeProof(presented, known && { ...known, machines }, t);
      },
    },
    scope: { writes: [[A], [], []], budgets: { timeout: 1 }, ...proving },
  },
  {
    name: 'a step whose answer was lost is not repeated',
    wrong: {
      takeStep: (own, isDue, newName) => {
        const forgetful = { ...own, kept: { ...own.kept, next: null }, sent: null };
        return own.isCopied
          ? protocol.takeStep(forgetful, isDue, () => `${newName()}, another`)
          : protocol.takeStep(own, isDue, newName);
      },
    },
    scope: { writes: [[A], [], []], budgets: { timeout: 1 }, ...proving },
  },
  {
    name: 'a central that was put back takes a later step for one of another machine',
    wrong: {
      judgeProof: (presented, known, t) =>
        protocol.judgeProof(presented, known, { ...t, verify: () => false }),
    },
    scope: { writes: [[A], [], []], budgets: { copies: 1, silentRestoreOfCentral: 1 }, ...proving },
  },
  {
    name: 'a machine pushes with a step that a copy of its disk has as well',
    wrong: { agreeTo: (own, to) => protocol.agreeTo({ ...own, isCopied: false }, to) },
    scope: {
      writes: [[NEW_A], [], []],
      writesOfCopy: [create('part:8', 'C')],
      budgets: { clone: 1 },
      areNew: true,
      ...proving,
    },
  },
  {
    name: 'the choice which machine goes on is ignored',
    wrong: {
      chooseMachine: (known, id, at) => ({
        ...protocol.chooseMachine(known, id, at),
        ...known,
        decided_at: at,
      }),
    },
    scope: { writes: [[A], [], []], writesOfCopy: [], budgets: { clone: 1, choose: 1 }, ...proving },
  },
  {
    name: 'the other machine is let in all the same',
    wrong: {
      judgeProof: (presented, known, t) => {
        const judged = protocol.judgeProof(presented, known, t);
        const last = judged?.machine.proofs.at(-1) ?? '';
        return (
          judged && { ...judged, isHeldOff: false, agreed: { count: 1, proof: last, countersignature: '' } }
        );
      },
    },
    scope: { writes: [[A], [], []], writesOfCopy: [C], budgets: { clone: 1 }, ...proving },
  },
  {
    name: 'what the other machine had not sent is dropped when it becomes a station of its own',
    wrong: {
      beginAgain: (open, isKnown, chain, hash) =>
        chain.startsWith('aa') || chain.startsWith('cc')
          ? []
          : protocol.beginAgain(open, isKnown, chain, hash),
    },
    scope: { writes: [[A], [], []], writesOfCopy: [C], budgets: { clone: 1 }, ...proving },
  },
  {
    name: 'a machine leaves before the other one has sent what both have',
    wrong: { mayLeave: () => true },
    scope: {
      writes: [[NEW_A, set(['part:9/name', 'on'])], [], []],
      writesOfCopy: [],
      budgets: { clone: 1 },
      ...proving,
    },
  },
  {
    name: 'what is issued again keeps its ids',
    wrong: { givesOtherIds: false },
    scope: { writes: [[NEW_A], [], []], writesOfCopy: [NEW_C], budgets: { clone: 1 }, ...proving },
  },
];
