import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listOperations } from '../../../shared/operations/operations.ts';
import { dataOf, outcomeOf } from '../caller.ts';
import { eventsOf } from '../events.ts';
import { historyOf, ncr, receive } from '../goods.ts';
import { rowsOf } from '../requirement.ts';

/** What may be had without anybody signed in. */
const OPEN = new Set([
  'status.read',
  // On the machine itself: what there is to call, and nothing of what is recorded.
  'openapi.read',
  'x.session.read',
  'x.session.create',
  'x.session.unlock',
  'x.session.lock',
  'x.session.end',
  // Signing in again: what is asked for is a PIN.
  'x.session.resume',
  'x.first-administrator.create',
  'x.enrolment.create',
  'x.central-certificate.chain',
  // How the process itself stands.
  'x.health.read',
]);
/** The tenth wrong one closes a door for long, however slow the machine is: more would tell nothing. */
const MOST_TRIES = 12;
/** With those before, enough wrong passwords to close a door for long; longer than any wait before that. */
const WRONG = 8;
const WAIT_MINUTES = 1.1;

export const peopleRows = rowsOf('people', [
  {
    id: 'PE-01',
    text: [
      'Who is not signed in reads and writes nothing.',
      'Wer nicht angemeldet ist, liest und schreibt nichts.',
    ],
    check: [
      'Each operation of the interface is called without an identity, and with a token that is none.',
      'Jede Operation der Schnittstelle wird ohne Anmeldung aufgerufen und mit einem ungültigen Token.',
    ],
    references: ['21 CFR 11.10(d)', '21 CFR 11.10(g)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const closed = listOperations().filter(({ id }) => !OPEN.has(id));
      const callers = { nobody: scratch.nobody(), forged: scratch.program('A'.repeat(32)) };
      for (const [name, caller] of Object.entries(callers)) {
        const answered: string[] = [];
        for (const { id, method, path, body } of closed) {
          const url = path.replaceAll(/\{(\w+)\}/g, '1');
          const { status } = await caller.call(method, url, body ? { body: {} } : {});
          if (status !== 401) answered.push(`${id}: ${status}`);
        }
        const said =
          name === 'nobody'
            ? ['Without an identity', 'Ohne Anmeldung']
            : ['With such a token', 'Mit solchem Token'];
        step(
          [
            `${said[0]}: ${closed.length} operations, of them not 401`,
            `${said[1]}: ${closed.length} Operationen, davon nicht 401`,
          ],
          [],
          answered,
        );
      }
    },
  },
  {
    id: 'PE-02',
    text: [
      'Each person does what the own role allows, and nothing else.',
      'Jede Person tut, was die eigene Rolle erlaubt, und nichts anderes.',
    ],
    check: [
      'People of each role try what belongs to a higher one.',
      'Personen jeder Rolle versuchen, was einer höheren zusteht.',
    ],
    references: ['21 CFR 11.10(d)', '21 CFR 11.10(g)', 'Annex 11, 2', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const supplier = { name: scratch.unique('Supplier') };
      const by = async (
        who: 'viewer' | 'operator' | 'inspector' | 'quality',
        method: string,
        path: string,
        body: object,
      ) => String((await scratch.as(who).call(method, path, { body })).status);
      step(
        ['A viewer creates a supplier', 'Ein Betrachter legt einen Lieferanten an'],
        '403',
        await by('viewer', 'POST', '/suppliers', supplier),
      );
      step(
        ['An operator creates it', 'Ein Bediener legt ihn an'],
        '201',
        await by('operator', 'POST', '/suppliers', supplier),
      );
      step(
        ['An operator creates a template', 'Ein Bediener legt eine Prüfvorlage an'],
        '403',
        await by('operator', 'POST', '/x/specifications', { name: 'T' }),
      );
      const id = await ncr(scratch, 'operator');
      step(
        ['An inspector closes a report', 'Ein Prüfer schließt eine Meldung'],
        '403',
        await by('inspector', 'PATCH', `/ncrs/${id}`, { status: 'closed', reason: 'Done.' }),
      );
      step(
        ['Quality closes it', 'Die Qualität schließt sie'],
        '200',
        await by('quality', 'PATCH', `/ncrs/${id}`, { status: 'closed', reason: 'Done.' }),
      );
      step(
        ['Quality changes settings', 'Die Qualität ändert Einstellungen'],
        '403',
        await by('quality', 'PUT', '/x/settings', { expiry_soon_days: 1 }),
      );
      step(
        ['Quality makes a token', 'Die Qualität erstellt ein Token'],
        '403',
        await by('quality', 'POST', '/x/tokens', { name: 'T', scopes: ['admin'] }),
      );
    },
  },
  {
    id: 'PE-03',
    text: [
      'Who measured a failure does not turn it into a success: another person of quality does, with a reason.',
      'Wer einen Fehler gemessen hat, macht daraus keinen Erfolg: Das tut eine andere Person der Qualität, mit Grund.',
    ],
    check: [
      'A failed inspection is passed by its inspector, by quality without a reason, and with one.',
      'Eine nicht bestandene Prüfung wird vom Prüfer, von der Qualität ohne Grund und mit Grund auf bestanden gesetzt.',
    ],
    references: ['21 CFR 11.10(g)', 'Annex 11, 6', 'Annex 11, 15'],
    async run({ scratch, step }) {
      const { part: of, lot } = await receive(scratch);
      const id = await scratch.as('inspector').made('/inspections', { entity_id: of, inventory_id: lot });
      dataOf(await scratch.as('inspector').patch(`/inspections/${id}`, { passed: false }));
      const pass = async (who: 'inspector' | 'quality', reason?: string) =>
        outcomeOf(
          await scratch.as(who).patch(`/inspections/${id}`, { passed: true, ...(reason && { reason }) }),
        );
      step(['By the inspector', 'Durch den Prüfer'], '403', await pass('inspector', 'Looks well.'));
      step(
        ['By quality, without a reason', 'Durch die Qualität, ohne Grund'],
        '422 reason',
        await pass('quality'),
      );
      step(
        ['By quality, with one', 'Durch die Qualität, mit Grund'],
        '200',
        await pass('quality', 'Measured again.'),
      );
    },
  },
  {
    id: 'PE-04',
    text: [
      'Passwords that are short, common or the own name are refused.',
      'Kurze, verbreitete und dem eigenen Namen gleiche Passwörter werden abgewiesen.',
    ],
    check: [
      'An administrator tries to make users with such passwords.',
      'Ein Administrator versucht, Benutzer mit solchen Passwörtern anzulegen.',
    ],
    references: ['21 CFR 11.300(a)', '21 CFR 11.300(b)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const login = scratch.unique('somebody');
      const make = async (password: string) =>
        outcomeOf(
          await scratch
            .as('administrator')
            .post('/x/users', { login, name: 'Somebody Else', roles: ['viewer'], password }),
        );
      step(['Seven characters', 'Sieben Zeichen'], '422 password', await make('q7!x-Zp'));
      step(['A common one', 'Ein verbreitetes'], '422 password', await make('password1234'));
      step(
        ['One character again and again', 'Immer dasselbe Zeichen'],
        '422 password',
        await make('aaaaaaaaaaaaaaaa'),
      );
      step(['The own login', 'Der eigene Anmeldename'], '422 password', await make(`${login}2024`));
      step(['A good one', 'Ein gutes'], '201', await make('three brown hens on 7 walls'));
    },
  },
  {
    id: 'PE-05',
    text: [
      'Trying out passwords at the sign-in is stopped and kept in the audit trail; nobody learns which logins there are.',
      'Das Probieren von Passwörtern bei der Anmeldung wird gestoppt und festgehalten; niemand erfährt, welche Anmeldenamen es gibt.',
    ],
    check: [
      'Wrong passwords are tried for a user and for nobody.',
      'Falsche Passwörter werden für einen Benutzer und für niemanden probiert.',
    ],
    references: ['21 CFR 11.300(d)', 'Annex 11, 12.1', 'Annex 11, 13'],
    async run({ scratch, step }) {
      const from = scratch.now().toISOString();
      const { login } = await scratch.person(['viewer']);
      const tryOnce = (name: string) =>
        scratch.nobody().post('/x/session', { login: name, password: 'not the password' });
      const [known, unknown] = [await tryOnce(login), await tryOnce(scratch.unique('nobody'))];
      step(
        ['The answer for a user, and for nobody', 'Die Antwort für einen Benutzer und für niemanden'],
        [401, saidIn(known.text)],
        [unknown.status, saidIn(unknown.text)],
      );
      let status = known.status;
      for (let tries = 1; tries < MOST_TRIES && status !== 429; tries += 1)
        status = (await tryOnce(login)).status;
      step(['It is stopped', 'Es wird gestoppt'], 429, status);
      // Each wrong one makes the next wait longer; the tenth closes it for long.
      for (let tries = 0; tries < WRONG; tries += 1) {
        scratch.pass(WAIT_MINUTES);
        await tryOnce(login);
      }
      const events = await scratch.soon(
        () => eventsOf(scratch, { kind: 'locked_out', from }),
        found => found.length > 0,
      );
      step(
        ['In the audit trail', 'Im Audit-Trail'],
        true,
        events.some(({ author }) => author === login),
      );
    },
  },
  {
    id: 'PE-06',
    text: [
      'A login belongs to one person for ever: nobody else gets it, written in whatever way.',
      'Ein Anmeldename gehört für immer einer Person: Niemand anderes erhält ihn, gleich in welcher Schreibweise.',
    ],
    check: [
      'The login of a person who is gone is given to another one, as it is and in capitals, and one that a person had before.',
      'Der Anmeldename einer ausgeschiedenen Person wird einer anderen gegeben, so und in Großbuchstaben, und einer, den eine Person früher hatte.',
    ],
    references: ['21 CFR 11.100(a)', '21 CFR 11.300(a)', 'Annex 11, 12.3'],
    async run({ scratch, step }) {
      const { id, login, password } = await scratch.person(['viewer']);
      const administrator = scratch.as('administrator');
      dataOf(await administrator.patch(`/x/users/${id}`, { is_active: false }));
      const give = async (name: string) =>
        outcomeOf(
          await administrator.post('/x/users', { login: name, name: 'Another', roles: ['viewer'], password }),
        );
      step(['The same login', 'Derselbe Anmeldename'], '422 login', await give(login));
      step(['In capitals', 'In Großbuchstaben'], '422 login', await give(login.toUpperCase()));
      const renamed = await scratch.person(['viewer']);
      dataOf(await administrator.patch(`/x/users/${renamed.id}`, { login: scratch.unique('renamed') }));
      step(
        ['That a person had before', 'Den eine Person früher hatte'],
        '422 login',
        await give(renamed.login),
      );
    },
  },
  {
    id: 'PE-07',
    text: [
      'Who is deactivated is out at once and comes in no more; what the person did stays.',
      'Wer deaktiviert wird, ist sofort draußen und kommt nicht mehr hinein; was die Person tat, bleibt.',
    ],
    check: [
      'A signed-in person writes a report and is deactivated.',
      'Eine angemeldete Person schreibt eine Meldung und wird deaktiviert.',
    ],
    references: ['21 CFR 11.10(d)', '21 CFR 11.300(b)', 'Annex 11, 12.3'],
    async run({ scratch, step }) {
      const { id, login, password } = await scratch.person(['operator']);
      const caller = await scratch.signedIn(login, password);
      const report = await caller.made('/ncrs', { ncr_number: scratch.unique('N'), source: 'internal' });
      dataOf(await scratch.as('administrator').patch(`/x/users/${id}`, { is_active: false }));
      step(['The open session', 'Die offene Sitzung'], 401, (await caller.get('/suppliers')).status);
      step(
        ['Signing in', 'Anmelden'],
        401,
        (await scratch.nobody().post('/x/session', { login, password })).status,
      );
      const [first] = await historyOf(scratch, 'ncr', report);
      step(['Author of the report', 'Urheber der Meldung'], login, first?.user);
    },
  },
  {
    id: 'PE-08',
    text: [
      'A session that nobody uses locks by itself, and goes on only with the password of its person.',
      'Eine unbenutzte Sitzung sperrt sich selbst und geht nur mit dem Passwort ihrer Person weiter.',
    ],
    check: [
      'A signed-in person does nothing for 16 minutes, then calls, then unlocks with a wrong and the right password.',
      'Eine angemeldete Person tut 16 Minuten nichts, ruft dann auf und entsperrt mit falschem und richtigem Passwort.',
    ],
    references: ['21 CFR 11.10(d)', '21 CFR 11.200(a)(1)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const { login, password } = await scratch.person(['operator']);
      const caller = await scratch.signedIn(login, password);
      step(['While it is used', 'Solange sie benutzt wird'], 200, (await caller.get('/suppliers')).status);
      scratch.pass(16);
      const late = await caller.get('/suppliers');
      step(['After 16 minutes', 'Nach 16 Minuten'], [401, 'session_locked'], [late.status, late.body?.code]);
      const wrong = await caller.post('/x/session/unlock', { password: 'not the password' });
      step(['With a wrong password', 'Mit falschem Passwort'], true, wrong.status >= 400);
      dataOf(await caller.post('/x/session/unlock', { password }));
      step(['With the right one', 'Mit dem richtigen'], 200, (await caller.get('/suppliers')).status);
      await scratch.signInAll();
    },
  },
  {
    id: 'PE-09',
    text: [
      'No password and no token is kept so that it can be read, in no file.',
      'Kein Passwort und kein Token wird lesbar aufbewahrt, in keiner Datei.',
    ],
    check: [
      'All files of the scratch data are searched for the passwords and tokens that were used.',
      'Alle Dateien der Probedaten werden nach den benutzten Passwörtern und Token durchsucht.',
    ],
    references: ['21 CFR 11.300(d)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const { secret } = dataOf(
        await scratch.program().post('/x/tokens', { name: scratch.unique('token'), scopes: ['read'] }),
      );
      const secrets = [
        String(secret),
        ...(['quality', 'administrator', 'second'] as const).map(who => scratch.passwordOf(who)),
      ];
      const files = readdirSync(scratch.folder, { recursive: true, encoding: 'utf8' })
        .map(name => join(scratch.folder, name))
        .filter(path => statSync(path).isFile());
      step(['Files were read', 'Dateien wurden gelesen'], true, files.length > 0);
      const found = files.filter(path => {
        const content = readFileSync(path);
        return secrets.some(text => content.includes(text));
      });
      step(
        [
          `${secrets.length} secrets stand in these files`,
          `${secrets.length} Geheimnisse stehen in diesen Dateien`,
        ],
        [],
        found.map(path => path.slice(scratch.folder.length + 1)),
      );
    },
  },
  {
    id: 'PE-10',
    text: [
      'A program has a token of its own, does what its scopes allow, and nothing more once the token is revoked.',
      'Ein Programm hat ein eigenes Token, tut, was dessen Rechte erlauben, und nach dem Widerruf nichts mehr.',
    ],
    check: [
      'A token for reading reads, writes and administers, and is revoked.',
      'Ein Lese-Token liest, schreibt und verwaltet und wird widerrufen.',
    ],
    references: ['21 CFR 11.10(d)', '21 CFR 11.10(h)', '21 CFR 11.300(c)', 'Annex 11, 12.1'],
    async run({ scratch, step }) {
      const name = scratch.unique('token');
      const { id, secret } = dataOf(
        await scratch.as('administrator').post('/x/tokens', { name, scopes: ['read'] }),
      );
      const program = scratch.program(String(secret));
      step(['Reads', 'Liest'], 200, (await program.get('/suppliers')).status);
      step(['Writes', 'Schreibt'], 403, (await program.post('/suppliers', { name: 'S' })).status);
      step(['Reads the users', 'Liest die Benutzer'], 403, (await program.get('/x/users')).status);
      dataOf(await scratch.as('administrator').post(`/x/tokens/${id}/revoke`));
      step(
        ['Reads once it is revoked', 'Liest nach dem Widerruf'],
        401,
        (await program.get('/suppliers')).status,
      );
    },
  },
  {
    id: 'PE-11',
    text: [
      'Giving, changing and ending somebody’s permission is kept with who did it, when, and what was before.',
      'Vergabe, Änderung und Entzug von Rechten werden festgehalten: wer, wann und was vorher galt.',
    ],
    check: [
      'An administrator makes a user, gives another role and deactivates the user.',
      'Ein Administrator legt einen Benutzer an, gibt ihm eine andere Rolle und deaktiviert ihn.',
    ],
    references: ['21 CFR 11.10(e)', 'Annex 11, 12.3', 'Annex 11, 9'],
    async run({ scratch, step }) {
      const from = scratch.now().toISOString();
      const { id } = await scratch.person(['viewer']);
      const administrator = scratch.as('administrator');
      dataOf(await administrator.patch(`/x/users/${id}`, { roles: ['operator'] }));
      dataOf(await administrator.patch(`/x/users/${id}`, { is_active: false }));
      const about = (events: Awaited<ReturnType<typeof eventsOf>>) =>
        events.filter(({ subject }) => subject === `user:${id}`);
      const made = about(await eventsOf(scratch, { kind: 'user_created', from }));
      step(['It is kept that the user was made', 'Das Anlegen ist festgehalten'], 1, made.length);
      const changed = about(await eventsOf(scratch, { kind: 'user_changed', from }));
      step(
        ['Who changed it', 'Wer änderte'],
        [scratch.loginOf('administrator'), scratch.loginOf('administrator')],
        changed.map(({ author }) => author),
      );
      step(
        ['The role before and after', 'Die Rolle vorher und nachher'],
        'viewer → operator',
        changed.map(({ details }) => details.roles).find(roles => roles !== undefined),
      );
    },
  },
]);

function saidIn(text: string): unknown {
  return JSON.parse(text).message;
}
