import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../shared/families/registry.ts';
import type { Webhook, WebhookWithSecret } from '../../../shared/operations/webhook-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { ShownOnce } from './shown-once.tsx';
import { useAttemptWords, WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** Who is told of changes on this machine, and what came of it. */
export function WebhooksPage() {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useCall('x.webhooks.list');
  const [isAdding, add] = useDisclosure(false);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  useHotkeys([['n', add.open]]);
  const webhooks = data?.data ?? [];
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('section.webhooks')}</Title>
        {!isAdding && <NewButton onClick={add.open}>{t('hook.new')}</NewButton>}
      </Group>
      <Text>{t('hook.text')}</Text>
      {isAdding && <WebhookForm onClose={add.close} onMade={setMade} />}
      {made && <Secret made={made} onClose={() => setMade(null)} />}
      <Failure error={error} onRetry={() => void refetch()} />
      {data && webhooks.length === 0 && !isAdding && <Text>{t('hook.none')}</Text>}
      {webhooks.map(webhook => (
        <One key={webhook.id} webhook={webhook} onRotated={setMade} />
      ))}
    </Stack>
  );
}

function Secret({ made, onClose }: { made: WebhookWithSecret; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { name, secret, public_keys: keys } = made;
  return (
    <ShownOnce
      title={t(secret === null ? 'hook.made.public' : 'hook.made', { name })}
      secret={secret ?? keys[0] ?? ''}
      onClose={onClose}
    >
      {t(secret === null ? 'hook.public' : 'hook.once')}
    </ShownOnce>
  );
}

function One({ webhook, onRotated }: { webhook: Webhook; onRotated: (made: WebhookWithSecret) => void }) {
  const { t } = useTranslation('setup');
  const words = useAttemptWords();
  const [isEditing, edit] = useDisclosure(false);
  const [isOpen, open] = useDisclosure(false);
  const update = useWrite('x.webhooks.update');
  const remove = useWrite('x.webhooks.remove');
  const rotate = useWrite('x.webhooks.rotate');
  const test = useWrite('x.webhooks.test');
  const { id, name, url, paused, public_keys: keys } = webhook;
  const params = { id };
  const tested = test.data?.data;
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack gap="sm">
        <Title order={2} size="h3" className="typed">
          {name}
        </Title>
        <Text className="typed">{url}</Text>
        <Scope webhook={webhook} />
        <State webhook={webhook} />
        {keys.map(key => (
          <Text key={key} component="code" className="typed">
            {key}
          </Text>
        ))}
        <Failure error={update.error ?? remove.error ?? rotate.error ?? test.error} />
        {tested && (
          <Text role="status" fw={700}>
            {t('hook.tested', { name, result: words(tested) })}
          </Text>
        )}
        <Group>
          <Button
            loading={test.isPending}
            aria-label={t('hook.test.named', { name })}
            onClick={() => test.mutate({ params, body: {} })}
          >
            {t('hook.test')}
          </Button>
          <Button
            variant="default"
            aria-expanded={isOpen}
            aria-label={t('hook.deliveries.named', { name })}
            onClick={open.toggle}
          >
            {t('hook.deliveries')}
          </Button>
          <Button variant="default" aria-label={t('hook.edit.named', { name })} onClick={edit.open}>
            {t('hook.edit')}
          </Button>
          <Button
            variant="default"
            aria-label={t(paused ? 'hook.resume.named' : 'hook.pause.named', { name })}
            onClick={() => update.mutate({ params, body: { is_paused: paused === null } })}
          >
            {t(paused ? 'hook.resume' : 'hook.pause')}
          </Button>
          <ConfirmButton
            label={t('hook.rotate')}
            named={t('hook.rotate.named', { name })}
            sure={t('hook.rotate.sure')}
            onSure={() => rotate.mutate({ params, body: {} }, { onSuccess: ({ data }) => onRotated(data) })}
          />
          <ConfirmButton
            label={t('hook.remove')}
            named={t('hook.remove.named', { name })}
            sure={t('hook.remove.sure')}
            onSure={() => remove.mutate({ params, body: {} })}
          />
        </Group>
        {isEditing && <WebhookForm webhook={webhook} onClose={edit.close} />}
        {isOpen && <WebhookDeliveries webhook={webhook} onClose={open.close} />}
      </Stack>
    </Card>
  );
}

function Scope({ webhook: { families, kinds } }: { webhook: Webhook }) {
  const { t } = useTranslation('setup');
  const texts = useFamilyTexts();
  const records = (families ?? []).map(each => {
    const family = familyOf(each);
    return family ? texts.plural(family) : each;
  });
  const what = records.length === 0 ? t('hook.all') : records.join(', ');
  return <Text>{[what, ...(kinds ?? []).map(kind => t(`hook.kind.${kind}`))].join(' – ')}</Text>;
}

function State({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { paused, failures, waiting, dead, delivered_at: at, former_secret_until: until } = webhook;
  const parts = [
    paused
      ? t(`hook.paused.${paused.cause}`, { by: paused.by })
      : t(failures > 0 ? 'hook.failing' : 'hook.sending', { count: failures }),
    ...(waiting > 0 ? [t('hook.waiting', { count: waiting })] : []),
    ...(dead > 0 ? [t('hook.dead', { count: dead })] : []),
    ...(at === null ? [] : [t('hook.arrived', { at: formats.moment(at) })]),
    ...(until === null ? [] : [t('hook.overlap', { at: formats.moment(until) })]),
  ];
  return <Text fw={paused || dead > 0 ? 700 : 400}>{parts.join(' · ')}</Text>;
}
