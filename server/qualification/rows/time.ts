import { dataOf, outcomeOf } from '../caller.ts';
import { eventsOf } from '../events.ts';
import { historyOf, ncr } from '../goods.ts';
import { rowsOf } from '../requirement.ts';
import type { ScratchStation } from '../scratch-station.ts';

const DAY_MINUTES = 24 * 60;

interface ClockShown {
  standing: { step: number; at_least: string } | null;
}

export const timeRows = rowsOf('time', [
  {
    id: 'TI-01',
    text: [
      'Times of records are the machine’s, in UTC: nobody gives them by the interface.',
      'Die Zeiten der Datensätze sind die des Rechners, in UTC: Niemand gibt sie über die Schnittstelle vor.',
    ],
    check: [
      'A person and a program write a record with times of their own.',
      'Eine Person und ein Programm schreiben einen Datensatz mit eigenen Zeiten.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 9', 'Annex 11, 14(c)'],
    async run({ scratch, step }) {
      const invented = {
        created_at: '2001-01-01 00:00:00',
        updated_at: '2001-01-01 00:00:00',
        at: '2001-01-01',
      };
      const callers = { person: scratch.as('operator'), program: scratch.program() };
      for (const [name, caller] of Object.entries(callers)) {
        const id = await caller.made('/ncrs', {
          ncr_number: scratch.unique('N'),
          source: 'internal',
          ...invented,
        });
        const [first] = await historyOf(scratch, 'ncr', id);
        const apart = Math.abs(scratch.now().getTime() - Date.parse(first?.at ?? ''));
        const said =
          name === 'person' ? ['By a person', 'Durch eine Person'] : ['By a program', 'Durch ein Programm'];
        step([`${said[0]}: the time is now`, `${said[1]}: Die Zeit ist jetzt`], true, apart < 60_000);
        step([`${said[0]}: in UTC`, `${said[1]}: in UTC`], true, /Z$/.test(first?.at ?? ''));
      }
    },
  },
  {
    id: 'TI-02',
    text: [
      'A clock that is set back is noticed: sessions lock, it is in the audit trail, and what is written meanwhile is marked.',
      'Eine zurückgestellte Uhr wird bemerkt: Sitzungen sperren sich, es steht im Audit-Trail, und was inzwischen geschrieben wird, ist gekennzeichnet.',
    ],
    check: [
      'The clock of the scratch station is set back by 400 days; a session is tried, and a program writes.',
      'Die Uhr der Probestation wird um 400 Tage zurückgestellt; eine Sitzung wird versucht, ein Programm schreibt.',
    ],
    references: ['21 CFR 11.10(e)', '21 CFR 11.10(h)', 'Annex 11, 9', 'Annex 11, 14(c)'],
    async run({ scratch, step }) {
      await withStep(scratch, -400 * DAY_MINUTES, async () => {
        const answer = await scratch.soon(
          () => scratch.as('operator').get('/suppliers'),
          ({ status }) => status === 401,
        );
        step(
          ['A session that was open', 'Eine Sitzung, die offen war'],
          [401, 'session_locked'],
          [answer.status, answer.body?.code],
        );
        const id = await scratch
          .program()
          .made('/ncrs', { ncr_number: scratch.unique('N'), source: 'internal' });
        const answered = dataOf<{ clock_at_least?: string | null }[]>(
          await scratch.program().get(`/x/history/ncr/${id}`),
        );
        step(
          ['What is written is marked', 'Geschriebenes ist gekennzeichnet'],
          'string',
          typeof answered[0]?.clock_at_least,
        );
        await scratch.signInAgain('quality');
        const events = await scratch.soon(
          () => eventsOf(scratch, { kind: 'clock_stepped' }),
          found => found.length > 0,
        );
        step(['It is in the audit trail', 'Es steht im Audit-Trail'], true, events.length > 0);
      });
    },
  },
  {
    id: 'TI-03',
    text: [
      'Only a person of quality says that a clock which was set is right, with a reason.',
      'Nur eine Person der Qualität erklärt eine verstellte Uhr für richtig, mit Grund.',
    ],
    check: [
      'The clock is set on by three days; an operator, a program and a person of quality confirm it.',
      'Die Uhr wird um drei Tage vorgestellt; ein Bediener, ein Programm und eine Person der Qualität bestätigen sie.',
    ],
    references: ['21 CFR 11.10(e)', '21 CFR 11.10(g)', 'Annex 11, 10'],
    async run({ scratch, step }) {
      await withStep(scratch, 3 * DAY_MINUTES, async () => {
        const [operator, quality] = [
          await scratch.signInAgain('operator'),
          await scratch.signInAgain('quality'),
        ];
        const { standing } = dataOf<ClockShown>(await quality.get('/x/clock'));
        step(['It is not believed', 'Ihr wird nicht geglaubt'], true, standing !== null);
        const body = { step: standing?.step ?? 0, reason: 'Compared with the radio clock.' };
        step(
          ['An operator', 'Ein Bediener'],
          '403',
          outcomeOf(await operator.post('/x/clock/confirm', body)),
        );
        step(
          ['Without a reason', 'Ohne Grund'],
          '422 reason',
          outcomeOf(await quality.post('/x/clock/confirm', { step: body.step })),
        );
        step(
          ['Quality, with a reason', 'Die Qualität, mit Grund'],
          '200',
          outcomeOf(await quality.post('/x/clock/confirm', body)),
        );
        step(
          ['Then it is believed', 'Danach wird ihr geglaubt'],
          null,
          dataOf<ClockShown>(await quality.get('/x/clock')).standing,
        );
      });
    },
  },
  {
    id: 'TI-04',
    text: [
      'What was written keeps its order, whatever the clock says.',
      'Geschriebenes behält seine Reihenfolge, gleich was die Uhr zeigt.',
    ],
    check: [
      'A record is changed, the clock is set back, and the record is changed again.',
      'Ein Datensatz wird geändert, die Uhr zurückgestellt und der Datensatz erneut geändert.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 9'],
    async run({ scratch, step }) {
      const id = await ncr(scratch, 'operator', { lot_number: 'L-1' });
      const change = async (lot_number: string) =>
        dataOf(await scratch.program().patch(`/ncrs/${id}`, { lot_number }));
      await change('L-2');
      await withStep(scratch, -2 * DAY_MINUTES, async () => {
        await change('L-3');
      });
      const history = await historyOf(scratch, 'ncr', id);
      const lots = history.flatMap(({ changes }) =>
        changes.flatMap(({ path, new: now }) => (path === 'lot_number' ? [now] : [])),
      );
      step(
        ['The values, in the order of history', 'Die Werte in der Reihenfolge der Historie'],
        ['L-1', 'L-2', 'L-3'],
        lots,
      );
    },
  },
]);

/** While the clock was set by so many minutes; it is right again afterwards, and everybody signed in. */
async function withStep(scratch: ScratchStation, minutes: number, work: () => Promise<void>): Promise<void> {
  scratch.setClock(minutes);
  try {
    // Each call looks at the clock; so does the station itself now and then.
    scratch.store.clockWatch.standing();
    await work();
  } finally {
    scratch.setClock(-minutes);
    await scratch.signInAll();
    await believe(scratch);
  }
}

/** Where the step was confirmed, setting the clock right is one as well. */
async function believe(scratch: ScratchStation): Promise<void> {
  const quality = scratch.as('quality');
  const { standing } = dataOf<ClockShown>(await quality.get('/x/clock'));
  if (standing)
    dataOf(await quality.post('/x/clock/confirm', { step: standing.step, reason: 'Set right again.' }));
}
