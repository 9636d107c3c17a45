import { IconFileSpreadsheet } from '@tabler/icons-react';
import { HeadButton } from './HeadButton.tsx';
import type { Export } from '../lib/useExport.ts';

/** Begins an export. What becomes of it stands in an {@link ExportProgress}. */
export function ExportButton({ exporting, name }: { exporting: Export; name: string }) {
  const busy = exporting.state !== null && exporting.state.error === null;
  return (
    <HeadButton
      name={name}
      icon={IconFileSpreadsheet}
      variant="default"
      aria-disabled={busy}
      data-busy={busy || undefined}
      onClick={exporting.start}
    />
  );
}
