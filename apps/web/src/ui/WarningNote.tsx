import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Unlike an alert, does not interrupt a screen reader. */
export function WarningNote({ children }: { children: string }) {
  return (
    <Alert role="note" color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
      {children}
    </Alert>
  );
}
