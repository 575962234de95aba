import { inspect } from 'node:util';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { Journal } from '../../../server/journal/journal.ts';
import { openShared } from '../../../server/journal/open-shared.ts';
import { verifyJournal } from '../../../server/journal/verify-journal.ts';
import { lotFactsOf } from '../../../server/rules/lot-facts.ts';
import { permitting } from '../../../server/rules/permitting.ts';
import { rules } from '../../../server/rules/registry.ts';
import { sealing } from '../../../server/rules/signing.ts';
import { openStore } from '../../../server/store/store.ts';
import { writeLocal } from '../../../server/store/tables.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { createCentralExchange } from '../../../server/sync/central/exchange.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { supplier } from '../../../shared/families/supplier.ts';
import type { Asked, Told } from './central-process.ts';
import { plantFaults } from './plant-faults.ts';
import { standing } from './standing.ts';

/**
 * A central's process without its interface: store, journal and exchange, asked over the channel of its parent. Its arguments are
 * the data folder and the journal.
 */
const [folder = '', url = ''] = process.argv.slice(2);
const clock = () => new Date();
const faults = plantFaults();

const { store, shared, close } = await openShared({
  url,
  open: () =>
    openStore({
      folder,
      rules,
      permit: permitting,
      seal: sealing,
      lotFactsOf,
      clock,
      onFail: () => process.exit(70),
      proof: async () => verifyDependencies,
      isShared: true,
    }),
  clock,
  onParted: () => {},
  // The answer goes out first.
  onBehind: () => setTimeout(() => process.exit(71), 100),
  onFault: () => {},
});
const exchange = await createCentralExchange(store, clock);

process.on('message', (asked: Asked & { id: number }) => {
  answer(asked).then(
    result => process.send?.({ id: asked.id, result } satisfies Told),
    error =>
      process.send?.({
        id: asked.id,
        failure: { code: error.code ?? 'internal', message: inspect(error) },
      } satisfies Told),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, result: 'ready' } satisfies Told);

async function answer(asked: Asked): Promise<unknown> {
  switch (asked.do) {
    case 'create':
      await shared.fresh();
      return store.gate.commit({
        actor: { rights: BY_SERVER, user: 'tester' },
        reason: null,
        work: work =>
          work.create(supplier, parseInput(supplier, { name: asked.name }, { mode: 'create' }), null),
        answer: ({ id }) => id,
      });
    case 'note':
      return store.gate.briefly(() => writeLocal(store.database, asked.name, asked.value));
    case 'exchange':
      await shared.fresh();
      return exchange.answer(asked.request);
    case 'standing':
      await shared.fresh();
      return { ...standing(store.database.reader), position: shared.place.position };
    case 'die':
      faults.dieAt(asked.at);
      return;
    case 'fill':
      faults.fillDisk();
      return;
    case 'refuse':
      faults.refuse(asked.share);
      return;
    case 'verify':
      return faultsOfJournal();
    case 'close': {
      const faults = await faultsOfJournal();
      await close();
      const { findings } = await verify(folder, verifyDependencies);
      return { findings: [...findings, ...faults] };
    }
  }
}

async function faultsOfJournal(): Promise<string[]> {
  const journal = new Journal({ url, onNews: () => {} });
  try {
    return await verifyJournal(journal, store.database.reader);
  } finally {
    journal.close();
  }
}
