import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { pickOption, scan, tabTo, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { chooseInMenu } from './support/menu.ts';
import { type Words, wordsOf } from './support/words.ts';

/**
 * The days of an operator, an inspector and a quality manager where everything is signed, by keyboard and scanner: what
 * each of them does in honest work asks for a reason or a signature, and for nothing else.
 */

const PEOPLE = {
  olga: { name: 'Olga Operator', login: 'olga', password: 'battery staple olga', role: 'operator' },
  ian: { name: 'Ian Inspector', login: 'ian', password: 'battery staple ian', role: 'inspector' },
  quinn: { name: 'Quinn Quality', login: 'quinn', password: 'battery staple quinn', role: 'quality' },
  ada: { name: 'Ada Admin', login: 'ada', password: 'correct horse battery', role: null },
} as const;
type Person = keyof typeof PEOPLE;

const GTIN = '09506000134352';
const FNC1 = '\u001d';
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
/** From what was done last to what is done next, by Tab. */
const MOST_STOPS = 40;
const SIGNED_FORM = 'form:has([data-signing])';
/** Meanings whose form has been looked at for everybody, which its language does not change. */
const looked = new Set<string>();

type Language = 'en' | 'de';
/** Everybody walks in each language: a person of the other one would find nothing translated that another needed. */
const allOf = (language: Language) => ({ olga: language, ian: language, quinn: language, ada: language });
const WALKS: Record<Person, Language>[] = [allOf('en'), allOf('de')];

describe.each(WALKS)('days with signatures in $olga', speaks => {
  let app: App;
  let station: Station;
  let words: Record<Language, Words>;
  let page: Page;
  let person: Person;
  const made: Record<string, number> = {};

  beforeAll(async () => {
    words = { en: await wordsOf('en'), de: await wordsOf('de') };
    app = await openApp({ fill });
    ({ station } = app);
  });
  afterEach(() => {
    expect(app.faults).toEqual([]);
  });
  afterAll(async () => {
    await app?.close();
  });

  async function fill(filled: Station): Promise<void> {
    const create = maker(filled, made);
    await create('supplier', '/suppliers', { name: 'Harbour Fasteners' });
    await create('bolt', '/parts', {
      name: 'Hex bolt M8',
      identification: 'HB-8',
      unit_of_measure: 'units',
      barcodes: [GTIN],
    });
    await create('oil', '/parts', { name: 'Cutting oil', identification: 'OIL-1', unit_of_measure: 'kg' });
    for (const name of ['Rack 7', 'Bay 2']) await create(name, '/x/locations', { name });
    await create('template', '/x/specifications', {
      name: 'Bolt check',
      is_approved: true,
      characteristics: [
        { name: 'Length', dimensions: '40', tolerance: '±0.5', order: 1 },
        { name: 'Head', dimensions: '13', tolerance: '±0.2', order: 2 },
      ],
    });
    await create('lab template', '/x/specifications', {
      name: 'Oil lab',
      is_approved: true,
      characteristics: [{ name: 'Viscosity', dimensions: '46', tolerance: '±4', order: 1 }],
    });
    // Written by somebody else than who approves it.
    await create('draft', '/x/specifications', {
      name: 'Nut check',
      characteristics: [{ name: 'Width', dimensions: '13', tolerance: '±0.3', order: 1 }],
    });
    const line = { unit_of_measure: 'EA', received_date: daysAgo(3), location_id: made['Rack 7'] };
    await create('old', '/receiving-inspections', {
      supplier_id: made.supplier,
      po_number: 'PO-1',
      actual_arrival_date: daysAgo(3),
      items: [
        { ...line, part_id: made.bolt, serial_number: 'OLD-1', quantity_accepted: 100 },
        { ...line, part_id: made.oil, serial_number: 'OIL-A', quantity_accepted: 50, unit_of_measure: 'kg' },
      ],
    });
    await create('quarantined', '/receiving-inspections', {
      supplier_id: made.supplier,
      po_number: 'PO-2',
      actual_arrival_date: daysAgo(3),
      is_quarantined: true,
      items: [{ ...line, part_id: made.bolt, serial_number: 'QUA-1', quantity_accepted: 10 }],
    });
    await create('car', '/cars', { car_number: 'CAR-1', date_opened: daysAgo(3) });
    await create('complaint', '/complaints', { complaint_number: 'CO-1', complaint_date: daysAgo(3) });
    for (const { name, login, password, role } of Object.values(PEOPLE))
      if (role !== null)
        await create(login, '/x/users', {
          is_password_temporary: false,
          name,
          login,
          password,
          roles: [role],
        });
    expect((await filled.put('/x/settings', { esignature_policy: 'gxp' })).status).toBe(200);
  }

  /** In the language of who is at work. */
  const t: Words = (key, values) => words[speaks[person]](key, values);

  /** Goes on as this person, in a window of their own. The one before has gone home: a window that stays reads all news. */
  async function as(next: Person): Promise<void> {
    await (page ?? app.page).context().close();
    person = next;
    page = await app.open({ language: speaks[next], user: PEOPLE[next] });
    // A form knows what is signed before the first key in it, however late the settings are read again. Within the page, since
    // a route of the browser would stop each request on its way.
    await page.evaluate(() => {
      const inTime = window.fetch;
      window.fetch = async (input, init) => {
        const address = input instanceof Request ? input.url : String(input);
        if (/\/x\/settings$/.test(address)) await new Promise(end => window.setTimeout(end, 300));
        return inTime(input, init);
      };
    });
  }

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const focused = () => page.locator(':focus');

  async function go(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    expect(await tabTo(page, control, key), String(control)).toBeLessThan(MOST_STOPS);
  }

  async function press(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await go(control, key);
    await page.keyboard.press('Enter');
  }

  /** Of a list that a control opens while one types. */
  async function pick(text: string): Promise<void> {
    await page.keyboard.insertText(text);
    await pickOption(page, text);
  }

  /** The option of a select that has the focus. */
  async function choose(option: string): Promise<void> {
    await page.keyboard.press('ArrowDown');
    await pickOption(page, option);
    await expect.poll(() => focused().inputValue()).toBe(option);
  }

  /** By one key where it is offered, else in words; the question has the focus. */
  async function giveReason(reason: string): Promise<void> {
    await focused().and(page.locator('[data-reason] input')).waitFor();
    if (/^\d$/.test(reason)) await page.keyboard.press(reason);
    else await page.keyboard.insertText(reason);
    await expect.poll(() => focused().inputValue()).not.toBe('');
  }

  /**
   * The reason, Enter, the password once, Enter: nothing more is asked for, and the focus is never lost.
   * @param reason null where none is needed
   */
  async function sign(form: Locator, meaning: string, reason: string | null): Promise<void> {
    if (reason !== null) {
      await giveReason(reason);
      await page.keyboard.press('Enter');
    }
    await focused()
      .and(form.getByLabel(t('quality:sign.password')))
      .waitFor();
    await form.getByText(`${t('quality:sign.meaning')}: ${t(`families:${meaning}`)}`).waitFor();
    if (!looked.has(meaning)) expect(await axeFindings(page, undefined, SIGNED_FORM)).toEqual([]);
    looked.add(meaning);
    await page.keyboard.insertText(PEOPLE[person].password);
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  }

  const form = (key: string, values?: Record<string, unknown>) =>
    page.getByRole('form', { name: t(key, values), exact: true });
  const button = (key: string, values?: Record<string, unknown>) =>
    page.getByRole('button', { name: t(key, values) });

  async function read<Data = Record<string, unknown>>(path: string): Promise<Data> {
    const { status, body } = await station.get(path);
    expect(status, path).toBe(200);
    return (body as { data: Data }).data;
  }

  const fieldsOf = async (family: string, id: number) =>
    (await read<{ fields: Record<string, unknown> }>(`/x/records/${family}/${id}`)).fields;

  /** By name, meaning and reason, the oldest first. */
  const signaturesOf = async (family: string, id: number) =>
    (
      await read<{ user_name: string; meaning: string; reason: string | null }[]>(
        `/x/signatures/${family}/${id}`,
      )
    ).map(({ user_name, meaning, reason }) => [user_name, meaning, reason]);

  const idInAddress = () => Number(page.url().split('/').at(-1));

  async function openByScan(code: string): Promise<number> {
    await scan(page, code);
    await heading(code).waitFor();
    return idInAddress();
  }

  const reason = (name: string, of = person) => words[speaks[of]](`reason:given.${name}`);

  describe('an operator', () => {
    beforeAll(() => as('olga'));

    const lines = () => page.getByRole('table', { name: t('receiving:lines') }).locator('tbody tr');
    /** What the panel shows of the line, by the name of the fact. */
    const shown = (fact: string) => page.locator(`[data-fact=${fact}] dd`).innerText();
    const lineForm = () => form('receiving:line');
    const lineField = (key: string) =>
      lineForm()
        .locator('input')
        .and(lineForm().getByLabel(t(key)))
        .first();

    async function receive(lot: string, quantity: number, template?: string): Promise<void> {
      const before = await lines().count();
      await scan(page, `]C101${GTIN}17320228${`10${lot}${FNC1}`}30${quantity}`);
      await expect.poll(() => shown('lot')).toBe(lot);
      if (template !== undefined) {
        await page.keyboard.press('t');
        await go(lineField('receiving:template'));
        await pick(template);
        await page.keyboard.press('Escape');
      }
      await scan(page, 'HP:SAVE');
      await expect.poll(() => lines().count()).toBe(before + 1);
    }

    it('receives a delivery by its labels, rejects a line and raises its report', async () => {
      await page.keyboard.press('F2');
      await heading(t('receiving:title')).waitFor();
      await page.keyboard.press('n');
      await form('receiving:new').waitFor();
      await pick('Harbour Fasteners');
      await go(form('receiving:new').getByLabel(t('receiving:po')));
      await page.keyboard.insertText('PO-77');
      await page.keyboard.press('Enter');
      await heading('PO-77').waitFor();
      made.receipt = idInAddress();
      await receive('LOT-A', 250, 'Bolt check');
      await receive('LOT-B', 40, 'Bolt check');
      await receive('LOT-C', 21);
      await scan(page, `]C101${GTIN}17320228${`10LOT-D${FNC1}`}3012`);
      await expect.poll(() => shown('lot')).toBe('LOT-D');
      await scan(page, 'HP:REJECT');
      await expect.poll(() => shown('rejected')).toMatch(/^12 /);
      await scan(page, 'HP:SAVE');
      await expect.poll(() => lines().count()).toBe(4);
      await scan(page, 'HP:NCR');
      await page.getByText(t('receiving:report.raised')).waitFor();
      expect(await read<unknown[]>('/ncrs')).toMatchObject([{ lot_number: 'LOT-D', quantity: 12 }]);
    });

    it('corrects what was mistyped a moment ago: the reason is one key', async () => {
      const correct = form('receiving:correct.of', { part: 'Hex bolt M8' });
      for (const { line, typed, isQuality } of [
        { line: 3, typed: ['12'], isQuality: false },
        // Goods that were rejected and are not: quality says so too.
        { line: 4, typed: ['2', '10'], isQuality: true },
      ]) {
        const opener = button('receiving:correct.line', { number: line });
        await press(opener, isQuality ? 'Shift+Tab' : 'Tab');
        await correct.waitFor();
        for (const [place, value] of typed.entries()) {
          if (place > 0) await page.keyboard.press('Tab');
          await page.keyboard.press('Control+A');
          await page.keyboard.insertText(value);
        }
        await page.keyboard.press('Enter');
        await giveReason('1');
        await page.keyboard.press('Enter');
        await correct.waitFor({ state: 'detached' });
        await focused().and(opener).waitFor();
      }
      await page.getByText(t('corrections:waiting.for')).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const corrections = await read<object[]>(`/x/corrections?subject=receiving-inspection:${made.receipt}`);
      expect(corrections).toMatchObject([
        { old_value: 21, new_value: 12, author: 'olga', reason: reason('mistyped'), status: 'recorded' },
        { old_value: 12, new_value: 10, author: 'olga', reason: reason('mistyped'), status: 'awaiting' },
      ]);
    });

    it('moves a part of a lot, without being asked anything', async () => {
      await page.keyboard.press('F6');
      await heading(t('stock:title')).waitFor();
      made.lot = await openByScan('OLD-1');
      await press(button('stock:move'));
      await form('stock:move').waitFor();
      await pick('Bay 2');
      await go(form('stock:move').getByLabel(t('stock:quantity')));
      await page.keyboard.insertText('30');
      await page.keyboard.press('Enter');
      await form('stock:move').waitFor({ state: 'detached' });
      const { locations } = await read<{ locations: object[] }>(`/x/inventory/${made.lot}/facts`);
      expect(locations).toMatchObject([
        { name: 'Rack 7', quantity: 70 },
        { name: 'Bay 2', quantity: 30 },
      ]);
    });

    it('releases a shipment by a signature, and corrects its mistyped date by another', async () => {
      await page.keyboard.press('F7');
      await heading(t('shipping:title')).waitFor();
      await page.keyboard.press('n');
      await focused()
        .and(form('shipping:new').getByLabel(t('shipping:customer')))
        .waitFor();
      await page.keyboard.press('Enter');
      await form('shipping:add').waitFor();
      made.shipment = idInAddress();
      await scan(page, 'OLD-1');
      await focused()
        .and(form('shipping:add').getByLabel(t('shipping:quantity')))
        .waitFor();
      await page.keyboard.insertText('25');
      await page.keyboard.press('Enter');
      await press(page.getByRole('button', { name: t('shipping:close'), exact: true }));
      // The date has the focus; its parts stand in another order in another language.
      await focused()
        .and(form('shipping:close').getByLabel(t('shipping:close.day')))
        .fill(daysAgo(1));
      await page.keyboard.press('Enter');
      await sign(form('shipping:close'), 'shipment', '1');
      await page.getByText(t('shipping:closed.text')).waitFor();

      await press(page.getByRole('link', { name: t('app:change') }), 'Shift+Tab');
      const edit = page.getByRole('form', { name: t('families:Shipment') });
      await go(edit.locator('input').and(edit.getByLabel(t('families:Actual ship date'))));
      await focused().fill(daysAgo(0));
      await page.keyboard.press('Enter');
      await sign(edit, 'shipment', '1');
      await page
        .getByText(t('corrections:title', { count: 1 }))
        .first()
        .waitFor();
      expect(await fieldsOf('shipment', made.shipment)).toMatchObject({ actual_ship_date: daysAgo(0) });
      expect(await signaturesOf('shipment', made.shipment)).toEqual([
        [PEOPLE.olga.name, 'shipment', reason('ordered')],
        [PEOPLE.olga.name, 'shipment', reason('mistyped')],
      ]);
    });

    it('prints the packing list', async () => {
      const answer = page.waitForResponse(/\/x\/paper\/packing-list/);
      await chooseInMenu(page, t('print:print'), t('print:document.packing-list'));
      const response = await answer;
      expect(response.status()).toBe(200);
      expect(response.url()).toContain(`language=${speaks.olga}`);
    });
  });

  describe('an inspector', () => {
    beforeAll(() => as('ian'));

    const cell = (name: string) =>
      page.getByRole('textbox', { name: t('inspection:cell', { number: 1, name }) });

    /** From the lot to the inspection that its receipt opened, and measures the one piece. */
    async function measure(lot: string, length: string): Promise<number> {
      await openByScan(lot);
      await press(page.locator('main a[href^="/app/inspection/"]').first());
      await focused().and(cell('Length')).waitFor();
      await typeSlowly(page, length);
      await page.keyboard.press('Enter');
      await focused().and(cell('Head')).waitFor();
      await typeSlowly(page, '13');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByText(t('inspection:saver.saved')).waitFor();
      return idInAddress();
    }

    async function finalise(verdict: 'passed' | 'failed'): Promise<void> {
      await focused().and(button('inspection:finalise')).waitFor();
      await page.keyboard.press('Enter');
      const radio = form('inspection:finalise').getByRole('radio', {
        name: t(`inspection:badge.${verdict}`),
        exact: true,
      });
      await page.keyboard.press(verdict === 'passed' ? 'Space' : 'ArrowDown');
      await expect.poll(() => radio.isChecked()).toBe(true);
      await page.keyboard.press('Tab');
      // The first offered says what mostly is so: by the measurements.
      await sign(form('inspection:finalise'), 'verdict', '1');
    }

    it('measures, corrects a mistyped value by one key, and passes the lot by a signature', async () => {
      made.passed = await measure('LOT-A', '40.9');
      await press(cell('Length'));
      await page.keyboard.press('Shift+Enter');
      await go(cell('Length'), 'Shift+Tab');
      await page.keyboard.press('Control+A');
      await typeSlowly(page, '40.1');
      await page.keyboard.press('Enter');
      await giveReason('1');
      await page.keyboard.press('Enter');
      await form('inspection:correct', { count: 1 }).waitFor({ state: 'detached' });
      await page.getByText(t('inspection:saver.saved')).waitFor();
      await page.keyboard.press('Escape');
      await finalise('passed');
      await focused().and(button('inspection:reopen')).waitFor();
      expect(await signaturesOf('inspection', made.passed)).toEqual([
        [PEOPLE.ian.name, 'verdict', reason('measurements')],
      ]);
      expect(await read<object[]>(`/x/corrections?subject=inspection:${made.passed}`)).toMatchObject([
        { old_value: 40.9, new_value: 40.1, author: 'ian', reason: reason('mistyped'), status: 'recorded' },
      ]);
    });

    it('fails another by a signature, is told who takes that back, and raises its report', async () => {
      made.failed = await measure('LOT-B', '41.7');
      await finalise('failed');
      await page.getByText(t('reason:for', { role: t('reason:role.quality') })).waitFor();
      expect(await button('inspection:reopen').count()).toBe(0);
      await press(page.getByRole('link', { name: t('inspection:ncr') }));
      await focused()
        .and(page.getByLabel(t('families:NCR number')))
        .waitFor();
      await page.keyboard.insertText('NCR-LOT-B');
      await page.keyboard.press('Control+s');
      await heading('NCR-LOT-B').waitFor();
      made.report = idInAddress();
      expect(await fieldsOf('ncr', made.report)).toMatchObject({
        inspection_id: made.failed,
        status: 'open',
      });
    });

    it('enters a lab result, and corrects a mistyped measurement by a signature', async () => {
      await page.keyboard.press('F8');
      await heading(t('lab:title')).waitFor();
      await page.keyboard.press('n');
      const enter = form('lab:new');
      await enter.waitFor();
      await scan(page, 'OIL-A');
      await expect.poll(() => enter.getByLabel(t('lab:lot')).first().inputValue()).toBe('OIL-A');
      await go(enter.getByRole('textbox', { name: t('lab:template') }));
      await pick('Oil lab');
      await go(enter.getByRole('textbox', { name: 'Viscosity' }));
      await typeSlowly(page, '64.4');
      await page.keyboard.press('Enter');
      await sign(enter, 'result', null);
      await page.getByText(t('lab:locked', { lot: 'OIL-A' })).waitFor();
      made.result = idInAddress();
      await press(button('lab:correct'));
      await focused()
        .and(form('lab:correct').getByRole('textbox', { name: 'Viscosity' }))
        .waitFor();
      await page.keyboard.press('Control+A');
      await typeSlowly(page, '46.4');
      await page.keyboard.press('Enter');
      await sign(form('lab:correct'), 'correction', '1');
      expect(await fieldsOf('lab-result', made.result)).toMatchObject({ lab_data: '{"Viscosity":"46.4"}' });
      expect(await signaturesOf('lab-result', made.result)).toEqual([
        [PEOPLE.ian.name, 'result', null],
        [PEOPLE.ian.name, 'correction', reason('mistyped')],
      ]);
    });

    it('locks a lot by its label, and is told who lifts that', async () => {
      made.locked = await openByScan('LOT-C');
      await chooseInMenu(page, t('app:more'), t('stock:lock'));
      await giveReason('Label is torn');
      await page.keyboard.press('Enter');
      await form('stock:lock').waitFor({ state: 'detached' });
      await page.getByText(t('reason:for', { role: t('reason:role.quality') })).waitFor();
      await focused().and(button('app:more')).waitFor();
      expect(await fieldsOf('inventory', made.locked)).toMatchObject({
        is_locked_by_person: true,
        lock_reason: 'Label is torn',
      });
    });
  });

  describe('a quality manager', () => {
    beforeAll(() => as('quinn'));

    it('accepts what waits for quality, each by a signature', async () => {
      await page.keyboard.press('F9');
      await heading(t('quality:title')).waitFor();
      await go(page.getByRole('tab', { name: t('quality:tab.ncr') }));
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
      await page.getByText(t('corrections:waiting.text')).waitFor();
      const waiting = await read<{ id: number }[]>('/x/corrections?status=awaiting');
      expect(waiting.length).toBeGreaterThan(0);
      const accepts = page.getByRole('button', { name: t('corrections:accept'), exact: false });
      for (const { id } of waiting) {
        if (!(await accepts.first().evaluate(element => element === document.activeElement)))
          await go(accepts.first());
        await page.keyboard.press('Enter');
        await sign(page.locator('form'), 'acceptance', '1');
        expect(await signaturesOf('correction', id)).toEqual([
          [PEOPLE.quinn.name, 'acceptance', reason('checked')],
        ]);
      }
      await page.getByText(t('corrections:waiting.none')).waitFor();
    });

    it('disposes of a report, closes and reopens it, each by a signature', async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await page.keyboard.insertText('NCR-LOT-B');
      await page.getByRole('option', { name: 'NCR-LOT-B' }).first().waitFor();
      await page.keyboard.press('Enter');
      await heading('NCR-LOT-B').waitFor();
      await page.keyboard.press('d');
      await form('quality:disposition').waitFor();
      await choose(t('quality:disposition.use-as-is'));
      await go(
        form('quality:disposition')
          .getByLabel(t('reason:reason'))
          .locator('visible=true')
          .and(page.locator('input')),
      );
      await sign(form('quality:disposition'), 'disposition', 'Long enough for this use');
      for (const [from, to, meaning] of [
        ['open', 'closed', 'closing'],
        ['closed', 'open', 'reopening'],
      ] as const) {
        await page.keyboard.press('s');
        const change = form('quality:status.change', {
          number: 'NCR-LOT-B',
          status: t(`quality:status.${from}`),
        });
        await change.waitFor();
        if (to === 'closed') {
          await page.keyboard.press('Shift+Tab');
          await choose(t('quality:status.closed'));
          await page.keyboard.press('Tab');
        }
        // Its title follows the report's status, before it closes.
        await sign(page.getByRole('form', { name: 'NCR-LOT-B' }), meaning, 'Settled with the customer');
        await page
          .getByText(t(`quality:status.${to}`), { exact: true })
          .first()
          .waitFor();
      }
      expect(await signaturesOf('ncr', made.report ?? 0)).toEqual([
        [PEOPLE.quinn.name, 'disposition', 'Long enough for this use'],
        [PEOPLE.quinn.name, 'closing', 'Settled with the customer'],
        [PEOPLE.quinn.name, 'reopening', 'Settled with the customer'],
      ]);
    });

    it('lifts a lock and releases a quarantine, each by a signature', async () => {
      await openByScan('LOT-C');
      await press(button('stock:unlock'));
      await sign(form('stock:unlock'), 'release', '2');
      expect(await fieldsOf('inventory', made.locked ?? 0)).toMatchObject({ is_locked_by_person: false });
      await openByScan('QUA-1');
      await press(page.locator(`main a[href="/app/receiving/${made.quarantined}"]`).first());
      await heading('PO-2').waitFor();
      await chooseInMenu(page, t('app:more'), t('receiving:quarantine.lift'));
      await sign(form('receiving:quarantine.lift'), 'release', '2');
      await focused().and(button('app:more')).waitFor();
      expect(await signaturesOf('receiving-inspection', made.quarantined ?? 0)).toEqual([
        [PEOPLE.quinn.name, 'release', reason('checked')],
      ]);
    });

    it('approves a template that somebody else wrote', async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await page.keyboard.insertText('Nut check');
      await page.getByRole('option', { name: 'Nut check' }).first().waitFor();
      await page.keyboard.press('Enter');
      await heading('Nut check').waitFor();
      await page.keyboard.press('e');
      const edit = page.getByRole('form', { name: t('families:Inspection template') });
      await edit.waitFor();
      await go(edit.getByRole('combobox', { name: t('families:Approved'), exact: true }));
      await choose(t('app:yes'));
      await page.keyboard.press('Control+s');
      await sign(edit, 'approval', 'Drawing checked');
      expect(await fieldsOf('specification', made.draft ?? 0)).toMatchObject({ is_approved: true });
      expect(await signaturesOf('specification', made.draft ?? 0)).toEqual([
        [PEOPLE.quinn.name, 'approval', 'Drawing checked'],
      ]);
    });

    it("decides that an inspector's failed inspection passes, by one signature", async () => {
      await openByScan('LOT-B');
      await goTo(page, `/app/inspection/${made.failed}`);
      await press(button('inspection:reopen'));
      const reopen = form('inspection:reopen');
      await go(reopen.getByRole('radio').first(), 'Shift+Tab');
      await page.keyboard.press('ArrowDown');
      await go(reopen.locator('[data-reason] input'));
      await sign(reopen, 'verdict', '3');
      const { passed, is_against_measurements } = await fieldsOf('inspection', made.failed ?? 0);
      expect({ passed, is_against_measurements }).toEqual({ passed: true, is_against_measurements: true });
      expect(await signaturesOf('inspection', made.failed ?? 0)).toEqual([
        [PEOPLE.ian.name, 'verdict', reason('measurements', 'ian')],
        [PEOPLE.quinn.name, 'verdict', reason('measured-again')],
      ]);
    });

    it('closes a CAR and a complaint, each by a signature', async () => {
      await page.keyboard.press('F9');
      await heading(t('quality:title')).waitFor();
      await go(page.getByRole('tab', { name: t('quality:tab.ncr') }));
      await page.keyboard.press('ArrowRight');
      await go(page.getByRole('link', { name: 'CAR-1' }));
      await page.keyboard.press('Shift+ArrowRight');
      await sign(page.locator('form'), 'closing', 'The supplier has acted');
      await focused()
        .and(page.getByRole('link', { name: 'CAR-1' }))
        .waitFor();
      await go(page.getByRole('tab', { name: t('quality:tab.car') }), 'Shift+Tab');
      await page.keyboard.press('ArrowRight');
      await go(page.getByRole('link', { name: 'CO-1' }));
      await page.keyboard.press('Shift+ArrowRight');
      await focused().and(page.locator('[data-reason] input')).waitFor();
      // To look into it needs nothing.
      await page.keyboard.press('Enter');
      await focused()
        .and(page.getByRole('link', { name: 'CO-1' }))
        .waitFor();
      await page.keyboard.press('Shift+ArrowRight');
      await sign(page.locator('form'), 'closing', 'The customer agrees');
      expect(await signaturesOf('car', made.car ?? 0)).toEqual([
        [PEOPLE.quinn.name, 'closing', 'The supplier has acted'],
      ]);
      expect(await signaturesOf('complaint', made.complaint ?? 0)).toEqual([
        [PEOPLE.quinn.name, 'closing', 'The customer agrees'],
      ]);
    });
  });

  describe('an administrator', () => {
    beforeAll(() => as('ada'));

    it('changes the policy by a signature', async () => {
      await goTo(page, '/app/setup/site');
      const site = page.getByRole('form', { name: t('setup:section.site') });
      await go(site.getByRole('combobox', { name: t('setup:site.policy') }));
      await choose(t('setup:site.policy.none'));
      await go(site.locator('[data-reason] input'));
      await page.keyboard.insertText('The trial is over');
      await page.keyboard.press('Enter');
      await focused()
        .and(site.getByLabel(t('quality:sign.password')))
        .waitFor();
      expect(await axeFindings(page, undefined, SIGNED_FORM)).toEqual([]);
      await page.keyboard.insertText(PEOPLE.ada.password);
      await page.keyboard.press('Enter');
      await site.getByText(t('app:saved')).waitFor();
      expect(await read('/x/settings')).toMatchObject({ esignature_policy: 'none' });
    });
  });

  describe('at the end', () => {
    it('history says of each change who made it and why', async () => {
      const history = await read<{ user: string; reason: string | null }[]>(
        `/x/history/inspection/${made.failed}`,
      );
      expect(history.map(({ user, reason: why }) => [user, why])).toEqual([
        ['olga', null],
        ['ian', null],
        ['ian', reason('measurements', 'ian')],
        // Settles the failure.
        ['quinn', 'Long enough for this use'],
        ['quinn', reason('measured-again', 'quinn')],
      ]);
    });
  });
});
