import { momentText } from '../../lib/amounts.ts';
import { inLanguage } from '../../lib/inLanguage.ts';

export const securityTexts = inLanguage('securityTexts', {
  title: 'Password and devices',
  signedInAs: 'You are signed in as {username}. Your ID is {id}.',
  appearance: 'Appearance',
  password: {
    title: 'Change password',
    help: 'You stay signed in here and are signed out everywhere else.',
    old: 'Old password',
    new: 'New password',
    confirm: 'Confirm password',
    change: 'Change password',
  },
  factor: {
    title: 'Second factor',
    help: 'Sign-in then also asks for your passkey or a code, so nobody gets in with your password alone.',
    loading: 'Loading your second factor',
    addPasskey: 'Add passkey',
    passkeyFailed: 'Your browser did not add the passkey. Nothing was changed.',
    add: 'Add authenticator app',
    phone: 'My phone',
    kinds: { app: 'Authenticator app', passkey: 'Passkey' },
    since: (kind: string, since: string) => `${kind}, added ${momentText(since)}`,
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    removeQuestion: (name: string) =>
      `Remove ${name}? If it is your only one, your password alone signs you in, and your recovery codes end.`,
    scan: 'Scan this code with an authenticator app on your phone.',
    qr: 'QR code for the authenticator app',
    byHand: 'No camera? Enter this key in the app:',
    code: 'Code',
    codeHelp: 'The six digits that the app shows now.',
    wrongCode: 'Enter the six digits',
    codes: 'Recovery codes',
    codesLeft: (left: number) => `${left} of 10 left`,
    renew: 'New codes',
    renewQuestion: 'Make new recovery codes? Your old codes stop working.',
    codesHelp:
      'Keep these codes apart from your device, for example on paper. Each signs you in once if you lose the device. They are ' +
      'not shown again.',
    copy: 'Copy',
    copied: 'Copied',
    stored: 'I have stored them',
  },
  sessions: {
    title: 'Where you are signed in',
    loading: 'Loading your sessions',
    here: 'This device',
    lastUsed: (used: string) => `Last used ${momentText(used)}`,
    since: (since: string, address: string) => `Signed in since ${momentText(since)}, from ${address}`,
    signOut: 'Sign out',
    signOutNamed: (device: string) => `Sign out ${device}`,
    endOthers: 'Sign out everywhere else',
    signedOut: (device: string) => `${device} is signed out.`,
  },
});
