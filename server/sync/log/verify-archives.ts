import { type Archive, type ArchiveCheck, archivedCommits, readArchives } from '../../store/archive.ts';
import { CHAIN_START, type ChainHead, isItsHash, readCommit } from '../../store/history.ts';
import { movedIn } from '../../store/moved.ts';
import { remedies } from '../../store/verify/findings.ts';
import type { VerifyContext } from '../../store/verify/verify-context.ts';
import { checkArchive } from './check-archive.ts';

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
  if (!Object.entries(archive.heads).every(isEnd)) return 'it ends elsewhere';
  return archive.checked ? checkedFault(context, chain, archive, archive.checked, isEnd) : undefined;
}

/** What stands beside it is of whoever can write it: where it ends the log says, and that nothing is wrong with it is found again. */
async function checkedFault(
  context: VerifyContext,
  chain: string,
  archive: Archive,
  checked: ArchiveCheck,
  isEnd: (end: [string, ChainHead]) => boolean,
): Promise<string | undefined> {
  const { former } = movedIn(readCommit(context.sql, chain, 1)) ?? {};
  if (!former || !Object.entries(former).every(isEnd))
    return 'it ends elsewhere than the station said when it joined';
  if (checked.fault !== null) return undefined;
  const found = await checkArchive(context.sql, chain, archive, () =>
    context.step('commits from before joining', archive.commits),
  );
  if (found.fault !== null) return found.fault;
  return found.compared === checked.compared ? undefined : 'what was compared of it is another part';
}
