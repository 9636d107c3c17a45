import { PASSWORD_LEAST, SIGN_IN_WORDS } from '@drawhouse/contract/auth/sign-in-words';

export function signInErrors({ username, password }: { username: string; password: string }) {
  return {
    ...(username.trim() === '' && { username: SIGN_IN_WORDS.usernameMissing }),
    ...(password.length < PASSWORD_LEAST && {
      password: password === '' ? SIGN_IN_WORDS.passwordMissing : SIGN_IN_WORDS.passwordShort,
    }),
  } as { username?: string; password?: string };
}

/** Back to the requested page, else the games. Never to another host. */
export function returnPath(back: string | null): string {
  return back !== null && /^\/(?![/\\])/.test(back) && !/^\/(?:sign-in|auth\/login)\b/.test(back) ? back : '/';
}
