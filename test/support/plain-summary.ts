import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with what was skipped or passed only when tried again, by name, and one plain line that any reader of a log understands. */
export default class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = { passed: 0, failed: 0, skipped: 0 };
    const named: string[] = [];
    for (const module of modules) {
      if (module.errors().length > 0) states.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') states[state] += 1;
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (state === 'skipped') named.push(`skipped: ${name}`);
        if (test.diagnostic()?.flaky) named.push(`passed when tried again: ${name}`);
      }
    }
    process.stdout.write(named.map(line => `\n${line}`).join(''));
    process.stdout.write(`\n${states.passed} passed, ${states.failed} failed, ${states.skipped} skipped\n`);
  }
}
