import { useEffect } from 'react';

const DIALOG = '[role="dialog"], [role="alertdialog"]';
/** A closed dialog gives the focus back by itself, a moment after it has gone. */
const RETURN_MS = 50;

/**
 * When what has the focus goes (a deleted row, a dialog whose opener has gone), the browser lets the focus fall to the body,
 * and the keyboard begins anew at the top. It goes to the page's table instead, or where there is none to the page.
 */
export function useKeptFocus(main: { readonly current: HTMLElement | null }) {
  useEffect(() => {
    let last: Element | null = null;
    const note = () => {
      last = document.activeElement;
    };
    // Whoever clicks where nothing takes the focus has let go of it.
    const letGo = () => {
      if (document.activeElement === document.body) last = null;
    };
    // A dialog keeps the focus for itself; when it goes, this is asked again.
    const isLost = () =>
      last !== null &&
      !last.isConnected &&
      document.activeElement === document.body &&
      document.querySelector(DIALOG) === null;
    const restore = () => {
      if (!isLost()) return;
      last = null;
      const table = main.current?.querySelector('table')?.closest<HTMLElement>('[tabindex]');
      (table ?? main.current)?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(() => {
      if (isLost()) setTimeout(restore, RETURN_MS);
    });
    document.addEventListener('focusin', note);
    document.addEventListener('click', letGo, true);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('click', letGo, true);
      changes.disconnect();
    };
  }, [main]);
}
