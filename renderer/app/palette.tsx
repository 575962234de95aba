import { Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { useCall } from '../api/calls.ts';
import { useMay } from '../api/may.ts';
import { listOperationOf, operationOf } from '../api/operations.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { recordPath } from '../ui/record-path.ts';
import { areas, innerScreens } from './navigation.ts';

export function usePalette() {
  const [isOpen, { open, close }] = useDisclosure();
  return { isOpen, open, close };
}

interface Choice {
  path: string;
  title: string;
  note: string | null;
}

/** Finds any record by number, name, lot or id, and any area or action by its name: type, arrow keys, Enter. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('app');
  return (
    <Modal opened={opened} onClose={onClose} title={t('find')} size="lg" returnFocus>
      {opened && <Search onDone={onClose} />}
    </Modal>
  );
}

function Search({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('app');
  const texts = useFamilyTexts();
  const words = useRecordWords();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 100);
  const combobox = useCombobox({ opened: true });
  const { data, isPlaceholderData } = useCall(
    'x.find.list',
    { query: { text } },
    { isEnabled: text !== '', keepsPrevious: true },
  );
  // What was found for an earlier text is not offered for this one: Enter would open it.
  const isCurrent = text !== '' && text === typed.trim() && !isPlaceholderData;
  const records = (isCurrent ? (data?.data ?? []) : []).map(({ family, id, title, subtitle }): Choice => {
    const kind = familyOf(family);
    const note = [kind && texts.title(kind), words.subtitle(family, subtitle)].filter(Boolean).join(' · ');
    return { path: recordPath(family, id), title: words.title(family, id, title), note };
  });
  const actions = useActions().filter(({ title }) => matches(title, typed));
  const choices = [...records, ...(typed === '' ? actions.slice(0, areas.length) : actions.slice(0, 8))];
  const go = (path: string) => {
    onDone();
    void navigate(path);
  };
  // Enter came faster than the answer: it is for the answer's first.
  const wanted = useRef<string>(undefined);
  const listed = choices.map(({ path }) => path).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list has another first entry
  useEffect(() => {
    combobox.selectFirstOption();
    const [first] = choices;
    if (isCurrent && first && wanted.current === typed) go(first.path);
  }, [listed, isCurrent]);
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={index => {
        const choice = choices[Number(index)];
        if (choice) go(choice.path);
      }}
      withinPortal={false}
    >
      <Combobox.EventsTarget>
        <TextInput
          aria-label={t('find')}
          description={t('find.hint')}
          leftSection={<IconSearch aria-hidden />}
          value={typed}
          // Before the key that follows the one that opens it.
          ref={focus}
          data-autofocus
          autoComplete="off"
          onChange={event => setTyped(event.currentTarget.value)}
          onKeyDown={event => {
            // The list takes Escape for its own, and is never closed by itself.
            if (event.key === 'Escape') onDone();
            wanted.current = event.key === 'Enter' && choices.length === 0 ? typed : undefined;
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options mt="sm" mah="60vh" style={{ overflowY: 'auto' }} aria-label={t('find')}>
        {choices.map(({ path, title, note }, index) => (
          <Combobox.Option key={path} value={String(index)} py="sm">
            <Text className="typed">{title}</Text>
            {note && (
              <Text size="sm" className="typed">
                {note}
              </Text>
            )}
          </Combobox.Option>
        ))}
        {choices.length === 0 && <Combobox.Empty>{t('find.nothing')}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  );
}

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** Areas of work, lists, and what can be made anew. */
function useActions(): Choice[] {
  const { t } = useTranslation('app');
  const texts = useFamilyTexts();
  const may = useMay();
  const kinds = Object.values<Family>(families);
  return [
    ...areas.map(({ name, path }) => ({ path, title: t(`area.${name}`), note: t('find.area') })),
    ...innerScreens
      .filter(({ operation }) => operation === undefined || may(operation))
      .map(({ name, path }) => ({ path, title: t(`screen.${name}`), note: t('find.area') })),
    ...kinds.flatMap(family => {
      const list = listOperationOf(family);
      if (!list || !may(list.id)) return [];
      return [{ path: `/app/records/${family.name}`, title: texts.plural(family), note: t('find.list') }];
    }),
    ...kinds.flatMap(family => {
      const create = operationOf(family, 'create');
      if (!create || !may(create.id)) return [];
      return [
        {
          path: `/app/records/${family.name}/new`,
          title: t('find.new', { family: texts.title(family) }),
          note: t('find.action'),
        },
      ];
    }),
  ];
}

function matches(title: string, typed: string): boolean {
  return title.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}
