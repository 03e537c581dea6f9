import type { RunEvent } from '../../events/run-event.ts';
import { startChat } from '../chat-state.ts';
import { type ChatSettings, type Script, SMOOTH, schemaChat, scriptDeps } from './scripted-chat.ts';

/** The turns when nobody names anyone. */
export const FORWARD = [
  'product-manager#1',
  'conceptual-designer#1',
  'conceptual-reviewer#1',
  'logical-designer#1',
  'qa-engineer#1',
  'test-executor#1',
];

/** Plays the chat of the six roles to its end, and keeps what was told meanwhile. */
export async function play(script: Script, settings: ChatSettings = {}) {
  const deps = scriptDeps({ ...SMOOTH, ...script });
  const events: RunEvent[] = [];
  const result = await schemaChat(settings).run({ chat: startChat('A shop.'), notes: [] }, deps, {
    onEvent: (event) => events.push(event),
  });
  if (result.status !== 'finished') throw new Error('suspended');
  const told = (call: string) =>
    events.flatMap((event) => (event.type === 'call' && event.call === call ? [event.data] : []));
  return { ...deps, ...result, messages: result.state.chat.messages, rounds: result.state.chat.rounds, told };
}
