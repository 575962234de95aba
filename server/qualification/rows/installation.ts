import { createPrivateKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startWork } from '../../backup/work.ts';
import { fingerprintOfKey, publicKeyOf } from '../../keys/ed25519.ts';
import { machineSettings } from '../../store/machine-settings.ts';
import { FILE_VERSION, fileVersion } from '../../store/migrations.ts';
import { openReadOnly } from '../../store/open-read-only.ts';
import type { Connection } from '../../store/sqlite/connection.ts';
import { readLocal } from '../../store/tables.ts';
import { selfCheck } from '../../store/verify/self-check.ts';
import { DATABASE_FILE } from '../../store/verify/verify.ts';
import { KNOWN_KEY } from '../../trust/known-key.ts';
import type { Installation } from '../bench.ts';
import { lookAtFiles } from '../program-files.ts';
import { NotHere, rowsOf } from '../requirement.ts';
import { whoAnswers } from '../who-answers.ts';

const NODE = 24;
const FREE_MIB = 256;
/** A disk that slept is awake within that. */
const PATIENCE_MS = 20_000;
/** A clock may stand so far before the last commit: two machines' clocks differ. In milliseconds. */
const CLOCK_MS = 120_000;
/** Bits for others than the owner. */
const OTHERS = 0o077;

