import { requestIdOf } from '@drawhouse/session/api-client';
import type { ReactNode } from 'react';
import { firstTexts } from '../firstTexts.ts';
import { richText } from '@drawhouse/session/rich-text';
import classes from './RequestId.module.css';

export function RequestId({ message }: { message: string | null | undefined }) {
  const id = message == null ? undefined : requestIdOf(message);
  if (id === undefined) return null;
  return <small className={classes.request}>{richText(firstTexts.request, { id: <code>{id}</code> })}</small>;
}

export function FailureText({ message }: { message: string }) {
  return (
    <>
      <span>{message}</span>
      <RequestId message={message} />
    </>
  );
}

export function failureNote(message: string): ReactNode {
  return <FailureText message={message} />;
}
