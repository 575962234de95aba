import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');

/** The bundled `holdpoint` of the sources as they are now; global setup builds it. Its start takes a quarter of the time. */
export const HOLDPOINT = join(PROJECT, 'dist', 'server', 'holdpoint.js');
