import type { StoredRecord } from '../../shared/contract/present.ts';
import { signaturesOf } from '../rules/signing.ts';
import type { PaperContext } from './context.ts';
import type { Block } from './paper.ts';
import type { TextKey } from './texts/en.ts';

/** Who signed the record, with what meaning, when, and whether it has changed since; nothing where nobody did. */
export function signatureBlocks({ reading, words }: PaperContext, record: StoredRecord): Block[] {
  const { say } = words;
  const signatures = signaturesOf(reading.records, record);
  if (signatures.length === 0) return [];
  return [
    { kind: 'heading', text: say('signatures') },
    {
      kind: 'table',
      columns: [
        { label: say('signer'), share: 4 },
        { label: say('meaning'), share: 3 },
        { label: say('reason'), share: 5 },
        { label: say('signedAt'), share: 4 },
        { label: say('valid'), share: 4 },
      ],
      rows: signatures.map(signature => [
        words.text(signature.user_name),
        say(meanings[String(signature.meaning)] ?? 'notSaid'),
        words.text(signature.reason),
        typeof signature.at === 'string' ? words.moment(signature.at) : words.text(null),
        signature.is_superseded
          ? { text: '', shape: 'cross', words: say('superseded', { version: String(signature.version) }) }
          : say('current'),
      ]),
    },
  ];
}

const meanings: Record<string, TextKey> = { change: 'meaningChange', closing: 'meaningClosing' };
