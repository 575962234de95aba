import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { serviceSteps } from '../../../server/service/service-steps.ts';
import { machineServerPlaces } from '../../../shared/contract/machine-server.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** What `holdpoint service install` writes there, for a program in a folder with signs that XML reads. */
function fileOf(platform: 'darwin' | 'win32', suffix: string): string {
  const places = machineServerPlaces(platform, {});
  const program = { node: '/a & <b>/node', program: '/a & <b>/main.js' };
  const { install } = serviceSteps(platform, places, program, () => false);
  const [text = ''] = install.flatMap(step =>
    'write' in step && step.write.endsWith(suffix) ? [step.text] : [],
  );
  return text;
}

/** With Python's own readers, which read neither as we write it. */
function read(program: string, input: string): unknown {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe.skipIf(!hasPython)('the files of a service, by readers of their form', () => {
  it('launchd’s is a property list, and each key is one of launchd.plist(5) with a value of its kind', () => {
    const text = fileOf('darwin', '.plist');
    const program = 'import sys,plistlib,json;print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    const { data, told } = machineServerPlaces('darwin', {});
    expect(read(program, text)).toEqual({
      Label: 'io.holdpoint.server',
      ProgramArguments: ['/a & <b>/node', '/a & <b>/main.js', 'serve'],
      EnvironmentVariables: { HOLDPOINT_DATA: data, HOLDPOINT_SERVICE: told },
      UserName: '_holdpoint',
      GroupName: '_holdpoint',
      Umask: 0o027,
      RunAtLoad: true,
      KeepAlive: true,
      ThrottleInterval: 60,
      ExitTimeOut: 60,
      ProcessType: 'Background',
      StandardOutPath: `${data}/logs/server.log`,
      StandardErrorPath: `${data}/logs/server.log`,
    });
  });

  /** WinSW 3, docs/xml-config-file.md and docs/logging-and-error-reporting.md: elements, their attributes, and what may stand in them. */
  const WINSW: Readonly<
    Record<string, { attributes?: Record<string, RegExp>; text?: RegExp; within?: string }>
  > = {
    id: { text: /^[A-Za-z0-9-]+$/ },
    name: { text: /^.{1,256}$/ },
    description: { text: /./ },
    executable: { text: /./ },
    arguments: { text: /^".+" serve$/ },
    env: { attributes: { name: /^HOLDPOINT_[A-Z]+$/, value: /./ } },
    serviceaccount: {},
    username: { text: /^NT AUTHORITY\\(LocalService|NetworkService)$/, within: 'serviceaccount' },
    startmode: { text: /^(Boot|System|Automatic|Manual)$/ },
    onfailure: {
      attributes: { action: /^(restart|reboot|none)$/, delay: /^\d+ ?(secs?|mins?|hours?|days?)$/ },
    },
    stoptimeout: { text: /^\d+ ?(secs?|mins?|hours?|days?)$/ },
    logpath: { text: /./ },
    log: { attributes: { mode: /^(append|reset|ignore|none|roll|roll-by-size|roll-by-time)$/ } },
  };

  it('WinSW’s is XML of elements, attributes and values that its documentation names', () => {
    const text = fileOf('win32', '.xml');
    const program = [
      'import sys,json,xml.etree.ElementTree as E',
      'root=E.fromstring(sys.stdin.buffer.read())',
      'walk=lambda e,p:[[e.tag,p,dict(e.attrib),(e.text or "").strip()]]+[x for c in e for x in walk(c,e.tag)]',
      'print(json.dumps(walk(root,"")))',
    ].join('\n');
    type Element = [tag: string, parent: string, attributes: Record<string, string>, text: string];
    const [root, ...elements] = read(program, text) as Element[];
    expect(root?.slice(0, 3)).toEqual(['service', '', {}]);
    const wrong = elements.filter(([tag, parent, attributes, content]) => {
      const { attributes: known = {}, text: form, within = 'service' } = WINSW[tag] ?? { within: '' };
      const areRight = Object.entries(attributes).every(([name, value]) => known[name]?.test(value));
      return parent !== within || !areRight || (form ? !form.test(content) : content !== '');
    });
    expect(wrong).toEqual([]);
    expect(elements).toContainEqual(['executable', 'service', {}, '/a & <b>/node']);
    // Each once, but for those that may be there several times.
    const tags = elements.map(([tag]) => tag).filter(tag => tag !== 'env' && tag !== 'onfailure');
    expect(tags).toEqual([...new Set(tags)]);
  });
});
