import type { Readable } from 'node:stream';
import { CentralFailure } from './central-failure.ts';

export interface ServerEvent {
  id: string | undefined;
  /** `message` where the stream names none. */
  event: string;
  /** As it came; central's is JSON. */
  data: string;
}

/** One event in characters; central's are short. */
const EVENT_LIMIT = 1024 * 1024;

/** Reads server-sent events (HTML standard, 9.2) to the end of the stream. Comments and unknown fields are skipped. */
export async function readEvents(body: Readable, onEvent: (event: ServerEvent) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let lines: string[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    for (const line of parts) {
      if (line !== '') lines.push(line);
      else {
        const event = eventOf(lines);
        lines = [];
        if (event) onEvent(event);
      }
    }
    const size = lines.reduce((sum, line) => sum + line.length, rest.length);
    if (size > EVENT_LIMIT)
      throw new CentralFailure('too_large', `An event has more than ${EVENT_LIMIT} characters.`);
  }
}

/** Undefined for one without data. */
function eventOf(lines: readonly string[]): ServerEvent | undefined {
  const data: string[] = [];
  let id: string | undefined;
  let event = 'message';
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
    else if (name === 'event') event = value;
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') };
}
