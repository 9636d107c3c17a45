import { useId, useState } from 'react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { RequestLine } from './RequestLine.tsx';
import styles from './Field.module.css';

interface FieldProps extends Omit<ComponentPropsWithRef<'input'>, 'id'> {
  label: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong with it, and what would be right. */
  error?: string | undefined;
}

/** A field with its label above and what is wrong beneath. A password can be looked at. */
export function Field({ label, hint, error, type = 'text', className = '', ...rest }: FieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const described = [hint != null && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box} data-wrong={error !== undefined || undefined}>
        <input
          {...rest}
          id={id}
          type={isPassword && isShown ? 'text' : type}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described || undefined}
        />
        {isPassword && (
          <button
            type="button"
            className={styles.eye}
            aria-pressed={isShown}
            aria-label="Show password"
            onClick={() => setShown(!isShown)}
          >
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
              <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
              <circle cx="12" cy="12" r="3" />
              {!isShown && <path d="M4 4l16 16" />}
            </svg>
          </button>
        )}
      </div>
      {hint != null && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
          <RequestLine said={error} />
        </p>
      )}
    </div>
  );
}

/** A box to tick, with its words beside it. */
export function Tick({ label, ...rest }: Omit<ComponentPropsWithRef<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className={styles.tick}>
      <input {...rest} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
