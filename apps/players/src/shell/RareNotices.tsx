import type { ConnectionState } from '../lib/server/liveConnection.ts';
import { Button } from '../ui/Button.tsx';
import { takeOver } from './workerUpdate.ts';
import styles from './ShellNotices.module.css';
import { shellSheetTexts } from './shellSheetTexts.ts';

const texts = shellSheetTexts.notices;

interface RareNoticesProps {
  line: ConnectionState;
  isNew: boolean;
  waits: boolean;
}

/** Rarely needed, hence a lazy chunk. */
export function RareNotices({ line, isNew, waits }: RareNoticesProps) {
  return (
    <>
      {waits && <NoticeLine notice={texts.restoring} />}
      {line === 'lost' && <NoticeLine notice={texts.lost} />}
      {line === 'elsewhere' && <NoticeLine notice={texts.elsewhere} />}
      {isNew && (
        <span className={styles.line}>
          <span>
            <strong>{texts.newVersion.title}</strong> {texts.newVersion.text}
          </span>
          <Button kind="quiet" onClick={() => void takeOver()}>
            {texts.newVersion.action}
          </Button>
        </span>
      )}
    </>
  );
}

function NoticeLine({ notice: { title, text } }: { notice: { readonly title: string; readonly text: string } }) {
  return (
    <span className={styles.line} data-tone="warn">
      <strong>{title}</strong> {text}
    </span>
  );
}
