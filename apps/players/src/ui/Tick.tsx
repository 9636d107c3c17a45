import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './Tick.module.css';

export function Tick({ label, ...rest }: Omit<ComponentPropsWithRef<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className={styles.tick}>
      <input {...rest} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
