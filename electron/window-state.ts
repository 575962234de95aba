import type { Rectangle } from 'electron';
import { z } from 'zod';

const rectangle = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
});

/** What the app remembers of how its user has it. */
export const desktopSettingsSchema = z.object({
  window: rectangle.nullable().default(null),
  is_maximized: z.boolean().default(false),
  /** Goes on working for scales, instruments and the exchange when the window is closed. */
  keeps_running: z.boolean().default(true),
  starts_at_login: z.boolean().default(false),
});

export type DesktopSettings = z.infer<typeof desktopSettingsSchema>;

const SMALLEST = { width: 800, height: 600 };
const USUAL = { width: 1280, height: 860 };
/** Of the window's head must be seen, to take hold of it. */
const GRIP = 80;

/**
 * Where the window opens: where it was, as far as a screen still shows it; else the system chooses the place. Never
 * larger than the screen, so that what stands at its foot can be reached.
 */
export function placeWindow(
  kept: Rectangle | null,
  screens: readonly Rectangle[],
): Partial<Rectangle> & { minWidth: number; minHeight: number } {
  const minimum = { minWidth: SMALLEST.width, minHeight: SMALLEST.height };
  const screen = kept && screens.find(each => showsHead(kept, each));
  if (!kept || !screen) {
    const [first = { ...USUAL, x: 0, y: 0 }] = screens;
    return {
      ...minimum,
      width: Math.min(USUAL.width, first.width),
      height: Math.min(USUAL.height, first.height),
    };
  }
  const width = Math.max(SMALLEST.width, Math.min(kept.width, screen.width));
  const height = Math.max(SMALLEST.height, Math.min(kept.height, screen.height));
  return { ...minimum, x: kept.x, y: kept.y, width, height };
}

function showsHead({ x, y, width }: Rectangle, screen: Rectangle): boolean {
  const seen = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  return seen >= GRIP && y >= screen.y && y <= screen.y + screen.height - GRIP;
}
