import type { Language } from '../../../shared/operations/paper-operations.ts';
import { proofOf } from '../../keys/signature-proof.ts';
import { makePaper } from '../../print/make-paper.ts';
import { dataOf, outcomeOf } from '../caller.ts';
import { eventsOf } from '../events.ts';
import { historyOf, ncr, recordOf } from '../goods.ts';
import { importOf } from '../importing.ts';
import { rowsOf } from '../requirement.ts';
import type { ScratchStation, Who } from '../scratch-station.ts';

interface Shown {
  user_name: string;
  at: string;
  meaning: string;
  reason: string | null;
  version: number;
  proof: string;
  is_superseded: boolean;
}

const REASON = 'Looked at and agreed.';

export const signatureRows = rowsOf('signatures', [
  {
    id: 'ES-01',
    text: [
      'Who signs gives the own password again, in the moment of signing.',
      'Wer unterschreibt, gibt im Augenblick der Unterschrift das eigene Passwort erneut ein.',
    ],
    check: [
      'A signed-in person closes a report without a password, with another person’s, and with the own one.',
      'Eine angemeldete Person schließt eine Meldung ohne Passwort, mit dem einer anderen und mit dem eigenen.',
    ],
    references: ['21 CFR 11.200(a)(1)', '21 CFR 11.200(a)(2)', '21 CFR 11.100(a)', 'Annex 11, 14(a)'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const id = await ncr(scratch, 'operator');
        const close = async (password?: string) =>
          outcomeOf(await scratch.as('quality').patch(`/ncrs/${id}`, closing(password)));
        step(['Without a password', 'Ohne Passwort'], '422 esignature_password', await close());
        const foreign = scratch.passwordOf('second');
        step(
          ['With another person’s', 'Mit dem einer anderen'],
          '422 esignature_password',
          await close(foreign),
        );
        step(['With the own one', 'Mit dem eigenen'], '200', await close(scratch.passwordOf('quality')));
      });
    },
  },
  {
    id: 'ES-02',
    text: [
      'A signature shows the name of the signer, date and time, and what it means, on the screen and on paper.',
      'Eine Unterschrift zeigt den Namen, Datum und Uhrzeit und ihre Bedeutung, am Bildschirm und auf Papier.',
    ],
    check: [
      'A report is closed and signed; its signatures are read and its paper is made, in both languages.',
      'Eine Meldung wird geschlossen und unterschrieben; ihre Unterschriften werden gelesen, das Papier in beiden Sprachen erstellt.',
    ],
    references: ['21 CFR 11.50(a)', '21 CFR 11.50(b)', 'Annex 11, 14(c)', 'Annex 11, 8.1'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const id = await signedReport(scratch);
        const [signature] = await signaturesOf(scratch, id);
        const name = scratch.nameOf('quality');
        step(
          ['Name, meaning and reason', 'Name, Bedeutung und Grund'],
          [name, 'closing', REASON],
          [signature?.user_name, signature?.meaning, signature?.reason],
        );
        const apart = Math.abs(scratch.now().getTime() - Date.parse(signature?.at ?? ''));
        step(['Its time is the machine’s', 'Ihre Zeit ist die des Rechners'], true, apart < 60_000);
        for (const language of ['en', 'de'] as const) {
          const paper = paperOf(scratch, id, language);
          const meaning = language === 'en' ? 'closing' : 'Abschluss';
          step(
            [`On paper (${language}): name`, `Auf Papier (${language}): Name`],
            true,
            paper.includes(name),
          );
          step(
            [`On paper (${language}): meaning`, `Auf Papier (${language}): Bedeutung`],
            true,
            paper.toLowerCase().includes(meaning.toLowerCase()),
          );
        }
      });
    },
  },
  {
    id: 'ES-03',
    text: [
      'A signature belongs to one version: what is changed later is not signed by it, nor if the former values return.',
      'Eine Unterschrift gehört zu einer Fassung: Was später geändert wird, deckt sie nicht, auch wenn die alten Werte wiederkehren.',
    ],
    check: [
      'A signed report is changed, and changed back.',
      'Eine unterschriebene Meldung wird geändert und zurückgeändert.',
    ],
    references: ['21 CFR 11.70', 'Annex 11, 14(b)'],
    async run({ scratch, step }) {
      let id = 0;
      await underPolicy(scratch, async () => {
        id = await signedReport(scratch);
      });
      const isValid = async () => (await signaturesOf(scratch, id))[0]?.is_superseded === false;
      step(['It holds for what was signed', 'Sie gilt für das Unterschriebene'], true, await isValid());
      const quality = scratch.as('quality');
      dataOf(await quality.patch(`/ncrs/${id}`, { lot_number: 'L-9', reason: 'Misread.' }));
      step(['It holds after a change', 'Sie gilt nach einer Änderung'], false, await isValid());
      dataOf(await quality.patch(`/ncrs/${id}`, { lot_number: 'L-1', reason: 'Misread.' }));
      step(
        ['It holds once the values are back', 'Sie gilt, wenn die Werte zurück sind'],
        false,
        await isValid(),
      );
    },
  },
  {
    id: 'ES-04',
    text: [
      'A signature is made with the signer’s own key over exactly what was signed, and cannot be put on something else.',
      'Eine Unterschrift entsteht mit dem eigenen Schlüssel über genau das Unterschriebene und lässt sich nicht auf anderes übertragen.',
    ],
    check: [
      'The key and the text of a signature are checked, then with another meaning and another version put in.',
      'Schlüssel und Text einer Unterschrift werden geprüft, dann mit anderer Bedeutung und anderer Fassung.',
    ],
    references: ['21 CFR 11.70', '21 CFR 11.100(a)', '21 CFR 11.200(a)(3)', 'Annex 11, 14(b)'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const id = await signedReport(scratch);
        const [signature] = await signaturesOf(scratch, id);
        step(['By the interface', 'Nach der Schnittstelle'], 'proved', signature?.proof);
        const [stored] = scratch.store.records.findBy('signature', 'subject', `ncr:${id}`);
        const fields = stored?.fields ?? {};
        const forged = { ...fields, meaning: 'release' };
        const text = String(fields.signed).replace('"closing"', '"release"');
        step(['With another meaning', 'Mit anderer Bedeutung'], 'broken', proofOf(forged));
        step(
          ['With that meaning in the text, too', 'Mit dieser Bedeutung auch im Text'],
          'broken',
          proofOf({ ...forged, signed: text }),
        );
        step(['Of another version', 'Zu anderer Fassung'], 'broken', proofOf({ ...fields, version: 99 }));
      });
    },
  },
  {
    id: 'ES-05',
    text: [
      'No door leads around a signature: programs, imports and bulk writes do nothing that is to be signed.',
      'Kein Weg führt an der Unterschrift vorbei: Programme, Importe und Sammeländerungen tun nichts, was zu unterschreiben ist.',
    ],
    check: [
      'An administrator’s token closes a report, creates a closed one and imports one.',
      'Ein Administrator-Token schließt eine Meldung, legt eine geschlossene an und importiert eine.',
    ],
    references: ['21 CFR 11.10(g)', '21 CFR 11.200(a)(2)', 'Annex 11, 14(a)'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const id = await ncr(scratch, 'operator');
        const program = scratch.program();
        const password = scratch.passwordOf('quality');
        const closed = await program.patch(`/ncrs/${id}`, closing(password));
        step(
          ['Closes, with a person’s password', 'Schließt, mit dem Passwort einer Person'],
          '422 esignature_password',
          outcomeOf(closed),
        );
        const number = scratch.unique('N');
        const made = { ncr_number: number, source: 'internal', ...closing(password) };
        step(
          ['Creates a closed one', 'Legt eine geschlossene an'],
          '422 esignature_password',
          outcomeOf(await program.post('/ncrs', made)),
        );
        const file = `ncr_number,source,status\n${number},internal,closed\n`;
        const job = await importOf(scratch, {
          family: 'ncr',
          file,
          key: ['ncr_number'],
          fields: { ncr_number: 'ncr_number', source: 'source', status: 'status' },
        });
        step(['Imports a closed one', 'Importiert eine geschlossene'], ['failed', 1], [job.state, job.bad]);
        step(
          ['The report is open', 'Die Meldung ist offen'],
          'open',
          (await recordOf(scratch, 'ncr', id)).status,
        );
      });
    },
  },
  {
    id: 'ES-06',
    text: [
      'Where a second person has to sign, nobody signs the own work.',
      'Wo eine zweite Person unterschreiben muss, unterschreibt niemand die eigene Arbeit.',
    ],
    check: [
      'A template is approved by its author, then by another person.',
      'Eine Prüfvorlage wird von ihrem Verfasser freigegeben, dann von einer anderen Person.',
    ],
    references: ['21 CFR 11.10(f)', '21 CFR 11.10(g)', '21 CFR 11.200(a)(3)', 'Annex 11, 6'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const id = await scratch.as('quality').made('/x/specifications', {
          name: scratch.unique('Template'),
          characteristics: [{ name: 'Height', dimensions: '10', tolerance: '±1' }],
        });
        const approve = async (who: Who) => {
          const signing = { esignature_password: scratch.passwordOf(who), esignature_reason: REASON };
          return outcomeOf(
            await scratch.as(who).patch(`/x/specifications/${id}`, { is_approved: true, ...signing }),
          );
        };
        step(['By its author', 'Durch den Verfasser'], '403', await approve('quality'));
        step(['By another person', 'Durch eine andere Person'], '200', await approve('second'));
      });
    },
  },
  {
    id: 'ES-07',
    text: [
      'Trying out passwords by signing ends soon, and is seen in the audit trail.',
      'Das Probieren von Passwörtern beim Unterschreiben endet bald und steht im Audit-Trail.',
    ],
    check: [
      'A person signs with wrong passwords again and again.',
      'Eine Person unterschreibt immer wieder mit falschem Passwort.',
    ],
    references: ['21 CFR 11.300(d)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const from = scratch.now().toISOString();
        const { login, password } = await scratch.person(['quality']);
        const caller = await scratch.signedIn(login, password);
        const id = await ncr(scratch, 'operator');
        const tries: number[] = [];
        while (tries.length < MOST_TRIES && tries.at(-1) !== 429)
          tries.push((await caller.patch(`/ncrs/${id}`, closing('not the password'))).status);
        step(['It ended', 'Es endete'], 429, tries.at(-1));
        // Each wrong one makes the next wait longer; the tenth closes it for long.
        for (let wrong = 0; wrong < 8; wrong += 1) {
          scratch.pass(1.1);
          await caller.patch(`/ncrs/${id}`, closing('not the password'));
        }
        const right = await caller.patch(`/ncrs/${id}`, closing(password));
        step(['The right password then', 'Danach das richtige Passwort'], 429, right.status);
        const events = await scratch.soon(
          () => eventsOf(scratch, { kind: 'locked_out', from }),
          found => found.length > 0,
        );
        step(
          ['In the audit trail', 'Im Audit-Trail'],
          [login],
          events.map(({ author }) => author),
        );
      });
    },
  },
  {
    id: 'ES-08',
    text: [
      'What has to be signed is set by a signed act with a reason: nobody switches signatures off unsigned.',
      'Was zu unterschreiben ist, wird durch eine begründete Unterschrift festgelegt: Niemand schaltet Unterschriften ohne Unterschrift ab.',
    ],
    check: [
      'The policy is switched off without a signature, by a program, and with a signature.',
      'Die Regel wird ohne Unterschrift, durch ein Programm und mit Unterschrift abgeschaltet.',
    ],
    references: ['21 CFR 11.10(k)', '21 CFR 11.200(a)(1)', 'Annex 11, 10', 'Annex 11, 14(a)'],
    async run({ scratch, step }) {
      await underPolicy(scratch, async () => {
        const off = { esignature_policy: 'none' };
        const unsigned = await scratch.as('administrator').put('/x/settings', off);
        step(
          ['Without a signature', 'Ohne Unterschrift'],
          '422 esignature_password, esignature_reason',
          outcomeOf(unsigned),
        );
        const byProgram = await scratch.program().put('/x/settings', { ...off, esignature_reason: REASON });
        step(['By a program', 'Durch ein Programm'], '422 esignature_password', outcomeOf(byProgram));
        const signed = await scratch
          .as('administrator')
          .put('/x/settings', { ...off, ...signedBy(scratch, 'administrator') });
        step(['With a signature', 'Mit Unterschrift'], '200', outcomeOf(signed));
        const [last] = (await historyOf(scratch, 'setting', 1, 'administrator')).slice(-1);
        step(['Its reason in history', 'Ihr Grund in der Historie'], REASON, last?.reason);
      });
    },
  },
]);

