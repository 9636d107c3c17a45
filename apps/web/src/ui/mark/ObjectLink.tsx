import type { ObjectRef } from '@drawhouse/contract/core/list';
import type { ReactNode } from 'react';
import { objectPath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../page/PathLink.tsx';

interface ObjectLinkProps {
  about: ObjectRef | null;
  className?: string | undefined;
  title?: string | undefined;
  children: ReactNode;
}

/** Shows plain text without an object, and for accounts that the viewer does not manage. */
export function ObjectLink({ about, className, title, children }: ObjectLinkProps) {
  const user = useUser();
  const href = about && objectPath(user, about);
  return href === null ? (
    <span className={className} title={title}>
      {children}
    </span>
  ) : (
    <PathLink href={href} className={className} title={title}>
      {children}
    </PathLink>
  );
}
