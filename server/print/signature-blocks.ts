import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Meaning } from '../../shared/families/signature.ts';
import type { SignatureProof } from '../keys/signature-proof.ts';
import { signaturesOf } from '../rules/signing.ts';
import { headedTable } from './blocks.ts';
import type { PaperContext } from './context.ts';
import type { Block } from './paper.ts';
import type { TextKey } from './texts.ts';

/** Who signed the record, with what meaning, when, and whether it has changed since; nothing where nobody did. */
export function signatureBlocks({ reading, words }: PaperContext, record: StoredRecord): Block[] {
  const { say } = words;
  return headedTable(words, 'signatures', signaturesOf(reading.records, record), [
    ['signer', 4, ({ user_name: name }) => words.text(name)],
    ['meaning', 3, ({ meaning }) => say(byName.get(String(meaning)) ?? 'notSaid')],
    ['reason', 5, ({ reason }) => words.text(reason)],
    ['signedAt', 4, ({ at }) => (typeof at === 'string' ? words.exactMoment(at) : words.text(null))],
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
    ['proof', 3, ({ proof }) => say(proofs[proof])],
  ]);
}

const proofs: Record<SignatureProof, TextKey> = {
  proved: 'proofOwn',
  moved: 'proofMoved',
  broken: 'proofBroken',
  none: 'proofNone',
};

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
