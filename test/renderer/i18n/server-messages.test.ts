import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { texts } from '../../../renderer/i18n/families/texts.ts';
import { serverMessage } from '../../../renderer/i18n/server-messages.ts';
import { type BackupFacts, backupHints, backupWarnings } from '../../../server/backup/backup-words.ts';
import { goneSays, said } from '../../../server/backup/deliver.ts';
import { FORMER_CENTRAL, NOT_ENCRYPTED } from '../../../server/backup/send-backups.ts';
import { KEEPS_NONE, NO_ROOM } from '../../../server/backup/station-backups.ts';
import { conditionsIn, orderIn } from '../../../server/http/list-query.ts';
import { Query } from '../../../server/http/request-context.ts';
import { fingerprintOfKey } from '../../../server/keys/ed25519.ts';
import { HELD_LIMIT, quotasOf, StationQuotas } from '../../../server/sync/central/station-quotas.ts';
import { saysCentralKey, saysOwnKey } from '../../../server/trust/authority-standing.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { AppError, type FieldErrors } from '../../../shared/contract/errors.ts';
import { type Described, parseInput } from '../../../shared/contract/parse-input.ts';
import { families } from '../../../shared/families/registry.ts';
import { listQueryOf } from '../../../shared/operations/list-query.ts';

const OTHER_KEY = {
  ...{ installation: 'c', former: 'A'.repeat(43), key: 'B'.repeat(43) },
  ...{ until: 7, since: '2026-06-30T12:00:00.000Z' },
};

const german = (message: string) => serverMessage(message, 'de', english => texts.de[english] ?? english);

/** Values that each kind of field refuses in its own way. */
const faults: unknown[] = [
  {},
  [],
  'x'.repeat(10_001),
  'nothing of the kind',
  '2026-13-45',
  -5,
  1.5,
  0.123456789,
  1e15,
  true,
  ['a', 5],
  Array.from({ length: 1_001 }, () => 'a'),
  '{"pH": [1]}',
  '{"pH"',
];

/** What stands in a longer sentence only, or is said to programs. */
const PARTS = new Set([
  'This file cannot be read in. 7 Nothing of it was taken.',
  'Make that machine a station of its own: a new code, and there "holdpoint enrol ADDRESS CODE --separate".',
  'Say at Stations, or by "holdpoint station choose", which one goes on. Then write a new file there.',
  'What stood before it was taken.',
  'All of it is here.',
  'Send the file as Content-Type: application/octet-stream, without Content-Encoding.',
  'Say which station the file is for: its id, as the list of stations has it.',
  'This installation is a station: its files are for its central. Leave "station" out.',
]);

/** Whole sentences in a source, with a figure or a name in each gap. */
function sentencesOf(file: string): string[] {
  const source = readFileSync(new URL(`../../../server/${file}`, import.meta.url), 'utf8');
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)+\.)'|`([^`\n]+\.)`/g)]
    .map(([, plain, gaps]) => (plain?.replaceAll("\\'", "'") ?? gaps ?? '').replaceAll(/\$\{[^}]+\}/g, '7'))
    .filter(text => /^[A-Z].* /.test(text));
}

