import { useSettings } from '../../api/settings.ts';

/** Whether how much was ordered is kept from the dock; so it is while the settings are not here. */
export function useIsBlind(): boolean {
  return useSettings().data?.data.is_receiving_blind !== false;
}
