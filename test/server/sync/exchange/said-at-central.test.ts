import { expect, it } from 'vitest';
import { type Request, SPEAKS } from '../../../../server/sync/protocol/wire.ts';
import { create } from '../../store/temporary-store.ts';
import { aloneCentral } from './alone-central.ts';
import { Peer, writeOdd } from './fleet.ts';

/** A central with one station, which repeats what the station said when a test asks it to. */
async function withStation() {
  const { stations, central, admit } = await aloneCentral();
  const said: { request: Request; unsent: number }[] = [];
  const answer = async (request: Request, unsent: number) =>
    JSON.parse(
      JSON.stringify(await central.answer(1, request, { version: '0.2.0', speaks: SPEAKS, unsent })),
    );
  const peer = await Peer.join(
    async (request, unsent) => {
      const message = { request: JSON.parse(JSON.stringify(request)), unsent: unsent ?? 0 };
      said.push(message);
      return answer(message.request, message.unsent);
    },
    1,
    { limit: 1 },
  );
  await admit(peer, 'Dock');
  await peer.settle();
  const standing = async () => {
    // What is known of contacts is kept when central stops, and now and then before.
    await central.close();
    const [dock] = stations.list();
    return { read: dock?.sequence, unsent: dock?.unsent };
  };
  const held = async () => {
    await central.close();
    return stations.list()[0]?.held;
  };
  const end = () => central.exchange.reader().place().sequence;
  return {
    peer,
    said,
    standing,
    held,
    end,
    repeat: ({ request, unsent }: (typeof said)[number]) => answer(request, unsent),
  };
}

it.each(['push', 'pull'] as const)(
  'a %s that the network repeats late says nothing new of its station',
  async kind => {
    const { peer, said, standing, end, repeat } = await withStation();
    for (const name of ['One', 'Two', 'Three']) await create(peer.store, 'supplier', { name });
    await peer.settle();
    const late = said.find(({ request, unsent }) => request.kind === kind && unsent > 0);
    if (!late) throw new Error('There is such a message.');
    await create(peer.store, 'supplier', { name: 'Four' });
    await peer.settle();
    await repeat(late);
    expect(await standing()).toEqual({ read: end(), unsent: 0 });
  },
);

it('what a push says was read is of before the page that was asked for with it', async () => {
  const { peer, said, standing, end, repeat } = await withStation();
  await create(peer.store, 'supplier', { name: 'One' });
  await peer.settle();
  const push = said.find(({ request }) => request.kind === 'push');
  if (!push) throw new Error('There is one.');
  await repeat({ request: { ...push.request, request: 'another' }, unsent: 1 });
  expect(await standing()).toEqual({ read: end(), unsent: 0 });
});

it('what is held of a station is counted also where it names each of its messages alike', async () => {
  const { peer, said, held, repeat } = await withStation();
  const { id } = await create(peer.store, 'supplier', { name: 'One' });
  await peer.settle();
  const commit = await writeOdd(peer, id);
  const { carry } = peer;
  const name = said[0]?.request.request ?? '';
  peer.carry = (request, unsent) => carry({ ...request, request: name }, unsent);
  await peer.settle().catch(() => undefined);
  const push = said.find(
    ({ request }) => request.kind === 'push' && request.commits.some(one => one.commit_id === commit),
  );
  if (!push) throw new Error('There is one.');
  for (let time = 0; time < 2; time += 1) await repeat(push);
  expect(await held()).toBe(1);
});
