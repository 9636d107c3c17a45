import { requestIdOf } from '@drawhouse/session/api-client';
import type { ReactNode } from 'react';
import classes from './RequestId.module.css';

/** Renders nothing if the text carries no request id. */
export function RequestId({ said: message }: { said: string | null | undefined }) {
  const id = message == null ? undefined : requestIdOf(message);
  if (id === undefined) return null;
  return (
    <small className={classes.request}>
      Request <code>{id}</code>
    </small>
  );
}

export function FailureText({ said: message }: { said: string }) {
  return (
    <>
      <span>{message}</span>
      <RequestId said={message} />
    </>
  );
}

export function failureNote(message: string): ReactNode {
  return <FailureText said={message} />;
}
