import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { pdfText } from './pdf-text.ts';

/** Documents and labels as a client gets them. */
describe('paper over HTTP', () => {
  const station = new Station({ isHere: true });
  let ids = { part: 0, receipt: 0, line: 0, lot: 0 };
  beforeAll(async () => {
    await station.start();
    const part = await created('/parts', {
      name: 'Hex bolt',
      identification: 'HB-8',
      unit_of_measure: 'units',
    });
    const items = [{ part_id: part, serial_number: 'L-1', quantity_accepted: 5, unit_of_measure: 'EA' }];
    const receipt = await created('/receiving-inspections', { po_number: 'PO-1', items });
    const { body } = await station.get(`/receiving-inspections/${receipt}`);
    const [line] = (body as { data: { items: { id: number; inventory_id: number }[] } }).data.items;
    ids = { part, receipt, line: line?.id ?? 0, lot: line?.inventory_id ?? 0 };
  });
  afterAll(() => station.stop());

  async function created(path: string, body: object): Promise<number> {
    const answer = await station.post(path, body);
    return (answer.body as { data: { id: number } }).data.id;
  }

  async function fetched(path: string): Promise<{ response: Response; file: Buffer }> {
    const response = await fetch(`${station.origin}/api/v2${path}`, {
      headers: { Authorization: `Bearer ${station.token}` },
    });
    return { response, file: Buffer.from(await response.arrayBuffer()) };
  }

  it('answers a document as PDF, by the name of who printed it', async () => {
    const { response, file } = await fetched(`/x/paper/receipt/${ids.receipt}?language=de`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toBe(`inline; filename="receipt-${ids.receipt}.pdf"`);
    expect(response.headers.get('content-length')).toBe(String(file.length));
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdfText(file)[0]).toMatch(/Wareneingangsprüfung[\s\S]*Gedruckt von \S+/);
  });

  it('answers labels as PDF, and as text for a printer', async () => {
    const pdf = await fetched(
      `/x/labels/item/${ids.receipt}?line=${ids.line}&symbol=qr&size=100x50&copies=3`,
    );
    expect(pdf.response.headers.get('content-type')).toBe('application/pdf');
    expect(pdfText(pdf.file)).toHaveLength(3);
    const zpl = await fetched(`/x/labels/lot/${ids.lot}?format=zpl&dpi=300`);
    expect(zpl.response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const commands = zpl.file.toString().split('\n');
    expect([commands[0], ...commands.slice(-3)]).toEqual(['^XA', '^PQ1', '^XZ', '']);
    expect(commands.find(command => command.includes('^BX'))).toContain(`^FDinventory:${ids.lot}^FS`);
  });

  it('answers labels of many records in one file, in the order of their ids', async () => {
    const other = Number(
      ((await station.post('/x/locations', { name: 'Bay 9' })).body as { data: { id: number } }).data.id,
    );
    const first = Number(
      ((await station.post('/x/locations', { name: 'Bay 1' })).body as { data: { id: number } }).data.id,
    );
    const pdf = await fetched(`/x/labels/location?ids=${first},${other}&copies=2`);
    expect(pdf.response.headers.get('content-disposition')).toBe('inline; filename="labels-location-2.pdf"');
    const pages = pdfText(pdf.file);
    expect(pages.map(page => /Bay \d/.exec(page)?.[0])).toEqual(['Bay 1', 'Bay 1', 'Bay 9', 'Bay 9']);
    const zpl = await fetched(`/x/labels/lot?ids=${ids.lot}&format=zpl`);
    expect(zpl.file.toString().match(/\^XA/g)).toHaveLength(1);
    const both = await fetched(`/x/labels/location?ids=${other},${first}&format=zpl`);
    expect(both.file.toString().match(/\^FDBay \d/g)).toEqual(['^FDBay 9', '^FDBay 1']);
  });

  it.each<[path: () => string, status: number, message: RegExp]>([
    [() => `/x/labels/lot?ids=${ids.lot},999`, 404, /no lot with the id 999/],
    [() => '/x/labels/lot?ids=a', 422, /ids: "a" is no list of ids/],
    [() => `/x/labels/item?ids=${ids.receipt}`, 422, /kind: "item" is none of: lot, part, location/],
    [() => `/x/labels/lot?ids=${ids.lot},${ids.lot}&copies=101`, 422, /copies: 202 are too many/],
    [() => '/x/paper/receipt/999', 404, /no receipt with the id 999/],
    [() => `/x/paper/invoice/${ids.receipt}`, 422, /document: "invoice" is none of: receipt, /],
    [() => `/x/paper/receipt/${ids.receipt}?language=fr`, 422, /language: "fr" is none of: en, de/],
    [() => `/x/paper/certificate/${ids.lot}`, 409, /The lot L-1 gets no certificate: it has no lab result/],
    [() => '/x/labels/lot/999', 404, /no lot with the id 999/],
    [() => `/x/labels/pallet/${ids.lot}`, 422, /kind: "pallet" is none of: lot, /],
    [() => `/x/labels/lot/${ids.lot}?symbol=ean`, 422, /symbol: /],
    [() => `/x/labels/lot/${ids.lot}?size=1x1`, 422, /size: "1x1" is none of: 50x25, /],
    [() => `/x/labels/lot/${ids.lot}?dpi=72`, 422, /dpi: 72 is none of: 203, 300/],
    [() => `/x/labels/lot/${ids.lot}?copies=201`, 422, /copies: 201 are too many at once. Give at most 200/],
    [() => `/x/labels/lot/${ids.lot}?format=png`, 422, /format: /],
    [() => `/x/labels/item/${ids.receipt}`, 422, /line: Name the line of the receipt by its id/],
    [() => `/x/labels/item/${ids.receipt}?line=999`, 404, /no line with the id 999/],
  ])('refuses case %# with what to do', async (path, status, message) => {
    const answer = await station.get(path());
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status: 'error', message: expect.stringMatching(message) });
  });

  it('prints for many at once, and asks the rest to wait', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => fetched(`/x/labels/lot/${ids.lot}?copies=20`)),
    );
    const statuses = answers.map(({ response }) => response.status);
    expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(16);
    for (const { response } of answers.filter(answer => answer.response.status !== 200)) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    }
    expect((await fetched(`/x/labels/lot/${ids.lot}`)).response.status).toBe(200);
  });
});
