/** The server sends something every 15 s; a line that says nothing for so long is dead. In milliseconds. */
const SILENCE_MS = 45_000;

export interface StreamedEvent {
  /** `cursor`, `reset`, `change`, `change-of-many`, `sync`. */
  event: string;
  /** The place after it, for `since`; absent where it is none to go on from. */
  id?: string;
  data: Record<string, unknown>;
}

/** The events of a stream (HTML standard, 9.2) until it ends; `drop` is called when it has been silent for too long. */
export async function* readEvents(response: Response, drop: () => void): AsyncGenerator<StreamedEvent> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const timer = setTimeout(drop, SILENCE_MS);
    const read = await reader?.read().finally(() => clearTimeout(timer));
    if (!read || read.done) return;
    text += decoder.decode(read.value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

function eventOf(block: string): StreamedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''));
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  return {
    event: fields.get('event') ?? 'message',
    ...(id !== undefined && { id }),
    data: JSON.parse(data) as Record<string, unknown>,
  };
}
