import type { fairSeals } from '@drawhouse/contract/seals/seals';
import { richText } from '@drawhouse/session/rich-text';
import { Button, TextInput } from '@mantine/core';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { sealGradeTexts } from '../../lib/format/sealGradeTexts.ts';
import { fairPath } from '../../lib/paths.ts';
import { call, errorMessage } from '../../lib/server/api.ts';
import { formatTime } from './fairFormat.ts';
import { FairFrame } from './FairFrame.tsx';
import { fairTexts, sharedText } from './fairTexts.ts';
import classes from './fair.module.css';
import { readDrawId } from './draw/fairDraw.ts';

export function FairStartPage() {
  return (
    <FairFrame title={fairTexts.title}>
      <p className={classes.lead}>{fairTexts.youDontHaveTrust}</p>
      <DrawIdForm />
      <ol className={classes.story}>
        <li>
          <h2>{fairTexts.houseCommits}</h2>
          <p>{fairTexts.whenDrawOpensBefore}</p>
          <p>{richText(fairTexts.drawMayAlsoUse, { strong: <strong>{fairTexts.beacon}</strong> })}</p>
        </li>
        <li>
          <h2>{fairTexts.oddsAreFixed}</h2>
          <p>{fairTexts.commitmentComesWithOdds}</p>
        </li>
        <li>
          <h2>{fairTexts.bettingCloses}</h2>
          <p>{fairTexts.noBetIsAccepted}</p>
        </li>
        <li>
          <h2>{fairTexts.resultIsGeneratedOr}</h2>
          <p>
            {richText(fairTexts.byDefaultDrawIs, {
              strong: <strong>{fairTexts.generated}</strong>,
              strong2: <strong>{fairTexts.declared}</strong>,
              strong3: <strong>{fairTexts.voided}</strong>,
            })}
          </p>
        </li>
        <li>
          <h2>{fairTexts.seedIsPublishedAnd}</h2>
          <p>{fairTexts.onceWinsArePaid}</p>
        </li>
      </ol>
      <section id="seals" ref={scrollToSection}>
        <h2>{fairTexts.sealsTitle}</h2>
        <p>{fairTexts.ticketsResultsAndMovements}</p>
        <SealsLine />
      </section>
    </FairFrame>
  );
}

/** The browser seeks the anchor before this section renders. */
function scrollToSection(section: HTMLElement | null): void {
  if (section && window.location.hash === `#${section.id}`) section.scrollIntoView();
}

/** Type-checked against the contract without bundling its schema. */
const FAIR_SEALS = { method: 'GET', path: 'fair/seals' } satisfies Pick<
  typeof fairSeals,
  'method' | 'path'
> as typeof fairSeals;

function SealsLine() {
  const [line, setLine] = useState<{ readonly text: string; readonly isFailure: boolean }>();
  useEffect(() => {
    const stop = new AbortController();
    const show = (text: string, isFailure: boolean): void =>
      void (stop.signal.aborted || setLine({ text: sharedText(text), isFailure }));
    call(FAIR_SEALS, {}, { signal: stop.signal, background: true }).then(
      ({ seals }) => show(sealGradeTexts(seals, formatTime).sentence, false),
      (error: unknown) => show(errorMessage(error), true),
    );
    return () => stop.abort();
  }, []);
  return line && <p role={line.isFailure ? 'alert' : undefined}>{line.text}</p>;
}

export function DrawIdForm({ initial = '', refusal = null }: { initial?: string; refusal?: string | null }) {
  const [text, setText] = useState(initial);
  const [error, setError] = useState(refusal);
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const drawId = readDrawId(text);
    if (drawId === null) setError(fairTexts.idWrong);
    else if (drawId === initial) setError(refusal);
    else window.location.assign(fairPath(drawId));
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={fairTexts.idLabel}
        description={fairTexts.idHelp}
        classNames={{ description: classes.help }}
        value={text}
        error={error}
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
      />
      <Button type="submit">{fairTexts.checkThisDraw}</Button>
    </form>
  );
}
