import { CloseButton, Combobox, InputBase, Loader, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/contract/define-family.ts';
import { recordSubtitle, recordTitle } from '../../shared/families/record-title.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useCallOf, useWriteOf } from '../api/calls.ts';
import { client } from '../api/client.ts';
import { useMay } from '../api/may.ts';
import { listOperationOf, operationOf } from '../api/operations.ts';
import { useTitles } from '../api/titles.ts';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { useFailureMessage } from '../i18n/use-server-message.ts';
import { holdSubmit } from '../ui/hold-submit.ts';
import { useScanTarget } from '../ui/scan/scan-target.ts';

export interface ReferenceInputProps {
  family: string;
  label: string;
  value: number | null;
  onChange: (id: number | null) => void;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  isAutoFocused?: boolean;
  /** Narrows what is offered, as the list's query does: `{ 'filter[is_approved]': true }`. */
  only?: Readonly<Record<string, string | number | boolean>>;
  /** With the caret in it, it takes every scan: what was scanned is looked up, and no Enter follows. */
  takesScans?: boolean;
  /** Told what is typed and not chosen, so that a form does not drop it in silence; null: nothing. */
  onTyped?: (text: string | null) => void;
  /** Stands in something that a press beside it closes: what it offers is no press beside it. */
  isInPopover?: boolean;
}

const SHOWN = 12;

/** Their name is all that is needed to make one where it is first met. */
const MADE_BY_NAME: ReadonlySet<string> = new Set(['supplier', 'customer', 'location']);
const MAKE = 'make';

/**
 * Picks a record by typing a part of its name or number, or by scanning its code: Enter takes what matches exactly, or
 * the first of the list.
 */
export function ReferenceInput(props: ReferenceInputProps) {
  const {
    family,
    label,
    value,
    onChange,
    description,
    error,
    required,
    isAutoFocused,
    only,
    takesScans,
    onTyped,
    isInPopover,
  } = props;
  const { t } = useTranslation('record');
  const words = useRecordWords();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [typed, noteTyped] = useState<string | null>(null);
  /** It was left with a text that names nothing. */
  const [isLeft, setIsLeft] = useState(false);
  const setTyped = (next: string | null) => {
    noteTyped(next);
    setIsLeft(false);
    onTyped?.(next?.trim() || null);
  };
  const [text] = useDebouncedValue(typed ?? '', 120);
  const titleOf = useTitles(value === null ? [] : [`${family}:${value}`]);
  const kind = familyOf(family);
  const list = kind && listOperationOf(kind);
  const canSearch = list !== undefined && 'keyword' in list.query;
  const found = useCallOf<Record<string, unknown>[]>(
    list,
    {
      query: { per_page: SHOWN, order: 'desc', ...only, ...(canSearch && text !== '' && { keyword: text }) },
    },
    { isEnabled: combobox.dropdownOpened || text !== '', keepsPrevious: true },
  );
  // What was found for an earlier text is not offered for this one: an arrow key and Enter would take it.
  const isCurrent = text === (typed ?? '') && !found.isPlaceholderData;
  const rows = isCurrent ? (found.data?.data ?? []) : [];
  // The documented list of lots does not say their numbers.
  const isUnnamed = kind?.operations.listForm === 'inventory';
  const nameOfRow = useTitles(isUnnamed ? rows.map(row => `${family}:${row.id}`) : []);
  const options = rows.map(fields => {
    const option = nameOf(kind, fields);
    return {
      ...option,
      title: words.title(family, option.id, nameOfRow(family, option.id) ?? option.title),
      subtitle: words.subtitle(family, option.subtitle),
    };
  });
  const may = useMay();
  const create = kind && MADE_BY_NAME.has(family) ? operationOf(kind, 'create') : undefined;
  const make = useWriteOf<{ id?: number }>({ id: create?.id ?? '' });
  const wanted = (typed ?? '').trim();
  const canMake =
    create !== undefined && may(create.id) && wanted !== '' && isCurrent && found.data !== undefined;
  const isMade = options.some(({ title }) => title.toLowerCase() === wanted.toLowerCase());
  /** Whoever goes on meanwhile is not told that nothing has this name. */
  const settle = (chosen: Promise<number | undefined>) =>
    void holdSubmit(
      input.current?.form ?? null,
      chosen.then(
        id => {
          if (id !== undefined) flushSync(() => take(id));
          return true;
        },
        // The field says why, or its list that the server does not answer.
        () => false,
      ),
    );
  const makeIt = async () => {
    const { data, meta } = await make.mutateAsync({ body: { name: wanted } });
    return data.id ?? (typeof meta.id === 'number' ? meta.id : undefined);
  };

  // An emptied field shows what a scan has put there since.
  const shown = typed || (value === null ? '' : (titleOf(family, value) ?? String(value)));

  const take = (id: number | null) => {
    onChange(id);
    setTyped(null);
    combobox.closeDropdown();
  };

  const pick = async (wanted: string) => {
    // What is found by its code alone may be what is not offered.
    if (only && list) {
      const query = { per_page: 1, order: 'desc', ...only, keyword: wanted };
      return (await client.send<{ id: number }[]>(list, { query })).data[0]?.id;
    }
    const { data } = await client.call('x.find.list', { query: { text: wanted } });
    return data.find(each => each.family === family)?.id;
  };

  /** What is typed faster than the list follows is asked for as it stands. */
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || typed === null || typed === '' || combobox.getSelectedOptionIndex() !== -1)
      return;
    event.preventDefault();
    settle(pick(typed).then(match => match ?? options[0]?.id));
  };

  const saysFailure = useFailureMessage(make.error);
  const input = useRef<HTMLInputElement>(null);
  useScanTarget(scan => {
    if (!takesScans || document.activeElement !== input.current) return false;
    const code = scan.replaceAll('\u001d', '');
    // What nothing is known by stays to be read, with the list that says so.
    setTyped(code);
    combobox.openDropdown();
    settle(pick(code));
    return true;
  });

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={id => (id === MAKE ? settle(makeIt()) : take(Number(id)))}
      position="bottom-start"
      withinPortal={!isInPopover}
    >
      <Combobox.Target>
        <InputBase
          ref={input}
          label={label}
          description={description}
          error={
            error ??
            (make.error ? saysFailure(make.error.message) : isLeft && t('reference.unknown', { text: typed }))
          }
          required={required ?? false}
          value={shown}
          autoComplete="off"
          placeholder={t('reference.placeholder')}
          {...(isAutoFocused && { 'data-autofocus': true })}
          onChange={event => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
            if (event.currentTarget.value === '') onChange(null);
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown();
            if (value === null && wanted !== '') setIsLeft(!make.isPending);
            else setTyped(null);
          }}
          onKeyDown={onKeyDown}
          rightSection={
            value !== null && !required ? (
              <CloseButton
                size={44}
                // By keyboard, the text is emptied; a stop between fields is in the way.
                tabIndex={-1}
                aria-label={t('reference.clear', { label })}
                onMouseDown={event => event.preventDefault()}
                onClick={() => take(null)}
              />
            ) : found.isFetching || make.isPending ? (
              <Loader size="xs" aria-label={t('app:reading')} />
            ) : null
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah="40vh" style={{ overflowY: 'auto' }} aria-label={label}>
          {options.map(option => (
            <Combobox.Option key={option.id} value={String(option.id)} py="sm">
              <Text className="typed">{option.title}</Text>
              {option.subtitle && (
                <Text size="sm" c="dimmed" className="typed">
                  {option.subtitle}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {canMake && !isMade && (
            <Combobox.Option value={MAKE} py="sm">
              {t('reference.make', { text: wanted })}
            </Combobox.Option>
          )}
          {options.length === 0 && (
            <Combobox.Empty>
              {t(isCurrent && found.data ? 'reference.nothing' : 'app:reading')}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** From the documented answer of a list. */
function nameOf(family: Family | undefined, fields: Record<string, unknown>) {
  const record = { id: Number(fields.id), fields };
  if (!family) return { id: record.id, title: String(record.id), subtitle: null };
  return {
    id: record.id,
    title: recordTitle(family, record),
    subtitle: recordSubtitle(family, record, () => null),
  };
}
