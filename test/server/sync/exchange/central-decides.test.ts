import { describe, expect, it } from 'vitest';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, type Peer, shown, writePast } from './fleet.ts';

const AT = '2026-06-15T12:00:00.000Z';

async function fleetWithUser(): Promise<Fleet & { a: Peer; b: Peer; user: string; creator: string }> {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { key, creator } = await create(made.central.store, 'user', { name: 'Ann', login: 'ann' });
  await made.settle();
  return { ...made, a, b, user: key, creator };
}

const reasonsAt = ({ central }: Fleet) =>
  central.exchange
    .reader()
    .heldCommits.all()
    .map(({ reason }) => reason);

describe('what a station says of users and settings', () => {
  it('is held alone, everywhere the same, and nobody shows it', async () => {
    const made = await fleetWithUser();
    const { a, b, central, user, creator } = made;
    const before = shown(central.store)[user];
    await writePast(a, user, { roles: ['administrator'] }, [creator]);
    await writePast(a, 'user:1048600', {
      name: 'Eve',
      login: 'eve',
      roles: ['administrator'],
      is_active: true,
    });
    await writePast(a, 'setting:1', { is_esignature_required: false });
    expect(shown(a.store)[user]).toEqual(before);
    const supplier = await create(a.store, 'supplier', { name: 'Acme' });
    await made.settle();
    expect(reasonsAt(made)).toEqual(['central_decides', 'central_decides', 'central_decides']);
    for (const store of made.stores()) {
      expect(shown(store)[user]).toEqual(before);
      expect(shown(store)).not.toHaveProperty('user:1048600');
      expect(shown(store)[supplier.key]?.fields).toEqual({ name: 'Acme' });
      expect(await faultsOf(store)).toEqual([]);
    }
    expect(a.engine.reader.held.heldOf(a.store.station)).toHaveLength(3);
    expect(b.engine.digests()).toEqual(central.exchange.digests());
  });

  it('stands everywhere once an administrator at central has released it', async () => {
    const made = await fleetWithUser();
    const { a, central, user, creator } = made;
    const commit = await writePast(a, user, { roles: ['quality'] }, [creator]);
    await made.settle();
    await central.exchange.decideHeld({
      commit,
      decision: RELEASED,
      user: 'root',
      reason: 'Agreed.',
      at: AT,
    });
    await made.settle();
    expect(areSame(made.stores())).toBe(true);
    expect(shown(a.store)[user]?.fields).toMatchObject({ roles: ['quality'] });
    for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
  });

  it('is held again by a central that was put back, also where the station goes on before it offers', async () => {
    const made = await fleetWithUser();
    const { a, central, user, creator } = made;
    const copy = await central.copy();
    await writePast(a, user, { roles: ['administrator'] }, [creator]);
    await made.settle();
    await central.putBack(copy);
    await update(a.store, 'supplier', (await create(a.store, 'supplier', { name: 'On' })).id, { notes: 'N' });
    await made.settle();
    await made.settle();
    expect(reasonsAt(made)).toEqual(['central_decides']);
    expect(shown(central.store)[user]?.fields).not.toMatchObject({ roles: ['administrator'] });
    for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
  });
});
