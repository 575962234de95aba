import { guideTexts } from './guide-texts.ts';
import type { Html } from './html.ts';
import { anchorOf, markdown } from './markdown.ts';

export interface Guide {
  /** Of the page, below `/docs`. */
  page: string;
  title: string;
  main: Html;
  /** Each word that it has, once: what it is found by. */
  words: string;
}

/** The guides as pages; made when asked for. */
export function guidePages(): Guide[] {
  return guideTexts.map(({ name, text }) => {
    const lines = text.split('\n');
    return {
      page: pageOf(name),
      title: lines[0]?.replace(/^# /, '') ?? name,
      main: markdown(lines, pathOf),
      words: wordsIn(text),
    };
  });
}

function wordsIn(text: string): string {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_/-]{3,}/gu))].join(' ');
}

const NAMES = new Set(guideTexts.map(({ name }) => name));

/** Other sites, and documents that are no guides, are not served: what links to them stays as words. */
function pathOf(target: string): string | undefined {
  const [file = '', anchor] = target.split('#');
  const hash = anchor === undefined ? '' : `#${anchorOf(anchor)}`;
  if (file === '') return hash;
  const name = /([\w-]+)\.md$/.exec(file)?.[1];
  return name !== undefined && NAMES.has(name) ? `/docs/${pageOf(name)}${hash}` : undefined;
}

function pageOf(name: string): string {
  return `guide-${name}`;
}
