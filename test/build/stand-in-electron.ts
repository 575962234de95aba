import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

export type System = 'linux' | 'win32' | 'darwin';

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const ENGLISH = { lang: 1033, codepage: 1200 };

/**
 * A folder that electron-builder takes for Electron's distribution of a system: where Electron has its fuse wire there is
 * one, and around it as little as electron-builder wants to find.
 */
export async function writeStandInElectron(
  folder: string,
  { fuses = '010000111', system = 'linux' }: { fuses?: string; system?: System } = {},
): Promise<void> {
  const wire = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([1, fuses.length]),
    Buffer.from(fuses),
    Buffer.from(' the end'),
  ]);
  const put = async (name: string, content: string | Buffer = '') => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode: 0o755 });
  };
  await put('version', '45.3.4');
  if (system === 'darwin') {
    const contents = 'Electron.app/Contents';
    await put(`${contents}/Info.plist`, propertyList('Electron'));
    await put(`${contents}/MacOS/Electron`, 'stand-in');
    const framework = `${contents}/Frameworks/Electron Framework.framework`;
    await put(`${framework}/Versions/A/Electron Framework`, wire);
    await symlink('A', join(folder, framework, 'Versions', 'Current'));
    await symlink('Versions/Current/Electron Framework', join(folder, framework, 'Electron Framework'));
    for (const language of ['en', 'de', 'fr']) {
      await put(`${contents}/Resources/${language}.lproj/locale.pak`);
      await put(`${framework}/Versions/A/Resources/${language}.lproj/locale.pak`);
    }
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
      const helper = `${contents}/Frameworks/Electron Helper${kind}.app/Contents`;
      await put(`${helper}/Info.plist`, propertyList(`Electron Helper${kind}`));
      await put(`${helper}/MacOS/Electron Helper${kind}`, 'stand-in');
    }
    return;
  }
  for (const name of ['en-US', 'de', 'fr']) await put(`locales/${name}.pak`);
  if (system === 'linux') await put('electron', Buffer.concat([Buffer.from('\x7fELF stand-in '), wire]));
  else await put('electron.exe', windowsProgram(wire));
}

/** A program for Windows that does nothing, with the version that electron-builder writes anew. */
function windowsProgram(wire: Buffer): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setFileVersion(45, 3, 4, 0, ENGLISH.lang);
  version.setStringValues(ENGLISH, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  program.setExtraData(new Uint8Array(wire).buffer);
  return Buffer.from(program.generate());
}

function propertyList(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>CFBundleName</key><string>${name}</string>
  <key>CFBundleExecutable</key><string>${name}</string>
  <key>CFBundleIdentifier</key><string>com.github.Electron</string>
  <key>CFBundlePackageType</key><string>APPL</string>
</dict></plist>
`;
}
