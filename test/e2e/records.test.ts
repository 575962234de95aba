import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { ADMINISTRATOR, type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { scan, tabTo, typeSlowly } from './support/keys.ts';
import { openMenu } from './support/menu.ts';
import { picture } from './support/picture.ts';

const OTTO = { name: 'Otto Operator', login: 'otto', password: 'staple window river' };

let app: App;
const ids: Record<string, number> = {};

beforeAll(async () => {
  app = await openApp({ fill });
});

afterAll(async () => {
  await app?.close();
});

describe('a list by keyboard', () => {
  it('shows what references are called and goes from row to row, page to page, and into a record', async () => {
    const { page } = app;
    await goTo(page, '/app/records/part');
    await page.getByText('1 to 50 of 61').waitFor();
    // What references are called comes with a call of its own.
    await expect
      .poll(() => page.getByRole('row', { name: /B-060/ }).innerText())
      .toContain('Harbour Fasteners');
    await page.getByLabel('Search').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('PageDown');
    await page.getByText('51 to 61 of 61').waitFor();
    await page.locator('tbody tr:focus', { hasText: 'B-011' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bolt 11' }).waitFor();
    await page.goBack();
    await page.getByText('51 to 61 of 61').waitFor();
  });

  it('finds by a keyword and says when nothing is there', async () => {
    const { page } = app;
    await goTo(page, '/app/records/part');
    await page.getByLabel('Search').focus();
    await typeSlowly(page, 'B-042');
    await page.getByText('1 to 1 of 1').waitFor();
    await typeSlowly(page, 'x');
    await page.getByText('Nothing matches “B-042x”.').waitFor();
  });

  it('leaves Ctrl+K by Escape, with or without a text', async () => {
    const { page } = app;
    for (const text of ['', 'nothing of the kind']) {
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await page.keyboard.insertText(text);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('remembers the columns that were chosen', async () => {
    const { page } = app;
    await goTo(page, '/app/records/part');
    await openMenu(page.getByRole('button', { name: 'Columns' }));
    await page.getByRole('menuitemcheckbox', { name: 'Barcodes' }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Barcodes' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Barcodes' }).waitFor();
  });
});

describe('a list that is put in order', () => {
  it('sorts by the head of a column, and keeps the order in the address', async () => {
    const { page } = app;
    await page.goto(`${app.station.origin}/app/records/part`);
    const head = page.getByRole('columnheader', { name: 'Part number' });
    const first = page.locator('tbody tr').first();
    await first.getByText('B-061').waitFor();
    await head.getByRole('button').press('Enter');
    await first.getByText('B-001').waitFor();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').press('Enter');
    await first.getByText('B-061').waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-identification');
    await page.goBack();
    await first.getByText('B-001').waitFor();
    // A reference would come in the order of ids, which nobody knows.
    const supplier = page.getByRole('columnheader', { name: 'Supplier' });
    expect(await supplier.getByRole('button').count()).toBe(0);
  });

  it('narrows by a field that is chosen, says so in words, exports no more, and forgets it again', async () => {
    const { page } = app;
    await page.goto(`${app.station.origin}/app/records/part`);
    await page.getByText('1 to 50 of 61').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
    await page.getByRole('combobox', { name: 'By what' }).fill('Part number');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('Contains').fill('B-00');
    await page.keyboard.press('Enter');
    await page.getByText('1 to 9 of 9').waitFor();
    const chip = page.getByRole('button', { name: 'Take out the filter “Part number contains “B-00””' });
    expect(await axeFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export what is shown' }).press('Enter'),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(1 + 9);
    await chip.press('Enter');
    await page.getByText('1 to 50 of 61').waitFor();
    await page.goBack();
    await page.getByText('1 to 9 of 9').waitFor();
  });

  it('narrows by a record that is pointed at', async () => {
    const { page } = app;
    await page.goto(`${app.station.origin}/app/records/part`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'By what' }).fill('Parent part');
    await page.getByRole('option', { name: 'Parent part' }).click();
    await page.getByRole('textbox', { name: 'Parent part' }).fill('B-061');
    await page.getByRole('option', { name: /B-061/ }).click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('button', { name: 'Take out the filter “Parent part: Bolt 61”' }).waitFor();
  });

  it('changes many that were chosen at once, and says which were refused and why', async () => {
    const { page } = app;
    await page.goto(`${app.station.origin}/app/records/part?sort=identification`);
    const rows = page.locator('tbody tr');
    await rows.first().getByText('B-001').waitFor();
    await rows.first().focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await page.getByText('2 chosen').waitFor();
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await page.getByRole('button', { name: 'Change them' }).press('Enter');
    await page.getByRole('combobox', { name: 'Which field' }).fill('Density');
    await page.getByRole('option', { name: 'Density', exact: true }).click();
    await page.getByLabel('Density', { exact: true }).fill('-1');
    await page.getByRole('button', { name: 'Set it in 2 records' }).press('Enter');
    await page.getByText('2 were refused, and are still chosen').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change them' }).press('Enter');
    await page.getByRole('combobox', { name: 'Which field' }).fill('Name');
    await page.getByRole('option', { name: 'Name', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bolt of two');
    await page.getByRole('button', { name: 'Set it in 2 records' }).press('Enter');
    await page.getByText('2 records have it now').waitFor();
    await rows.nth(1).getByText('Bolt of two').waitFor();
    await expect.poll(() => rows.filter({ hasText: 'Bolt of two' }).count()).toBe(2);
    for (const [number, name] of ['Bolt 1', 'Bolt 2'].entries())
      expect((await app.station.put(`/parts/${(ids.part ?? 0) + number}`, { name })).status).toBe(200);
  });

  it('keeps a view under a name, and shows it again', async () => {
    const { page } = app;
    await goTo(page, '/app/records/part?sort=name&filter[name][is_null]=false&keyword=B-042');
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Views' }).press('Enter');
    await page.getByText('No view is kept of this list.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Name of this view').and(page.locator(':focus')).waitFor();
    await typeSlowly(page, 'Forties');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Forties', exact: true }).waitFor();
    await picture(page, 'views');
    await page.keyboard.press('Escape');
    await goTo(page, '/app/records/part');
    await page.getByText('1 to 50 of 61').waitFor();
    await page.getByRole('button', { name: 'Views' }).press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Forties', exact: true }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('1 to 1 of 1').waitFor();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('B-042');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('name');
    // "Back" leads to the list as it was before.
    await page.goBack();
    await page.getByText('1 to 50 of 61').waitFor();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Views' }).press('Enter');
    await page.getByRole('button', { name: 'Remove the view Forties' }).press('Enter');
    await page.getByText('No view is kept of this list.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows more at once where somebody sits at a desk', async () => {
    const { page } = app;
    await page.goto(`${app.station.origin}/app/records/part`);
    const row = page.locator('tbody tr').first();
    await row.waitFor();
    const high = (await row.boundingBox())?.height ?? 0;
    await openMenu(page.getByRole('button', { name: 'Columns' }));
    await page.getByRole('menuitemcheckbox', { name: 'Low rows' }).press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(high);
    await openMenu(page.getByRole('button', { name: 'Columns' }));
    await page.getByRole('menuitemcheckbox', { name: 'Low rows' }).press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await row.boundingBox())?.height).toBe(high);
  });
});

describe('a form', () => {
  it('names what is missing at its field and takes the focus there', async () => {
    const { page } = app;
    await goTo(page, '/app/records/complaint/new');
    await page.getByLabel('Complaint number').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Complaint date is missing. Give a date, YYYY-MM-DD.').waitFor();
    await page.locator('input:focus[aria-invalid=true]').waitFor();
  });

  it('makes a record with a reference by scanning, a unit beside the number, and a draft that outlives the page', async () => {
    const { page } = app;
    await goTo(page, '/app/records/order/new');
    await page.getByRole('button', { name: 'Add: Order item' }).focus();
    await page.keyboard.press('Enter');
    const item = page.getByRole('group', { name: 'Order item 1' });
    await item.getByLabel(/^Part/).first().focus();
    await scan(page, 'B-007');
    await expect.poll(() => item.getByLabel(/^Part/).first().inputValue()).toBe('Bolt 7');
    await item
      .getByLabel(/^Quantity/)
      .first()
      .focus();
    const kept = page.waitForResponse(
      response =>
        response.url().includes('/x/drafts') && (response.request().postData() ?? '').includes('12.5'),
    );
    await typeSlowly(page, '12.5');
    await kept;
    await page.reload();
    await page.getByText('This goes on with what you had typed').waitFor();
    await expect
      .poll(() =>
        item
          .getByLabel(/^Quantity/)
          .first()
          .inputValue(),
      )
      .toBe('12.5');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: /Order items \(1\)/ }).waitFor();
    await page.getByRole('cell', { name: '12.5' }).waitFor();
  });

  it('says a refusal of the server at its field', async () => {
    const { page } = app;
    await goTo(page, '/app/records/ncr/new');
    await page.getByLabel('NCR number').focus();
    await typeSlowly(page, 'N-1');
    await page.getByLabel('Source').first().fill('Internal');
    await page.getByRole('option', { name: 'Internal' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText(/"N-1" is taken by the record/).waitFor();
    await page.locator('input:focus[aria-invalid=true]').waitFor();
  });

  it('of a report leaves what quality decides to quality, and says so', async () => {
    const { page, station } = app;
    const other = await app.open({ user: OTTO });
    await goTo(other, '/app/records/ncr/new?disposition=scrap');
    await other.getByText('Status and disposition are decided by quality, after the report.').waitFor();
    await other.getByLabel('NCR number').waitFor();
    const labels = await other.getByRole('form').locator('label').allTextContents();
    expect(labels.filter(label => /Status|Disposition/.test(label))).toEqual([]);
    await other.getByLabel('NCR number').fill('N-2');
    await other.getByLabel('Source').first().fill('Internal');
    await other.getByRole('option', { name: 'Internal' }).waitFor();
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('Enter');
    await other.keyboard.press('Control+s');
    await other.getByRole('heading', { level: 1, name: 'N-2' }).waitFor();
    await other.context().close();

    // Who decides with the report signs it as a change of it is signed.
    expect((await station.put('/x/settings', { is_esignature_required: true })).status).toBe(200);
    await page.goto(`${station.origin}/app/records/ncr/new`);
    await page.getByLabel('NCR number').fill('N-3');
    await page.getByLabel('Source').first().fill('Internal');
    await page.getByRole('option', { name: 'Internal' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const password = page.getByRole('textbox', { name: 'Password' });
    const reason = page.getByRole('textbox', { name: 'Reason for the change' });
    await expect.poll(() => password.count()).toBe(0);
    await expect.poll(() => reason.count()).toBe(0);
    await page.getByRole('combobox', { name: 'Disposition', exact: true }).fill('Rework');
    await page.getByRole('option', { name: 'Rework' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await password.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await reason.fill('Seen on the line.');
    await page.keyboard.press('Control+s');
    // Nothing is missing but the password, and there one is led.
    await password.and(page.locator(':focus')).waitFor();
    await password.fill(ADMINISTRATOR.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'N-3' }).waitFor();
    await page.getByText('Seen on the line.').first().waitFor();
    expect((await station.put('/x/settings', { is_esignature_required: false })).status).toBe(200);
  });

  it('speaks German where the browser does', async () => {
    const page = await app.open({ language: 'de' });
    await goTo(page, '/app/records/complaint/new');
    await page.getByRole('heading', { level: 1, name: 'Neu: Reklamation' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Reklamationsdatum fehlt. Geben Sie ein Datum an.').waitFor();
    await page.context().close();
  });
});

describe('a record', () => {
  it('shows its values, its items, what refers to it, and its history', async () => {
    const { page } = app;
    await goTo(page, `/app/records/specification/${ids.template}`);
    await page.getByRole('heading', { level: 1, name: 'Hex bolt drawing' }).waitFor();
    await page.getByRole('heading', { name: 'Characteristics (1)' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 change, newest first').waitFor();
  });

  it('asks for a reason where a change needs one', async () => {
    const { page } = app;
    await goTo(page, `/app/records/part/${ids.part}`);
    await page.getByRole('heading', { level: 1, name: 'Bolt 1' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Reason for the change').focus();
    await typeSlowly(page, 'drawing changed');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('End');
    await typeSlowly(page, ' long');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Bolt 1 long' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Reason: drawing changed').waitFor();
  });
});

it('reported no fault of a script and nothing against the policy', () => {
  expect(app.faults).toEqual([]);
});

async function fill(station: Station): Promise<void> {
  const make = async (path: string, body: unknown) => {
    const answer = await station.post(path, body);
    expect(answer.status).toBe(201);
    return (answer.body as { data: { id: number } }).data.id;
  };
  const supplier = await make('/suppliers', { name: 'Harbour Fasteners' });
  for (let number = 1; number <= 61; number++) {
    const id = await make('/parts', {
      name: `Bolt ${number}`,
      identification: `B-${String(number).padStart(3, '0')}`,
      unit_of_measure: 'units',
      supplier_id: supplier,
    });
    ids.part ??= id;
  }
  await make('/ncrs', { ncr_number: 'N-1', source: 'internal' });
  await make('/x/users', { is_password_temporary: false, ...OTTO, roles: ['operator'] });
  ids.template = await make('/x/specifications', {
    name: 'Hex bolt drawing',
    identification: 'HB-8-D',
    characteristics: [{ name: 'Length', dimensions: '40 mm', tolerance: '±0.5' }],
  });
}
