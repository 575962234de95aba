import { verifyDependencies } from '../../backup/verify-dependencies.ts';
import { makePaper } from '../../print/make-paper.ts';
import { mapOf } from '../../store/changes.ts';
import { RECORDS_TABLE, verify } from '../../store/verify/verify.ts';
import { dataOf, outcomeOf } from '../caller.ts';
import { historyOf, ncr, receive, recordOf, ship, shipmentOf } from '../goods.ts';
import { rowsOf } from '../requirement.ts';

export const recordRows = rowsOf('records', [
  {
    id: 'RE-01',
    text: [
      'Goods in quarantine do not ship before quality has released them, with a reason.',
      'Ware in Quarantäne wird nicht versandt, bevor die Qualität sie mit Grund freigegeben hat.',
    ],
    check: [
      'A quarantined receipt is shipped, released by an operator, released by quality, and shipped.',
      'Ein Wareneingang in Quarantäne wird versandt, von einem Bediener freigegeben, von der Qualität freigegeben und versandt.',
    ],
    references: ['21 CFR 11.10(f)', '21 CFR 11.10(g)', 'Annex 11, 15'],
    async run({ scratch, step }) {
      const received = await receive(scratch, {}, { is_quarantined: true });
      const shipment = await shipmentOf(scratch, received, 3);
      step(
        ['Shipped from quarantine', 'Versand aus der Quarantäne'],
        '409',
        outcomeOf(await ship(scratch, shipment)),
      );
      const release = async (who: 'operator' | 'quality', reason?: string) => {
        const body = { is_quarantined: false, ...(reason && { reason }) };
        return outcomeOf(await scratch.as(who).patch(`/receiving-inspections/${received.receipt}`, body));
      };
      step(
        ['Released by an operator', 'Freigabe durch einen Bediener'],
        '403',
        await release('operator', 'Fine.'),
      );
      step(
        ['Released by quality without a reason', 'Freigabe durch die Qualität ohne Grund'],
        '422 reason',
        await release('quality'),
      );
      step(['With a reason', 'Mit Grund'], '200', await release('quality', 'Inspected.'));
      step(['Shipped', 'Versand'], '200', outcomeOf(await ship(scratch, shipment)));
    },
  },
  {
    id: 'RE-02',
    text: [
      'Expired goods do not ship; the day of expiry is the last good one.',
      'Abgelaufene Ware wird nicht versandt; der Tag des Ablaufs ist der letzte gute.',
    ],
    check: [
      'A lot that expired yesterday and one that expires today are shipped.',
      'Ein gestern abgelaufenes und ein heute ablaufendes Los werden versandt.',
    ],
    references: ['21 CFR 11.10(f)', 'Annex 11, 5', 'Annex 11, 15'],
    async run({ scratch, step }) {
      const expired = await receive(scratch, { expiry_date: scratch.day(-1) });
      step(
        ['Expired yesterday', 'Gestern abgelaufen'],
        '409',
        outcomeOf(await ship(scratch, await shipmentOf(scratch, expired, 1))),
      );
      const last = await receive(scratch, { expiry_date: scratch.day() });
      step(
        ['Expires today', 'Läuft heute ab'],
        '200',
        outcomeOf(await ship(scratch, await shipmentOf(scratch, last, 1))),
      );
    },
  },
  {
    id: 'RE-03',
    text: [
      'Stock is worked out exactly from what was received and shipped, and nobody types it.',
      'Der Bestand wird genau aus Eingang und Versand errechnet; niemand tippt ihn ein.',
    ],
    check: [
      'Decimal quantities are received and shipped; stock is read, and the whole database is verified.',
      'Dezimalmengen werden empfangen und versandt; der Bestand wird gelesen, die ganze Datenbank überprüft.',
    ],
    references: ['21 CFR 11.10(a)', 'Annex 11, 5', 'Annex 11, 6'],
    async run({ scratch, folder, step }) {
      const received = await receive(scratch, { quantity_accepted: 0.3 });
      dataOf(await ship(scratch, await shipmentOf(scratch, received, 0.1)));
      const { quantity } = dataOf(await scratch.as('operator').get(`/inventory/${received.lot}`));
      step(['0.3 less 0.1', '0,3 weniger 0,1'], 0.2, quantity);
      const over = await shipmentOf(scratch, received, 0.200001);
      step(['More than there is', 'Mehr als da ist'], '409', outcomeOf(await ship(scratch, over)));
      const { file } = scratch.copied(folder);
      const { findings } = await verify(file, verifyDependencies);
      step(
        ['What a verification finds', 'Befunde einer Überprüfung'],
        [],
        findings.map(({ what, where }) => `${what} ${where}`),
      );
    },
  },
  {
    id: 'RE-04',
    text: [
      'Nobody deletes a record: there is no way to, and its history stays.',
      'Niemand löscht einen Datensatz: Es gibt keinen Weg, und seine Historie bleibt.',
    ],
    check: [
      'An administrator tries to delete a record of each kind that was written here; each record with a history is looked for.',
      'Ein Administrator versucht, Datensätze jeder Art zu löschen; jeder Datensatz mit Historie wird gesucht.',
    ],
    references: ['21 CFR 11.10(c)', '21 CFR 11.10(e)', 'Annex 11, 7.1', 'Annex 11, 17'],
    async run({ scratch, step }) {
      const id = await ncr(scratch, 'operator');
      const received = await receive(scratch);
      const paths = [
        `/ncrs/${id}`,
        `/parts/${received.part}`,
        `/receiving-inspections/${received.receipt}`,
        `/x/users/1`,
      ];
      const answers: number[] = [];
      for (const path of paths) answers.push((await scratch.as('administrator').call('DELETE', path)).status);
      step(
        [`DELETE ${paths.length} times`, `${paths.length}-mal DELETE`],
        paths.map(() => 405),
        answers,
      );
      const gone = scratch.store.database.reader.all<{ subject: string }>(
        `WITH subjects AS (SELECT DISTINCT entry.value ->> '$.subject' AS subject FROM history,
           json_each(CASE WHEN substr(entries, 1, 1) = '{' THEN entries -> '$.entries' ELSE entries END) AS entry)
         SELECT subject FROM subjects WHERE NOT EXISTS (SELECT 1 FROM "${RECORDS_TABLE}" WHERE key = subject)`,
      );
      step(
        ['Records with a history that are gone', 'Datensätze mit Historie, die fehlen'],
        [],
        gone.map(({ subject }) => subject),
      );
    },
  },
  {
    id: 'RE-05',
    text: [
      'A request that is repeated, after a broken line or a double click, takes effect once.',
      'Eine wiederholte Anfrage, nach abgerissener Leitung oder Doppelklick, wirkt einmal.',
    ],
    check: [
      'The same report is sent twice with the same key, and once with another content.',
      'Dieselbe Meldung wird zweimal mit demselben Schlüssel gesendet und einmal mit anderem Inhalt.',
    ],
    references: ['21 CFR 11.10(a)', 'Annex 11, 5'],
    async run({ scratch, step }) {
      const headers = { 'idempotency-key': scratch.unique('key') };
      const body = { ncr_number: scratch.unique('N'), source: 'internal' };
      const send = (sent: object) => scratch.as('operator').call('POST', '/ncrs', { body: sent, headers });
      const [first, second] = [await send(body), await send(body)];
      step(['The second answer is the first', 'Die zweite Antwort ist die erste'], first.text, second.text);
      const found = dataOf<{ ncr_number: string }[]>(await scratch.as('operator').get('/ncrs?per_page=500'));
      step(
        ['Reports with that number', 'Meldungen mit dieser Nummer'],
        1,
        found.filter(one => one.ncr_number === body.ncr_number).length,
      );
      step(['Another content', 'Anderer Inhalt'], 422, (await send({ ...body, source: 'supplier' })).status);
    },
  },
  {
    id: 'RE-06',
    text: [
      'Two people who change the same record do not overwrite each other unseen.',
      'Zwei Personen, die denselben Datensatz ändern, überschreiben einander nicht ungesehen.',
    ],
    check: [
      'Two people read a report and change it, each over what they read.',
      'Zwei Personen lesen eine Meldung und ändern sie, jede auf Grundlage des Gelesenen.',
    ],
    references: ['21 CFR 11.10(a)', '21 CFR 11.10(f)', 'Annex 11, 5'],
    async run({ scratch, step }) {
      const id = await ncr(scratch, 'operator');
      const etag = (await scratch.as('quality').get(`/ncrs/${id}`)).headers.get('etag') ?? '';
      const change = async (who: 'quality' | 'second', lot_number: string) =>
        outcomeOf(
          await scratch.as(who).call('PATCH', `/ncrs/${id}`, {
            body: { lot_number, reason: 'Read.' },
            headers: { 'if-match': etag },
          }),
        );
      step(['The first', 'Die erste'], '200', await change('quality', 'L-1'));
      step(['The second', 'Die zweite'], '412', await change('second', 'L-2'));
    },
  },
  {
    id: 'RE-07',
    text: [
      'Records can be taken out whole and exactly, as files for programs.',
      'Datensätze lassen sich vollständig und genau als Dateien für Programme entnehmen.',
    ],
    check: [
      'All parts are exported as CSV and JSON Lines and compared with what is stored.',
      'Alle Teile werden als CSV und JSON Lines exportiert und mit dem Gespeicherten verglichen.',
    ],
    references: ['21 CFR 11.10(b)', '21 CFR 11.10(c)', 'Annex 11, 8.1', 'Annex 11, 17'],
    async run({ scratch, step }) {
      await receive(scratch);
      const stored = [...scratch.store.records.all('part')];
      const quality = scratch.as('quality');
      const csv = (await quality.get('/x/exports/part?format=csv')).text.trim().split('\r\n');
      step(['Lines of the CSV, with its head', 'Zeilen der CSV mit Kopf'], stored.length + 1, csv.length);
      const lines = (await quality.get('/x/exports/part?format=json')).text.trim().split('\n');
      const names = lines.map(line =>
        String(
          mapOf(JSON.parse(line)).identification ?? mapOf(mapOf(JSON.parse(line)).fields).identification,
        ),
      );
      step(
        ['Parts in the JSON', 'Teile im JSON'],
        stored.map(({ fields }) => String(fields.identification)).sort(),
        names.sort(),
      );
    },
  },
  {
    id: 'RE-08',
    text: [
      'Paper shows what of a record was changed since it was entered: the former value, who, when and why.',
      'Papier zeigt, was an einem Datensatz seit der Eingabe geändert wurde: früherer Wert, wer, wann, warum.',
    ],
    check: [
      'The lot number of a report is corrected; its paper is made, and laid out as PDF.',
      'Die Losnummer einer Meldung wird berichtigt; ihr Papier wird erstellt und als PDF gesetzt.',
    ],
    references: ['21 CFR 11.10(b)', '21 CFR 11.10(e)', 'Annex 11, 8.2'],
    async run({ scratch, step }) {
      const former = scratch.unique('FORMER');
      const id = await ncr(scratch, 'operator', { lot_number: former });
      dataOf(
        await scratch.as('quality').patch(`/ncrs/${id}`, { lot_number: 'L-2', reason: 'Misread the label.' }),
      );
      const { records, database } = scratch.store;
      const record = records.get('ncr', id);
      if (!record) throw new Error('The report is gone.');
      const reading = { records, sql: database.reader, now: scratch.now().toISOString() };
      const paper = makePaper(reading, { document: 'ncr', record, language: 'en', user: 'validation' });
      const text = JSON.stringify(paper.blocks);
      const told = [former, 'Misread the label.', scratch.loginOf('quality')];
      step(
        ['Former value, reason and author', 'Früherer Wert, Grund und Urheber'],
        told,
        told.filter(one => text.includes(one)),
      );
      const printed = await scratch.as('quality').get(`/x/paper/ncr/${id}`);
      step(['The PDF', 'Das PDF'], '%PDF', printed.text.slice(0, 4));
    },
  },
  {
    id: 'RE-09',
    text: [
      'Any record can be shown as it was at an earlier moment.',
      'Jeder Datensatz lässt sich so zeigen, wie er zu einem früheren Zeitpunkt war.',
    ],
    check: [
      'A report is changed a day after it was written, and read as of then.',
      'Eine Meldung wird einen Tag nach dem Schreiben geändert und mit damaligem Stand gelesen.',
    ],
    references: ['21 CFR 11.10(b)', '21 CFR 11.10(c)', '21 CFR 11.10(e)', 'Annex 11, 7.1', 'Annex 11, 17'],
    async run({ scratch, step }) {
      const id = await ncr(scratch, 'operator', { lot_number: 'L-1' });
      scratch.pass(1);
      const then = scratch.now().toISOString();
      scratch.pass(1);
      dataOf(await scratch.as('quality').patch(`/ncrs/${id}`, { lot_number: 'L-2', reason: 'Misread.' }));
      const answer = await scratch
        .as('quality')
        .get(`/x/records/ncr/${id}?as_of=${encodeURIComponent(then)}`);
      const was = dataOf<{ fields: { lot_number?: string } }>(answer).fields;
      step(['The lot number then', 'Die Losnummer damals'], 'L-1', was.lot_number);
      step(
        ['The lot number now', 'Die Losnummer jetzt'],
        'L-2',
        (await recordOf(scratch, 'ncr', id)).lot_number,
      );
      step(
        ['Versions in history', 'Fassungen in der Historie'],
        2,
        (await historyOf(scratch, 'ncr', id)).length,
      );
    },
  },
]);
