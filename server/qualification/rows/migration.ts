import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { verifyDependencies } from '../../backup/verify-dependencies.ts';
import { FILE_VERSION } from '../../store/migrations.ts';
import { verify } from '../../store/verify/verify.ts';
import { ALTERED, attempt } from '../altering.ts';
import { eventsOf } from '../events.ts';
import { importOf } from '../importing.ts';
import { rowsOf } from '../requirement.ts';
import type { ScratchStation } from '../scratch-station.ts';

const PARTS = {
  family: 'part',
  key: ['number'],
  fields: { identification: 'number', name: 'name', unit_of_measure: 'unit', reorder_point: 'minimum' },
};
const HEAD = 'number,name,unit,minimum';

export const migrationRows = rowsOf('migration', [
  {
    id: 'MI-01',
    text: [
      'Data that are taken over arrive exactly: no digit, no letter and no day changes.',
      'Übernommene Daten kommen genau an: Keine Ziffer, kein Buchstabe, kein Tag ändert sich.',
    ],
    check: [
      'A file with long decimals, leading zeros, umlauts and quotes is imported and read back.',
      'Eine Datei mit langen Dezimalzahlen, führenden Nullen, Umlauten und Anführungszeichen wird importiert und zurückgelesen.',
    ],
    references: ['21 CFR 11.10(a)', 'Annex 11, 4.8', 'Annex 11, 5'],
    async run({ scratch, step }) {
      const rows = [
        [`00${scratch.unique('7')}`, 'Gefäß "groß", 2-teilig', 'kg', '0.123456'],
        [scratch.unique('ÄÖ'), 'Dose; µ = 5', 'units', '1000000'],
      ];
      const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const file = `${HEAD}\n${rows.map(row => row.map(quoted).join(',')).join('\n')}\n`;
      const job = await importOf(scratch, { ...PARTS, file });

      step(
        ['Rows read, records made, bad rows', 'Gelesene Zeilen, angelegte Datensätze, fehlerhafte Zeilen'],
        [2, 2, 0],
        [job.rows_read, job.created, job.bad],
      );
      for (const [number = '', name, unit, minimum] of rows) {
        const stored = partOf(scratch, number);
        step(
          [`As it was in the file: ${number}`, `Wie in der Datei: ${number}`],
          [name, unit, Number(minimum)],
          [stored?.name, stored?.unit_of_measure, Number(stored?.reorder_point)],
        );
      }
    },
  },
  {
    id: 'MI-02',
    text: [
      'A file is taken over whole or not at all: one bad row leaves nothing behind, and is named.',
      'Eine Datei wird ganz oder gar nicht übernommen: Eine fehlerhafte Zeile hinterlässt nichts und wird benannt.',
    ],
    check: [
      'A file of three rows, the last of which cannot be, is imported.',
      'Eine Datei mit drei Zeilen, deren letzte unmöglich ist, wird importiert.',
    ],
    references: ['21 CFR 11.10(a)', 'Annex 11, 4.8', 'Annex 11, 5'],
    async run({ scratch, step }) {
      const [one, two, three] = [scratch.unique('P'), scratch.unique('P'), scratch.unique('P')];
      const file = `${HEAD}\n${one},A,kg,1\n${two},B,kg,1\n${three},C,no unit,1\n`;
      const job = await importOf(scratch, { ...PARTS, file });
      step(['How it ended', 'Wie es endete'], ['failed', 1], [job.state, job.bad]);
      step(
        ['The line that is named', 'Die benannte Zeile'],
        [4],
        job.bad_rows.map(({ line }) => line),
      );
      step(
        ['What of it is there', 'Was davon da ist'],
        [],
        [one, two, three].filter(number => partOf(scratch, number)),
      );
    },
  },
  {
    id: 'MI-03',
    text: [
      'A takeover can be tried first: a trial names what is wrong and writes nothing.',
      'Eine Übernahme kann vorher probiert werden: Ein Probelauf nennt Fehler und schreibt nichts.',
    ],
    check: ['A good file is imported as a trial.', 'Eine gute Datei wird als Probelauf importiert.'],
    references: ['Annex 11, 4.8', 'Annex 11, 4.4'],
    async run({ scratch, step }) {
      const number = scratch.unique('P');
      const job = await importOf(scratch, { ...PARTS, file: `${HEAD}\n${number},A,kg,1\n`, isTrial: true });
      step(['What it would make', 'Was er anlegen würde'], 1, job.created);
      step(['It is there', 'Es ist da'], false, partOf(scratch, number) !== undefined);
    },
  },
  {
    id: 'MI-04',
    text: [
      'The same file again makes nothing twice and changes nothing.',
      'Dieselbe Datei noch einmal legt nichts doppelt an und ändert nichts.',
    ],
    check: ['A file is imported twice.', 'Eine Datei wird zweimal importiert.'],
    references: ['21 CFR 11.10(a)', 'Annex 11, 4.8'],
    async run({ scratch, step }) {
      const number = scratch.unique('P');
      const file = `${HEAD}\n${number},A,kg,1\n`;
      await importOf(scratch, { ...PARTS, file });
      const again = await importOf(scratch, { ...PARTS, file });
      step(
        ['Made, changed, unchanged', 'Angelegt, geändert, unverändert'],
        [0, 0, 1],
        [again.created, again.updated, again.unchanged],
      );
      const found = [...scratch.store.records.all('part')].filter(
        ({ fields }) => fields.identification === number,
      );
      step(['Parts with that number', 'Teile mit dieser Nummer'], [1, 1], [found.length, found[0]?.version]);
    },
  },
  {
    id: 'MI-05',
    text: [
      'A takeover is kept in the audit trail with the name, size and digest of the file, and what came of it.',
      'Eine Übernahme steht im Audit-Trail, mit Name, Größe und Prüfsumme der Datei und dem Ergebnis.',
    ],
    check: [
      'A file is imported and looked for in the audit trail.',
      'Eine Datei wird importiert und im Audit-Trail gesucht.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 4.8', 'Annex 11, 9'],
    async run({ scratch, step }) {
      const file = `${HEAD}\n${scratch.unique('P')},A,kg,1\n`;
      const job = await importOf(scratch, { ...PARTS, file });
      const of = (events: Awaited<ReturnType<typeof eventsOf>>) =>
        events.find(({ details }) => details.import === job.id);
      const event = of(
        await scratch.soon(
          () => eventsOf(scratch, { kind: 'imported' }),
          found => of(found) !== undefined,
        ),
      );
      step(
        ['The file', 'Die Datei'],
        [`file.csv: ${Buffer.byteLength(file)} bytes, SHA-256 ${hash('sha256', file)}`],
        event?.details.files,
      );
      step(
        ['What came of it', 'Was daraus wurde'],
        ['done', 1, 0],
        [event?.details.state, event?.details.created, event?.details.bad],
      );
    },
  },
  {
    id: 'MI-06',
    text: ['Only administrators take data over.', 'Nur Administratoren übernehmen Daten.'],
    check: [
      'A person of quality, an operator and a token for writing begin an import.',
      'Eine Person der Qualität, ein Bediener und ein Schreib-Token beginnen einen Import.',
    ],
    references: ['21 CFR 11.10(d)', '21 CFR 11.10(g)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const mapping = {
        source: 'legacy',
        files: { 'file.csv': { format: 'csv' } },
        steps: [{ ...PARTS, file: 'file.csv' }],
      };
      const body = { secret: '', name: scratch.unique('token'), scopes: ['read', 'write'] };
      const token = (await scratch.program().post('/x/tokens', body)).body?.data as { secret: string };
      const callers = {
        quality: scratch.as('quality'),
        operator: scratch.as('operator'),
        program: scratch.program(token.secret),
      };
      for (const [name, caller] of Object.entries(callers))
        step(
          [`Begun by: ${name}`, `Begonnen von: ${name}`],
          403,
          (await caller.post('/x/imports', { mapping })).status,
        );
    },
  },
  {
    id: 'MI-07',
    text: [
      'Data of a former version are backed up, brought to this version, and are the same; data of a later one are not touched.',
      'Daten einer früheren Version werden gesichert, auf diese Version gebracht und sind dieselben; Daten einer späteren werden nicht angefasst.',
    ],
    check: [
      'A copy that says it is of version 0 of the file is opened and verified; one of a later version is opened.',
      'Eine Kopie, die Version 0 der Datei angibt, wird geöffnet und überprüft; eine einer späteren Version wird geöffnet.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(c)', 'Annex 11, 4.8', 'Annex 11, 10', 'Annex 11, 17'],
    async run({ scratch, folder, step }) {
      const { store } = scratch;
      const count = store.records.total('part');
      const old = scratch.copied(folder, 'old');
      const asOld = attempt(old.file, "PRAGMA user_version = 0; DELETE FROM local WHERE name = 'program'");
      step(
        ['A copy is made one of a former version', 'Eine Kopie wird zu einer früheren Version gemacht'],
        true,
        asOld === ALTERED,
      );
      const found = await scratch.elsewhere(old.folder, async opened => opened.store.records.total('part'));
      step(['Parts before and after', 'Teile vorher und nachher'], count, found);
      const backups = existsSync(join(old.folder, 'backups')) ? readdirSync(join(old.folder, 'backups')) : [];
      step(
        ['It was backed up before', 'Sie wurde vorher gesichert'],
        true,
        backups.some(name => name.startsWith('before-')),
      );
      const { findings } = await verify(old.folder, verifyDependencies);
      step(
        ['What a verification finds', 'Befunde einer Überprüfung'],
        [],
        findings.map(({ what }) => what),
      );
      const later = scratch.copied(folder, 'later');
      attempt(later.file, `PRAGMA user_version = ${FILE_VERSION + 1}`);
      const isRefused = await scratch.elsewhere(later.folder, async () => false).catch(() => true);
      step(
        ['Of a later version: it is refused', 'Einer späteren Version: Sie wird abgewiesen'],
        true,
        isRefused,
      );
    },
  },
]);

function partOf(scratch: ScratchStation, identification: string): Record<string, unknown> | undefined {
  return [...scratch.store.records.all('part')].find(({ fields }) => fields.identification === identification)
    ?.fields;
}
