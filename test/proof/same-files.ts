import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node test/proof/same-files.ts ONE OTHER`: ends with 1 where a file differs in two folders, or is in one of them alone, and names it.
 */
const [one, other] = process.argv.slice(2).map(digestsIn);
if (one === undefined || other === undefined) throw new Error('Give two folders.');
const differing = [...new Set([...one.keys(), ...other.keys()])].filter(
  name => one.get(name) !== other.get(name),
);
process.stdout.write(differing.map(name => `differs: ${name}\n`).join(''));
if (differing.length > 0) process.exitCode = 1;

function digestsIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name =>
    name.replaceAll('\\', '/'),
  );
  const files = names.filter(name => statSync(join(folder, name)).isFile()).sort();
  return new Map(files.map(name => [name, hash('sha256', readFileSync(join(folder, name)))]));
}
