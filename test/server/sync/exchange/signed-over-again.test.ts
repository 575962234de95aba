import { expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, shown } from './fleet.ts';

async function expectSound({ central, stations, stores }: Fleet): Promise<void> {
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  expect(areSame(stores())).toBe(true);
  for (const { engine } of stations) expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

const partNamed = (store: Store, name: string) =>
  Object.values(shown(store)).find(({ fields }) => fields.name === name);

interface Twice extends Fleet {
  a: Fleet['stations'][number];
  b: Fleet['stations'][number];
  /** The part that central lost, as it was first. */
  lost: number;
  /** Central loses it, gives the id that it had first to another, and gets it back of A. */
  lose(name: string): Promise<void>;
}

/** Central's images: before it made a part, and after it has seen that it lost that, and before it got it back. */
async function lostParts(): Promise<Twice> {
  const made = await fleet(2, { isSigned: true });
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await made.settle();
  let image = await central.copy();
  const { id: lost } = await create(central.store, 'part', { name: 'Lost' });
  await made.settle();
  return {
    ...made,
    a,
    b,
    lost,
    async lose(name) {
      await central.putBack(image);
      const known = partNamed(a.store, 'Lost')?.id;
      const { id } = await create(central.store, 'part', { name });
      // What was issued again has an id that is given nobody else.
      expect(id === known).toBe(known === lost);
      const { carry } = a;
      let isCopied = false;
      a.carry = async (request, unsent) => {
        if (request.kind === 'push' && !isCopied) throw new TypeError('later');
        return carry(request, unsent);
      };
      await a.settle().catch(() => undefined);
      image = await central.copy();
      isCopied = true;
      a.carry = carry;
      await a.settle();
      await a.settle();
    },
  };
}

it.each([
  ['at a station that is offline', 'b', 1, false],
  ['at a station that is offline', 'b', 2, false],
  ['at a station that sends it in between', 'b', 2, true],
  ['where the part is given back', 'a', 1, false],
  ['where the part is given back', 'a', 2, false],
] as const)(
  'what was signed over what a program wrote counts, %s (%s), where central lost that (%i)',
  async (_, name, times, isSent) => {
    const made = await lostParts();
    const { central, a, b, lost, lose } = made;
    const writer = name === 'a' ? a : b;
    await update(writer.store, 'part', lost, { identification: 'L-1' });
    for (let time = 1; time <= times; time += 1) {
      await lose(`Other ${time}`);
      if (isSent) await made.settle();
    }
    await made.settle();
    await made.settle();
    await expectSound(made);
    expect(partNamed(central.store, 'Lost')?.fields.identification).toBe('L-1');
  },
);

it('what was signed over what central had issued again counts where it loses that once more, and no push is refused', async () => {
  const made = await lostParts();
  const { central, b } = made;
  await made.lose('Other 1');
  await made.settle();
  await update(b.store, 'part', partNamed(b.store, 'Lost')?.id ?? 0, { identification: 'L-1' });
  await made.lose('Other 2');
  await made.settle();
  await made.settle();
  await expectSound(made);
  expect(partNamed(central.store, 'Lost')?.fields.identification).toBe('L-1');
});
