import { Button, FileInput, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ColumnTable } from './column-table.tsx';
import { FileReading } from './file-reading.tsx';
import { ImportResult } from './import-result.tsx';
import { filesOf, mappingText } from './mapping.ts';
import { MappingText } from './mapping-text.tsx';
import { useChosenFiles } from './use-chosen-files.ts';
import { useImport } from './use-import.ts';

/** Files of another program become records: chosen, mapped, checked in full, and only then written. */
export default function ImportPage() {
  const { t } = useTranslation('setup');
  const texts = useFamilyTexts();
  const run = useImport();
  const chosen = useChosenFiles(run.forget);
  const { files, mapping, step, family, head } = chosen;
  const missing = mapping ? filesOf(mapping).filter(name => !files.some(file => file.name === name)) : [];
  const isReady = mapping !== undefined && missing.length === 0 && !run.isRunning;
  const start = (isTrial: boolean, skipsBad = false) => {
    if (mapping) void run.start(mapping, files, { isTrial, skipsBad });
  };

  return (
    <Stack>
      <Title order={1}>{t('section.import')}</Title>
      <Text maw="45rem">{t('import.text')}</Text>
      <FileInput
        label={t('import.files')}
        description={t('import.files.hint')}
        placeholder={t('import.files.choose')}
        multiple
        clearable
        accept=".csv,.txt,.tsv,.json,.jsonl,.ndjson,text/csv,application/json"
        value={files.length > 0 || chosen.mappingFile ? [...files, ...(chosen.mappingFile ?? [])] : []}
        onChange={given => void chosen.choose(given)}
        disabled={run.isRunning}
        maw="45rem"
        clearButtonProps={{ 'aria-label': t('import.files.clear') }}
      />
      <Failure error={chosen.failure} />
      {files.length > 0 && !chosen.mappingFile && (
        <Group align="end">
          {chosen.canBeExport && (
            <Switch
              label={t('import.exported')}
              description={t('import.exported.hint')}
              checked={chosen.isExport}
              onChange={event => chosen.setIsExport(event.currentTarget.checked)}
            />
          )}
          {!chosen.isExport && (
            <Select
              label={t('import.family')}
              searchable
              allowDeselect={false}
              data={chosen.families.map(each => ({ value: each.name, label: texts.plural(each) }))}
              value={family?.name ?? null}
              onChange={name => name && chosen.setFamily(name)}
              miw="20rem"
            />
          )}
        </Group>
      )}
      {mapping && step && family && head && (
        <>
          <Title order={2} size="h3">
            {t('columns')}
          </Title>
          <FileReading mapping={mapping} step={step} head={head} onChange={chosen.change} />
          <ColumnTable mapping={mapping} step={step} family={family} head={head} onChange={chosen.change} />
        </>
      )}
      {mapping && missing.length > 0 && (
        <Text role="status">{t('import.missing', { files: missing.join(', ') })}</Text>
      )}
      {mapping && <MappingText mapping={mapping} isOpen={!step} onChange={chosen.change} />}
      {mapping && (
        <Group>
          <Button onClick={() => start(true)} disabled={!isReady}>
            {t('import.check')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload aria-hidden />}
            onClick={() =>
              saveFile(
                new Blob([mappingText(mapping)], { type: 'application/json' }),
                `${mapping.source}.mapping.json`,
              )
            }
          >
            {t('import.keep')}
          </Button>
        </Group>
      )}
      <ImportResult run={run} onImport={skipsBad => start(false, skipsBad)} />
    </Stack>
  );
}
