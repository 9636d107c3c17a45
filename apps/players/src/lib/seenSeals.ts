import { watchInPage } from '@drawhouse/watch/page-watch';

/** The watch over the log of seals of this server, from the moment that something asks for it. */
export const seenSeals = watchInPage(window, Date.now);
