/** Answers of the calls about sessions and passwords. */
export const AUTH_TEXTS = {
  signedIn: 'Login successful!',
  confirmed: 'Your password is confirmed.',
  signedOut: 'You are signed out.',
  signedUp: 'Your account is ready. Please sign in.',
  passwordChanged: '✅ Password changed successfully!',
  passwordsDiffer: '❌ New and confirm password do not match.',
  sessionEnded: 'That device is signed out.',
  othersEnded: 'You are signed out everywhere else.',
  playerSignedOut: (username: string): string => `${username} has been signed out.`,
} as const;

/** Subjects of log rows. */
export const AUTH_SUBJECTS = {
  signedOut: 'Signed out',
  playerSignedOut: (username: string): string => `Signed user ${username} out`,
  sessionEnded: 'Signed out one of their own devices',
  othersEnded: 'Signed out their own other sessions',
  passwordChanged: 'Changed their own password',
} as const;
