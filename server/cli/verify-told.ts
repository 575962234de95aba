import type { Finding } from '../store/verify/findings.ts';
import type { VerifyReport } from '../store/verify/verify.ts';

/** A report in sentences, a line each. */
export function told(report: VerifyReport): string {
  const { findings, faults, file, records, commits, chains, unknown, seconds } = report;
  const lines = findingLines(findings, faults);
  if (unknown > 0) {
    lines.push(
      `${unknown} records are of families that this version does not know: only their hashes were checked.\n`,
    );
  }
  const read = `${commits} commits in ${chains === 1 ? '1 chain' : `${chains} chains`} and ${records} records read in ${seconds.toFixed(1)} s`;
  return `${lines.join('')}${verdict(faults, file, read)}`;
}

export function verdict(faults: number, file: string, read: string): string {
  const wrong = faults === 0 ? 'Nothing is' : faults === 1 ? '1 thing is' : `${faults} things are`;
  return `${wrong} wrong with ${file}: ${read}.\n`;
}

export function findingLines(findings: readonly Finding[], faults: number): string[] {
  const lines = findings.map(
    ({ what, where, remedy }, index) => `${index + 1}. ${what}\n   ${where}\n   ${remedy}\n`,
  );
  return faults > findings.length ? [...lines, `… and ${faults - findings.length} more.\n`] : lines;
}
