import type { importProgress as progressRoute } from '@drawhouse/contract/accounts/bulk-accounts';
import type { RouteResult } from '@drawhouse/contract/core/route';
import type { Call } from '../../platform/http/handler.ts';
import type { Actor } from '../authority.ts';

type Progress = NonNullable<RouteResult<typeof progressRoute>['progress']>;
type Step = Progress['step'];

/** Imports that this process runs, by actor and Idempotency-Key. Other processes do not see them. */
const running = new Map<string, Progress>();

export interface ImportProgress {
  begin(step: Step): void;
  advance(step: Step): void;
  end(): void;
}

export function beginProgress({ actor, idempotencyKey }: Call<Actor>, total: number): ImportProgress {
  const name = nameOf(actor, idempotencyKey ?? '');
  let current: Progress = { step: 'check', done: 0, total };
  const show = (step: Step, done: number): void => void running.set(name, (current = { step, done, total }));
  show('check', 0);
  return {
    begin: (step) => show(step, 0),
    advance: (step) => show(step, step === current.step ? current.done + 1 : 1),
    end: () => void (running.get(name) === current && running.delete(name)),
  };
}

export function readProgress(actor: Actor, key: string): RouteResult<typeof progressRoute> {
  return { progress: running.get(nameOf(actor, key)) ?? null };
}

function nameOf({ id }: Actor, key: string): string {
  return `${id} ${key}`;
}
