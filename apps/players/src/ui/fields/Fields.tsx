import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import { RequestLine } from '../Notice.tsx';
import styles from './Fields.module.css';

export interface FieldProps extends Omit<ComponentPropsWithRef<'input'>, 'id'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  after?: ReactNode;
}

export function Field({ label, hint, error, after, className = '', ...rest }: FieldProps) {
  const id = useId();
  const described = [hint != null && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box} data-wrong={error !== undefined || undefined}>
        <input
          {...rest}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described || undefined}
        />
        {after}
      </div>
      {hint != null && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
          <RequestLine error={error} />
        </p>
      )}
    </div>
  );
}
