/** A command of the shell that has arguments. */
export interface Command<Wish> {
  /** How it is used, as `--help` says it. */
  readonly usage: string;
  /** Reads the arguments; throws what is wrong with them. */
  readonly read: (args: readonly string[]) => Wish | 'help';
  /** Does what was wished; gives the exit code, or throws a sentence. */
  readonly run: (wish: Wish) => Promise<number>;
}

/** Runs a command with the arguments of this process, which ends with its exit code: 1 where it failed, 2 where it was not understood. */
export async function runCommandLine<Wish>({ usage, read, run }: Command<Wish>): Promise<void> {
  let wish: Wish | 'help';
  try {
    wish = read(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (wish === 'help') {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await run(wish);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
