import type { ReactNode } from 'react';
import { playerTexts } from '../lib/playerTexts.ts';
import styles from './Notice.module.css';
import { requestIdOf } from '@drawhouse/session/api-client';

export type NoticeTone = 'info' | 'good' | 'warn' | 'bad';

interface NoticeProps {
  tone?: NoticeTone;
  title?: ReactNode;
  children?: ReactNode;
  /** Announces the notice when it appears. Leave unset for initial content. */
  isSaid?: boolean;
  action?: ReactNode;
  beside?: ReactNode;
}

const SIGNS: Readonly<Record<NoticeTone, string>> = {
  info: 'M12 8v.01M12 11v6',
  good: 'M7 12.5l3.5 3.5L17 9',
  warn: 'M12 6.5v7M12 17v.01',
  bad: 'M8.5 8.5l7 7M15.5 8.5l-7 7',
};

export function Notice({ tone = 'info', title, children, isSaid = false, action, beside }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={isSaid ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <circle cx="12" cy="12" r="10" />
        <path d={SIGNS[tone]} />
      </svg>
      <div className={styles.words}>
        {title != null && <strong>{title}</strong>}
        {children != null && <div>{children}</div>}
        <RequestLine error={title ?? children} />
        {action != null && <div className={styles.action}>{action}</div>}
      </div>
      {beside}
    </div>
  );
}

/** Shows the request id, to find the call in the server log. */
export function RequestLine({ error }: { error: unknown }) {
  const id = requestIdOf(error);
  return id ? (
    <small className={styles.request}>
      {playerTexts.request} <code>{id}</code>
    </small>
  ) : null;
}
