import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverMessage } from '../../../renderer/i18n/server-messages.ts';
import { readMachinePolicy, registryValues } from '../../../server/app/machine-policy.ts';
import { writeEnrolmentCode } from '../../../shared/contract/enrolment-code.ts';
import { MACHINE_POLICY_NAMES, parseMachinePolicy } from '../../../shared/contract/machine-policy.ts';

const CODE = writeEnrolmentCode({ secret: 'A'.repeat(24), fingerprint: null });
const NOBODY = 65_534;
/** Only root can make a file that is root's. */
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-policy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (path: string) => {
  const read = readMachinePolicy({ HOLDPOINT_POLICY: path }, 'linux');
  // Each fault is said in German too.
  for (const fault of read.faults)
    expect(serverMessage(fault, 'de', word => word)).not.toContain('auf Englisch');
  return read;
};

function write(text: string, mode = 0o644): string {
  const path = join(folder, 'policy.json');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe.skipIf(!isRoot)('a policy file', () => {
  it('of root is in force, and a fault of one setting leaves the others', () => {
    const path = write(
      JSON.stringify({ central: 'https://c.example:4870', port: 4999, colour: 'red', updates: 'no' }),
    );
    expect(at(path)).toEqual({
      source: path,
      settings: { central: 'https://c.example:4870', port: 4999 },
      faults: [
        `colour is not known. Known are: ${MACHINE_POLICY_NAMES.join(', ')}.`,
        'updates="no" cannot be used. Give on or off.',
      ],
    });
  });

  it('says of hours, a language and a printer that cannot be used what they may be', () => {
    const wrong = { update_window: '22-05', language: 'fr', printer: 'socket://labels.example:22' };
    const { settings, faults } = at(write(JSON.stringify(wrong)));
    expect(settings).toEqual({});
    expect(faults).toEqual([
      'update_window="22-05" cannot be used. Give two times of day, such as 22:00-05:00.',
      'language="fr" cannot be used. Give en or de.',
      'printer="socket://labels.example:22" cannot be used. Give the name of a printer, or socket://host:port with one of the ports 9100, 9101, 9102, 9103, 6101 and, where it is not 203, ?dpi=300.',
    ]);
    expect(at(write(JSON.stringify({ update_window: '22:00-22:00' }))).faults).toHaveLength(1);
    const right = { update_window: '22:00-05:00', language: 'de', printer: 'Zebra ZD421' };
    expect(at(write(JSON.stringify(right)))).toMatchObject({ settings: right, faults: [] });
  });

  it('that others may write, or replace, is not in force', () => {
    const text = JSON.stringify({ port: 4999 });
    for (const mode of [0o664, 0o646, 0o666]) {
      const read = at(write(text, mode));
      expect([read.settings, read.faults[0]]).toEqual([
        {},
        expect.stringContaining('Others than root may write it'),
      ]);
    }
    const path = write(text);
    chownSync(path, NOBODY, NOBODY);
    expect(at(path).settings).toEqual({});
    chownSync(path, 0, 0);
    expect(at(path).settings).toEqual({ port: 4999 });
    chmodSync(folder, 0o777);
    expect([at(path).settings, at(path).faults[0]]).toEqual([
      {},
      expect.stringContaining(`Others than root may write in ${folder}`),
    ]);
    chmodSync(folder, 0o755);
    chownSync(folder, NOBODY, NOBODY);
    expect(at(path).settings).toEqual({});
  });

  it('is none behind a link of somebody else’s', () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    const path = join(own, 'policy.json');
    writeFileSync(path, '{"port": 4999}');
    chownSync(path, NOBODY, NOBODY);
    const link = join(folder, 'link.json');
    symlinkSync(path, link);
    expect(at(link).settings).toEqual({});
  });

  it('gives its code only where not everybody may read it, and no fault says it', () => {
    const text = JSON.stringify({ enrolment_code: CODE, port: 4999 });
    const open = at(write(text));
    expect([open.settings, open.faults]).toEqual([
      { port: 4999 },
      [expect.stringContaining('everybody may read it')],
    ]);
    expect(at(write(text, 0o640)).settings).toEqual({ enrolment_code: CODE, port: 4999 });
    const wrong = at(write(JSON.stringify({ enrolment_code: `${CODE.slice(0, -1)}?` }), 0o600));
    expect(wrong.settings).toEqual({});
    expect(wrong.faults.join()).not.toContain('AAAA');
  });

  it('that is no JSON object, or no file, is told', () => {
    expect(at(write('{')).faults[0]).toContain('cannot be read');
    expect(at(write('[]')).faults).toEqual(['It is no JSON object.']);
    expect(at(folder).faults).toEqual(['It is no file.']);
    expect(at(join(folder, 'none.json'))).toEqual({ source: null, settings: {}, faults: [] });
  });
});

describe('the registry', () => {
  it('is read as reg prints it', () => {
    const output = [
      '',
      'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Holdpoint',
      '    central    REG_SZ    https://central.example:4870',
      '    station_name    REG_SZ    Dock 2, hall 3',
      '    port    REG_DWORD    0x1306',
      '    keeps_running    REG_DWORD    0x1',
      '    starts_at_login    REG_DWORD    0x0',
      '',
    ].join('\r\n');
    expect(parseMachinePolicy(registryValues(output))).toEqual({
      settings: {
        central: 'https://central.example:4870',
        station_name: 'Dock 2, hall 3',
        port: 4870,
        keeps_running: true,
        starts_at_login: false,
      },
      faults: [],
    });
  });
});
