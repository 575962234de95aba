import { Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import type { ListedBy } from '../../../shared/operations/operation-types.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { type Settings, useSettings } from '../../api/settings.ts';
import { Failure } from '../../ui/failure.tsx';
import { ReasonInput, useRememberReason } from '../../ui/reason/reason-input.tsx';
import { goToSignature } from '../../ui/signing/go-to-signature.ts';
import { changeOf, SigningField, useSigning } from '../../ui/signing/signing.tsx';
import { AtCentral, useCentralAddress } from './at-central.tsx';
import { PolicyTable } from './policy-table.tsx';

type Company = ListedBy<'companies.list'>;

/** What holds for the whole site. */
export function SitePage() {
  const { t } = useTranslation('setup');
  const settings = useSettings();
  const companies = useCall('companies.list', { query: { per_page: 1 } });
  const error = settings.error ?? companies.error;
  return (
    <Stack>
      <Title order={1}>{t('section.site')}</Title>
      <Failure error={error} onRetry={() => void Promise.all([settings.refetch(), companies.refetch()])} />
      {!(settings.data && companies.data) && !error && <Text role="status">{t('app:reading')}</Text>}
      {settings.data && companies.data && (
        <SiteForm settings={settings.data.data} company={companies.data.data[0]} />
      )}
    </Stack>
  );
}

function SiteForm({ settings, company }: { settings: Settings; company: Company | undefined }) {
  const { t } = useTranslation('setup');
  // Only what one has changed here is sent: what another changes meanwhile stays.
  const [typed, setTyped] = useState<Partial<Settings>>({});
  const [companyName, setCompanyName] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [state, setState] = useState<'clean' | 'saving' | 'saved'>('clean');
  const update = useWrite('x.settings.update');
  const central = useCentralAddress();
  const [reason, setReason] = useState('');
  const signing = useSigning(changeOf(families.setting, settings, typed));
  const remember = useRememberReason();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  const isElsewhere = central !== null;
  const values = { ...settings, ...typed };
  const change = (name: keyof Settings, value: unknown) => {
    setTyped(before => ({ ...before, [name]: value }));
    setState('clean');
  };
  const errorOf = (name: string) =>
    failure instanceof AppError ? failure.errors?.[name]?.join(' ') : undefined;
  const text = (name: keyof Settings) => String(values[name] ?? '');

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (goToSignature(form.current)) return;
    setFailure(null);
    setState('saving');
    try {
      if (companyName !== null && company) await client.update('company', company.id, { name: companyName });
      if (Object.keys(typed).length > 0)
        await update.mutateAsync({
          body: { ...typed, ...(reason !== '' && { reason }), ...signing.bodyOf(reason) },
        });
      remember('own', reason);
      signing.setPassword('');
      setReason('');
      setTyped({});
      setCompanyName(null);
      setState('saved');
    } catch (error) {
      setFailure(error);
      setState('clean');
    }
  };

  return (
    <form ref={form} onSubmit={event => void save(event)} noValidate aria-label={t('section.site')}>
      <Stack maw="40rem">
        {company && (
          <TextInput
            label={t('site.company')}
            description={t('session:first.company.hint')}
            value={companyName ?? company.name ?? ''}
            onChange={event => {
              setCompanyName(event.currentTarget.value);
              setState('clean');
            }}
            error={errorOf('name')}
            autoComplete="organization"
          />
        )}
        {central !== null && <AtCentral address={central} section="site" text={t('central.site')} />}
        <Select
          disabled={isElsewhere}
          label={t('site.zone')}
          description={t('site.zone.hint')}
          data={zonesWith(settings.time_zone)}
          searchable
          allowDeselect={false}
          limit={200}
          nothingFoundMessage={t('app:find.nothing')}
          value={text('time_zone')}
          onChange={zone => change('time_zone', zone)}
          error={errorOf('time_zone')}
        />
        <NumberInput
          disabled={isElsewhere}
          label={t('site.expiry')}
          description={t('site.expiry.hint')}
          rightSection={t('days')}
          rightSectionWidth={70}
          hideControls
          allowDecimal={false}
          value={text('expiry_soon_days')}
          onChange={days => change('expiry_soon_days', days)}
          error={errorOf('expiry_soon_days')}
        />
        <NumberInput
          disabled={isElsewhere}
          label={t('site.idle')}
          description={t('site.idle.hint')}
          rightSection={t('minutes')}
          rightSectionWidth={90}
          hideControls
          allowDecimal={false}
          value={text('idle_lock_minutes')}
          onChange={minutes => change('idle_lock_minutes', minutes)}
          error={errorOf('idle_lock_minutes')}
        />
        <NumberInput
          disabled={isElsewhere}
          label={t('site.review')}
          description={t('site.review.hint')}
          rightSection={t('days')}
          rightSectionWidth={70}
          hideControls
          allowDecimal={false}
          value={text('audit_review_days')}
          onChange={days => change('audit_review_days', days)}
          error={errorOf('audit_review_days')}
        />
        <Switch
          disabled={isElsewhere}
          label={t('site.blind')}
          description={t('site.blind.hint')}
          checked={values.is_receiving_blind === true}
          onChange={event => change('is_receiving_blind', event.currentTarget.checked)}
        />
        <Switch
          disabled={isElsewhere}
          label={t('site.strict')}
          description={t('site.strict.hint')}
          checked={values.is_strict === true}
          onChange={event => change('is_strict', event.currentTarget.checked)}
        />
        <NumberInput
          disabled={isElsewhere}
          label={t('site.password')}
          description={t('site.password.hint')}
          rightSection={t('days')}
          rightSectionWidth={70}
          hideControls
          allowDecimal={false}
          value={text('password_max_days')}
          onChange={days => change('password_max_days', days)}
          error={errorOf('password_max_days')}
        />
        <Title order={2} size="h3">
          {t('site.signature')}
        </Title>
        <Text>{t('site.signature.text')}</Text>
        <Select
          disabled={isElsewhere}
          label={t('site.policy')}
          description={t('site.policy.hint')}
          data={[
            { value: 'none', label: t('site.policy.none') },
            { value: 'gxp', label: t('site.policy.gxp') },
          ]}
          allowDeselect={false}
          value={text('esignature_policy')}
          onChange={policy => change('esignature_policy', policy)}
          error={errorOf('esignature_policy')}
        />
      </Stack>
      <PolicyTable
        settings={values}
        isDisabled={isElsewhere}
        onChange={deviations => change('esignature_deviations', deviations)}
        error={errorOf('esignature_deviations')}
      />
      <Stack maw="40rem">
        <Switch
          disabled={isElsewhere}
          label={t('site.signature.required')}
          description={t('site.signature.required.hint')}
          checked={values.is_esignature_required === true}
          onChange={event => change('is_esignature_required', event.currentTarget.checked)}
        />
        <Switch
          disabled={isElsewhere}
          label={t('site.signature.reason')}
          description={t('site.signature.reason.hint')}
          checked={values.is_esignature_reason_required === true}
          onChange={event => change('is_esignature_reason_required', event.currentTarget.checked)}
        />
        {signing.isNeeded && (
          <ReasonInput
            kind="own"
            value={reason}
            onChange={setReason}
            error={errorOf('esignature_reason')}
            isDue
          />
        )}
        <SigningField signing={signing} error={errorOf('esignature_password')} />
        <Failure error={failure} />
      </Stack>
      <Group className="page-end" mt="md">
        <Button type="submit" loading={state === 'saving'}>
          {t('app:save')}
        </Button>
        {state === 'saved' && <Text role="status">{t('app:saved')}</Text>}
      </Group>
    </form>
  );
}

/** All time zones that this browser knows; the present one even where it does not. */
function zonesWith(present: string): string[] {
  return [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])];
}
