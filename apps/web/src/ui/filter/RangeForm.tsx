import { period as periodFilter } from '@drawhouse/contract/core/list-filters';
import { Button, Group, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useToday, type DayRange } from '../../lib/format/periods.ts';
import { commonTexts } from '../../commonTexts.ts';
import { DayInput } from './DayInput.tsx';
import { filterTexts } from '../listTexts.ts';

const texts = commonTexts.period;

export type End = 'single' | 'from' | 'to';

interface RangeFormProps {
  range: DayRange;
  onCalendar: (end: End, opened: boolean) => void;
  onRange: (range: DayRange) => void;
  onClose: () => void;
  focused?: boolean;
  singleDate?: boolean;
}

export function RangeForm({ range, onCalendar, onRange, onClose, focused = true, singleDate = false }: RangeFormProps) {
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const [tried, setTried] = useState(false);
  const today = useToday();
  const errors = {
    from: from === '' ? texts.fromMissing : null,
    to: to === '' ? texts.toMissing : from === '' ? null : wrongEnd(from, to),
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (errors.from === null && errors.to === null) onRange({ from, to });
    else event.currentTarget.querySelectorAll('input')[(singleDate ? 1 : 0) + (errors.from === null ? 1 : 0)]?.focus();
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {singleDate && (
          <DayInput
            label={texts.singleDate}
            value={range.from === range.to ? range.from : ''}
            maxDate={today}
            onChange={(day) => day !== '' && onRange({ from: day, to: day })}
            onCalendar={(opened) => onCalendar('single', opened)}
            data-autofocus={focused || undefined}
          />
        )}
        <DayInput
          label={texts.fromDate}
          value={from}
          maxDate={today}
          error={tried && errors.from}
          onChange={setFrom}
          onCalendar={(opened) => onCalendar('from', opened)}
          data-autofocus={(focused && !singleDate) || undefined}
        />
        <DayInput
          label={texts.toDate}
          value={to}
          maxDate={today}
          error={tried && errors.to}
          onChange={setTo}
          onCalendar={(opened) => onCalendar('to', opened)}
        />
        <Group gap="xs">
          <Button type="submit">{texts.getSummary}</Button>
          <Button variant="default" onClick={onClose}>
            {filterTexts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function wrongEnd(from: string, to: string): string | null {
  return to < from ? texts.toBeforeFrom : (periodFilter.wrong?.(from, `${to}T23:59:59.999Z`) ?? null);
}
