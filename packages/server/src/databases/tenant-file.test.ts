import { expect, test } from 'vitest';
import { tenantFile } from './tenant-file.ts';

test('a tenant has a file of its own', () => {
  expect(tenantFile('/data', 'acme-2_x', 'sqlite')).toBe('/data/acme-2_x.sqlite');
});

test.each([undefined, '', '.', '..', '../acme', 'a/b', 'a\\b', 'a.b', 'Acme', 'a\0', 'á', 'a'.repeat(65), '%2e%2e'])(
  '%j names no file',
  (tenant) => {
    expect(() => tenantFile('/data', tenant, 'sqlite')).toThrow(
      expect.objectContaining({ code: 'CALLER_REFUSED', message: expect.not.stringContaining('/data') }),
    );
  },
);
