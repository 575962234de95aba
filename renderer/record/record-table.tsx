import { Button, Checkbox, Group, Pagination, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { IconCheckbox, IconDownload, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import type { ListView } from '../../shared/contract/list-view.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { useCallOf } from '../api/calls.ts';
import { client } from '../api/client.ts';
import { listOperationOf } from '../api/operations.ts';
import { useTitles } from '../api/titles.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { Failure } from '../ui/failure.tsx';
import { recordPath } from '../ui/record-path.ts';
import { saveFile } from '../ui/save-file.ts';
import { ColumnMenu, type Density } from './column-menu.tsx';
import { referredFamily } from './field-value.tsx';
import { type Chosen, type ChosenAct, ChosenBar, useMayChoose } from './list/chosen-bar.tsx';
import { columnFields } from './list/column-fields.ts';
import { ColumnHead } from './list/column-head.tsx';
import { FilterChips } from './list/filter-chips.tsx';
import { FilterMenu } from './list/filter-menu.tsx';
import { changedAddress as changed, conditionsIn, ownConditionsIn } from './list/list-address.ts';
import { ViewMenu } from './list/view-menu.tsx';
import { type ExtraColumn, RecordRow, type Row } from './record-row.tsx';

const NONE: readonly ExtraColumn[] = [];
const NO_ACTS: readonly ChosenAct[] = [];
const PAGE_SIZES = ['25', '50', '100', '200'];

export interface RecordTableProps {
  family: Family;
  /** Fixed filters beside those that a person sets: all moves of this lot. */
  fixed?: Record<string, string | number>;
  /** Further columns of a screen of its own. */
  extra?: readonly ExtraColumn[];
  /** Where a row leads, when not to the record. */
  pathOf?: (row: Row) => string;
  /** Told the ids of the rows that are shown, as `12,13`: for what `extra` asks about them. */
  onShown?: (ids: string) => void;
  /** What else can be done with many rows at once. */
  acts?: readonly ChosenAct[];
}

/**
 * Records of a family, page by page from the server: search, filters, order and page stand in the address, so that "back"
 * leads to the same rows; columns are remembered. Arrow keys go from row to row, Enter opens, Space chooses, Page Up and Down turn
 * the page.
 */
export function RecordTable({
  family,
  fixed = {},
  extra = NONE,
  pathOf,
  onShown,
  acts = NO_ACTS,
}: RecordTableProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const navigate = useNavigate();
  const [address, setAddress] = useSearchParams();
  const searched = address.get('keyword') ?? '';
  const [typed, setTyped] = useState(searched);
  const [keyword] = useDebouncedValue(typed, 150);
  // Another search begins with its first page, before the address says so: no page of it is asked for in vain.
  const page = keyword === searched ? Math.max(1, Number(address.get('page')) || 1) : 1;
  // Null until a person chooses: the store would keep a default as if it were a choice.
  const [chosenColumns, setColumns] = useLocalStorage<string[] | null>({
    key: `holdpoint.columns.${family.name}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [perPage, setPerPage] = useLocalStorage({
    key: 'holdpoint.per-page',
    defaultValue: '50',
    getInitialValueInEffect: false,
  });
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'holdpoint.density',
    defaultValue: 'dock',
    getInitialValueInEffect: false,
  });
  const mayChoose = useMayChoose(family, acts);
  // Null until a person begins to choose.
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const columns = useMemo(() => {
    const known = columnFields(family);
    return (chosenColumns ?? family.columns).filter(name => known.includes(name));
  }, [chosenColumns, family]);
  const body = useRef<HTMLTableSectionElement>(null);

  const isTyped = useRef(false);
  /** Searches of the present typing that the address was given: it may say them when more has been typed. */
  const given = useRef(new Set<string>());
  useEffect(() => {
    if (keyword === searched) {
      given.current.clear();
      return;
    }
    if (isTyped.current) {
      given.current.add(keyword);
      setAddress(changed(address, { keyword, page: '' }), { replace: true });
    }
    // "Back", or a view: the address leads.
    else if (!given.current.has(searched)) setTyped(searched);
    isTyped.current = false;
  }, [keyword, searched, address, setAddress]);

  const operation = listOperationOf(family);
  const canSearch = operation !== undefined && 'keyword' in operation.query;
  const canSort = operation !== undefined && 'sort' in operation.query;
  const sort = canSort ? (address.get('sort') ?? '') : '';
  const conditions = [...ownConditionsIn(family, address), ...(canSort ? conditionsIn(address) : [])];
  const asked = {
    ...Object.fromEntries(conditions.map(({ name, value }) => [name, value])),
    ...fixed,
    ...(canSearch && keyword !== '' && { keyword }),
  };
  const { data, error, isFetching, isPlaceholderData, refetch } = useCallOf<Row[]>(
    operation,
    {
      query: {
        ...asked,
        page,
        per_page: Number(perPage),
        ...(sort === '' ? { order: 'desc' } : { sort }),
        ...(family.operations.listForm === 'first-record' && { as: 'array' }),
      },
    },
    { keepsPrevious: true },
  );
  const rows = data?.data ?? [];
  const total = Number(data?.meta.total ?? 0);
  const pages = Math.max(1, Math.ceil(total / Number(perPage)));
  const titleOf = useTitles(referencesIn(family, columns, rows));
  const shownIds = rows.map(({ id }) => String(id)).join(',');
  useEffect(() => onShown?.(shownIds), [shownIds, onShown]);
  const turn = (to: number) =>
    setAddress(changed(address, { page: to <= 1 ? '' : String(Math.min(to, pages)) }));
  const pathTo = (row: Row) => pathOf?.(row) ?? recordPath(family.name, String(row.id));
  const open = (at: HTMLElement | null) => {
    const row = rows.find(({ id }) => String(id) === at?.dataset.id);
    if (row) void navigate(pathTo(row));
  };
  const nameOf = (row: Row) => recordTitle(family, { id: Number(row.id), fields: row });
  const choose = (some: readonly Row[], isChosen: boolean) => {
    const next = new Map(chosen ?? []);
    for (const row of some) {
      if (isChosen) next.set(Number(row.id), nameOf(row));
      else next.delete(Number(row.id));
    }
    setChosen(next);
  };
  const toggle = (at: HTMLElement | null) => {
    const row = rows.find(({ id }) => String(id) === at?.dataset.id);
    if (row) choose([row], !chosen?.has(Number(row.id)));
  };
  const chosenHere = rows.filter(({ id }) => chosen?.has(Number(id))).length;
  const isNarrowed = conditions.length > 0;
  const narrow = (values: Record<string, string>) => setAddress(changed(address, { ...values, page: '' }));

  // The page turned by a key in a row: the focus goes on in the new rows.
  const goesOn = useRef<number>(undefined);
  // Before the next key: the row that had the focus is gone.
  useLayoutEffect(() => {
    if (goesOn.current !== page || !data || isPlaceholderData) return;
    goesOn.current = undefined;
    focusOn(body.current?.firstElementChild);
  }, [data, page, isPlaceholderData]);
  const turnByKey = (to: number) => {
    if (to < 1 || to > pages) return;
    goesOn.current = to;
    turn(to);
  };

  const showView = (view: Pick<ListView, 'address' | 'columns'>) => {
    setColumns(view.columns);
    setAddress(new URLSearchParams(view.address));
  };

  const exportRows = async () => {
    setFailure(null);
    try {
      await exportShown(family, asked);
    } catch (error) {
      setFailure(error);
    }
  };

  const onKeyDown = (event: KeyboardEvent, at: HTMLElement) => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusOn(at.nextElementSibling),
      ArrowUp: () => focusOn(at.previousElementSibling),
      Home: () => focusOn(at.parentElement?.firstElementChild),
      End: () => focusOn(at.parentElement?.lastElementChild),
      PageDown: () => turnByKey(page + 1),
      PageUp: () => turnByKey(page - 1),
      Enter: () => open(at),
      ...(mayChoose && { ' ': () => toggle(at) }),
    };
    const move = moves[event.key];
    // Enter on a link in the row follows the link.
    if (!move || (event.key === 'Enter' && event.target !== at)) return;
    event.preventDefault();
    move();
  };

  return (
    <Stack gap="sm">
      <Group align="end" gap="xs" role="group" aria-label={t('tools')}>
        {canSearch && (
          <TextInput
            label={t('search')}
            leftSection={<IconSearch aria-hidden />}
            value={typed}
            onChange={event => {
              isTyped.current = true;
              setTyped(event.currentTarget.value);
            }}
            onKeyDown={event => {
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              focusOn(body.current?.firstElementChild);
            }}
            flex="1 1 8rem"
          />
        )}
        {canSort && <FilterMenu family={family} except={Object.keys(fixed)} onAdd={narrow} />}
        {canSort && Object.keys(fixed).length === 0 && (
          <ViewMenu list={family.name} address={address} columns={chosenColumns} onShow={showView} />
        )}
        <ColumnMenu
          family={family}
          chosen={columns}
          onChange={setColumns}
          density={density}
          onDensity={setDensity}
        />
        {mayChoose && (
          <Button
            variant="default"
            leftSection={<IconCheckbox aria-hidden />}
            aria-pressed={chosen !== null}
            onClick={() => setChosen(chosen ? null : new Map())}
          >
            {t('choosing')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden />}
          aria-label={t('export')}
          onClick={() => void exportRows()}
        >
          {t('export.short')}
        </Button>
      </Group>
      <FilterChips
        family={family}
        conditions={conditions}
        onRemove={names => narrow(Object.fromEntries(names.map(name => [name, ''])))}
      />
      <Failure error={failure} />
      <Failure error={error} onRetry={() => void refetch()} />
      <Text role="status" size="sm">
        {data && rows.length > 0
          ? t('shown', {
              from: formats.number(Number(data.meta.from)),
              to: formats.number(Number(data.meta.to)),
              total: formats.number(total),
            })
          : t(data ? emptyKey(keyword, isNarrowed) : isFetching ? 'app:reading' : 'nothing', { keyword })}
      </Text>
      {chosen && <ChosenBar family={family} chosen={chosen} onChoose={setChosen} acts={acts} />}
      <Table.ScrollContainer minWidth={480}>
        <Table
          highlightOnHover
          stickyHeader
          verticalSpacing={2}
          className="records"
          data-density={density}
          aria-label={texts.plural(family)}
        >
          <Table.Thead>
            <Table.Tr>
              {chosen && (
                <Table.Th w={48}>
                  <Checkbox
                    aria-label={t('choose.page')}
                    checked={rows.length > 0 && chosenHere === rows.length}
                    indeterminate={chosenHere > 0 && chosenHere < rows.length}
                    onChange={event => choose(rows, event.currentTarget.checked)}
                  />
                </Table.Th>
              )}
              {columns.map(name => (
                <ColumnHead
                  key={name}
                  family={family}
                  name={name}
                  sort={sort}
                  onSort={next => narrow({ sort: next })}
                />
              ))}
              {extra.map(({ label, sortBy = '' }) => (
                <ColumnHead
                  key={label}
                  family={family}
                  name={sortBy}
                  label={label}
                  sort={sort}
                  onSort={next => narrow({ sort: next })}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody
            ref={body}
            onKeyDown={event => {
              const at = rowOf(event);
              if (at) onKeyDown(event, at);
            }}
            onDoubleClick={event => open(rowOf(event))}
            onClick={event => {
              const target = event.target as HTMLElement;
              if (target.closest('[data-choose], .mantine-Checkbox-root')) toggle(rowOf(event));
              else if (!target.closest('a, button')) open(rowOf(event));
            }}
          >
            {rows.map((row, index) => (
              <RecordRow
                key={String(row.id)}
                family={family}
                row={row}
                columns={columns}
                extra={extra}
                path={pathTo(row)}
                titleOf={titleOf}
                isFirst={index === 0}
                isChosen={chosen?.has(Number(row.id))}
                chooseLabel={t('choose', { title: nameOf(row) })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {total > Number(PAGE_SIZES[0]) && (
        <Group justify="space-between" align="end">
          {pages > 1 && (
            <Pagination
              total={pages}
              value={page}
              onChange={turn}
              getItemProps={number => ({ 'aria-label': t('page', { number }) })}
              getControlProps={control => ({ 'aria-label': t(`page.${control}`) })}
            />
          )}
          <Select
            label={t('per-page')}
            data={PAGE_SIZES}
            value={perPage}
            allowDeselect={false}
            w="8rem"
            onChange={next => {
              setPerPage(next ?? '50');
              turn(1);
            }}
          />
        </Group>
      )}
    </Stack>
  );
}

/** The row that an event came from. */
function rowOf({ target }: { target: EventTarget }): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('tr[data-id]') : null;
}

function focusOn(row: Element | null | undefined): void {
  if (row instanceof HTMLElement) row.focus();
}

function emptyKey(keyword: string, isNarrowed: boolean): string {
  if (keyword !== '') return 'empty.found';
  return isNarrowed ? 'empty.filtered' : 'empty';
}

function referencesIn(family: Family, columns: readonly string[], rows: readonly Row[]): string[] {
  return columns.flatMap(name => {
    const field = family.fields[name];
    if (field?.kind !== 'reference') return [];
    return rows.flatMap(row => {
      const target = referredFamily(field, row);
      return target && row[name] ? [`${target}:${row[name]}`] : [];
    });
  });
}

async function exportShown(family: Family, asked: Record<string, string | number>): Promise<void> {
  const response = await client.stream('x.exports.read', {
    params: { family: family.name },
    query: { ...asked, format: 'csv', bom: true },
  });
  saveFile(await response.blob(), `${family.name}.csv`);
}
