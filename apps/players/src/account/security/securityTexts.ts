import { momentText } from '../../lib/amounts.ts';

/** Password and devices. `{name}` marks a node that `fill` inserts. */
export const securityTexts = {
  title: 'Password and devices',
  signedInAs: 'You are signed in as {username}.',
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
    thisDevice: 'This device',
    lastUsed: (at: string) => `Last used ${momentText(at)}`,
    about: (use: string, since: string, address: string) => `${use} · since ${momentText(since)} · ${address}`,
    signOut: 'Sign out',
    signOutNamed: (device: string) => `Sign out ${device}`,
    signedOut: (device: string) => `${device} is signed out.`,
  },
} as const;
