import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What Electron can be made unable to do for good, in the order of its fuse wire (Electron's documentation, Fuses). */
export const FUSES = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
} as const;

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const VERSION = 1;
const [OFF, ON, REMOVED] = ['0', '1', 'r'].map(state => state.charCodeAt(0));

/**
 * Sets every fuse of an Electron program. A fuse that is not named here stops the build: a new one must be decided, not
 * left as it comes. (The library that electron-builder brings knows eight fuses; Electron 45 has nine.)
 * @throws Error where the program has no fuse wire, or one of another version or length
 */
export async function setFuses(program: string): Promise<void> {
  const bytes = await readFile(program);
  const wanted = Object.entries(FUSES);
  let found = 0;
  // A universal program for macOS holds two.
  for (let at = bytes.indexOf(SENTINEL); at !== -1; at = bytes.indexOf(SENTINEL, at + 1)) {
    found += 1;
    const wire = at + SENTINEL.length;
    const [version, count] = [bytes[wire], bytes[wire + 1]];
    if (version !== VERSION || count !== wanted.length) {
      throw new Error(
        `${program} has ${count} fuses of version ${version}; build/fuses.ts decides ${wanted.length} of version ${VERSION}.`,
      );
    }
    for (const [index, [, isOn]] of wanted.entries()) {
      const place = wire + 2 + index;
      if (bytes[place] !== REMOVED) bytes[place] = Number(isOn ? ON : OFF);
    }
  }
  if (found === 0) throw new Error(`${program} has no fuses. Is it Electron's program?`);
  await writeFile(program, bytes);
}

/** Where the fuse wire of a packed app is, before it is signed. */
export function programOf(packed: {
  folder: string;
  platform: string;
  name: string;
  product: string;
}): string {
  const { folder, platform, name, product } = packed;
  if (platform === 'darwin') {
    const framework = ['Contents', 'Frameworks', 'Electron Framework.framework', 'Electron Framework'];
    return join(folder, `${product}.app`, ...framework);
  }
  return join(folder, platform === 'win32' ? `${product}.exe` : name);
}
