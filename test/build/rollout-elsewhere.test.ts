import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stepsTold } from '../../server/service/carry-out.ts';
import { serviceSteps } from '../../server/service/service-steps.ts';
import { machineServerPlaces } from '../../shared/contract/machine-server.ts';
import { codesIn, expectKnown } from './known-commands.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');
const document = read('rollout-elsewhere.md');
const sections = Object.fromEntries(
  document
    .split(/^## /m)
    .slice(1)
    .map(section => [section.slice(0, section.indexOf('\n')), section]),
);
/** The rows of a section's table, cell by cell, without its head. */
const rowsOf = (name: string) =>
  [...(sections[name] ?? '').matchAll(/^\| (.+) \|$/gm)]
    .slice(1)
    .map(([, row = '']) => row.split(' | ').map(cell => cell.trim()));

describe('docs/rollout-elsewhere.md', () => {
  it.each(['Commands', 'Silent installation', 'A version back', 'Away with it'])(
    'says of each row of "%s" by which line of the checklist it is to be seen, for its system',
    section => {
      const lines = new Map(
        [...read('desktop-proof.md').matchAll(/^\| (L\d+) \| .+ \| (.+) \| .+ \| .+ \|$/gm)].map(
          ([, line = '', on = '']) => [line, on],
        ),
      );
      const rows = rowsOf(section);
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) {
        const named = row.at(-1)?.split(', ') ?? [];
        expect(named.length).toBeGreaterThan(0);
        const systems = named.map(line => lines.get(line) ?? 'none').join(', ');
        for (const system of ['Windows', 'macOS'])
          if (row[0]?.startsWith(system) || row.includes('both'))
            expect([row[0], system, /all/.test(systems) || systems.includes(system)]).toEqual([
              row[0],
              system,
              true,
            ]);
      }
    },
  );

  it('names commands that are there, with options that they have', () => {
    const commands = codesIn(document).filter(code => code.startsWith('holdpoint '));
    expect(commands.length).toBeGreaterThan(8);
    commands.forEach(expectKnown);
  });

  it.each([
    ['win32', 1, /C:\\ProgramData/g, '%ProgramData%'],
    ['darwin', 2, /^$/g, ''],
  ] as const)('names places and accounts of %s as the program has them', (platform, column, real, shown) => {
    const places = machineServerPlaces(platform, {});
    const { install, remove } = serviceSteps(platform, places, { node: 'n', program: 'p' }, () => false);
    const told = stepsTold([...install, ...remove]);
    const cells = new Map(rowsOf('What is where').map(row => [row[0], codesIn(row[column])[0] ?? '']));
    const asShown = (path: string) =>
      path.replace(real, shown).replace('C:\\Program Files', '%ProgramFiles%');
    expect(cells.get("The service's definition")).toBe(asShown(places.definitions[0]));
    expect(cells.get("The service's data")).toBe(asShown(places.data));
    expect(cells.get('Where it is, read by all')).toBe(asShown(places.told));
    expect(told).toContain(cells.get('As whom it runs'));
  });

  it('what is taken away with the data is what the service has made', () => {
    const away = sections['Away with it'] ?? '';
    for (const platform of ['win32', 'darwin']) {
      const { data } = machineServerPlaces(platform, {});
      const top = data.slice(0, -'/data'.length).replace('C:\\ProgramData', '%ProgramData%');
      expect(away).toContain(`"${top}"`);
    }
    const mac = machineServerPlaces('darwin', {});
    const made = stepsTold(serviceSteps('darwin', mac, { node: 'n', program: 'p' }, () => false).install);
    for (const [make, unmake] of [
      ['sysadminctl -addUser _holdpoint', 'sysadminctl -deleteUser _holdpoint'],
      ['dseditgroup -o create -i 387 _holdpoint', 'dseditgroup -o delete _holdpoint'],
    ] as const) {
      expect(made).toContain(make);
      expect(away).toContain(unmake);
    }
  });
});
