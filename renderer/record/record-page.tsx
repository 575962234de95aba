import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconPencil, IconReportSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useMay } from '../api/may.ts';
import { operationOf } from '../api/operations.ts';
import { useAuthorName } from '../i18n/author-name.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { useFormats } from '../i18n/formats.ts';
import { ButtonLink } from '../ui/links.tsx';
import { MissingPage } from '../ui/missing-page.tsx';
import { RecordHeading } from '../ui/record-heading.tsx';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { Waiting } from '../ui/waiting.tsx';
import { OneCertificate } from './certificates/certificate-list.tsx';
import { ComplaintPanel } from './complaint-panel.tsx';
import { CorrectionList, OneCorrection } from './corrections/correction-list.tsx';
import { PlacePanel } from './place-panel.tsx';
import { PrintMenu } from './print/print-menu.tsx';
import { ItemsTable, RecordFields } from './record-fields.tsx';
import { RecordHistory } from './record-history.tsx';
import { RecordReferences } from './record-references.tsx';
import { RecordStatus } from './record-status.tsx';
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
  const authorName = useAuthorName();
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
      <RecordHeading
        kind={texts.title(family)}
        title={words.title(family.name, id, recordTitle(family, record))}
        status={<RecordStatus family={family} stored={record.fields} />}
      >
        <Text size="sm" c="dimmed">
          {t('changed', {
            user: authorName(record.user),
            at: formats.moment(record.updated_at),
            version: record.version,
          })}
        </Text>
      </RecordHeading>
      <Group>
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
        {family.name === 'part' && (
          <ButtonLink to={`/app/recall/part/${id}`} icon={IconReportSearch}>
            {t('recall')}
          </ButtonLink>
        )}
        <PrintMenu family={family.name} id={id} />
      </Group>
      <RecordFields family={family} id={id} stored={record.fields} />
      {Object.entries(family.collections).map(([name, collection]) => (
        <ItemsTable key={name} collection={collection} items={itemsIn(collection, record.fields[name])} />
      ))}
      {family.name === 'correction' && <OneCorrection id={id} />}
      {family.name === 'certificate' && <OneCertificate id={id} />}
      <CorrectionList family={family} id={id} />
      <SignatureList family={family.name} id={id} />
      {family.name === 'location' && <PlacePanel id={id} />}
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
