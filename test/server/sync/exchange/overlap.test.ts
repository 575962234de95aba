import { expect, it } from 'vitest';
import type { Answer, Request } from '../../../../server/sync/protocol/wire.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, faultsOf, fleet } from './fleet.ts';

type Kind = 'pull' | 'push';

it.each<[string, Kind]>([
  ['the question', 'pull'],
  ['what was sent', 'push'],
])(
  'a station asks and sends at once, and sends nothing twice, when %s is answered first',
  async (_, first) => {
    const { central, stations, stores, settle } = await fleet(2);
    const [a] = stations;
    if (!a) throw new Error();
    await settle();
    const sent: string[] = [];
    let together = 0;
    let arrive: () => void = () => {};
    /** The answer that comes second waits until the first is there, where both were asked at once. */
    let other: Promise<void> | undefined;
    a.carry = async (request: Request): Promise<Answer> => {
      if (request.kind === 'push') sent.push(...request.commits.map(({ commit_id }) => commit_id));
      const answer = await central.answer(request);
      if (request.kind === first) arrive();
      else await other;
      return answer;
    };
    for (let round = 0; round < 5; round += 1) {
      await create(a.store, 'supplier', { name: `S ${round}` });
      other = round === 0 ? undefined : new Promise(resolve => (arrive = resolve));
      const before = sent.length;
      await a.engine.step();
      if (round > 0 && sent.length > before) together += 1;
    }
    other = undefined;
    await a.settle();
    // From the second on, the pull of what the one before has said goes with the push of this one.
    expect(together).toBe(4);
    expect(sent).toHaveLength(5);
    expect(new Set(sent).size).toBe(5);
    await settle();
    expect(areSame(stores())).toBe(true);
    expect(await faultsOf(a.store)).toEqual([]);
  },
);
