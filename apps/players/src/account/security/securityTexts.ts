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
