import { requestIdOf } from '@drawhouse/session/said-failures';
import type { ReactNode } from 'react';
import classes from './RequestId.module.css';

/**
 * By what the log of the server has the call of which this was said: small, beneath what is said, and chosen whole by a click, to be copied. Nothing where it is of no
 * call that the server has answered.
 */
export function RequestId({ said }: { said: string | null | undefined }) {
  const id = said == null ? undefined : requestIdOf(said);
  if (id === undefined) return null;
  return (
    <small className={classes.request}>
      Request <code>{id}</code>
    </small>
  );
}

/** What is said of a failed call, with its id beneath. */
export function FailureText({ said }: { said: string }) {
  return (
    <>
      <span>{said}</span>
      <RequestId said={said} />
    </>
  );
}

/** The same as the message of a notification. */
export function failureNote(said: string): ReactNode {
  return <FailureText said={said} />;
}
