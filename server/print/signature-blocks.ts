import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Meaning } from '../../shared/families/signature.ts';
import { datedSignaturesOf, type ShownProof } from '../rules/signing.ts';
import { headedTable } from './blocks.ts';
import type { PaperContext } from './context.ts';
import type { Block } from './paper.ts';
import { personOnPaper } from './person.ts';
import type { TextKey } from './texts.ts';
import type { Words } from './words.ts';

/** Who signed the record, with what meaning, when, and whether it has changed since; nothing where nobody did. */
export function signatureBlocks({ reading, words }: PaperContext, record: StoredRecord): Block[] {
  const { say } = words;
  const loginOf = (id: unknown) => reading.records.get('user', Number(id))?.fields.login;
  return headedTable(words, 'signatures', datedSignaturesOf(reading, record), [
    ['signer', 4, ({ user_name: name, user_id: id }) => words.text(personOnPaper(name, loginOf(id)))],
    ['meaning', 3, ({ meaning }) => say(byName.get(String(meaning)) ?? 'notSaid')],
    ['reason', 5, ({ reason }) => words.text(reason)],
    ['signedAt', 4, ({ at, clock_at_least: least }) => signedAt(words, at, least)],
    [
      'valid',
      4,
      ({ is_imported: isImported, is_superseded: isSuperseded, proof, version }) =>
        isImported || proof === 'broken'
          ? { text: '', shape: 'cross', words: say(isImported ? 'signedElsewhere' : 'notSignedBy') }
          : isSuperseded
            ? { text: '', shape: 'cross', words: say('superseded', { version: String(version) }) }
            : say('current'),
    ],
    ['proof', 3, one => [say(proofs[one.proof]), ...giver(words, one)].join('\n')],
  ]);
}

const proofs: Record<ShownProof, TextKey> = {
  proved: 'proofOwn',
  moved: 'proofMoved',
  revoked: 'proofRevoked',
  broken: 'proofBroken',
  before: 'proofBefore',
  brought: 'proofBrought',
  none: 'proofNone',
};

/** That the signer's key was given by somebody else. */
function giver(words: Words, { key_from: from, key_given_by: by }: GivenKey): string[] {
  if (from === 'unknown') return [words.say('keyGiverUnknown')];
  return from === 'other' && by !== null ? [words.say('keyGivenBy', { name: by })] : [];
}

type GivenKey = Pick<ReturnType<typeof datedSignaturesOf>[number], 'key_from' | 'key_given_by'>;

function signedAt(words: Words, at: unknown, least: string | null): string {
  if (typeof at !== 'string') return words.text(null);
  if (least === null) return words.exactMoment(at);
  return `${words.exactMoment(at)}\n${words.say('clockNotConfirmed', { least: words.exactMoment(least) })}`;
}

const meanings: Record<Meaning, TextKey> = {
  change: 'meaningChange',
  verdict: 'meaningVerdict',
  disposition: 'meaningDisposition',
  closing: 'meaningClosing',
  reopening: 'meaningReopening',
  approval: 'meaningApproval',
  release: 'meaningRelease',
  acceptance: 'meaningAcceptance',
  correction: 'meaningCorrection',
  result: 'meaningResult',
  shipment: 'meaningShipment',
  certificate: 'meaningCertificate',
  decision: 'meaningDecision',
  settings: 'meaningSettings',
};
const byName: ReadonlyMap<string, TextKey> = new Map(Object.entries(meanings));
