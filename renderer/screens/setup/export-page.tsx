import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../shared/families/registry.ts';
import { transferOrder } from '../../../shared/families/transfer-order.ts';
import { client } from '../../api/client.ts';
import { useHasRole } from '../../api/may.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { exportedMapping } from './propose-mapping.ts';
import { tarOf } from './tar.ts';

/** Names the installation that the records are of. */
const STATION_HEADER = 'Holdpoint-Station';

/** Records as files that the import takes back: everything, or one family. */
export function ExportPage() {
  const { t } = useTranslation('setup');
  const texts = useFamilyTexts();
  const [failure, setFailure] = useState<unknown>(null);
  const [doing, setDoing] = useState<string | null>(null);
  const [name, setName] = useState<string | null>('part');
  const [format, setFormat] = useState<'csv' | 'json'>('csv');
  const isAdministrator = useHasRole('administrator');
  const order = transferOrder().filter(({ operations }) => isAdministrator || !operations.isAdministrative);

  const run = async (work: () => Promise<void>) => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    } finally {
      setDoing(null);
    }
  };

  const exportAll = () =>
    run(async () => {
      const files: { name: string; content: Blob }[] = [];
      let source = 'holdpoint';
      for (const [index, family] of order.entries()) {
        setDoing(t('export.running', { number: index + 1, total: order.length }));
        const { content, station } = await read(family.name, 'json');
        files.push({ name: `${family.name}.jsonl`, content });
        source = station ?? source;
      }
      const mapping = JSON.stringify(
        exportedMapping(
          files.map(file => file.name),
          source,
        ),
        null,
        2,
      );
      files.push({ name: 'mapping.json', content: new Blob([mapping]) });
      saveFile(tarOf(files, new Date()), 'holdpoint-export.tar');
    });

  const exportOne = () =>
    run(async () => {
      const family = name === null ? undefined : familyOf(name);
      if (!family) return;
      setDoing(texts.plural(family));
      const ending = format === 'csv' ? 'csv' : 'jsonl';
      saveFile((await read(family.name, format)).content, `${family.name}.${ending}`);
      // The items of a record are rows of a file of their own.
      for (const items of format === 'csv' ? Object.keys(family.collections) : []) {
        saveFile((await read(family.name, format, items)).content, `${family.name}-${items}.csv`);
      }
    });

  return (
    <Stack>
      <Title order={1}>{t('section.export')}</Title>
      <Text maw="45rem">{t('export.text')}</Text>
      <Failure error={failure} />
      {doing !== null && <Text role="status">{t('export.doing', { what: doing })}</Text>}
      <Title order={2} size="h3">
        {t('export.all')}
      </Title>
      <Text maw="45rem">{t('export.all.text')}</Text>
      {!isAdministrator && <Text maw="45rem">{t('export.without')}</Text>}
      <Group>
        <Button
          leftSection={<IconDownload aria-hidden />}
          onClick={() => void exportAll()}
          disabled={doing !== null}
        >
          {t('export.all')}
        </Button>
      </Group>
      <Title order={2} size="h3">
        {t('export.one')}
      </Title>
      <Group align="end">
        <Select
          label={t('export.family')}
          searchable
          allowDeselect={false}
          data={order.map(family => ({ value: family.name, label: texts.plural(family) }))}
          value={name}
          onChange={setName}
          w="20rem"
        />
        <Select
          label={t('export.format')}
          allowDeselect={false}
          data={[
            { value: 'csv', label: t('export.csv') },
            { value: 'json', label: t('export.json') },
          ]}
          value={format}
          onChange={chosen => setFormat(chosen === 'json' ? 'json' : 'csv')}
          w="20rem"
        />
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden />}
          onClick={() => void exportOne()}
          disabled={doing !== null || name === null}
        >
          {t('export.one.do')}
        </Button>
      </Group>
    </Stack>
  );
}

/** A file of a family; spreadsheets know UTF-8 by the mark at its beginning. */
async function read(family: string, format: 'csv' | 'json', items?: string) {
  const query = { format, items, bom: format === 'csv' };
  const response = await client.stream('x.exports.read', { params: { family }, query });
  return { content: await response.blob(), station: response.headers.get(STATION_HEADER) };
}
