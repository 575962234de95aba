import { AppError } from '../../../shared/contract/errors.ts';

/** A station refuses what only central writes: users, their roles and passwords, the site's settings. */
export function changedAtCentral(address: string): AppError {
  const message = `Users, roles, passwords and the site's settings are changed at central: ${address}. Sign in there in a browser; it reaches this station by itself.`;
  return new AppError('forbidden', message);
}
