import type { Work } from '../../network-work/network-work.ts';
import type { Archive } from '../archive.ts';

/** One archive on its way. */
export interface Sending {
  readonly archive: Archive;
  readonly name: string;
  /** Whether an archive of this name is one of the same network. */
  readonly isSibling: (name: string) => boolean;
  readonly work: Work;
}

/** A place to send to. What it throws is its own. */
export interface Destination {
  /** As people read it: nothing secret, no user. */
  readonly where: string;
  /** Gives the bytes that were sent and found there. */
  send(sending: Sending): Promise<number>;
}
