import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Link } from '../lib/navigation.ts';
import styles from './Button.module.css';

/** How much a button asks for: the one main act of a page, any other, one that can't be taken back, or hardly more than a word. */
export type ButtonKind = 'main' | 'plain' | 'danger' | 'quiet';

interface Looks {
  kind?: ButtonKind | undefined;
  /** As wide as what it stands in. */
  isWide?: boolean | undefined;
  children: ReactNode;
}

/** A button that a thumb finds. While `isBusy` it does nothing and says so; it keeps the focus. */
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

/** A link that looks like a button. */
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
