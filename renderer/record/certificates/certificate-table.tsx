import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconFileImport,
  IconPrinter,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateState } from '../../../shared/families/certificate.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { showPaper } from '../../desktop/show-paper.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { useTask } from '../../ui/use-task.ts';
import { TypedText } from '../field-value.tsx';
import type { IssuedCertificate } from './issued-certificate.ts';

/** Shown of what changed since; the record's own page has its history. */
const CHANGES = 5;

/** Issued certificates: what each is today, its paper, and for quality what withdraws it. */
export function CertificateTable({ certificates }: { certificates: readonly IssuedCertificate[] }) {
  const { t } = useTranslation('certificates');
  const [withdrawing, setWithdrawing] = useState<IssuedCertificate | null>(null);
  const titleOf = useTitles(certificates.flatMap(({ changed }) => changed.slice(0, CHANGES)));
  return (
    <Stack gap="sm">
      {withdrawing && (
        <Withdraw key={withdrawing.id} certificate={withdrawing} onClose={() => setWithdrawing(null)} />
      )}
      <TitledTable
        minWidth={760}
        withTableBorder
        verticalSpacing="sm"
        aria-label={t('title')}
        columns={[t('number'), t('issued'), t('state'), t('actions')]}
      >
        {certificates.map(certificate => (
          <Row
            key={certificate.id}
            certificate={certificate}
            titleOf={titleOf}
            onWithdraw={() => setWithdrawing(certificate)}
          />
        ))}
      </TitledTable>
    </Stack>
  );
}

interface RowProps {
  certificate: IssuedCertificate;
  titleOf: (family: string, id: unknown) => string | undefined;
  onWithdraw: () => void;
}

function Row({ certificate, titleOf, onWithdraw }: RowProps) {
  const { t } = useTranslation('certificates');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const may = useMay();
  const { id, issued_at: at, issuer_name: issuer, language, state } = certificate;
  const number = certificate.number ?? '';
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <RecordLink family="certificate" id={id}>
          <span className="code">{number}</span>
        </RecordLink>
      </Table.Th>
      <Table.Td>
        <TypedText text={issuer ?? ''} />
        <br />
        <span className="date">{formats.moment(at)}</span>
        <br />
        {texts.choice(language ?? '')}
      </Table.Td>
      <Table.Td>
        <State certificate={certificate} titleOf={titleOf} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <PrintButton id={id} number={number} />
          {may('x.certificates.withdraw') && state !== 'withdrawn' && (
            <Button
              variant="default"
              leftSection={<IconBan aria-hidden />}
              aria-label={t('withdraw.of', { number })}
              onClick={onWithdraw}
            >
              {t('withdraw')}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

const signs: Record<CertificateState, readonly [color: string, Sign: typeof IconBan]> = {
  valid: ['green.9', IconCircleCheck],
  changed: ['yellow.9', IconAlertTriangle],
  withdrawn: ['red', IconBan],
  imported: ['gray.7', IconFileImport],
  damaged: ['red', IconAlertOctagon],
};

function State({ certificate, titleOf }: Pick<RowProps, 'certificate' | 'titleOf'>) {
  const { t } = useTranslation('certificates');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const { state, changed, withdrawn_by: name, withdrawn_at: at, withdrawal_reason: reason } = certificate;
  const [color, Sign] = signs[state ?? 'damaged'];
  return (
    <>
      <Badge
        color={color}
        size="lg"
        leftSection={<Sign size={16} aria-hidden />}
        styles={{ root: { minWidth: 'max-content' }, label: { overflow: 'visible' } }}
      >
        {texts.choice(state ?? '')}
      </Badge>
      {at !== null && (
        <Text size="sm" className="typed">
          {t('withdrawn', { name, at: formats.moment(at), reason })}
        </Text>
      )}
      {state === 'changed' && (
        <Text size="sm" component="div">
          {t('since')}
          {changed.slice(0, CHANGES).map(key => (
            <Changed key={key} subject={key} titleOf={titleOf} />
          ))}
          {changed.length > CHANGES && t('since.more', { count: changed.length - CHANGES })}
        </Text>
      )}
    </>
  );
}

function Changed({ subject, titleOf }: { subject: string; titleOf: RowProps['titleOf'] }) {
  const texts = useFamilyTexts();
  const [name = '', id = ''] = subject.split(':');
  const family = familyOf(name);
  const kind = family ? texts.title(family) : name;
  const title = titleOf(name, Number(id));
  const text =
    title === undefined || title.startsWith(kind) ? (title ?? `${kind} ${id}`) : `${kind} ${title}`;
  return (
    <RecordLink family={name} id={Number(id)} display="block">
      {text}
    </RecordLink>
  );
}

function PrintButton({ id, number }: Pick<IssuedCertificate, 'id' | 'number'>) {
  const { t } = useTranslation('certificates');
  const { run, isBusy, failure } = useTask();
  const print = () =>
    run(async () => {
      const response = await client.stream('x.certificates.paper', { params: { id } });
      await showPaper(await response.blob());
    });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter aria-hidden />}
        loading={isBusy}
        aria-label={t('print.of', { number })}
        onClick={() => void print()}
      >
        {t('print')}
      </Button>
      <Failure error={failure} />
    </>
  );
}

function Withdraw({ certificate, onClose }: { certificate: IssuedCertificate; onClose: () => void }) {
  const { t } = useTranslation('certificates');
  const { mutateAsync } = useWrite('x.certificates.withdraw');
  const { id, number } = certificate;
  return (
    <ReasonForm
      title={t('withdraw.of', { number })}
      description={t('withdraw.hint')}
      color="red"
      onClose={onClose}
      onSubmit={reason => mutateAsync({ params: { id }, body: { reason } })}
    />
  );
}
