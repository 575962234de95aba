import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../ui/section.tsx';
import { bridge } from './bridge.ts';
import { KioskSection } from './kiosk-section.tsx';
import { LabelJobs } from './label-jobs.tsx';
import { useLabelPrinter } from './label-printer.ts';
import { NetworkPrinterForm } from './network-printer-form.tsx';
import { PrinterSelect } from './printer-select.tsx';
import { UpdateSection } from './update-section.tsx';

/** What the desktop app does on this machine: labels and updates. */
export function DesktopPage() {
  const { t } = useTranslation('desktop');
  const { isLocked } = useLabelPrinter();
  return (
    <Stack gap="lg">
      <Title order={1}>{t('title')}</Title>
      <LabelJobs />
      <Section title={t('printer')}>
        <Stack>
          <Text>{t(isLocked ? 'printer.about.locked' : 'printer.about')}</Text>
          <PrinterSelect maw={480} />
          {!isLocked && <NetworkPrinterForm />}
        </Stack>
      </Section>
      <UpdateSection />
      <KioskSection />
      <Section title={t('log')}>
        <Group>
          <Text>{t('log.about')}</Text>
          <Button variant="default" onClick={() => void bridge()?.app.openLogs()}>
            {t('log.open')}
          </Button>
        </Group>
      </Section>
    </Stack>
  );
}
