import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStaleScreens } from './fresh-screens.ts';
import { digestVariable, type NodeTarget, nodeRuntime, type Processor } from './node-runtime.ts';
import { packFolder } from './pack-folder.ts';
import { pinnedFile } from './pinned-file.ts';
import { layProgram, type ServerProgramOptions } from './server-program.ts';
import { sourceEpoch } from './source-epoch.ts';

const PROJECT = join(import.meta.dirname, '..');

/** What each system has: the folder that is unpacked, the place of Node.js in it, and the command. */
const SYSTEMS = {
  darwin: { shown: 'mac', folder: 'holdpoint-server', nodeAt: 'bin/node', command: 'holdpoint' },
  win: { shown: 'win', folder: 'Holdpoint Server', nodeAt: 'bin/node.exe', command: 'holdpoint.cmd' },
} as const;

export interface ServerArchiveOptions extends Pick<ServerProgramOptions, 'version' | 'bundle'> {
  /** Where the archive is written. */
  into: string;
  system: keyof typeof SYSTEMS;
  processor: Processor;
  epoch: number;
  /** Has the digests, and for Windows `WINSW_URL` and `WINSW_SHA256`. */
  env?: Record<string, string | undefined>;
  /** Another place of Node's own distribution. */
  distribution?: string;
}

/** An archive that was made, or why there is none. */
export type MadeArchive = { file: string } | { missing: string };

/**
 * Packs the server of one machine for macOS or Windows, as `holdpoint-server-<version>-mac-arm64.tar.gz`, on any Linux: unpacked to
 * where administrators alone write, its `holdpoint service install` makes it a service. There is none where a digest is missing of
 * what it would bring along.
 * @throws Error where another file came than a digest says
 */
export async function packServerArchive(options: ServerArchiveOptions): Promise<MadeArchive> {
  const { into, system, processor, epoch, env = process.env, distribution, version, bundle } = options;
  const { shown, folder, nodeAt, command } = SYSTEMS[system];
  const target: NodeTarget = { system, processor };
  const { WINSW_URL: address = '', WINSW_SHA256: digest = '' } = env;
  if (system === 'win' && !(address && digest)) return { missing: 'WINSW_URL and WINSW_SHA256' };
  const scratch = await mkdtemp(join(tmpdir(), 'holdpoint-server-archive-'));
  try {
    const node = await nodeRuntime(target, { scratch, env, ...(distribution && { distribution }) });
    if (node === undefined) return { missing: digestVariable(target) };
    const root = join(scratch, folder);
    await mkdir(root);
    if (system === 'win')
      await writeFile(join(root, 'holdpoint-server.exe'), await pinnedFile(address, digest));
    await cp(join(PROJECT, 'build', 'server', shown, command), join(root, command));
    await chmod(join(root, command), 0o755);
    const laid = await layProgram(root, { version, bundle, node, nodeAt });
    await mkdir(into, { recursive: true });
    const file = join(into, `holdpoint-server-${laid.version}-${shown}-${processor}.tar.gz`);
    packFolder(root, file, epoch);
    return { file };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await buildStaleScreens();
  for (const system of ['darwin', 'win'] as const)
    for (const processor of ['x64', 'arm64'] as const) {
      const into = join(PROJECT, 'dist', 'installers');
      const made = await packServerArchive({ into, system, processor, epoch: sourceEpoch() });
      const says =
        'file' in made ? made.file : `No archive for ${system} ${processor}, for lack of ${made.missing}.`;
      process.stdout.write(`${says}\n`);
    }
}
