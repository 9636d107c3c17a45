export function servingEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
