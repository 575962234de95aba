import { text as readAll } from 'node:stream/consumers';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import { ROLES } from '../../shared/contract/role.ts';
import { foldLogin } from '../../shared/families/user.ts';
import type { Client } from '../../shared/operations/client.ts';
import type { ListedBy } from '../../shared/operations/operation-types.ts';
import { isFolderInUse } from '../store/sqlite/lock.ts';
import { askHidden, askNew } from './ask.ts';
import type { WithInterface } from './interface.ts';
import { textTable } from './text-table.ts';

interface NewUser {
  name: string;
  roles: string;
  ownPassword?: boolean;
  passwordStdin?: boolean;
}

type User = ListedBy<'x.users.list'>;

const STDIN = ['--password-stdin', 'read the password from standard input instead of asking for it'] as const;

/** `holdpoint user create|list|password|revoke|claim-key|deactivate|link`. A password is never an argument: other programs see those. */
export function userCommand(withInterface: WithInterface, folderOf: () => string): Command {
  const user = new Command('user').description('users: who may sign in, and what they may do');

  user
    .command('create <login>')
    .description('create a user')
    .requiredOption('--name <name>', 'as people know the user')
    .option('--roles <list>', `separated by commas: ${ROLES.join(', ')}`, 'viewer')
    .option(
      '--own-password',
      'the user has chosen the password, and need not choose another at the first sign-in',
    )
    .option(...STDIN)
    .action(async (login: string, options: NewUser) => {
      const roles = options.roles.split(',').map(role => role.trim());
      const password = await askNew('Password', { isPiped: options.passwordStdin === true, flag: STDIN[0] });
      const body = {
        ...{ login, name: options.name, roles, password },
        is_password_temporary: options.ownPassword !== true,
      };
      const { data } = await withInterface(client => client.call('x.users.create', { body }));
      process.stdout.write(`User ${data.id} "${data.login}" (${data.roles.join(', ')}) can sign in now.\n`);
    });

  user
    .command('list')
    .description('list the users, those who cannot sign in any more included')
    .action(async () => {
      const rows = (await withInterface(listUsers)).map(({ id, login, name, roles, is_active: isActive }) => [
        String(id),
        login ?? '',
        name ?? '',
        roles.join(','),
        isActive ? '' : 'deactivated',
      ]);
      process.stdout.write(textTable([['ID', 'LOGIN', 'NAME', 'ROLES', ''], ...rows]));
    });

  user
    .command('password <login>')
    .description(
      "set a user's password, which is changed at the next sign-in, and end a lockout; the user's sessions end",
    )
    .option(...STDIN)
    .action(async (login: string, options: { passwordStdin?: boolean }) => {
      const password = await askNew('Password', { isPiped: options.passwordStdin === true, flag: STDIN[0] });
      const { data } = await withInterface(async client => {
        const params = { id: String((await findUser(client, login)).id) };
        return client.call('x.users.password', { params, body: { password } });
      });
      process.stdout.write(`The password of "${data.login}" is set.\n`);
    });

  user
    .command('revoke <login>')
    .description(
      "revoke a user's password and key, which somebody else may know: sessions end, and the password only chooses another one",
    )
    .option('--reason <reason>', 'why, for the history')
    .action(async (login: string, { reason }: { reason?: string }) => {
      const { data } = await withInterface(async client => {
        const params = { id: String((await findUser(client, login)).id) };
        return client.call('x.users.revoke', { params, body: { ...(reason && { reason }) } });
      });
      process.stdout.write(`The password and key of "${data.login}" are revoked.\n`);
    });

  user
    .command('claim-key <login>')
    .description(
      'at a station that joined: say by the password of before who you are at central; what you signed here before is shown as yours',
    )
    .option('--former-login <login>', 'what you signed in as before, where that was another name')
    .option('--passwords-stdin', 'read both passwords from standard input, a line each: of now, of before')
    .action(async (login: string, options: { formerLogin?: string; passwordsStdin?: boolean }) => {
      const [password = '', former_password = ''] = options.passwordsStdin
        ? (await readAll(process.stdin)).split(/\r?\n/)
        : [await askHidden('Password: '), await askHidden('Password of before: ')];
      const { formerLogin: former_login } = options;
      const body = { login, password, former_password, ...(former_login && { former_login }) };
      const { data } = await withInterface(client => client.call('x.former-keys.claim', { body }));
      process.stdout.write(
        `What the key ${data.former_key} signed here before is shown as by "${data.login}".\n`,
      );
    });

  user
    .command('deactivate <login>')
    .description('end what a user may do: sessions end at once')
    .action(async (login: string) => {
      const { data } = await withInterface(async client => {
        const params = { id: String((await findUser(client, login)).id) };
        return client.call('x.users.update', { params, body: { is_active: false } });
      });
      process.stdout.write(`"${data.login}" cannot sign in any more.\n`);
    });

  user
    .command('link')
    .description('print a fresh one-time link for the first administrator, while there is no user')
    .action(async () => {
      // The code lives in the server's memory.
      if (!isFolderInUse(folderOf())) {
        throw new AppError('unavailable', 'No server runs. Start it: npm start prints the link as well.');
      }
      const { data } = await withInterface(client => client.call('x.first-administrator.link', { body: {} }));
      process.stderr.write(`Makes the first administrator, once, until ${data.expires_at}:\n`);
      process.stdout.write(`${data.link}\n`);
    });

  return user;
}

async function listUsers(client: Client): Promise<User[]> {
  const users: User[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await client.call('x.users.list', { query: { page, per_page: 500 } });
    users.push(...data);
    if (data.length < 500) return users;
  }
}

/** The user with this login, in any case. @throws AppError 404 with where logins are listed */
export async function findUser(client: Client, login: string): Promise<User> {
  const wanted = foldLogin(login);
  const found = (await listUsers(client)).find(user => user.login === wanted);
  if (found) return found;
  throw new AppError('not_found', `There is no user ${login}. holdpoint user list names them.`);
}
