import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sampling } from '../../shared/operations/sampling-operations.ts';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';

let app: App;
let page: Page;
const made: Record<string, number> = {};

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterAll(async () => {
  expect(app.faults).toEqual([]);
  await app.close();
});

/** Bolts, of which ten lots of 1,000 were accepted; and nuts: two rejected, then five more on tightened inspection. */
async function fill(station: Station): Promise<void> {
  const create = maker(station, made);
  await create('supplier', '/suppliers', { name: 'Harbour Fasteners' });
  await create('bolt', '/parts', { name: 'Hex bolt', supplier_id: made.supplier });
  await create('nut', '/parts', { name: 'Nut', supplier_id: made.supplier });
  for (const [part, verdicts] of [
    ['bolt', Array.from({ length: 10 }, () => true)],
    ['nut', Array.from({ length: 7 }, () => false)],
  ] as const) {
    for (const [index, passed] of verdicts.entries()) {
      const number = `${part}-${index + 1}`;
      await create(number, '/receiving-inspections', {
        supplier_id: made.supplier,
        items: [{ part_id: made[part], serial_number: number, quantity_accepted: 1_000 }],
      });
      const { body } = await station.get('/x/find', { text: number, family: 'inventory' });
      const lot = (body as { data: { id: number }[] }).data[0]?.id;
      await create(`of ${number}`, '/inspections', { entity_id: made[part], inventory_id: lot, passed });
    }
  }
}

const stateOf = async (part: string) => {
  const { body } = await app.station.get('/x/sampling', { part_id: made[part] ?? 0, lot_size: 1_000 });
  return (body as { data: Sampling }).data.state;
};
const lots = () => page.getByRole('table', { name: 'Lots judged and decisions' });

it('says of every part and supplier how strictly it is sampled, and what waits for a person', async () => {
  await page.keyboard.press('F4');
  await page.getByRole('link', { name: 'Sampling', exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sampling' }).waitFor();
  const states = page.getByRole('table', { name: 'Parts and suppliers' });
  await states.waitFor();
  const rows = (await states.getByRole('row').allTextContents()).slice(1);
  expect(rows[0]).toMatch(/^NutHarbour FastenersDiscontinuedDiscontinued: resume it.*7/);
  expect(rows[1]).toMatch(/^Hex boltHarbour FastenersNormalReduced inspection can be approved10/);
  expect(await axeFindings(page)).toEqual([]);
});

it('shows the lots behind it, which rule they led to, and the plan with its reasons', async () => {
  await page.getByRole('link', { name: 'Hex bolt', exact: true }).press('Enter');
  await page.getByText('Reduced inspection is possible: approve or refuse it.').waitFor();
  await page.getByText('Switching score 30 of 30.').first().waitFor();
  await expect.poll(() => lots().getByRole('row').count()).toBe(11);
  await page.getByLabel('Lot size').focus();
  await typeSlowly(page, '1000');
  // ISO 2859-1:1999, tables 1 and 2-A: 1,000 at II is J, 80 with Ac 2 at 1.0.
  await page.getByText('Inspect 80: accept with up to 2 bad, reject from 3 (normal inspection)').waitFor();
  await page.getByText('Table 2-A, AQL 1, letter J: sample of 80, Ac 2, Re 3.').waitFor();
});

it('approves reduced inspection with a reason, and withdraws it', async () => {
  await page.getByRole('button', { name: 'Approve reduced inspection' }).press('Enter');
  const form = page.getByRole('form', { name: 'Approve reduced inspection' });
  await form.waitFor();
  await page.keyboard.press('Enter');
  await form
    .getByText(/Say why/)
    .first()
    .waitFor();
  await typeSlowly(page, 'Steady for ten lots.');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The next lot: reduced inspection' }).waitFor();
  // Table 2-C: letter J at 1.0 is 32 with Ac 1.
  await page.getByText('Inspect 32: accept with up to 1 bad, reject from 2 (reduced inspection)').waitFor();
  await lots().getByText('Steady for ten lots.').waitFor();
  await lots().getByText('Now reduced inspection: the switching score reached 30').waitFor();
  await expect.poll(() => stateOf('bolt')).toMatchObject({ severity: 'reduced' });

  await page.getByRole('button', { name: 'Withdraw reduced inspection' }).press('Enter');
  await page.getByRole('form', { name: 'Withdraw reduced inspection' }).waitFor();
  await typeSlowly(page, 'New mould.');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The next lot: normal inspection' }).waitFor();
  await lots().getByText('the approval of reduced inspection was withdrawn').waitFor();
});

it('resumes on tightened inspection what was discontinued', async () => {
  await goTo(page, `/app/inspection/sampling?part=${made.nut}&size=1000`);
  await page
    .getByText(/^Sampling of these lots is discontinued/)
    .first()
    .waitFor();
  await lots()
    .getByText(/^Now tightened inspection: two of five or fewer/)
    .waitFor();
  await page.getByRole('button', { name: 'Resume: the supplier has acted' }).press('Enter');
  await page.getByRole('form', { name: 'Resume: the supplier has acted' }).waitFor();
  await typeSlowly(page, 'Die replaced.');
  await page.keyboard.press('Enter');
  // Tightened with nothing in a row is also what was on the screen before; only the server tells when it is done.
  await expect.poll(() => stateOf('nut')).toMatchObject({ severity: 'tightened', is_discontinued: false });
  await page.getByRole('heading', { name: 'The next lot: tightened inspection' }).waitFor();
});

it('is reached from an inspection, and reads well in German and in the dark', async () => {
  const german = await app.open({ language: 'de' });
  await german.emulateMedia({ colorScheme: 'dark' });
  await goTo(german, `/app/inspection/${made['of bolt-1']}`);
  await german.getByRole('link', { name: 'Stichproben' }).press('Enter');
  await german.getByRole('heading', { name: 'Das nächste Los: normale Prüfung' }).waitFor();
  await german.getByText('Steady for ten lots.').waitFor();
  expect(await axeFindings(german)).toEqual([]);
  await german.context().close();
});
