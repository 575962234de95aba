/** Author in history of the key that is made when somebody signs in who has none. */
export const SIGN_IN = 'sign-in';

/** Author in history of the first administrator, who is made by a code and a password of their own. */
export const FIRST_ADMINISTRATOR = 'first-administrator';