/** More are refused at the latest; how many are let through before is a setting of the program. */
const MOST_TRIES = 12;

function closing(password?: string): Record<string, unknown> {
  const signed = password === undefined ? {} : { esignature_password: password };
  return { status: 'closed', reason: REASON, esignature_reason: REASON, ...signed };
}

function signedBy(scratch: ScratchStation, who: Who) {
  return { esignature_password: scratch.passwordOf(who), esignature_reason: REASON };
}

/** While what regulated work signs is signed. */
async function underPolicy(scratch: ScratchStation, work: () => Promise<void>): Promise<void> {
  const set = async (policy: string) => {
    const body = { esignature_policy: policy, ...signedBy(scratch, 'administrator') };
    dataOf(await scratch.as('administrator').put('/x/settings', body));
  };
  await set('gxp');
  try {
    await work();
  } finally {
    await set('none');
  }
}

/** A report that quality has closed and signed. */
async function signedReport(scratch: ScratchStation): Promise<number> {
  const id = await ncr(scratch, 'operator', { lot_number: 'L-1' });
  dataOf(await scratch.as('quality').patch(`/ncrs/${id}`, closing(scratch.passwordOf('quality'))));
  return id;
}

async function signaturesOf(scratch: ScratchStation, id: number): Promise<Shown[]> {
  return dataOf<Shown[]>(await scratch.as('quality').get(`/x/signatures/ncr/${id}`));
}

/** What stands on the paper, before it is laid out. */
function paperOf(scratch: ScratchStation, id: number, language: Language): string {
  const { records, database } = scratch.store;
  const record = records.get('ncr', id);
  if (!record) return '';
  const reading = { records, sql: database.reader, now: scratch.now().toISOString() };
  return JSON.stringify(makePaper(reading, { document: 'ncr', record, language, user: 'validation' }).blocks);
}
