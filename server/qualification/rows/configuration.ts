import { dataOf, outcomeOf } from '../caller.ts';
import { eventsOf } from '../events.ts';
import { historyOf, part, recordOf } from '../goods.ts';
import { rowsOf } from '../requirement.ts';

export const configurationRows = rowsOf('configuration', [
  {
    id: 'CO-01',
    text: [
      'Settings are changed by administrators only, within what is allowed, and each change is kept with what was before.',
      'Einstellungen ändern nur Administratoren, in zulässigen Grenzen; jede Änderung wird mit dem vorherigen Wert festgehalten.',
    ],
    check: [
      'Settings are changed by a person of quality, to values that are not possible, and as they may be.',
      'Einstellungen werden von einer Person der Qualität geändert, auf unmögliche Werte und wie zulässig.',
    ],
    references: ['21 CFR 11.10(k)', '21 CFR 11.10(e)', 'Annex 11, 10'],
    async run({ scratch, step }) {
      const set = async (who: 'quality' | 'administrator', body: object) =>
        outcomeOf(await scratch.as(who).put('/x/settings', body));
      step(['By quality', 'Durch die Qualität'], '403', await set('quality', { expiry_soon_days: 10 }));
      step(
        ['A time zone that is none', 'Eine Zeitzone, die es nicht gibt'],
        '422 time_zone',
        await set('administrator', { time_zone: 'Nowhere/Town' }),
      );
      step(
        ['Fewer than no days', 'Weniger als null Tage'],
        '422 expiry_soon_days',
        await set('administrator', { expiry_soon_days: -1 }),
      );
      step(['As it may be', 'Wie zulässig'], '200', await set('administrator', { expiry_soon_days: 45 }));
      step(['And back', 'Und zurück'], '200', await set('administrator', { expiry_soon_days: 30 }));
      const change = (await historyOf(scratch, 'setting', 1, 'administrator')).at(-1);
      const { old, new: now } = change?.changes.find(({ path }) => path === 'expiry_soon_days') ?? {};
      step(
        ['Who, and the value before and after', 'Wer, und der Wert vorher und nachher'],
        [scratch.loginOf('administrator'), 45, 30],
        [change?.user, old, now],
      );
    },
  },
  {
    id: 'CO-02',
    text: [
      'A change of settings is in the audit trail, with who and what.',
      'Eine Änderung der Einstellungen steht im Audit-Trail, mit wer und was.',
    ],
    check: ['A setting is changed and changed back.', 'Eine Einstellung wird geändert und zurückgeändert.'],
    references: ['21 CFR 11.10(e)', '21 CFR 11.10(k)', 'Annex 11, 9', 'Annex 11, 10'],
    async run({ scratch, step }) {
      const from = scratch.now().toISOString();
      for (const idle_lock_minutes of [20, 15])
        dataOf(await scratch.as('administrator').put('/x/settings', { idle_lock_minutes }));
      const events = await eventsOf(scratch, { kind: 'settings_changed', from });
      const who = scratch.loginOf('administrator');
      step(
        ['Who changed them', 'Wer sie änderte'],
        [who, who],
        events.map(({ author }) => author),
      );
      step(['What was changed', 'Was geändert wurde'], '20 → 15', events[0]?.details.idle_lock_minutes);
    },
  },
  {
    id: 'CO-03',
    text: [
      'A change of an inspection template changes nothing of inspections that began before.',
      'Eine Änderung einer Prüfvorlage ändert nichts an vorher begonnenen Prüfungen.',
    ],
    check: [
      'An inspection begins, its template gets another tolerance, a value between the two is measured.',
      'Eine Prüfung beginnt, ihre Vorlage erhält eine andere Toleranz, ein Wert dazwischen wird gemessen.',
    ],
    references: ['21 CFR 11.10(k)(2)', 'Annex 11, 10', 'Annex 11, 5'],
    async run({ scratch, step }) {
      const quality = scratch.as('quality');
      const template = (tolerance: string) => ({
        name: 'Jar',
        characteristics: [{ name: 'Height', dimensions: '10', tolerance }],
      });
      const drawing = await quality.made('/x/specifications', template('±1'));
      const of = await part(scratch);
      const id = await scratch.as('inspector').made('/inspections', { entity_id: of, drawing_id: drawing });
      dataOf(await quality.patch(`/x/specifications/${drawing}`, template('±5')));
      const verdict = await measure(scratch, id, 13);
      step(
        [
          'Outside of the former tolerance, within the new one',
          'Außerhalb der alten, innerhalb der neuen Toleranz',
        ],
        false,
        verdict,
      );
    },
  },
  {
    id: 'CO-04',
    text: [
      'What is entered is checked before anything is written; all that is wrong is said at once.',
      'Eingaben werden geprüft, bevor etwas geschrieben wird; alles Falsche wird auf einmal gesagt.',
    ],
    check: [
      'A shipment is written with a date, a quantity and a part that cannot be.',
      'Eine Lieferung wird mit unmöglichem Datum, unmöglicher Menge und unbekanntem Teil geschrieben.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(f)', 'Annex 11, 5', 'Annex 11, 6'],
    async run({ scratch, step }) {
      const total = async () => (await scratch.as('quality').get('/x/shipments')).body?.meta?.total;
      const before = await total();
      const item = { part_id: 999_999, quantity: 'many', serial_number: 'L' };
      const answer = await scratch
        .as('operator')
        .post('/shipments', { requested_ship_date: '2026-02-31', items: [item] });
      step(
        ['What is said to be wrong', 'Was als falsch gemeldet wird'],
        '422 items.0.part_id, items.0.quantity, requested_ship_date',
        outcomeOf(answer),
      );
      step(['Shipments before and after', 'Lieferungen vorher und nachher'], before, await total());
    },
  },
  {
    id: 'CO-05',
    text: [
      'Measured values are judged exactly by the limits; a verdict against them frees nothing by itself.',
      'Messwerte werden genau nach den Grenzen beurteilt; ein Entscheid gegen sie gibt von sich aus nichts frei.',
    ],
    check: [
      'Values on a limit and beside it are measured; an inspection that failed is passed by its inspector.',
      'Werte auf einer Grenze und daneben werden gemessen; ein Prüfer setzt eine nicht bestandene Prüfung auf bestanden.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(f)', 'Annex 11, 6'],
    async run({ scratch, step }) {
      const characteristics = [{ name: 'Height', dimensions: '10', tolerance: '±0.1' }];
      const drawing = await scratch
        .as('quality')
        .made('/x/specifications', { name: 'Jar', characteristics, is_approved: true });
      const of = await part(scratch);
      for (const [value, passed] of [
        [10.1, true],
        [10.100001, false],
        [9.9, true],
        [9.899999, false],
      ] as const) {
        const id = await scratch.as('inspector').made('/inspections', { entity_id: of, drawing_id: drawing });
        step([`10 ± 0.1: ${value}`, `10 ± 0,1: ${value}`], passed, await measure(scratch, id, value));
      }
      const id = await scratch.as('inspector').made('/inspections', { entity_id: of, drawing_id: drawing });
      await measure(scratch, id, 12);
      dataOf(await scratch.as('inspector').patch(`/inspections/${id}`, { passed: true }));
      const { is_against_measurements: isAgainst } = await recordOf(scratch, 'inspection', id);
      step(['The verdict is marked', 'Der Entscheid ist gekennzeichnet'], true, isAgainst);
    },
  },
]);

/** Measures the first value of the first sample: whether it passed. */
async function measure(
  scratch: Parameters<typeof part>[0],
  inspection: number,
  value: number,
): Promise<unknown> {
  type Shown = { samples: { id: number; results: { id: number; passed: boolean | null }[] }[] };
  const read = async () =>
    dataOf<Shown>(await scratch.as('inspector').get(`/x/inspections/${inspection}`)).samples[0];
  const sample = await read();
  const results = [{ id: sample?.results[0]?.id, value }];
  dataOf(await scratch.as('inspector').put(`/inspections/${inspection}/samples/${sample?.id}`, { results }));
  return (await read())?.results[0]?.passed;
}
