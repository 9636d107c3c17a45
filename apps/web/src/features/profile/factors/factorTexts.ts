export const factorTexts = {
  remembered: {
    title: 'Devices that skip the second factor at sign-in',
    current: 'This device',
    until: 'Until {time}',
    forget: 'Forget',
    forgetOf: (device: string) => `Forget ${device}`,
  },
  title: 'Second factor',
  meaning:
    'With a second factor, nobody signs in as you with your password alone. Sign-in also asks for a passkey or for a code ' +
    'from your phone.',
  addPasskey: 'Add passkey',
  addApp: 'Add authenticator app',
  kinds: { app: 'Authenticator app', passkey: 'Passkey' },
  madeAt: 'Added {time}',
  lastUsed: 'Last used {time}',
  neverUsed: 'Never used',
  codesLeft: (left: number) => `${left} of 10 left`,
  renewCodes: 'New codes',
  remove: {
    label: 'Remove',
    labelOf: (name: string) => `Remove ${name}`,
    title: 'Remove second factor',
    question: (name: string) => `Remove ${name}?`,
    last: 'It is your last device. Your password alone will sign you in, and your recovery codes end.',
  },
  renew: {
    title: 'New recovery codes',
    question: 'Make new recovery codes?',
    consequence: 'Your old codes stop working.',
    label: 'Make new codes',
  },
  app: {
    title: 'Add authenticator app',
    scan: 'Scan this code with an authenticator app on your phone.',
    qr: 'QR code for the authenticator app',
    byHand: 'No camera? Enter this key in the app:',
    name: 'Name of the device',
    nameHelp: 'To recognize it later, such as “My phone”.',
    firstName: 'My phone',
    code: 'Code',
    codeHelp: 'The six digits that the app shows now.',
    submit: 'Add app',
  },
  passkey: {
    title: 'Add passkey',
    help: 'Your device or security key confirms that it is you, by fingerprint, face or PIN. Nobody can copy or guess it.',
    name: 'Name of the device',
    nameHelp: 'To recognize it later, such as “My laptop”.',
    firstName: 'My laptop',
    nameMissing: 'Give it a name',
    submit: 'Add passkey',
    failed: 'The passkey was not created. Try again, or add an authenticator app.',
  },
  codes: {
    title: 'Recovery codes',
    once:
      'Keep these codes apart from your phone: printed, or in a password manager. Each signs you in once if you lose ' +
      'your device. They are not shown again.',
    list: 'Your recovery codes',
    stored: 'I have stored them',
  },
};
