import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';
import { openLayer, toHeading } from '../../lib/navigation.ts';
import buttons from '../Button.module.css';
import styles from './Sheet.module.css';
import { playerTexts } from '../../lib/playerTexts.ts';

interface SheetProps {
  title: string;
  /** Runs on Escape, Back, cross or outside click. The owner unmounts the sheet. */
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  /** Cannot be dismissed: no cross, no Escape. */
  isFirm?: boolean;
}

/** Opens as a bottom sheet on phones, else as a centered dialog. Traps focus and returns it. */
export function Sheet({ title, onClose, children, actions, isFirm = false }: SheetProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const back = useEffectEvent(onClose);
  useEffect(() => (isFirm ? undefined : openLayer(() => back())), [isFirm]);
  useEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    dialog.showModal();
    // Dialogs ignore the focus of React's `autoFocus`.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else toHeading();
    };
  }, []);
  return (
    // Backdrop clicks target the dialog itself. Keyboards use Escape.
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
            <button
              type="button"
              className={`${buttons.icon} ${styles.close}`}
              aria-label={playerTexts.close}
              onClick={onClose}
            >
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
