import { useId } from 'react';
import styles from './OneOf.module.css';

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
