import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capability } from '../../shared/statistics/capability.ts';
import { individualsChart } from '../../shared/statistics/individuals-chart.ts';
import { nelsonRules } from '../../shared/statistics/nelson-rules.ts';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { pickOption } from './support/keys.ts';

let app: App;
let page: Page;

/** Means of two samples each: a bore that grows from lot to lot, and jumps at the last. */
const BORES: readonly (readonly [number, number])[] = [
  [12.01, 11.99],
  [12.02, 12.0],
  [11.98, 12.0],
  [12.03, 12.01],
  [12.04, 12.02],
  [12.05, 12.05],
  [12.07, 12.05],
  [12.08, 12.08],
  [12.1, 12.08],
  [12.11, 12.11],
  [12.13, 12.11],
  [12.31, 12.29],
];
const MEANS = BORES.map(([one, other]) => (one + other) / 2);
/** Only an upper limit; values without a pattern. */
const BURRS = [0.11, 0.13, 0.1, 0.12, 0.14, 0.1, 0.13, 0.11, 0.12, 0.1, 0.13, 0.12];
/** The tolerance of the bore is narrowed from this lot on. */
const NARROWED = 6;
/** A spreadsheet would work this out. */
const FORMULA = '=1+2';

const made = { part: 0, single: 0, supplier: 0, lots: [] as number[] };

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterAll(async () => {
  await app?.close();
});

