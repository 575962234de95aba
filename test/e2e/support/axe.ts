import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What another look of the same page can break. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as it is shown now, as `rule: element`; empty when all is well.
 * @param rules only these; all rules of the tags unless they are given
 * @param within a selector: only there
 */
export async function axeFindings(page: Page, rules?: readonly string[], within = 'html'): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([runOnly, root]) => {
      type Result = { violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] };
      const { axe } = window as unknown as { axe: { run(root: string, options: object): Promise<Result> } };
      // Nobody reads what passed: its elements need no selectors.
      const { violations } = await axe.run(root, { runOnly, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
      );
    },
    [rules ?? TAGS, within] as const,
  );
}

/** Light and dark. */
export async function expectNoFindings(page: Page): Promise<void> {
  for (const look of ['dark', 'light']) {
    await page.evaluate(to => document.documentElement.setAttribute('data-mantine-color-scheme', to), look);
    expect(await axeFindings(page, look === 'dark' ? COLOURS : undefined), look).toEqual([]);
  }
}
