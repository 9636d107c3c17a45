export function startErrorText(error: unknown, env: Readonly<Record<string, string | undefined>>): string {
  const chain = causesOf(error);
  for (const { code, syscall, address, port } of chain) {
    const text = syscall === 'listen' || syscall === 'bind' ? listenText(code, address, port) : databaseText(code, env);
    if (text !== undefined) return text;
  }
  return chain[0]?.message ?? String(error);
}

interface CodedError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
}

function causesOf(error: unknown): CodedError[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function listenText(code: string | undefined, address = '', port = 0): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`;
    case 'EACCES':
      return `This user can't listen on port ${port}. Set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine does not have the address ${address}. Set HOST to one it has, or leave it out.`;
    default:
      return undefined;
  }
}

function databaseText(code: string | undefined, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = env['DATABASE_OWNER_URL']?.trim() ? 'DATABASE_URL or DATABASE_OWNER_URL' : 'DATABASE_URL';
  switch (code) {
    case '28P01':
      return `PostgreSQL rejects the password. Correct the user or password in ${name}.`;
    case '28000':
      return `PostgreSQL does not accept this user. Check the user in ${name}, and PostgreSQL's pg_hba.conf.`;
    case '3D000':
      return `The database does not exist. Create it (createdb), or correct its name in ${name}.`;
    case '42501':
      return `The role lacks permission in the database. Set ${name} to the role that owns the database.`;
    case 'ECONNREFUSED':
      return `PostgreSQL does not answer. Start it, or correct host and port in ${name}.`;
    case 'ENOTFOUND':
      return `PostgreSQL's host is unknown. Correct it in ${name}.`;
    default:
      return undefined;
  }
}
