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
  const others = rules?.filter(rule => !COLOURS.includes(rule));
  const colours = rules?.filter(rule => COLOURS.includes(rule)) ?? COLOURS;
  const passes: Pass[] = [];
  // Working out colours takes as long as all else together.
  if (others === undefined) passes.push({ runOnly: TAGS, without: COLOURS, within, isEachLookOnce: false });
  else if (others.length > 0) passes.push({ runOnly: others, without: [], within, isEachLookOnce: false });
  if (colours.length > 0) passes.push({ runOnly: colours, without: [], within, isEachLookOnce: true });
  return page.evaluate(findingsOf, passes);
}

interface Pass {
  runOnly: readonly string[];
  without: readonly string[];
  within: string;
  /** Leaves out rows and entries that look like one before them. */
  isEachLookOnce: boolean;
}

/** Runs in the page. */
async function findingsOf(passes: Pass[]): Promise<string[]> {
  type Result = { violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] };
  const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Result> } };
  /** All that colours can depend on: elements, their classes, styles and states. */
  const lookOf = (entry: Element, index: number) =>
    [entry, ...entry.querySelectorAll('*')]
      .flatMap(({ tagName, attributes }) => [
        tagName,
        ...[...attributes]
          .filter(({ name }) => /^(class|style|type|role|disabled|data-(?!id$)|aria-(?!label))/.test(name))
          .map(({ name, value }) => `${name}=${value}`),
      ])
      .concat(String(index % 2))
      .join(' ');
  const ALIKE = 'data-drawn-alike';
  const markAlike = () => {
    for (const list of document.querySelectorAll('tbody, ul, ol')) {
      const seen = new Set<string>();
      for (const [index, entry] of [...list.children].entries()) {
        const look = lookOf(entry, index);
        if (seen.has(look)) entry.setAttribute(ALIKE, '');
        seen.add(look);
      }
    }
  };
  const found: string[] = [];
  for (const { runOnly, without, within, isEachLookOnce } of passes) {
    if (isEachLookOnce) markAlike();
    const context = { include: [[within]], ...(isEachLookOnce && { exclude: [[`[${ALIKE}]`]] }) };
    const rules = Object.fromEntries(without.map(rule => [rule, { enabled: false }]));
    // Nobody reads what passed: its elements need no selectors.
    const { violations } = await axe.run(context, { runOnly, rules, resultTypes: ['violations'] });
    for (const marked of document.querySelectorAll(`[${ALIKE}]`)) marked.removeAttribute(ALIKE);
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${id}: ${target.join(' ')} ${failureSummary ?? ''}`);
  }
  return found;
}

/** What is a page's own. What stands around all of them has the same colours, and `pages.test.ts` looks at it in each look. */
export const OWN_PART = 'main, [role=dialog]';

/** Light and dark. */
export async function expectNoFindings(page: Page): Promise<void> {
  for (const look of ['dark', 'light']) {
    await page.evaluate(to => document.documentElement.setAttribute('data-mantine-color-scheme', to), look);
    const found = look === 'dark' ? axeFindings(page, COLOURS, OWN_PART) : axeFindings(page);
    expect(await found, look).toEqual([]);
  }
}
