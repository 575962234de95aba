import type { Saying } from './german-remedies.ts';

const NOTHING = 'Nichts daraus wurde übernommen.';
const AGAIN = 'Kopieren Sie sie noch einmal oder schreiben Sie eine neue.';
const ROUND =
  'Schreiben Sie jetzt eine Datei für die Station, lesen Sie sie dort ein und bringen Sie von dort eine neue.';
const ROUND_HERE =
  'Schreiben Sie hier eine Datei, lesen Sie sie an der Zentrale ein und bringen Sie von dort eine neue.';

const REASONS: readonly [RegExp, string][] = [
  [/^It is cut off/, `Sie ist abgeschnitten, oder ihr Ende wurde verändert. ${AGAIN}`],
  [/^It was altered on its way/, `Sie wurde unterwegs verändert. ${AGAIN}`],
  [
    /^It was altered or cut off, or is sealed/,
    `Sie wurde verändert oder abgeschnitten, oder sie ist mit einem anderen Schlüssel versiegelt, weil die Station seitdem neu angeschlossen wurde. ${AGAIN}`,
  ],
  [/^It is no file of/, 'Sie ist keine Datei von „holdpoint carry“, oder ihr Anfang wurde verändert.'],
  [
    /^A later version wrote it/,
    'Eine spätere Version hat sie geschrieben. Aktualisieren Sie dieses Programm.',
  ],
  [
    /^It is not signed by the installation/,
    'Sie ist nicht von der Installation unterschrieben, die sie nennt. Schreiben Sie dort eine neue.',
  ],
  [
    /^An earlier version wrote it, which did not sign/,
    'Eine frühere Version hat sie geschrieben, die noch nicht unterschrieb. Aktualisieren Sie das Programm dort und schreiben Sie eine neue.',
  ],
  [/^It is of a station of another central/, 'Sie ist von einer Station einer anderen Zentrale.'],
  [/^It is of a station that this central/, 'Sie ist von einer Station, die diese Zentrale nicht kennt.'],
  [/^It is of another station/, 'Sie ist von einer anderen Station oder für eine andere.'],
  [/^It is of another central/, 'Sie ist von einer anderen Zentrale.'],
  [/^This station wrote it/, 'Diese Station hat sie geschrieben. Lesen Sie sie an der Zentrale ein.'],
  [
    /^Central says something/,
    'Die Zentrale sagt darin etwas, was diese Version nicht versteht. Aktualisieren Sie diese Station.',
  ],
  [/^A message in it is of another station/, 'Eine Nachricht darin ist von einer anderen Station.'],
  [
    /^A message in it is not understood/,
    'Die Zentrale versteht eine Nachricht darin nicht. Aktualisieren Sie die Zentrale.',
  ],
  [
    /^The station speaks version .* Update central/,
    'Die Station spricht eine andere Version des Austauschs als die Zentrale. Aktualisieren Sie die Zentrale.',
  ],
  [
    /^The station speaks version/,
    'Die Station spricht eine andere Version des Austauschs als die Zentrale. Aktualisieren Sie die Station.',
  ],
  [/^Central wrote it/, 'Die Zentrale hat sie für eine Station geschrieben. Lesen Sie sie dort ein.'],
];

