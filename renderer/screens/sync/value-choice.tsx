import { Badge, Group, Radio, Stack, Text } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../shared/families/registry.ts';
import type { ConflictAnswer } from '../../../shared/operations/exchange-operations.ts';
import { useHasRole } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ClockNote } from '../../record/clock-note.tsx';
import type { DescribedPath } from '../../record/described-path.ts';
import { FieldInput } from '../../record/field-input.tsx';
import { FieldValue } from '../../record/field-value.tsx';

/** `0`, `1`, … is one of the values; `other` one that is typed. */
export type Choice = string | null;
export const OTHER = 'other';

type Written = ConflictAnswer['values'][number];

export interface ValueChoiceProps {
  label: string;
  described: DescribedPath;
  values: Written[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
  typed: unknown;
  onType: (value: unknown) => void;
  /** This installation, so that its own value is told from the other's. */
  here: string | undefined;
  error: string | undefined;
}

/** The values side by side, each with who wrote it, when, where and over what; or another one. */
export function ValueChoice(props: ValueChoiceProps) {
  const { label, described, values, choice, onChoice, typed, onType, here, error } = props;
  const { t } = useTranslation('sync');
  const show = useShowWritten(described, values);
  return (
    <Stack gap="xs">
      <Radio.Group label={label} value={choice} onChange={onChoice} error={error} required>
        <div className="conflict-values">
          {values.map((one, index) => (
            <Radio.Card
              key={one.commit}
              value={String(index)}
              p="sm"
              {...(index === 0 && { 'data-autofocus': true })}
            >
              <Group wrap="nowrap" align="start">
                <Radio.Indicator mt={4} />
                <WrittenValue written={one} here={here} show={show} />
              </Group>
            </Radio.Card>
          ))}
          {described.field?.writable && (
            <Radio.Card value={OTHER} p="sm">
              <Group wrap="nowrap" align="start">
                <Radio.Indicator mt={4} />
                <Text fw={700}>{t('value.other')}</Text>
              </Group>
            </Radio.Card>
          )}
        </div>
      </Radio.Group>
      {choice === OTHER && described.field && (
        <FieldInput field={described.field} value={typed} onChange={onType} isRequired={false} />
      )}
    </Stack>
  );
}

/** The same for whoever does not decide. */
export function ValueList(props: Pick<ValueChoiceProps, 'described' | 'values' | 'here'> & WithheldProps) {
  const { described, values, here, isWithheld } = props;
  const show = useShowWritten(described, values, isWithheld);
  return (
    <ul className="conflict-values">
      {values.map(one => (
        <li key={one.commit}>
          <WrittenValue written={one} here={here} show={show} />
        </li>
      ))}
    </ul>
  );
}

function useShowWritten(described: DescribedPath, values: Written[], isWithheld = false) {
  const all = values.flatMap(({ value, before }) => [value, before]);
  return useValueText(described, all, isWithheld);
}

interface WrittenValueProps {
  written: Written;
  here: string | undefined;
  show: (value: unknown) => ReactNode;
}

function WrittenValue({ written: one, here, show }: WrittenValueProps) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  return (
    <div>
      <Text fw={700} size="lg">
        {show(one.value)}
      </Text>
      <Text size="sm">
        {one.station !== null && one.station === here
          ? t('value.here', { station: one.station_name ?? '' })
          : one.station_name
            ? t('value.there', { station: one.station_name })
            : t('value.elsewhere', { id: one.station?.slice(0, 8) })}
      </Text>
      <Text size="sm" className="typed">
        {[one.user, formats.moment(one.at)].filter(Boolean).join(' · ')}
      </Text>
      <ClockNote at={one.at} offset={one.clock_offset} atLeast={one.clock_at_least} />
      {one.reason && (
        <Text size="sm" className="typed" fs="italic">
          {t('value.reason', { reason: one.reason })}
        </Text>
      )}
      <Text size="sm">
        {t('value.before')} {show(one.before)}
      </Text>
      {one.is_standing && (
        <Badge
          size="lg"
          variant="outline"
          color="blue"
          mt={4}
          leftSection={<IconFlag size={16} aria-hidden />}
          styles={{ root: { textTransform: 'none' } }}
        >
          {t('value.stands')}
        </Badge>
      )}
    </div>
  );
}

/** The chosen value, as the interface takes it; undefined: nothing is chosen yet. */
export function chosenValue(values: ConflictAnswer['values'], choice: Choice, typed: unknown): unknown {
  if (choice === null) return undefined;
  if (choice === OTHER) return typed ?? null;
  return values[Number(choice)]?.value ?? null;
}

export interface WithheldProps {
  /** The values are not told to this user: they come as null. */
  isWithheld: boolean;
}

/** Whether conflicts of the family come without their values: of users and settings, to all but administrators. */
export function useIsWithheld(family: string): boolean {
  const isAdministrator = useHasRole('administrator');
  return !isAdministrator && familyOf(family)?.operations.isAdministrative === true;
}

/** Values as people read them, by the field; what a reference is called is asked for. */
export function useValueText({ field }: DescribedPath, values: readonly unknown[], isWithheld = false) {
  const { t } = useTranslation('sync');
  const family = field?.kind === 'reference' && field.reference !== 'entity' ? field.reference : undefined;
  const titleOf = useTitles(
    family === undefined
      ? []
      : values.flatMap(value => (typeof value === 'number' ? [`${family}:${value}`] : [])),
  );
  return (value: unknown) => {
    if (isWithheld) return t('value.withheld');
    if (value === null || value === undefined) return t('value.none');
    if (field && field.kind !== 'reference') return <FieldValue field={field} value={value} />;
    if (family !== undefined) return <span className="typed">{titleOf(family, value) ?? String(value)}</span>;
    return <span className="typed">{typeof value === 'string' ? value : JSON.stringify(value)}</span>;
  };
}
