import { judgePasted, readPastedSeal } from '@drawhouse/watch/pasted-seal';
import type { PastedFinding, PastedSeal } from '@drawhouse/watch/pasted-seal';
import { base64Of } from '@drawhouse/tlog/base64';
import { canVerifyInBrowser, verifyInBrowser } from '@drawhouse/tlog/web-ed25519';
import { Button, InputBase } from '@mantine/core';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Mark } from './Mark.tsx';
import { pastedWords, sealReceiptTexts as texts } from './sealReceiptTexts.ts';
import classes from './fair.module.css';

const PATIENCE_MS = 20_000;

/** What was found of a seal that somebody pasted. */
interface Found {
  readonly seal: PastedSeal;
  readonly finding: PastedFinding;
}

/** Takes the seal of a receipt or of a printed ticket, and says whether the log of now contains it: the proof is computed in this browser. */
export function SealReceipt() {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  async function check(event: SyntheticEvent) {
    event.preventDefault();
    setFound(null);
    const seal = readPastedSeal(text);
    if (!seal) return setError(text.trim() === '' ? texts.empty : texts.unreadable);
    setAsking(true);
    const verify = (await canVerifyInBrowser()) ? verifyInBrowser : null;
    setFound({ seal, finding: await judgePasted(seal, { get, verify }) });
    setAsking(false);
  }
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt">{texts.title}</h2>
      <p>{texts.lead}</p>
      <form className={classes.receipt} onSubmit={(event) => void check(event)} noValidate>
        <InputBase
          component="textarea"
          multiline
          rows={4}
          label={texts.label}
          description={texts.help}
          classNames={{ description: classes.help }}
          error={error}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
            setFound(null);
          }}
        />
        <Button type="submit" loading={isAsking}>
          {texts.check}
        </Button>
      </form>
      <output>{found && <Finding {...found} />}</output>
    </section>
  );
}

function Finding({ seal, finding }: Found) {
  const { outcome, title, paragraphs } = pastedWords(seal, finding, formatCount);
  return (
    <div className={classes.verdict} data-kind="generated" data-outcome={outcome}>
      <h3>
        {outcome !== 'none' && <Mark is={outcome} />}
        {title}
      </h3>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <dl className={classes.compared}>
        <dt>Records</dt>
        <dd>{formatCount(seal.size)}</dd>
        <dt>Fingerprint</dt>
        <dd>
          <code className={classes.long}>{base64Of(seal.root)}</code>
        </dd>
      </dl>
    </div>
  );
}

async function get(path: string): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(path, { cache: 'no-store', credentials: 'omit', signal });
  return { status: answer.status, text: await answer.text() };
}
