import { lazy, Suspense, useState } from 'react';
import { useAddress } from '../lib/navigation.ts';
import icon from '../ui/lineIcon.module.css';
import styles from './FrameMenu.module.css';

const loadSheet = () => import('./MenuSheet.tsx');
const MenuSheet = lazy(async () => ({ default: (await loadSheet()).MenuSheet }));

/** What fails here is fetched again when it is wanted. */
function loadAhead(): void {
  loadSheet().catch(() => undefined);
}

/** The button of the menu, which is fetched when somebody is about to open it. */
export function FrameMenu({ isPlayer }: { isPlayer: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { path } = useAddress();
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
      {isOpen && (
        <Suspense>
          <MenuSheet isPlayer={isPlayer} path={path} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
