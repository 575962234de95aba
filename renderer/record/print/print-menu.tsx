import { Anchor, Box, Button, Group, Menu, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LabelJob } from '../../../shared/contract/desktop-bridge.ts';
import { labelKinds, paperDocuments } from '../../../shared/operations/paper-operations.ts';
import { client } from '../../api/client.ts';
import { bridge } from '../../desktop/bridge.ts';
import { PrinterSelect } from '../../desktop/printer-select.tsx';
import { SentLabel } from '../../desktop/sent-label.tsx';
import { showPaper } from '../../desktop/show-paper.ts';
import { useKioskPrinting } from '../../desktop/use-kiosk-printing.ts';
import { useLabelPrinting } from '../../desktop/use-label-printing.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Failure } from '../../ui/failure.tsx';
import { useTask } from '../../ui/use-task.ts';
import { LabelForm, useLabelForm } from './label-form.tsx';

/**
 * What a record can be printed as: documents and labels, as PDF to look at and print. In the desktop app labels go to the
 * printer that was chosen, without a window; at a kiosk documents go to the printer of its policy.
 */
export function PrintMenu({ family, id }: { family: string; id: number }) {
  const { t } = useTranslation('print');
  const language = useLanguage();
  const { run: runTask, isBusy, failure } = useTask();
  const [sent, setSent] = useState<LabelJob | null>(null);
  const { size, setSize, symbol, setSymbol } = useLabelForm();
  const documents = keysFor(paperDocuments, family);
  const labels = keysFor(labelKinds, family).filter(kind => kind !== 'item');
  const printLabel = useLabelPrinting();
  const printPaper = useKioskPrinting();
  const words = useRecordWords();
  if (documents.length + labels.length === 0) return null;

  const run = (work: () => Promise<void>) => {
    setSent(null);
    return runTask(work);
  };
  const nameOf = async () => {
    const { data } = await client.call('x.titles.list', { query: { refs: `${family}:${id}` } });
    return data[0] ? words.title(family, id, data[0].title) : id;
  };
  const document = (kind: (typeof documents)[number]) =>
    run(async () => {
      const params = { document: kind, id };
      const paper = await (await client.stream('x.paper.read', { params, query: { language } })).blob();
      if (printPaper) setSent(await printPaper(paper, `${t(`document.${kind}`)}: ${await nameOf()}`));
      else await showPaper(paper);
    });
  const label = (kind: (typeof labels)[number]) => {
    if (!printLabel)
      return run(async () => {
        const query = { size, symbol, language };
        await showPaper(await (await client.stream('x.labels.read', { params: { kind, id }, query })).blob());
      });
    return run(async () => {
      const title = `${t(`label.${kind}`)}: ${await nameOf()}`;
      setSent(await printLabel({ kind, ids: [id], title, size, symbol }));
    });
  };

  return (
    <>
      <Menu position="bottom-start" width={360}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPrinter aria-hidden />} loading={isBusy}>
            {t('print')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {documents.map(kind => (
            <Menu.Item key={kind} onClick={() => void document(kind)}>
              {t(`document.${kind}`)}
            </Menu.Item>
          ))}
          {labels.map(kind => (
            <Menu.Item key={kind} onClick={() => void label(kind)}>
              {t(`label.${kind}`)}
            </Menu.Item>
          ))}
          {labels.length > 0 && (
            <>
              {bridge() && (
                <Box px="sm" pt="sm">
                  <PrinterSelect comboboxProps={{ withinPortal: false }} />
                  <Anchor component={Link} to="/app/setup/desktop" className="cell-link">
                    {t('desktop:to.set')}
                  </Anchor>
                </Box>
              )}
              <Group p="sm" grow>
                <LabelForm {...{ size, setSize, symbol, setSymbol }} />
              </Group>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isBusy && <Text role="status">{t('printing')}</Text>}
      {sent && <SentLabel job={sent} />}
      <Failure error={failure} />
    </>
  );
}

function keysFor<Kinds extends Record<string, string>>(
  kinds: Kinds,
  family: string,
): (keyof Kinds & string)[] {
  return Object.keys(kinds).filter(kind => kinds[kind] === family);
}
