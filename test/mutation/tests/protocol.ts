import '../../server/sync/protocol/central.test.ts';
import '../../server/sync/protocol/collision.test.ts';
import '../../server/sync/protocol/decide.test.ts';
import '../../server/sync/protocol/decide-in-log.test.ts';
import '../../server/sync/protocol/exchange.test.ts';
import '../../server/sync/protocol/gzip.test.ts';
import '../../server/sync/protocol/holds.test.ts';
import '../../server/sync/protocol/layer.test.ts';
import '../../server/sync/protocol/log.test.ts';
import '../../server/sync/protocol/message-size.test.ts';
import '../../server/sync/protocol/overlay.test.ts';
import '../../server/sync/protocol/packed-entries.test.ts';
import '../../server/sync/protocol/protocol-state.test.ts';
import '../../server/sync/protocol/received-log.test.ts';
import '../../server/sync/protocol/siblings.test.ts';
import '../../server/sync/protocol/snapshot.test.ts';
import '../../server/sync/protocol/station.test.ts';
import { expect, it } from 'vitest';
import { explore } from '../../server/sync/protocol/explore.ts';
import { protocol } from '../../server/sync/protocol/protocol-table.ts';
import { shortScopes } from '../../server/sync/protocol/scopes.ts';

/** A mutant that the whole exploration finds is almost always found among the first states, in a tenth of the time. */
const MOST = 1_000;

it.each(shortScopes)(`the first ${MOST} states of $name`, scope => {
  expect(explore(scope, protocol, MOST).violation).toBeNull();
});
