import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabelJob } from '../../../shared/contract/desktop-bridge.ts';
import { labelKinds, MOST_COPIES, manyLabelKinds } from '../../../shared/operations/paper-operations.ts';
import { bridge } from '../../desktop/bridge.ts';
import { PrinterSelect } from '../../desktop/printer-select.tsx';
import { SentLabel } from '../../desktop/sent-label.tsx';
import { showPaper } from '../../desktop/show-paper.ts';
import { streamLabels, useLabelPrinting } from '../../desktop/use-label-printing.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Failure } from '../../ui/failure.tsx';
import { useTask } from '../../ui/use-task.ts';
import { LabelForm, useLabelForm } from './label-form.tsx';

/** What labels records of the family have; undefined: none. */
export const labelKindOf = (family: string) => manyLabelKinds.find(kind => labelKinds[kind] === family);

interface ChosenLabelsProps {
  kind: (typeof manyLabelKinds)[number];
  ids: readonly number[];
}

/** One label of each that was chosen: as one PDF to look at and print, in the desktop app by the printer of labels. */
export function ChosenLabels({ kind, ids }: ChosenLabelsProps) {
  const { t } = useTranslation('print');
  const form = useLabelForm();
  const language = useLanguage();
  const printLabels = useLabelPrinting();
  const { run, isBusy, failure } = useTask();
  const [sent, setSent] = useState<LabelJob | null>(null);
  const { size, symbol } = form;
  const isTooMany = ids.length > MOST_COPIES;
  const print = () =>
    run(async () => {
      setSent(null);
      const title = t('labels.count', { count: ids.length });
      if (printLabels) return setSent(await printLabels({ kind, ids, title, size, symbol }));
      const response = await streamLabels(kind, ids, { size, symbol, language });
      await showPaper(await response.blob());
    });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group align="end">
          <LabelForm {...form} />
          {bridge() && <PrinterSelect comboboxProps={{ withinPortal: false }} />}
          <Button
            leftSection={<IconPrinter aria-hidden />}
            disabled={isTooMany}
            loading={isBusy}
            onClick={() => void print()}
          >
            {t('labels.print', { count: ids.length })}
          </Button>
        </Group>
        {isTooMany && <Text role="status">{t('labels.too-many', { most: MOST_COPIES })}</Text>}
        {isBusy && <Text role="status">{t('printing')}</Text>}
        {sent && <SentLabel job={sent} />}
        <Failure error={failure} />
      </Stack>
    </Paper>
  );
}
