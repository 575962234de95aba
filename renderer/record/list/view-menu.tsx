import { Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListView } from '../../../shared/contract/list-view.ts';
import type { BodyOf } from '../../../shared/operations/operation-types.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { Failure } from '../../ui/failure.tsx';
import { ViewRow } from './view-row.tsx';

interface ViewMenuProps {
  /** The family's name. */
  list: string;
  /** What the list shows now. */
  address: URLSearchParams;
  /** Null: the usual ones. */
  columns: string[] | null;
  onShow: (view: Pick<ListView, 'address' | 'columns'>) => void;
}

/**
 * What is to be seen again of a list, under a name: conditions, search, order and columns. One's own the server keeps beside what
 * people type; those for everybody are records (decisions/0093).
 */
export function ViewMenu({ list, address, columns, onShow }: ViewMenuProps) {
  const { t } = useTranslation('record');
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [isForAll, setForAll] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const own = useCall('x.list-views.list', { params: { family: list } }, { isEnabled: isOpen });
  const shared = useCall(
    'x.shared-views.list',
    { query: { list, 'filter[is_active]': true, sort: 'name', per_page: 200 } },
    { isEnabled: isOpen },
  );
  const writeOwn = useWrite('x.list-views.update');
  const share = useWrite('x.shared-views.create');
  const changeShared = useWrite('x.shared-views.update.patch');
  const ownViews = own.data?.data ?? [];
  const sharedViews = shared.data?.data ?? [];
  const shown = shownBy(address);
  const isBusy = [writeOwn, share, changeShared].some(({ isPending }) => isPending);
  const put = async (write: () => Promise<unknown>) => {
    setFailure(null);
    try {
      await write();
      setName('');
    } catch (error) {
      setFailure(error);
    }
  };
  const keepOwn = (body: BodyOf<'x.list-views.update'>) =>
    writeOwn.mutateAsync({ params: { family: list }, body });
  const keepShared = (body: { name: string; address: string; columns: string[] }) => {
    const id = sharedViews.find(view => view.name === body.name)?.id;
    return id === undefined
      ? share.mutateAsync({ body: { ...body, list } })
      : changeShared.mutateAsync({ params: { id }, body });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const named = { name: name.trim(), address: shown };
    if (named.name === '') return;
    void put(() =>
      isForAll ? keepShared({ ...named, columns: columns ?? [] }) : keepOwn({ ...named, columns }),
    );
  };
  const show = (view: Pick<ListView, 'address' | 'columns'>) => {
    onShow(view);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus width="22rem" returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconBookmark aria-hidden />} onClick={() => setOpen(!isOpen)}>
          {t('views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views')}>
        <Stack gap="sm">
          {own.data && shared.data && ownViews.length + sharedViews.length === 0 && (
            <Text>{t('views.none')}</Text>
          )}
          {ownViews.length > 0 && (
            <ul className="plain-list view-list" aria-label={t('views.own')}>
              {ownViews.map(view => (
                <ViewRow
                  key={view.name}
                  name={view.name}
                  isCurrent={view.address === shown}
                  onShow={() => show(view)}
                  onRemove={() => void put(() => keepOwn({ name: view.name, address: null }))}
                />
              ))}
            </ul>
          )}
          {sharedViews.length > 0 && (
            <section>
              <Text fw={700} size="sm">
                {t('views.shared')}
              </Text>
              <ul className="plain-list view-list" aria-label={t('views.shared')}>
                {sharedViews.map(({ id, name: title, address: query, columns: chosen }) => (
                  <ViewRow
                    key={id}
                    name={title ?? ''}
                    isCurrent={(query ?? '') === shown}
                    onShow={() =>
                      show({ address: query ?? '', columns: chosen.length === 0 ? null : chosen })
                    }
                    onRemove={
                      may('x.shared-views.update')
                        ? () =>
                            void put(() =>
                              changeShared.mutateAsync({ params: { id }, body: { is_active: false } }),
                            )
                        : undefined
                    }
                  />
                ))}
              </ul>
            </section>
          )}
          <form onSubmit={submit}>
            <Stack gap="xs">
              <Group align="end" wrap="nowrap">
                <TextInput
                  label={t('views.name')}
                  description={t(isForAll ? 'views.hint.shared' : 'views.hint')}
                  data-autofocus
                  maxLength={80}
                  value={name}
                  onChange={event => setName(event.currentTarget.value)}
                  flex={1}
                  autoComplete="off"
                />
                <Button type="submit" disabled={name.trim() === '' || isBusy}>
                  {t('views.save')}
                </Button>
              </Group>
              {may('x.shared-views.create') && (
                <Checkbox
                  label={t('views.shared')}
                  checked={isForAll}
                  onChange={event => setForAll(event.currentTarget.checked)}
                />
              )}
            </Stack>
          </form>
          <Failure error={failure ?? own.error ?? shared.error} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The address without the page: a view begins with its first one. */
function shownBy(address: URLSearchParams): string {
  const kept = new URLSearchParams(address);
  kept.delete('page');
  return kept.toString();
}
