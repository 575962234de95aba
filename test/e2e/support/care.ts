import type { Page } from 'playwright-core';

declare global {
  interface Window {
    care: {
      faintParts(within: string): string[];
      faintFocus(within: string): string[];
      smallTargets(least: number, within: string): string[];
    };
  }
}

/** Controls whose boundary, or whose knob, is told from its ground by less than 3:1, and links' text by less than 4.5:1 (WCAG 2.2, 1.4.11 and 1.4.3). */
export async function faintParts(page: Page, within = 'body'): Promise<string[]> {
  await prepare(page);
  return page.evaluate(root => window.care.faintParts(root), within);
}

/** Controls whose ring, when the keyboard's focus is on them, is missing, thin or told from its ground by less than 3:1. */
export async function faintFocus(page: Page, within = 'body'): Promise<string[]> {
  await prepare(page);
  // The ring is for whoever works by keyboard.
  await page.keyboard.press('Shift');
  return page.evaluate(root => window.care.faintFocus(root), within);
}

/** Controls that a finger misses which lands 23 px beside their middle. Links in running text are none. */
export async function smallTargets(page: Page, within = 'body'): Promise<string[]> {
  await prepare(page);
  return page.evaluate(root => window.care.smallTargets(48, root), within);
}

/** One thing changes at a time: a page in another look is drawn anew as a whole, which costs more than to judge it. */
const looks = [
  { colorScheme: 'light', contrast: 'normal' },
  { colorScheme: 'light', contrast: 'high' },
  { colorScheme: 'dark', contrast: 'high' },
  { colorScheme: 'dark', contrast: 'normal' },
] as const;

/** What `each` finds in the page as it is shown now, by day, by night and in high contrast: only looks with faults. */
export async function faultsByLook(
  page: Page,
  each: (look: (typeof looks)[number]) => Promise<Record<string, string[]>>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const look of looks) {
    const { colorScheme, contrast } = look;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(value => {
      document.documentElement.dataset.contrast = value;
    }, contrast);
    await page.waitForFunction(
      scheme => document.documentElement.dataset.mantineColorScheme === scheme,
      colorScheme,
    );
    for (const [kind, faults] of Object.entries(await each(look)))
      if (faults.length > 0) found[`${kind}, ${colorScheme}, ${contrast}`] = faults;
  }
  return found;
}

async function prepare(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'care' in window))) await page.evaluate(install);
}

