import type { StoredRecord } from '../../shared/contract/present.ts';
import type { FamilyName } from '../../shared/families/registry.ts';
import type { PickList } from '../../shared/operations/place-operations.ts';
import type { Trace } from '../../shared/operations/trace-schemas.ts';
import type { AnswerContext } from '../rules/answers.ts';
import type { Block } from './paper.ts';
import type { TextKey } from './texts.ts';
import type { Words } from './words.ts';

/** What a document is made from: committed records, the moment, and the language. */
export interface PaperContext {
  reading: AnswerContext;
  words: Words;
  /** Of a recall: what it says. */
  trace?: Trace | undefined;
  /** Of a pick list: what it says. */
  picks?: PickList | undefined;
}

/** What is particular to one kind of document. */
export interface Described {
  title: TextKey;
  /** What people call the record. */
  number: string;
  blocks: Block[];
}

/** @throws AppError `conflict` where the record cannot be printed as that document */
export type Describe = (context: PaperContext, record: StoredRecord) => Described;

export function recordOf(
  { reading }: PaperContext,
  family: FamilyName,
  id: unknown,
): StoredRecord | undefined {
  return typeof id === 'number' ? reading.records.get(family, id) : undefined;
}

/** A field of another record, such as a supplier's name; a dash where there is none. */
export function nameOf(context: PaperContext, family: FamilyName, id: unknown, field = 'name'): string {
  return context.words.text(recordOf(context, family, id)?.fields[field]);
}

/** A part as people know it: name and part number. */
export function partOf(context: PaperContext, id: unknown): string {
  const { name, identification } = recordOf(context, 'part', id)?.fields ?? {};
  const said = [name, identification].filter(value => typeof value === 'string' && value !== '');
  return context.words.text(said.join(' · '));
}
