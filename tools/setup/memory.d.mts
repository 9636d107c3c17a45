/** What the process of a server is started with, so that it keeps no memory that it does not use. */
export function servingEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
