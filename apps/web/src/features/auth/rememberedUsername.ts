const KEY = 'remembered-username';

/** The username that was kept for the next sign-in on this device; empty when none was. */
export function rememberedUsername(): string {
  return localStorage.getItem(KEY) ?? '';
}

/** Keeps a username for the next sign-in; an empty one forgets. */
export function rememberUsername(username: string): void {
  if (username === '') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, username);
}
