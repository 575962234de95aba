import { expect, it } from 'vitest';
import { readPolicyPrinter } from '../../../shared/contract/label-printers.ts';
import { parseMachinePolicy } from '../../../shared/contract/machine-policy.ts';

it('a printer is one of the system by its name, or one in the network by its address', () => {
  expect(readPolicyPrinter('Zebra ZD421')).toEqual({ kind: 'printer', name: 'Zebra ZD421' });
  expect(readPolicyPrinter('socket://labels.example')).toEqual({
    ...{ kind: 'network', host: 'labels.example', port: 9100, dpi: 203 },
  });
  expect(readPolicyPrinter('socket://10.2.0.17:9101/?dpi=300')).toEqual({
    ...{ kind: 'network', host: '10.2.0.17', port: 9101, dpi: 300 },
  });
  expect(readPolicyPrinter('socket://[fe80::1]:6101')).toEqual({
    ...{ kind: 'network', host: 'fe80::1', port: 6101, dpi: 203 },
  });
});

it.each([
  'socket:labels.example',
  'socket://',
  'socket://labels.example:22',
  'socket://labels.example:9100?dpi=600',
  'socket://labels.example:9100/queue',
  'socket://somebody@labels.example',
  'socket://labels example',
  ' ',
  'x'.repeat(201),
])('the policy does not take %j', value => {
  const { settings, faults } = parseMachinePolicy({ printer: value });
  expect([settings, faults]).toEqual([
    {},
    [expect.stringMatching(/^printer=.* cannot be used\. Give the name/)],
  ]);
});