async function fill(station: Station): Promise<void> {
  const create = async (path: string, body: unknown) => {
    const answer = await station.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return (answer.body as { data: { id: number } }).data.id;
  };
  const change = async (path: string, body: unknown) => {
    const answer = await station.put(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  made.supplier = await create('/suppliers', { name: 'Harbour Bearings' });
  made.part = await create('/parts', { name: 'Bush', identification: 'BU-12', unit_of_measure: 'units' });
  made.single = await create('/parts', { name: 'Ring', identification: 'RI-1', unit_of_measure: 'units' });
  const bore = { name: 'Bore', dimensions: '12 mm', tolerance: '±0.4' };
  const burr = { name: 'Burr', tolerance: 'max 0.2 mm' };
  const template = await create('/x/specifications', { name: 'Bush', characteristics: [bore, burr] });

  const inspect = async (part: number, lot: number, samples: readonly (readonly number[])[]) => {
    const inspection = await create('/inspections', {
      entity_id: part,
      drawing_id: template,
      inventory_id: lot,
      sample_size: samples.length,
    });
    const { body } = await station.get(`/x/inspections/${inspection}`);
    const { data } = body as { data: { samples: { id: number; results: { id: number }[] }[] } };
    for (const [at, sample] of data.samples.entries()) {
      const results = sample.results.map(({ id }, place) => ({ id, value: samples[at]?.[place] }));
      await change(`/inspections/${inspection}/samples/${sample.id}`, { results });
    }
  };
  const receive = async (part: number, serial: string) => {
    const receipt = await create('/receiving-inspections', {
      supplier_id: made.supplier,
      actual_arrival_date: '2026-01-15',
    });
    const { body } = await station.post(`/receiving-inspections/${receipt}/items`, {
      part_id: part,
      serial_number: serial,
      quantity_accepted: 90,
      quantity_rejected: 10,
      unit_of_measure: 'EA',
      cost: 2.5,
      expiry_date: '2032-05-31',
    });
    return (body as { data: { inventory_id: number } }).data.inventory_id;
  };
  for (const [at, [one, other]] of BORES.entries()) {
    if (at === NARROWED)
      await change(`/x/specifications/${template}`, {
        characteristics: [{ ...bore, tolerance: '±0.2' }, burr],
      });
    const lot = await receive(made.part, at === 0 ? FORMULA : `B-${at + 1}`);
    made.lots.push(lot);
    const burrOf = BURRS[at] ?? 0;
    await inspect(made.part, lot, [
      [one, burrOf],
      [other, burrOf],
    ]);
  }
  await inspect(made.single, await receive(made.single, 'R-1'), [[12, 0.1]]);
  const cause = await create('/x/error-codes', { name: 'Worn drill' });
  await create('/ncrs', { ncr_number: 'N-1', source: 'supplier', part_id: made.part, error_code_id: cause });
  await create('/ncrs', { ncr_number: 'N-2', source: 'internal', part_id: made.part });
}

async function open(query: string, on = page): Promise<void> {
  await goTo(on, `/app/charts?${query}`);
  await on.getByRole('heading', { level: 1, name: /^(Charts|Diagramme)$/ }).waitFor();
}

const openBore = async (on = page, by = 'lot-mean') => {
  await open(`view=characteristic&part=${made.part}&characteristic=Bore&by=${by}`, on);
  await on.locator('[data-drawing=ranges] .chart-point').first().waitFor();
};

/** From heights in a drawing to values, by two ticks of its axis as a reader takes them. */
async function scaleOf(drawing: Locator): Promise<(y: number) => number> {
  const ticks = await drawing
    .locator('.recharts-yAxis-tick-labels text, .recharts-yAxis text')
    .evaluateAll(texts =>
      texts
        .map(text => ({ y: Number(text.getAttribute('y')), value: Number(text.textContent) }))
        .filter(({ value }) => Number.isFinite(value)),
    );
  const [low, high] = [ticks[0], ticks.at(-1)];
  if (!low || !high || low.y === high.y) throw new Error(`No ticks to read: ${JSON.stringify(ticks)}`);
  return y => low.value + ((y - low.y) / (high.y - low.y)) * (high.value - low.value);
}

const marksOf = (drawing: Locator) =>
  drawing.locator('.chart-point').evaluateAll(points =>
    points.map(point => {
      const mark = point.querySelector('.mark');
      const side = Number(mark?.getAttribute('height') ?? 0);
      return {
        index: Number(point.getAttribute('data-index')),
        y: Number(mark?.getAttribute('cy') ?? Number(mark?.getAttribute('y')) + side / 2),
        rules: point.getAttribute('data-rules') ?? '',
        words: point.querySelector('text')?.textContent ?? '',
        isOutside: mark?.tagName === 'rect',
        hasDiamond: point.querySelector('.mark-rule') !== null,
      };
    }),
  );

/** Heights of a line, from the left. */
const heightsOf = (drawing: Locator, name: string) =>
  drawing.locator(`[data-limit=${name}]`).evaluate(path =>
    (path.getAttribute('d') ?? '').split(/[ML]/).flatMap(point => {
      const [, y] = point.trim().split(' ');
      return y === undefined ? [] : [Number(y)];
    }),
  );

describe('the chart of a drifting characteristic', () => {
  const { chart } = individualsChart(MEANS);
  if (!chart) throw new Error('The planted values make no chart.');
  const findings = nelsonRules(chart);
  beforeAll(() => openBore());

  it('is planted with a drift that rules find', () => {
    expect(findings.map(({ rule }) => rule)).toEqual([1, 3, 5, 6]);
    expect(chart.rangesBeyond).toEqual([11]);
  });

  it('draws every point, range and limit where they are worked out to be', async () => {
    const individuals = page.locator('[data-drawing=individuals]');
    const valueAt = await scaleOf(individuals);
    const marks = await marksOf(individuals);
    expect(marks).toHaveLength(MEANS.length);
    for (const { index, y } of marks) expect(valueAt(y)).toBeCloseTo(MEANS[index] ?? Number.NaN, 3);
    for (const [name, value] of [
      ['upper', chart.upper],
      ['centre', chart.centre],
      ['lower', chart.lower],
    ] as const) {
      for (const y of await heightsOf(individuals, name)) expect(valueAt(y)).toBeCloseTo(value, 3);
    }
    const ranges = page.locator('[data-drawing=ranges]');
    const rangeAt = await scaleOf(ranges);
    const drawn = await marksOf(ranges);
    expect(drawn.map(({ index }) => index)).toEqual(MEANS.map((_, index) => index).slice(1));
    for (const { index, y } of drawn) expect(rangeAt(y)).toBeCloseTo(chart.ranges[index] ?? Number.NaN, 3);
    const [upperRange = 0] = await heightsOf(ranges, 'upper');
    expect(rangeAt(upperRange)).toBeCloseTo(chart.upperRange, 3);
  });

  it('shows specification limits as they changed, apart from control limits by dash and colour', async () => {
    const individuals = page.locator('[data-drawing=individuals]');
    const valueAt = await scaleOf(individuals);
    const upper = (await heightsOf(individuals, 'specUpper')).map(valueAt);
    expect(upper.map(value => value.toFixed(2))).toEqual(['12.40', '12.40', '12.20', '12.20']);
    const looks = (name: string) =>
      individuals.locator(`[data-limit=${name}]`).evaluate(path => {
        const { stroke, strokeDasharray } = getComputedStyle(path);
        return { stroke, strokeDasharray };
      });
    const [spec, control] = [await looks('specUpper'), await looks('upper')];
    expect(spec.strokeDasharray).toBe('none');
    expect(control.strokeDasharray).not.toBe('none');
    expect(spec.stroke).not.toBe(control.stroke);
    await page.getByText('The specification changed: from =1+2 on 11.6 to 12.4 mm').waitFor();
  });

  it("marks the points that break Nelson's rules, by shape and number, and says so in words", async () => {
    const marks = await marksOf(page.locator('[data-drawing=individuals]'));
    for (const { index, rules, hasDiamond } of marks) {
      const broken = findings.filter(({ points }) => points.includes(index)).map(({ rule }) => rule);
      expect(rules).toBe(broken.join(' '));
      expect(hasDiamond).toBe(broken.length > 0);
    }
    expect(marks.at(-1)).toMatchObject({ isOutside: true, words: marks.at(-1)?.rules });
    const ranges = await marksOf(page.locator('[data-drawing=ranges]'));
    expect(ranges.filter(({ hasDiamond }) => hasDiamond)).toMatchObject([{ index: 11, words: '1' }]);
    const told = await page
      .getByRole('listitem')
      .filter({ hasText: /^Rule 1 \(/ })
      .innerText();
    expect(told).toContain('B-12');
    await page.getByText('Moving range, rule 1 (above its control limit): B-12.').waitFor();
    await page.getByText('Outside the specification: B-12.').waitFor();
  });

  it('says how many points there are, what one is, and how capable the process is', async () => {
    await page.getByText('n = 12 lots: of each, the mean of its samples').waitFor();
    const { cp, cpk, pp, ppk } = capability(MEANS, { lower: 11.8, upper: 12.2 });
    for (const [name, value] of Object.entries({ Cp: cp, Cpk: cpk, Pp: pp, Ppk: ppk })) {
      await expect.poll(() => page.locator(`[data-index-value=${name}]`).innerText()).toBe(value?.toFixed(2));
    }
  });

  it('is gone through by arrow keys, and Enter opens the lot', async () => {
    await page.getByRole('radio', { name: 'a lot: the mean of its samples' }).focus();
    await page.keyboard.press('Tab');
    await page.locator('[role=application]:focus').waitFor({ state: 'attached' });
    const reading = page.getByRole('status').filter({ hasText: 'Point' });
    await reading.filter({ hasText: 'Point 12 of 12: B-12, 12.300 mm' }).waitFor();
    await reading.filter({ hasText: "Outside the specification. Breaks Nelson's rule 1" }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await reading.filter({ hasText: 'Point 11 of 12: B-11, 12.120 mm' }).waitFor();
    await page.keyboard.press('Home');
    await reading.filter({ hasText: 'Point 1 of 12: =1+2, 12.000 mm' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/stock/${made.lots[1]}`);
    await page.goBack();
    await page.locator('[data-drawing=ranges] .chart-point').first().waitFor();
  });

  it('can be taken along as a table in CSV, with every digit and no formulas', async () => {
    const text = await saved('Table (CSV)', 'Bore.csv');
    expect(text.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const lines = text.toString('utf8').slice(1).trimEnd().split('\r\n');
    expect(lines[0]).toBe('No.,Lot,When,Value [mm],Mean of,Moving range,Specification,Rules broken');
    expect(lines[1]).toMatch(/^1,'=1\+2,\d{4}-[^,]+,12,2,,within,$/);
    expect(lines[12]).toMatch(/^12,B-12,[^,]+,12\.3,2,0\.18,outside,1;/);
    expect(lines).toHaveLength(13);
  });

  it('shows the table with its numbers in the page', async () => {
    await page.getByRole('button', { name: 'Show tables' }).focus();
    await page.keyboard.press('Enter');
    const rows = page.getByRole('table', { name: /Bore · Bush/ }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(12);
    await expect.poll(() => rows.last().innerText()).toMatch(/B-12.*12\.3.*outside/s);
    await page.getByRole('button', { name: 'Hide tables' }).press('Enter');
  });

  it('can be taken along as a picture: on white, twice as sharp, and not empty', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'dark'));
    const box = await page.locator('[data-drawing=individuals] svg').first().boundingBox();
    const png = await saved('Picture (PNG)', 'Bore.png');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(Math.floor((box?.width ?? 0) + 32) * 2);
    expect(png.readUInt32BE(20)).toBeGreaterThan((box?.height ?? 0) * 2);
    const { corner, inks } = await page.evaluate(async base64 => {
      const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      pen?.drawImage(image, 0, 0);
      const data = pen?.getImageData(0, 0, image.width, image.height).data ?? [];
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const ink = [data[at], data[at + 1], data[at + 2], data[at + 3]].join(' ');
        counts.set(ink, (counts.get(ink) ?? 0) + 1);
      }
      return { corner: [...data.slice(0, 4)], inks: Object.fromEntries(counts) };
    }, png.toString('base64'));
    expect(corner).toEqual([255, 255, 255, 255]);
    // The blue of the points, the red of the specification and the words, as they are on paper.
    for (const ink of ['15 90 148 255', '176 0 32 255', '33 37 41 255'])
      expect(inks[ink]).toBeGreaterThan(100);
    await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'));
  });

  it('takes another choice of what a point is, and keeps it in the address', async () => {
    await page.getByRole('radio', { name: 'a lot: the mean of its samples' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByText('n = 24 single samples').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('by')).toBe('sample');
    await expect.poll(() => page.locator('[data-drawing=individuals] .chart-point').count()).toBe(24);
  });
});

describe('what there is too little of', () => {
  it('gives only Cpk and Ppk with one limit', async () => {
    await open(`view=characteristic&part=${made.part}&characteristic=Burr&by=first`);
    await page.getByText('Only one limit is given, so there is no Cp and no Pp.').waitFor();
    await expect.poll(() => page.locator('[data-index-value=Cp]').innerText()).toBe('–');
    const { cpk } = capability(BURRS, { lower: null, upper: 0.2 });
    await expect.poll(() => page.locator('[data-index-value=Cpk]').innerText()).toBe(cpk?.toFixed(2));
    await page.getByText("None of Nelson's eight rules is broken").waitFor();
    await expect.poll(() => page.locator('[data-limit=specLower]').count()).toBe(0);
  });

  it('says that one point has no control limits', async () => {
    await open(`view=characteristic&part=${made.single}&characteristic=Bore`);
    await page.getByText('There are too few points for control limits').waitFor();
    await page.getByText('Too few points: two values in a row are needed.').waitFor();
    await expect.poll(() => page.locator('[data-limit=upper]').count()).toBe(0);
  });

  it('finds a part and its first characteristic by keyboard alone', async () => {
    await open('');
    await page.getByText('Choose a part').waitFor();
    await page.getByRole('textbox', { name: 'Part' }).focus();
    await page.keyboard.type('Bush');
    await pickOption(page, /Bush/);
    await page.getByRole('heading', { level: 2, name: /Bore · Bush/ }).waitFor();
  });
});

describe('figures over all records', () => {
  it('are worked out while the page can be used, and it says so', async () => {
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route('**/x/figures/stock-value*', async route => {
      await held;
      await route.continue();
    });
    await open('view=stock');
    await page.getByRole('status').filter({ hasText: 'The figures are being worked out' }).waitFor();
    await page.getByRole('tab', { name: 'Stock value' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { level: 2, name: 'NCRs by cause' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    release();
    await page.getByRole('heading', { level: 2, name: 'Stock value by month of expiry' }).waitFor();
    await page.unroute('**/x/figures/stock-value*');
  });

  it('show the value of the stock and when it expires, as the interface says', async () => {
    await page.getByText('Today: 2,925.00 in 13 lots').waitFor();
    const text = (
      await saved('Table (CSV): Stock value by month of expiry', 'stock-value-by-expiry.csv')
    ).toString();
    expect(text.split('\r\n')[1]).toBe('2032-05,2925,13');
  });

  it('show non-conformances by cause and supplier, those not closed apart', async () => {
    await open('view=ncrs');
    await page.getByText('2 reports, 2 not closed.').waitFor();
    const text = (await saved('Table (CSV): NCRs by cause', 'ncrs-by-cause.csv')).toString();
    expect(text.split('\r\n').slice(1).toSorted()).toEqual(['', 'No cause named,1,1,0', 'Worn drill,1,1,0']);
    const png = await saved('Picture (PNG): NCRs by cause', 'ncrs-by-cause.png');
    expect(png.length).toBeGreaterThan(5_000);
  });

  it("show suppliers' accepted share with how many lines it is of", async () => {
    await open('view=suppliers');
    await page.getByText('90% (13 lines)').waitFor();
    const text = (await saved('Table (CSV)', 'suppliers.csv')).toString();
    expect(text.split('\r\n')[1]).toBe('Harbour Bearings,0.9,13,13,13,1170 + 130 EA,0,0');
  });
});

describe('for everybody', () => {
  // The other views are judged with all pages.
  it('has no faults that axe finds', async () => {
    await page.evaluate(() => localStorage.setItem('holdpoint.charts.table', 'true'));
    await open(`view=characteristic&part=${made.part}`);
    await page.locator('figure table').first().waitFor();
    for (const scheme of ['light', 'dark']) {
      await page.evaluate(
        wanted => document.documentElement.setAttribute('data-mantine-color-scheme', wanted),
        scheme,
      );
      expect(await axeFindings(page, scheme === 'dark' ? COLOURS : undefined), scheme).toEqual([]);
    }
  });

  it('has caused no fault', () => {
    expect(app.faults).toEqual([]);
  });
});

/** What a button gives to keep, as the bytes that arrive. */
async function saved(button: string, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).first().press('Enter'),
  ]);
  expect(download.suggestedFilename()).toBe(name);
  return readFile(await download.path());
}