/** Runs in the page. */
function install(): void {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const CONTROLS =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=option], [role=menuitem]';
  const BOX = 'input, select, textarea';

  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Colour>();
  const colourOf = (text: string): Colour => {
    const before = known.get(text);
    if (before) return before;
    if (!brush) throw new Error('No canvas.');
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = text;
    brush.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
    const colour: Colour = [red, green, blue, alpha / 255];
    known.set(text, colour);
    return colour;
  };
  const over = (top: Colour, ground: Colour): Colour => {
    const mix = (at: 0 | 1 | 2) => top[at] * top[3] + ground[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = ([red, green, blue]: Colour): number => {
    const linear = (value: number) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const contrast = (one: Colour, other: Colour): number => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  /** What is behind an element, itself included. */
  const groundOf = (element: Element | null): Colour => {
    if (!element) return [255, 255, 255, 1];
    const own = colourOf(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  };
  /** For people with eyes: what is only for screen readers, or not open, is left out. */
  const isSeen = (element: HTMLElement): boolean => {
    const { width, height, right } = element.getBoundingClientRect();
    const isDrawn = width > 1 && height > 1 && right > 0;
    return isDrawn && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const isUsable = (element: HTMLElement): boolean =>
    !element.matches(':disabled, [aria-disabled=true], [data-disabled=true]') && !element.closest('[inert]');
  const controls = (within = 'body') =>
    [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter(
      control => isUsable(control) && control.closest(within),
    );
  const nameOf = (element: Element): string => {
    const text = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    return `${element.tagName.toLowerCase()} “${(text || label || '').slice(0, 40)}” ${element.className}`;
  };

  /** What draws the boundary of a control: a switch's own input is hidden behind its track. */
  const drawnBy = (control: HTMLElement): HTMLElement | null =>
    isSeen(control)
      ? control
      : (control.parentElement?.querySelector<HTMLElement>('[class*=Switch-track]') ?? null);

  const boundaryOf = (control: HTMLElement): number | undefined => {
    const drawn = drawnBy(control);
    if (!drawn) return undefined;
    const style = getComputedStyle(drawn);
    const behind = groundOf(drawn.parentElement);
    const line = colourOf(style.borderBottomColor);
    const widths = [
      style.borderTopWidth,
      style.borderRightWidth,
      style.borderBottomWidth,
      style.borderLeftWidth,
    ];
    const hasLine = line[3] > 0 && widths.every(width => Number.parseFloat(width) > 0);
    const fill = groundOf(drawn);
    // A word that is pressed is known as such by its text or a line below it; a box that is filled in needs its edge.
    if (!hasLine && !control.matches(BOX)) return undefined;
    return Math.max(contrast(fill, behind), hasLine ? contrast(over(line, behind), behind) : 1);
  };

  const isInText = (link: HTMLElement): boolean => {
    if (getComputedStyle(link).display !== 'inline') return false;
    const around = link.parentElement?.textContent?.trim() ?? '';
    return around.length > (link.textContent?.trim() ?? '').length;
  };

  /** A finger there meets the control, or the words that belong to it. */
  const hits = (control: HTMLElement, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    if (!hit) return false;
    return control.contains(hit) || hit.closest('label')?.control === control;
  };
  /** With its words, where these are to be pressed as well. */
  const targetOf = (control: HTMLElement): DOMRect => {
    const own = control.getBoundingClientRect();
    const label =
      control.matches('[type=checkbox], [type=radio]') && (control as HTMLInputElement).labels?.[0];
    if (!label) return own;
    const words = label.getBoundingClientRect();
    const [x, y] = [Math.min(own.x, words.x), Math.min(own.y, words.y)];
    return new DOMRect(x, y, Math.max(own.right, words.right) - x, Math.max(own.bottom, words.bottom) - y);
  };

  window.care = {
    faintParts: within => [
      ...controls(within).flatMap(control => {
        const ratio = boundaryOf(control);
        return ratio !== undefined && ratio < 3 ? [`${ratio.toFixed(2)}: ${nameOf(control)}`] : [];
      }),
      // On or off is told by the knob alone.
      ...[...document.querySelectorAll<HTMLElement>('[class*=Switch-thumb]')]
        .filter(knob => isSeen(knob) && knob.closest(within))
        .flatMap(knob => {
          const ratio = contrast(groundOf(knob), groundOf(knob.parentElement));
          return ratio < 3
            ? [`${ratio.toFixed(2)}: the knob of ${nameOf(knob.closest('label') ?? knob)}`]
            : [];
        }),
      ...[...document.querySelectorAll<HTMLElement>('main a[href]')]
        .filter(link => isSeen(link) && link.closest(within))
        .flatMap(link => {
          const ground = groundOf(link);
          const ratio = contrast(over(colourOf(getComputedStyle(link).color), ground), ground);
          return ratio < 4.5 ? [`${ratio.toFixed(2)}: ${nameOf(link)}`] : [];
        }),
    ],
    faintFocus: within => {
      const seen = new Set<string>();
      return controls(within)
        .filter(isSeen)
        .flatMap(control => {
          const { width, height } = control.getBoundingClientRect();
          const looks = `${control.className} ${Math.sign(width - 1)} ${Math.sign(height - 1)}`;
          if (seen.has(looks)) return [];
          seen.add(looks);
          control.focus();
          if (document.activeElement !== control) return [];
          const style = getComputedStyle(control);
          const isInside = Number.parseFloat(style.outlineOffset) < 0;
          const ground = groundOf(isInside ? control : control.parentElement);
          const ratio = contrast(over(colourOf(style.outlineColor), ground), ground);
          const isDrawn = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
          return isDrawn && ratio >= 3 ? [] : [`${isDrawn ? ratio.toFixed(2) : 'none'}: ${nameOf(control)}`];
        });
    },
    smallTargets: (least, within) =>
      controls(within).flatMap(control => {
        if (!isSeen(control) || isInText(control)) return [];
        const { width, height } = targetOf(control);
        // A pixel is lost to rounding.
        if (Math.min(width, height) >= least - 1) return [];
        control.scrollIntoView({ block: 'center', inline: 'nearest' });
        const box = control.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const reach = least / 2 - 1;
        const isReached =
          (width >= least - 1 || [-reach, reach].every(beside => hits(control, x + beside, y))) &&
          (height >= least - 1 || [-reach, reach].every(below => hits(control, x, y + below)));
        return isReached ? [] : [`${Math.round(width)} × ${Math.round(height)}: ${nameOf(control)}`];
      }),
  };
}
