import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { certificateContentSchema, findingsIn } from '../../shared/families/certificate.ts';
import { families } from '../../shared/families/registry.ts';
import type { Language } from '../../shared/operations/paper-operations.ts';
import { basisOf, digestOf, isImported, issuedContent, withdrawalOf } from '../rules/certificates.ts';
import { inputOf } from '../rules/input-of.ts';
import type { OrderReads } from '../rules/purchase-orders.ts';
import { siteSettings } from '../rules/site.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { facts, notice } from './blocks.ts';
import { clockBlocks } from './clock-blocks.ts';
import { describeCertificate } from './documents/certificate.ts';
import { framed } from './make-paper.ts';
import type { Block, Paper } from './paper.ts';
import { personOnPaper } from './person.ts';
import { signatureBlocks } from './signature-blocks.ts';
import { type Words, wordsOf } from './words.ts';

/** Where the digest stands once it is known: it cannot stand in what it is made of. */
const DIGEST = '{digest}';

/**
 * Issues a certificate of the lot in the author's name: gives it its number, and keeps the paper word for word with its
 * digest. It names no ids, so that it stays as it is where records move.
 * @throws AppError `conflict` where the lot gets none: locked, failed, without a result
 */
export function issueCertificate(work: UnitOfWork, lot: StoredRecord, language: Language): StoredRecord {
  const { certificate } = families;
  const { actor, at } = work;
  const zone = siteSettings(work.records).time_zone;
  const words = wordsOf(language, zone);
  const reading = { records: work.records, sql: work.sql, now: at };
  const { blocks } = describeCertificate({ reading, words }, lot);
  const user = actor.userId === undefined ? undefined : work.get('user', actor.userId);
  const name = String(user?.fields.name ?? actor.user);
  const person = personOnPaper(name, actor.user);
  const made = work.create(
    certificate,
    inputOf({
      inventory_id: lot.id,
      language,
      time_zone: zone,
      issued_at: at,
      issued_by: actor.userId,
      issuer: actor.user,
      issuer_name: name,
      basis: basisOf(reading, lot),
    }),
  );
  const number = String(made.fields.number);
  const moment = words.exactMoment(at);
  const paper = framed({ reading, words }, lot, {
    title: words.say('certificate'),
    number,
    link: number,
    identity: words.say('certificateDigest', { number, digest: DIGEST }),
    printed: words.say('certificateIssued', { user: person.slice(0, 80), at: moment, zone }),
    blocks: [
      facts(
        [words.say('certificateNumber'), number],
        [words.say('certificateIssuedAt'), moment],
        [words.say('certificateIssuedBy'), person],
      ),
      ...blocks,
      ...clockBlocks({ reading, words }, findingsIn(made.fields.basis)),
    ],
  });
  // As it is read back: printing it later must not depend on more than that.
  const said = certificateContentSchema.parse({
    number,
    language,
    time_zone: zone,
    issued_at: at,
    issuer: actor.user,
    issuer_name: name,
    paper,
  });
  const digest = digestOf(said);
  return work.byServer(() => work.set(certificate, made.id, { ...made.fields, ...said, digest }));
}

/**
 * The paper of an issued certificate, the same each time: what was kept, who signed it, and whether it was withdrawn.
 * @throws AppError `conflict` where what was kept is not what was issued
 */
export function issuedPaper(reads: OrderReads & { now: string }, record: StoredRecord): Paper {
  const content = issuedContent(record);
  if (!content) {
    const message = `The certificate ${record.fields.number} is not printed: what is kept of it does not match its digest any more. Have this installation verified (holdpoint verify), and issue another one.`;
    throw new AppError('conflict', message);
  }
  const { paper, language, time_zone: zone } = content;
  const words = wordsOf(language, zone);
  return {
    ...paper,
    identity: paper.identity.replace(DIGEST, shortDigest(String(record.fields.digest))),
    blocks: [
      ...marks(reads, words, record),
      ...paper.blocks,
      ...signatureBlocks({ reading: reads, words }, record),
      ...clockBlocks({ reading: reads, words }, [record.key]),
    ],
  };
}

function marks(reads: OrderReads, words: Words, record: StoredRecord): Block[] {
  const withdrawal = withdrawalOf(reads, record)?.fields;
  const withdrawn =
    withdrawal &&
    words.say('certificateWithdrawn', {
      at: words.exactMoment(String(withdrawal.at)),
      user: words.text(personOnPaper(withdrawal.withdrawer_name, withdrawal.withdrawer)),
      reason: words.text(withdrawal.reason),
    });
  const imported = isImported(record) ? words.say('certificateImported') : undefined;
  return [withdrawn, imported].flatMap(text => (text === undefined ? [] : [notice('wrong', text)]));
}

/** The first 16 digits in groups of four, as people compare them. */
function shortDigest(digest: string): string {
  return digest.slice(0, 16).replaceAll(/(.{4})(?=.)/g, '$1-');
}
