export const loadSignedIn = () => import('./SignedIn.tsx');
