import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/contract/define-family.ts';
import { AppError, type FieldErrors } from '../../shared/contract/errors.ts';
import { parseInput, readInput } from '../../shared/contract/parse-input.ts';
import { isDecided } from '../../shared/contract/signed.ts';
import { pathsInNeed, useJudge, useLackedRole } from '../api/may.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { useServerMessage } from '../i18n/use-server-message.ts';
import { Failure } from '../ui/failure.tsx';
import { useFirstFocus } from '../ui/first-focus.ts';
import { ReasonInput, useRememberReason } from '../ui/reason/reason-input.tsx';
import { reasonKindOf } from '../ui/reason/reasons.ts';
import { goToSignature } from '../ui/signing/go-to-signature.ts';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { ClosedField } from './closed-field.tsx';
import type { Draft } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import {
  changedValues,
  changesOf,
  errorsInForm,
  isRequired,
  unitOf,
  type Values,
  withChanges,
  withoutEmpty,
} from './form-values.ts';
import { ItemsInput, writableOf } from './items-input.tsx';

export interface RecordFormProps {
  family: Family;
  mode: 'create' | 'patch';
  /** The values before any typing; collections as lists. */
  initial: Values;
  draft: Draft<Values>;
  /** Only what was changed, as the body of the write. Errors that it throws are shown at their fields. */
  onSave: (body: Values) => Promise<void>;
  onCancel: () => void;
  /** Fields that this user does not fill in; what a draft or an address says of them is not sent. */
  hidden?: readonly string[];
  /** Further controls before the buttons, and the names that they take errors of. */
  extra?: {
    names: readonly string[];
    show: (errors: FieldErrors, values: Values) => ReactNode;
    /** Whether they ask for the reason, also of a new record. */
    needsReason?: (values: Values) => boolean;
  };
}

/**
 * The form of any family, by its contract: every field that can be written, items as lists, checked as the server will
 * check them. Enter and Ctrl+S save. What is typed is kept as a draft until it is saved or thrown away.
 */
