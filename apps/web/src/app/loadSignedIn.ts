/** Fetches what only those who are signed in need: the router, the shell, the live connection. */
export const loadSignedIn = () => import('./SignedIn.tsx');
