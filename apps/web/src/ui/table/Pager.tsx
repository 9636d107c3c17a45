import { ActionIcon, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, formatShown } from '../../lib/format/format.ts';
import type { DataPager } from './columns/dataColumn.ts';
import classes from './Pager.module.css';
import { tableTexts } from '../listTexts.ts';

interface PagerProps {
  pager: DataPager;
  summary?: string;
  tools?: ReactNode;
}

const PAGE_SIZES = [10, 25, 50, 100] as const;

export function Pager({ pager, summary, tools }: PagerProps) {
  const { page, pageSize, total, onPage, onPageSize } = pager;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const before = (page - 1) * pageSize;
  const count = Math.max(0, Math.min(total, page * pageSize) - before);
  return (
    <nav className={classes.pager} aria-label={tableTexts.pages}>
      <Text className={classes.summary} aria-live="polite">
        {summary ?? formatShown(before + 1, count, formatCount(total))}
      </Text>
      {tools}
      <PageSize pageSize={pageSize} onPageSize={onPageSize} />
      <span className={classes.steps}>
        <Step name={tableTexts.firstPage} far disabled={page <= 1} onClick={() => onPage(1)}>
          <IconChevronsLeft size={16} aria-hidden />
        </Step>
        <Step name={tableTexts.previousPage} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <IconChevronLeft size={16} aria-hidden />
        </Step>
        <Text component="span" className={classes.page}>
          {formatCount(page)}
          {/* After a failed load, the count is unknown. */}
          {page <= last && ` / ${formatCount(last)}`}
        </Text>
        <Step name={tableTexts.nextPage} disabled={page >= last} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={16} aria-hidden />
        </Step>
        <Step name={tableTexts.lastPage} far disabled={page >= last} onClick={() => onPage(last)}>
          <IconChevronsRight size={16} aria-hidden />
        </Step>
      </span>
    </nav>
  );
}

export function PageSize({ pageSize, onPageSize }: Pick<DataPager, 'pageSize' | 'onPageSize'>) {
  const sizes = [...new Set([...PAGE_SIZES, pageSize])].toSorted((a, b) => a - b);
  return (
    <NativeSelect
      className={classes.size}
      size="xs"
      aria-label={tableTexts.rowsPerPage}
      value={String(pageSize)}
      data={sizes.map((size) => ({ value: String(size), label: tableTexts.rows(size) }))}
      onChange={(event) => onPageSize(Number(event.currentTarget.value))}
    />
  );
}

export function Step({
  name,
  far = false,
  disabled,
  onClick,
  children,
}: {
  name: string;
  far?: boolean;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={far ? classes.far : undefined}
      aria-label={name}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
