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
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(AXE);
    await page.evaluate(configureAxe);
  }
  return page.evaluate(findingsOf, { runOnly: rules ?? TAGS, within });
}

/** Runs in the page. */
function configureAxe(): void {
  const { axe } = window as unknown as { axe: { configure(settings: object): void } };
  const rules = [
    // Working out colours takes as long as all else together.
    { id: 'color-contrast', selector: '*:not([data-drawn-alike])' },
    { id: 'link-in-text-block', selector: 'a[href]:not([data-drawn-alike])' },
  ];
  // Where a finding is, its selector says; axe would copy the text of every element that it looks at.
  axe.configure({ rules, noHtml: true });
}

/** Runs in the page. */
async function findingsOf({ runOnly, within }: { runOnly: readonly string[]; within: string }) {
  type Result = { violations: { id: string; nodes: { target?: unknown[]; failureSummary?: string }[] }[] };
  const { axe } = window as unknown as { axe: { run(context: string, options: object): Promise<Result> } };
  /** All that colours can depend on: elements, their classes, styles and states. */
  const lookOf = (parts: readonly Element[], index: number) =>
    parts
      .flatMap(({ tagName, attributes }) => [
        tagName,
        ...[...attributes]
          .filter(({ name }) => /^(class|style|type|role|disabled|data-(?!id$)|aria-(?!label))/.test(name))
          .map(({ name, value }) => `${name}=${value}`),
      ])
      .concat(String(index % 2))
      .join(' ');
  const ALIKE = 'data-drawn-alike';
  /** Marks rows and entries that look like one before them: their colours are the same. */
  const marked: Element[] = [];
  for (const list of document.querySelectorAll('tbody, ul, ol')) {
    const seen = new Set<string>();
    for (const [index, entry] of [...list.children].entries()) {
      const parts = [entry, ...entry.querySelectorAll('*')];
      const look = lookOf(parts, index);
      if (seen.has(look)) marked.push(...parts);
      seen.add(look);
    }
  }
  // What lies under it now is scrolled out from there: whether it can be hit is no matter of where a line happens to lie.
  const ends = [...document.querySelectorAll<HTMLElement>('.page-end')];
  for (const part of marked) part.setAttribute(ALIKE, '');
  for (const end of ends) end.style.position = 'static';
  try {
    // Nobody reads what passed: its elements need no selectors; where nothing is found, none does.
    const options = { runOnly, resultTypes: ['violations'], selectors: false };
    if ((await axe.run(within, options)).violations.length === 0) return [];
    const { violations } = await axe.run(within, { ...options, selectors: true });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target = [], failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
  } finally {
    for (const part of marked) part.removeAttribute(ALIKE);
    for (const end of ends) end.style.position = '';
  }
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
