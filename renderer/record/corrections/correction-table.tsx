import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import { IconCheck, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { useHasRole } from '../../api/may.ts';
import { useSession } from '../../api/session.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { RecordLink } from '../../ui/links.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { TypedText } from '../field-value.tsx';
import { type Correction, subjectOf } from './correction.ts';
import { BeforeAfter, InShort, useCorrectionWords } from './correction-words.tsx';

export interface CorrectionTableProps {
  label: string;
  corrections: readonly Correction[];
  /** Of several records: whose values they are, and the lots that they hold. */
  showsSubject?: boolean;
}

const own = ['value', 'before', 'after', 'who', 'why', 'state'] as const;
const ofMany = ['record', ...own, 'lots'] as const;

/** What stood before values were replaced, who did it and why; quality accepts here what waits for it. */
export function CorrectionTable({ label, corrections, showsSubject = false }: CorrectionTableProps) {
  const { t } = useTranslation('corrections');
  const [accepting, setAccepting] = useState<Correction | null>(null);
  const titleOf = useTitles(
    corrections.flatMap(({ subject, lots }) => [
      ...(showsSubject ? [subject ?? '', ...lots.map(lot => `inventory:${lot}`)] : []),
    ]),
  );
  return (
    <Stack gap="sm">
      {accepting && (
        <Accept
          key={accepting.id}
          correction={accepting}
          record={showsSubject ? titleOf(...subjectNamed(accepting)) : undefined}
          onClose={() => setAccepting(null)}
        />
      )}
      <TitledTable
        minWidth={showsSubject ? 960 : 760}
        withTableBorder
        verticalSpacing="sm"
        aria-label={label}
        columns={(showsSubject ? ofMany : own).map(column => t(column))}
      >
        {corrections.map(correction => (
          <Row
            key={correction.id}
            correction={correction}
            showsSubject={showsSubject}
            titleOf={titleOf}
            onAccept={() => setAccepting(correction)}
          />
        ))}
      </TitledTable>
    </Stack>
  );
}

interface RowProps {
  correction: Correction;
  showsSubject: boolean;
  titleOf: (family: string, id: unknown) => string | undefined;
  onAccept: () => void;
}

function Row({ correction, showsSubject, titleOf, onAccept }: RowProps) {
  const { t } = useTranslation('corrections');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const { label } = useCorrectionWords(correction);
  const subject = subjectOf(correction);
  const { author, at, reason, lots } = correction;
  return (
    <Table.Tr>
      {showsSubject && (
        <Table.Td>
          {subject ? (
            <RecordLink family={subject.family.name} id={subject.id}>
              {titleOf(subject.family.name, subject.id) ?? `${texts.title(subject.family)} ${subject.id}`}
            </RecordLink>
          ) : (
            correction.subject
          )}
        </Table.Td>
      )}
      <Table.Th scope="row">
        <TypedText text={label} />
      </Table.Th>
      <Table.Td>
        <BeforeAfter correction={correction} part="before" />
      </Table.Td>
      <Table.Td>
        <BeforeAfter correction={correction} part="after" />
      </Table.Td>
      <Table.Td>
        <TypedText text={author ?? ''} />
        <br />
        <span className="date">{formats.moment(at)}</span>
      </Table.Td>
      <Table.Td className="typed">{reason ?? t('why.none')}</Table.Td>
      <Table.Td>
        <State correction={correction} onAccept={onAccept} />
      </Table.Td>
      {showsSubject && (
        <Table.Td>
          {lots.map(lot => (
            <RecordLink key={lot} family="inventory" id={lot} display="block">
              {titleOf('inventory', lot) ?? String(lot)}
            </RecordLink>
          ))}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function State({ correction, onAccept }: Pick<RowProps, 'correction' | 'onAccept'>) {
  const { t } = useTranslation('corrections');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const { session } = useSession();
  const isQuality = useHasRole('quality');
  const { label } = useCorrectionWords(correction);
  const { status, author_id: author, acceptor, accepted_at: at, acceptance_reason: reason } = correction;
  if (status === 'recorded') return <>{texts.choice(status)}</>;
  if (status === 'accepted')
    return (
      <>
        <Badge color="green.9" size="lg" leftSection={<IconCheck size={16} aria-hidden />}>
          {texts.choice(status)}
        </Badge>
        <Text size="sm" className="typed">
          {t('accepted', { name: acceptor, at: formats.moment(at), reason })}
        </Text>
      </>
    );
  return (
    <>
      <Badge color="red" size="lg" leftSection={<IconClock size={16} aria-hidden />}>
        {texts.choice(status ?? '')}
      </Badge>
      {!isQuality && <Text size="sm">{t('waiting.for')}</Text>}
      {isQuality && author === session?.user?.id && <Text size="sm">{t('accept.another')}</Text>}
      {isQuality && author !== session?.user?.id && (
        <Button mt="xs" aria-label={t('accept.of', { what: label })} onClick={onAccept}>
          {t('accept')}
        </Button>
      )}
    </>
  );
}

function subjectNamed(correction: Correction): [family: string, id: unknown] {
  const subject = subjectOf(correction);
  return [subject?.family.name ?? '', subject?.id];
}

interface AcceptProps {
  correction: Correction;
  /** What its record is called, where that does not stand on the page. */
  record: string | undefined;
  onClose: () => void;
}

/** What is accepted stands in the form: whoever signs sees what. */
function Accept({ correction, record, onClose }: AcceptProps) {
  const { t } = useTranslation('corrections');
  const { label } = useCorrectionWords(correction);
  const { mutateAsync } = useWrite('x.corrections.accept');
  return (
    <ReasonForm
      title={t('accept.of', { what: label })}
      description={t('accept.hint')}
      kind="acceptance"
      onClose={onClose}
      signs={changeOf(families.correction, { ...correction }, { status: 'accepted' })}
      onSubmit={(reason, signature) =>
        mutateAsync({ params: { id: correction.id }, body: { reason, ...signature } })
      }
    >
      {() => (
        <Text className="typed" style={{ gridColumn: '1 / -1' }}>
          {record && `${record} · `}
          <InShort correction={correction} /> · {correction.reason ?? t('why.none')}
        </Text>
      )}
    </ReasonForm>
  );
}
