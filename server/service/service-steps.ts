import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import type { MachineServerPlaces } from '../../shared/contract/machine-server.ts';
import { launchdPlist } from './launchd-plist.ts';
import { systemdUnit } from './systemd-unit.ts';
import { winswXml } from './winsw-xml.ts';

/** What an administrator would do by hand, one after the other; `holdpoint service install --print` shows it. */
export type Step =
  | {
      run: string[] /** Skipped where this succeeds. */;
      unless?: string[] /** Its failure means nothing. */;
      mayFail?: true;
    }
  | { write: string; text: string; mode: number /** A file that is there stays. */; once?: true }
  | { remove: string };

export interface Program {
  /** The Node.js that comes along, and the bundle's `main.js`: whole paths. */
  node: string;
  program: string;
}

export interface ServiceSteps {
  install: Step[];
  /** Data and settings stay. */
  remove: Step[];
  stop: Step[];
  start: Step[];
}

const SETTINGS = '# Settings of the server of this machine, lines NAME=value.\nHOLDPOINT_PORT=4870\n';

/** How the service is installed, removed, stopped and started on a system. */
export function serviceSteps(
  platform: string,
  places: MachineServerPlaces,
  { node, program }: Program,
  isThere: (path: string) => boolean = existsSync,
): ServiceSteps {
  if (platform === 'win32') return windowsSteps(places, { node, program });
  if (platform === 'darwin') return macSteps(places, { node, program });
  return linuxSteps(places, { node, program }, isThere);
}

/**
 * Elsewhere on Windows whoever works at the machine may write, and what is written there would run as the service.
 * @throws AppError `conflict` for a program outside of Program Files
 */
export function requireProgramFiles({ definitions }: MachineServerPlaces, { node, program }: Program): void {
  const programFiles = win32.dirname(win32.dirname(definitions[0]));
  const outside = [node, program].find(path => !isBelow(programFiles, path));
  if (outside === undefined) return;
  throw new AppError(
    'conflict',
    `${outside} is not below ${programFiles}: others than administrators may write there what the service would run. Unpack the archive there.`,
  );
}

function isBelow(folder: string, path: string): boolean {
  const way = win32.relative(folder, path);
  return way !== '' && way.split('\\')[0] !== '..' && !win32.isAbsolute(way);
}

/** Where the package has brought the service, it is only switched on. */
function linuxSteps(
  { service, definitions, settings, data }: MachineServerPlaces,
  { node, program }: Program,
  isThere: (path: string) => boolean,
): ServiceSteps {
  const [unit, ofPackage] = definitions;
  const isPackaged = ofPackage !== undefined && isThere(ofPackage);
  const systemctl = (...words: string[]): Step => ({ run: ['systemctl', ...words] });
  const text = systemdUnit({
    role: 'serve',
    description: 'Holdpoint server',
    documentation: `file://${settings}`,
    node,
    program,
    settings,
    state: service,
    run: service,
    name: service,
  });
  const files: Step[] = [
    {
      run: ['useradd', '--system', '--home-dir', data, '--shell', '/usr/sbin/nologin', 'holdpoint'],
      unless: ['id', 'holdpoint'],
    },
    { run: ['install', '-d', '-o', 'root', '-g', 'holdpoint', '-m', '0750', '/etc/holdpoint'] },
    { run: ['install', '-d', '-o', 'holdpoint', '-g', 'holdpoint', '-m', '0750', data] },
    { write: settings, text: SETTINGS, mode: 0o640, once: true },
    { run: ['chgrp', 'holdpoint', settings] },
    { write: unit, text, mode: 0o644 },
    systemctl('daemon-reload'),
  ];
  return {
    install: [...(isPackaged ? [] : files), systemctl('enable', service), systemctl('restart', service)],
    remove: [
      systemctl('disable', '--now', service),
      ...(isPackaged ? [] : [{ remove: unit }, systemctl('daemon-reload')]),
    ],
    stop: [systemctl('stop', service)],
    start: [systemctl('start', service)],
  };
}

function macSteps(
  { service, definitions, data, told }: MachineServerPlaces,
  { node, program }: Program,
): ServiceSteps {
  const [plist] = definitions;
  const user = '_holdpoint';
  const own = (folder: string, mode: string): Step => ({
    run: ['install', '-d', '-o', user, '-g', user, '-m', mode, folder],
  });
  const parent = (path: string) => path.slice(0, path.lastIndexOf('/'));
  const stop: Step = { run: ['launchctl', 'bootout', `system/${service}`], mayFail: true };
  const start: Step = { run: ['launchctl', 'bootstrap', 'system', plist] };
  return {
    install: [
      {
        run: ['dseditgroup', '-o', 'create', '-i', '387', user],
        unless: ['dseditgroup', '-o', 'read', user],
      },
      {
        run: ['sysadminctl', '-addUser', user, '-UID', '387', '-GID', '387', '-roleAccount'],
        unless: ['id', user],
      },
      { run: ['install', '-d', '-o', 'root', '-g', 'wheel', '-m', '0755', parent(data)] },
      own(data, '0750'),
      own(`${data}/logs`, '0750'),
      own(parent(told), '0755'),
      { write: plist, text: launchdPlist({ label: service, node, program, data, told }), mode: 0o644 },
      stop,
      start,
    ],
    remove: [stop, { remove: plist }, { remove: told }],
    stop: [stop],
    start: [start],
  };
}

/** The places of administrators (S-1-5-32-544), of the system (S-1-5-18), and of the service alone. Everybody (S-1-5-32-545) reads where it is. */
function windowsSteps(
  { service, definitions, data, told }: MachineServerPlaces,
  { node, program }: Program,
): ServiceSteps {
  const [definition] = definitions;
  const wrapper = win32.join(win32.dirname(definition), `${service}.exe`);
  const [top, run] = [win32.dirname(data), win32.dirname(told)];
  const folder = (path: string): Step => ({
    run: ['cmd.exe', '/d', '/c', 'mkdir', path],
    unless: ['cmd.exe', '/d', '/c', 'dir', path],
  });
  const stop: Step = { run: [wrapper, 'stop', definition], mayFail: true };
  const start: Step = { run: [wrapper, 'start', definition] };
  const whole = '(OI)(CI)F';
  const grant = `NT SERVICE\\${service}:(OI)(CI)M`;
  return {
    install: [
      folder(top),
      { run: ['icacls', top, '/setowner', '*S-1-5-32-544', '/T', '/Q'] },
      {
        run: ['icacls', top, '/inheritance:r', '/grant:r', `*S-1-5-32-544:${whole}`, `*S-1-5-18:${whole}`],
      },
      folder(win32.join(data, 'logs')),
      folder(run),
      { write: definition, text: winswXml({ id: service, node, program, data, told }), mode: 0o644 },
      stop,
      { run: [wrapper, 'uninstall', definition], mayFail: true },
      { run: [wrapper, 'install', definition] },
      { run: ['sc.exe', 'sidtype', service, 'unrestricted'] },
      { run: ['icacls', data, '/grant:r', grant] },
      { run: ['icacls', run, '/grant:r', grant, '*S-1-5-32-545:(OI)(CI)RX'] },
      start,
    ],
    remove: [stop, { run: [wrapper, 'uninstall', definition] }, { remove: definition }, { remove: told }],
    stop: [stop],
    start: [start],
  };
}
