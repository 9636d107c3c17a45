import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './Checkbox.module.css';

export function Checkbox({ label, ...rest }: Omit<ComponentPropsWithRef<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className={styles.tick}>
      <input {...rest} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
