import { Text } from '@mantine/core';

/** What of the time of a list was cleared, or undone by a restore, where something was. */
export function ClearedNote({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <Text role="note" size="sm" c="var(--dh-text-muted)">
      {text}
    </Text>
  );
}
