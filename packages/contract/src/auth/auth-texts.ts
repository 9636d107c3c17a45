/** Field messages. */
export const PASSWORD_FIELD_TEXTS = {
  oldMissing: 'Old password is required',
  newMissing: 'New password is required',
  confirmMissing: 'Confirm password is required',
  wrongSession: 'A session id has 64 hex digits',
} as const;
