import { resolve } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import { folderIn } from '../app/config.ts';
import { cancellable, progressLine } from './progress.ts';
import { supportReport } from './support-report.ts';
import { told } from './verify-told.ts';
import { writeWhole } from './whole-file.ts';

/** `holdpoint support`: reads the files itself, whether a server uses them, or can start, or not. */
export function supportCommand(): Command {
  return new Command('support')
    .description('write one text file with what support needs to know: no record, no password, no key')
    .argument('[file]', 'where to write it', 'holdpoint-support.txt')
    .option('--no-verify', 'leave out the check of the data, which reads all of them')
    .option('--crashes', 'put in the reports of crashes, which name what the program was working on')
    .action(async (file: string, options: { verify: boolean; crashes?: true }) => {
      const { verify: isVerified, crashes: hasCrashes = false } = options;
      const folder = folderIn(process.env);
      const path = resolve(file);
      await cancellable(async signal => {
        const verified = isVerified ? await verifiedText(folder, signal) : undefined;
        const report = supportReport({
          folder,
          environment: process.env,
          now: new Date(),
          verified,
          hasCrashes,
        });
        await writeWhole(path, new Blob([report]).stream(), signal);
      });
      process.stdout.write(`${path} is written. Read it before you send it on.\n`);
    });
}

async function verifiedText(folder: string, signal: AbortSignal): Promise<string> {
  const [{ verify }, { verifyDependencies }] = await Promise.all([
    import('../store/verify/verify.ts'),
    import('../backup/verify-dependencies.ts'),
  ]);
  const line = progressLine(process.stderr);
  try {
    const onProgress = (doing: string, count: number) => line.show(`${count} ${doing} read`);
    return told(await verify(folder, { ...verifyDependencies, onProgress, signal }));
  } catch (error) {
    signal.throwIfAborted();
    // A report is wanted where things are broken.
    return error instanceof AppError ? error.message : String(error);
  } finally {
    line.clear();
  }
}
