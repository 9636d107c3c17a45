export const PASSWORD_FIELD_TEXTS = {
  oldMissing: 'Old password is required',
  newMissing: 'New password is required',
  confirmMissing: 'Confirm password is required',
  wrongSession: 'A session id has 64 hex digits',
} as const;

export const FACTOR_FIELD_TEXTS = {
  wrongDevice: 'A device id has 64 hex digits',
  codeMissing: 'Enter the code',
  wrongCodeForm: 'A code has six digits, a recovery code 24 letters and digits',
  challengeMissing: 'Sign in with your password first',
  invitationIncomplete: 'This invitation link is incomplete. Open it as it was sent',
  passkeyMissing: 'The answer of the browser is missing',
  nameMissing: 'Give it a name, such as your phone',
  wrongNumber: 'A factor has a number from 1',
} as const;

/** docs/spec checks for three letters but mentions six. */
export const SIGN_IN_TEXTS = {
  usernameMissing: 'Username is required',
  passwordMissing: 'Password is required',
  passwordShort: 'Password must be at least 6 characters',
} as const;

export const PASSWORD_LEAST = 3;
