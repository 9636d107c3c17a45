import { barOf } from '@drawhouse/watch/watch-words';
import type { WatchBar } from '@drawhouse/watch/watch-words';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, useSyncExternalStore } from 'react';
import { formatCount, formatDateTime } from '../lib/format.ts';
import { saveFile } from '../lib/saveFile.ts';
import { sealWatch } from '../lib/sealWatch.ts';
import classes from './SealBar.module.css';

const WRITTEN = { count: formatCount, time: (ms: number) => formatDateTime(new Date(ms).toISOString()) };

/** That the sealed books do not go on from what this browser saw: above every page of who is signed in and above the page about the seals, until somebody has seen to it. */
export function SealBar() {
  const known = useSyncExternalStore(sealWatch.subscribe, sealWatch.known);
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
    <section className={classes.bar} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <IconAlertTriangle size={20} aria-hidden />
      <div className={classes.inside}>
        <p>
          <strong>{title}</strong> {seen}
        </p>
        <details>
          <summary>What it means, and what to do</summary>
          {more.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {text !== undefined && <pre>{text}</pre>}
          <Button size="xs" variant="default" className={classes.settle} onClick={sealWatch.settle}>
            {tone === 'bad' ? 'I have kept it: go on from what there is now' : 'Don’t show it again'}
          </Button>
        </details>
        <div className={classes.acts}>
          {text !== undefined && (
            <Button size="xs" onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'seals-evidence.txt')}>
              Save the evidence
            </Button>
          )}
          {text !== undefined && clipboard && (
            <Button
              size="xs"
              variant="default"
              onClick={() => void clipboard.writeText(text).then(() => setCopied(true))}
            >
              {isCopied ? 'Copied' : 'Copy it'}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onHide}>
            Hide for now
          </Button>
        </div>
      </div>
    </section>
  );
}
