import { period as periodFilter } from '@drawhouse/contract/list-filters';
import { Button, Group, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { formatCalendarDay } from '../lib/format.ts';
import { DATE_RANGE, PERIODS } from '../lib/periods.ts';
import type { DayRange, PeriodId } from '../lib/periods.ts';
import { useToday } from '../lib/useToday.ts';
import { messages } from '../messages.ts';
import { ChoiceButton } from './ChoiceButton.tsx';
import { DayInput } from './DayInput.tsx';
import { Dialog } from './Dialog.tsx';
import classes from './PeriodBar.module.css';

const texts = messages.period;

interface PeriodBarProps {
  period: PeriodId;
  range: DayRange;
  onPeriod: (period: PeriodId) => void;
  onRange: (range: DayRange) => void;
}

/** The period buttons in the order of the specification, and the days that are covered. */
export function PeriodBar({ period, range, onPeriod, onRange }: PeriodBarProps) {
  const [asking, setAsking] = useState(false);
  // Escape closes one thing at a time: a calendar before the dialog around it.
  const [calendar, setCalendar] = useState<End | null>(null);
  const close = () => {
    setAsking(false);
    setCalendar(null);
  };
  const bar = useRef<HTMLUListElement>(null);
  useEffect(() => {
    bar.current?.querySelector(`[data-period="${period}"]`)?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [period]);
  const days =
    range.from === range.to
      ? formatCalendarDay(range.from)
      : `${formatCalendarDay(range.from)} – ${formatCalendarDay(range.to)}`;
  return (
    <>
      <ul ref={bar} className={classes.periods} aria-label="Period">
        {PERIODS.map(({ id, label }) => (
          <li key={id}>
            <ChoiceButton
              chosen={id === period}
              data-period={id}
              aria-haspopup={id === DATE_RANGE ? 'dialog' : undefined}
              onClick={() => (id === DATE_RANGE ? setAsking(true) : onPeriod(id))}
            >
              {label}
            </ChoiceButton>
          </li>
        ))}
      </ul>
      <span className={classes.days} aria-live="polite">
        {days}
      </span>
      <Dialog
        opened={asking}
        onClose={close}
        closeOnEscape={calendar === null}
        title={texts.dateRange}
        centered
        size="sm"
      >
        <RangeForm
          range={range}
          onCalendar={(end, opened) => setCalendar((open) => (opened ? end : open === end ? null : open))}
          onClose={close}
          onRange={(chosen) => {
            close();
            onRange(chosen);
          }}
        />
      </Dialog>
    </>
  );
}

/** An end of the range, by the name of its field. */
type End = 'from' | 'to';

interface RangeFormProps {
  range: DayRange;
  onCalendar: (end: End, opened: boolean) => void;
  onRange: (range: DayRange) => void;
  onClose: () => void;
  /** Whether the first day has the focus when it is shown, with its calendar open. */
  focused?: boolean;
}

/** Two days and the button that asks for what lies between them. */
export function RangeForm({ range, onCalendar, onRange, onClose, focused = true }: RangeFormProps) {
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
    else event.currentTarget.querySelectorAll('input')[errors.from === null ? 1 : 0]?.focus();
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <DayInput
          label={texts.fromDate}
          value={from}
          maxDate={today}
          error={tried && errors.from}
          onChange={setFrom}
          onCalendar={(opened) => onCalendar('from', opened)}
          data-autofocus={focused || undefined}
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
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function wrongEnd(from: string, to: string): string | null {
  return to < from ? texts.toBeforeFrom : (periodFilter.wrong?.(from, `${to}T23:59:59.999Z`) ?? null);
}
