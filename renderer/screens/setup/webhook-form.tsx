import { MultiSelect, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { families } from '../../../shared/families/registry.ts';
import {
  CHANGE_KINDS,
  WEBHOOK_ALGORITHMS,
  type Webhook,
  type WebhookWithSecret,
} from '../../../shared/operations/webhook-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { ActionForm } from '../../ui/action-form.tsx';

export interface WebhookFormProps {
  /** The one that is changed; absent: a new one. */
  webhook?: Webhook;
  onClose: () => void;
  onMade?: (webhook: WebhookWithSecret) => void;
}

/** Who is told, and of what. */
export function WebhookForm({ webhook, onClose, onMade }: WebhookFormProps) {
  const { t } = useTranslation('setup');
  const texts = useFamilyTexts();
  const create = useWrite('x.webhooks.create');
  const update = useWrite('x.webhooks.update');
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState<string[]>(webhook?.families ?? []);
  const [kinds, setKinds] = useState<NonNullable<Webhook['kinds']>>(webhook?.kinds ?? []);
  const [algorithm, setAlgorithm] = useState<'hmac' | 'ed25519'>('hmac');
  return (
    <ActionForm
      title={webhook ? t('hook.edit.named', { name: webhook.name }) : t('hook.new')}
      submit={t(webhook ? 'hook.save' : 'hook.create')}
      onClose={onClose}
      onSubmit={async () => {
        const body = { name, url, families: chosen, kinds };
        if (webhook) {
          await update.mutateAsync({ params: { id: webhook.id }, body });
          return;
        }
        const { data } = await create.mutateAsync({ body: { ...body, algorithm } });
        onMade?.(data);
      }}
    >
      {errors => (
        <>
          <TextInput
            label={t('hook.name')}
            description={t('hook.name.hint')}
            required
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            error={errors('name')}
            autoComplete="off"
          />
          <TextInput
            label={t('hook.url')}
            description={t('hook.url.hint')}
            required
            type="url"
            value={url}
            onChange={event => setUrl(event.currentTarget.value)}
            error={errors('url')}
            autoComplete="off"
          />
          <MultiSelect
            label={t('hook.families')}
            description={t('hook.families.hint')}
            data={Object.values<Family>(families).map(each => ({
              value: each.name,
              label: texts.plural(each),
            }))}
            value={chosen}
            onChange={setChosen}
            error={errors('families')}
            searchable
            nothingFoundMessage={t('hook.families.none')}
          />
          <MultiSelect
            label={t('hook.kinds')}
            description={t('hook.kinds.hint')}
            data={CHANGE_KINDS.map(kind => ({ value: kind, label: t(`hook.kind.${kind}`) }))}
            value={kinds}
            onChange={setKinds}
            error={errors('kinds')}
          />
          {!webhook && (
            <Radio.Group
              label={t('hook.algorithm')}
              value={algorithm}
              onChange={setAlgorithm}
              error={errors('algorithm')}
            >
              {WEBHOOK_ALGORITHMS.map(each => (
                <Radio key={each} value={each} label={t(`hook.algorithm.${each}`)} />
              ))}
            </Radio.Group>
          )}
        </>
      )}
    </ActionForm>
  );
}
