import { z } from 'zod';

/** Ports on which label printers take ZPL as it is: nothing else can be reached through a label. */
export const RAW_PORTS = [9100, 9101, 9102, 9103, 6101] as const;

/** Dots per inch of label printers. */
export const labelResolutions = [203, 300] as const;
export type LabelResolution = (typeof labelResolutions)[number];

/** A name or an address in the network, without a port. */
export const rawHostSchema = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9:._-]+$/, { error: 'Give a host name or an address.' });

const NETWORK = /^socket:/i;
const SOCKET = /^socket:\/\/([^/:?#[\]]+|\[[0-9A-F:.]+\])(?::(\d+))?\/?(?:\?dpi=(\d+))?$/i;

/**
 * Where a policy sends labels: to a printer of the system by its name, or to a label printer in the network, as CUPS writes it:
 * `socket://10.2.0.17:9100`, with `?dpi=300` where it has not 203 dots per inch. Undefined: an address that cannot be used.
 */
export function readPolicyPrinter(text: string) {
  if (!NETWORK.test(text)) return { kind: 'printer', name: text } as const;
  const [, given = '', port = RAW_PORTS[0], dpi = labelResolutions[0]] = SOCKET.exec(text) ?? [];
  const host = rawHostSchema.safeParse(given.replace(/^\[(.+)\]$/, '$1')).data;
  const at = RAW_PORTS.find(each => each === Number(port));
  const resolution = labelResolutions.find(each => each === Number(dpi));
  if (host === undefined || at === undefined || resolution === undefined) return undefined;
  return { kind: 'network', host, port: at, dpi: resolution } as const;
}

export type PolicyPrinter = NonNullable<ReturnType<typeof readPolicyPrinter>>;
