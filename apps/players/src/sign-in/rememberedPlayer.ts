/** The key under which the back-office remembers who signed in last on this device too. */
const KEY = 'remembered-username';

/** The name that was kept for the next sign-in on this device; empty where none was. */
export function rememberedName(): string {
  return localStorage.getItem(KEY) ?? '';
}

/** Keeps a name for the next sign-in; an empty one forgets. */
export function rememberName(username: string): void {
  if (username === '') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, username);
}
