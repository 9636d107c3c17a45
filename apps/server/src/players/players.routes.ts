import { lobby } from '@drawhouse/contract/players/lobby';
import { setWelcomeShown, welcome, welcomeShown } from '@drawhouse/contract/players/welcome';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../services.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { areWinnersShown, showWinners } from './landing-settings.ts';
import { readLobby } from './read-lobby.ts';
import { createWelcome } from './read-welcome.ts';

/** The calls of the players' start and of the landing page, with what an admin lets that tell. */
export function playersRoutes(services: Services): BoundRoute<Actor>[] {
  const { read, forget } = createWelcome(services);
  return [
    handle(lobby, (_input, { actor, sessionId }: { actor: Actor; sessionId: string }) =>
      readLobby(services, actor, sessionId),
    ),
    handle(welcome, () => read()),
    handle(welcomeShown, async (_input, { actor }: { actor: Actor }) => ({
      shown: await areWinnersShown(services.db, actor.networkId),
    })),
    handle(setWelcomeShown, ({ body }, call) => showWinners(services, call, body.shown, forget)),
  ];
}
