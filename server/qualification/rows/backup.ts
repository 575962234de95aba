import { hash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { NewBackupKey, RestorePractice } from '../../../shared/operations/backup-operations.ts';
import { verifyDependencies } from '../../backup/verify-dependencies.ts';
import { restore } from '../../store/restore/restore.ts';
import { DATABASE_FILE, verify } from '../../store/verify/verify.ts';
import { alter } from '../altering.ts';
import { dataOf, outcomeOf } from '../caller.ts';
import { eventsOf } from '../events.ts';
import { ncr } from '../goods.ts';
import { rowsOf } from '../requirement.ts';
import type { ScratchStation } from '../scratch-station.ts';

interface Made {
  file: string;
  records: number;
  commits: number;
}

export const backupRows = rowsOf('backup', [
  {
    id: 'BA-01',
    text: [
      'A backup has all that was written before it, and is restored whole.',
      'Eine Sicherung enthält alles vorher Geschriebene und wird vollständig wiederhergestellt.',
    ],
    check: [
      'A report is written and backed up; the backup is restored into an empty folder and verified.',
      'Eine Meldung wird geschrieben und gesichert; die Sicherung wird in einen leeren Ordner wiederhergestellt und überprüft.',
    ],
    references: ['21 CFR 11.10(c)', 'Annex 11, 7.2', 'Annex 11, 16', 'Annex 11, 17'],
    async run({ scratch, folder, step }) {
      const number = scratch.unique('N');
      await scratch.as('operator').made('/ncrs', { ncr_number: number, source: 'internal' });
      const made = await backUp(scratch);
      const target = join(folder, 'restored');
      const restored = await restoreInto(target, made.file);
      step(
        ['Records backed up, and restored', 'Gesicherte und wiederhergestellte Datensätze'],
        made.records,
        restored.records,
      );
      step(
        ['Commits backed up, and restored', 'Gesicherte und wiederhergestellte Änderungen'],
        made.commits,
        restored.commits,
      );
      const { findings } = await verify(target, verifyDependencies);
      step(
        ['What a verification finds', 'Befunde einer Überprüfung'],
        [],
        findings.map(({ what }) => what),
      );
      const found = await scratch.elsewhere(target, async ({ store }) =>
        [...store.records.all('ncr')].some(({ fields }) => fields.ncr_number === number),
      );
      step(['The report is there', 'Die Meldung ist da'], true, found);
    },
  },
  {
    id: 'BA-02',
    text: [
      'A backup that is cut off or altered is refused, and what stands in its place stays as it is.',
      'Eine abgeschnittene oder veränderte Sicherung wird abgewiesen; was an ihrer Stelle steht, bleibt, wie es ist.',
    ],
    check: [
      'Copies of a backup are cut off and altered, and restored over a data folder.',
      'Kopien einer Sicherung werden gekürzt und verändert und über einen Datenordner wiederhergestellt.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(c)', 'Annex 11, 7.2'],
    async run({ scratch, folder, step }) {
      const { file } = await backUp(scratch);
      const present = scratch.copied(folder, 'present');
      const before = digestOf(present.file);
      const cut = join(folder, 'cut.db');
      copyFileSync(file, cut);
      truncateSync(cut, Math.floor(statSync(cut).size / 2));
      const altered = join(folder, 'altered.db');
      copyFileSync(file, altered);
      alter(
        altered,
        "UPDATE history SET user = 'somebody' WHERE sequence = (SELECT max(sequence) FROM history)",
      );
      const tries: [en: string, de: string, file: string][] = [
        ['Cut off: it is refused', 'Abgeschnitten: Sie wird abgewiesen', cut],
        ['Altered: it is refused', 'Verändert: Sie wird abgewiesen', altered],
      ];
      for (const [en, de, tried] of tries) {
        const isRefused = await restoreInto(present.folder, tried).then(
          () => false,
          () => true,
        );
        step([en, de], true, isRefused);
      }
      step(
        ['The database in its place is as it was', 'Die Datenbank an ihrer Stelle ist unverändert'],
        before,
        digestOf(present.file),
      );
    },
  },
  {
    id: 'BA-03',
    text: [
      'With a recovery key, backups can be read by nobody without it.',
      'Mit einem Wiederherstellungsschlüssel kann niemand ohne ihn die Sicherungen lesen.',
    ],
    check: [
      'A key is made and typed back; a backup is made, looked at, and restored with another key and with the right one.',
      'Ein Schlüssel wird erzeugt und abgetippt; eine Sicherung wird erstellt, angesehen und mit falschem und richtigem Schlüssel wiederhergestellt.',
    ],
    references: ['21 CFR 11.10(c)', '21 CFR 11.30', 'Annex 11, 7.1', 'Annex 11, 7.2'],
    async run({ scratch, step }) {
      const administrator = scratch.as('administrator');
      const key = dataOf<NewBackupKey>(await administrator.post('/x/backup-key'));
      const typed = key.groups.slice(-2).join(' ');
      dataOf(await administrator.put('/x/backup-key', { recipient: key.recipient, typed }));
      try {
        const { file } = await backUp(scratch);
        const content = readFileSync(file);
        step(
          ['The file begins with', 'Die Datei beginnt mit'],
          'age-encryption.org/v1',
          content.subarray(0, 21).toString('latin1'),
        );
        step(
          ['It has readable text of the records', 'Sie enthält lesbaren Text der Datensätze'],
          false,
          content.includes(scratch.loginOf('quality')),
        );
        const practise = (identity: string) => administrator.post('/x/backups/practice', { key: identity });
        const other = dataOf<NewBackupKey>(await administrator.post('/x/backup-key'));
        step(
          ['With another key', 'Mit einem anderen Schlüssel'],
          '422 key',
          outcomeOf(await practise(other.identity)),
        );
        const found = dataOf<RestorePractice>(await practise(key.identity));
        step(
          ['With the right one: what is wrong with it', 'Mit dem richtigen: was daran falsch ist'],
          null,
          found.fault,
        );
      } finally {
        dataOf(await administrator.post('/x/backup-key/remove'));
      }
    },
  },
  {
    id: 'BA-04',
    text: [
      'That a backup can be restored is practised, and the audit trail has how it went.',
      'Die Wiederherstellung einer Sicherung wird geübt, und der Audit-Trail hält das Ergebnis fest.',
    ],
    check: [
      'A backup is made and a restore practised.',
      'Eine Sicherung wird erstellt und eine Wiederherstellung geübt.',
    ],
    references: ['21 CFR 11.10(c)', 'Annex 11, 7.2', 'Annex 11, 16'],
    async run({ scratch, step }) {
      const from = scratch.now().toISOString();
      // Backups are told apart by the moment in their names.
      scratch.pass(1);
      const made = await backUp(scratch);
      const found = dataOf<RestorePractice>(await scratch.as('administrator').post('/x/backups/practice'));
      step(
        ['What was restored', 'Was wiederhergestellt wurde'],
        [made.file, null],
        [found.file, found.fault],
      );
      step(['With all commits', 'Mit allen Änderungen'], made.commits, found.commits);
      const events = await scratch.soon(
        () => eventsOf(scratch, { kind: 'restore_practised', from }),
        list => list.length > 0,
      );
      step(
        ['In the audit trail', 'Im Audit-Trail'],
        [made.file],
        events.map(({ details }) => details.file),
      );
    },
  },
  {
    id: 'BA-05',
    text: [
      'What was answered is on the disk: a power cut takes nothing of it.',
      'Was bestätigt wurde, steht auf der Platte: Ein Stromausfall nimmt nichts davon.',
    ],
    check: [
      'A report is written; the files as they lie on the disk are copied without an end of the program, and opened.',
      'Eine Meldung wird geschrieben; die Dateien auf der Platte werden ohne Programmende kopiert und geöffnet.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(c)', 'Annex 11, 7.1', 'Annex 11, 16'],
    async run({ scratch, folder, step }) {
      const { database } = scratch.store;
      step(
        [
          'Each commit is synced to the disk (synchronous)',
          'Jede Änderung wird auf die Platte geschrieben (synchronous)',
        ],
        2,
        database.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous,
      );
      step(
        ['Kind of journal', 'Art des Journals'],
        'wal',
        database.get<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode,
      );
      const id = await ncr(scratch, 'operator');
      const target = join(folder, 'cut');
      mkdirSync(target, { mode: 0o700 });
      for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`, 'authority.key', 'head.json'])
        if (existsSync(join(scratch.folder, name)))
          copyFileSync(join(scratch.folder, name), join(target, name));
      const found = await scratch.elsewhere(target, async ({ store }) => store.records.get('ncr', id)?.id);
      step(['The report is there', 'Die Meldung ist da'], id, found);
    },
  },
  {
    id: 'BA-06',
    text: [
      'A restore says what it lacks, keeps the former data, and gives no number twice.',
      'Eine Wiederherstellung sagt, was ihr fehlt, bewahrt die früheren Daten und vergibt keine Nummer doppelt.',
    ],
    check: [
      'A backup is made, two reports are written, and the backup is restored over a copy.',
      'Eine Sicherung wird erstellt, zwei Meldungen werden geschrieben, die Sicherung wird über eine Kopie wiederhergestellt.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(e)', 'Annex 11, 7.2', 'Annex 11, 13', 'Annex 11, 16'],
    async run({ scratch, folder, step }) {
      const { file } = await backUp(scratch);
      const ids = [await ncr(scratch, 'operator'), await ncr(scratch, 'operator')];
      const present = scratch.copied(folder, 'present');
      const report = await restoreInto(present.folder, file);
      step(
        ['It says how many commits it lacks', 'Sie sagt, wie viele Änderungen fehlen'],
        true,
        (report.lost?.commits ?? 0) >= ids.length,
      );
      step(
        ['The former database is kept', 'Die frühere Datenbank ist bewahrt'],
        true,
        report.aside !== null && existsSync(report.aside),
      );
      const next = await scratch.elsewhere(present.folder, async station => {
        const body = { ncr_number: scratch.unique('N'), source: 'internal' };
        return scratch.program(scratch.token, station.origin).made('/ncrs', body);
      });
      step(
        ['The next report has a number of a lost one', 'Die nächste Meldung hat die Nummer einer verlorenen'],
        false,
        ids.includes(next),
      );
    },
  },
]);

async function backUp(scratch: ScratchStation): Promise<Made> {
  // Two within the same moment would have one name.
  scratch.pass(0.01);
  return dataOf<Made>(await scratch.as('administrator').post('/x/backups'));
}

function restoreInto(folder: string, file: string) {
  return restore({ folder, file, ...verifyDependencies, clock: () => new Date() });
}

function digestOf(file: string): string {
  return hash('sha256', readFileSync(file)).slice(0, 16);
}
