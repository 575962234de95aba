import type { Saying } from './german-remedies.ts';

/** Codes for enrolment: making them, and why one opens nothing. */
export const germanEnrolment: readonly Saying[] = [
  [
    /^(?:(.+) cannot be used\. )?Give a whole number of hours, 1 to (\d+), for several stations to (\d+)\.$/,
    (_word, given, one, many) =>
      `${unusable(given)}Geben Sie eine ganze Zahl von Stunden an, 1 bis ${one}, für mehrere Stationen bis ${many}.`,
  ],
  [
    /^(?:(.+) cannot be used\. )?Give how many stations it lets in, a whole number from 1 to (\d+)\.$/,
    (_word, given, most) =>
      `${unusable(given)}Geben Sie an, wie viele Stationen er einlässt, eine ganze Zahl von 1 bis ${most}.`,
  ],
  [
    /^(?:(.+) cannot be used\. )?Give a name of 1 to 100 characters, such as the plant\.$/,
    (_word, given) => `${unusable(given)}Geben Sie einen Namen mit 1 bis 100 Zeichen an, etwa das Werk.`,
  ],
  [
    /^A code for one station is valid for at most (\d+) hours\.$/,
    (_word, most) => `Ein Code für eine Station gilt höchstens ${most} Stunden.`,
  ],
  [
    /^A code for several stations is for fresh ones\. Make a code for one station that may bring its records along\.$/,
    'Ein Code für mehrere Stationen ist für neue. Machen Sie einen Code für eine Station, die ihre Datensätze mitbringen darf.',
  ],
  [
    /^This code let in (\d+) stations, as many as it may\. Ask central for a new one\.$/,
    (_word, uses) =>
      `Dieser Code hat ${uses} Stationen eingelassen, mehr lässt er nicht ein. Fragen Sie die Zentrale nach einem neuen.`,
  ],
  [
    /^This code was used already\. Ask central for a new one\.$/,
    'Dieser Code wurde schon verwendet. Fragen Sie die Zentrale nach einem neuen.',
  ],
  [
    /^This code was revoked\. Ask central for a new one\.$/,
    'Dieser Code wurde widerrufen. Fragen Sie die Zentrale nach einem neuen.',
  ],
  [
    /^This code is not accepted\. Check it, or ask central for a new one\.$/,
    'Dieser Code wird nicht angenommen. Prüfen Sie ihn, oder fragen Sie die Zentrale nach einem neuen.',
  ],
  [
    /^This code lets in new installations only, and central knows this one\. Ask central for a code for one station\.$/,
    'Dieser Code lässt nur neue Installationen ein, und die Zentrale kennt diese schon. Fragen Sie die Zentrale nach einem Code für eine Station.',
  ],
];

function unusable(given: string): string {
  return given === '' ? '' : `${given} kann nicht verwendet werden. `;
}

/** The machine's policy: what of it is not in force, and what it locks. */
export const germanPolicy: readonly Saying[] = [
  [
    /^(\w+)=(.+) cannot be used\. (?:Give on or off|Give en or de|Give true or false|Give a name such as pilot|Give a port, 1 to 65535|Give 1 to 100 characters|Give the name of a printer of the system|Give the path of a PEM file|Give central's address, such as https:\/\/central\.example:4870)\.$/s,
    (_word, name, value) => `${name}=${value} kann nicht verwendet werden.`,
  ],
  [
    /^update_window=(.+) cannot be used\. Give two (?:times of day|different times), such as (\S+)\.$/s,
    (_word, value, such) =>
      `update_window=${value} kann nicht verwendet werden. Geben Sie zwei verschiedene Uhrzeiten, etwa ${such}.`,
  ],
  [
    /^printer=(.+) cannot be used\. Give the name of a printer, or (\S+) with one of the ports (.+) and, where it is not (\d+), (\S+)\.$/s,
    (_word, value, address, ports, usual, other) =>
      `printer=${value} kann nicht verwendet werden. Geben Sie den Namen eines Druckers, oder ${address} mit einem der Ports ${ports} und, wenn er nicht ${usual} Punkte je Zoll hat, ${other}.`,
  ],
  [
    /^kiosk_pin cannot be used\. Give what holdpoint policy pin writes\.$/,
    'kiosk_pin kann nicht verwendet werden. Geben Sie, was holdpoint policy pin schreibt.',
  ],
  [
    /^(\w+) is not known\. Known are: (.+)\.$/,
    (_word, name, known) => `${name} ist nicht bekannt. Bekannt sind: ${known}.`,
  ],
  [
    /^Others than root may write it: (.+)\.$/,
    (_word, remedy) => `Nicht nur root darf sie schreiben: ${remedy}.`,
  ],
  [
    /^Others than root may write in (\S+): (.+)\.$/,
    (_word, folder, remedy) => `Nicht nur root darf in ${folder} schreiben: ${remedy}.`,
  ],
  [
    /^enrolment_code is not used: everybody may read it\. (\S+ \S+ \S+; \S+ \S+ \S+), with the group of who runs the server\.$/,
    (_word, remedy) =>
      `enrolment_code wird nicht verwendet: Jeder darf ihn lesen. ${remedy}, mit der Gruppe dessen, der den Server ausführt.`,
  ],
  [
    /^enrolment_code cannot be used\. .+$/,
    'enrolment_code kann nicht verwendet werden. Geben Sie den Code an, wie die Zentrale ihn gezeigt hat.',
  ],
  [/^It is no JSON object\.$/, 'Sie ist kein JSON-Objekt.'],
  [/^It is no file\.$/, 'Sie ist keine Datei.'],
  [/^It cannot be read: (.+)$/s, (_word, why) => `Sie kann nicht gelesen werden: ${why}`],
  [
    /^The policy of this machine \((.+)\) says that its central is (\S+)\. Give this address\.$/,
    (_word, source, central) =>
      `Die Richtlinie dieses Rechners (${source}) legt ${central} als Zentrale fest. Geben Sie diese Adresse an.`,
  ],
  [
    /^This installation has records of its own\. A policy enrols fresh ones; join with a code that lets it bring them along\.$/,
    'Diese Installation hat eigene Datensätze. Eine Richtlinie lässt neue beitreten; treten Sie mit einem Code bei, mit dem sie sie mitbringen darf.',
  ],
];
