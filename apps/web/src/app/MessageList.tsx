import { Notifications } from '@mantine/notifications';
import { MESSAGE_MS } from '../firstTexts.ts';

/** Each message stays until it can have been read. */
export function MessageList() {
  return <Notifications position="top-center" autoClose={MESSAGE_MS.usual} />;
}
