import { DayInput } from './DayInput.tsx';
import classes from './FilterForm.module.css';

interface DayRangeInputsProps {
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  onChange: (change: Record<string, string>) => void;
  onCalendar: (opened: boolean) => void;
}

export function DayRangeInputs({ names, values, errors, onChange, onCalendar }: DayRangeInputsProps) {
  return (
    <div className={classes.pair}>
      {names.map((name, index) => (
        <DayInput
          key={name}
          label={index === 0 ? 'From' : 'To'}
          value={values[name] ?? ''}
          error={errors[name]}
          onChange={(day) => onChange({ [name]: day })}
          onCalendar={onCalendar}
        />
      ))}
    </div>
  );
}
