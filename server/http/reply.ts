import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { SUCCESS_MESSAGE } from '../../shared/contract/envelope.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Reply } from './request-context.ts';

export const API_PREFIX = '/api/v2';

/** The success envelope. `meta` appears only where there is something to say. */
export function success<Data>(
  data: Data,
  options: {
    status?: 200 | 201 | undefined;
    meta?: Record<string, unknown> | undefined;
    ignored?: readonly string[] | undefined;
    headers?: Record<string, string> | undefined;
    links?: object | undefined;
  } = {},
): Reply<Data> {
  const { status = 200, headers = {}, ignored, links } = options;
  const meta = ignored?.length ? { ...options.meta, ignored } : options.meta;
  const body: Reply<Data>['body'] = { status: 'success', message: SUCCESS_MESSAGE, data };
  if (links) body.links = links;
  if (meta && Object.keys(meta).length > 0) body.meta = meta;
  return { status, headers, body };
}

/** Names the record's version and state (interface decisions, 2); answers say more (`answerTag`). */
export function etagOf(record: Pick<StoredRecord, 'version' | 'state'>): string {
  return `"${record.version}-${record.state.slice(0, 16)}"`;
}

/** The body as text, with the names in the address that the operation does not know beside those in the body. */
export function bodyText({ body }: Pick<Reply, 'body'>, ignoredInQuery: readonly string[]): string {
  if (ignoredInQuery.length === 0) return JSON.stringify(body);
  const meta = (body.meta ?? {}) as { ignored?: readonly string[] };
  return JSON.stringify({
    ...body,
    meta: { ...meta, ignored: [...(meta.ignored ?? []), ...ignoredInQuery] },
  });
}

const NO_ROWS = '"data":[]';

/** What stands before and after the rows of a list, as text. */
export function aroundRows(
  reply: Pick<Reply, 'body'>,
  ignoredInQuery: readonly string[],
): [before: string, after: string] {
  const text = bodyText(reply, ignoredInQuery);
  const split = text.indexOf(NO_ROWS) + NO_ROWS.length - 1;
  return [text.slice(0, split), text.slice(split)];
}

/** The body of a list whose rows are text already. */
export function listText(
  rows: readonly string[],
  meta: Record<string, unknown>,
  ignoredInQuery: readonly string[],
): string {
  const [before, after] = aroundRows(success([], { meta }), ignoredInQuery);
  return before + rows.join() + after;
}

export function sendJson(
  response: Response,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const length = Buffer.byteLength(body);
  response.setHeader('Content-Length', length);
  endWithText(response, body, length);
}

/**
 * The end of an answer: a text goes out in one write with the headers, where bytes would need a second one.
 * @param length bytes of the text
 */
export function endWithText(response: Response, text: string, length: number): void {
  // ASCII is the same in both, and is written without being converted.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Until the client takes more, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
