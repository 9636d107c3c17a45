import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { createStepFailures, drawFailed } from './draw-steps.ts';

const DRAW = {
  network_id: 7,
  id: 'x',
  draw_status: 'open',
  ticket_count: null,
  saved: false,
  due_at: new Date(0),
  early: false,
} as const;

describe('failures of a step', () => {
  it('are thrown once, with their number and the first one', () => {
    const failures = createStepFailures();
    expect(() => failures.throwAll()).not.toThrow();
    const first = drawFailed(DRAW, new Error('no seed'));
    failures.add(first);
    expect(() => failures.throwAll()).toThrow(first);
    for (const message of ['no seed', 'no room']) failures.add(drawFailed(DRAW, new Error(message)));
    expect(() => failures.throwAll()).toThrow('2 steps failed, first draw x of network 7: no seed');
    expect(() => failures.throwAll()).not.toThrow();
  });

  it('become one outage if the database is down', () => {
    const failures = createStepFailures();
    const away = new DatabaseUnavailable(new Error('connection lost'));
    failures.add(drawFailed(DRAW, new Error('no seed')));
    failures.add(drawFailed(DRAW, away));
    expect(() => failures.throwAll()).toThrow(away);
    expect(() => failures.throwAll()).not.toThrow();
  });
});
