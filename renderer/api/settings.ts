import type { z } from 'zod';
import type { settingsSchema } from '../../shared/operations/extension-schemas.ts';
import { useCall } from './calls.ts';

export type Settings = z.infer<typeof settingsSchema>;

/**
 * What the site has settled: what is signed, what a dock may see. The frame reads it before it shows a screen, and keeps
 * it: a form that learned of a signature only after the first keys would take them for something else.
 */
export function useSettings(isEnabled = true) {
  return useCall('x.settings.read', {}, { isEnabled });
}
