import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { TestApp, type Played } from '../harness.ts';

/**
 * Plays a beginning once; each test starts on a copy at the same time. Tests may mutate the beginning's data. `check`
 * runs after each test, before stop.
 */
export function onDatabaseCopies<World>(
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
