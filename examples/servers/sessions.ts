/**
 * The login of an application: names, passwords, and a signed cookie that says who is logged in. The servers
 * beside this file share it; put your own in its place.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AskemaError } from '@askema/core';
import type { Authenticator, Caller } from '@askema/server';

const PEOPLE: ReadonlyMap<string, Caller & { readonly password: string }> = new Map([
  ['ann', { password: 'correct horse', subject: 'ann', scopes: ['ask', 'sql', 'catalog', 'history'] }],
  ['bob', { password: 'battery staple', subject: 'bob', scopes: ['catalog'], hide: ['payments'] }],
]);

// Kept in the environment: frameworks may load this module once for each route.
process.env.SESSION_SECRET ??= randomBytes(32).toString('hex');
const signed = (name: string): Buffer =>
  createHmac('sha256', process.env.SESSION_SECRET ?? '')
    .update(name)
    .digest();

/** The cookie of somebody whose password is right. Other sites cannot send it (`SameSite`), and no script can read it. */
export function logIn(name: string, password: string): string | undefined {
  if (PEOPLE.get(name)?.password !== password) return undefined;
  return `session=${name}.${signed(name).toString('hex')}; HttpOnly; SameSite=Strict; Path=/`;
}

/** Whoever is logged in may ask, as the application knows them. */
export const auth: Authenticator = {
  isOpen: false,
  async authenticate(request) {
    const cookie = request.headers.get('cookie') ?? '';
    const [, name = '', signature = ''] = /(?:^|; *)session=(\w+)\.([\da-f]{64})(?:;|$)/.exec(cookie) ?? [];
    const person = PEOPLE.get(name);
    if (person === undefined || !timingSafeEqual(Buffer.from(signature, 'hex'), signed(name)))
      throw new AskemaError('CALLER_UNKNOWN', 'Nobody is logged in. Send POST /login before.');
    const { password: _, ...caller } = person;
    return caller;
  },
};
