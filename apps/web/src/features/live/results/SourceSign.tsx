import type { DrawResult } from '@drawhouse/contract/draws/draws';
import classes from './SourceSign.module.css';

export function SourceSign({ source }: { source: DrawResult['source'] }) {
  return (
    <span className={classes.sign} data-source={source} aria-hidden>
      {source === 'declared' ? 'D' : 'G'}
    </span>
  );
}
