import * as routes from '@drawhouse/contract/auth/factors';
import type { Actor } from '../../accounts/authority.ts';
import { handle, type BoundRoute } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { AUTH_SUBJECTS, AUTH_TEXTS } from '../auth-texts.ts';
import { offerFactors, sealConfirmation } from './second-step.ts';
import { runCommandDuringRestore } from '../../activity/run-command.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { passwordHashOf } from '../logins/own-password.ts';
import { forgetDevices, readRemembered } from './remembered-devices.ts';
import { ownSite } from './passkeys.ts';
import { addApp, addPasskey, beginApp, beginPasskey, listOwn, removeFactor, renewCodes } from './change-factors.ts';
import type { FactorVault } from './factor-vault.ts';

export function factorsRoutes(
  services: Services,
  vault: FactorVault,
  houseName: () => Promise<string>,
): BoundRoute<Actor>[] {
  return [
    handle(routes.listFactors, async (_input, call) => ({ data: await listOwn(services, call) })),
    handle(routes.beginApp, async (_input, call) => beginApp(services, vault, call, await houseName())),
    handle(routes.addApp, async ({ body }, call) => {
      const codes = await addApp(services, vault, call, body);
      return { message: AUTH_TEXTS.factorAdded, ...(codes && { codes }) };
    }),
    handle(routes.beginPasskey, async (_input, call) => beginPasskey(services, vault, call, await houseName())),
    handle(routes.addPasskey, async ({ body }, call) => {
      const codes = await addPasskey(services, vault, call, body);
      return { message: AUTH_TEXTS.factorAdded, ...(codes && { codes }) };
    }),
    handle(routes.confirmFactors, async (_input, { actor, header }) => {
      const challenge = sealConfirmation(services, vault, actor);
      return { challenge, ...(await offerFactors(services, actor, { site: ownSite(services, header), challenge })) };
    }),
    handle(routes.rememberedDevices, async (_input, { actor, device }) => {
      const hash = (await passwordHashOf(services.db, actor)) ?? '';
      return { data: await readRemembered(services.db, { ...actor, hash }, device, services.clock.now()) };
    }),
    handle(routes.forgetDevice, async ({ params }, call) => {
      await runCommandDuringRestore(services, call, async (tx) => {
        if ((await forgetDevices(tx, call.actor, params.deviceId)) === 0) throw new CallError('NOT_FOUND');
        return { result: undefined, subject: AUTH_SUBJECTS.deviceForgotten };
      });
      return { message: AUTH_TEXTS.deviceForgotten };
    }),
    handle(routes.removeFactor, async ({ params }, call) => {
      await removeFactor(services, call, Number(params.number));
      return { message: AUTH_TEXTS.factorRemoved };
    }),
    handle(routes.renewCodes, async (_input, call) => ({
      codes: await renewCodes(services, call),
      message: AUTH_TEXTS.codesRenewed,
    })),
  ];
}
