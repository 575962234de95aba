import { join } from 'node:path';
import { TESTED } from './tested-program.ts';

/** The bundled `holdpoint` of the sources as they are now; global setup builds it. Its start takes a quarter of the time. */
export const HOLDPOINT = join(TESTED, 'holdpoint.js');
