import { describe, expect, it } from 'vitest';
import {
  chooseMachine,
  type Judged,
  judgeProof,
  type Machines,
  type Proof,
  type ProofTerms,
  withoutMachine,
} from '../../../../server/sync/protocol/proof.ts';

const AT = '2026-06-15T12:00:00.000Z';

/** A central's terms, which names machines in their order. */
function terms(): ProofTerms {
  let names = 0;
  return {
    name: () => {
      names += 1;
      return `M${names}`;
    },
    countersign: text => `signed ${text}`,
    verify: (text, countersignature) => countersignature === `signed ${text}`,
  };
}

/** A central, and a station's machine that goes on with what it is answered. */
function playing() {
  const central = { known: undefined as Machines | undefined };
  const own = terms();
  const judge = (proof: Proof | undefined, unsent: number | null = null): Judged | undefined => {
    const judged = judgeProof(
      { station: 'dock', proof, at: AT, unsent, version: '1.0.0' },
      central.known,
      own,
    );
    if (judged) central.known = judged.machines;
    return judged;
  };
  let made = 0;
  function machine(from: Omit<Proof, 'next'> = { count: 0, proof: '', countersignature: '' }) {
    let last = from;
    let sent: Proof | undefined;
    const present = () => {
      made += 1;
      sent ??= { ...last, next: `p${made}` };
      return sent;
    };
    return {
      present,
      send(unsent: number | null = null) {
        const judged = judge(present(), unsent);
        if (judged?.agreed) [last, sent] = [judged.agreed, undefined];
        return judged;
      },
      copy: () => machine(last),
    };
  }
  return { central, judge, machine };
}

describe('a station', () => {
  it('that never gave a proof is believed, and nothing is kept of it', () => {
    expect(playing().judge(undefined)).toBeUndefined();
  });

  it('goes on step by step, and may repeat each of the last ones', () => {
    const { judge, machine } = playing();
    const dock = machine();
    const sent = [];
    for (let step = 0; step < 70; step += 1) {
      sent.push(dock.present());
      expect(dock.send()).toMatchObject({ isHeldOff: false, isToKeep: true });
    }
    // A message that was long on its way.
    expect(judge(sent.at(-1))).toMatchObject({ isHeldOff: false, isToKeep: false });
    expect(judge(sent.at(-60))).toMatchObject({ isHeldOff: false, agreed: { proof: sent.at(-60)?.next } });
    expect(dock.send()).toMatchObject({ isHeldOff: false });
    expect(judge(sent[0])).toMatchObject({ isHeldOff: true });
  });

  it('whose answer was lost is answered again', () => {
    const { judge, machine } = playing();
    const dock = machine();
    const first = dock.present();
    expect(judge(first)?.agreed).toEqual(judge(first)?.agreed);
    dock.send();
    const second = dock.present();
    judge(second);
    expect(dock.send()?.agreed?.proof).toBe(second.next);
  });

  it('whose central was put back is believed for what it has countersigned, and for nothing else', () => {
    const { central, judge, machine } = playing();
    const dock = machine();
    dock.send();
    const image = central.known;
    for (let step = 0; step < 3; step += 1) dock.send();
    central.known = image;
    const forged = { ...dock.present(), countersignature: 'forged' };
    expect(judge(forged)).toMatchObject({ isHeldOff: true });
    central.known = image;
    expect(dock.send()).toMatchObject({ isHeldOff: false, machines: { noticed_at: null } });
    expect(dock.send()).toMatchObject({ isHeldOff: false });
  });
});

