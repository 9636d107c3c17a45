import { expect, it } from 'vitest';
import { hostOf, parseClusterAddress } from './cluster-address.ts';

it('splits an address of several hosts, with ports, credentials and parameters', () => {
  const url = 'postgres://anna:p%2C1,2@a:5432,b,[::1]:5433/drawhouse?sslmode=verify-full&target_session_attrs=primary';
  const parameters = '/drawhouse?sslmode=verify-full&target_session_attrs=primary';
  expect(parseClusterAddress(url)).toEqual({
    hosts: ['a:5432', 'b', '[::1]:5433'].map((host) => `postgres://anna:p%2C1,2@${host}${parameters}`),
    wanted: 'primary',
  });
  expect(hostOf(url)).toBe('a:5432,b,[::1]:5433');
});

it('takes the primary of several hosts, and leaves a single host alone', () => {
  expect(parseClusterAddress('postgresql://a,b/x')).toMatchObject({ wanted: 'primary' });
  expect(parseClusterAddress('postgresql://anna:1,2@a:1/x')).toBeUndefined();
  expect(parseClusterAddress('postgresql://a/x?target_session_attrs=prefer-standby')).toEqual({
    hosts: ['postgresql://a/x?target_session_attrs=prefer-standby'],
    wanted: 'standby',
  });
  expect(parseClusterAddress('postgresql://a,b/x?target_session_attrs=any')).toMatchObject({ wanted: undefined });
});
