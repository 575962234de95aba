import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** `node test/proof/screen.ts NAME`: a picture of the whole screen in `dist/proof`, for what no page shows. */
const folder = join(import.meta.dirname, '..', '..', 'dist', 'proof');
mkdirSync(folder, { recursive: true });
const file = join(folder, `${process.argv[2] ?? 'screen'}.png`);
const WINDOWS = `Add-Type -AssemblyName System.Windows.Forms, System.Drawing
$all = [Windows.Forms.SystemInformation]::VirtualScreen
$picture = New-Object Drawing.Bitmap $all.Width, $all.Height
[Drawing.Graphics]::FromImage($picture).CopyFromScreen($all.Location, [Drawing.Point]::Empty, $all.Size)
$picture.Save('${file}')`;
const commands: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  win32: ['powershell', '-NoProfile', '-Command', WINDOWS],
  darwin: ['screencapture', '-x', file],
};
const [program, ...args] = commands[process.platform] ?? ['import', '-window', 'root', file];
const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
if (status !== 0) throw new Error(`There is no picture: ${error?.message ?? status}`);
