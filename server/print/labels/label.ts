import type { LabelSymbol } from '../../../shared/operations/paper-operations.ts';

/** A label as it is said, before it is laid out: plain data, so that a thread can be given it. */
export interface Label {
  /** What people look for first. */
  title: string;
  /** Below it, the most important first: where there is no room, the last ones give way. */
  lines: string[];
  /** In words, printed white on black: the lot must not be used. */
  warning: string | null;
  code: LabelCode;
  /** The moment of printing, ISO 8601 UTC. */
  at: string;
}

export interface LabelCode {
  symbol: LabelSymbol;
  /**
   * GS1: a code that begins with FNC1, its data application identifiers with their values. The only one of variable
   * length is the last, so that none needs a separator.
   */
  isGs1: boolean;
  data: string;
  /** Under the code, for those who type it. */
  caption: string;
}
