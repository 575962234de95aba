import { Select } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import {
  type LabelSize,
  type LabelSymbol,
  labelSizes,
  labelSymbols,
} from '../../../shared/operations/paper-operations.ts';

/** How labels are printed at this machine: remembered here. */
export function useLabelForm() {
  const [size, setSize] = useLocalStorage<LabelSize>({ key: 'holdpoint.label.size', defaultValue: '62x29' });
  const [symbol, setSymbol] = useLocalStorage<LabelSymbol>({
    key: 'holdpoint.label.symbol',
    defaultValue: 'datamatrix',
  });
  return { size, setSize, symbol, setSymbol };
}

/** Size and code of labels. */
export function LabelForm({ size, setSize, symbol, setSymbol }: ReturnType<typeof useLabelForm>) {
  const { t } = useTranslation('print');
  return (
    <>
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
    </>
  );
}
