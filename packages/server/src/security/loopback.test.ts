import { expect, test } from 'vitest';
import { anyoneOnLoopback } from '../caller/anyone-on-loopback.ts';
import { checkBind } from './loopback.ts';

const open = anyoneOnLoopback();

test.each(['127.0.0.1', '127.8.9.1', '::1', '[::1]', 'localhost', 'LOCALHOST', '::ffff:127.0.0.1'])(
  'nobody needs proof at %s',
  (host) => {
    expect(() => checkBind(host, open)).not.toThrow();
  },
);

test.each([
  '0.0.0.0',
  '::',
  '[::]',
  '',
  undefined,
  '10.0.0.1',
  '::ffff:10.0.0.1',
  'localhost.evil.example',
  '127.evil.example',
  '0',
  '2130706433',
])('a server that asks for no proof does not listen at %j', (host) => {
  expect(() => checkBind(host, open)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('keyAuth') }),
  );
  expect(() => checkBind(host, { isOpen: false })).not.toThrow();
});
