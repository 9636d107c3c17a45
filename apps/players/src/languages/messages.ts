import type { betTexts } from '../account/bets/betTexts.ts';
import type { limitTexts } from '../account/limits/limitTexts.ts';
import type { securityTexts } from '../account/security/securityTexts.ts';
import type { statementTexts } from '../account/statement/statementTexts.ts';
import type { proofStepTexts, ticketTexts } from '../account/ticket/ticketTexts.ts';
import type { houseTexts } from '../house/houseTexts.ts';
import type { serverTexts, sharedText } from '../lib/inLanguage.ts';
import type { playerTexts } from '../lib/playerTexts.ts';
import type { sheetTexts } from '../ui/sheets/sheetTexts.ts';
import type { lobbyTexts } from '../lobby/lobbyTexts.ts';
import type { resultTexts } from '../lobby/results/resultTexts.ts';
import type { gameTexts } from '../play/gameTexts.ts';
import type { lazyTexts } from '../play/lazyTexts.ts';
import type { playTexts } from '../play/playTexts.ts';
import type { rulesTexts } from '../play/rules/rulesTexts.ts';
import type { shellSheetTexts } from '../shell/shellSheetTexts.ts';
import type { shellTexts } from '../shell/shellTexts.ts';
import type { signInTexts } from '../sign-in/signInTexts.ts';
import type { factorTexts } from '../ui/fields/factorTexts.ts';
import type { welcomeTexts } from '../welcome/welcomeTexts.ts';

/** Texts of all pages, by the name passed to `inLanguage`. */
export interface Messages {
  readonly betTexts: typeof betTexts;
  readonly factorTexts: typeof factorTexts;
  readonly gameTexts: typeof gameTexts;
  readonly houseTexts: typeof houseTexts;
  readonly lazyTexts: typeof lazyTexts;
  readonly limitTexts: typeof limitTexts;
  readonly lobbyTexts: typeof lobbyTexts;
  readonly playTexts: typeof playTexts;
  readonly playerTexts: typeof playerTexts;
  readonly proofStepTexts: typeof proofStepTexts;
  readonly resultTexts: typeof resultTexts;
  readonly rulesTexts: typeof rulesTexts;
  readonly securityTexts: typeof securityTexts;
  readonly serverTexts: typeof serverTexts;
  readonly sharedText: typeof sharedText;
  readonly sheetTexts: typeof sheetTexts;
  readonly shellSheetTexts: typeof shellSheetTexts;
  readonly shellTexts: typeof shellTexts;
  readonly signInTexts: typeof signInTexts;
  readonly statementTexts: typeof statementTexts;
  readonly ticketTexts: typeof ticketTexts;
  readonly welcomeTexts: typeof welcomeTexts;
}
