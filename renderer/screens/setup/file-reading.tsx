import { Group, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type FileHead, isJson } from './file-head.ts';
import { type Mapping, type Step, withKey, withOptions } from './mapping.ts';
import { LINE } from './propose-mapping.ts';

export interface FileReadingProps {
  mapping: Mapping;
  step: Step;
  head: FileHead;
  onChange: (mapping: Mapping) => void;
}

const DELIMITERS = [',', ';', '\t', '|'];
const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le'];
/** In Luxon's tokens; the first is ISO 8601, which needs none. */
const DATES = ['', 'd.M.yyyy', 'd/M/yyyy', 'M/d/yyyy'];

/** How the file is read, and what tells its rows from each other. */
export function FileReading({ mapping, step, head, onChange }: FileReadingProps) {
  const { t } = useTranslation('setup');
  const { file, key } = step;
  const options = mapping.files?.[file] ?? {};
  const set = (name: string, value: string | null) =>
    onChange(withOptions(mapping, file, { [name]: value || undefined }));
  const date = Array.isArray(options.date) ? (options.date[0] ?? '') : (options.date ?? '');
  const dates = DATES.includes(date) ? DATES : [...DATES, date];
  const keys = Array.isArray(key) ? key : key === undefined ? [] : [key];
  const common = { allowDeselect: false, w: '13rem' } as const;
  return (
    <Group align="end">
      <TextInput
        label={t('import.source')}
        description={t('import.source.hint')}
        value={mapping.source}
        onChange={event => onChange({ ...mapping, source: event.currentTarget.value })}
        w="20rem"
      />
      <Select
        {...common}
        label={t('import.key')}
        description={t('import.key.hint')}
        w="24rem"
        data={[
          ...head.columns.map(value => ({ value, label: value })),
          { value: LINE, label: t('import.key.line') },
        ]}
        value={keys.length === 1 ? (keys[0] ?? null) : null}
        placeholder={keys.join(' + ')}
        onChange={column => column && onChange(withKey(mapping, column))}
      />
      {!isJson(file, options) && (
        <>
          <Select
            {...common}
            label={t('import.delimiter')}
            data={DELIMITERS.map(value => ({
              value,
              label: t(`delimiter.${value === '\t' ? 'tab' : value}`),
            }))}
            value={options.delimiter ?? ','}
            onChange={value => set('delimiter', value === ',' ? null : value)}
          />
          <Select
            {...common}
            label={t('import.encoding')}
            data={ENCODINGS}
            value={options.encoding ?? 'utf-8'}
            onChange={value => set('encoding', value === 'utf-8' ? null : value)}
          />
        </>
      )}
      <Select
        {...common}
        label={t('import.number')}
        data={[
          { value: '', label: '1234.5' },
          { value: 'comma', label: '1.234,5' },
          { value: 'point', label: '1,234.5' },
        ]}
        value={options.number ?? ''}
        onChange={value => set('number', value)}
      />
      <Select
        {...common}
        label={t('import.date')}
        data={dates.map(value => ({ value, label: value === '' ? t('date.iso') : value }))}
        value={date}
        onChange={value => set('date', value)}
      />
    </Group>
  );
}
