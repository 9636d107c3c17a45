/** Shared by the sign-in pages of both clients. */
const KEY = 'remembered-username';

export function rememberedUsername(): string {
  return localStorage.getItem(KEY) ?? '';
}

export function rememberUsername(username: string): void {
  if (username === '') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, username);
}
