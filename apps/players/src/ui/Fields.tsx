import { useId, useState } from 'react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { RequestLine } from './Notice.tsx';
import styles from './Fields.module.css';
import { playerTexts } from '../lib/playerTexts.ts';

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
          <RequestLine said={error} />
        </p>
      )}
    </div>
  );
}

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

export function Checkbox({ label, ...rest }: Omit<ComponentPropsWithRef<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className={styles.tick}>
      <input {...rest} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}

interface OneOfProps<Value extends string> {
  legend: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChoose: (value: Value) => void;
  isLegendUnseen?: boolean;
}

export function OneOf<Value extends string>({
  legend,
  value,
  options,
  onChoose,
  isLegendUnseen = false,
}: OneOfProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.set}>
      <legend className={isLegendUnseen ? 'unseen' : undefined}>{legend}</legend>
      {options.map(([each, words]) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChoose(each)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface SelectFieldProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChoose: (value: Value) => void;
}

export function SelectField<Value extends string>({ label, value, options, onChoose }: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value as Value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
