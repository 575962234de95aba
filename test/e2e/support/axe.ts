import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on the page as it is shown now, as `rule: element`; empty when all is well. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(AXE);
  return page.evaluate(async tags => {
    type Result = { violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] };
    const { axe } = window as unknown as { axe: { run(root: Document, options: object): Promise<Result> } };
    const { violations } = await axe.run(document, { runOnly: tags });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
    );
  }, TAGS);
}
