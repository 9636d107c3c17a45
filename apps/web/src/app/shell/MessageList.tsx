import { Notifications } from '@mantine/notifications';
import { MESSAGE_MS } from '../../firstTexts.ts';

export function MessageList() {
  return <Notifications position="top-center" autoClose={MESSAGE_MS.usual} />;
}
