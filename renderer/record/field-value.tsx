import { Anchor, Badge, Text } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Field } from '../../shared/fields.ts';
import { recordPath } from '../app/record-path.ts';
import { useFamilyTexts } from '../families/family-texts.ts';
import { useFormats } from '../i18n/formats.ts';

export interface FieldValueProps {
  field: Field;
  value: unknown;
  /** What references are called; without it they are shown by their id. */
  titleOf?: (family: string, id: unknown) => string | undefined;
  /** Of the record, for references whose family another field names (an inspection's entity). */
  record?: Record<string, unknown>;
}

/** A value of a record as a person reads it: by the field's kind, in the present language, typed text as it was typed. */
export function FieldValue({ field, value, titleOf, record }: FieldValueProps) {
  const { t } = useTranslation('app');
  const formats = useFormats();
  const texts = useFamilyTexts();
  if (value === null || value === undefined || value === '') {
    return (
      <Text span c="dimmed" aria-label={t('none')}>
        –
      </Text>
    );
  }
  switch (field.kind) {
    case 'reference': {
      const family = referredFamily(field, record);
      if (family === undefined) return <>{String(value)}</>;
      return (
        <Anchor component={Link} to={recordPath(family, Number(value))} className="typed">
          {titleOf?.(family, Number(value)) ?? `${texts.word(family)} ${value}`}
        </Anchor>
      );
    }
    case 'boolean':
      return <YesNo value={isYes(value)} />;
    case 'date':
      return <>{formats.day(String(value))}</>;
    case 'timestamp':
      return <>{formats.moment(String(value))}</>;
    case 'integer':
    case 'number':
      return <>{formats.number(Number(value))}</>;
    case 'choice':
      return <>{texts.choice(String(value))}</>;
    case 'text-list':
      return <span className="typed">{Array.isArray(value) ? value.join(', ') : String(value)}</span>;
    case 'json':
      return <DerivedValue value={value} />;
    default:
      return <span className="typed">{String(value)}</span>;
  }
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
  if (typeof value === 'boolean') return <YesNo value={value} />;
  if (typeof value === 'number') return <>{formats.number(value)}</>;
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\d$/.test(value) ? (
      <>{formats.day(value)}</>
    ) : (
      <span className="typed">{value}</span>
    );
  }
  if (Array.isArray(value) && value.every(each => typeof each !== 'object' || each === null)) {
    return <span className="typed">{value.filter(each => each !== null).join(', ')}</span>;
  }
  return (
    <Text component="pre" size="sm" className="typed" m={0}>
      {JSON.stringify(value, null, 1)}
    </Text>
  );
}
