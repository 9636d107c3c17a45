import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Link } from '../lib/navigation.ts';
import styles from './Button.module.css';

export type ButtonKind = 'main' | 'plain' | 'danger' | 'quiet';

interface Looks {
  kind?: ButtonKind | undefined;
  isWide?: boolean | undefined;
  children: ReactNode;
}

/** While `isBusy`, ignores clicks but keeps focus. */
export function Button({
  kind = 'plain',
  isWide = false,
  isBusy = false,
  className = '',
  onClick,
  children,
  ...rest
}: Looks & { isBusy?: boolean | undefined } & ComponentPropsWithRef<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${className}`}
      data-kind={kind}
      data-wide={isWide || undefined}
      aria-disabled={isBusy || rest['aria-disabled'] || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy || rest['aria-disabled']) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}

export function ButtonLink({
  kind = 'plain',
  isWide = false,
  className = '',
  children,
  ...rest
}: Looks & ComponentPropsWithRef<typeof Link>) {
  return (
    <Link {...rest} className={`${styles.button} ${className}`} data-kind={kind} data-wide={isWide || undefined}>
      {children}
    </Link>
  );
}
