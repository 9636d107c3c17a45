import { Button, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { go } from '../../lib/navigation.ts';
import { EmptyState } from './PageStates.tsx';
import { PathLink } from './PathLink.tsx';
import { pageTexts } from '../uiTexts.ts';

interface NotFoundStateProps {
  what: string;
  to: { label: string; href: string };
}

export function NotFoundState({ what, to }: NotFoundStateProps) {
  return (
    <div role="alert">
      <EmptyState
        title={pageTexts.wasNotFound(what)}
        text={pageTexts.itMayHaveBeen}
        action={
          <Group justify="center" gap="xs">
            <Button
              variant="default"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
              onClick={() => go.back(to.href)}
            >
              {pageTexts.goBack}
            </Button>
            <Button variant="default" component={PathLink} href={to.href}>
              {to.label}
            </Button>
          </Group>
        }
      />
    </div>
  );
}
