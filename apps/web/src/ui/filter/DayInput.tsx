import { DateInput, type DateInputProps } from '@mantine/dates';
import { useState } from 'react';
import { formatCalendarDay, readCalendarDay } from '../../lib/format/format.ts';
import type { Day } from '../../lib/format/periods.ts';
import classes from './FilterForm.module.css';
import { filterTexts } from '../listTexts.ts';

type DayInputProps = Omit<DateInputProps, 'value' | 'onChange' | 'valueFormat' | 'dateParser' | 'firstDayOfWeek'> & {
  value: Day;
  onChange: (day: Day) => void;
  onCalendar?: (opened: boolean) => void;
};

const NAMES = {
  previousMonth: filterTexts.previousMonth,
  nextMonth: filterTexts.nextMonth,
  previousYear: filterTexts.previousYear,
  nextYear: filterTexts.nextYear,
  previousDecade: filterTexts.previousDecade,
  nextDecade: filterTexts.nextDecade,
};

/**
 * Weeks begin on Sunday, as in the reports. The calendar closes after a complete typed day and stays closed while an
 * error shows; a click on the field reopens it.
 */
export function DayInput({ value, onChange, onCalendar, onInput, onClick, onBlur, ...rest }: DayInputProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [isClicked, setIsClicked] = useState(false);
  const isAway = isTyped || (Boolean(rest.error) && !isClicked);
  return (
    <DateInput
      // A bare date would look filled in.
      placeholder={`e.g. ${formatCalendarDay('2025-11-20')}`}
      clearable
      clearButtonProps={{ 'aria-label': filterTexts.clearDay }}
      ariaLabels={NAMES}
      hideOutsideDates
      classNames={{ day: classes.day! }}
      popoverProps={{
        attributes: { dropdown: { role: 'region', 'aria-label': filterTexts.calendar } },
        onOpen: () => onCalendar?.(true),
        onClose: () => onCalendar?.(false),
        ...(isAway && { opened: false }),
      }}
      onInput={(event) => {
        onInput?.(event);
        setIsTyped(readCalendarDay(event.currentTarget.value) !== null);
      }}
      onClick={(event) => {
        onClick?.(event);
        setIsTyped(false);
        setIsClicked(true);
      }}
      onBlur={(event) => {
        onBlur?.(event);
        setIsTyped(false);
        setIsClicked(false);
      }}
      {...rest}
      value={value === '' ? null : value}
      onChange={(day) => onChange(day ?? '')}
      valueFormat={formatCalendarDay}
      dateParser={readCalendarDay}
      firstDayOfWeek={0}
    />
  );
}

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
          label={index === 0 ? filterTexts.from : filterTexts.to}
          value={values[name] ?? ''}
          error={errors[name]}
          onChange={(day) => onChange({ [name]: day })}
          onCalendar={onCalendar}
        />
      ))}
    </div>
  );
}
