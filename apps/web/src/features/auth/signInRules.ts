export { login } from '@drawhouse/contract/auth/auth';
export { schemaErrors } from '../../lib/form/schemaErrors.ts';
