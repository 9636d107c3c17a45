import { Button, Group, Text } from '@mantine/core';
import { formatDateTime } from '../../lib/format.ts';

/** Says how far a search came before its time was over, and goes on from there. */
export function SearchCut({ to, descending, onGoOn }: { to: string; descending: boolean; onGoOn: () => void }) {
  return (
    <Group gap="sm" py={6}>
      <Text component="output" size="sm">
        In 2 seconds this came {descending ? 'back' : 'on'} to {formatDateTime(to)}. Go on from there, or narrow it by a
        date.
      </Text>
      <Button size="xs" variant="default" onClick={onGoOn}>
        Search further
      </Button>
    </Group>
  );
}
