import { Button } from '@mantine/core';
import { formatBytes, formatCount } from '../../lib/format/format.ts';
import { RequestId } from '../../lib/RequestId.tsx';
import type { Export } from '../../lib/server/useExport.ts';
import { Strip } from './WorkProgress.tsx';
import classes from './ExportProgress.module.css';

export function ExportProgress({ exporting }: { exporting: Export }) {
  const { state } = exporting;
  if (!state) return null;
  const { fileName } = state;
  if (state.error !== null) {
    return (
      <Strip data-failed role="alert">
        <span className={classes.text}>
          <span className={classes.name}>{fileName}</span>{' '}
          <span className={classes.error}>could not be exported. {state.error}</span>
          <RequestId said={state.error} />
        </span>
        <Button size="xs" onClick={exporting.start}>
          Try again
        </Button>
        <Button size="xs" variant="default" onClick={exporting.cancel}>
          Close
        </Button>
      </Strip>
    );
  }
  const share = state.total === null ? 1 : state.bytes / state.total;
  return (
    <Strip aria-label="Export" aria-busy>
      <span className={classes.text}>
        <span className={classes.name}>{fileName}</span>{' '}
        {state.bytes === 0 ? 'is being prepared' : `${formatBytes(state.bytes)} so far`}
        {state.rows !== null && `, ${formatCount(state.rows)} rows in total`}
      </span>
      <div className={classes.bar} aria-hidden data-open-ended={state.total === null || undefined}>
        <div className={classes.done} style={state.total === null ? undefined : { width: `${share * 100}%` }} />
      </div>
      <Button size="xs" variant="default" onClick={exporting.cancel}>
        Cancel
      </Button>
    </Strip>
  );
}
