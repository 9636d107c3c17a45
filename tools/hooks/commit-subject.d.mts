export function faultOfSubject(subject: string): string | undefined;
