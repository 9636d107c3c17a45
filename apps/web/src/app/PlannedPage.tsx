import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';

/** Stands in for a page of a later release and says what it will show. */
export function PlannedPage({ title, shows }: { title: string; shows: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="This page comes with a later release" text={shows} />
    </>
  );
}
