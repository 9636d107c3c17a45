import { Button, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatShown } from '../../lib/format/format.ts';
import { pagingLinks, type ListChange } from '../../lib/list/listUrl.ts';
import type { ListView } from '../../lib/list/useList.ts';
import { PageSize, Step } from './Pager.tsx';
import classes from './Pager.module.css';
import { tableTexts } from '../listTexts.ts';

interface StepPagerProps {
  view: ListView<object>;
  first: number | null;
  summary: string | undefined;
  tools: ReactNode;
}

export function StepPager({ view, first, summary, tools }: StepPagerProps) {
  const { rows, totalText, change } = view;
  const steps = pagingLinks(view.list, view.state, { ...view, rows: rows?.length ?? 0 });
  const names = steps.descending ? NEWEST_FIRST : NEWEST_FIRST.toReversed();
  const to = (step: ListChange | null) => ({ disabled: step === null, onClick: () => step && change(step) });
  return (
    <nav className={classes.pager} aria-label={tableTexts.pages}>
      <Text className={classes.summary} aria-live="polite">
        {rows === undefined ? '' : (summary ?? formatShown(first, rows.length, totalText))}
      </Text>
      {tools}
      <PageSize pageSize={view.pageSize} onPageSize={(pageSize) => change({ pageSize })} />
      <span className={classes.steps}>
        <Step name={names[0]!} far {...to(steps.first)}>
          <IconChevronsLeft size={16} aria-hidden />
        </Step>
        <Button {...STEP} {...to(steps.back)} leftSection={<IconChevronLeft size={14} aria-hidden />}>
          {names[1]}
        </Button>
        <Button {...STEP} {...to(steps.next)} rightSection={<IconChevronRight size={14} aria-hidden />}>
          {names[2]}
        </Button>
        <Step name={names[3]!} far {...to(steps.last)}>
          <IconChevronsRight size={16} aria-hidden />
        </Step>
      </span>
    </nav>
  );
}

const NEWEST_FIRST = ['Newest', 'Newer', 'Older', 'Oldest'];
const STEP = { size: 'xs', variant: 'subtle', color: 'gray' } as const;
