/** The only messages between a page and the main process. */
export const bridgeChannels = {
  version: 'holdpoint:version',
  openLogs: 'holdpoint:open-logs',
  printers: 'holdpoint:printers',
  preset: 'holdpoint:preset-printer',
  print: 'holdpoint:print',
  jobs: 'holdpoint:jobs',
  decide: 'holdpoint:decide',
  isKiosk: 'holdpoint:is-kiosk',
  leaveKiosk: 'holdpoint:leave-kiosk',
  kioskPrinter: 'holdpoint:kiosk-printer',
  updateReport: 'holdpoint:update-report',
  lookForUpdates: 'holdpoint:look-for-updates',
} as const;

export type BridgeChannel = (typeof bridgeChannels)[keyof typeof bridgeChannels];
