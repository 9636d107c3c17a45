/** docs/spec checks for three letters but mentions six. */
export const SIGN_IN_TEXTS = {
  usernameMissing: 'Username is required',
  passwordMissing: 'Password is required',
  passwordShort: 'Password must be at least 6 characters',
} as const;

export const PASSWORD_LEAST = 3;
