import { useTranslation } from 'react-i18next';
import type { LabelInput, LabelJob } from '../../shared/contract/desktop-bridge.ts';
import {
  type LabelKind,
  type LabelSize,
  type LabelSymbol,
  labelSizes,
} from '../../shared/operations/paper-operations.ts';
import { client } from '../api/client.ts';
import { useLanguage } from '../i18n/use-language.ts';
import { bridge } from './bridge.ts';
import { useAddLabel } from './desktop-calls.ts';
import { printerNameOf, useLabelPrinter } from './label-printer.ts';

export interface Label {
  kind: LabelKind;
  /** One label of each. */
  ids: readonly number[];
  /** For whoever looks at the queue. */
  title: string;
  size: LabelSize;
  symbol: LabelSymbol;
}

/** The file of the labels, one of each. */
export function streamLabels(
  kind: LabelKind,
  ids: readonly number[],
  query: Record<string, string | number>,
): Promise<Response> {
  const [id = 0] = ids;
  return ids.length === 1
    ? client.stream('x.labels.read', { params: { kind, id }, query })
    : client.stream('x.labels.list', { params: { kind }, query: { ...query, ids: ids.join(',') } });
}

const LONGEST_TITLE = 200;

/**
 * Prints labels where this machine's labels go, without a window: as a PDF by a printer of the machine, as ZPL by a label
 * printer in the network. Undefined where labels are shown: in a browser, and until a printer is chosen.
 */
export function useLabelPrinting(): ((label: Label) => Promise<LabelJob>) | undefined {
  const language = useLanguage();
  const { t } = useTranslation('desktop');
  const { printer } = useLabelPrinter();
  const { mutateAsync: add } = useAddLabel();
  const name = printerNameOf(printer);
  const network = printer.to === 'network' ? printer.network : null;
  if (!bridge() || (name === undefined && network === null)) return undefined;

  const contentOf = async ({ kind, ids, size, symbol }: Label, format: Record<string, string | number>) => {
    const query = { size, symbol, language, ...format };
    const response = await streamLabels(kind, ids, query);
    return new Uint8Array(await response.arrayBuffer());
  };
  const hand = async (input: LabelInput) => {
    try {
      return await add(input);
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      throw new Error(t('sent.refused', { detail }), { cause });
    }
  };
  return async label => {
    const title = label.title.slice(0, LONGEST_TITLE);
    if (network) {
      const { host, port, dpi } = network;
      const content = await contentOf(label, { format: 'zpl', dpi });
      return hand({ kind: 'network', title, host, port, content });
    }
    const [width_mm, height_mm] = labelSizes[label.size];
    const content = await contentOf(label, { format: 'pdf' });
    return hand({
      kind: 'printer',
      title,
      printer: String(name),
      width_mm,
      height_mm,
      content,
    });
  };
}
