/** Router, shell and live connection. */
export const loadSignedIn = () => import('./SignedIn.tsx');
