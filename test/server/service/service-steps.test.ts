import { describe, expect, it } from 'vitest';
import { stepsTold } from '../../../server/service/carry-out.ts';
import { requireProgramFiles, serviceSteps } from '../../../server/service/service-steps.ts';
import { machineServerPlaces } from '../../../shared/contract/machine-server.ts';

const linux = {
  node: '/opt/holdpoint-server/bin/node',
  program: '/opt/holdpoint-server/dist/server/main.js',
};
const stepsOf = (platform: string, program = linux, there: string[] = []) =>
  serviceSteps(platform, machineServerPlaces(platform, {}), program, path => there.includes(path));

it('on Linux writes a unit for a user of its own, in a sandbox, and starts it', () => {
  const told = stepsTold(stepsOf('linux').install);
  for (const line of [
    'useradd --system --home-dir /var/lib/holdpoint-server --shell /usr/sbin/nologin holdpoint',
    'write /etc/systemd/system/holdpoint-server.service (644):',
    '  ExecStart=/opt/holdpoint-server/bin/node /opt/holdpoint-server/dist/server/main.js run serve',
    '  User=holdpoint',
    '  ProtectSystem=strict',
    '  CapabilityBoundingSet=',
    '  Environment=HOLDPOINT_SERVICE=/run/holdpoint-server/server.json',
    'systemctl restart holdpoint-server',
  ])
    expect(told.split('\n')).toContain(line);
});

it('on Linux only switches on what the package has brought, and leaves that to it', () => {
  const { install, remove } = stepsOf('linux', linux, ['/usr/lib/systemd/system/holdpoint-server.service']);
  expect(stepsTold(install)).toBe('systemctl enable holdpoint-server\nsystemctl restart holdpoint-server\n');
  expect(stepsTold(remove)).toBe('systemctl disable --now holdpoint-server\n');
});

it('on macOS writes a daemon of launchd', () => {
  const program = { node: '/opt/a & b/node', program: '/opt/a & b/main.js' };
  const { install, remove } = stepsOf('darwin', program);
  const plist = install.find(step => 'write' in step);
  expect(plist).toMatchObject({ write: '/Library/LaunchDaemons/io.holdpoint.server.plist', mode: 0o644 });
  const text = String(plist && 'text' in plist && plist.text);
  expect(text).toContain(
    '<array><string>/opt/a &amp; b/node</string><string>/opt/a &amp; b/main.js</string><string>serve</string></array>',
  );
  expect(text).toContain('<key>UserName</key><string>_holdpoint</string>');
  // Decimal, as launchd reads it.
  expect(text).toContain(`<key>Umask</key><integer>${0o027}</integer>`);
  expect(stepsTold(remove)).toMatch(/^launchctl bootout system\/io\.holdpoint\.server\nremove \/Library/);
});

it('on Windows writes what WinSW reads, and closes the folders before anything lies in them', () => {
  const program = {
    node: 'C:\\Program Files\\Holdpoint Server\\bin\\node.exe',
    program: 'C:\\Program Files\\Holdpoint Server\\dist\\server\\main.js',
  };
  const { install } = stepsOf('win32', program);
  const told = stepsTold(install);
  expect(told).toContain('<username>NT AUTHORITY\\LocalService</username>');
  expect(told).toContain(`<arguments>"${program.program}" serve</arguments>`);
  expect(told).toContain('<env name="HOLDPOINT_DATA" value="C:\\ProgramData\\Holdpoint Server\\data" />');
  const at = (text: string) => told.indexOf(text);
  expect(at('/inheritance:r')).toBeGreaterThan(0);
  expect(at('/inheritance:r')).toBeLessThan(at('\\data\\logs'));
  expect(at('sidtype holdpoint-server unrestricted')).toBeLessThan(at('NT SERVICE'));
});

it.each(['linux', 'darwin', 'win32'])('on %s the app looks for exactly what is written', platform => {
  const places = machineServerPlaces(platform, {});
  const [written] = stepsOf(platform).install.flatMap(step =>
    'write' in step && step.write === places.definitions[0] ? [step.text] : [],
  );
  // Linux has it as the folder and the name of the file.
  expect(written).toContain(places.told);
  expect(written).toContain(places.data);
});

describe('on Windows a program is the service only below Program Files', () => {
  const places = machineServerPlaces('win32', {});
  const node = 'C:\\Program Files\\Holdpoint Server\\bin\\node.exe';

  it.each(['C:\\Program Files\\Holdpoint Server\\dist\\server\\main.js', 'c:/program files/other/main.js'])(
    '%s is',
    program => {
      expect(() => requireProgramFiles(places, { node, program })).not.toThrow();
    },
  );

  it.each([
    'C:\\Holdpoint Server\\dist\\server\\main.js',
    'C:\\Program Files (x86)\\Holdpoint Server\\main.js',
    'C:\\Program Files\\..\\Users\\Public\\main.js',
    'D:\\Program Files\\Holdpoint Server\\main.js',
    '\\\\server\\share\\main.js',
    'C:\\Program Files',
  ])('%s is not', path => {
    for (const program of [
      { node, program: path },
      { node: path, program: node },
    ])
      expect(() => requireProgramFiles(places, program)).toThrow(
        `${path} is not below C:\\Program Files: others`,
      );
  });
});
