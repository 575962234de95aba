import { z } from 'zod';
import {
  type DesktopPrinter,
  type KioskAnswer,
  kioskPinSchema,
  labelDecisionSchema,
  labelInputSchema,
  type UpdateReport,
} from '../shared/contract/desktop-bridge.ts';
import type { PolicyPrinter } from '../shared/contract/label-printers.ts';
import { type BridgeChannel, bridgeChannels as channels } from './bridge-channels.ts';
import type { LabelQueue } from './label-queue.ts';
import { isOwnSender } from './window-policy.ts';

export interface BridgeOptions {
  version: string;
  openLogs: () => void;
  printers: () => Promise<DesktopPrinter[]>;
  preset: () => PolicyPrinter | null;
  labels: LabelQueue;
  kiosk: {
    isOn: () => boolean;
    leave: (pin: string) => Promise<KioskAnswer>;
    printer: () => string | null;
  };
  updates: { report(): UpdateReport; look(): Promise<unknown> };
}

/** Of an `IpcMainInvokeEvent`. */
interface Sender {
  senderFrame: { url: string; parent: unknown } | null;
}

export type BridgeHandler = (event: Sender, ...args: unknown[]) => Promise<unknown>;

/** A handler for each channel; it hears only pages of this app, and takes only what its schema describes. */
export function bridgeHandlers(options: BridgeOptions): Record<BridgeChannel, BridgeHandler> {
  const { version, openLogs, printers, preset, labels, kiosk, updates } = options;
  return {
    [channels.version]: asked(z.undefined(), () => version),
    [channels.openLogs]: asked(z.undefined(), openLogs),
    [channels.printers]: asked(z.undefined(), printers),
    [channels.preset]: asked(z.undefined(), preset),
    [channels.print]: asked(labelInputSchema, input => labels.add(input)),
    [channels.jobs]: asked(z.undefined(), () => labels.jobs()),
    [channels.decide]: asked(labelDecisionSchema, ({ id, decision }) => labels.decide(id, decision)),
    [channels.isKiosk]: asked(z.undefined(), kiosk.isOn),
    [channels.leaveKiosk]: asked(kioskPinSchema, ({ pin }) => kiosk.leave(pin)),
    [channels.kioskPrinter]: asked(z.undefined(), kiosk.printer),
    [channels.updateReport]: asked(z.undefined(), () => updates.report()),
    [channels.lookForUpdates]: asked(z.undefined(), async () => {
      await updates.look();
      return updates.report();
    }),
  };
}

function asked<Input>(schema: z.ZodType<Input>, handle: (input: Input) => unknown): BridgeHandler {
  return async ({ senderFrame }, ...args) => {
    if (!isOwnSender(senderFrame)) throw new Error('Only pages of this app may ask this.');
    const [input, ...more] = args;
    const parsed = schema.safeParse(input);
    if (!parsed.success || more.length > 0) {
      const [issue] = parsed.error?.issues ?? [];
      throw new Error(
        `This was not understood: ${issue ? `${issue.path.join('.')}: ${issue.message}` : 'too much'}`,
      );
    }
    return handle(parsed.data);
  };
}
