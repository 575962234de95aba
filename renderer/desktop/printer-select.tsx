import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePrinters } from './desktop-calls.ts';
import { addressOf, type LabelPrinter, printerNameOf, toPrinter, useLabelPrinter } from './label-printer.ts';

/** Where this machine's labels go. */
export function PrinterSelect(props: Pick<SelectProps, 'comboboxProps' | 'maw'>) {
  const { t } = useTranslation('desktop');
  const { printer, choose, isLocked } = useLabelPrinter();
  const { data: printers = [] } = usePrinters();
  const chosen = printerNameOf(printer);
  const options: { value: LabelPrinter['to']; label: string }[] = [
    { value: 'view', label: t('to.view') },
    ...printers.map(({ name, title }) => ({ value: toPrinter(name), label: title })),
    ...(chosen !== undefined && !printers.some(({ name }) => name === chosen)
      ? [{ value: toPrinter(chosen), label: t('to.missing', { name: chosen }) }]
      : []),
    ...(printer.network
      ? [{ value: 'network' as const, label: t('to.network', { address: addressOf(printer.network) }) }]
      : []),
  ];
  return (
    <Select
      {...props}
      label={t('to')}
      data={options}
      value={printer.to}
      readOnly={isLocked}
      description={isLocked && t('setup:policy.locked')}
      allowDeselect={false}
      onChange={next => {
        const option = options.find(({ value }) => value === next);
        if (option) choose({ ...printer, to: option.value });
      }}
    />
  );
}
