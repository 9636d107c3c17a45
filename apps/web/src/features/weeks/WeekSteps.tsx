import { ActionIcon, Button } from '@mantine/core';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './weeks.module.css';
import { weeksTexts } from './weeksTexts.ts';

interface WeekStepsProps {
  week: { readonly from: string; readonly to: string; readonly today: string } | undefined;
  onDay: (day: string | undefined) => void;
}

/** Steps up to the current week. */
export function WeekSteps({ week, onDay }: WeekStepsProps) {
  const isCurrent = !week || week.to >= week.today;
  return (
    <div className={classes.steps}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={weeksTexts.earlier}
        disabled={!week}
        onClick={() => onDay(addDays(week!.from, -7))}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <span className={classes.range} aria-live="polite">
        {week ? weeksTexts.range(week.from, week.to) : ' '}
      </span>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={weeksTexts.later}
        disabled={isCurrent}
        onClick={() => {
          const next = addDays(week!.from, 7);
          onDay(addDays(next, 6) >= week!.today ? undefined : next);
        }}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" disabled={isCurrent} onClick={() => onDay(undefined)}>
        {weeksTexts.current}
      </Button>
    </div>
  );
}
