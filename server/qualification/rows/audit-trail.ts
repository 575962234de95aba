import { join } from 'node:path';
import type { AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import { verifyDependencies } from '../../backup/verify-dependencies.ts';
import { replaceFile } from '../../store/replace-file.ts';
import { verify } from '../../store/verify/verify.ts';
import { verifyCheckpoints } from '../../trust/verify-checkpoint.ts';
import { alter, attempt } from '../altering.ts';
import { dataOf, outcomeOf } from '../caller.ts';
import { eventsOf } from '../events.ts';
import { historyOf, ncr } from '../goods.ts';
import { rowsOf } from '../requirement.ts';

export const auditTrailRows = rowsOf('audit_trail', [
  {
    id: 'AT-01',
    text: [
      'Each creation and change of a record is kept with who, when, and each value before and after.',
      'Jedes Anlegen und Ändern eines Datensatzes wird festgehalten: wer, wann, jeder Wert vorher und nachher.',
    ],
    check: [
      'A report is written and changed by two people; its history is read.',
      'Eine Meldung wird von zwei Personen geschrieben und geändert; ihre Historie wird gelesen.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 9', 'Annex 11, 12.4'],
    async run({ scratch, step }) {
      const id = await ncr(scratch, 'operator', { lot_number: 'L-1' });
      const changed = { lot_number: 'L-2', reason: 'Misread.' };
      dataOf(await scratch.as('quality').patch(`/ncrs/${id}`, changed));
      const history = await historyOf(scratch, 'ncr', id);
      step(
        ['Who wrote it, and who changed it', 'Wer schrieb und wer änderte'],
        [scratch.loginOf('operator'), scratch.loginOf('quality')],
        history.map(({ user }) => user),
      );
      const change = history.at(-1)?.changes.find(({ path }) => path === 'lot_number');
      step(
        ['The value before and after', 'Der Wert vorher und nachher'],
        ['L-1', 'L-2'],
        [change?.old, change?.new],
      );
      const apart = Math.abs(scratch.now().getTime() - Date.parse(history.at(-1)?.at ?? ''));
      step(['The time is the machine’s', 'Die Zeit ist die des Rechners'], true, apart < 60_000);
    },
  },
  {
    id: 'AT-02',
    text: [
      'What was saved of measured values, lots, dates and verdicts changes only with a reason, which is kept.',
      'Gespeicherte Messwerte, Lose, Daten und Entscheide ändern sich nur mit einem Grund, der bewahrt wird.',
    ],
    check: [
      'A lot number is changed without a reason, then with one.',
      'Eine Losnummer wird ohne Grund geändert, dann mit Grund.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 9'],
    async run({ scratch, step }) {
      const id = await ncr(scratch, 'operator', { lot_number: 'L-1' });
      const without = await scratch.as('quality').patch(`/ncrs/${id}`, { lot_number: 'L-2' });
      step(['Without a reason', 'Ohne Grund'], '422 reason', outcomeOf(without));
      const given = { lot_number: 'L-2', reason: 'Misread.' };
      step(
        ['With one', 'Mit Grund'],
        '200',
        outcomeOf(await scratch.as('quality').patch(`/ncrs/${id}`, given)),
      );
      const reason = (await historyOf(scratch, 'ncr', id)).at(-1)?.reason;
      step(['The reason in history', 'Der Grund in der Historie'], 'Misread.', reason);
    },
  },
  {
    id: 'AT-03',
    text: [
      'History cannot be changed, deleted or replaced in the database.',
      'Die Historie kann in der Datenbank nicht geändert, gelöscht oder ersetzt werden.',
    ],
    check: [
      'On a copy, a foreign program tries each of it by SQL.',
      'An einer Kopie versucht ein fremdes Programm jedes davon mit SQL.',
    ],
    references: ['21 CFR 11.10(e)', '21 CFR 11.10(c)', 'Annex 11, 9'],
    async run({ scratch, folder, step }) {
      const { file } = scratch.copied(folder);
      const tries: [en: string, de: string, sql: string][] = [
        [
          'Change a commit',
          'Eine Änderung verändern',
          "UPDATE history SET user = 'somebody' WHERE sequence = 1",
        ],
        ['Delete a commit', 'Eine Änderung löschen', 'DELETE FROM history WHERE sequence = 1'],
        [
          'Replace a commit',
          'Eine Änderung ersetzen',
          "INSERT OR REPLACE INTO history SELECT sequence, chain, number, commit_id, at, clock_offset, 'somebody', reason, entries, previous_hash, hash, seal FROM history WHERE sequence = 1",
        ],
      ];
      for (const [en, de, sql] of tries) step([en, de], 'history is append-only', attempt(file, sql));
    },
  },
  {
    id: 'AT-04',
    text: [
      'What was changed in history or in a record past the program is found.',
      'Was am Programm vorbei in der Historie oder einem Datensatz geändert wurde, wird gefunden.',
    ],
    check: [
      'Copies are altered in one place each, and verified.',
      'Kopien werden an je einer Stelle verändert und überprüft.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(c)', 'Annex 11, 7.1', 'Annex 11, 9'],
    async run({ scratch, folder, step }) {
      const faultsIn = async (file: string) => (await verify(file, verifyDependencies)).faults;
      const whole = scratch.copied(folder, 'whole');
      step(['A copy that nobody altered', 'Eine unveränderte Kopie'], 0, await faultsIn(whole.file));
      const history = scratch.copied(folder, 'history');
      alter(
        history.file,
        "UPDATE history SET user = 'somebody' WHERE sequence = (SELECT max(sequence) FROM history)",
      );
      step(
        ['Another author of a commit', 'Ein anderer Urheber einer Änderung'],
        true,
        (await faultsIn(history.file)) > 0,
      );
      const record = scratch.copied(folder, 'record');
      alter(
        record.file,
        `UPDATE holdpoint__records__0 SET document = replace(document, 'Name of', 'Names of') WHERE key LIKE 'user:%'`,
      );
      step(
        ['Another value of a record', 'Ein anderer Wert eines Datensatzes'],
        true,
        (await faultsIn(record.file)) > 0,
      );
    },
  },
  {
    id: 'AT-05',
    text: [
      'A checkpoint that is kept elsewhere finds history that was cut off or rewritten as a whole.',
      'Ein anderswo aufbewahrter Prüfpunkt findet eine im Ganzen gekürzte oder umgeschriebene Historie.',
    ],
    check: [
      'A signed checkpoint is compared with a copy, with one whose last commits are gone, and after it was altered itself.',
      'Ein unterschriebener Prüfpunkt wird mit einer Kopie verglichen, mit einer ohne die letzten Änderungen, und nachdem er selbst verändert wurde.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(e)', 'Annex 11, 9'],
    async run({ scratch, folder, step }) {
      await ncr(scratch, 'operator');
      const file = dataOf<{ checkpoints: { at: string }[] }>(
        await scratch.as('quality').get('/x/checkpoints'),
      );
      const path = join(folder, 'kept.json');
      await replaceFile(folder, 'kept.json', JSON.stringify(file));
      const compared = async (target: string) => (await verifyCheckpoints(target, path)).findings.length > 0;
      const whole = scratch.copied(folder, 'whole');
      step(['The copy differs', 'Die Kopie weicht ab'], false, await compared(whole.file));
      alter(whole.file, 'DELETE FROM history WHERE sequence > (SELECT max(sequence) - 2 FROM history)');
      step(['Without its last commits', 'Ohne ihre letzten Änderungen'], true, await compared(whole.file));
      const other = {
        ...file,
        checkpoints: file.checkpoints.map(one => ({ ...one, at: '2020-01-01T00:00:00.000Z' })),
      };
      await replaceFile(folder, 'kept.json', JSON.stringify(other));
      const again = scratch.copied(folder, 'again');
      step(
        ['With an altered checkpoint', 'Mit einem veränderten Prüfpunkt'],
        true,
        await compared(again.file),
      );
    },
  },
  {
    id: 'AT-06',
    text: [
      'What people do with the system itself is kept with who, when and from where: sign-ins, exports, prints, settings, tokens, backups.',
      'Was Personen mit dem System selbst tun, wird festgehalten, mit wer, wann und woher: Anmeldungen, Exporte, Drucke, Einstellungen, Token, Sicherungen.',
    ],
    check: [
      'Each of it is done once, and looked for in the audit trail.',
      'Jedes davon wird einmal getan und im Audit-Trail gesucht.',
    ],
    references: ['21 CFR 11.10(e)', '21 CFR 11.300(d)', 'Annex 11, 9', 'Annex 11, 12.4'],
    async run({ scratch, step }) {
      const from = scratch.now().toISOString();
      const quality = await scratch.signInAgain('quality');
      const administrator = scratch.as('administrator');
      const id = await ncr(scratch, 'quality');
      dataOf(await quality.get(`/x/exports/supplier?format=csv`));
      dataOf(await quality.get(`/x/paper/ncr/${id}`));
      dataOf(await administrator.put('/x/settings', { expiry_soon_days: 31 }));
      dataOf(await administrator.put('/x/settings', { expiry_soon_days: 30 }));
      dataOf(await administrator.post('/x/tokens', { name: scratch.unique('token'), scopes: ['read'] }));
      dataOf(await administrator.post('/x/backups'));
      const expected: Record<string, string> = {
        signed_in: scratch.loginOf('quality'),
        exported: scratch.loginOf('quality'),
        printed: scratch.loginOf('quality'),
        settings_changed: scratch.loginOf('administrator'),
        token_created: scratch.loginOf('administrator'),
        backup_made: scratch.loginOf('administrator'),
      };
      const kinds = Object.keys(expected);
      const events = await scratch.soon(
        () => eventsOf(scratch, { from, kind: kinds.join(',') }),
        found => kinds.every(kind => found.some(event => event.kind === kind)),
      );
      for (const [kind, who] of Object.entries(expected))
        step([`${kind}: who did it`, `${kind}: wer es tat`], who, authorOf(events, kind));
      const address = events.find(({ kind }) => kind === 'signed_in')?.address;
      step(['From where it was signed in', 'Woher angemeldet wurde'], '127.0.0.1', address);
    },
  },
  {
    id: 'AT-07',
    text: [
      'Nobody writes, changes or deletes what the audit trail says, and only quality and administrators read it.',
      'Niemand schreibt, ändert oder löscht, was der Audit-Trail sagt; nur Qualität und Administratoren lesen ihn.',
    ],
    check: [
      'An administrator and a program try each door; an operator tries to read.',
      'Ein Administrator und ein Programm versuchen jeden Weg; ein Bediener versucht zu lesen.',
    ],
    references: ['21 CFR 11.10(e)', '21 CFR 11.10(g)', 'Annex 11, 9', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const [event] = await eventsOf(scratch, { kind: 'signed_in' });
      const path = `/x/audit/${event?.id}`;
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await scratch.as('administrator').call(method, path, { body: { author: 'somebody' } });
        step([`An administrator: ${method}`, `Ein Administrator: ${method}`], '405', outcomeOf(answer));
      }
      const mapping = {
        source: 'elsewhere',
        files: { 'events.csv': { format: 'csv' } },
        steps: [{ family: 'audit-event', file: 'events.csv', key: ['kind'], fields: { kind: 'kind' } }],
      };
      const imported = await scratch.program().post('/x/imports', { mapping });
      step(['A program imports events', 'Ein Programm importiert Ereignisse'], 422, imported.status);
      step(
        ['An operator reads', 'Ein Bediener liest'],
        '403',
        outcomeOf(await scratch.as('operator').get('/x/audit')),
      );
      step(
        ['Quality reads', 'Die Qualität liest'],
        '200',
        outcomeOf(await scratch.as('quality').get('/x/audit')),
      );
      const after = await eventsOf(scratch, { kind: 'signed_in' });
      step(
        ['The event is as it was', 'Das Ereignis ist unverändert'],
        event?.author,
        after.find(({ id }) => id === event?.id)?.author,
      );
    },
  },
  {
    id: 'AT-08',
    text: [
      'The audit trail can be taken out whole, for people and for programs.',
      'Der Audit-Trail lässt sich vollständig entnehmen, für Menschen und für Programme.',
    ],
    check: [
      'The same period is read, taken as CSV and as JSON Lines, and printed; the events are counted.',
      'Derselbe Zeitraum wird gelesen, als CSV und JSON Lines entnommen und gedruckt; die Ereignisse werden gezählt.',
    ],
    references: ['21 CFR 11.10(b)', '21 CFR 11.10(e)', 'Annex 11, 8.1', 'Annex 11, 9'],
    async run({ scratch, step }) {
      const quality = scratch.as('quality');
      const query = 'kind=user_created';
      const { meta = {} } = (await quality.get(`/x/audit?${query}`)).body ?? {};
      step(['There are events', 'Es gibt Ereignisse'], true, Number(meta.total) > 0);
      const csv = (await quality.get(`/x/audit/export?format=csv&${query}`)).text.trim().split('\r\n');
      step(
        ['Lines of the CSV, with its head', 'Zeilen der CSV mit Kopf'],
        Number(meta.total) + 1,
        csv.length,
      );
      const lines = (await quality.get(`/x/audit/export?format=json&${query}`)).text.trim().split('\n');
      step(['Lines of JSON', 'Zeilen JSON'], Number(meta.total), lines.length);
      const paper = await quality.get(`/x/audit/paper?${query}`);
      step(['The paper', 'Das Papier'], '%PDF', paper.text.slice(0, 4));
    },
  },
  {
    id: 'AT-09',
    text: [
      'That the audit trail was reviewed is recorded, by a person of quality, until when and with what remarks.',
      'Dass der Audit-Trail geprüft wurde, wird festgehalten: von einer Person der Qualität, bis wann, mit welchen Bemerkungen.',
    ],
    check: [
      'An operator, a program and a person of quality record a review.',
      'Ein Bediener, ein Programm und eine Person der Qualität halten eine Prüfung fest.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 9', 'Annex 11, 11'],
    async run({ scratch, step }) {
      const review = { reviewed_until: scratch.now().toISOString(), remarks: 'Nothing to remark.' };
      const of = (answer: { status: number }) => String(answer.status);
      step(
        ['An operator', 'Ein Bediener'],
        '403',
        of(await scratch.as('operator').post('/x/audit/reviews', review)),
      );
      step(
        ['A program', 'Ein Programm'],
        '403',
        of(await scratch.program().post('/x/audit/reviews', review)),
      );
      step(
        ['Quality', 'Die Qualität'],
        '201',
        of(await scratch.as('quality').post('/x/audit/reviews', review)),
      );
      const [last] = dataOf<{ reviewer: string; remarks: string }[]>(
        await scratch.as('quality').get('/x/audit/reviews'),
      );
      step(
        ['What is recorded', 'Was festgehalten ist'],
        [scratch.loginOf('quality'), 'Nothing to remark.'],
        [last?.reviewer, last?.remarks],
      );
    },
  },
]);

function authorOf(events: readonly AuditEventAnswer[], kind: string): string | null | undefined {
  return events.find(event => event.kind === kind)?.author;
}
