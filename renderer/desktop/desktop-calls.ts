import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DesktopBridge, LabelInput, LabelJob } from '../../shared/contract/desktop-bridge.ts';
import { bridge } from './bridge.ts';

const JOBS = ['desktop.jobs'];
const REPORT = ['desktop.updates'];
/** The bridge answers and tells nothing of itself, so it is asked: often while something is under way. */
const SOON_MS = 1_000;
const LATER_MS = 10_000;

/** On its way to a printer, without a person. */
export function isUnderWay({ state }: LabelJob): boolean {
  return state === 'queued' || state === 'handed_over';
}

/** Labels that are not printed yet; none in a browser. */
export function useLabelJobs() {
  const desktop = bridge();
  return useQuery({
    queryKey: JOBS,
    queryFn: () => desktop?.labels.jobs() ?? [],
    enabled: desktop !== undefined,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? SOON_MS : LATER_MS),
  });
}

/** Hands a label to the queue of the desktop app. */
export function useAddLabel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: LabelInput) => inDesktop().labels.print(input),
    onSuccess: () => queries.invalidateQueries({ queryKey: JOBS }),
  });
}

/** What becomes of a label that failed, or that may have been printed. */
export function useDecision() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: Parameters<DesktopBridge['labels']['decide']>[0]) =>
      inDesktop().labels.decide(decision),
    onSuccess: jobs => queries.setQueryData(JOBS, jobs),
  });
}

export function usePrinters() {
  const desktop = bridge();
  return useQuery({
    queryKey: ['desktop.printers'],
    queryFn: () => desktop?.labels.printers() ?? [],
    enabled: desktop !== undefined,
    // Printers come and go.
    staleTime: 0,
  });
}

/** Where the policy of the machine sends labels; null: where its people choose. */
export function usePresetPrinter() {
  const desktop = bridge();
  return useQuery({
    queryKey: ['desktop.preset-printer'],
    queryFn: () => desktop?.labels.preset() ?? null,
    enabled: desktop !== undefined,
  });
}

export function useVersion() {
  const desktop = bridge();
  return useQuery({
    queryKey: ['desktop.version'],
    queryFn: () => desktop?.app.version() ?? '',
    enabled: desktop !== undefined,
  });
}

export function useIsKiosk() {
  const desktop = bridge();
  return useQuery({
    queryKey: ['desktop.kiosk'],
    queryFn: () => desktop?.kiosk.isOn() ?? false,
    enabled: desktop !== undefined,
  });
}

/** Where a kiosk's documents go; null where there is no kiosk. */
export function useKioskPrinter() {
  const desktop = bridge();
  return useQuery({
    queryKey: ['desktop.kiosk-printer'],
    queryFn: async () =>
      (await desktop?.kiosk.isOn()) ? { printer: (await desktop?.kiosk.printer()) ?? null } : null,
    enabled: desktop !== undefined,
  });
}

export function useLeaveKiosk() {
  return useMutation({ mutationFn: (pin: string) => inDesktop().kiosk.leave({ pin }) });
}

export function useUpdates() {
  const desktop = bridge();
  return useQuery({
    queryKey: REPORT,
    queryFn: () => desktop?.updates.report() ?? null,
    enabled: desktop !== undefined,
    refetchInterval: ({ state }) =>
      /looking|arriving/.test(state.data?.state.kind ?? '') ? SOON_MS : LATER_MS,
  });
}

export function useLookForUpdates() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => inDesktop().updates.look(),
    onSuccess: report => queries.setQueryData(REPORT, report),
  });
}

function inDesktop(): DesktopBridge {
  const desktop = bridge();
  if (!desktop) throw new TypeError('Only the desktop app can do this.');
  return desktop;
}
