/** What the names of kept tickets begin with; `betStore.ts` writes them. */
const KEPT = 'bet/';

/**
 * Goes on with tickets of an account that are kept on this device, whichever page is opened, and whichever one keeps them: it may not be known yet what
 * became of them. Answers how to stop.
 */
export function finishTickets(accountId: string): () => void {
  const look = () => {
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    if (!names.some((name) => name.startsWith(`${KEPT}${accountId}/`))) return;
    // Where it can't be fetched, the board that fetches it too goes on with them.
    import('../play/placing/latePlacing.ts').then(({ fetchPlacing }) => fetchPlacing()).catch(() => undefined);
  };
  look();
  window.addEventListener('storage', look);
  return () => window.removeEventListener('storage', look);
}
