import { AppError, invalid } from '../../../shared/contract/errors.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../../shared/contract/present.ts';
import type { LabelKind, LabelSymbol, Language } from '../../../shared/operations/paper-operations.ts';
import { type AnswerContext, answerOf } from '../../rules/answers.ts';
import { siteSettings, todayOf } from '../../rules/site.ts';
import { nameOf, type PaperContext, recordOf } from '../context.ts';
import { wordsOf } from '../words.ts';
import type { Label } from './label.ts';
import { labelCode } from './label-code.ts';

export interface LabelRequest {
  kind: LabelKind;
  record: StoredRecord;
  symbol: LabelSymbol;
  language: Language;
  /** Of an item: the id of the receipt's line. */
  line: number | undefined;
}

/**
 * What the label of a lot, part, place or receipt line says.
 * @throws AppError 422 or 404 where the line of a receipt is not named, or is none of it
 */
export function makeLabel(reading: AnswerContext, request: LabelRequest): Label {
  const { kind, record, symbol, language } = request;
  const context = { reading, words: wordsOf(language, siteSettings(reading.records).time_zone) };
  return {
    ...labels[kind](context, record, request),
    at: reading.now,
    code: codeOf(context, record, symbol, kind, request),
  };
}

type Said = Pick<Label, 'title' | 'lines' | 'warning'>;

const labels: Record<
  LabelKind,
  (context: PaperContext, record: StoredRecord, request: LabelRequest) => Said
> = {
  lot: (context, lot) => {
    const { quantity, unit_of_measure: unit } = answerOf(context.reading, lot, {
      fields: ['quantity', 'unit_of_measure'],
    });
    return lotLabel(context, lot, context.words.quantity(quantity, unit));
  },

  item: (context, receipt, { line: id }) => {
    const line = lineOf(receipt, id);
    const lot = recordOf(context, 'inventory', line.inventory_id);
    const { words } = context;
    const quantity = words.quantity(line.quantity_accepted, line.unit_of_measure);
    if (lot) return lotLabel(context, lot, quantity);
    const part = recordOf(context, 'part', line.part_id);
    return {
      title: words.text(part?.fields.name),
      lines: [words.text(part?.fields.identification), words.text(line.serial_number), quantity],
      warning: null,
    };
  },

  part: ({ words }, { fields }) => ({
    title: words.text(fields.name ?? fields.identification),
    lines: [words.text(fields.identification)],
    warning: null,
  }),

  location: ({ words }, { fields, id }) => ({
    title: words.text(fields.name ?? id),
    lines: [words.say('location')],
    warning: null,
  }),
};

function lotLabel(context: PaperContext, lot: StoredRecord, quantity: string): Said {
  const { words, reading } = context;
  const { say } = words;
  const {
    identification,
    location,
    is_locked: isLocked,
  } = answerOf(reading, lot, {
    fields: ['identification', 'location', 'is_locked'],
  });
  const expiry = lot.fields.expiry_date;
  return {
    title: nameOf(context, 'part', lot.fields.part_id),
    lines: [
      `${say('lotShort')} ${words.text(lot.fields.batch_number)}`,
      ...(expiry ? [`${say('expires')} ${words.date(expiry)}`] : []),
      quantity,
      ...(identification ? [String(identification)] : []),
      ...(location ? [String(location)] : []),
    ],
    warning: isLocked === true ? say('locked') : null,
  };
}

function codeOf(
  context: PaperContext,
  record: StoredRecord,
  symbol: LabelSymbol,
  kind: LabelKind,
  request: LabelRequest,
): Label['code'] {
  if (kind === 'part') return labelCode(symbol, { key: record.key, name: record.fields.identification });
  const lot =
    kind === 'item'
      ? recordOf(context, 'inventory', lineOf(record, request.line).inventory_id)
      : kind === 'lot'
        ? record
        : undefined;
  if (!lot) return labelCode(symbol, { key: record.key });
  const { part_id: part, batch_number: number, expiry_date: expiry } = lot.fields;
  const today = todayOf(context.reading.records, context.reading.now);
  const barcodes = recordOf(context, 'part', part)?.fields.barcodes;
  return labelCode(symbol, { key: lot.key, lot: { barcodes, number, expiry, today } });
}

function lineOf(receipt: StoredRecord, id: number | undefined): StoredItem {
  const lines = itemsOf({ position: 'order' }, receipt.fields.items);
  const ids = lines.slice(0, 20).map(line => line.id);
  if (id === undefined) {
    throw invalid({ line: [`Name the line of the receipt by its id. It has: ${ids.join(', ') || 'none'}.`] });
  }
  const line = lines.find(each => each.id === id);
  if (!line) throw new AppError('not_found', `The receipt ${receipt.id} has no line with the id ${id}.`);
  return line;
}
