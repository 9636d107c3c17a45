import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './Tick.module.css';

/** A box to tick, with its words beside it. */
export function Tick({ label, ...rest }: Omit<ComponentPropsWithRef<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className={styles.tick}>
      <input {...rest} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
