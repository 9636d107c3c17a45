import { IconFileSpreadsheet } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { HeadButton } from './HeadButton.tsx';
import type { Export } from '../lib/useExport.ts';

interface ExportButtonProps {
  exporting: Export;
  name: string;
  icon?: ComponentProps<typeof HeadButton>['icon'];
}

export function ExportButton({ exporting, name, icon = IconFileSpreadsheet }: ExportButtonProps) {
  const busy = exporting.state !== null && exporting.state.error === null;
  return (
    <HeadButton
      name={name}
      icon={icon}
      variant="default"
      aria-disabled={busy}
      data-busy={busy || undefined}
      onClick={exporting.start}
    />
  );
}
