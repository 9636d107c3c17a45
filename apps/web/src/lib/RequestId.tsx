import { requestIdOf } from '@drawhouse/session/api-client';
import type { ReactNode } from 'react';
import classes from './RequestId.module.css';

/** Renders nothing if the text carries no request id. */
export function RequestId({ said }: { said: string | null | undefined }) {
  const id = said == null ? undefined : requestIdOf(said);
  if (id === undefined) return null;
  return (
    <small className={classes.request}>
      Request <code>{id}</code>
    </small>
  );
}

export function FailureText({ said }: { said: string }) {
  return (
    <>
      <span>{said}</span>
      <RequestId said={said} />
    </>
  );
}

export function failureNote(said: string): ReactNode {
  return <FailureText said={said} />;
}
