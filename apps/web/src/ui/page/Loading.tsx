import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import { WORK_KINDS } from '@drawhouse/contract/network-work/network-work-texts';
import { Skeleton, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './Loading.module.css';
import { pageTexts } from '../uiTexts.ts';
import workProgressClasses from './WorkProgress.module.css';

export type PageShape = 'table' | 'form' | 'other';

const FIELDS = [1, 2, 3, 4];

export function PageSkeleton({ shape }: { shape: PageShape }) {
  return (
    <section className={classes.page} aria-busy aria-label={pageTexts.loadingPage}>
      <Skeleton height={28} width={220} />
      {shape === 'table' && <div className={classes.rows} />}
      {shape === 'form' &&
        FIELDS.map((field) => (
          <div key={field} className={classes.field}>
            <Skeleton height={12} width={96} />
            <Skeleton height={36} />
          </div>
        ))}
    </section>
  );
}

interface LoadingOverlayProps {
  visible: boolean;
  label?: string;
}

/** Covers the nearest positioned ancestor. Short requests never show it. */
export function LoadingOverlay({ visible, label = 'Loading' }: LoadingOverlayProps) {
  if (!visible) return null;
  return (
    <output className={classes.overlay} aria-label={label}>
      <Loader size="sm" aria-hidden />
    </output>
  );
}

export function WorkProgress({ work }: { work: Pick<NetworkWorkState, 'kind' | 'by' | 'step' | 'done' | 'total'> }) {
  const what = `${WORK_KINDS[work.kind]} by ${work.by}`;
  const percent = work.total > 0 ? Math.min(100, Math.floor((100 * work.done) / work.total)) : undefined;
  const far = [work.step, percent !== undefined && `${percent}\u{a0}%`].filter(Boolean).join(': ');
  return (
    <Strip aria-label={pageTexts.inProgress}>
      <span className={workProgressClasses.text}>
        <span className={workProgressClasses.name}>{what}.</span> {far}
      </span>
      <ProgressBar aria-label={what} max={100} value={percent} />
    </Strip>
  );
}

/** Without a value it only moves. */
export function ProgressBar(props: ComponentProps<'progress'>) {
  return <progress className={workProgressClasses.bar} {...props} />;
}

/** `data-failed` marks a failure. */
export function Strip(props: ComponentProps<'section'> & { 'data-failed'?: boolean }) {
  return <section className={workProgressClasses.strip} {...props} />;
}
