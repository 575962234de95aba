import { type Client, createClient } from '../../shared/operations/client.ts';
import { ownChanges } from './own-changes.ts';

/** The interface of the server that this page came from: a session's cookie, or main's proxy, says who calls. */
export const client: Client = createClient({ baseUrl: '', fetch: ownChanges.fetch });
