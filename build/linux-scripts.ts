import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const TEMPLATES = join(
  dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json')),
  'templates',
  'linux',
);

/**
 * What deb and rpm do after they are installed and removed, from electron-builder's own scripts: `/usr/bin/holdpoint` leads
 * to the command, which opens the app too, and no longer to the app alone.
 * @throws Error where those scripts make no such link any more
 */
export async function linuxScripts(folder: string): Promise<{ afterInstall: string; afterRemove: string }> {
  const [program, command] = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills them in.
    "/opt/${sanitizedProductName}/${executable}'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills them in.
    "/opt/${sanitizedProductName}/bin/${executable}'",
  ];
  await mkdir(folder, { recursive: true });
  const write = async (name: string, before: string) => {
    const text = await readFile(join(TEMPLATES, name), 'utf8');
    const end = text.indexOf('\nfi\n', text.indexOf('update-alternatives'));
    const links = text.slice(0, end);
    if (!links.includes(program)) throw new Error(`${name} of electron-builder links nothing to ${program}.`);
    const path = join(folder, name);
    const made = links.replaceAll(program, command).replace('then\n', () => `then\n${before}`);
    await writeFile(path, made + text.slice(end));
    return path;
  };
  const formerly = `    update-alternatives --remove '\${executable}' '${program} || true\n`;
  return {
    afterInstall: await write('after-install.tpl', formerly),
    afterRemove: await write('after-remove.tpl', ''),
  };
}
