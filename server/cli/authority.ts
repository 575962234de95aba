import { text as readAll } from 'node:stream/consumers';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import type { AuthorityAnswer } from '../../shared/operations/checkpoint-operations.ts';
import { ask, askHidden } from './ask.ts';
import type { WithInterface } from './interface.ts';

interface Certifying {
  reason: string;
  fingerprint?: string;
  passwordStdin?: boolean;
}

/** `holdpoint authority show|certify` */
export function authorityCommand(withInterface: WithInterface): Command {
  const authority = new Command('authority').description(
    'the key by which this installation signs: see it, certify another one after authority.key was lost',
  );

  authority
    .command('show')
    .description('show the key, and whether it is another one than before')
    .action(async () => {
      const { data } = await withInterface(client => client.call('x.authority.read'));
      process.stdout.write(told(data));
    });

  authority
    .command('certify <login>')
    .description(
      'say as an administrator that the new key is right; it takes two administrators, each by a key of their own',
    )
    .requiredOption('--reason <text>', 'why it is another one; it is kept')
    .option('--fingerprint <sha256>', 'of the key, as shown here; else it is asked whether it is right')
    .option('--password-stdin', 'read the password from standard input instead of asking for it')
    .action(async (login: string, { reason, fingerprint: given, passwordStdin }: Certifying) => {
      const { data } = await withInterface(async client => {
        const { key } = (await client.call('x.authority.read')).data;
        const fingerprint = given?.toLowerCase() ?? (await confirmed(key));
        const password = passwordStdin
          ? (await readAll(process.stdin)).replace(/\r?\n$/, '')
          : await askHidden(`Password of ${login}: `);
        const body = { login, password, fingerprint, reason };
        return client.call('x.authority.certify', { body });
      });
      process.stdout.write(told(data));
    });

  return authority;
}

async function confirmed(key: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new AppError(
      'malformed',
      'There is no terminal to ask on. Use --fingerprint and --password-stdin.',
    );
  const answer = await ask(`Is ${key} the key that you certify? Type its first eight characters: `);
  if (answer.trim().toLowerCase() === key.slice(0, 8)) return key;
  throw new AppError('malformed', 'These are others. Nothing was certified.');
}

function told({ key, says }: AuthorityAnswer): string {
  return `${says ?? `This installation signs with SHA-256 ${key}. The key counts.`}\n`;
}
