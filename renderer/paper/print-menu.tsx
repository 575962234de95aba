import { Button, Group, Menu, Select, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type LabelSize,
  type LabelSymbol,
  labelKinds,
  labelSizes,
  labelSymbols,
  paperDocuments,
} from '../../shared/paper-operations.ts';
import { client } from '../api/client.ts';
import { Failure } from '../app/failure.tsx';
import { showFile } from '../app/save-file.ts';

/** What a record can be printed as: documents and labels, as PDF to look at and print. */
export function PrintMenu({ family, id }: { family: string; id: number }) {
  const { t, i18n } = useTranslation('paper');
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [size, setSize] = useLocalStorage<LabelSize>({ key: 'holdpoint.label.size', defaultValue: '62x29' });
  const [symbol, setSymbol] = useLocalStorage<LabelSymbol>({
    key: 'holdpoint.label.symbol',
    defaultValue: 'datamatrix',
  });
  const documents = keysFor(paperDocuments, family);
  const labels = keysFor(labelKinds, family).filter(kind => kind !== 'item');
  if (documents.length + labels.length === 0) return null;

  const print = async (operation: string, params: Record<string, string | number>, query = {}) => {
    setFailure(null);
    setIsBusy(true);
    try {
      const response = await client.stream(operation, {
        params,
        query: { ...query, language: i18n.language },
      });
      showFile(await response.blob());
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <>
      <Menu position="bottom-start" width={320}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPrinter aria-hidden />} loading={isBusy}>
            {t('print')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {documents.map(document => (
            <Menu.Item key={document} onClick={() => void print('x.paper.read', { document, id })}>
              {t(`document.${document}`)}
            </Menu.Item>
          ))}
          {labels.map(kind => (
            <Menu.Item key={kind} onClick={() => void print('x.labels.read', { kind, id }, { size, symbol })}>
              {t(`label.${kind}`)}
            </Menu.Item>
          ))}
          {labels.length > 0 && (
            <Group p="sm" grow>
              <Select
                label={t('size')}
                data={Object.keys(labelSizes)}
                value={size}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
                onChange={next => next && setSize(next as LabelSize)}
              />
              <Select
                label={t('symbol')}
                data={labelSymbols.map(value => ({ value, label: t(`symbol.${value}`) }))}
                value={symbol}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
                onChange={next => next && setSymbol(next as LabelSymbol)}
              />
            </Group>
          )}
        </Menu.Dropdown>
      </Menu>
      {isBusy && <Text role="status">{t('printing')}</Text>}
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
