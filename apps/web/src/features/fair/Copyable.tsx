import { useEffect, useState } from 'react';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

const SHOWN_MS = 1_500;

export function Copyable({ value, name }: { value: string; name: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  // Only HTTPS pages and localhost may copy.
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  return (
    <span className={classes.copyable}>
      <code className={classes.long}>{value}</code>
      {clipboard && (
        <button
          type="button"
          className={classes.copy}
          aria-label={copied ? fairTexts.copiedNamed(name) : fairTexts.copyNamed(name)}
          onClick={() => void clipboard.writeText(value).then(() => setCopied(true))}
        >
          {copied ? fairTexts.copied : fairTexts.copy}
        </button>
      )}
    </span>
  );
}
