import { Anchor, Badge, Text } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Field } from '../../shared/contract/fields.ts';
import { memberLabel } from '../../shared/families/car-description.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { recordPath } from '../ui/record-path.ts';

export interface FieldValueProps {
  field: Field;
  value: unknown;
  /** What references are called; without it they are shown by their id. */
  titleOf?: (family: string, id: unknown) => string | undefined;
  /** Of the record, for references whose family another field names (an inspection's entity). */
  record?: Record<string, unknown>;
}

/**
 * A value of a record as a person reads it: by the field's kind, in the present language, typed text as it was typed.
 * Lists show hundreds of them, so each kind asks for no more than it needs.
 */
export function FieldValue({ field, value, titleOf, record }: FieldValueProps) {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    return <NoValue />;
  }
  if (field.isMoney) return <Money field={field} value={Number(value)} />;
  if (field.isUnit) return <ChoiceValue value={String(value)} />;
  switch (field.kind) {
    case 'reference': {
      const family = referredFamily(field, record);
      if (family === undefined) return <>{String(value)}</>;
      return <ReferenceValue family={family} id={Number(value)} title={titleOf?.(family, Number(value))} />;
    }
    case 'boolean':
      return <YesNo value={isYes(value)} />;
    case 'date':
    case 'timestamp':
    case 'integer':
    case 'number':
      return <FormattedValue kind={field.kind} value={value} />;
    case 'choice':
      return <ChoiceValue value={String(value)} />;
    case 'text-list':
      return <TypedText text={Array.isArray(value) ? value.join(', ') : String(value)} />;
    case 'json':
      if (field.choices) return <ChoiceValue value={String(value)} />;
      return shapeOf(field) === 'flag' ? <YesNo value={isYes(value)} /> : <DerivedValue value={value} />;
    default:
      return <TypedText text={String(value)} />;
  }
}

function NoValue() {
  const { t } = useTranslation('app');
  return (
    <Text span c="dimmed" aria-label={t('none')}>
      –
    </Text>
  );
}

function ReferenceValue({ family, id, title }: { family: string; id: number; title: string | undefined }) {
  const texts = useFamilyTexts();
  return (
    <Anchor component={Link} to={recordPath(family, id)} inherit>
      <TypedText text={title ?? `${texts.word(familyOf(family)?.title ?? family)} ${id}`} />
    </Anchor>
  );
}

function ChoiceValue({ value }: { value: string }) {
  return <>{useFamilyTexts().choice(value)}</>;
}

function FormattedValue(props: { kind: 'date' | 'timestamp' | 'integer' | 'number'; value: unknown }) {
  const { kind, value } = props;
  const formats = useFormats();
  const text =
    kind === 'date'
      ? formats.day(String(value))
      : kind === 'timestamp'
        ? formats.moment(String(value))
        : formats.number(Number(value));
  return <span className="code">{text}</span>;
}

function Money({ field, value }: { field: Field; value: number }) {
  const formats = useFormats();
  return (
    <span className="code">{field.source === 'derived' ? formats.money(value) : formats.price(value)}</span>
  );
}

/** Numbers stand in columns with their ends below each other. */
export function isNumeric(field: Field): boolean {
  return field.kind === 'number' || field.kind === 'integer' || shapeOf(field) === 'number';
}

type Shape = 'flag' | 'number' | 'other';

const shapes = new WeakMap<Field, Shape>();

/** Of a value that a rule works out only the schema says what it is: 0 and 1 alone are no and yes, as numbers or texts. */
function shapeOf(field: Field): Shape {
  const known = shapes.get(field);
  if (known) return known;
  const takes = (value: unknown) => field.kind === 'json' && field.schemas().output.safeParse(value).success;
  const isAnyText = takes('');
  const isFlag = [1, '1'].some(takes) && ![2, '2'].some(takes);
  const shape = isAnyText ? 'other' : isFlag ? 'flag' : takes(1) ? 'number' : 'other';
  shapes.set(field, shape);
  return shape;
}

const LONGEST_WORD = 24;

/** Text as it was typed. Codes stay in one piece; only what is longer than any column breaks anywhere. */
export function TypedText({ text }: { text: string }) {
  const words = text.split(/\s+/);
  const isLong = words.some(word => word.length > LONGEST_WORD);
  if (isLong) return <span className="typed">{text}</span>;
  if (words.length === 1) return <span className="code">{text}</span>;
  // A line ends after a hyphen, and a lot number would stand on two.
  const pieces = text.split(/(\S*-\S*)/);
  return (
    <span className="typed words">
      {pieces.map((piece, at) =>
        at % 2 === 0 ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name than their place
          <span key={at} className="code">
            {piece}
          </span>
        ),
      )}
    </span>
  );
}

/** An inspection's entity is a part or an equipment; its `entity_type` says which. */
export function referredFamily(
  field: Field,
  record: Record<string, unknown> | undefined,
): string | undefined {
  if (field.reference !== 'entity') return field.reference;
  const type = record?.entity_type;
  return typeof type === 'string' ? type : undefined;
}

export function isYes(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}

function YesNo({ value }: { value: boolean }) {
  const { t } = useTranslation('app');
  const Icon = value ? IconCheck : IconMinus;
  return (
    <Badge
      variant="outline"
      color={value ? 'blue' : 'gray'}
      size="lg"
      leftSection={<Icon size={16} aria-hidden />}
      styles={{ root: { textTransform: 'none', minWidth: 'max-content' }, label: { overflow: 'visible' } }}
    >
      {t(value ? 'yes' : 'no')}
    </Badge>
  );
}

function DerivedValue({ value }: { value: unknown }) {
  const formats = useFormats();
  const texts = useFamilyTexts();
  if (typeof value === 'boolean') return <YesNo value={value} />;
  if (typeof value === 'number') return <span className="code">{formats.number(value)}</span>;
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\d$/.test(value) ? (
      <span className="code">{formats.day(value)}</span>
    ) : (
      <TypedText text={value} />
    );
  }
  if (Array.isArray(value) && value.every(isPlain)) {
    return <TypedText text={value.filter(each => each !== null).join(', ')} />;
  }
  if (typeof value === 'object' && value !== null && Object.values(value).every(isPlain)) {
    return (
      <ul className="members">
        {Object.entries(value).map(([name, member]) => (
          <li key={name} className="typed">
            {texts.word(memberLabel(name))}:{' '}
            {typeof member === 'number' ? formats.number(member) : String(member ?? '–')}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Text component="pre" size="sm" className="typed" m={0}>
      {JSON.stringify(value, null, 1)}
    </Text>
  );
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
