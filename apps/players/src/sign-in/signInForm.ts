import { PASSWORD_LEAST, SIGN_IN_WORDS } from '@drawhouse/contract/auth/sign-in-words';

/** What is wrong with the fields of the sign-in, by their names; nothing where they may be sent. */
export function signInErrors({ username, password }: { username: string; password: string }) {
  return {
    ...(username.trim() === '' && { username: SIGN_IN_WORDS.usernameMissing }),
    ...(password.length < PASSWORD_LEAST && {
      password: password === '' ? SIGN_IN_WORDS.passwordMissing : SIGN_IN_WORDS.passwordShort,
    }),
  } as { username?: string; password?: string };
}

/** Where a sign-in leads a player: back to the page of this client that was asked for, else to the games. Never to another host. */
export function wayBack(back: string | null): string {
  return back !== null && /^\/(?![/\\])/.test(back) && !/^\/(?:sign-in|auth\/login)\b/.test(back) ? back : '/';
}
