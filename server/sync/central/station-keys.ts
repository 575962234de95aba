import { AppError } from '../../../shared/contract/errors.ts';
import { fingerprintOfKey } from '../../keys/ed25519.ts';
import { areOffersSigned, endsOf, isEndSigned } from '../../keys/signed-end.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import { stationKey } from '../../store/station-ends.ts';
import type { PushRequest } from '../protocol/wire.ts';

/**
 * Whether what is pushed is signed by the station's own key. One that never signed is of a former version, and sends as that does; once it
 * has signed there is no way back but a code. Whoever has a station's bearer key and not `authority.key` sends nothing.
 * @returns the key, where it is new here
 * @throws AppError `conflict`: nothing of the push is taken, and nothing is lost
 */
export function checkEnds(sql: Pick<SqlReader, 'get'>, request: PushRequest): string | undefined {
  const { station, commits, ends = [], offers, offered } = request;
  const known = stationKey(sql, station);
  if (known !== undefined && offers.length > 0) {
    if (!offered) throw new AppError('conflict', UNSIGNED);
    if (offered.key !== known) throw new AppError('conflict', otherKey(known, offered.key));
    if (!areOffersSigned(request, offered)) throw new AppError('conflict', ALTERED);
  }
  if (commits.length === 0) return undefined;
  if (known === undefined && ends.length === 0) return undefined;
  const key = known ?? ends[0]?.key ?? '';
  for (const { chain, number, hash } of endsOf(commits)) {
    const end = ends.find(one => one.chain === chain);
    if (!end) throw new AppError('conflict', UNSIGNED);
    if (end.key !== key) throw new AppError('conflict', otherKey(key, end.key));
    if (end.number !== number || end.hash !== hash || !isEndSigned(end))
      throw new AppError('conflict', ALTERED);
  }
  return known === undefined ? key : undefined;
}

/** @throws AppError `conflict` where the station has signed by another key than this one */
export function refuseOtherKey(sql: Pick<SqlReader, 'get'>, station: string, key: string): void {
  const known = stationKey(sql, station);
  if (known !== undefined && known !== key) throw new AppError('conflict', otherKey(known, key));
}

const AGAIN =
  'Make a new code at central and enrol this station again; what was recorded is kept, and is sent then.';
const UNSIGNED = `What this station sends is not signed with its own key, as it was before: its program is of an earlier version, or somebody else has its key for central. Update the program. Else: ${AGAIN}`;
const ALTERED = `What this station sends is not what its own key has signed: it was altered on the way, or somebody else sends it. If it stays so: ${AGAIN}`;

function otherKey(known: string, sent: string): string {
  return `Central knows this station by another key: SHA-256 ${fingerprintOfKey(known)}, and it signs with ${fingerprintOfKey(sent)}. Where authority.key was lost, put it back from a copy. Where there is none: ${AGAIN}`;
}
