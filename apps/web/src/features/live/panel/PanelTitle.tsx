import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconDeviceTv, IconRefresh } from '@tabler/icons-react';
import { memo } from 'react';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { TestBadge } from '../../../ui/mark/StatusBadge.tsx';
import { liveTexts } from '../liveTexts.ts';

interface PanelTitleProps {
  title: string;
  of: string;
  isTest: boolean;
  phone: boolean;
  refreshing: boolean;
  canReset: boolean;
  onWall: () => void;
  onRefresh: () => void;
  onReset: () => void;
}

export const PanelTitle = memo(function PanelTitle(props: PanelTitleProps) {
  const { title, of, isTest, phone, refreshing, canReset, onWall, onRefresh, onReset } = props;
  return (
    <PageHeader
      title={title}
      of={of}
      badge={<TestBadge isTest={isTest} />}
      action={
        <Group gap="xs" wrap="nowrap">
          <Tooltip label={liveTexts.wall}>
            <ActionIcon variant="default" size="lg" aria-label={liveTexts.wall} onClick={onWall}>
              <IconDeviceTv size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {phone ? (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={liveTexts.refresh}
              loading={refreshing}
              onClick={onRefresh}
            >
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          ) : (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={refreshing}
              onClick={onRefresh}
            >
              {liveTexts.refresh}
            </Button>
          )}
          <Button variant="default" size={phone ? 'xs' : 'sm'} disabled={!canReset} onClick={onReset}>
            {liveTexts.resetBalance}
          </Button>
        </Group>
      }
    />
  );
});
