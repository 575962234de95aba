import { spawn } from 'node:child_process';

/** How a system opens an address; undefined where nobody would see it. */
export function openCommand(
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
): [program: string, ...args: string[]] | undefined {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (platform === 'darwin') return ['open'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** The address that a starting server has written to the terminal: the first sign-in's, else the screens'. */
export function addressIn(output: string): string | undefined {
  const [, first] = /^ +First sign-in +(https?:\/\/\S+)/m.exec(output) ?? [];
  const [, origin] = /serves (https?:\/\/\S+)\/api\/v2 \(process/.exec(output) ?? [];
  return first ?? origin;
}

/** Shows an address in the browser of whoever sits here, if anybody does. Nothing depends on it. */
export function openBrowser(address: string): void {
  const [program, ...args] = openCommand(process.platform, process.env) ?? [];
  if (program === undefined) return;
  const opening = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  opening.on('error', () => process.stdout.write(`Open ${address} in a browser.\n`));
  opening.unref();
}
