import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { Checkpoint, CheckpointFile } from '../../shared/operations/checkpoint-operations.ts';
import { isSignedBy } from '../keys/ed25519.ts';
import type { Authority } from './authority-key.ts';

const SAYS = 'holdpoint: checkpoint';

/** What an installation says of where it stands. */
export type Standing = Pick<
  Checkpoint,
  'installation' | 'at' | 'clock_at_least' | 'log' | 'chain' | 'others'
>;

export function signCheckpoint(
  authority: Authority,
  { installation, at, clock_at_least, log, chain, others }: Standing,
): Checkpoint {
  const told = { says: SAYS, installation, key: authority.key, at, log, chain } as const;
  const content = {
    ...told,
    ...(clock_at_least !== undefined && { clock_at_least }),
    ...(others?.length && { others }),
  };
  return { ...content, signature: authority.sign(canonicalJson(content)) };
}

/** Whether the key that a checkpoint names has signed it. Whose key that is nobody says here. */
export function isSigned({ signature, ...content }: Checkpoint): boolean {
  return isSignedBy(content.key, canonicalJson(content), signature);
}

export function checkpointFile(checkpoints: Checkpoint[]): CheckpointFile {
  return { format: 'holdpoint checkpoints 1', checkpoints };
}
