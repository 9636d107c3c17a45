import { failureText } from '../lib/playerApi.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';
import styles from './Waiting.module.css';

export function Skeleton({ heights, label = 'Loading' }: { heights: readonly number[]; label?: string }) {
  return (
    <output className={styles.skeleton} aria-label={label}>
      {heights.map((height, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <i key={index} style={{ height }} />
      ))}
    </output>
  );
}

export function ReadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice tone="bad" isSaid title={failureText(error)} action={<Button onClick={onRetry}>Try again</Button>}>
      Nothing was changed.
    </Notice>
  );
}
