import { type EndSigner, endsOf, signEnd, signOffers } from '../../keys/signed-end.ts';
import type { PushRequest } from '../protocol/wire.ts';

/** A push as its station signs it: the ends of what it sends of its own chains, and what it says that central's lost log held. */
export function signedPush(authority: EndSigner, request: PushRequest): PushRequest {
  const { offers, commits } = request;
  return {
    ...request,
    ...(commits.length > 0 && { ends: endsOf(commits).map(end => signEnd(authority, end)) }),
    ...(offers.length > 0 && { offered: signOffers(authority, request) }),
  };
}
