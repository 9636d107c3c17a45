import { PASSWORD_LEAST, SIGN_IN_TEXTS } from '@drawhouse/contract/auth/sign-in-texts';

export const signInTexts = {
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
} as const;

/** Errors of the fields, in the specification's words. */
export function signInErrors({ username, password }: { username: string; password: string }) {
  return {
    ...(username.trim() === '' && { username: SIGN_IN_TEXTS.usernameMissing }),
    ...(password.length < PASSWORD_LEAST && {
      password: password === '' ? SIGN_IN_TEXTS.passwordMissing : SIGN_IN_TEXTS.passwordShort,
    }),
  } as { username?: string; password?: string };
}
