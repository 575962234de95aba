/**
 * Where a form lacks nothing but the password that signs it, goes there, and answers true: whoever gave the reason by one
 * key and pressed Enter signs next, and is not told what they are about to do.
 */
export function goToSignature(form: HTMLFormElement | null): boolean {
  const empty = [
    ...(form?.querySelectorAll<HTMLInputElement>('input[required], textarea[required]') ?? []),
  ].filter(({ value }) => value.trim() === '');
  const [password] = empty;
  if (!password || empty.length > 1 || !password.closest('[data-signing]')) return false;
  password.focus();
  return true;
}
