import { ActionIcon, Button, Fieldset, Group, Pagination, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Collection } from '../../shared/contract/define-family.ts';
import type { FieldErrors } from '../../shared/contract/errors.ts';
import type { Role } from '../../shared/contract/role.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { ClosedField } from './closed-field.tsx';
import { FieldInput } from './field-input.tsx';
import { isRequired, unitOf, type Values } from './form-values.ts';

export interface ItemsInputProps {
  path: string;
  collection: Collection;
  items: Values[];
  onChange: (items: Values[]) => void;
  errors: FieldErrors;
  /** The items before any typing. */
  before: readonly Values[];
  /** The role that every change of a field of an item needs and this user lacks; undefined: of a new item. */
  lackedRole: (field: string, item: Values | undefined) => Role | null;
}

/** A receipt of hundreds of lines is changed page by page: with all of their fields at once it takes half a minute to open. */
const PER_PAGE = 10;

/** The items of a record, one below the other; a new one takes the focus. */
export function ItemsInput(props: ItemsInputProps) {
  const { path, collection, items, onChange, errors, before, lackedRole } = props;
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const title = texts.word(collection.title);

  const pages = Math.max(1, Math.ceil(items.length / PER_PAGE));
  const [turned, setTurned] = useState(0);
  const page = Math.min(turned, pages - 1);
  const shown = items.map((item, index) => ({ item, index })).slice(page * PER_PAGE, (page + 1) * PER_PAGE);

  // What is at fault is shown, so that the focus can go there.
  const faulty = Object.keys(errors).find(each => each.startsWith(`${path}.`));
  const faultyPage = faulty && Math.floor(Number(faulty.split('.')[1]) / PER_PAGE);
  const [shownFault, setShownFault] = useState(faulty);
  if (faulty !== shownFault) {
    setShownFault(faulty);
    if (typeof faultyPage === 'number' && Number.isFinite(faultyPage)) setTurned(faultyPage);
  }

  const append = () => {
    // Drawn at once: no key is pressed before the new item has the focus.
    flushSync(() => {
      onChange([...items, {}]);
      setTurned(Math.floor(items.length / PER_PAGE));
    });
    list.current?.querySelector<HTMLElement>(`[data-item="${items.length}"] :is(input, textarea)`)?.focus();
  };
  const remove = (index: number) => {
    onChange(items.filter((_each, at) => at !== index));
    add.current?.focus();
  };

  return (
    <Fieldset legend={texts.plural(collection)}>
      <Stack ref={list}>
        {pages > 1 && (
          <Pagination
            total={pages}
            value={page + 1}
            onChange={next => setTurned(next - 1)}
            getItemProps={number => ({ 'aria-label': t('page', { number }) })}
            getControlProps={control => ({ 'aria-label': t(`page.${control}`) })}
          />
        )}
        {shown.map(({ item, index }) => (
          <Stack
            key={String(item.id ?? `new ${index}`)}
            data-item={index}
            gap="xs"
            role="group"
            aria-label={`${title} ${index + 1}`}
          >
            <Group justify="space-between">
              <Text fw={700} aria-hidden>
                {index + 1}
              </Text>
              {(item.id === undefined || collection.isWholeList) && (
                <ActionIcon
                  color="red"
                  aria-label={t('item.remove', { number: index + 1 })}
                  onClick={() => remove(index)}
                >
                  <IconTrash aria-hidden />
                </ActionIcon>
              )}
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} className="form-grid">
              {writableOf(collection).map(([name, field]) => {
                const known = item.id === undefined ? undefined : before.find(each => each.id === item.id);
                const role = lackedRole(name, known);
                if (role) return <ClosedField key={name} field={field} value={item[name]} role={role} />;
                return (
                  <FieldInput
                    key={name}
                    field={field}
                    value={item[name]}
                    error={errors[`${path}.${index}.${name}`]?.join(' ')}
                    isRequired={isRequired(field)}
                    unit={unitOf(name, item)}
                    onChange={value =>
                      onChange(items.map((each, at) => (at === index ? { ...each, [name]: value } : each)))
                    }
                  />
                );
              })}
            </SimpleGrid>
          </Stack>
        ))}
        <Button
          ref={add}
          variant="default"
          leftSection={<IconPlus aria-hidden />}
          onClick={append}
          w="fit-content"
        >
          {t('item.add', { item: title })}
        </Button>
      </Stack>
    </Fieldset>
  );
}

export function writableOf(collection: Collection) {
  return Object.entries(collection.fields).filter(
    ([name, field]) => field.writable && name !== collection.position,
  );
}
