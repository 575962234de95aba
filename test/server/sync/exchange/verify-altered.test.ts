import { expect, it } from 'vitest';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../../server/store/verify/verify.ts';
import { create, update } from '../../store/temporary-store.ts';
import { fleet } from './fleet.ts';

it.each([
  ['a reason', "UPDATE history SET reason = 'Because.' WHERE sequence = 3"],
  ['a value', "UPDATE history SET entries = replace(entries, 'Maker', 'Faker') WHERE entries LIKE '%Maker%'"],
  ['text that is no commit', "UPDATE history SET entries = '[' WHERE sequence = 3"],
])(
  'verify names what was altered in history under the log, %s, and reads on to the end',
  async (_name, sql) => {
    const { central, stations, settle } = await fleet(1);
    const [station] = stations;
    if (!station) throw new Error();
    const { id } = await create(station.store, 'supplier', { name: 'Maker' });
    await settle();
    await update(central.store, 'supplier', id, { name: 'Maker, renamed' });
    await create(central.store, 'supplier', { name: 'Another' });
    await settle();
    for (const { database } of [central.store, station.store]) {
      database.exec('DROP TRIGGER history_is_never_changed');
      database.transaction(() => database.run(sql));
    }
    for (const { database } of [central.store, station.store]) {
      const report = await verify(database.folder, verifyDependencies);
      expect(report.faults).toBeGreaterThan(0);
      expect(report.findings.map(({ where }) => where)).toContainEqual(expect.stringMatching(/commit|chain/));
      expect(report.findings.map(({ what }) => what)).toContainEqual(
        expect.stringContaining('not what was written'),
      );
      expect(report.commits).toBeGreaterThan(2);
    }
  },
);
