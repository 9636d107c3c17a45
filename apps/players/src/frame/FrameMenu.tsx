import { createElement, useState } from 'react';
import { useAddress } from '../lib/navigation.ts';
import { useLate } from '../lib/useLate.ts';
import icon from '../ui/lineIcon.module.css';
import styles from './FrameMenu.module.css';

const loadSheet = async () => (await import('./MenuSheet.tsx')).MenuSheet;

/** What fails here is fetched again when it is wanted. */
function loadAhead(): void {
  loadSheet().catch(() => undefined);
}

/** The button of the menu, which is fetched when somebody is about to open it. */
export function FrameMenu({ isPlayer }: { isPlayer: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { path } = useAddress();
  const sheet = useLate(isOpen, loadSheet);
  return (
    <>
      <button
        type="button"
        className={`${icon.button} ${styles.open}`}
        aria-label="Menu"
        aria-haspopup="dialog"
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
          <path d="M4 7h16M4 12h16M4 17h16" />
        </svg>
      </button>
      {isOpen && sheet && createElement(sheet, { isPlayer, path, onClose: () => setOpen(false) })}
    </>
  );
}
