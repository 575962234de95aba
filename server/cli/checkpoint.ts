import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Checkpoint } from '../../shared/operations/checkpoint-operations.ts';
import { fingerprintOfKey } from '../keys/ed25519.ts';
import type { WithInterface } from './interface.ts';
import { cancellable } from './progress.ts';
import { writeWhole } from './whole-file.ts';

/** `holdpoint checkpoint` */
export function checkpointCommand(withInterface: WithInterface): Command {
  return new Command('checkpoint')
    .description('sign where history stands now; kept elsewhere, it proves later that nothing was rewritten')
    .argument('[file]', 'where to write it, for "verify --checkpoint"; without it, only shown')
    .option(
      '--code <file>',
      'write it as a QR code to print, too: a picture (SVG), whose text is such a file',
    )
    .action(async (file: string | undefined, { code }: { code?: string }) => {
      const { data } = await withInterface(client => client.call('x.checkpoints.read'));
      // In the place of a former one only once it is whole: that one may be all there is.
      if (file !== undefined) {
        const content = new Blob([`${JSON.stringify(data, null, 2)}\n`]).stream();
        await cancellable(signal => writeWhole(resolve(file), content, signal));
      }
      const [own, ...ofCentral] = data.checkpoints;
      if (own) process.stdout.write(told(own));
      if (own && code !== undefined) {
        const { checkpointCode } = await import('./checkpoint-code.ts');
        const picture = new Blob([checkpointCode(own)]).stream();
        await cancellable(signal => writeWhole(resolve(code), picture, signal));
        process.stdout.write(`${code}: open it in a browser, print it, and keep the paper.\n`);
      }
      if (ofCentral.length > 0)
        process.stdout.write(`With ${ofCentral.length} of central, the last of ${ofCentral[0]?.at}.\n`);
      if (file !== undefined)
        process.stdout.write(`${file}: keep it where whoever can write the data folder cannot.\n`);
    });
}

/** `holdpoint trail` */
export function trailCommand(withInterface: WithInterface): Command {
  return new Command('trail')
    .description('write all history in its order, which docs/verify/verify.mjs checks without this program')
    .argument('<file>', 'where to write it: JSON Lines')
    .action(async (file: string) => {
      await cancellable(async signal => {
        const bytes = await withInterface(async client => {
          const { body } = await client.stream('x.trail.read', { signal });
          return writeWhole(resolve(file), body ?? new ReadableStream(), signal);
        });
        process.stdout.write(`${file}: ${bytes} bytes. Check it with Node alone: node verify.mjs ${file}\n`);
      });
    });
}

function told({ installation, key, at, log, chain }: Checkpoint): string {
  return [
    `Installation ${installation} signed on ${at}:`,
    ...(log ? [`  log    entry ${log.sequence}, ${log.hash} (epoch ${log.epoch})`] : []),
    ...(chain ? [`  chain  commit ${chain.number}, ${chain.hash} (${chain.chain})`] : []),
    `  key    SHA-256 ${fingerprintOfKey(key)}`,
    '',
  ].join('\n');
}
