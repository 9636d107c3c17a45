import { createElement, type ComponentPropsWithRef, type MouseEvent } from 'react';

/** Navigates without a reload, yet can be opened in new tabs and copied. */
export function linkOf(go: (path: string) => void) {
  return function Link({ href, onClick, ...rest }: ComponentPropsWithRef<'a'> & { href: string }) {
    const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
      onClick?.(event);
      const isElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (event.defaultPrevented || isElsewhere || (rest.target ?? '_self') !== '_self') return;
      event.preventDefault();
      go(href);
    };
    return createElement('a', { ...rest, href, onClick: follow });
  };
}
