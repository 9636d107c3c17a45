import { Text } from '@mantine/core';

export function ClearedNote({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <Text role="note" size="sm" c="var(--dh-text-muted)">
      {text}
    </Text>
  );
}
