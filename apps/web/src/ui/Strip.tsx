import type { ComponentProps } from 'react';
import classes from './Strip.module.css';

/** A strip above what a page shows: it tells of something, with what can be done about it beside that. With `data-failed`, of what failed. */
export function Strip(props: ComponentProps<'section'> & { 'data-failed'?: boolean }) {
  return <section className={classes.strip} {...props} />;
}
