import type { ClearingState } from '@drawhouse/contract/clearing/clearing';
import { Alert, Text } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { formatDateTime } from '../../lib/format/format.ts';
import { ClearedTable } from './ClearedTable.tsx';
import { daysText, clearingTexts as texts } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';
import { CLEARING_MODELS } from '@drawhouse/contract/clearing/clearing-texts';

export function LastClearing({ last }: { last: NonNullable<ClearingState['last']> }) {
  const { at, by, failure, hasBegun, answer } = last;
  return (
    <Part title={texts.last}>
      <Text size="sm">{texts.lastBy(by, formatDateTime(at))}</Text>
      {failure !== null && (
        <Alert role="alert" color="red" variant="light" title={texts.failed}>
          {failure} {hasBegun && texts.partly}
        </Alert>
      )}
      {answer && (
        <>
          {answer.daysLeft !== null && <Text size="sm">{answer.daysLeft}</Text>}
          <ClearedTable models={answer.models} of={texts.heads.cleared} />
          {answer.backup !== null && (
            <Text size="sm" c="dimmed">
              {texts.backup} <span className={classes.backup}>{answer.backup}</span>. {texts.room}
            </Text>
          )}
        </>
      )}
    </Part>
  );
}

export function ClearedBefore({ history }: Pick<ClearingState, 'history'>) {
  return (
    <Part title={texts.history}>
      {history.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.never}
        </Text>
      ) : (
        <ul className={classes.history}>
          {history.map(({ first, last, models, by, at }) => (
            <li key={`${at} ${first}`}>
              <strong>{daysText({ first, last })}</strong>
              <span>{models.map((model) => CLEARING_MODELS[model].title).join(', ')}</span>
              <span className={classes.muted}>{texts.lastBy(by, formatDateTime(at))}</span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