/** Installation qualification: the installation as it lies on this machine. It is read, and nothing of it is changed. */
export const installationRows = rowsOf('installation', [
  {
    id: 'IQ-01',
    text: [
      'The program and what it runs on are of the versions that belong together.',
      'Das Programm und seine Laufzeitumgebung haben die Versionen, die zusammengehören.',
    ],
    check: [
      'Compares the versions that run with those of the build.',
      'Vergleicht die laufenden Versionen mit denen der Auslieferung.',
    ],
    references: ['21 CFR 11.10(a)', 'Annex 11, 4.2', 'Annex 11, 10'],
    async run({ installation: { versions, program }, step }) {
      const found = lookAtFiles(program);
      if (found)
        step(
          ['Version that was built, and that runs', 'Ausgelieferte und laufende Version'],
          [versions.program],
          found.versions,
        );
      const isNew = Number(versions.node.split('.')[0]) >= NODE;
      step([`Node.js ${NODE} or later runs`, `Node.js ab ${NODE} läuft`], true, isNew);
      const [major = 0, minor = 0] = versions.sqlite.split('.').map(Number);
      step(
        ['SQLite 3.45 or later runs', 'SQLite ab 3.45 läuft'],
        true,
        major > 3 || (major === 3 && minor >= 45),
      );
    },
  },
  {
    id: 'IQ-02',
    text: [
      'The files of the program are those that were built: none is changed, missing or added.',
      'Die Dateien des Programms sind die ausgelieferten: Keine ist geändert, fehlt oder kam hinzu.',
    ],
    check: [
      'Compares the SHA-256 of each file with the list that the build wrote.',
      'Vergleicht die SHA-256-Prüfsumme jeder Datei mit der Liste aus der Auslieferung.',
    ],
    references: ['21 CFR 11.10(a)', 'Annex 11, 4.5', 'Annex 11, 10'],
    async run({ installation: { program }, step }) {
      const found = lookAtFiles(program);
      if (!found)
        throw new NotHere([
          'The program runs from its sources, for which there is no list.',
          'Das Programm läuft aus den Quelltexten, zu denen es keine Liste gibt.',
        ]);
      step(
        ['Files that are not as they were built', 'Dateien, die nicht wie ausgeliefert sind'],
        [],
        found.differing,
      );
    },
  },
  {
    id: 'IQ-03',
    text: [
      'The key by which the installation signs is there, belongs to it and to nobody else.',
      'Der Schlüssel, mit dem die Installation unterschreibt, ist da, gehört zu ihr und sonst niemandem.',
    ],
    check: [
      'Reads authority.key, its rights, and the key that the database knows.',
      'Liest authority.key, dessen Dateirechte und den Schlüssel, den die Datenbank kennt.',
    ],
    references: ['21 CFR 11.10(c)', '21 CFR 11.70', 'Annex 11, 7.1'],
    async run({ installation, step }) {
      const path = join(dataOf(installation), 'authority.key');
      step(['The file is there', 'Die Datei ist da'], true, existsSync(path));
      if (hasModes()) step(['Its rights', 'Ihre Rechte'], '600', modeOf(path));
      const key = createPrivateKey(readFileSync(path));
      step(['Its kind', 'Seine Art'], 'ed25519', key.asymmetricKeyType);
      const known = withDatabase(installation, sql => readLocal(sql, KNOWN_KEY));
      const own = publicKeyOf(key);
      step(
        [
          'Fingerprint that the database knows, and of the file',
          'Fingerabdruck in der Datenbank und der Datei',
        ],
        fingerprintOfKey(known ?? own),
        fingerprintOfKey(own),
      );
    },
  },
  {
    id: 'IQ-04',
    text: [
      'The data belong to one user of the machine: nobody else may read or change a file of them.',
      'Die Daten gehören einem Benutzer des Rechners: Niemand sonst darf eine Datei davon lesen oder ändern.',
    ],
    check: [
      'Looks at the rights of the data folder and of each file and folder in it.',
      'Prüft die Rechte des Datenordners und jeder Datei und jedes Ordners darin.',
    ],
    references: ['21 CFR 11.10(c)', '21 CFR 11.10(d)', 'Annex 11, 7.1', 'Annex 11, 12.1'],
    async run({ installation, step }) {
      if (!hasModes())
        throw new NotHere([
          'This system keeps rights in another way; look at the folder’s properties.',
          'Dieses System hält Rechte anders fest; sehen Sie in den Eigenschaften des Ordners nach.',
        ]);
      const folder = dataOf(installation);
      step(['Rights of the data folder', 'Rechte des Datenordners'], '700', modeOf(folder));
      // Nobody else comes into a folder that is closed; secrets are closed themselves as well.
      const open = readdirSync(folder).filter(
        name => SECRET.test(name) && (statSync(join(folder, name)).mode & OTHERS) !== 0,
      );
      step(['Files in it that are open to others', 'Dateien darin, die anderen offenstehen'], [], open);
    },
  },
  {
    id: 'IQ-05',
    text: [
      'Each folder that the installation is set up to use is there and takes files, and there is room.',
      'Jeder eingerichtete Ordner ist da und nimmt Dateien an, und es ist Platz.',
    ],
    check: [
      'Writes a file into each of them and removes it again.',
      'Schreibt in jeden davon eine Datei und entfernt sie wieder.',
    ],
    references: ['21 CFR 11.10(c)', 'Annex 11, 7.1', 'Annex 11, 7.2'],
    async run({ installation, step }) {
      const folder = dataOf(installation);
      const second = withDatabase(installation, sql => machineSettings(sql).backup_folder);
      const folders: [en: string, de: string, folder: string | null | undefined][] = [
        ['Data folder', 'Datenordner', folder],
        ['Folder of the backups', 'Ordner der Sicherungen', second],
        ['Folder of the checkpoints', 'Ordner der Prüfpunkte', installation.config.checkpoints],
      ];
      for (const [en, de, path] of folders)
        if (path)
          step(
            [`${en} takes files: ${path}`, `${de} nimmt Dateien an: ${path}`],
            true,
            await tryFolder(path),
          );
      const { bavail, bsize } = statfsSync(folder);
      step(
        [`${FREE_MIB} MiB are free in the data folder`, `${FREE_MIB} MiB sind im Datenordner frei`],
        true,
        bavail * bsize > FREE_MIB * 2 ** 20,
      );
    },
  },
  {
    id: 'IQ-06',
    text: [
      'The database is whole, of this version, and lets nobody change its history.',
      'Die Datenbank ist ganz, hat die Form dieser Version und lässt niemanden ihre Historie ändern.',
    ],
    check: [
      'Looks at the version of the file, what a start looks at, and the triggers that keep history.',
      'Prüft die Version der Datei, was ein Start prüft, und die Auslöser, die die Historie bewahren.',
    ],
    references: ['21 CFR 11.10(c)', '21 CFR 11.10(e)', 'Annex 11, 7.1', 'Annex 11, 9'],
    async run({ installation, step }) {
      const found = withDatabase(installation, sql => ({
        version: fileVersion(sql),
        triggers: sql
          .all<{ name: string }>(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'history' ORDER BY name",
          )
          .map(({ name }) => name),
      }));
      step(['Version of the file', 'Version der Datei'], FILE_VERSION, found.version);
      step(
        ['Triggers that keep history', 'Auslöser, die die Historie bewahren'],
        ['history_is_never_changed', 'history_is_never_deleted', 'history_is_never_replaced'],
        found.triggers,
      );
      const { findings } = selfCheck(dataOf(installation));
      step(
        ['What a start finds', 'Befunde eines Starts'],
        [],
        findings.map(({ what }) => what),
      );
    },
  },
  {
    id: 'IQ-07',
    text: [
      'The clock of the machine is not behind what was written last, and is confirmed.',
      'Die Uhr des Rechners steht nicht vor dem zuletzt Geschriebenen und ist bestätigt.',
    ],
    check: [
      'Compares the clock with the last commit, and looks for a step that nobody confirmed.',
      'Vergleicht die Uhr mit der letzten Änderung und sucht nach einer unbestätigten Verstellung.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 9', 'Annex 11, 14(c)'],
    async run({ installation, step }) {
      const last = withDatabase(
        installation,
        sql => sql.get<{ at: string }>('SELECT at FROM history ORDER BY sequence DESC LIMIT 1')?.at,
      );
      const open = withDatabase(installation, sql =>
        sql.get<{ kind: string }>('SELECT kind FROM clock_fact ORDER BY id DESC LIMIT 1'),
      );
      const now = installation.clock().getTime();
      const isBehind = last !== undefined && now < Date.parse(last) - CLOCK_MS;
      step(
        ['The clock is behind the last commit', 'Die Uhr steht vor der letzten Änderung'],
        false,
        isBehind,
      );
      const isOpen = open?.kind.startsWith('step') === true;
      step(['A step of the clock waits for confirmation', 'Eine Verstellung ist unbestätigt'], false, isOpen);
    },
  },
  {
    id: 'IQ-08',
    text: [
      'At the address and port of the installation this program answers, or nobody.',
      'An Adresse und Port der Installation antwortet dieses Programm oder niemand.',
    ],
    check: ['Calls the address.', 'Ruft die Adresse auf.'],
    references: ['21 CFR 11.10(h)', 'Annex 11, 4.3'],
    async run({ installation: { config }, step }) {
      if (config.port === 0)
        throw new NotHere([
          'The installation takes any free port.',
          'Die Installation nimmt irgendeinen freien Port.',
        ]);
      const who = await whoAnswers(config);
      step(
        [
          `${config.host}, port ${config.port}: another program answers`,
          `${config.host}, Port ${config.port}: Ein anderes Programm antwortet`,
        ],
        false,
        who === 'another',
      );
    },
  },
]);

/** Files that hold secrets, or all of the data. */
const SECRET = /^(token|.*\.key|holdpoint\.db.*|lock\.db|owner.*)$/;

function hasModes(): boolean {
  return process.platform !== 'win32';
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** @throws NotHere before the first start */
function dataOf({ config: { folder } }: Installation): string {
  if (existsSync(join(folder, DATABASE_FILE))) return folder;
  throw new NotHere([
    `There are no data in ${folder} yet: start the program once.`,
    `In ${folder} sind noch keine Daten: Starten Sie das Programm einmal.`,
  ]);
}

function withDatabase<Result>(installation: Installation, read: (sql: Connection) => Result): Result {
  const sql = openReadOnly(join(dataOf(installation), DATABASE_FILE));
  try {
    return read(sql);
  } finally {
    sql.close();
  }
}

/** True where a folder takes a file, whole and on its disk; else why not. By a process that a dead disk cannot hold up. */
async function tryFolder(folder: string): Promise<true | string> {
  const name = `.holdpoint-validation-${process.pid}`;
  try {
    await startWork('write', { folder, name, text: 'tried' }, PATIENCE_MS).found;
    rmSync(join(folder, name), { force: true });
    return true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
