import { ActionIcon, Alert, Button, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Collection, Family } from '../../shared/define-family.ts';
import { AppError, type FieldErrors } from '../../shared/errors.ts';
import type { Field } from '../../shared/fields.ts';
import { parseInput } from '../../shared/parse-input.ts';
import { Failure } from '../app/failure.tsx';
import { useFirstFocus } from '../app/first-focus.ts';
import { useFamilyTexts } from '../families/family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { useDraft } from './draft.ts';
import { FieldInput } from './field-input.tsx';

export type Values = Record<string, unknown>;

export interface RecordFormProps {
  family: Family;
  mode: 'create' | 'patch';
  /** The values before any typing; collections as lists. */
  initial: Values;
  draftKey: string;
  /** Only what was changed, as the body of the write. Errors of the server are shown at their fields. */
  onSave: (body: Values) => Promise<void>;
  onCancel: () => void;
}

/**
 * The form of any family, by its contract: every field that can be written, items as lists, checked as the server will
 * check them. Ctrl+S saves. What is typed is kept as a draft until it is saved or thrown away.
 */
export function RecordForm({ family, mode, initial, draftKey, onSave, onCancel }: RecordFormProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const draft = useDraft<Values>(draftKey);
  const [values, setValues] = useState<Values>(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isFromDraft, setIsFromDraft] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);

  const hasTyped = useRef(false);
  useEffect(() => {
    if (!draft.found || hasTyped.current) return;
    setValues(before => ({ ...before, ...draft.found }));
    setIsFromDraft(true);
  }, [draft.found]);

  const change = (name: string, value: unknown) => {
    hasTyped.current = true;
    const next = { ...values, [name]: value };
    setValues(next);
    setErrors(({ [name]: _, ...rest }) => rest);
    draft.keep(changesOf(initial, next));
  };

  const showErrors = (found: FieldErrors) => {
    setErrors(found);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isSaving) return;
    const body = mode === 'create' ? withoutEmpty(values) : changesOf(initial, values);
    setFailure(null);
    try {
      parseInput(family, body, { mode, passes: [...family.operations.passes, 'reason', 'id'] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return showErrors(error.errors ?? {});
    }
    setIsSaving(true);
    try {
      await onSave(body);
      await draft.discard().catch(() => {});
    } catch (error) {
      setFailure(error);
      if (error instanceof AppError && error.errors) showErrors(error.errors);
    } finally {
      setIsSaving(false);
    }
  };
  useHotkeys([['mod+S', () => void save()]], []);

  const startAnew = () => {
    hasTyped.current = true;
    setValues(initial);
    setErrors({});
    setIsFromDraft(false);
    void draft.discard();
  };

  const writable = Object.entries(family.fields).filter(([, field]) => field.writable);
  const shown = new Set(writable.map(([name]) => name));
  const elsewhere = Object.entries(errors).filter(([path]) => !shown.has(path) && !/^\w+\.\d+\./.test(path));
  return (
    <form ref={form} onSubmit={event => void save(event)} noValidate aria-label={texts.title(family)}>
      <Stack>
        {isFromDraft && (
          <Alert title={t('draft.title')} color="blue" variant="light">
            <Group justify="space-between">
              <Text>{t('draft.text', { at: formats.moment(draft.at) })}</Text>
              <Button variant="default" onClick={startAnew}>
                {t('draft.discard')}
              </Button>
            </Group>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
          {writable.map(([name, field], index) => (
            <FieldInput
              key={name}
              field={field}
              value={values[name]}
              onChange={value => change(name, value)}
              error={errors[name]?.join(' ')}
              isRequired={isRequired(field)}
              isAutoFocused={index === 0}
              unit={unitOf(name, values)}
              entityFamily={typeof values.entity_type === 'string' ? values.entity_type : 'part'}
            />
          ))}
        </SimpleGrid>
        {Object.entries(family.collections).map(([name, collection]) => (
          <ItemsInput
            key={name}
            path={name}
            collection={collection}
            items={(values[name] as Values[] | undefined) ?? []}
            onChange={items => change(name, items)}
            errors={errors}
          />
        ))}
        {elsewhere.length > 0 || (failure && !(failure instanceof AppError && failure.errors)) ? (
          <Failure error={failure ?? new AppError('validation_failed', elsewhere.flat(2).join(' '))} />
        ) : null}
        <Group>
          <Button type="submit" loading={isSaving}>
            {t('save')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              void draft.discard();
              onCancel();
            }}
          >
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ItemsInputProps {
  path: string;
  collection: Collection;
  items: Values[];
  onChange: (items: Values[]) => void;
  errors: FieldErrors;
}

function ItemsInput({ path, collection, items, onChange, errors }: ItemsInputProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const fields = Object.entries(collection.fields).filter(
    ([name, field]) => field.writable && name !== collection.position,
  );
  return (
    <Fieldset legend={texts.word(collection.title)}>
      <Stack>
        {items.map((item, index) => (
          <Group key={String(item.id ?? `new ${index}`)} align="end" wrap="nowrap">
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} flex={1}>
              {fields.map(([name, field]) => (
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
              ))}
            </SimpleGrid>
            {(item.id === undefined || collection.isWholeList) && (
              <ActionIcon
                color="red"
                aria-label={t('item.remove', { number: index + 1 })}
                onClick={() => onChange(items.filter((_each, at) => at !== index))}
              >
                <IconTrash aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus aria-hidden />}
          onClick={() => onChange([...items, {}])}
          w="fit-content"
        >
          {t('item.add', { item: texts.word(collection.title) })}
        </Button>
      </Stack>
    </Fieldset>
  );
}

function isRequired(field: Field): boolean {
  return field.requiredOn.includes('create');
}

/** A quantity's unit stands beside it. */
function unitOf(name: string, values: Values): string | undefined {
  const unit = values.unit_of_measure ?? values.lot_unit;
  return typeof unit === 'string' && /quantity|reorder_point/.test(name) ? unit : undefined;
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** What differs from the beginning; an emptied text clears. Of lists of items, the whole list. */
export function changesOf(before: Values, after: Values): Values {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(before[name] ?? null))
      .map(([name, value]) => [name, value === '' ? null : value]),
  );
}
