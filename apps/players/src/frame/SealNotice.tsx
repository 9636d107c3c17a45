import { barOf } from '@drawhouse/watch/watch-words';
import type { WatchBar } from '@drawhouse/watch/watch-words';
import { useState, useSyncExternalStore } from 'react';
import { countText, dateText } from '../lib/amounts.ts';
import { saveText } from '../lib/saveText.ts';
import { seenSeals } from '../lib/seenSeals.ts';
import { Button } from '../ui/Button.tsx';
import styles from './SealNotice.module.css';

const WRITTEN = { count: countText, time: (ms: number) => dateText(new Date(ms).toISOString()) };

/** That the sealed books do not go on from what this browser saw: on every page, until somebody has seen to it. */
export function SealNotice() {
  const known = useSyncExternalStore(seenSeals.subscribe, seenSeals.known);
  const [hidden, setHidden] = useState<string | null>(null);
  const bar = barOf(known, WRITTEN);
  if (!bar || hidden === bar.title) return null;
  return <Bar bar={bar} onHide={() => setHidden(bar.title)} />;
}

function Bar({ bar: { tone, title, seen, more, evidence }, onHide }: { bar: WatchBar; onHide: () => void }) {
  const text = evidence?.(location.origin);
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  const [isCopied, setCopied] = useState(false);
  return (
    <section className={styles.bar} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <div className={styles.inside}>
        <p>
          <strong>{title}</strong> {seen}
        </p>
        <details>
          <summary>What it means, and what to do</summary>
          {more.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {text !== undefined && <pre>{text}</pre>}
          <Button onClick={seenSeals.settle}>
            {tone === 'bad' ? 'I have kept it: go on from what there is now' : 'Don’t show it again'}
          </Button>
        </details>
        <div className={styles.acts}>
          {text !== undefined && (
            <Button onClick={() => saveText(text, 'seals-evidence.txt')}>Save the evidence</Button>
          )}
          {text !== undefined && clipboard && (
            <Button kind="quiet" onClick={() => void clipboard.writeText(text).then(() => setCopied(true))}>
              {isCopied ? 'Copied' : 'Copy it'}
            </Button>
          )}
          <Button kind="quiet" onClick={onHide}>
            Hide for now
          </Button>
        </div>
      </div>
    </section>
  );
}
