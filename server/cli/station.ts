import { join } from 'node:path';
import { Command } from 'commander';
import type { z } from 'zod';
import { AppError } from '../../shared/contract/errors.ts';
import { isMisdated, spanOf } from '../../shared/contract/moment-of.ts';
import { asTyped } from '../../shared/operations/client.ts';
import type { stationPersonSchema } from '../../shared/operations/station-people-operations.ts';
import {
  CODE_HOURS_DEFAULT,
  CODE_HOURS_LIMIT,
  CODE_HOURS_LIMIT_MANY,
  type stationSchema,
} from '../../shared/operations/sync-operations.ts';
import type { WithInterface } from './interface.ts';
import { textTable } from './text-table.ts';
import { findUser } from './user.ts';
import { writeWhole } from './whole-file.ts';

type Station = z.infer<typeof stationSchema>;
type StationPerson = z.infer<typeof stationPersonSchema>;

interface CodeOptions {
  hours: string;
  uses: string;
  group?: string;
  bringsRecords?: boolean;
}

/** `holdpoint station code|codes|end-code|list|choose|people|assign|unassign|group|backups|fetch-backup|revoke`, at central. */
export function stationCommand(withInterface: WithInterface): Command {
  const station = new Command('station').description(
    'stations of this central: let them in, watch them, end them',
  );

  station
    .command('code <name>')
    .description('make a code with which one station enrols, or several, and print it; it is shown this once')
    .option(
      '--hours <n>',
      `how long it is valid, at most ${CODE_HOURS_LIMIT}, for several ${CODE_HOURS_LIMIT_MANY}`,
      String(CODE_HOURS_DEFAULT),
    )
    .option('--uses <n>', 'how many stations it lets in', '1')
    .option('--group <group>', 'the group of these stations, such as the plant')
    .option('--brings-records', 'it may bring along what it recorded so far, which is taken as it is')
    .action(async (name: string, { hours, uses, group, bringsRecords = false }: CodeOptions) => {
      const numberIn = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);
      const body = asTyped<'x.enrolment-codes.create'>({
        name,
        hours: numberIn(hours),
        uses: numberIn(uses),
        ...(group !== undefined && { group }),
        brings_records: bringsRecords,
      });
      const { data } = await withInterface(client => client.call('x.enrolment-codes.create', { body }));
      const often = data.uses === 1 ? 'once' : `for ${data.uses} stations`;
      process.stderr.write(`Code ${data.id} for "${data.name}", valid ${often} until ${data.expires_at}:\n`);
      process.stdout.write(`${data.code}\n`);
    });

  station
    .command('codes')
    .description('list the codes for enrolment, and how many stations each has let in')
    .action(async () => {
      const { data } = await withInterface(client => client.call('x.enrolment-codes.list'));
      const head = ['ID', 'NAME', 'GROUP', 'LET IN', 'VALID UNTIL', 'STATE'];
      const rows = data.map(({ id, name, group, used, uses, expires_at: until, state }) => [
        String(id),
        name,
        group ?? '-',
        `${used} of ${uses}`,
        until.slice(0, 16).replace('T', ' '),
        state,
      ]);
      process.stdout.write(textTable([head, ...rows]));
    });

  station
    .command('end-code <id>')
    .description('end a code for enrolment: it lets in no further station')
    .action(async (id: string) => {
      const { data } = await withInterface(client =>
        client.call('x.enrolment-codes.revoke', { params: { id } }),
      );
      process.stdout.write(`The code ${data.id} "${data.name}" lets in no further station.\n`);
    });

  station
    .command('list')
    .description('list the stations, the revoked ones included')
    .action(async () => {
      const { data } = await withInterface(client => client.call('x.stations.list'));
      const head = ['ID', 'NAME', 'LAST SEEN', 'BEHIND', 'UNSENT', 'HELD', 'PROTOCOL', 'CLOCK', 'BLOCKS', ''];
      process.stdout.write(textTable([head, ...data.map(rowOf)]));
      process.stdout.write(data.map(tellMachines).join(''));
    });

  station
    .command('choose <id> <machine>')
    .description('of several machines with the disk of a station, say which one goes on as the station')
    .action(async (id: string, machine: string) => {
      const { data } = await withInterface(client =>
        client.call('x.stations.choose', { params: { id }, body: { machine } }),
      );
      process.stdout.write(tellMachines(data));
    });

  station
    .command('people <id>')
    .description('list who can sign in at the station while central is away')
    .action(async (id: string) => {
      const { data } = await withInterface(client => client.call('x.stations.people', { params: { id } }));
      process.stdout.write(peopleTable(data));
    });

  for (const [verb, description] of [
    ['assign', 'let somebody sign in there for the first time while central is away'],
    ['unassign', "take somebody's password from the station, until they sign in there with central in reach"],
  ] as const) {
    station
      .command(`${verb} <id> <login>`)
      .description(description)
      .option('--group', 'the same at all stations of its group, also those that come to it')
      .action(async (id: string, login: string, { group: isWhole = false }: { group?: boolean }) => {
        const { data } = await withInterface(async client => {
          const user = await findUser(client, login);
          return client.call(`x.stations.${verb}`, {
            params: { id },
            body: { user_id: user.id, ...(isWhole && { whole_group: true }) },
          });
        });
        process.stdout.write(peopleTable(data));
      });
  }

  station
    .command('group <id> [group]')
    .description(
      'put the station into a group, such as the plant, or into none: who is assigned to it can sign in there',
    )
    .action(async (id: string, group: string | undefined) => {
      const { data } = await withInterface(client =>
        client.call('x.stations.group', { params: { id }, body: { group: group ?? null } }),
      );
      const where = data.group === null ? 'in no group' : `in the group "${data.group}"`;
      process.stdout.write(`Station ${data.id} "${data.name}" is ${where}.\n`);
    });

  station
    .command('backups <id>')
    .description('list the backups of the station that central keeps, and who has fetched them')
    .action(async (id: string) => {
      const { data } = await withInterface(client =>
        client.call('x.station-backups.list', { params: { id } }),
      );
      const minute = (at: string) => at.slice(0, 16).replace('T', ' ');
      const rows = data.map(({ file, at, bytes, key, fetched: [last] }) => [
        minute(at),
        `${(bytes / 1e6).toFixed(1)} MB`,
        key,
        last ? `${minute(last.at)} ${last.by ?? ''}`.trim() : '-',
        file,
      ]);
      process.stdout.write(textTable([['MADE', 'SIZE', 'KEY', 'FETCHED', 'FILE'], ...rows]));
    });

  station
    .command('fetch-backup <id> [file]')
    .description('fetch the newest backup of the station, or the one that is named; history says who did')
    .option('--to <folder>', 'where to put it', '.')
    .action(async (id: string, file: string | undefined, { to }: { to: string }) => {
      const path = await withInterface(async client => {
        const { data } = await client.call('x.station-backups.list', { params: { id } });
        const name = file ?? data[0]?.file;
        if (name === undefined)
          throw new AppError('not_found', `Central keeps no backup of the station ${id}.`);
        const { body } = await client.stream('x.station-backups.read', { params: { id, file: name } });
        const whole = join(to, name);
        await writeWhole(whole, body ?? new ReadableStream(), new AbortController().signal);
        return whole;
      });
      process.stdout.write(`${path}\n`);
      process.stderr.write(`It is encrypted. On the new machine: holdpoint restore ${path}\n`);
    });

  station
    .command('revoke <id>')
    .description(
      "revoke a station's key: it is refused from the next call on, and who signed in there chooses another password",
    )
    .option('--keep-passwords', 'nobody else had the machine: people keep their passwords and keys')
    .option('--reason <reason>', 'why, for the history')
    .action(async (id: string, { keepPasswords, reason }: { keepPasswords?: boolean; reason?: string }) => {
      const body = {
        ...(keepPasswords && { keeps_passwords: true }),
        ...(reason !== undefined && { reason }),
      };
      const { data } = await withInterface(client =>
        client.call('x.stations.revoke', { params: { id }, body }),
      );
      process.stdout.write(`Station ${data.id} "${data.name}" is revoked.\n`);
      if (data.people.length > 0)
        process.stdout.write(
          `${data.people.length} who signed in there choose another password, at central: ${data.people.join(', ')}\n`,
        );
    });

  return station;
}

