import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListView } from '../../../shared/contract/list-view.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { Failure } from '../../ui/failure.tsx';

interface ViewMenuProps {
  /** The family's name. */
  list: string;
  /** What the list shows now. */
  address: URLSearchParams;
  /** Null: the usual ones. */
  columns: string[] | null;
  onShow: (view: Pick<ListView, 'address' | 'columns'>) => void;
}

/** What a person wants to see again of a list, under a name: conditions, search, order and columns. Kept by the server. */
export function ViewMenu({ list, address, columns, onShow }: ViewMenuProps) {
  const { t } = useTranslation('record');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const { data } = useCall<ListView[]>(
    'x.list-views.list',
    { params: { family: list } },
    { isEnabled: isOpen },
  );
  const write = useWrite('x.list-views.update');
  const views = data?.data ?? [];
  const shown = shownBy(address);
  const put = async (body: object) => {
    setFailure(null);
    try {
      await write.mutateAsync({ params: { family: list }, body });
      setName('');
    } catch (error) {
      setFailure(error);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') void put({ name: name.trim(), address: shown, columns });
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
          {data && views.length === 0 && <Text>{t('views.none')}</Text>}
          <ul className="plain-list view-list">
            {views.map(view => (
              <li key={view.name}>
                <Group gap="xs" wrap="nowrap">
                  <Button
                    variant="subtle"
                    justify="start"
                    flex={1}
                    miw={0}
                    aria-current={view.address === shown}
                    onClick={() => {
                      onShow(view);
                      setOpen(false);
                    }}
                  >
                    {view.name}
                  </Button>
                  <ActionIcon
                    variant="default"
                    aria-label={t('views.remove', { name: view.name })}
                    onClick={() => void put({ name: view.name, address: null })}
                  >
                    <IconTrash aria-hidden />
                  </ActionIcon>
                </Group>
              </li>
            ))}
          </ul>
          <form onSubmit={submit}>
            <Group align="end" wrap="nowrap">
              <TextInput
                label={t('views.name')}
                description={t('views.hint')}
                data-autofocus
                maxLength={80}
                value={name}
                onChange={event => setName(event.currentTarget.value)}
                flex={1}
                autoComplete="off"
              />
              <Button type="submit" disabled={name.trim() === '' || write.isPending}>
                {t('views.save')}
              </Button>
            </Group>
          </form>
          <Failure error={failure} />
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
