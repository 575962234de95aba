import { existsSync, writeFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import type { BackupKeyAnswer, NewBackupKey } from '../../shared/operations/backup-operations.ts';
import type { Client } from '../../shared/operations/client.ts';
import { ask } from './ask.ts';
import type { WithInterface } from './interface.ts';

interface Options {
  new?: boolean;
  out?: string;
  recipient?: string;
  off?: boolean;
}

/** `holdpoint backup-key`: makes the recovery key once, and shows later which one it is. */
export function backupKeyCommand(withInterface: WithInterface, folderOf: () => string): Command {
  return new Command('backup-key')
    .description('make the recovery key of the backups, or show which one it is; backups are encrypted to it')
    .option('--new', 'make another key, which opens the backups from now on')
    .option('--out <file>', 'write the key into a new file, such as on a stick, in the place of the terminal')
    .option('--recipient <age1…>', 'encrypt to a key that was made elsewhere with age')
    .option('--off', 'write plain backups from now on')
    .action((options: Options) => withInterface(client => act(client, options, folderOf())));
}

async function act(client: Client, options: Options, data: string): Promise<void> {
  if (options.off) {
    const { data } = await client.call('x.backup-key.remove');
    say(`Backups are plain from now on. Those before still need the key ${data.removed}: keep its paper.`);
    return;
  }
  if (options.recipient !== undefined) {
    const body = { recipient: options.recipient };
    told((await client.call('x.backup-key.update', { body })).data);
    return;
  }
  const { key, folder } = (await client.call('x.backups.list')).data;
  if (key && !options.new) {
    told(key);
    say('The recovery key itself is not on this machine. holdpoint backup-key --new makes another one.');
    return;
  }
  if (options.out !== undefined) refusePlace(options.out, [data, folder]);
  await make(client, options.out);
}

/** Only what somebody has before him counts: a key that is lost at once locks the backups away. */
async function make(client: Client, out: string | undefined): Promise<void> {
  if (out === undefined && !process.stdin.isTTY)
    throw new AppError(
      'malformed',
      'There is no terminal to show the recovery key on. Give --out FILE, best on a stick that is kept elsewhere.',
    );
  if (out !== undefined && existsSync(out))
    throw new AppError('conflict', `${out} is there already. Name a new file.`);
  const { data: made } = await client.call('x.backup-key.create');
  const { recipient, groups } = made;
  const last = groups.slice(-2).join(' ');
  if (out === undefined) {
    say(paper(made));
    const typed = await ask(`Written down? Type the last two groups (after "${groups.at(-3)}"): `);
    told((await client.call('x.backup-key.update', { body: { recipient, typed } })).data);
    return;
  }
  writeFileSync(out, fileOf(made), { mode: 0o600, flag: 'wx', flush: true });
  const body = { recipient, typed: last };
  told((await client.call('x.backup-key.update', { body })).data);
  say(`The recovery key is in ${resolve(out)}. Take that file elsewhere, and keep none on this machine.`);
}

/** Who takes the data or the backups takes the key along. */
function refusePlace(out: string, folders: readonly string[]): void {
  const inside = folders.find(folder => resolve(out).startsWith(`${resolve(folder)}${sep}`));
  if (inside !== undefined)
    throw new AppError(
      'conflict',
      `${out} lies in ${inside}: who takes that takes the key along. Name a file on a stick, or leave --out away.`,
    );
}

function paper({ name, identity, groups }: NewBackupKey): string {
  return [
    '',
    `Recovery key ${name} of Holdpoint's backups`,
    '',
    `  ${identity.slice(0, 16)}`,
    `  ${groups.slice(0, 5).join(' ')}`,
    `  ${groups.slice(5).join(' ')}`,
    '',
    'It is shown this once and kept nowhere. Write it down or print it, with its name, and keep it where you keep',
    'what must outlast a fire: not on this machine, and not with the backups. Whoever has it can read every backup.',
    'Whoever has lost it can read none: what is not on this machine then is lost.',
    '',
  ].join('\n');
}

/** As `age-keygen` writes it, so that age reads it as it is. */
function fileOf({ name, recipient, identity }: NewBackupKey): string {
  return `# Recovery key ${name} of Holdpoint's backups\n# public key: ${recipient}\n${identity}\n`;
}

function told({ name, recipient, since, by }: BackupKeyAnswer): void {
  say(
    `Backups are encrypted to the key ${name} (${recipient}), set ${since.slice(0, 10)} by ${by ?? 'nobody known'}.`,
  );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