describe('messages of the server in German', () => {
  it('says all that lists refuse', () => {
    const faults: FieldErrors = {};
    const asked = [
      'sort=colour,name,name,density,,&filter[colour]=red&filter[density]=1&filter[name][near]=x&filter[name]=',
      `sort=,&filter[id][in]=${Array.from({ length: 101 }, () => 1).join()}&filter[supplier_id]=x&filter[created_at]=x`,
      Array.from({ length: 40 }, (_, n) => `filter[name][f${n}]=x`).join('&'),
    ];
    for (const query of asked.map(
      text => new Query(`/parts?${text}`, { query: listQueryOf(families.part, []) }),
    )) {
      orderIn(families.part, query, faults);
      conditionsIn(families.part, { query, zone: () => 'UTC', faults });
      for (const message of Object.values(faults).flat())
        expect(german(message)).not.toContain('auf Englisch');
    }
    expect(Object.keys(faults).length).toBeGreaterThan(6);
  });

  it.each([
    ['sync/protocol/sealed-file.ts', 4],
    ['sync/central/central-carry.ts', 6],
    ['sync/station/station-carry.ts', 5],
    ['sync/station/receive-carried.ts', 3],
    ['http/handlers/carry.ts', 5],
  ])('says all that %s says of a carried file', (file, least) => {
    const sentences = sentencesOf(file);
    expect(sentences.length).toBeGreaterThanOrEqual(least);
    const isGerman = (message: string) => !/auf Englisch|nicht gelesen werden kann/.test(german(message));
    const english = sentences.filter(
      sentence =>
        !PARTS.has(sentence) &&
        !isGerman(sentence) &&
        !isGerman(`This file cannot be read in. ${sentence} Nothing of it was taken.`),
    );
    expect(english).toEqual([]);
  });

  it('says which share of central a station has used up', () => {
    const quotas = quotasOf(16).map(quota => new StationQuotas([quota], HELD_LIMIT, () => 0));
    const said = (use: () => void) => {
      try {
        use();
      } catch (error) {
        // As a station's page has it, with what its station adds.
        return german(`${error instanceof AppError ? error.message : ''} Work here goes on.`);
      }
      throw new Error('There was enough left.');
    };
    const use = { messages: 1e12, commits: 1e12, bytes: 1e12, blocks: 1e12, hashes: 1e12 };
    expect(
      quotas.map(each => {
        each.take(1, use);
        return said(() => each.take(1, use));
      }),
    ).toEqual([
      'Die Zentrale nimmt von einer Station 3.000 Nachrichten in der Minute an, und diese hat so viel gesendet.',
      'Die Zentrale nimmt von einer Station 120.000 Änderungen in der Minute an, und diese hat so viel gesendet.',
      'Die Zentrale nimmt von einer Station 256 MB in der Minute an, und diese hat so viel gesendet.',
      'Die Zentrale nimmt von einer Station 16 MB am Tag an, und diese hat so viel gesendet.',
      'Die Zentrale nimmt von einer Station 16 Nummernblöcke am Tag an, und diese hat so viel gesendet.',
      'Die Zentrale rechnet für eine Station die Prüfsummen von 1.000.000 Datensätzen in der Minute aus, und diese hat so viele verlangt. Vergleichen Sie gleich noch einmal.',
    ]);
    expect(said(() => quotas[0]?.checkHeld(1, { commits: 5_000, size: 1 }))).toBe(
      '5.000 Änderungen dieser Station warten in der Zentrale auf eine Entscheidung. Sie nimmt weitere an, sobald über einige entschieden ist.',
    );
  });

  it('says every fault of a field that the contract can find', () => {
    const messages = Object.values<Family>(families).flatMap(family =>
      [...described(family)].flatMap(each => [
        ...messagesOf(each, {}),
        ...faults.flatMap(fault =>
          Object.keys(each.fields).flatMap(name => messagesOf(each, { [name]: fault })),
        ),
        ...Object.keys(each.collections).flatMap(name => [
          ...messagesOf(each, { [name]: 'no list' }),
          ...messagesOf(each, { [name]: [{ id: 1 }, { id: 1 }] }),
          ...messagesOf(each, { [name]: Array.from({ length: 1_001 }, () => ({})) }),
        ]),
      ]),
    );
    const unknown = new Set(messages.filter(message => german(message).startsWith('Meldung des Servers')));
    expect(new Set(messages).size).toBeGreaterThan(100);
    expect([...unknown]).toEqual([]);
  });

  it.each([
    [
      'The login or the password is wrong, or you have never signed in at this station: the first time needs central, which is not in reach now. Try again once the exchange works. An administrator of central can assign you to this station before.',
      'Benutzername oder Passwort ist falsch, oder Sie haben sich an dieser Station noch nie angemeldet: Das erste Mal braucht die Zentrale, und die ist gerade nicht erreichbar. Versuchen Sie es, sobald der Abgleich wieder läuft. Ein Administrator der Zentrale kann Sie dieser Station auch vorher zuordnen.',
    ],
    [
      'The serial number "7" stands in this receipt already, and a piece is received once. Leave it out.',
      'Die Seriennummer „7“ steht schon in diesem Wareneingang, und ein Stück wird einmal angenommen. Lassen Sie sie weg.',
    ],
    [
      'The pallet 340123450000000000 with goods of this lot stands in this receipt already, and is received once. Correct that line, or leave this one out.',
      'Die Palette 340123450000000000 mit Ware dieses Loses steht schon in diesem Wareneingang und wird einmal angenommen. Berichtigen Sie jene Zeile, oder lassen Sie diese weg.',
    ],
    ['NCR number is missing. Give a value.', 'Nummer des Abweichungsberichts fehlt. Geben Sie etwas an.'],
    [
      '"ten" is not a number. Give a number such as 2.5.',
      '"ten" ist keine Zahl. Geben Sie eine Zahl wie 2,5 an.',
    ],
    [
      'The text is too long. The most is 10,000 characters.',
      'Der Text ist zu lang. Höchstens 10.000 Zeichen.',
    ],
    [
      'There is no non-conformance report with the id 7.',
      'Es gibt keinen Datensatz „Abweichungsbericht“ mit der Id 7.',
    ],
    [
      'Item 4 (Hex bolt, lot L-7) is short of 20 units. Not usable: lot L-7 is locked: a person locked it; lot L-8 expired on 2026-01-31; lot L-9 was received on 2026-02-01, after 2026-01-31. Lower the quantity, or receive or release stock first.',
      'Position 4 (Hex bolt, Los L-7): Es fehlen 20 units. Nicht verwendbar: Los L-7 ist gesperrt: es wurde von Hand gesperrt; Los L-8 ist am 2026-01-31 abgelaufen; Los L-9 kam am 2026-02-01, nach dem 2026-01-31. Verringern Sie die Menge, oder nehmen Sie erst Ware an oder geben Sie welche frei.',
    ],
    [
      'This needs the role quality. Yours: viewer, operator. Ask an administrator.',
      'Dafür ist die Rolle Qualität nötig. Sie haben: Betrachter, Werker. Fragen Sie einen Administrator.',
    ],
    [
      'To change receipts needs the role operator. Yours: viewer. Ask somebody who has it.',
      'Wareneingänge ändern: Dafür ist die Rolle Werker nötig. Sie haben: Betrachter. Fragen Sie jemanden, der sie hat.',
    ],
    [
      'Quarantined, from yes: needs the role quality. Yours: operator. Ask somebody who has it.',
      'In Quarantäne (von ja auf etwas anderes): Dafür ist die Rolle Qualität nötig. Sie haben: Werker. Fragen Sie jemanden, der sie hat.',
    ],
    [
      'To change moves is for nobody: the server does it by itself.',
      'Umlagerungen ändern: Das darf niemand; der Server tut es von selbst.',
    ],
    [
      'What was saved changes with a reason only (Expiry date, Value). Give it as "reason"; it is kept in history.',
      'Was gespeichert war, ändert sich nur mit einem Grund (Verfallsdatum, Messwert). Geben Sie ihn an; er bleibt in der Historie.',
    ],
    [
      'The closing of a report needs a second person, who signs the record as another left it. Leave description out, or save that first and ask somebody else to sign.',
      'Das braucht eine zweite Person; sie unterschreibt, was jemand anderes hinterlassen hat. Lassen Sie weg, was sich noch ändert (description), oder speichern Sie das zuerst und bitten jemand anderen um die Unterschrift.',
    ],
    [
      'The closing of a report needs a second person: another than its last author, who is you. Ask somebody else who may.',
      'Das braucht eine zweite Person: eine andere als die, die es zuletzt geändert hat. Das sind Sie. Bitten Sie jemand anderen, der es darf.',
    ],
    [
      'What failed is taken back by another person than the one who measured. Ask somebody else with the role quality.',
      'Was nicht bestanden war, nimmt jemand anderes zurück als die Person, die gemessen hat. Fragen Sie jemand anderen mit der Rolle Qualität.',
    ],
    [
      'A disposition, and what it is about, needs the role quality. Ask somebody who has it.',
      'Eine Verwendungsentscheidung, und worum es in ihr geht, ändert nur die Rolle Qualität. Fragen Sie jemanden, der sie hat.',
    ],
    [
      'lot L-7 was received on 2026-02-01. Give no earlier date, or clear it first.',
      'Los L-7 kam am 2026-02-01. Geben Sie keinen früheren Tag an, oder löschen Sie ihn erst.',
    ],
    [
      'lot L-7 of this part is locked (lot record 5): a person locked it. Settle that first; what is left of the lot is adjusted there.',
      'Los L-7 dieses Teils ist gesperrt (Datensatz 5): es wurde von Hand gesperrt. Klären Sie das zuerst; was vom Los noch da ist, wird dort berichtigt.',
    ],
    [
      'This installation has records of its own, and the code is for a fresh one. Ask central for a code with which it may bring them along.',
      'Diese Installation hat eigene Datensätze, und der Code ist für eine neue. Bitten Sie die Zentrale um einen Code, mit dem sie sie mitbringen darf.',
    ],
    [
      'Whoever changed it does not accept it. Ask somebody else with the role quality.',
      'Wer es geändert hat, erkennt es nicht an. Fragen Sie jemand anderen mit der Rolle Qualität.',
    ],
    [
      'The correction waits for nobody. Read it again.',
      'Die Korrektur wartet auf niemanden mehr. Lesen Sie sie neu.',
    ],
    [
      'A person with the role quality accepts a correction. Sign in as one.',
      'Eine Korrektur erkennt eine Person mit der Rolle Qualität an. Melden Sie sich als solche an.',
    ],
    [
      'A person with the role quality issues and withdraws certificates. Sign in as one.',
      'Zertifikate stellt eine Person mit der Rolle Qualität aus und zieht sie zurück. Melden Sie sich als solche an.',
    ],
    [
      'The certificate is withdrawn already. Read it again.',
      'Das Zertifikat ist schon zurückgezogen. Lesen Sie es neu.',
    ],
    [
      'The certificate COA-0-000001 is not printed: what is kept of it does not match its digest any more. Have this installation verified (holdpoint verify), and issue another one.',
      'Das Zertifikat COA-0-000001 wird nicht gedruckt: Was davon aufbewahrt ist, passt nicht mehr zu seinem Prüfwert. Lassen Sie diese Installation prüfen (holdpoint verify), und stellen Sie ein neues aus.',
    ],
    [
      'The lot L-7 gets no certificate while it is locked: a person locked it (inventory:7).',
      'Das Los L-7 bekommt kein Zertifikat, solange es gesperrt ist: es wurde von Hand gesperrt.',
    ],
    [
      'The lot L-7 gets no certificate: in the lab result 5, Lead, pH lies outside its limits.',
      'Das Los L-7 bekommt kein Zertifikat: Im Laborergebnis 5 liegt außerhalb der Grenzen: Lead, pH.',
    ],
    [
      'The lot L-7 gets no certificate: it has no lab result. Record one first.',
      'Das Los L-7 bekommt kein Zertifikat: Es hat kein Laborergebnis. Erfassen Sie zuerst eines.',
    ],
    [
      saysOwnKey({ ...OTHER_KEY, certifiers: [] }),
      `Diese Installation unterschreibt mit einem anderen Schlüssel als bisher: SHA-256 ${fingerprintOfKey(OTHER_KEY.key)} anstelle von ${fingerprintOfKey(OTHER_KEY.former)}. Legen Sie die frühere authority.key zurück, oder lassen Sie den neuen von zwei Administratoren beglaubigen: holdpoint authority certify. Beglaubigt von 0 der 2 Nötigen.`,
    ],
    [
      saysCentralKey({ ...OTHER_KEY, certifiers: ['ada'] }),
      `Die Zentrale unterschreibt mit einem anderen Schlüssel als bisher: SHA-256 ${fingerprintOfKey(OTHER_KEY.key)} anstelle von ${fingerprintOfKey(OTHER_KEY.former)}. Entweder ging dort authority.key verloren und zwei Administratoren haben den neuen noch nicht beglaubigt, oder jemand anderes antwortet an ihrer Stelle. Fragen Sie dort nach. Beglaubigt von 1 der 2 Nötigen (ada).`,
    ],
  ])('says "%s"', (english, expected) => {
    expect(german(english)).toBe(expected);
  });

  it.each([
    [
      'lot L1 is locked: an inspection of it failed. Put it apart (Cage), or give the reason why it goes to A-1.',
      'Los L1 ist gesperrt: eine Prüfung ist nicht bestanden. Legen Sie es getrennt (Cage), oder geben Sie an, warum es nach A-1 kommt.',
    ],
    [
      'The books changed after it was counted: lot A (10 then, 8 now), lot record 7 (1 then, 0 now). Withdraw the count and count again, or give the reason why the difference still stands.',
      'Die Bücher haben sich seit der Zählung geändert: Los A (damals 10, jetzt 8), Losdatensatz 7 (damals 1, jetzt 0). Ziehen Sie die Zählung zurück und zählen Sie neu, oder geben Sie an, warum die Abweichung trotzdem gilt.',
    ],
    [
      'More than 1000000000 of lot A stands there, which no count can say. Move some of it to another place first.',
      'Dort steht mehr als 1000000000 von Los A, mehr als eine Zählung angeben kann. Bringen Sie zuerst einen Teil an einen anderen Platz.',
    ],
    [
      'What was counted in A-1 is not posted yet (count A-1 / 1). Post that count, or withdraw it.',
      'Was in A-1 gezählt wurde, ist noch nicht gebucht (Zählung A-1 / 1). Buchen Sie diese Zählung, oder ziehen Sie sie zurück.',
    ],
  ])('says of goods and places: %s', (message, said) => expect(german(message)).toBe(said));

  it('shows what it does not know as it came, and says so', () => {
    expect(german('The moon is too close.')).toBe(
      'Meldung des Servers, auf Englisch: The moon is too close.',
    );
  });

  it('leaves English alone', () => {
    expect(serverMessage('"a" is not a list. Give a list of texts.', 'en', word => word)).toBe(
      '"a" is not a list. Give a list of texts.',
    );
  });

  it('says how backups stand, and names what it cannot say', () => {
    expect(german('There is no backup yet.')).toBe('Es gibt noch keine Sicherung.');
    expect(german('The last backup is of 2026-11-20.')).toBe('Die letzte Sicherung ist vom 2026-11-20.');
    const facts: BackupFacts = {
      data: '/data',
      folder: '/data/backups',
      seen: { at: 0, look: { backups: [], free: 5 }, fault: goneSays('/mnt/a b') },
      newest: 9,
      failure: null,
      practised: {
        at: '2026-11-24T00:00:00.000Z',
        file: '/b',
        records: 0,
        commits: 0,
        seconds: 1,
        fault:
          '/b was cut or altered since it was encrypted (invalid tag). Nothing of it is used. Give another backup.',
      },
      recipient: 'age1qqqqqqqqqqqq',
      isKeyKnown: false,
      isPlainMeant: false,
      sendingFault: null,
      practiceDue: new Date(0),
      now: new Date(1),
    };
    const system = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' });
    const failures = ['EACCES', 'EROFS', 'ENOTDIR', 'ENOENT', 'EIO', 'ESTALE', 'ENODEV', 'ENOSPC'].flatMap(
      code => {
        const error = said('/mnt/b', system(code));
        const message = error instanceof Error ? error.message : '';
        return [
          message,
          `The last backup failed: ${message}`,
          `${message} The backup stands in the data folder instead: /b.db`,
        ];
      },
    );
    const gone = goneSays('/mnt/b');
    const messages = [
      ...backupWarnings(facts),
      ...backupWarnings({ ...facts, folder: '/mnt/b', seen: { at: 0, look: { backups: [], free: 5 } } }),
      ...backupHints({ ...facts, recipient: null }),
      ...backupHints({ ...facts, practised: undefined }),
      ...[NOT_ENCRYPTED, FORMER_CENTRAL].flatMap(sendingFault => backupWarnings({ ...facts, sendingFault })),
      ...[
        KEEPS_NONE,
        NO_ROOM,
        'Central keeps 0.5 GB of backups of one station, and this backup has 2.1 GB. Set HOLDPOINT_STATION_BACKUPS_GB at central.',
        'The backup that arrived is not the one that was sent. It is sent again.',
      ].map(message => `Central takes no backup of this station: ${message}`),
      ...failures,
      `The last backup failed: ${gone}`,
      `${gone} The backup stands in the data folder instead: /data/backups/b.db`,
    ];
    expect(messages.length).toBeGreaterThan(30);
    expect(messages.filter(message => /auf Englisch/.test(german(message)))).toEqual([]);
    expect(german(`${gone} The backup stands in the data folder instead: /data/b.db`)).toMatch(
      /--to "\/mnt\/b" Die Sicherung steht stattdessen im Datenordner: \/data\/b\.db$/,
    );
  });
});

function* described(each: Described): Generator<Described> {
  yield each;
  for (const inner of Object.values(each.collections)) yield* described(inner);
}

function messagesOf(each: Described, body: unknown): string[] {
  try {
    parseInput(each, body, { mode: 'create' });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.values(error.errors ?? {}).flat();
  }
}
