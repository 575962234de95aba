import { Command } from 'commander';
import { asTyped } from '../../shared/operations/client.ts';
import type { WithInterface } from './interface.ts';
import { textTable } from './text-table.ts';

interface Token {
  id: number;
  name: string;
  scopes: string[];
  ends_at: string | null;
  families: string[] | null;
  networks: string[] | null;
  created_at: string;
  created_by: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

interface Wanted {
  scopes: string;
  ends?: string;
  families?: string;
  networks?: string;
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
    .option('--ends <moment>', 'when it ends, such as 2027-01-31T18:00:00Z')
    .option('--families <list>', 'the only records that it reaches, such as parts,suppliers')
    .option('--networks <list>', 'the only addresses that it counts from, such as 10.2.0.0/16')
    .action(async (name: string, { scopes, ends, families, networks }: Wanted) => {
      const body = asTyped<'x.tokens.create'>({
        name,
        scopes: listIn(scopes),
        ...(ends !== undefined && { ends_at: ends }),
        ...(families !== undefined && { families: listIn(families) }),
        ...(networks !== undefined && { networks: listIn(networks) }),
      });
      const { data } = await withInterface(client => client.call('x.tokens.create', { body }));
      process.stderr.write(
        `Token ${data.id} "${data.name}" (${data.scopes.join(', ')}). Its secret is shown this once:\n`,
      );
      process.stdout.write(`${data.secret}\n`);
    });

  token
    .command('list')
    .description('list the tokens, the revoked ones included')
    .action(async () => {
      const { data } = await withInterface(client => client.call('x.tokens.list'));
      const rows = data.map(token => [
        String(token.id),
        token.name,
        token.scopes.join(','),
        [...(token.families ?? []), ...(token.networks ?? [])].join(','),
        `${token.created_at.slice(0, 10)} ${token.created_by ?? ''}`.trim(),
        token.last_used_at?.slice(0, 10) ?? '',
        stateOf(token),
      ]);
      const head = ['ID', 'NAME', 'SCOPES', 'BOUNDED TO', 'CREATED', 'LAST USED', ''];
      process.stdout.write(textTable([head, ...rows]));
    });

  token
    .command('revoke <id>')
    .description('revoke a token: it is refused from the next call on')
    .action(async (id: string) => {
      const { data } = await withInterface(client => client.call('x.tokens.revoke', { params: { id } }));
      process.stdout.write(`Token ${data.id} "${data.name}" is revoked.\n`);
    });

  return token;
}

function listIn(text: string): string[] {
  return text.split(',').map(each => each.trim());
}

function stateOf({ revoked_at: revoked, ends_at: end }: Token): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`;
  return end === null ? '' : `until ${end}`;
}
