import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Requirement, TOPICS, type Topic } from '../server/qualification/requirement.ts';
import { requirements } from '../server/qualification/requirements.ts';

/** Writes `docs/requirements.md` from the table of requirements; a test says when it is to be written anew. */
const FILE = join(import.meta.dirname, '../docs/requirements.md');

if (process.argv[1] === import.meta.filename) await writeFile(FILE, requirementsText());

export function requirementsText(): string {
  const topics = Object.keys(TOPICS) as Topic[];
  return `# Requirements

Written by \`node build/requirements.ts\` from the table in code (\`server/qualification/\`). Each row is tried by \`holdpoint validate\` and by
the button in Setup, and \`test/server/qualification/planted.long.test.ts\` sees each fail once a fault is planted. How to validate an installation, and what
is left to the one who runs it: [validation.md](validation.md).

Paragraphs are those of 21 CFR Part 11 and of Annex 11 to the EU GMP Guide (2011) that a row answers, in whole or in part. ${requirements.length} rows.

${topics.map(topicText).join('\n')}
## By paragraph

| Paragraph | Requirements |
|---|---|
${byParagraph().join('\n')}
`;
}

function topicText(topic: Topic): string {
  const rows = requirements.filter(one => one.topic === topic);
  return `## ${TOPICS[topic][0]}

| No. | Requirement | How it is tried | Paragraphs |
|---|---|---|---|
${rows.map(rowText).join('\n')}
`;
}

function rowText({ id, text: [text], check: [check], references }: Requirement): string {
  return `| ${id} | ${text} | ${check} | ${references.join('; ')} |`;
}

function byParagraph(): string[] {
  const known = [...new Set(requirements.flatMap(({ references }) => references))];
  return known
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map(paragraph => {
      const ids = requirements.flatMap(({ id, references }) => (references.includes(paragraph) ? [id] : []));
      return `| ${paragraph} | ${ids.join(', ')} |`;
    });
}
