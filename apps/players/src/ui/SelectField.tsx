import { useId } from 'react';
import styles from './SelectField.module.css';

interface SelectFieldProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChoose: (value: Value) => void;
}

export function SelectField<Value extends string>({ label, value, options, onChoose }: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div className={styles.field}>
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
