import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { toHeading } from '../lib/toHeading.ts';
import icon from './lineIcon.module.css';
import styles from './Sheet.module.css';

interface SheetProps {
  /** What it is about, or what it asks. */
  title: string;
  /** Wants to be closed: by Escape, the cross, or a touch beside it. Whoever shows it takes it away. */
  onClose: () => void;
  children: ReactNode;
  /** The buttons at its foot, the main one first. */
  actions?: ReactNode;
  /** It can't be put aside: there is no cross, and Escape does nothing. */
  isFirm?: boolean;
}

/**
 * A dialog: from below on a phone, in the middle elsewhere. It is there as long as it is rendered; the focus goes in, stays there, and back to
 * where it was, or where that is gone, to the heading of the page.
 */
export function Sheet({ title, onClose, children, actions, isFirm = false }: SheetProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else toHeading();
    };
  }, []);
  return (
    // A touch beside the sheet lands on the dialog itself; by keyboard it is left by Escape.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={styles.sheet}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !isFirm) onClose();
      }}
    >
      <div className={styles.inside}>
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {!isFirm && (
            <button type="button" className={`${icon.button} ${styles.close}`} aria-label="Close" onClick={onClose}>
              <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                <path d="M6 6l12 12M18 6L6 18" />
              </svg>
            </button>
          )}
        </div>
        <div className={styles.body}>{children}</div>
        {actions != null && <div className={styles.foot}>{actions}</div>}
      </div>
    </dialog>
  );
}
