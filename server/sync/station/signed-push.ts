import { type EndSigner, endsOf, signEnd, signOffers } from '../../keys/signed-end.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import { meansOf } from '../log/meant-records.ts';
import type { PushRequest } from '../protocol/wire.ts';

/**
 * A push as its station signs it: the ends of what it sends of its own chains, and what it says that central's lost log held. What its
 * commits mean of that it says as well.
 */
export function signedPush(
  sql: SqlReader,
  authority: EndSigner | undefined,
  request: PushRequest,
): PushRequest {
  const { offers, commits } = request;
  const means = meansOf(sql, commits);
  const said = { ...request, ...(means && { means }) };
  if (!authority) return said;
  return {
    ...said,
    ...(commits.length > 0 && { ends: endsOf(commits).map(end => signEnd(authority, end)) }),
    ...(offers.length > 0 && { offered: signOffers(authority, request) }),
  };
}
