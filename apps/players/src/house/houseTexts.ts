import { inLanguage } from '../lib/inLanguage.ts';

export const houseTexts = inLanguage('houseTexts', {
  password: {
    title: 'Forgot your password?',
    player:
      'Ask the retailer who gave you your account. Only they, and the accounts above them, can set a new password.',
    staff: 'Staff ask the account above their own. Superadmins ask the operator of the server.',
  },
  reach: (house: string) => `Reach ${house}`,
  play: {
    title: 'When playing is no longer fun',
    limits: 'You can limit what you stake and how long you play, take a break, or exclude yourself: {limits}.',
    lines: 'These help lines listen, give advice and keep what you say to themselves.',
    elsewhere: 'Other countries',
  },
  noTerms: 'No terms have been published.',
});
