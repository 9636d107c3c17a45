import type { ComponentProps, MouseEvent } from 'react';
import { go } from '../../lib/navigation.ts';

type PathLinkProps = ComponentProps<'a'> & { href: string };

/** Navigates without a reload, yet can be opened in new tabs and copied. */
export function PathLink({ href, onClick, children, ...rest }: PathLinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || opensElsewhere || rest.target === '_blank') return;
    event.preventDefault();
    go.to(href);
  }
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
