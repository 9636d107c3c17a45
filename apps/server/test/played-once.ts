import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { TestApp } from './harness.ts';
import type { Played } from './harness.ts';

/**
 * For files whose tests each want a database of their own that begins alike: plays that beginning once, and starts a server on a copy of it, at its
 * time, before each test. Gives the server with what the beginning gave, which is data: a test may change what it has of it. `check` is called after
 * each test, before its server is stopped.
 */
export function onCopies<World>(
  play: (t: TestApp) => Promise<World>,
  give: (t: TestApp, world: World) => void,
  check: (t: TestApp) => Promise<void> = async () => {},
): void {
  let t: TestApp;
  let played: Played | undefined;
  let world: World;
  beforeAll(async () => {
    const first = await TestApp.start();
    world = await play(first);
    played = await first.leave();
  });
  afterAll(() => played?.database.drop());
  beforeEach(async () => {
    t = await TestApp.start({ played: played! });
    give(t, structuredClone(world));
  });
  afterEach(async () => {
    await check(t);
    await t.close();
  });
}
