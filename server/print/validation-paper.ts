import type { Language } from '../../shared/operations/paper-operations.ts';
import type {
  TriedRequirement,
  ValidationReport,
  ValidationStep,
  Verdict,
} from '../../shared/operations/validation-operations.ts';
import { fingerprintOfKey } from '../keys/ed25519.ts';
import { facts, heading, notice, paragraph, table } from './blocks.ts';
import type { Block, Cell, Paper } from './paper.ts';
import type { TextKey } from './texts.ts';
import { type Words, wordsOf } from './words.ts';

export interface ValidationPaperRequest {
  report: ValidationReport;
  /** SHA-256 of the file of the report. */
  sha256: string;
  language: Language;
  /** Who prints it, and the name of the site's time zone. */
  user: string;
  zone: string;
  /** The moment of printing, ISO 8601 UTC. */
  at: string;
  /** What stands above all else. */
  notices?: readonly Block[];
}

const CHARACTERS = 16;

/** A validation report as a paper: what was tried, what must be seen and what was, and which signed file it is of. */
export function makeValidationPaper(request: ValidationPaperRequest): Paper {
  const { report, sha256, language, user, zone, at, notices = [] } = request;
  const words = wordsOf(language, zone);
  const { say } = words;
  return {
    language,
    company: words.text(report.company),
    title: say('validation'),
    number: words.moment(report.began_at),
    link: `holdpoint://validation/${sha256.slice(0, CHARACTERS)}`,
    identity: `SHA-256 ${sha256}`,
    printed: say('printed', { user: user.slice(0, 60), at: words.moment(at), zone: words.zone }),
    pageOf: say('page'),
    replaced: say('replaced'),
    at,
    blocks: [
      ...notices,
      verdictNotice(words, report),
      ...aboutBlocks(words, report, sha256),
      heading(say('validationSummary')),
      table(words, report.requirements, [
        ['validationRequirement', 2, ({ id }) => id],
        ['validationText', 9, ({ requirement }) => requirement[language]],
        ['validationReferences', 4, ({ references }) => references.join('\n')],
        ['validationResult', 3, ({ verdict }) => verdictCell(words, verdict)],
      ]),
      ...report.requirements.flatMap(one => requirementBlocks(words, one)),
      heading(say('validationApproval')),
      facts(
        [say('validationReviewed'), say('validationLine')],
        [say('validationApproved'), say('validationLine')],
      ),
    ],
  };
}

const verdicts: Record<Verdict, TextKey> = {
  passed: 'validationPassed',
  failed: 'validationFailed',
  not_tried: 'validationNotTried',
};

function verdictNotice({ say }: Words, { verdict, counts }: ValidationReport): Block {
  const said = { passed: counts.passed, failed: counts.failed, not_tried: counts.not_tried };
  return verdict === 'passed'
    ? notice('plain', say('validationAllMet', said))
    : notice('wrong', say('validationSomeNot', said));
}

function aboutBlocks(words: Words, report: ValidationReport, sha256: string): Block[] {
  const { say } = words;
  const { machine, files } = report;
  return [
    facts(
      [say('validationInstallation'), words.text(report.installation)],
      [say('validationVersion'), report.version],
      [
        say('validationFiles'),
        files ? `${words.number(files.count)} · SHA-256 ${files.sha256}` : say('validationSources'),
      ],
      [say('validationMachine'), `${machine.name} · ${machine.system}`],
      [say('validationRuntime'), `${machine.runtime} · SQLite ${machine.sqlite}`],
      [say('validationData'), machine.data],
      [say('validationBy'), words.text(report.by)],
      [say('validationBegan'), words.exactMoment(report.began_at)],
      [say('validationEnded'), words.exactMoment(report.ended_at)],
    ),
    facts(
      [say('validationFile'), `SHA-256 ${sha256}`],
      [say('validationKey'), `SHA-256 ${fingerprintOfKey(report.key)}`],
      [say('validationSignature'), report.signature],
    ),
  ];
}

function requirementBlocks(words: Words, one: TriedRequirement): Block[] {
  const { language, say } = words;
  return [
    heading(`${one.id} · ${say(verdicts[one.verdict])}`),
    paragraph(say('validationText'), one.requirement[language]),
    paragraph(say('validationCheck'), one.check[language]),
    ...(one.note ? [paragraph(say('notes'), one.note[language])] : []),
    ...(one.steps.length === 0
      ? []
      : [
          table<ValidationStep>(words, one.steps, [
            ['validationDone', 6, ({ done }) => done[language]],
            ['validationExpected', 4, ({ expected }) => plain(words, expected)],
            ['validationSeen', 4, ({ seen }) => plain(words, seen)],
            [
              'validationResult',
              2,
              ({ is_right: isRight }) => verdictCell(words, isRight ? 'passed' : 'failed'),
            ],
          ]),
        ]),
  ];
}

function verdictCell({ say }: Words, verdict: Verdict): Cell {
  const words = say(verdicts[verdict]);
  return verdict === 'failed' ? { text: '', shape: 'cross', words } : words;
}

/** Yes and no are words; everything else is the machine's. */
function plain({ say }: Words, value: string): string {
  return value === 'true' || value === 'false' ? say(value === 'true' ? 'yes' : 'no') : value;
}
