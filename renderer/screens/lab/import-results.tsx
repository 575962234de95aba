import {
  Button,
  Checkbox,
  Fieldset,
  FileButton,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { IconFileImport, IconFileUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import type { LabImport, LabImportRequest } from '../../../shared/operations/lab-import.ts';
import { useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { useWholeRecord } from '../../record/whole-record.ts';
import { Failure } from '../../ui/failure.tsx';
import { fileGone } from '../../ui/file-gone.ts';
import { useFirstFocus } from '../../ui/first-focus.ts';
import { ReasonInput } from '../../ui/reason/reason-input.tsx';
import { changeOf, SigningField, useSigner } from '../../ui/signing/signing.tsx';
import { characteristicsOf } from '../inspection/grid-model.ts';
import { columnFields, columnsOf, guessMeanings, MEASURES, mappingOf, readHead } from './csv-head.ts';
import { ImportRows, isTaken } from './import-rows.tsx';
import { type KnownColumns, keepColumns, knownColumns } from './known-columns.ts';

interface Table {
  name: string;
  csv: string;
  delimiter: NonNullable<LabImportRequest['delimiter']>;
  hasDecimalComma: boolean;
  /** Of days with slashes; null: nobody has said. */
  dateOrder: KnownColumns['dateOrder'];
}

const DATE_ORDERS = ['day_first', 'month_first'] as const;

/** What each row does, as far as its signature goes. */
const ENTERED = changeOf(families['lab-result'], undefined, { lab_data: '{}', batch_number: '' });

/** Lab results from an instrument's file: what is in each row is shown before anything is written. */
export function ImportResults({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('lab');
  const panel = useRef<HTMLDivElement>(null);
  const resetFile = useRef<() => void>(null);
  /** The file that was chosen last: one that is read slower than the next is chosen is nobody's any more. */
  const latest = useRef<File>(null);
  const [template, setTemplate] = useState<number | null>(null);
  /** Null while it is read: what is shown and can be pressed would be of the former one. */
  const [file, setFile] = useState<Table | null>(null);
  const [unread, setUnread] = useState<unknown>(null);
  const [changed, setChanged] = useState<Record<string, string>>({});
  const [skipsBad, setSkipsBad] = useState(false);
  const [done, setDone] = useState<LabImport | null>(null);
  const write = useWrite('x.lab-results.import');
  useFirstFocus(panel);
  const specification = useWholeRecord('specification', template ?? 0, { isEnabled: template !== null });
  const measurements = characteristicsOf(specification.data?.data.fields).map(({ name }) => name);
  const columns = file ? columnsOf(file.csv, file.delimiter) : [];
  const known = template === null ? null : knownColumns(localStorage, template, columns);
  const said = { ...known?.meanings, ...changed };
  const dateOrder = file?.dateOrder ?? known?.dateOrder ?? null;
  const meanings = meaningsOf(guessMeanings(columns, measurements), said);
  const request: LabImportRequest | null =
    file && template !== null && measurements.length > 0
      ? {
          csv: file.csv,
          template_id: template,
          delimiter: file.delimiter,
          has_decimal_comma: file.hasDecimalComma,
          ...(dateOrder && { date_order: dateOrder }),
          skip_bad: skipsBad,
          ...mappingOf(meanings),
        }
      : null;
  const { preview, failure } = usePreview(done ? null : request);
  const [reason, setReason] = useState('');
  const errors = useFieldErrors(write.error);
  // The rows say what is signed.
  const signing = { ...useSigner().of(preview ? ENTERED : null), change: null };

  const read = async (chosen: File) => {
    latest.current = chosen;
    // A file that was put right has the same name, and is to be chosen again.
    resetFile.current?.();
    setFile(null);
    setUnread(null);
    setChanged({});
    setDone(null);
    write.reset();
    try {
      const csv = await chosen.text();
      if (latest.current !== chosen) return;
      const { delimiter, hasDecimalComma } = readHead(csv);
      setFile({ name: chosen.name, csv, delimiter, hasDecimalComma, dateOrder: null });
    } catch (error) {
      const gone = await fileGone(chosen);
      if (latest.current === chosen) setUnread(gone ?? error);
    }
  };
  const answer = done ?? preview;
  const { rows = [], bad = 0 } = preview ?? {};
  const taken = rows.filter(isTaken).length;

  return (
    <Fieldset legend={t('import')} onKeyDown={event => event.key === 'Escape' && onClose()}>
      <Stack ref={panel}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ReferenceInput
            family="specification"
            label={t('template')}
            value={template}
            onChange={setTemplate}
            required
            isAutoFocused
          />
          <Group align="end">
            <FileButton
              resetRef={resetFile}
              accept=".csv,.txt,.tsv,text/csv"
              disabled={write.isPending}
              onChange={chosen => chosen && void read(chosen)}
            >
              {props => (
                <Button {...props} variant="default" leftSection={<IconFileUpload aria-hidden />}>
                  {t('file.choose')}
                </Button>
              )}
            </FileButton>
            <Text className="typed">{file?.name ?? t('file.none')}</Text>
          </Group>
        </SimpleGrid>
        {file && (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            <Select
              label={t('delimiter')}
              data={([',', ';', '\t'] as const).map(value => ({ value, label: t(`delimiter.${value}`) }))}
              value={file.delimiter}
              allowDeselect={false}
              onChange={next => next && setFile({ ...file, delimiter: next as Table['delimiter'] })}
            />
            <Checkbox
              label={t('decimal-comma')}
              checked={file.hasDecimalComma}
              onChange={event => setFile({ ...file, hasDecimalComma: event.currentTarget.checked })}
            />
            <Select
              label={t('date-order')}
              placeholder={t('date-order.none')}
              data={DATE_ORDERS.map(value => ({ value, label: t(`date-order.${value}`) }))}
              value={dateOrder}
              onChange={next => setFile({ ...file, dateOrder: next as Table['dateOrder'] })}
            />
            <Checkbox
              label={t('skip-bad')}
              checked={skipsBad}
              onChange={event => setSkipsBad(event.currentTarget.checked)}
            />
          </SimpleGrid>
        )}
        {file && template !== null && (
          <Fieldset legend={t('columns')}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
              {columns.map(column => (
                <Select
                  key={column}
                  label={column}
                  placeholder={t('column.unused')}
                  clearable
                  clearButtonProps={{ 'aria-label': t('column.unused') }}
                  data={[
                    ...columnFields.map(value => ({ value: value as string, label: t(`column.${value}`) })),
                    ...measurements.map(name => ({ value: MEASURES + name, label: name })),
                  ]}
                  value={meanings[column] ?? null}
                  onChange={next => {
                    setDone(null);
                    setChanged({ ...changed, [column]: next ?? '' });
                  }}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        )}
        {answer && <ImportRows answer={answer} />}
        {!done && signing.needsReason && (
          <ReasonInput
            kind="own"
            value={reason}
            onChange={setReason}
            error={errors('esignature_reason')}
            isDue
          />
        )}
        {!done && <SigningField signing={signing} error={errors('esignature_password')} />}
        <Failure error={write.error ?? unread ?? failure} />
        <Group>
          <Button
            leftSection={<IconFileImport aria-hidden />}
            disabled={!request || taken === 0 || (bad > 0 && !skipsBad) || done !== null}
            loading={write.isPending}
            onClick={() => {
              if (!request) return;
              write.mutateAsync({ body: { ...request, ...signing.bodyOf(reason.trim()) } }).then(
                ({ data }) => {
                  signing.setPassword('');
                  if (template !== null)
                    keepColumns(localStorage, template, columns, { meanings: said, dateOrder });
                  setDone(data);
                },
                () => {
                  // Shown from the mutation's state.
                },
              );
            }}
          >
            {t('import.do', { count: taken })}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t(done ? 'done' : 'app:cancel')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** A person's word stands before the guess; an empty one says that the column is not used. */
function meaningsOf(guess: Record<string, string>, changed: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...guess, ...changed }).filter(([, meaning]) => meaning !== ''));
}

interface Preview {
  preview: LabImport | null;
  failure: unknown;
}

/** What the station would do with the file, asked anew with every change. Writes nothing. */
function usePreview(request: LabImportRequest | null): Preview {
  const [answer, setAnswer] = useState<Preview & { asked: string | null }>();
  const asked = request && JSON.stringify(request);
  useEffect(() => {
    if (asked === null) return;
    const controller = new AbortController();
    const body = { ...(JSON.parse(asked) as LabImportRequest), dry_run: true };
    client.call('x.lab-results.import', { body, signal: controller.signal }).then(
      ({ data }) => setAnswer({ asked, preview: data, failure: null }),
      (failure: unknown) => {
        if (!controller.signal.aborted) setAnswer({ asked, preview: null, failure });
      },
    );
    return () => {
      controller.abort();
      setAnswer(undefined);
    };
  }, [asked]);
  // Until the effect has run, the answer is still that to the former question.
  return answer?.asked === asked ? answer : { preview: null, failure: null };
}
