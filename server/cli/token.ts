import { Command } from 'commander';
import type { WithInterface } from './interface.ts';
import { textTable } from './text-table.ts';

interface Token {
  id: number;
  name: string;
  scopes: string[];
  created_at: string;
  revoked_at: string | null;
}

/** `holdpoint token create|list|revoke` */
export function tokenCommand(withInterface: WithInterface): Command {
  const token = new Command('token').description('tokens of the interface: who may read, write, administer');

  token
    .command('create <name>')
    .description('create a token and print its secret, which is shown this once')
    .option(
      '--scopes <list>',
      'read, write and admin, separated by commas; each includes those before it',
      'read',
    )
    .action(async (name: string, { scopes }: { scopes: string }) => {
      const body = { name, scopes: scopes.split(',').map(scope => scope.trim()) };
      const { data } = await withInterface(client =>
        client.call<Token & { secret: string }>('x.tokens.create', { body }),
      );
      process.stderr.write(
        `Token ${data.id} "${data.name}" (${data.scopes.join(', ')}). Its secret is shown this once:\n`,
      );
      process.stdout.write(`${data.secret}\n`);
    });

  token
    .command('list')
    .description('list the tokens, the revoked ones included')
    .action(async () => {
      const { data } = await withInterface(client => client.call<Token[]>('x.tokens.list'));
      const rows = data.map(({ id, name, scopes, created_at: created, revoked_at: revoked }) => [
        String(id),
        name,
        scopes.join(','),
        created.slice(0, 10),
        revoked === null ? '' : `revoked ${revoked.slice(0, 10)}`,
      ]);
      process.stdout.write(textTable([['ID', 'NAME', 'SCOPES', 'CREATED', ''], ...rows]));
    });

  token
    .command('revoke <id>')
    .description('revoke a token: it is refused from the next call on')
    .action(async (id: string) => {
      const { data } = await withInterface(client =>
        client.call<Token>('x.tokens.revoke', { params: { id } }),
      );
      process.stdout.write(`Token ${data.id} "${data.name}" is revoked.\n`);
    });

  return token;
}
