/** What the fields of the sign-in are told, in the words of the specification, which checks three letters and speaks of six. */
export const SIGN_IN_WORDS = {
  usernameMissing: 'Username is required',
  passwordMissing: 'Password is required',
  passwordShort: 'Password must be at least 6 characters',
} as const;

/** The fewest letters of a password at the sign-in. */
export const PASSWORD_LEAST = 3;
