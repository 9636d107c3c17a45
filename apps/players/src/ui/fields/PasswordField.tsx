import { useState } from 'react';
import { playerTexts } from '../../lib/playerTexts.ts';
import { Field, type FieldProps } from './Fields.tsx';
import styles from './Fields.module.css';

export function PasswordField(field: Omit<FieldProps, 'type' | 'after'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      after={
        <button
          type="button"
          className={styles.eye}
          aria-pressed={isShown}
          aria-label={playerTexts.showPassword}
          onClick={() => setShown(!isShown)}
        >
          <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
            <circle cx="12" cy="12" r="3" />
            {!isShown && <path d="M4 4l16 16" />}
          </svg>
        </button>
      }
    />
  );
}
