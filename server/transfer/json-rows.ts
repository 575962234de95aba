import { AppError } from '../../shared/contract/errors.ts';
import { parseStrictJson } from '../../shared/contract/strict-json.ts';
import type { RowReading, SourceRow } from './csv-rows.ts';
import { FileFault } from './fault.ts';
import { fileText } from './file-text.ts';

const OBJECT_LIMIT = 8 * 1024 * 1024;
const COLUMNS_LIMIT = 1_000;

/**
 * The objects of a JSON file, an array or one object after the other (newline-delimited JSON), cut apart as they are
 * read, so that no more than one of them is in memory.
 * @throws FileFault where something else than an object stands in the place of one
 */
export async function* jsonRows(reading: RowReading): AsyncGenerator<SourceRow> {
  const columns = new Set<string>();
  for await (const { line, text } of objectTexts(reading)) {
    const values = parsed(text, message => reading.onBadRow(line, message));
    if (values === undefined) continue;
    for (const name of Object.keys(values)) if (columns.size < COLUMNS_LIMIT) columns.add(name);
    yield { line, values };
  }
  reading.onColumns([...columns]);
}

function parsed(text: string, onFault: (message: string) => void): Record<string, unknown> | undefined {
  try {
    return parseStrictJson(text) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onFault(`The object is not valid JSON. ${error.message}`);
    return undefined;
  }
}

/** Follows braces and strings only; whether the object between them is valid is for the parser to say. */
async function* objectTexts({ file, options }: RowReading): AsyncGenerator<{ line: number; text: string }> {
  let line = 1;
  let start = 1;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isInArray = false;
  let open = '';
  for await (const chunk of fileText(file, options.encoding)) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at];
      if (character === '\n') line++;
      if (depth === 0) {
        if (character === '{') {
          depth = 1;
          start = line;
          from = at;
        } else if (character === '[' && !isInArray) isInArray = true;
        else if (character === ']' && isInArray) isInArray = false;
        else if (!/[\s,]/.test(character ?? '')) {
          const message = `${JSON.stringify(chunk.slice(at, at + 20))} stands where an object is due. Give an array of objects, or one object a line.`;
          throw new FileFault(file.name, message, { line });
        }
      } else if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
      } else if (character === '"') isInString = true;
      else if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') {
        depth--;
        if (depth > 0) continue;
        yield { line: start, text: open + chunk.slice(from, at + 1) };
        open = '';
      }
    }
    if (depth > 0) open += chunk.slice(from);
    if (open.length > OBJECT_LIMIT) {
      throw new FileFault(file.name, 'The object has more than 8 million characters, or is never closed.', {
        line: start,
      });
    }
  }
  if (depth > 0)
    throw new FileFault(file.name, 'The object is never closed. Is the file complete?', { line: start });
}
