import { useEffect, useRef, useState } from 'react';
import { formatCalendarDay } from '../../lib/format/format.ts';
import { DATE_RANGE, PERIODS, type DayRange, type PeriodId } from '../../lib/format/periods.ts';
import { prefetched } from '../../lib/lazyParts.ts';
import { commonTexts } from '../../commonTexts.ts';
import { ChoiceButton } from '../form/Choices.tsx';
import { Dialog } from '../dialog/Dialog.tsx';
import type { End } from './RangeForm.tsx';
import classes from './PeriodBar.module.css';
import { filterTexts } from '../listTexts.ts';

const texts = commonTexts.period;

/** The buttons need no calendar. */
const useRange = prefetched(() => import('./RangeForm.tsx'));

interface PeriodBarProps {
  period: PeriodId;
  range: DayRange;
  onPeriod: (period: PeriodId) => void;
  onRange: (range: DayRange) => void;
  singleDate?: boolean;
}

export function PeriodBar({ period, range, onPeriod, onRange, singleDate = false }: PeriodBarProps) {
  const [asking, setAsking] = useState(false);
  const [calendar, setCalendar] = useState<End | null>(null);
  const close = () => {
    setAsking(false);
    setCalendar(null);
  };
  const Form = useRange(asking)?.RangeForm;
  const bar = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const list = bar.current!;
    // Rotating a phone changes the visible buttons.
    const watch = new ResizeObserver(() => {
      const chosen = list.querySelector(`[data-period="${period}"]`)!.getBoundingClientRect();
      const { left, width } = list.getBoundingClientRect();
      list.scrollLeft += chosen.left + chosen.width / 2 - left - width / 2;
    });
    watch.observe(list);
    return () => watch.disconnect();
  }, [period]);
  const days =
    range.from === range.to
      ? formatCalendarDay(range.from)
      : `${formatCalendarDay(range.from)} – ${formatCalendarDay(range.to)}`;
  return (
    <>
      <ul ref={bar} className={classes.periods} aria-label={filterTexts.period}>
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
        opened={asking && Form !== undefined}
        onClose={close}
        closeOnEscape={calendar === null}
        title={texts.dateRange}
        size="sm"
      >
        {Form && (
          <Form
            range={range}
            singleDate={singleDate}
            onCalendar={(end, opened) => setCalendar((open) => (opened ? end : open === end ? null : open))}
            onClose={close}
            onRange={(chosen) => {
              close();
              onRange(chosen);
            }}
          />
        )}
      </Dialog>
    </>
  );
}
