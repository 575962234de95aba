import type { CAR_MEMBERS } from '../../../shared/families/car-description.ts';
import { mapOf } from '../../store/changes.ts';
import { facts, heading, paragraph } from '../blocks.ts';
import { type Describe, nameOf } from '../context.ts';
import { correctionBlocks } from '../correction-blocks.ts';
import type { TextKey } from '../texts.ts';

/** A corrective action request; its description has whatever members people gave it. */
export const car: Describe = (context, record) => {
  const { words } = context;
  const { say } = words;
  const { fields } = record;
  const paragraphs = Object.entries(mapOf(fields.description)).map(([label, value]) =>
    paragraph(
      members[label] ? say(members[label]) : label,
      typeof value === 'string' ? words.text(value) : JSON.stringify(value, null, 2),
    ),
  );
  return {
    title: 'car',
    number: words.text(fields.car_number),
    blocks: [
      facts(
        [say('initiator'), words.text(fields.initiator_name)],
        [say('status'), say(fields.date_closed ? 'closed' : 'open')],
        [say('opened'), words.date(fields.date_opened)],
        [say('closedOn'), words.date(fields.date_closed)],
        [say('source'), words.text(fields.source)],
        [say('type'), words.text(fields.type)],
        [say('poNumber'), words.text(fields.po_number)],
        [say('ncr'), nameOf(context, 'ncr', fields.ncr_id, 'ncr_number')],
      ),
      heading(say('description')),
      ...(paragraphs.length > 0 ? paragraphs : [paragraph('', words.text(null))]),
      ...correctionBlocks(context, record),
    ],
  };
};

/** What a request takes over from its report: `shared/families/car-description.ts`. */
const members: Record<string, TextKey> = {
  text: 'description',
  part: 'part',
  lot_number: 'lot',
  immediate_action: 'immediateAction',
} satisfies Record<keyof typeof CAR_MEMBERS, TextKey>;