/** What is said of files that are carried: `server/sync/`, `server/http/handlers/carry.ts`. */
export const germanCarried: readonly Saying[] = [
  [
    /^This file cannot be read in\. (.*) Nothing of it was taken\.$/s,
    (_word, why = '') => {
      const [, german = 'Sie hat eine Nachricht, die nicht gelesen werden kann.'] =
        REASONS.find(([pattern]) => pattern.test(why)) ?? [];
      return `Diese Datei kann nicht eingelesen werden. ${german} ${NOTHING}`;
    },
  ],
  [
    /^This file is of the machine (\S+), which has the data of the station "(.*?)", while .*? taken\.(?: (Make|Say) .*)?$/s,
    (_word, machine = '', name = '', remedy) =>
      `Diese Datei ist von der Maschine ${machine}, die die Daten der Station „${name}“ hat, während die Zentrale mit einer anderen weitermacht: Ihre Platte wurde kopiert, oder eine frühere Kopie wurde zurückgespielt. ${NOTHING} ${
        remedy === 'Say'
          ? 'Sagen Sie unter Stationen, welche weitermacht. Schreiben Sie dann dort eine neue Datei.'
          : 'Machen Sie jene Maschine mit einem neuen Code zu einer eigenen Station.'
      }`,
  ],
  [
    /^This file is signed with another key than (central|the station "(.*?)") had: SHA-256 (\S+), before it (\S+)\./,
    (_word, _whose, name, key = '', before = '') =>
      `Diese Datei ist mit einem anderen Schlüssel unterschrieben, als ${name === undefined ? 'die Zentrale' : `die Station „${name}“`} ihn hatte: SHA-256 ${key}, davor ${before}. ${NOTHING} Fragen Sie dort am Telefon, welchen Schlüssel sie haben (holdpoint authority show) und ob die Maschine wiederhergestellt wurde. Ist es dieser, geben Sie ihn als Schlüssel an (holdpoint carry in DATEI --key ${key}). Wenn nicht, hat jemand anderes die Datei geschrieben.`,
  ],
  [
    /^Central was restored since the station "(.*)" last heard of it/,
    (_word, name = '') =>
      `Die Zentrale wurde wiederhergestellt, seit die Station „${name}“ zuletzt von ihr hörte. Deshalb wurde nichts übernommen. ${ROUND}`,
  ],
  [
    /^The station "(.*)" was enrolled again while this file was read in/,
    (_word, name = '') =>
      `Die Station „${name}“ wurde neu angeschlossen, während diese Datei eingelesen wurde: Die Datei gilt nicht mehr. Was davor stand, wurde übernommen. Schreiben Sie dort eine neue.`,
  ],
  [
    /^Changes of the station "(.*)" that come before those in this file are missing/,
    (_word, name = '') =>
      `Der Zentrale fehlen Änderungen der Station „${name}“, die vor denen in dieser Datei liegen. Was davor stand, wurde übernommen. ${ROUND}`,
  ],
  [
    /^Central has other changes of the station "(.*)" in the place of those in this file/,
    (_word, name = '') =>
      `Die Zentrale hat andere Änderungen der Station „${name}“ anstelle derer in dieser Datei: Die Station wurde auf einen früheren Stand zurückgesetzt. Was davor stand, wurde übernommen. ${ROUND}`,
  ],
  [
    /^A change in this file is not what its hash says/,
    'Eine Änderung in dieser Datei ist nicht, was ihre Prüfsumme sagt, oder von einer anderen Station. Was davor stand, wurde übernommen. Lassen Sie die Station prüfen: holdpoint verify.',
  ],
  [
    /^A file of central that comes before this one is missing: .* has read (\d+) entries .* after entry (\d+)\./,
    (_word, here = '', from = '') =>
      `Es fehlt eine frühere Datei der Zentrale: Diese Station hat ${here} Einträge ihres Protokolls gelesen, und diese Datei beginnt nach Eintrag ${from}. Lesen Sie zuerst die Datei davor ein. Ist sie verloren: ${ROUND_HERE} ${NOTHING}`,
  ],
  [
    /^Central goes on with another machine that has this station's data/,
    `Die Zentrale macht mit einer anderen Maschine weiter, die die Daten dieser Station hat: Die Platte wurde kopiert, oder eine frühere Kopie wurde zurückgespielt. ${NOTHING} Was hier erfasst wurde, ist nicht verloren. Schreiben Sie hier eine Datei und lesen Sie sie an der Zentrale ein: Dort steht, wie diese Maschine heißt, und die Administration sagt, welche weitermacht.`,
  ],
  [
    /^This station takes all records from central, and this file does not begin with them/,
    `Diese Station übernimmt alle Datensätze der Zentrale, und diese Datei beginnt nicht mit ihnen. ${ROUND_HERE} ${NOTHING}`,
  ],
  [
    /^This file is of another state of central/,
    `Diese Datei ist von einem anderen Stand der Zentrale, als diese Station ihn kennt: Eine von beiden wurde dazwischen wiederhergestellt. ${ROUND_HERE} ${NOTHING}`,
  ],
  [
    /^Central takes for known what this station does not have/,
    `Die Zentrale hält für bekannt, was diese Station nicht mehr hat: Sie wurde wiederhergestellt. ${ROUND_HERE}`,
  ],
  [
    /^This station stands alone: there is no central/,
    'Diese Station arbeitet allein: Es gibt keine Zentrale, der Dateien gebracht werden könnten. Schließen Sie sie erst einmal über eine Leitung an.',
  ],
  [
    /^"(.*)" is no SHA-256 of a key/s,
    (_word, key = '') =>
      `„${key}“ ist keine SHA-256-Prüfsumme eines Schlüssels. Geben Sie ihre 64 Stellen an.`,
  ],
  [
    /^The store is damaged and can only be read/,
    'Der Datenbestand ist beschädigt und kann nur gelesen werden. Stellen Sie erst eine Sicherung wieder her.',
  ],
  [
    /^The file is larger than (\d+) bytes/,
    (_word, limit = '') => `Die Datei ist größer als ${Number(limit).toLocaleString('de')} Bytes.`,
  ],
  [
    /^The disk is full\. Free some space, then read/,
    'Die Festplatte ist voll. Schaffen Sie Platz, und lesen Sie die Datei dann noch einmal ein.',
  ],
  [
    /^Another file is being read in/,
    'Eine andere Datei wird gerade eingelesen. Versuchen Sie es danach noch einmal.',
  ],
  [
    /^The connection ended before the file was complete/,
    'Die Verbindung endete, bevor die Datei vollständig war. Nichts ist verloren: Tun Sie es noch einmal.',
  ],
];
