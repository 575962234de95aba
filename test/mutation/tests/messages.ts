import '../../sync/protocol/exchange.test.ts';
import '../../sync/protocol/read-message.test.ts';
import '../../sync/protocol/wire-schemas.test.ts';
