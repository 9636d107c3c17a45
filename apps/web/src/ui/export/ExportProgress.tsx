import { Button } from '@mantine/core';
import { formatBytes, formatCount } from '../../lib/format/format.ts';
import { RequestId } from '../../lib/RequestId.tsx';
import type { Export } from '../../lib/server/useExport.ts';
import { Strip } from '../page/Loading.tsx';
import classes from './ExportProgress.module.css';
import { exportTexts } from '../listTexts.ts';

export function ExportProgress({ exporting }: { exporting: Export }) {
  const { state } = exporting;
  if (!state) return null;
  const { fileName } = state;
  if (state.error !== null) {
    return (
      <Strip data-failed role="alert">
        <span className={classes.text}>
          <span className={classes.name}>{fileName}</span>{' '}
          <span className={classes.error}>{exportTexts.couldNotBeExported(state.error)}</span>
          <RequestId message={state.error} />
        </span>
        <Button size="xs" onClick={exporting.start}>
          {exportTexts.tryAgain}
        </Button>
        <Button size="xs" variant="default" onClick={exporting.cancel}>
          {exportTexts.close}
        </Button>
      </Strip>
    );
  }
  const share = state.total === null ? 1 : state.bytes / state.total;
  return (
    <Strip aria-label={exportTexts.export} aria-busy>
      <span className={classes.text}>
        <span className={classes.name}>{fileName}</span>{' '}
        {state.bytes === 0 ? exportTexts.isBeingPrepared : exportTexts.soFar(formatBytes(state.bytes))}
        {state.rows !== null && exportTexts.rowsInTotal(formatCount(state.rows))}
      </span>
      <div className={classes.bar} aria-hidden data-open-ended={state.total === null || undefined}>
        <div className={classes.done} style={state.total === null ? undefined : { width: `${share * 100}%` }} />
      </div>
      <Button size="xs" variant="default" onClick={exporting.cancel}>
        {exportTexts.cancel}
      </Button>
    </Strip>
  );
}
