export { login } from '@drawhouse/contract/auth';
export { schemaErrors } from '../../lib/schemaErrors.ts';
