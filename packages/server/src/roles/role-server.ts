import { type Adapter, type AdapterSpec, textOf } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { plain } from '@askema/text2sql';
import type { AuditLog, Caller, OpenedFor } from '../contract.ts';
import { createServer } from '../server.ts';
import { subjectKeys } from '../testing/subject-keys.ts';

/** What the rows of each role say. */
export const CANARY = { north: 'aurora', south: 'pampas' } as const;
export type Role = keyof typeof CANARY;
export const ROLES = Object.keys(CANARY) as readonly Role[];

export function otherOf(role: string): string {
  return role === 'north' ? CANARY.south : CANARY.north;
}

export interface RoleServerOptions {
  readonly open: (who: OpenedFor) => AdapterSpec | Adapter;
  /** Beside a caller for each of {@link ROLES}, whose key is the name of the role. */
  readonly callers?: readonly Caller[] | undefined;
  readonly audit?: AuditLog | undefined;
  readonly opensRole?: boolean | undefined;
}

/** A server whose model counts orders; it keeps what each role was told, and what the model was. */
export function roleServer({ open, callers = [], audit, opensRole }: RoleServerOptions) {
  const told: { readonly role: string; readonly text: string }[] = [];
  const prompts: { readonly role: string; readonly text: string }[] = [];
  const modelOf = (role: string) =>
    scriptedModel(({ messages }) => {
      prompts.push({ role, text: messages.map(({ content }) => textOf(content)).join('\n') });
      const sql = 'SELECT COUNT(*) FROM orders';
      return { json: { outcome: 'sql', sql, explanation: 'as asked', not_understood: [] } };
    });
  const all: readonly Caller[] = [...ROLES.map((role) => ({ subject: role, role, scopes: ['*'] })), ...callers];
  const server = createServer({
    databases: {
      shop: {
        open: (who) => ({ adapter: open(who), text2sql: { model: modelOf(who.role ?? '-'), flow: plain() } }),
        ...(opensRole === undefined ? {} : { opensRole }),
      },
    },
    auth: subjectKeys(all),
    ...(audit === undefined ? {} : { audit }),
  });
  const send = async (role: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${role}`, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await server.fetch(new Request(`http://localhost${path}`, { method, headers, ...init }));
    const text = await response.text();
    told.push({ role, text });
    return { status: response.status, text };
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  const json = async (role: string, method: string, path: string, body?: unknown): Promise<any> => {
    const { status, text } = await send(role, method, path, body);
    return { status, ...JSON.parse(text) };
  };
  return { server, send, json, told, prompts };
}

/** In an order that is the same each time. */
export function shuffled<T>(items: readonly T[]): readonly T[] {
  const order = [...items];
  for (let at = order.length - 1, seed = 7; at > 0; at -= 1) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const other = seed % (at + 1);
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
