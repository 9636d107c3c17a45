import { useId } from 'react';
import buttons from '../../ui/Button.module.css';
import styles from './Choices.module.css';
import { playTexts } from '../playTexts.ts';

interface ChoicesProps {
  legend: string;
  options: readonly { readonly value: string; readonly label: string }[];
  value: string;
  onChange: (value: string) => void;
}

export function Choices({ legend, options, value, onChange }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface PageChoiceProps {
  label: string;
  pages: readonly { readonly key: string; readonly title: string }[];
  value: string;
  onChange: (key: string) => void;
}

export function PageChoice({ label, pages, value, onChange }: PageChoiceProps) {
  const id = useId();
  const name = label.toLowerCase();
  const place = pages.findIndex(({ key }) => key === value);
  const step = (by: number, words: string, path: string) => {
    const to = pages[place + by];
    return (
      <button
        type="button"
        className={`${buttons.icon} ${styles.step}`}
        aria-label={words}
        aria-disabled={!to || undefined}
        onClick={() => to && onChange(to.key)}
      >
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path d={path} />
        </svg>
      </button>
    );
  };
  return (
    <div className={styles.pages}>
      <label htmlFor={id}>{label}</label>
      {step(-1, playTexts.board.previous(name), 'M15 5 8 12l7 7')}
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {pages.map(({ key, title }) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
      {step(1, playTexts.board.next(name), 'm9 5 7 7-7 7')}
    </div>
  );
}
