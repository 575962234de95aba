import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';

/**
 * `node test/proof/set-policy.ts NAME=VALUE…`, as an administrator: what the machine's policy is from now on, where each system
 * has it. true, false and numbers are such.
 */
const settings = Object.fromEntries(
  process.argv.slice(2).map(setting => {
    const at = setting.indexOf('=');
    const value = setting.slice(at + 1);
    return [setting.slice(0, at), /^(true|false|\d+)$/.test(value) ? JSON.parse(value) : value];
  }),
);

if (process.platform === 'win32') {
  const key = 'HKLM\\SOFTWARE\\Policies\\Holdpoint';
  spawnSync('reg', ['delete', key, '/f']);
  for (const [name, value] of Object.entries(settings)) {
    const isText = typeof value === 'string';
    run('reg', [
      'add',
      key,
      '/v',
      name,
      '/t',
      isText ? 'REG_SZ' : 'REG_DWORD',
      '/d',
      String(isText ? value : Number(value)),
      '/f',
    ]);
  }
} else if (process.platform === 'darwin') {
  mkdirSync('/Library/Managed Preferences', { recursive: true });
  const file = '/Library/Managed Preferences/io.holdpoint.station.plist';
  writeFileSync(file, JSON.stringify(settings));
  run('plutil', ['-convert', 'binary1', file]);
} else {
  mkdirSync('/etc/holdpoint', { recursive: true });
  // A code in it is for who runs the app, and for nobody else.
  const file = '/etc/holdpoint/policy.json';
  writeFileSync(file, JSON.stringify(settings));
  chownSync(file, 0, Number(process.env.SUDO_GID ?? 0));
  chmodSync(file, 0o640);
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}
