import { invalid } from '../../shared/contract/errors.ts';

/** Trust, rule 8: length instead of rules about characters (NIST SP 800-63B, 5.1.1.2). */
export const PASSWORD_MINIMUM = 12;
const PASSWORD_MAXIMUM = 256;
/** Characters by which a password is judged: a longer one is as good at least, and to judge it must not hold the server up. */
const JUDGED = 32;
/**
 * Guesses that find it, as powers of ten, by who tries what people choose first. `Sommer2026!!` takes 8, `Winterzeit2026!` 9.6,
 * three words that do not belong together 12.
 */
const GUESSES_LOG10 = 10;

/** What a password must not be made of, beside what the lists have. */
const OWN_WORDS = ['holdpoint'];

const REMEDY = 'Give another one; several words are best.';

/** @throws AppError 422 on `field` */
export type PasswordCheck = (
  password: unknown,
  user: { login: string; name: string },
  field?: string,
) => string;

let rules: Promise<PasswordCheck> | undefined;

/** Says which passwords may be set. The lists of what people choose are read when they are first needed. */
export function passwordRules(): Promise<PasswordCheck> {
  rules ??= readRules();
  return rules;
}

async function readRules(): Promise<PasswordCheck> {
  const [{ ZxcvbnFactory }, common, english, german] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
    import('@zxcvbn-ts/language-de'),
  ]);
  // The words of encyclopedias are many, and few of them are passwords.
  const { 'wikipedia-en': _english, ...englishWords } = english.dictionary;
  const { wikipedia: _german, ...germanWords } = german.dictionary;
  const dictionary = { ...common.dictionary, ...englishWords, ...germanWords, own: OWN_WORDS };
  const judge = new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });

  return (password, { login, name }, field = 'password') => {
    const refuse = (message: string) => invalid({ [field]: [message] });
    if (typeof password !== 'string' || password === '') {
      throw refuse(`The password is missing. Give one of at least ${PASSWORD_MINIMUM} characters.`);
    }
    const characters = [...password.normalize('NFKC')];
    if (characters.length < PASSWORD_MINIMUM) {
      throw refuse(
        `The password is too short. Give at least ${PASSWORD_MINIMUM} characters; several words are best.`,
      );
    }
    if (characters.length > PASSWORD_MAXIMUM)
      throw refuse(`The password is too long. The most is ${PASSWORD_MAXIMUM}.`);
    const plain = folded(password);
    const stem = plain.replace(/[\d\W_]+$/u, '');
    const names = [login, name, ...name.split(/\s+/)].map(folded).filter(text => text.length >= 3);
    if (names.some(text => plain === text || stem === text || plain === text + text)) {
      throw refuse(`The password is the name of the user. ${REMEDY}`);
    }
    const { guessesLog10 } = judge.check(characters.slice(0, JUDGED).join(''), names);
    if (guessesLog10 < GUESSES_LOG10) throw refuse(`Too many people choose this password. ${REMEDY}`);
    return password;
  };
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
