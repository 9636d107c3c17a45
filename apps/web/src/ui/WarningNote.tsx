import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** A warning that stands on a page. Unlike an alert, it does not interrupt a screen reader: nothing has failed. */
export function WarningNote({ children }: { children: string }) {
  return (
    <Alert role="note" color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
      {children}
    </Alert>
  );
}
