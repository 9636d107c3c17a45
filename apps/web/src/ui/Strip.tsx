import type { ComponentProps } from 'react';
import classes from './Strip.module.css';

/** A notice above the page's content with its actions. `data-failed` marks a failure. */
export function Strip(props: ComponentProps<'section'> & { 'data-failed'?: boolean }) {
  return <section className={classes.strip} {...props} />;
}
