import {
  API_KEY_DAYS,
  apiKeyDays,
  apiKeys,
  changeApiKey,
  endApiKey,
  makeApiKey,
} from '@drawhouse/contract/api-keys/api-keys';
import type { Actor } from '../accounts/authority.ts';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import type { Programs } from '../platform/http/limits/admit-call.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { isApiKey, authenticateKey } from './authenticate-key.ts';
import { listDays, listKeys } from './api-keys.sql.ts';
import { changeKey, endKey, makeKey } from './change-api-key.ts';

const DAY_MS = 86_400_000;

export function apiKeysRoutes(services: Services): BoundRoute<Actor>[] {
  const { db, clock, timeZone } = services;
  const today = (daysAgo = 0): string => dayOf(new Date(clock.now().getTime() - daysAgo * DAY_MS), timeZone);
  const requireDays = async (actor: Actor, keyId: string) => {
    const data = await listDays(db, actor, keyId, today(API_KEY_DAYS));
    if (!data) throw new CallError('NOT_FOUND');
    return { data };
  };
  return [
    handle(apiKeys, async (_input, { actor }: { actor: Actor }) => ({ data: await listKeys(db, actor, today()) })),
    handle(makeApiKey, ({ body }, call) => makeKey(services, call, body)),
    handle(changeApiKey, ({ params, body }, call) => changeKey(services, call, params.keyId, body)),
    handle(endApiKey, ({ params }, call) => endKey(services, call, params.keyId)),
    handle(apiKeyDays, ({ params }, { actor }: { actor: Actor }) => requireDays(actor, params.keyId)),
  ];
}

export function programsOf(services: Services): Programs<Actor> {
  return { isApiKey, authenticateKey: (token, ip) => authenticateKey(services, token, ip) };
}
