import { AppError, type FieldErrors, noting, refuse } from '../../shared/contract/errors.ts';

/**
 * What is at fault in the input of a commit, gathered so that a request hears of all of it at once: references and rules
 * blame and go on. Where anything is at fault, a rule judges only what could be read, and works nothing out from it.
 */
export class Faults {
  readonly #faults: FieldErrors;

  /** `faults`: what was found at fault in the request before. */
  constructor(faults: FieldErrors = {}) {
    this.#faults = faults;
  }

  /** @throws AppError 422 with all that is at fault; what the state forbids is said of sound input only */
  run<Work>(work: () => Work): Work {
    try {
      const done = noting(this.#faults, work);
      refuse(this.#faults);
      return done as Work;
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') refuse(this.#faults);
      throw error;
    }
  }

  /** Refuses the commit once the rest was looked at; the first message of a path stands. */
  blame(path: string, message: string): void {
    this.#faults[path] ??= [message];
  }

  /** Whether anything is at fault, or one of these paths. */
  isAtFault(...paths: string[]): boolean {
    if (paths.length > 0) return paths.some(path => Object.hasOwn(this.#faults, path));
    for (const _path in this.#faults) return true;
    return false;
  }
}
