import { PASSWORD_LEAST, SIGN_IN_TEXTS } from '@drawhouse/contract/auth/auth-texts';
import { inLanguage } from '../lib/inLanguage.ts';

export const signInTexts = inLanguage('signInTexts', {
  title: 'Sign in',
  forgot: 'Forgot your password?',
  seeGames: 'See the games',
  username: 'Username',
  password: 'Password',
  remember: 'Remember me',
  login: 'Login',
  isSending: 'Logging in...',
  done: 'Login successful!',
  failed: 'Login failed.',
  error: 'An error occurred during login.',
  backToPassword: 'Back to the password',
  /** Field errors, worded by the specification. */
  wrong: SIGN_IN_TEXTS,
});

export function signInErrors({ username, password }: Readonly<Record<'username' | 'password', string>>): {
  username?: string;
  password?: string;
} {
  return {
    ...(username.trim() === '' && { username: signInTexts.wrong.usernameMissing }),
    ...(password.length < PASSWORD_LEAST && {
      password: password === '' ? signInTexts.wrong.passwordMissing : signInTexts.wrong.passwordShort,
    }),
  };
}
