import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';

const FOR_INFORMATION = [Severity.INFO, Severity.NONE, Severity.STRICT_CSP];

/**
 * What Google's evaluator holds against a Content-Security-Policy. Of `script-src 'self'` it warns because of what may
 * stand on a web server; ours answers a build and the interface alone.
 */
export function policyFindings(policy: string): string[] {
  const { csp } = new CspParser(policy);
  return new CspEvaluator(csp)
    .evaluate()
    .filter(({ severity }) => !FOR_INFORMATION.includes(severity))
    .filter(({ directive, value }) => !(directive === 'script-src' && value === "'self'"))
    .map(({ directive, value, description }) => `${directive} ${value}: ${description}`);
}
