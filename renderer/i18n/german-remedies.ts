/** What is wrong with a field's value: `shared/contract/fields.ts`, `shared/contract/field-schemas.ts`, `shared/contract/parse-input.ts`. */
export const germanRemedies: readonly Saying[] = [
  [
    /^(.+) is missing\. Give one of (.+)\.$/s,
    (word, label, choices) => `${word(label ?? '')} fehlt. Möglich: ${said(word, choices)}.`,
  ],
  [
    /^(.+) is missing\. Give the id of a record \((.+)\)\.$/s,
    (word, label) => `${word(label ?? '')} fehlt. Wählen Sie einen Datensatz.`,
  ],
  [
    /^(.+) is missing\. Give a whole number\.$/s,
    (word, label) => `${word(label ?? '')} fehlt. Geben Sie eine ganze Zahl an.`,
  ],
  [
    /^(.+) is missing\. Give a number\.$/s,
    (word, label) => `${word(label ?? '')} fehlt. Geben Sie eine Zahl an.`,
  ],
  [
    /^(.+) is missing\. Give a date, YYYY-MM-DD\.$/s,
    (word, label) => `${word(label ?? '')} fehlt. Geben Sie ein Datum an.`,
  ],
  [/^(.+) is missing\. Give a value\.$/s, (word, label) => `${word(label ?? '')} fehlt. Geben Sie etwas an.`],
  [/^(.+) is not text\. Give a text in quotes\.$/s, (_, value) => `${value} ist kein Text.`],
  [
    /^The text is too long\. The most is ([\d,]+) characters\.$/,
    (_, most) => `Der Text ist zu lang. Höchstens ${thousands(most)} Zeichen.`,
  ],
  [
    /^(.+) is not the id of a record \((.+)\)\. Give a whole number from 1\.$/s,
    (_, value) => `${value} ist keine Id eines Datensatzes. Geben Sie eine ganze Zahl ab 1 an.`,
  ],
  [
    /^(.+) is not an id\. Give a whole number from 1, or leave it out\.$/s,
    (_, value) => `${value} ist keine Id. Geben Sie eine ganze Zahl ab 1 an, oder lassen Sie das Feld leer.`,
  ],
  [
    /^(.+) is no SSCC: .+$/s,
    (_, value) =>
      `${value} ist keine SSCC: Sie hat 18 Ziffern, und die letzte ist ihre Prüfziffer. Lesen Sie sie noch einmal vom Etikett ab.`,
  ],
  [
    /^(.+) is no GLN: .+$/s,
    (_, value) =>
      `${value} ist keine GLN: Sie hat 13 Ziffern, und die letzte ist ihre Prüfziffer. Lesen Sie sie noch einmal vom Etikett ab.`,
  ],
  [
    /^"(.+)" is not an origin\. .+$/s,
    (_, value) =>
      `„${value}“ ist kein Ursprung. Geben Sie Schema, Rechner und Port an, wie der Browser sie zeigt, ohne Pfad, etwa https://mes.example:8443.`,
  ],
  [
    /^"(.+)" is not a time zone\. Give an IANA name such as (.+)\.$/s,
    (_, value, example) => `„${value}“ ist keine Zeitzone. Geben Sie einen IANA-Namen wie ${example} an.`,
  ],
  [
    /^(.+) is no kind of act\. Allowed: (.+)\.$/s,
    (word, value, allowed) => `${value} ist keine Art von Handlung. Möglich: ${said(word, allowed)}.`,
  ],
  [
    /^(.+) is not an object\. Give one with kinds of act as its members\.$/s,
    (_, value) => `${value} ist keine Liste von Handlungen. Geben Sie zu jeder Art an, was sie braucht.`,
  ],
  [
    /^(.+) is not what a kind of act needs\. .+$/s,
    (_, value) =>
      `${value} sagt nicht, was eine Handlung braucht. Geben Sie Unterschrift, Grund und zweite Person je mit ja oder nein an.`,
  ],
  [
    /^(.+) is no part of what a kind of act needs\. .+$/s,
    (_, names) => `${names} gehört nicht dazu. Geben Sie Unterschrift, Grund und zweite Person an.`,
  ],
  [
    /^\w+ is true and is_signed is false: .+$/s,
    'Grund und zweite Person gehören zu einer Unterschrift. Verlangen Sie die Unterschrift mit.',
  ],
  [
    /^(.+) is not a yes or no\. Give true or false.+$/s,
    (_, value) => `${value} ist weder ja noch nein. Wählen Sie eines von beiden.`,
  ],
  [
    /^(.+) is not a whole number\. Give a whole number such as 5\.$/s,
    (_, value) => `${value} ist keine ganze Zahl. Geben Sie eine ganze Zahl wie 5 an.`,
  ],
  [
    /^(.+) is not a number\. Give a number such as (.+)\.$/s,
    (_, value, example) => `${value} ist keine Zahl. Geben Sie eine Zahl wie ${comma(example)} an.`,
  ],
  [
    /^(.+) is too small\. The least is (.+)\.$/s,
    (_, value, least) => `${comma(value)} ist zu klein. Mindestens ${comma(least)}.`,
  ],
  [
    /^(.+) is too large\. The most is (.+)\.$/s,
    (_, value, most) => `${comma(value)} ist zu groß. Höchstens ${comma(most)}.`,
  ],
  [
    /^(.+) has more than six decimals\. Round it to six\.$/s,
    (_, value) =>
      `${comma(value)} hat mehr als sechs Nachkommastellen. Runden Sie auf sechs Nachkommastellen.`,
  ],
  [
    /^(.+) is not a calendar date\. Give YYYY-MM-DD, for example (.+)\.$/s,
    (_, value) => `${value} ist kein Kalendertag. Geben Sie einen Tag an, den es gibt.`,
  ],
  [
    /^(.+) is not a date and time\. Give ISO 8601, for example (.+)\.$/s,
    (_, value) => `${value} ist kein Zeitpunkt. Geben Sie Tag und Uhrzeit an.`,
  ],
  [
    /^(.+) is not allowed\. Allowed: (.+)\.$/s,
    (word, value, choices) => `${value} ist nicht möglich. Möglich: ${said(word, choices)}.`,
  ],
  [/^(.+) is not a list\. Give a list of .+$/s, (_, value) => `${value} ist keine Liste.`],
  [
    /^The list is too long\. The most is ([\d,]+)\.$/,
    (_, most) => `Die Liste ist zu lang. Höchstens ${thousands(most)} Einträge.`,
  ],
  [
    /^The list has ([\d,]+) entries\. The most is ([\d,]+); send the rest in further writes\.$/,
    (_, count, most) =>
      `Die Liste hat ${thousands(count)} Einträge. Höchstens ${thousands(most)}; speichern Sie die übrigen danach.`,
  ],
  [
    /^(.+) stands twice in the list\. Give each item once\.$/s,
    (_, value) => `${value} steht zweimal in der Liste. Geben Sie jeden Eintrag einmal an.`,
  ],
  [
    /^(.+) is not a JSON object\. Give for example (.+), as text or as an object\.$/s,
    (_, value, example) => `${value} ist kein JSON-Objekt. Geben Sie zum Beispiel ${example} an.`,
  ],
  [
    /^(.+) is not a number\. Give a number, <0\.05, >100 or ND, or leave the measurement out\.$/s,
    (_, value) =>
      `${value} ist keine Zahl. Geben Sie eine Zahl, <0.05, >100 oder ND an, oder lassen Sie den Messwert weg.`,
  ],
  [
    /^(.+) is not an object\. Give an object.*$/s,
    (_, value) => `${value} ist kein JSON-Objekt. Geben Sie zum Beispiel {"text": "…"} an.`,
  ],
  [
    /^(.+) is no user name\. Give 1 to (\d+) letters, .+$/s,
    (_, value, most) =>
      `${value} ist kein Benutzername. Geben Sie 1 bis ${most} Buchstaben, Ziffern oder . _ @ - an; am Anfang und am Ende ein Buchstabe oder eine Ziffer.`,
  ],
  [
    /^(.+) is no role\. Allowed: (.+)\.$/s,
    (_, value, roles) => `${value} ist keine Rolle. Möglich: ${roles}.`,
  ],
  [
    /^The list is too long\. Give each role once\.$/,
    'Die Liste ist zu lang. Geben Sie jede Rolle einmal an.',
  ],
  [
    /^The text cannot be read: (.+)$/s,
    (_, why) => `Der Text ist nicht lesbar (Meldung auf Englisch: ${why})`,
  ],
];

/** Choices as people read them. */
function said(word: (english: string) => string, choices = ''): string {
  return choices.split(', ').map(word).join(', ');
}

/** 10,000 is ten in German. */
function thousands(number = ''): string {
  return number.replaceAll(',', '.');
}

function comma(number = ''): string {
  return /^-?\d+\.\d+$/.test(number) ? number.replace('.', ',') : number;
}

/** A name of the contract (`Part number`, `supplier`) in the present language. */
export type Word = (english: string) => string;

/** One message of the server: what it looks like, and how it is said, where it has values with those in their order. */
export type Saying = readonly [pattern: RegExp, say: string | ((word: Word, ...values: string[]) => string)];
