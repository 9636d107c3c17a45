import { inLanguage } from '../../lib/inLanguage.ts';

export const factorTexts = inLanguage('factorTexts', {
  byPasskey: 'Use a passkey',
  passkeyFailed: 'The passkey did not work. Try again, or use a code.',
  code: 'Code',
  help: 'Six digits from your authenticator app, or a recovery code.',
  recoveryCode: 'Recovery code',
  missing: 'Enter the code',
});
