import {
  makeChain as makeChainRoute,
  SIMULATED_MINUTES,
  simulatePlayers,
} from '@drawhouse/contract/first-steps/first-steps';
import type { Actor } from '../accounts/authority.ts';
import { lockNetworkMark, setSimulatedUntil } from '../accounts/test-network.ts';
import { runCommand } from '../activity/run-command.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { handle, type BoundRoute, type Call } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { makeChain } from './make-chain.ts';
import { FIRST_STEPS_TEXTS } from './first-steps-texts.ts';

export function firstStepsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(makeChainRoute, async ({ body }, call) => ({
      message: FIRST_STEPS_TEXTS.chainCreated,
      data: await makeChain(services, call, body),
    })),
    handle(simulatePlayers, async ({ params: { adminId }, body: { running } }, call) => {
      const until = await setSimulation(services, call, adminId, running);
      return {
        message: running ? FIRST_STEPS_TEXTS.started : FIRST_STEPS_TEXTS.stopped,
        simulatedUntil: until?.toISOString() ?? null,
      };
    }),
  ];
}

function setSimulation(services: Services, call: Call<Actor>, adminId: string, running: boolean): Promise<Date | null> {
  return runCommand(services, call, async (tx, at) => {
    const admin = await lockNetworkMark(tx, call.actor, adminId);
    if (!admin) throw new CallError('NOT_FOUND', { fields: { adminId: FIRST_STEPS_TEXTS.notYourAdmin } });
    if (running && !admin.test_network)
      throw new CallError('RULE_REFUSED', {
        fields: { adminId: FIRST_STEPS_TEXTS.onlyTests },
      });
    const until = running ? new Date(at.getTime() + SIMULATED_MINUTES * 60_000) : null;
    await setSimulatedUntil(tx, adminId, until);
    return {
      result: until,
      subject: FIRST_STEPS_TEXTS.subject(running ? 'Started' : 'Stopped', admin.username),
      detail: { accountId: adminId, simulatedUntil: until?.toISOString() ?? null },
    };
  });
}
