import '../../sync/protocol/decide.test.ts';
import '../../sync/protocol/exchange.test.ts';
import '../../sync/protocol/holds.test.ts';
import '../../sync/protocol/packed-entries.test.ts';
import { expect, it } from 'vitest';
import { explore } from '../../sync/protocol/explore.ts';
import { protocol } from '../../sync/protocol/protocol-table.ts';
import { shortScopes } from '../../sync/protocol/scopes.ts';

/** A mutant that the whole exploration finds is almost always found among the first states, in a tenth of the time. */
const MOST = 1_000;

it.each(shortScopes)(`the first ${MOST} states of $name`, scope => {
  expect(explore(scope, protocol, MOST).violation).toBeNull();
});
