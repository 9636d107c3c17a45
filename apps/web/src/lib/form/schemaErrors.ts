import * as z from 'zod/mini';

export function schemaErrors(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const result = z.safeParse(schema, values);
  const errors: Record<string, string> = {};
  for (const issue of result.success ? [] : result.error.issues) {
    errors[String(issue.path[0] ?? '')] ??= issue.message;
  }
  return errors;
}
