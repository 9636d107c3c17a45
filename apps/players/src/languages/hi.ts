import type { Catalogue } from '@drawhouse/session/language';
import type { Formats } from '../lib/inLanguage.ts';
import type { Messages } from './messages.ts';
import { HINDI_NAMES } from '@drawhouse/session/hindi-names';
import { translatorOf } from '@drawhouse/session/translate';
import { account } from './hi/account.ts';
import { betProblems, play } from './hi/play.ts';
import { boardParts } from './hi/board-parts.ts';
import { takeFormats } from './hi/format.ts';
import { frame, lobby } from './hi/frame.ts';
import { games } from './hi/games.ts';
import { errorsByCode, serverMessages } from './hi/server.ts';
import { ticket } from './hi/ticket.ts';

const shared = translatorOf({ ...HINDI_NAMES, ...betProblems });
const server = translatorOf(serverMessages);

export const hi = {
  ...frame,
  ...lobby,
  ...play,
  ...boardParts,
  ...account,
  ...ticket,
  ...games,
  sharedText: (english) => shared(english) ?? english,
  serverTexts: {
    refusal: (code, message) =>
      server(message) ??
      (code in errorsByCode ? errorsByCode[code as keyof typeof errorsByCode] : errorsByCode.INTERNAL),
    field: (message) => server(message) ?? shared(message) ?? 'यह सही नहीं है',
    done: (message) => server(message) ?? 'हो गया।',
  },
} satisfies Messages;

// index.html runs this script before the app, so texts of the app are constants.
globalThis.catalogue = {
  language: 'hi',
  textsOf: (name, _english, formats) => {
    takeFormats(formats as Formats);
    return hi[name as keyof typeof hi];
  },
} satisfies Catalogue;