export function RecordForm(props: RecordFormProps) {
  const { family, mode, initial, draft, onSave, onCancel, hidden = [], extra } = props;
  const { t } = useTranslation('record');
  const { t: tReason } = useTranslation('reason');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const say = useServerMessage();
  const judge = useJudge();
  const lackedRole = useLackedRole();
  const remember = useRememberReason();
  const isNew = mode === 'create';
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
    const { found } = draft;
    setValues(before => withChanges(family, before, found));
    setIsFromDraft(true);
  }, [draft.found, family, draft]);

  const change = (name: string, value: unknown) => {
    hasTyped.current = true;
    const next = { ...values, [name]: value };
    setValues(next);
    setErrors(rest =>
      Object.fromEntries(
        Object.entries(rest).filter(([path]) => path !== name && !path.startsWith(`${name}.`)),
      ),
    );
    draft.keep(changesOf(family, initial, next));
  };

  const showErrors = (found: FieldErrors) => {
    const placed = errorsInForm(family, values, body, found);
    setErrors(
      Object.fromEntries(Object.entries(placed).map(([path, messages]) => [path, messages.map(say)])),
    );
    seeksError.current = true;
  };
  const seeksError = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits until the errors stand at their fields.
  useLayoutEffect(() => {
    if (!seeksError.current) return;
    seeksError.current = false;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  const writable = Object.entries(family.fields)
    .filter(([name, field]) => field.writable && !hidden.includes(name))
    .map(([name, field]) => {
      const role = lackedRole(family, name, isNew ? null : initial[name], isNew);
      return { name, field, role };
    });
  const closed = writable.filter(({ role }) => role !== null).map(({ name }) => name);
  const typed = isNew ? withoutEmpty(values) : changesOf(family, initial, values);
  const body = Object.fromEntries(
    Object.entries(typed).filter(([name]) => !hidden.includes(name) && !closed.includes(name)),
  );
  const options = { mode, passes: [...family.operations.passes, 'reason', 'id'] };
  const isReasonWanted = isDecided(family, values) || extra?.needsReason?.(values) === true;
  const asksReason = family.fields.reason === undefined && (mode === 'patch' || isReasonWanted);
  const reason = typeof values.reason === 'string' ? values.reason : '';
  const changes = changedValues(isNew ? {} : initial, readInput(family, body, options, {}));
  const inNeed = asksReason ? pathsInNeed(judge(family, changes, isNew)) : [];
  const isReasonDue = inNeed.length > 0 || (asksReason && extra?.needsReason?.(values) === true);

  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isSaving) return;
    setFailure(null);
    setErrors({});
    try {
      parseInput(family, body, options);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return showErrors(error.errors ?? {});
    }
    if (isReasonDue && reason.trim() === '') {
      setErrors({ reason: [tReason(inNeed.length > 0 ? 'due' : 'say')] });
      seeksError.current = true;
      return;
    }
    if (goToSignature(form.current)) return;
    setIsSaving(true);
    try {
      await onSave(body);
      remember(reasonKindOf(inNeed), reason);
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

  const shown = new Set([
    ...writable.map(({ name }) => name),
    ...(asksReason ? ['reason'] : []),
    ...(extra?.names ?? []),
    ...itemPaths(family, values),
  ]);
  const first = writable.find(({ role }) => role === null)?.name;
  // Errors that no control shows are said below; they are in the reader's language already.
  const elsewhere = Object.entries(errors).filter(([path]) => !shown.has(path));
  const isPlain = failure !== null && !(failure instanceof AppError && failure.errors);
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
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} className="form-grid">
          {writable.map(({ name, field, role }) =>
            role === null ? (
              <FieldInput
                key={name}
                field={field}
                value={values[name]}
                onChange={value => change(name, value)}
                error={errors[name]?.join(' ')}
                isRequired={isRequired(field)}
                isAutoFocused={name === first}
                unit={unitOf(name, values)}
                entityFamily={typeof values.entity_type === 'string' ? values.entity_type : 'part'}
              />
            ) : (
              <ClosedField key={name} field={field} value={initial[name]} record={initial} role={role} />
            ),
          )}
        </SimpleGrid>
        {Object.entries(family.collections).map(([name, collection]) => (
          <ItemsInput
            key={name}
            path={name}
            collection={collection}
            items={(values[name] as Values[] | undefined) ?? []}
            onChange={items => change(name, items)}
            errors={errors}
            lackedRole={(field, item) =>
              lackedRole(family, `${name}.${item?.id ?? 0}.${field}`, item?.[field])
            }
            before={(initial[name] as Values[] | undefined) ?? []}
          />
        ))}
        {asksReason && (
          <ReasonInput
            kind={isReasonDue && inNeed.length === 0 ? 'own' : reasonKindOf(inNeed)}
            label={t('reason')}
            description={t('reason.hint')}
            value={reason}
            onChange={value => change('reason', value)}
            error={(errors.reason ?? errors.esignature_reason)?.join(' ')}
            isDue={isReasonDue}
          />
        )}
        {extra?.show(errors, values)}
        {elsewhere.length > 0 && (
          <Alert color="red" variant="light" role="alert" title={t('errors')}>
            {elsewhere.map(([path, messages]) => (
              <Text key={path} className="typed">
                {texts.path(path)}: {messages.join(' ')}
              </Text>
            ))}
          </Alert>
        )}
        {isPlain && <Failure error={failure} />}
        <Group className="page-end">
          <Button type="submit" loading={isSaving} rightSection={<kbd className="hint">Ctrl S</kbd>}>
            {t('app:save')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              void draft.discard();
              onCancel();
            }}
          >
            {t('app:cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Where the controls of the items stand: `items.0.quantity`. */
function itemPaths(family: Family, values: Values): string[] {
  return Object.entries(family.collections).flatMap(([name, collection]) =>
    ((values[name] as Values[] | undefined) ?? []).flatMap((_item, index) =>
      writableOf(collection).map(([field]) => `${name}.${index}.${field}`),
    ),
  );
}
