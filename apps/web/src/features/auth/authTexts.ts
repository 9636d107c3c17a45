export const authTexts = {
  invitation: {
    title: 'Choose your password',
    tryAgain: 'Try again',
    signIn: 'Sign in',
    until: (name: string | null, time: string) =>
      `${name === null ? 'You are invited.' : `${name}, you are invited.`} The invitation works once, until ${time}.`,
    username: 'Username',
    password: 'New password',
    again: 'Confirm password',
    differ: 'The two passwords differ',
    submit: 'Set password',
  },
  yourAccountIsReady: (username: string | number) =>
    `Your account ${username} is ready. Sign in with the password you chose.`,
  appCode: 'Code from your authenticator app',
  appCodeHelp: 'Six digits. They change every 30 seconds.',
  recoveryCode: 'Recovery code',
  recoveryCodeHelp: 'One of the codes you stored when you set up the second factor. Each works once.',
  byPasskey: 'Use a passkey',
  byCode: 'Use a code',
  passkeyHelp: 'Confirm that it is you, with your device or security key.',
  passkeyFailed: 'The passkey did not work. Try again, or use a code.',
  byRecoveryCode: 'Use a recovery code',
  byApp: 'Use the authenticator app',
  remember: 'Don’t ask on this device for 30 days',
  backToPassword: 'Back to the password',
};
