import { Alert, Button, Group, Radio, Stack, Table, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/contract/define-family.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { Failure } from '../ui/failure.tsx';
import { TitledTable } from '../ui/titled-table.tsx';
import { FieldValue } from './field-value.tsx';
import type { Values } from './form-values.ts';
import { editableValues, type WholeRecord } from './whole-record.ts';

export interface Meanwhile {
  base: WholeRecord;
  theirs: WholeRecord;
  /** What this user has changed. */
  mine: Values;
}

export interface MeanwhileNoticeProps {
  family: Family;
  meanwhile: Meanwhile;
  /** The body to write over the present record. */
  onDecide: (body: Values) => Promise<void>;
  /** On with the form, as it was typed; nothing is decided. */
  onBack: () => void;
}

/**
 * Somebody else has changed the record meanwhile: both versions side by side. Fields that only one of the two changed
 * need no choice; of the others one is chosen. Nothing is lost: what is not taken stands in history or in the draft.
 */
export function MeanwhileNotice({ family, meanwhile, onDecide, onBack }: MeanwhileNoticeProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const { base, theirs, mine } = meanwhile;
  const [takes, setTakes] = useState<Record<string, 'mine' | 'theirs'>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => notice.current?.focus(), []);
  const before = editableValues(family, base);
  const now = editableValues(family, theirs);
  const names = [...Object.keys(family.fields), ...Object.keys(family.collections)];
  const isTheirs = (name: string) =>
    JSON.stringify(before[name] ?? null) !== JSON.stringify(now[name] ?? null);
  const touched = names.filter(name => isTheirs(name) || name in mine);
  const disputed = touched.filter(name => isTheirs(name) && name in mine);
  const isDecided = disputed.every(name => takes[name] !== undefined);

  const decide = async () => {
    setFailure(null);
    const body = Object.fromEntries(Object.entries(mine).filter(([name]) => takes[name] !== 'theirs'));
    try {
      await onDecide(body);
    } catch (error) {
      setFailure(error);
    }
  };

  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      color="yellow"
      variant="outline"
      icon={<IconUsers aria-hidden />}
      title={t('meanwhile.title', { user: theirs.user, at: formats.moment(theirs.updated_at) })}
      role="alert"
    >
      <Stack>
        <Text>{t('meanwhile.text')}</Text>
        <TitledTable
          minWidth={600}
          withTableBorder
          columns={[t('meanwhile.field'), t('meanwhile.base'), t('meanwhile.theirs'), t('meanwhile.mine')]}
        >
          {touched.map(name => {
            const field = family.fields[name];
            const label = field ? texts.label(field) : texts.word(family.collections[name]?.title ?? name);
            const show = (value: unknown) =>
              field ? <FieldValue field={field} value={value} /> : <Items value={value} />;
            const isDisputed = disputed.includes(name);
            const choice = (which: 'mine' | 'theirs', value: unknown) =>
              isDisputed ? (
                <Radio
                  name={`meanwhile ${name}`}
                  checked={takes[name] === which}
                  onChange={() => setTakes({ ...takes, [name]: which })}
                  label={show(value)}
                />
              ) : (
                show(value)
              );
            return (
              <Table.Tr key={name}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>{show(before[name])}</Table.Td>
                <Table.Td>{isTheirs(name) ? choice('theirs', now[name]) : t('meanwhile.same')}</Table.Td>
                <Table.Td>{name in mine ? choice('mine', mine[name]) : t('meanwhile.same')}</Table.Td>
              </Table.Tr>
            );
          })}
        </TitledTable>
        <Failure error={failure} />
        <Group>
          <Button disabled={!isDecided} onClick={() => void decide()}>
            {t('meanwhile.save')}
          </Button>
          <Button variant="default" onClick={onBack}>
            {t('meanwhile.back')}
          </Button>
          {!isDecided && <Text>{t('meanwhile.choose')}</Text>}
        </Group>
      </Stack>
    </Alert>
  );
}

function Items({ value }: { value: unknown }) {
  const { t } = useTranslation('record');
  return <>{t('items', { count: Array.isArray(value) ? value.length : 0 })}</>;
}
