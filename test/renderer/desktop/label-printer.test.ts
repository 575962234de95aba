import { expect, it } from 'vitest';
import {
  addressOf,
  labelPrinterIn,
  printerNameOf,
  toPrinter,
} from '../../../renderer/desktop/label-printer.ts';

const NONE = { to: 'view', network: null };
const network = { host: '10.0.0.7', port: 9100, dpi: 203 };

it.each([
  [{ to: 'network', network }],
  [{ to: 'view', network }],
  [{ to: toPrinter('Zebra: dock 2'), network: null }],
])('the choice %j is kept', choice => {
  expect(labelPrinterIn(JSON.stringify(choice))).toEqual(choice);
});

it.each([
  undefined,
  '',
  'null',
  '{',
  '{"to":"printer:","network":null}',
  '{"to":"fax","network":null}',
  '{"to":"view"}',
  JSON.stringify({ to: 'network', network: { ...network, port: 22 } }),
  JSON.stringify({ to: 'network', network: { ...network, host: 'a b' } }),
  JSON.stringify({ to: 'network', network: { ...network, dpi: 1 } }),
])('%j is no choice: labels are shown', text => {
  expect(labelPrinterIn(text)).toEqual(NONE);
});

it('a printer of this machine is called by its name', () => {
  expect(printerNameOf({ to: toPrinter('Zebra'), network: null })).toBe('Zebra');
  expect(printerNameOf({ to: 'network', network: null })).toBeUndefined();
  expect(addressOf({ host: '10.0.0.7', port: 9100, dpi: 203 })).toBe('10.0.0.7:9100');
});
