import { Button, Group, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import { IconPencil, IconReportSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useCall } from '../api/calls.ts';
import { useMay } from '../api/may.ts';
import { operationOf } from '../api/operations.ts';
import { useTitles } from '../api/titles.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { useFormats } from '../i18n/formats.ts';
import { MissingPage } from '../ui/missing-page.tsx';
import { TitledTable } from '../ui/titled-table.tsx';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { Waiting } from '../ui/waiting.tsx';
import { OneCertificate } from './certificates/certificate-list.tsx';
import { ComplaintPanel } from './complaint-panel.tsx';
import { CorrectionList, OneCorrection } from './corrections/correction-list.tsx';
import { FieldValue, isNumeric, referredFamily } from './field-value.tsx';
import { isEmpty, type Values } from './form-values.ts';
import { PrintMenu } from './print/print-menu.tsx';
import { RecordHistory } from './record-history.tsx';
import { RecordReferences } from './record-references.tsx';
import { SignatureList } from './signature-list.tsx';
import { itemsIn, useWholeRecord } from './whole-record.ts';

/** Any record: what it says, what it refers to and what refers to it, and its history. */
export function Component() {
  const params = useParams();
  const family = familyOf(params.family ?? '');
  if (!family) return <MissingPage />;
  return <RecordPage key={`${family.name}:${params.id}`} family={family} id={Number(params.id)} />;
}

export function RecordPage({ family, id }: { family: Family; id: number }) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const words = useRecordWords();
  const formats = useFormats();
  const navigate = useNavigate();
  const may = useMay();
  const { data, error, refetch } = useWholeRecord(family.name, id);
  const update = operationOf(family, 'update');
  const canEdit = update !== undefined && may(update.id);
  const editPath = `/app/records/${family.name}/${id}/edit`;
  useHotkeys(canEdit ? [['e', () => void navigate(editPath)]] : []);
  if (!data) return <Waiting query={{ error, refetch }} />;
  const record = data.data;
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <div>
          <Text c="dimmed">{texts.title(family)}</Text>
          <Title order={1} className="typed">
            {words.title(family.name, id, recordTitle(family, record))}
          </Title>
          <Text size="sm" c="dimmed">
            {t('changed', {
              user: record.user,
              at: formats.moment(record.updated_at),
              version: record.version,
            })}
          </Text>
        </div>
        <Group>
          {family.name === 'part' && (
            <Button
              component={Link}
              to={`/app/recall/part/${id}`}
              variant="default"
              leftSection={<IconReportSearch aria-hidden />}
            >
              {t('recall')}
            </Button>
          )}
          <PrintMenu family={family.name} id={id} />
          {canEdit && (
            <Button
              component={Link}
              to={editPath}
              leftSection={<IconPencil aria-hidden />}
              rightSection={<kbd className="hint">E</kbd>}
            >
              {t('app:change')}
            </Button>
          )}
        </Group>
      </Group>
      <RecordFields family={family} id={id} stored={record.fields} />
      {Object.entries(family.collections).map(([name, collection]) => (
        <ItemsTable key={name} collection={collection} items={itemsIn(collection, record.fields[name])} />
      ))}
      {family.name === 'correction' && <OneCorrection id={id} />}
      {family.name === 'certificate' && <OneCertificate id={id} />}
      <CorrectionList family={family} id={id} />
      <SignatureList family={family.name} id={id} />
      {family.name === 'complaint' && <ComplaintPanel id={id} fields={record.fields} />}
      <Tabs defaultValue="references" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="references">{t('references')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('app:history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="references" pt="md">
          <RecordReferences family={family} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <RecordHistory family={family} id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Fields that a part of the page of their own shows. */
const shownApart: Readonly<Record<string, readonly string[]>> = {
  certificate: ['paper', 'basis', 'state', 'changed', 'withdrawn_at', 'withdrawn_by', 'withdrawal_reason'],
};

/** Every field that has a value: stored ones, and what the documented answer works out. */
export function RecordFields({ family, id, stored }: { family: Family; id: number; stored: Values }) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const read = operationOf(family, 'read');
  const { data } = useCall<Values>(read?.id ?? '', { params: { id } }, { isEnabled: read !== undefined });
  const values = { ...stored, ...data?.data };
  const names = Object.entries(family.fields).filter(
    ([name, field]) =>
      field.source !== 'id' &&
      !isEmpty(values[name]) &&
      !isWholeRecord(field, values[name]) &&
      !shownApart[family.name]?.includes(name),
  );
  const titleOf = useTitles(
    names.flatMap(([name, field]) => {
      const target = field.kind === 'reference' ? referredFamily(field, values) : undefined;
      return target ? [`${target}:${values[name]}`] : [];
    }),
  );
  if (names.length === 0) return <Text>{t('fields.none')}</Text>;
  return (
    <dl className="fields">
      {names.map(([name, field]) => (
        <div key={name}>
          <dt>{texts.label(field)}</dt>
          <dd>
            <FieldValue field={field} value={values[name]} titleOf={titleOf} record={values} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function ItemsTable({ collection, items }: { collection: Collection; items: Values[] }) {
  const texts = useFamilyTexts();
  const used = Object.entries(collection.fields).filter(
    ([name, field]) =>
      !['id', 'created_at', 'updated_at'].includes(field.source) &&
      name !== collection.position &&
      items.some(item => item[name] !== undefined && item[name] !== null && item[name] !== ''),
  );
  const titleOf = useTitles(
    used.flatMap(([name, { reference }]) =>
      reference ? items.flatMap(item => (item[name] ? [`${reference}:${item[name]}`] : [])) : [],
    ),
  );
  if (items.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2}>
        {texts.word(collection.title)} ({items.length})
      </Title>
      <TitledTable
        minWidth={600}
        striped
        withTableBorder
        aria-label={texts.word(collection.title)}
        columns={used.map(([, field]) => ({
          label: texts.label(field),
          ta: isNumeric(field) ? 'right' : 'left',
        }))}
      >
        {items.map(item => (
          <Table.Tr key={String(item.id)}>
            {used.map(([name, field]) => (
              <Table.Td key={name} ta={isNumeric(field) ? 'right' : 'left'}>
                <FieldValue field={field} value={item[name]} titleOf={titleOf} record={item} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </TitledTable>
    </Stack>
  );
}

/** The record that a reference names, repeated in the answer: the reference itself is shown as a link. */
function isWholeRecord(field: Field, value: unknown): boolean {
  return field.source === 'derived' && typeof value === 'object' && value !== null && 'id' in value;
}
