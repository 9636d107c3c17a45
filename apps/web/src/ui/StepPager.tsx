import { Button, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import type { DataSteps } from './dataColumn.ts';
import { PageSize } from './Pager.tsx';
import classes from './Pager.module.css';

interface StepPagerProps {
  steps: DataSteps;
  /** Stands beside the page size. */
  tools?: ReactNode;
}

/** The row beneath a table whose pages have no numbers: how much there is in all, and the steps to newer and older rows. */
export function StepPager({ steps, tools }: StepPagerProps) {
  const { total, pageSize, onPageSize, onNewer, onOlder } = steps;
  return (
    <nav className={classes.pager} aria-label="Pages">
      <Text className={classes.summary} aria-live="polite">
        {total === 0 ? 'No entries' : total === 1 ? '1 entry' : `${formatCount(total)} entries`}
      </Text>
      {tools}
      <PageSize pageSize={pageSize} onPageSize={onPageSize} />
      <span className={classes.steps}>
        <Button
          {...STEP}
          disabled={!onNewer}
          onClick={() => onNewer?.()}
          leftSection={<IconChevronLeft size={14} aria-hidden />}
        >
          Newer
        </Button>
        <Button
          {...STEP}
          disabled={!onOlder}
          onClick={() => onOlder?.()}
          rightSection={<IconChevronRight size={14} aria-hidden />}
        >
          Older
        </Button>
      </span>
    </nav>
  );
}

const STEP = { size: 'xs', variant: 'subtle', color: 'gray' } as const;
