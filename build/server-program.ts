import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildBundles } from './bundles.ts';
import type { NodeRuntime } from './node-runtime.ts';
import { SBOM, sbomOf, serverAndScreens } from './sbom.ts';

const PROJECT = join(import.meta.dirname, '..');

export interface ServerProgramOptions {
  /** Of the package; the project's unless said. */
  version?: string | undefined;
  /** The bundle of the server, where it is built already, with the list of its packages beside it. */
  bundle?: string | undefined;
  node: NodeRuntime;
  /** Such as `bin/node`. */
  nodeAt: string;
}

/** Lays the server of a machine into a folder: the program, the screens, the Node.js that runs it, and what it is made of. */
export async function layProgram(
  folder: string,
  options: ServerProgramOptions,
): Promise<{ version: string; license: string }> {
  const { version: own, license, type } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const { version = own, bundle, node, nodeAt } = options;
  const at = (...path: string[]) => join(folder, ...path);
  const built = bundle === undefined ? await mkdtemp(join(tmpdir(), 'holdpoint-built-')) : dirname(bundle);
  try {
    await mkdir(at('dist'), { recursive: true });
    if (bundle === undefined) await buildBundles(['server'], built);
    await cp(join(built, 'server'), at('dist', 'server'), { recursive: true });
    await rm(at('dist', 'server', 'compiled'), { recursive: true, force: true });
    await cp(join(PROJECT, 'dist', 'renderer'), at('dist', 'renderer'), { recursive: true });
    await cp(join(PROJECT, 'LICENSE'), at('LICENSE'));
    await cp(join(PROJECT, 'build', 'policy'), at('policy'), { recursive: true });
    await cp(node.file, at(nodeAt));
    await chmod(at(nodeAt), 0o755);
    await writeFile(at(SBOM), sbomOf({ version, bundles: serverAndScreens(built), node }));
    const about = { name: 'holdpoint', version, license, type, private: true };
    await writeFile(at('package.json'), JSON.stringify(about));
    return { version, license };
  } finally {
    if (bundle === undefined) await rm(built, { recursive: true, force: true });
  }
}
