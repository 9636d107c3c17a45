/** Answers of the calls about sessions and passwords. */
export const AUTH_TEXTS = {
  unboundedKey: 'For this call, an API key needs allowed addresses and a daily amount of credit.',
  setByStranger: (username: string): string =>
    `The password of ${username} was set from the server shell less than 7 days ago by an unknown person, so ` +
    'this account does not count as a second person.',
  youSetPassword: (username: string): string =>
    `You set the password of ${username} less than 7 days ago, so you don't count as a second person for it.`,
  theySetPassword: (username: string): string =>
    `${username} set your password less than 7 days ago, so you don't count as a second person for them.`,
  bothSetByOne: (username: string): string =>
    `One person set both your password and that of ${username} less than 7 days ago, so you don't count as a second ` +
    'person for it.',
  retryIn: (reason: string, time: string): string => `${reason} You can try again in ${time}.`,
  invited: 'The invitation is ready. It works once, within 7 days.',
  invitationAccepted: 'Your password is set. You can sign in now.',
  invitationEnded: 'This invitation has ended. Ask for a new one.',
  breached: 'This password is known from a data breach. Choose another',
  expiredForAccount: 'The password that was set for you has expired. Ask the account that manages yours for a new one.',
  expiredForLogin: 'The password that was set for you has expired. Ask the owner of the account for a new one.',
  signedIn: 'Login successful!',
  confirmed: 'Your password is confirmed.',
  signedOut: 'You are signed out.',
  signedUp: 'Your account is ready. Please sign in.',
  passwordChanged: '✅ Password changed successfully!',
  passwordsDiffer: '❌ New and confirm password do not match.',
  sessionEnded: 'That device is signed out.',
  othersEnded: 'You are signed out everywhere else.',
  playerSignedOut: (username: string): string => `${username} has been signed out.`,
  tooManyAttempts: (minutes: number): string =>
    `Too many attempts. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  tooManySignIns: 'Too many sign-ins right now. Please try again in a moment.',
  wrongPassword: 'The password is wrong',
  easilyGuessed: 'This password is easy to guess. Use three unrelated words, or more characters',
  samePassword: 'This is already the password. Choose another',
  commonPassword: 'This is one of the most common passwords. Choose another',
  shortPassword: (least: number): string => `Use at least ${least} characters besides the username`,
  wrongFirstPassword: (problem: string): string => `SUPERADMIN_PASSWORD can't be used. ${problem}.`,
  noAccount: (username: string): string =>
    `No account is named ${username}. Run npm run admin -- list to see the accounts.`,
  deleted: (username: string, at: string): string => `${username} was deleted on ${at} and can't sign in any more.`,
  excluded: (username: string, message: string): string =>
    `${username} is excluded: ${message} An exclusion can't be ended here.`,
  inactive: (username: string): string =>
    `${username} is inactive and can't sign in. An account above it can activate it.`,
  inactiveAbove: (above: string, username: string): string =>
    `${above}, above ${username}, is inactive, so no account below it can sign in.`,
  restoring: (username: string): string => `The network of ${username} is being restored. Try again in a moment.`,
  wrongFactor: 'This code is wrong, or was used before',
  wrongPasskey: 'The passkey did not work. Try again, or use another way',
  needsHostName: 'Passkeys need a host name: open this page at its name, not at an IP address.',
  wrongFirstCode: 'This code is wrong. Check the time of your phone, and enter the newest code',
  recoveryCodes: 'Recovery codes',
  tooManyFactors: (most: number): string => `You have ${most} devices. Remove one first.`,
  deviceForgotten: 'The device is asked for the second factor again.',
  factorAdded: 'Your second factor is set up.',
  factorRemoved: 'The second factor is removed.',
  codesRenewed: 'Your old recovery codes no longer work.',
  notAddress: (address: string): string => `${address} is not an IP address.`,
} as const;

/** Subjects of log rows. */
export const AUTH_SUBJECTS = {
  signedOut: 'Signed out',
  playerSignedOut: (username: string): string => `Signed user ${username} out`,
  sessionEnded: 'Signed out one of their own devices',
  othersEnded: 'Signed out their own other sessions',
  passwordChanged: 'Changed their own password',
  invited: (who: string): string => `Invited ${who} to choose a password`,
  invitationAccepted: 'Accepted their invitation',
  passwordsSlowed: (times: string): string => `Refused ${times}: too many wrong passwords`,
  addressSlowed: (times: string): string => `Sign-in refused ${times}: too many wrong passwords from one address`,
  nameSlowed: (times: string): string => `Sign-in refused ${times}: too many wrong passwords from many addresses`,
  sessionsSlowed: (times: string): string => `Refused ${times}: too many wrong passwords in its sessions`,
  deviceSlowed: (times: string): string => `Sign-in refused ${times}: too many wrong passwords in a known browser`,
  factorSlowed: (times: string): string => `Refused ${times}: too many wrong codes of a second factor`,
  factorRefused: (message: string): string => `Second factor refused: ${message}`,
  factorAdded: (name: string): string => `Added the second factor ${name}`,
  factorRemoved: (name: string): string => `Removed the second factor ${name}`,
  codesRenewed: 'Renewed their recovery codes',
  deviceForgotten: 'Forgot one of their remembered devices',
  recoveryCodeUsed: (left: number): string => `Used a recovery code; ${left} left`,
  signUpsSlowed: (times: string): string => `Sign-up refused ${times}: too many from one address`,
  confirmed: 'Confirmed their own password',
  factorConfirmed: 'Confirmed their second factor',
  confirmationRefused: (message: string): string => `Confirmation refused: ${message}`,
  fromShell: (subject: string, osUser: string | undefined): string =>
    `${subject}, from the server shell${osUser === undefined ? '' : ` as ${osUser}`}`,
  passwordGiven: (role: string, username: string): string => `Gave ${role} ${username} a new password`,
  factorsReset: (role: string, username: string): string => `Removed the second factors of ${role} ${username}`,
  attemptsCleared: (of: string): string => `Cleared the failed sign-ins of ${of}`,
  oldestSessionEnded: (address: string): string => `Signed out the oldest session, from ${address}: too many sessions`,
  signInRefused: (message: string): string => `Sign-in refused: ${message}`,
  unlocked: (of: string): string => `Unlocked ${of}`,
} as const;
