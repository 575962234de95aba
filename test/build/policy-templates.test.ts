import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { config } from '../../build/electron-builder.config.ts';
import { policyTemplates } from '../../build/policy-templates.ts';
import { registryValues } from '../../server/app/machine-policy.ts';
import { writeEnrolmentCode } from '../../shared/contract/enrolment-code.ts';
import { MACHINE_POLICY_NAMES, parseMachinePolicy } from '../../shared/contract/machine-policy.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'build', 'policy');
/** No package brings a PIN that everybody could read in it. */
const PIN = `scrypt$17$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const CODE = writeEnrolmentCode({ secret: 'A'.repeat(24), fingerprint: null });
const templates = policyTemplates();
const hasPython = spawnSync('python3', ['--version']).status === 0;
const text = (name: string) => String(templates[name]);

/** With Python's own readers, which read neither as we write it. */
function python(program: string, input: string): string {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

describe('the templates of the policy', () => {
  it('are those that lie in build/policy, and every package brings them', () => {
    for (const [name, content] of Object.entries(templates))
      expect(readFileSync(join(FOLDER, name), 'utf8'), name).toBe(content);
    expect(config.extraResources).toContainEqual({ from: 'build/policy', to: 'policy' });
  });

  it('of Linux are a policy once there is a code', () => {
    const example = { ...JSON.parse(text('linux/policy.json')), enrolment_code: CODE, kiosk_pin: PIN };
    expect(parseMachinePolicy(example)).toEqual({ settings: example, faults: [] });
    expect(Object.keys(example)).toEqual(MACHINE_POLICY_NAMES);
  });

  it.skipIf(!hasPython)('of macOS are a profile whose settings are a policy', () => {
    const program =
      'import sys,plistlib,json;print(json.dumps(plistlib.loads(sys.stdin.buffer.read())["PayloadContent"][0]))';
    const { enrolment_code: _code, ...payload } = JSON.parse(
      python(program, text('macos/holdpoint.mobileconfig')),
    );
    const given = Object.fromEntries(Object.entries(payload).filter(([name]) => !name.startsWith('Payload')));
    expect(parseMachinePolicy({ ...given, enrolment_code: CODE, kiosk_pin: PIN }).faults).toEqual([]);
    expect(payload.PayloadType).toBe(config.appId);
  });

  it.skipIf(!hasPython)(
    'of Windows name every setting, write what is read, and have every text in both languages',
    () => {
      const program = [
        'import sys,re,json,xml.etree.ElementTree as E',
        'root=E.fromstring(sys.stdin.buffer.read())',
        "find=lambda tag:[e for e in root.iter() if e.tag.endswith('}'+tag)]",
        "print(json.dumps({'policies':[[e.get('name'),e.get('key')] for e in find('policy')],",
        "'values':[e.get('valueName') for e in root.iter() if e.get('valueName')],",
        "'strings':[e.get('id') for e in find('string') if e.get('id')],",
        "'presentations':[e.get('id') for e in find('presentation')],",
        "'refs':sorted(set(re.findall(r'\\$\\((string|presentation)\\.(\\w+)\\)',E.tostring(root,'unicode'))))}))",
      ].join('\n');
      const read = (name: string) => JSON.parse(python(program, text(name)));
      const definitions = read('windows/Holdpoint.admx');
      expect(definitions.policies).toEqual(
        MACHINE_POLICY_NAMES.map(name => [name, 'SOFTWARE\\Policies\\Holdpoint']),
      );
      expect(definitions.values).toEqual(MACHINE_POLICY_NAMES);
      for (const language of ['en-US', 'de-DE']) {
        const { strings, presentations } = read(`windows/${language}/Holdpoint.adml`);
        for (const [kind, id] of definitions.refs)
          expect(kind === 'string' ? strings : presentations, `${language} ${id}`).toContain(id);
      }
      // As the editor of group policies writes a flag that is enabled, and one that is disabled.
      const written = '    keeps_running    REG_DWORD    0x1\r\n    starts_at_login    REG_DWORD    0x0\r\n';
      expect(registryValues(written)).toEqual({ keeps_running: true, starts_at_login: false });
    },
  );
});
