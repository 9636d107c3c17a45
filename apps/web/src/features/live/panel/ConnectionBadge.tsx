import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { liveTexts } from '../liveTexts.ts';
import { isLost } from './panelRoom.ts';
import type { Connection } from './panelRoom.ts';

/** Whether the figures come as they change: live, stale or reconnecting. */
export function ConnectionBadge({ connection, stale }: { connection: Connection; stale: boolean }) {
  if (isLost(connection)) return <StatusBadge tone="bad">{liveTexts.reconnecting}</StatusBadge>;
  if (stale) return <StatusBadge tone="bad">{liveTexts.stale}</StatusBadge>;
  if (connection === 'connecting') return <StatusBadge tone="neutral">{liveTexts.connecting}</StatusBadge>;
  return <StatusBadge tone="good">{liveTexts.live}</StatusBadge>;
}
