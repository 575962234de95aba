import type { AskCentral } from '../identity/first-here.ts';
import type { StationSync } from '../sync/station/station-sync.ts';

/** How a station asks its central about somebody; nobody answers where the store is damaged. */
export function createAskCentral(station: () => StationSync | undefined): AskCentral {
  return {
    key: async (login, password, place) => station()?.askKey(login, password, place),
    takeSecrets: async () => station()?.takeSecrets(),
    isAway: () => station()?.state()?.fault !== undefined,
  };
}
