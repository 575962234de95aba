import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { isSigned } from '../../shared/contract/signed.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { canBeSigned } from '../../shared/families/signature-acts.ts';
import { useCall, useWriteOf } from '../api/calls.ts';
import { useHasRole } from '../api/may.ts';
import { operationOf } from '../api/operations.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { proposalText } from '../i18n/proposal-text.ts';
import { Failure } from '../ui/failure.tsx';
import { MissingPage } from '../ui/missing-page.tsx';
import { recordPath } from '../ui/record-path.ts';
import { useSigner } from '../ui/signing/signing.tsx';
import { useDraft } from './draft.ts';
import type { Values } from './form-values.ts';
import { RecordForm } from './record-form.tsx';
import { signedChange, signingExtra } from './signing-extra.tsx';

/**
 * A new record of any family. Parameters of the address fill fields in: `?part_id=12`; `?from=inspection:5` takes what
 * that record proposes.
 */
export function Component() {
  const family = familyOf(useParams().family ?? '');
  return family && operationOf(family, 'create') ? (
    <Create key={family.name} family={family} />
  ) : (
    <MissingPage />
  );
}

function Create({ family }: { family: Family }) {
  const { t, i18n } = useTranslation('record');
  const texts = useFamilyTexts();
  const { from, pick, ...rest }: Record<string, string | undefined> = Object.fromEntries(
    useSearchParams()[0],
  );
  const given = Object.fromEntries(Object.entries(rest).filter(([name]) => family.fields[name]?.writable));
  const [source = '', sourceId = ''] = from?.split(':') ?? [];
  const proposal = useCall(
    'x.proposals.list',
    { params: { family: source, id: sourceId } },
    { isEnabled: from !== undefined },
  );
  const isReady = from === undefined || proposal.data !== undefined || proposal.error !== null;
  const proposed: Values = { ...proposal.data?.data[Number(pick ?? 0)] };
  if (typeof proposed.description === 'string')
    proposed.description = proposalText(proposed.description, i18n.language);
  return (
    <Stack>
      <Title order={1}>{t('create', { family: texts.title(family) })}</Title>
      <Failure error={proposal.error} onRetry={() => void proposal.refetch()} />
      {isReady ? (
        <CreateForm family={family} initial={{ ...fallbacks(family), ...proposed, ...given }} origin={from} />
      ) : (
        <Text role="status">{t('app:reading')}</Text>
      )}
    </Stack>
  );
}

function CreateForm(props: { family: Family; initial: Values; origin: string | undefined }) {
  const { family, initial, origin } = props;
  const { t } = useTranslation('record');
  const navigate = useNavigate();
  const signer = useSigner(canBeSigned(family));
  // The server refuses a decision of who may only report.
  const isQuality = useHasRole('quality');
  const isReporter = isSigned(family) && !isQuality;
  const { mutateAsync } = useWriteOf<Values>({ id: operationOf(family, 'create')?.id ?? '' });
  const draft = useDraft<Values>(
    origin === undefined ? `new ${family.name}` : `new ${family.name} from ${origin}`,
  );
  return (
    <>
      {isReporter && <Text>{t('decided.by-quality')}</Text>}
      <RecordForm
        family={family}
        mode="create"
        initial={initial}
        draft={draft}
        hidden={isReporter ? [...LATER, ...DECISIONS] : LATER}
        onCancel={() => void navigate(-1)}
        onSave={async typed => {
          const reason = typeof typed.reason === 'string' ? typed.reason : '';
          const signing = signer.of(signedChange(family, undefined, typed));
          const body = { ...typed, ...signing.bodyOf(reason) };
          const { data, meta } = await mutateAsync({ body });
          await draft.discard().catch(() => {});
          await navigate(recordPath(family.name, String(data.id ?? meta.id)), { replace: true });
        }}
        extra={signingExtra(signer, values => signedChange(family, undefined, values))}
      />
    </>
  );
}

/** What is so of a report only once there is one: notes that nobody has read, actions that are not done. */
const LATER = ['has_unread_notes', 'has_incomplete_action_items'];

/** What a report is decided by; who reports leaves them to quality. */
const DECISIONS = ['status', 'disposition', 'disposition_quantity', 'disposition_location_id'];

function fallbacks(family: Family): Values {
  return Object.fromEntries(
    Object.entries(family.fields).flatMap(([name, field]) =>
      field.writable && field.fallback !== undefined ? [[name, field.fallback]] : [],
    ),
  );
}
