import '../../server/sync/protocol/wire.test.ts';
import '../../server/sync/protocol/exchange.test.ts';
import '../../server/sync/protocol/read-message.test.ts';
import '../../server/sync/protocol/wire-schemas.test.ts';
