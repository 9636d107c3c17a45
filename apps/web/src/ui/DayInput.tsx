import { DateInput } from '@mantine/dates';
import type { DateInputProps } from '@mantine/dates';
import { useState } from 'react';
import { formatCalendarDay, readCalendarDay } from '../lib/format.ts';
import type { Day } from '../lib/periods.ts';

type DayInputProps = Omit<DateInputProps, 'value' | 'onChange' | 'valueFormat' | 'dateParser' | 'firstDayOfWeek'> & {
  /** A day, or an empty text for none. */
  value: Day;
  onChange: (day: Day) => void;
  /** Told when the calendar opens and closes. */
  onCalendar?: (opened: boolean) => void;
};

const NAMES = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
  monthLevelControl: 'Choose the month',
  yearLevelControl: 'Choose the year',
};

/**
 * A day, typed or chosen from a calendar, written as days are everywhere: `20 Nov 2025`. Weeks begin on Sunday, as in the reports. The
 * calendar goes once a whole day is typed, and stays away where something is said beneath the field, so that it hides nothing around it; a click on the
 * field shows it again.
 */
export function DayInput({ value, onChange, onCalendar, onInput, onClick, onBlur, ...rest }: DayInputProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [isClicked, setIsClicked] = useState(false);
  const isAway = isTyped || (Boolean(rest.error) && !isClicked);
  return (
    <DateInput
      // Said to be an example: a date alone reads as one that is filled in.
      placeholder={`e.g. ${formatCalendarDay('2025-11-20')}`}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the day' }}
      ariaLabels={NAMES}
      popoverProps={{
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
