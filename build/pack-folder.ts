import { basename, dirname } from 'node:path';
import { runTool } from './publishing.ts';

/**
 * Packs a folder, by its name, as `.tar.gz`: the same owner, order, time and rights wherever it is packed.
 * @param epoch by which its files are dated, in seconds since 1970
 */
export function packFolder(folder: string, file: string, epoch: number): void {
  runTool('tar', [
    '--sort=name',
    `--mtime=@${epoch}`,
    '--mode=u=rwX,go=rX',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '-czf',
    file,
    '-C',
    dirname(folder),
    basename(folder),
  ]);
}
