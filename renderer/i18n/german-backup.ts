import type { Saying } from './german-remedies.ts';

/** What a folder does that takes no backup: `server/backup/deliver.ts`. */
const WHY: Readonly<Record<string, string>> = {
  'the user that Holdpoint runs as may not write there':
    'der Benutzer, unter dem Holdpoint läuft, darf dort nicht schreiben',
  'its disk is read-only': 'sein Datenträger ist schreibgeschützt',
  'a part of its path is a file': 'ein Teil seines Pfads ist eine Datei',
  'it is not there': 'es gibt ihn nicht',
  'its disk fails': 'sein Datenträger ist defekt',
  'the share that it lies on has changed; mount it again':
    'die Freigabe, auf der er liegt, hat sich geändert; binden Sie sie neu ein',
  'its disk is gone': 'sein Datenträger ist weg',
};

/** Backups, their key, and practising a restore: `server/backup/`. */
export const germanBackup: readonly Saying[] = [
  [/^There is no backup yet\.$/, 'Es gibt noch keine Sicherung.'],
  [/^The last backup is of (\S+)\.$/, (_, day) => `Die letzte Sicherung ist vom ${day}.`],
  [
    /^(The last backup failed: )?The folder (.+) does not answer since (.+): the disk or the share hangs\. .+?Backup\.( The backup stands .+)?$/s,
    (_, failed, folder, since, instead) =>
      `${failedIn(failed)}Der Ordner ${folder} antwortet seit ${since} nicht: Der Datenträger oder die Freigabe hängt. Schließen Sie ihn neu an, oder nennen Sie unter Einrichtung, Sicherung einen anderen Ordner.${insteadIn(instead)}`,
  ],
  [
    /^(The last backup failed: )?The backups in (.+) are gone, or its disk is not there\. .+?--to ".+?"( The backup stands .+)?$/s,
    (_, failed, folder, instead) =>
      `${failedIn(failed)}Die Sicherungen in ${folder} sind weg, oder der Datenträger ist nicht da. Schließen Sie ihn wieder an. Ist der Ordner mit Absicht leer, beginnen Sie ihn neu: holdpoint backup --to "${folder}"${insteadIn(instead)}`,
  ],
  [
    /^(The last backup failed: )?The folder (.+) takes no backup: (.+)\. Put that right, .+?Backup\.( The backup stands .+)?$/s,
    (_, failed, folder, why = '', instead) =>
      `${failedIn(failed)}Der Ordner ${folder} nimmt keine Sicherung an: ${WHY[why] ?? why}. Beheben Sie das, oder nennen Sie unter Einrichtung, Sicherung einen anderen Ordner.${insteadIn(instead)}`,
  ],
  [
    /^(The last backup failed: )?The disk that holds (.+) is full\. Free some space and try again\.( The backup stands .+)?$/s,
    (_, failed, folder, instead) =>
      `${failedIn(failed)}Der Datenträger mit ${folder} ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal.${insteadIn(instead)}`,
  ],
  [
    /^The folder (.+) is nearly full: ([\d.]+) MiB are free, and the last backup has ([\d.]+) MiB\. .+$/s,
    (_, folder, free = '', last = '') =>
      `Der Ordner ${folder} ist fast voll: ${free.replace('.', ',')} MiB sind frei, und die letzte Sicherung hat ${last.replace('.', ',')} MiB. Schaffen Sie Platz, oder bewahren Sie weniger Sicherungen auf.`,
  ],
  [
    /^Backups stand in the data folder only \((.+)\): .+$/s,
    (_, folder) =>
      `Sicherungen stehen nur im Datenordner (${folder}): Was diese Platte trifft, trifft auch sie. Stellen Sie unter Einrichtung, Sicherung einen Ordner auf einer anderen Platte oder Maschine ein.`,
  ],
  [
    /^Backups are encrypted to the key (\S+), which nobody set in Holdpoint: .+$/s,
    (_, key) =>
      `Die Sicherungen werden für den Schlüssel ${key} verschlüsselt, den in Holdpoint niemand gesetzt hat: Die Datenbank wurde an Holdpoint vorbei geändert. Machen Sie unter Einrichtung, Sicherung einen anderen Schlüssel, und finden Sie heraus, wer jenen hat.`,
  ],
  [
    /^The restore that was practised on (\S+) failed: (.+) Make a backup now, and practise again\.$/s,
    (_, day, why = '') =>
      `Die am ${day} geübte Wiederherstellung misslang. ${inGerman(why)} Sichern Sie jetzt, und üben Sie noch einmal.`,
  ],
  [
    /^Backups are to be sent to central, which takes encrypted ones only, .+$/s,
    'Die Sicherungen sollen an die Zentrale gehen, die nur verschlüsselte annimmt, und die dieser Station sind unverschlüsselt. Machen Sie unter Einrichtung, Sicherung einen Schlüssel.',
  ],
  [
    /^Central takes no backups of stations: it is of an earlier version\. .+$/s,
    'Die Zentrale nimmt keine Sicherungen von Stationen an: Sie hat eine frühere Version. Aktualisieren Sie sie; dann werden sie gesendet.',
  ],
  [
    /^Central takes no backup of this station: (.+)$/s,
    (_, why = '') => `Die Zentrale nimmt von dieser Station keine Sicherung an: ${inGerman(why)}`,
  ],
  [
    /^This central keeps no backups of stations .+$/s,
    'Diese Zentrale bewahrt keine Sicherungen von Stationen auf (0 unter ihrer Einrichtung, Sicherung). Bis sie es tut, wird nichts gesendet.',
  ],
  [
    /^The disk of central has no room for this backup: .+$/s,
    'Der Datenträger der Zentrale hat keinen Platz für diese Sicherung: Was frei ist, ist für ihre Daten. Schaffen Sie dort Platz, oder bewahren Sie weniger Sicherungen von Stationen auf (Einrichtung, Sicherung der Zentrale).',
  ],
  [
    /^Central keeps ([\d.]+) GB of backups of one station, and this backup has ([\d.]+) GB\. .+$/s,
    (_, limit = '', size = '') =>
      `Die Zentrale bewahrt von einer Station ${limit.replace('.', ',')} GB an Sicherungen auf, und diese Sicherung hat ${size.replace('.', ',')} GB. Setzen Sie HOLDPOINT_STATION_BACKUPS_GB in der Zentrale.`,
  ],
  [
    /^The backup that arrived is not the one that was sent\. .+$/s,
    'Die Sicherung kam anders an, als sie gesendet wurde. Sie wird noch einmal gesendet.',
  ],
  [
    /^This machine's policy says whether its backups are sent to central\. .+$/s,
    'Ob die Sicherungen an die Zentrale gehen, sagt die Richtlinie dieses Rechners. Seine Administratoren ändern das.',
  ],
  [
    /^Backups are not encrypted: who takes one .+$/s,
    'Die Sicherungen sind nicht verschlüsselt: Wer eine mitnimmt, kann alles darin lesen. Machen Sie unter Einrichtung, Sicherung einen Schlüssel, oder sagen Sie dort, dass sie unverschlüsselt bleiben.',
  ],
  [
    /^A restore was practised last on (\S+)\. .+$/s,
    (_, day) =>
      `Eine Wiederherstellung wurde zuletzt am ${day} geübt. Üben Sie wieder eine, mit dem Schlüssel: Einrichtung, Sicherung.`,
  ],
  [
    /^No restore was practised yet\. .+$/s,
    'Noch nie wurde eine Wiederherstellung geübt. Üben Sie eine, mit dem Schlüssel: Einrichtung, Sicherung.',
  ],
  [
    /^(.+) was cut or altered since it was encrypted .+$/s,
    (_, file) =>
      `${file} wurde seit dem Verschlüsseln abgeschnitten oder verändert. Nichts davon wird verwendet. Nehmen Sie eine andere Sicherung.`,
  ],
  [
    /^These are not the last two groups of the recovery key\. .+$/,
    'Das sind nicht die letzten zwei Gruppen des Schlüssels. Vergleichen Sie sie mit dem Blatt.',
  ],
  [
    /^Type the last two groups of the recovery key, .+$/,
    'Tippen Sie die letzten zwei Gruppen des Schlüssels vom Blatt ab.',
  ],
  [
    /^The key was made over an hour ago\. .+$/,
    'Der Schlüssel wurde vor über einer Stunde gemacht. Machen Sie einen anderen.',
  ],
  [
    /^The server was started again since it made this key, .+$/,
    'Der Server wurde neu gestartet, seit er diesen Schlüssel gemacht hat, und kennt ihn nicht mehr. Machen Sie einen anderen.',
  ],
  [
    /^Give the recovery key, as it stands on its paper\.$/,
    'Geben Sie den Schlüssel ein, wie er auf seinem Blatt steht.',
  ],
  [
    /^(.+) is encrypted\. Give the recovery key (\S+)\.$/s,
    (_, file, key) => `${file} ist verschlüsselt. Geben Sie den Schlüssel ${key} ein.`,
  ],
  [
    /^The key that you gave is (\S+); (\S+) opens (.+)\. Look for the paper .+$/s,
    (_, given, wanted, file) =>
      `Sie haben den Schlüssel ${given} eingegeben; ${file} öffnet ${wanted}. Suchen Sie das Blatt dieses Schlüssels: Sein Name steht darauf.`,
  ],
  [
    /^This is the recipient, by which backups are written\. .+$/,
    'Das ist der Empfänger, mit dem gesichert wird. Was die Sicherungen öffnet, beginnt mit AGE-SECRET-KEY-1 und steht auf dem Blatt des Schlüssels.',
  ],
  [
    /^"(.+)" never stands in a key\. .+$/,
    (_, character) => `„${character}“ kommt in keinem Schlüssel vor. Vergleichen Sie ihn mit dem Blatt.`,
  ],
  [
    /^A recovery key has (\d+) characters after AGE-SECRET-KEY-1; these are (\d+), .+$/,
    (_, right, given) =>
      `Ein Schlüssel hat ${right} Zeichen hinter AGE-SECRET-KEY-1; das sind ${given}. Vergleichen Sie ihn Gruppe für Gruppe mit dem Blatt.`,
  ],
  [
    /^The recovery key is mistyped: .+$/,
    'Im Schlüssel ist ein Tippfehler: Seine letzten sechs Zeichen, die die anderen beweisen, passen nicht. Vergleichen Sie ihn Gruppe für Gruppe mit dem Blatt.',
  ],
  [
    /^This is the recovery key itself, which must not lie on this machine\. .+$/,
    'Das ist der Schlüssel selbst, der nicht auf dieses Gerät gehört. Geben Sie seinen Empfänger an, der mit age1 beginnt.',
  ],
  [
    /^This is no recipient of age \(X25519\): .+$/,
    'Das ist kein Empfänger von age (X25519): age1 und 58 Zeichen. Er ist vertippt oder von anderer Art.',
  ],
  [
    /^Give the recipient of the key, which begins with age1\.$/,
    'Geben Sie den Empfänger des Schlüssels an, der mit age1 beginnt.',
  ],
  [
    /^There is no room to practise a restore: (\d+) MiB .+$/,
    (_, needed) =>
      `Zum Üben fehlt der Platz: Neben dem Datenordner braucht es ${needed} MiB. Schaffen Sie Platz, oder holen Sie die Sicherung auf einem anderen Rechner zurück.`,
  ],
  [/^There is no backup yet\. Make one first\.$/, 'Es gibt noch keine Sicherung. Erstellen Sie erst eine.'],
  [
    /^A restore is being practised\. .+$/,
    'Eine Wiederherstellung wird gerade geübt. Warten Sie, bis sie fertig ist.',
  ],
];

/** What stands within another message. */
function inGerman(message: string): string {
  for (const [pattern, say] of germanBackup) {
    const [, ...values] = pattern.exec(message) ?? [];
    if (pattern.test(message)) return typeof say === 'string' ? say : say(word => word, ...values);
  }
  return `Meldung, auf Englisch: ${message}`;
}

function failedIn(lead = ''): string {
  return lead === '' ? '' : 'Die letzte Sicherung misslang: ';
}

function insteadIn(said = ''): string {
  const [, file] = /data folder instead: (.+)$/s.exec(said) ?? [];
  return file === undefined ? '' : ` Die Sicherung steht stattdessen im Datenordner: ${file}`;
}