describe('a copy', () => {
  it('is told from the machine that goes on, whichever comes first, and keeps its name', () => {
    const { central, machine } = playing();
    const dock = machine();
    dock.send();
    const clone = dock.copy();
    expect(clone.send()).toMatchObject({ isHeldOff: false, machine: { id: 'M1' } });
    expect(dock.send()).toMatchObject({
      isHeldOff: true,
      machine: { id: 'M2' },
      machines: { noticed_at: AT },
    });
    expect(dock.send()).toMatchObject({ isHeldOff: true, machine: { id: 'M2' }, isToKeep: false });
    expect(clone.send()).toMatchObject({ isHeldOff: false });
    expect(central.known?.machines.map(({ id }) => id)).toEqual(['M1', 'M2']);
  });

  it('that was made while a step was on its way is told at the step after it', () => {
    const { judge, machine } = playing();
    const dock = machine();
    dock.send();
    const shared = dock.present();
    dock.send();
    const agreed = judge(shared)?.agreed;
    const clone = machine(agreed);
    dock.send();
    expect(clone.send()).toMatchObject({ isHeldOff: true });
  });

  it('without a proof, as of another program, is another machine', () => {
    const { judge, machine } = playing();
    machine().send();
    expect(judge(undefined)).toMatchObject({ isHeldOff: true, agreed: undefined });
    expect(judge(undefined)).toMatchObject({ isHeldOff: true, machine: { id: 'M2' } });
  });

  it('goes on where a person says so, and then the other one again', () => {
    const { central, machine } = playing();
    const dock = machine();
    dock.send();
    const clone = dock.copy();
    dock.send();
    const off = clone.send()?.machine.id ?? '';
    const choose = (id: string) => {
      central.known = central.known && chooseMachine(central.known, id, AT);
    };
    choose(off);
    for (let step = 0; step < 3; step += 1) {
      expect(clone.send()).toMatchObject({ isHeldOff: false, machines: { decided_at: AT } });
      expect(dock.send()).toMatchObject({ isHeldOff: true });
    }
    choose('M1');
    expect(dock.send()).toMatchObject({ isHeldOff: false });
    expect(clone.send()).toMatchObject({ isHeldOff: true, machine: { id: off } });
    expect(central.known && chooseMachine(central.known, 'none', AT)).toBeUndefined();
  });

  it('leaves nothing to be told once it is gone, and a further one is noticed again', () => {
    const { central, machine } = playing();
    const dock = machine();
    dock.send();
    const [one, other] = [dock.copy(), dock.copy()];
    dock.send();
    const off = one.send()?.machine.id ?? '';
    central.known = central.known && withoutMachine(central.known, off);
    expect(dock.send()).toMatchObject({ machines: { noticed_at: null } });
    expect(other.send()).toMatchObject({ isHeldOff: true, machines: { noticed_at: AT, decided_at: null } });
  });

  it('does not take over with a later name once it has left', () => {
    const { central, judge, machine } = playing();
    const dock = machine();
    dock.send();
    const clone = dock.copy();
    for (let step = 0; step < 100; step += 1) dock.send();
    const off = clone.send()?.machine.id ?? '';
    const known = central.known && chooseMachine(central.known, off, AT);
    central.known = known && withoutMachine(known, 'M1');
    const late = dock.present();
    expect(judge(late)).toMatchObject({
      isHeldOff: true,
      machine: { id: 'M1' },
      machines: { noticed_at: null },
    });
    expect(judge({ ...late, next: 'x', count: 101 })).toMatchObject({
      isHeldOff: true,
      machine: { id: 'M1' },
    });
    expect(clone.send()).toMatchObject({ isHeldOff: false });
  });

  it('is one of sixteen at most: of those that are held off the one that was not seen for longest is forgotten', () => {
    const { central, machine } = playing();
    const dock = machine();
    dock.send();
    const copies = Array.from({ length: 20 }, () => dock.copy());
    dock.send();
    for (const copy of copies) expect(copy.send()).toMatchObject({ isHeldOff: true });
    expect(central.known?.machines).toHaveLength(16);
    expect(central.known?.machines[0]?.id).toBe('M1');
    // Of 21 the first five copies, which people knew as M2 to M6.
    expect(central.known?.forgotten).toMatchObject({ id: 'M6', at: expect.any(String) });
    expect(copies[0]?.send()).toMatchObject({ isHeldOff: true, machine: { id: 'M22' } });
    expect(dock.send()).toMatchObject({ isHeldOff: false });
  });

  it('may have what the other one had not sent, until that says that it has sent all', () => {
    const { machine } = playing();
    const dock = machine();
    dock.send(0);
    const clone = dock.copy();
    dock.send(0);
    const present = (judged: Judged | undefined) =>
      judged?.machines.machines.find(({ id }) => id === 'M1')?.has_sent_all;
    expect(present(clone.send(3))).toBe(false);
    expect(present(dock.send(2))).toBe(false);
    expect(present(dock.send(0))).toBe(true);
    expect(present(dock.send(5))).toBe(true);
  });

  it('may have it still, whatever a message says that was sent before the other one was noticed', () => {
    const { judge, machine } = playing();
    const dock = machine();
    dock.send(0);
    const late = dock.present();
    dock.send(0);
    // What it wrote since is on both disks.
    const clone = dock.copy();
    dock.send(1);
    clone.send(1);
    const said = judge(late, 0);
    expect(said).toMatchObject({ isHeldOff: false, machine: { id: 'M1', has_sent_all: false } });
    expect(dock.send(0)).toMatchObject({ machine: { id: 'M1', has_sent_all: true } });
  });
});
