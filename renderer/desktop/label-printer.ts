import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';
import {
  labelResolutions,
  type PolicyPrinter,
  RAW_PORTS,
  rawHostSchema,
} from '../../shared/contract/label-printers.ts';
import { usePresetPrinter } from './desktop-calls.ts';

/** A label printer in the network, which takes ZPL as it is. */
const networkPrinterSchema = z.object({
  host: rawHostSchema,
  port: z.literal(RAW_PORTS),
  dpi: z.literal(labelResolutions),
});
export type NetworkPrinter = z.infer<typeof networkPrinterSchema>;

const PRINTER = 'printer:';
const labelPrinterSchema = z.object({
  /** `view`: shown as a PDF. `network`: the one below. `printer:` with its name: one of this machine. */
  to: z.union([z.literal(['view', 'network']), z.templateLiteral([PRINTER, z.string().min(1)])]),
  network: networkPrinterSchema.nullable(),
});
export type LabelPrinter = z.infer<typeof labelPrinterSchema>;

const NONE: LabelPrinter = { to: 'view', network: null };

/** Where this machine's labels go; chosen once, and kept with the machine, unless its policy says it. */
export function useLabelPrinter() {
  const [chosen, choose] = useLocalStorage<LabelPrinter>({
    key: 'holdpoint.label.printer',
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: labelPrinterIn,
  });
  const { data: preset } = usePresetPrinter();
  return { printer: preset ? printerOf(preset) : chosen, choose, isLocked: Boolean(preset) };
}

function printerOf(preset: PolicyPrinter): LabelPrinter {
  if (preset.kind === 'printer') return { to: toPrinter(preset.name), network: null };
  const { host, port, dpi } = preset;
  return { to: 'network', network: { host, port, dpi } };
}

/** What a machine has kept; text that says something else counts as no choice. */
export function labelPrinterIn(text: string | undefined): LabelPrinter {
  try {
    const { data } = labelPrinterSchema.safeParse(JSON.parse(text ?? 'null'));
    return data ?? NONE;
  } catch (error) {
    if (error instanceof SyntaxError) return NONE;
    throw error;
  }
}

/** The value of `to` for a printer of this machine. */
export function toPrinter(name: string): LabelPrinter['to'] {
  return `${PRINTER}${name}`;
}

/** The name of the printer of this machine that is chosen; undefined where none is. */
export function printerNameOf({ to }: LabelPrinter): string | undefined {
  return to.startsWith(PRINTER) ? to.slice(PRINTER.length) : undefined;
}

export function addressOf({ host, port }: NetworkPrinter): string {
  return `${host}:${port}`;
}
