import { type Archive, archivedCommits, readArchives } from '../../store/archive.ts';
import { CHAIN_START, type ChainHead, isItsHash } from '../../store/history.ts';
import { remedies } from '../../store/verify/findings.ts';
import type { VerifyContext } from '../../store/verify/verify-context.ts';

/** Proves that what installations had before they joined is at central as it came: whole chains up to the ends that are written down. */
export async function verifyArchives(context: VerifyContext): Promise<void> {
  for (const { chain, archive } of readArchives(context.sql)) {
    const fault = await faultOf(context, chain, archive).catch(
      (cause: unknown) => `it cannot be read: ${cause}`,
    );
    if (fault === undefined) continue;
    const what = `The history that an installation had before it joined is not as it came: ${fault}.`;
    context.findings.add(what, `chain ${chain}`, remedies.restore);
  }
}

async function faultOf(context: VerifyContext, chain: string, archive: Archive): Promise<string | undefined> {
  const heads = new Map<string, ChainHead>();
  let count = 0;
  for (const commit of archivedCommits(context.sql, chain, archive)) {
    const before = heads.get(commit.chain) ?? CHAIN_START;
    const isNext = commit.number === before.number + 1 && commit.previous_hash === before.hash;
    if (!isNext || !isItsHash(commit)) return `commit ${commit.number} of its chain ${commit.chain}`;
    heads.set(commit.chain, { number: commit.number, hash: commit.hash });
    count += 1;
    await context.step('commits from before joining', count);
  }
  const isEnd = ([of, { number, hash }]: [string, ChainHead]) =>
    heads.get(of)?.number === number && heads.get(of)?.hash === hash;
  return Object.entries(archive.heads).every(isEnd) ? undefined : 'it ends elsewhere';
}
