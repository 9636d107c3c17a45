import type { Cleared, ClearingState } from '@drawhouse/contract/clearing/clearing';
import { CLEARING_MODELS } from '@drawhouse/contract/clearing/clearing-texts';
import { Alert, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { formatDateTime } from '../../lib/format/format.ts';
import { clearingTexts as texts, daysText, freedSpaceText, leftLines, rowsText } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';

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

interface ClearedTableProps {
  models: readonly Cleared[];
  of: string;
}

export function ClearedTable({ models, of }: ClearedTableProps) {
  const { heads } = texts;
  // A new database has no size estimates.
  const isSized = models.some(({ bytes }) => bytes > 0);
  return (
    <div className={classes.scroll}>
      <table className={classes.table} data-sized={isSized || undefined}>
        <thead>
          <tr>
            <th scope="col">{heads.model}</th>
            <th scope="col">{of}</th>
            {isSized && <th scope="col">{heads.bytes}</th>}
            <th scope="col">{heads.left}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((cleared) => (
            <tr key={cleared.model} data-none={cleared.rows === 0 || undefined}>
              <th scope="row">{CLEARING_MODELS[cleared.model].title}</th>
              <td>{rowsText(cleared)}</td>
              {isSized && <td>{freedSpaceText(cleared.bytes)}</td>}
              <td className={classes.left}>
                {leftLines(cleared).map((line) => (
                  <div key={line}>
                    <span className={classes.leftHead}>{heads.left}: </span>
                    {line}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
