import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { moveInstallation } from '../../../server/service/move-installation.ts';

/** `node move-child.ts FROM TO`: a move to be killed. */
const [, , from = '', to = ''] = process.argv;
await moveInstallation({ from, to, ...verifyDependencies, clock: () => new Date() });