function peopleTable(people: readonly StationPerson[]): string {
  const rows = people.map(({ user_id: id, login, name, why }) => [String(id), login, name, WHY[why]]);
  return textTable([['ID', 'LOGIN', 'NAME', 'SINCE'], ...rows]);
}

const WHY = {
  signed_in: 'signed in there',
  assigned: 'assigned',
  group: 'assigned to its group',
  before: 'signed in there before central asked',
} as const;

/** The machines of a station, where there are several, and what to do. */
function tellMachines(station: Station): string {
  const { id, name, doubled_at: doubledAt, chosen_at: chosenAt, machines, forgotten } = station;
  if (doubledAt === null) return '';
  const minute = (at: string) => at.slice(0, 16).replace('T', ' ');
  const lines = machines.map(({ machine, goes_on: goesOn, last_seen_at: seen, unsent }) => {
    const what = goesOn ? 'goes on' : 'is held off';
    return `  ${machine} ${what}; last seen ${minute(seen)} UTC, ${unsent ?? '?'} changes unsent\n`;
  });
  if (forgotten) {
    const { machine, at } = forgotten;
    lines.push(
      `  ${machine} is not listed since ${minute(at)} UTC: there are too many. It gets another name when it calls\n`,
    );
  }
  const remedy =
    chosenAt === null
      ? `Ask at each machine what its page of the exchange calls it, then: holdpoint station choose ${id} MACHINE`
      : 'At the other one: holdpoint enrol ADDRESS CODE --separate, with a new code.';
  return `More than one machine calls as "${name}", noticed ${minute(doubledAt)} UTC:\n${lines.join('')}${remedy}\n`;
}

/** What is not known yet is a dash. */
function rowOf(station: Station): string[] {
  const known = (value: number | null) => (value === null ? '-' : String(value));
  const { id, name, blocks, last_seen_at: seen, clock_offset_ms: offset } = station;
  return [
    String(id),
    name,
    seen === null ? 'never' : seen.slice(0, 16).replace('T', ' '),
    known(station.behind),
    known(station.unsent),
    String(station.held),
    known(station.protocol),
    offset === null ? '-' : clockOf(offset),
    blocks.join(','),
    noteOf(station),
  ];
}

/** Its clock against central's; from two minutes on in words. */
function clockOf(offset: number): string {
  if (isMisdated({ clock_offset: offset })) return `${spanOf(offset)} ${offset < 0 ? 'behind' : 'ahead'}`;
  return `${offset < 0 ? '' : '+'}${(offset / 1_000).toFixed(1)} s`;
}

function noteOf({ revoked_at: revoked, quota, has_heard: hasHeard, needs }: Station): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`;
  const notes = [
    ...(needs.length > 0 ? [`look at: ${needs.join(', ')}`] : []),
    ...(quota ? [`waits: has used up its ${quota.of}`] : []),
    ...(hasHeard === false ? ['has not heard of the next certificate'] : []),
  ];
  return notes.join('; ');
}
