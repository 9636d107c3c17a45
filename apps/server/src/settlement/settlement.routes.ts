import { addResult, correctResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import type { Actor } from '../accounts/authority.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import type { DrawMachine } from './draw-machine.ts';
import { correctOutside } from './correct/correct-outside.ts';
import { generateNow, voidRunning } from './operate-draw.ts';
import { saveResult } from './save-result.ts';
import { SETTLEMENT_TEXTS } from './settlement-texts.ts';

export function settlementRoutes(machine: DrawMachine): BoundRoute<Actor>[] {
  return [
    handle(addResult, ({ body }, call) => saveResult(machine, call, body)),
    handle(correctResult, ({ body }, call) => correctOutside(machine, call, body)),
    handle(generateResult, ({ body }, call) => generateNow(machine, call, body)),
    handle(voidDraw, async ({ body }, call) => ({
      message: SETTLEMENT_TEXTS.voided,
      ...(await voidRunning(machine, call, body)),
    })),
  ];
}
